package dev.heddle.bench.race;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.Writer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A program in its own process that obeys lines: each line it is told gets one line back, `ok` and
/// what there is to say, or `error` and why. It ends when its input does.
///
/// **Thread:** owner (the measuring thread).
public final class Child implements AutoCloseable {
    private static final long GRACE_SECONDS = 10;

    private final Process process;
    private final Writer commands;
    private final BufferedReader answers;

    /// @param command the program and its arguments; its complaints go where ours go
    public Child(List<String> command) throws IOException {
        process =
                new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
        commands = process.outputWriter();
        answers = process.inputReader();
    }

    /// {@return what it answers}
    ///
    /// @throws IOException if it says that something is wrong, or ended
    public String ask(String command) throws IOException {
        commands.write(command + "\n");
        commands.flush();
        String answer = answers.readLine();
        if (answer == null) {
            throw new IOException("the child ended instead of answering \"" + command + "\"");
        }
        if (!answer.startsWith("ok ")) {
            throw new IOException("the child answered \"" + command + "\": " + answer);
        }
        return answer.substring("ok ".length());
    }

    /// {@return this program as a side that runs one of its workloads}
    ///
    /// Closing the side does nothing: the program stays for other rows.
    public Contestant contestant(String workload) {
        return new Contestant() {
            @Override
            public Sample round(Duration atLeast) throws IOException {
                return parse(ask("run " + workload + " " + atLeast.toMillis()));
            }

            @Override
            public void close() {}
        };
    }

    static Sample parse(String answer) throws IOException {
        String[] parts = answer.split(" ", -1);
        try {
            return new Sample(
                    Double.parseDouble(parts[0]),
                    Double.parseDouble(parts[1]),
                    Long.parseLong(parts[2]));
        } catch (NumberFormatException | ArrayIndexOutOfBoundsException wrong) {
            throw new IOException("three numbers expected, but the child said: " + answer, wrong);
        }
    }

    /// Ends the program: its input first, then by force.
    @Override
    public void close() {
        try (commands;
                answers) {
            commands.close();
            if (!process.waitFor(GRACE_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (IOException gone) {
            process.destroyForcibly();
        } catch (InterruptedException interrupted) {
            process.destroyForcibly();
            Thread.currentThread().interrupt();
        }
    }
}

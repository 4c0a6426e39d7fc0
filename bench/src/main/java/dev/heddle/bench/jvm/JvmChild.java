package dev.heddle.bench.jvm;

import dev.heddle.bench.race.ChildJvm;
import dev.heddle.bench.race.ChildPeer;
import dev.heddle.bench.race.Contestant;
import dev.heddle.bench.race.InProcess;
import dev.heddle.bench.race.Jit;
import dev.heddle.bench.race.Sample;
import dev.heddle.bench.race.Workload;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// A JVM with one [Repertoire] in it, that obeys lines on its standard input and answers each with
/// one line:
///
/// ```
/// version             ->  ok 25.0.3
/// run NAME MILLIS     ->  ok VALUE CPU OPERATIONS     at least so long; a workload of the repertoire
/// run parked-COUNT 0  ->  ok BYTES NaN COUNT          heap bytes of each parked coroutine
/// run parked-COUNT-rss 0                              the same, as the operating system sees it
/// compiled            ->  ok MILLIS                   how long the JIT was at work so far
/// ```
///
/// **Thread:** owner (the main thread).
public final class JvmChild {
    private static final String PARKED = "parked-";
    private static final String RESIDENT = "-rss";

    private final Repertoire repertoire;
    private String openName = "";
    private @Nullable Contestant open;

    JvmChild(Repertoire repertoire) {
        this.repertoire = repertoire;
    }

    /// {@return how to start one}
    ///
    /// @param options for the JVM
    public static ChildPeer.Program program(
            Class<? extends Repertoire> repertoire, String... options) {
        var arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(JvmChild.class.getName(), repertoire.getName()));
        return () -> ChildJvm.command(arguments.toArray(String[]::new));
    }

    /// @param args the name of the repertoire's class
    public static void main(String[] args) throws Exception {
        var type = Class.forName(args[0]).asSubclass(Repertoire.class);
        var child = new JvmChild(type.getDeclaredConstructor().newInstance());
        // Whatever else is printed here must not be taken for an answer.
        PrintStream answers = System.out;
        System.setOut(System.err);
        var commands = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        for (var line = commands.readLine(); line != null; line = commands.readLine()) {
            answers.println(child.obey(line));
            answers.flush();
        }
        child.close();
        // Somebody's scheduler may have left threads behind.
        System.exit(0);
    }

    String obey(String line) {
        try {
            String[] words = line.split(" ", -1);
            return switch (words[0]) {
                case "version" -> "ok " + repertoire.version();
                case "compiled" -> "ok " + Jit.compiledMillis();
                case "run" -> "ok " + run(words[1], Duration.ofMillis(Long.parseLong(words[2])));
                default -> "error not understood: " + line;
            };
        } catch (Exception | AssertionError failed) {
            return "error " + failed.toString().lines().findFirst().orElse("");
        }
    }

    private String run(String name, Duration atLeast) throws Exception {
        Sample sample = open(name).round(atLeast);
        return sample.value() + " " + sample.cpu() + " " + sample.operations();
    }

    // What a workload has set up stays for its later rounds; one workload at a time.
    private Contestant open(String name) throws Exception {
        var current = open;
        if (current == null || !openName.equals(name)) {
            close();
            current = find(name);
            open = current;
            openName = name;
        }
        return current;
    }

    private void close() throws IOException {
        var current = open;
        open = null;
        if (current != null) {
            current.close();
        }
    }

    private Contestant find(String name) throws Exception {
        Workload.Opener opener = repertoire.workloads().get(name);
        if (opener != null) {
            return new InProcess(opener.open());
        }
        if (name.startsWith(PARKED) && name.endsWith(RESIDENT)) {
            int end = name.length() - RESIDENT.length();
            int count = Integer.parseInt(name.substring(PARKED.length(), end));
            return ParkedMemory.resident(repertoire.parking(), count);
        }
        if (name.startsWith(PARKED)) {
            int count = Integer.parseInt(name.substring(PARKED.length()));
            return ParkedMemory.heap(repertoire.parking(), count);
        }
        throw new IOException("no workload is called \"" + name + "\"");
    }
}

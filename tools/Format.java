import java.util.spi.ToolProvider;

static final Path UNFORMATTED = Path.of("target", "unformatted.txt");

/// Checks (`check`) or rewrites (`fix`) the format of every Java file below the working folder.
///
/// The build runs it on the JDK it compiles with: google-java-format reads that JDK's compiler, and
/// Maven itself may run on an older one. What does not pass is listed in [#UNFORMATTED], and a rule
/// in the parent pom fails the build if that file exists: so Maven ends in one sentence that says
/// what to do, instead of the stack trace it prints for a program that failed.
void main(String[] args) throws IOException {
    var command = new ArrayList<>(List.of("--aosp"));
    command.addAll(
            switch (String.join(" ", args)) {
                case "check" -> List.of("--dry-run");
                case "fix" -> List.of("--replace");
                default -> throw new IllegalArgumentException("check or fix? " + List.of(args));
            });
    command.addAll(sources());

    var report = new StringWriter();
    var printer = new PrintWriter(report);
    var formatter = ToolProvider.findFirst("google-java-format").orElseThrow();
    var status = formatter.run(printer, printer, command.toArray(String[]::new));

    System.err.print(report);
    Files.createDirectories(UNFORMATTED.getParent());
    Files.writeString(UNFORMATTED, report.toString());
    if (report.toString().isEmpty()) {
        Files.delete(UNFORMATTED);
    }
    System.exit(status); // not zero if a file could not be parsed
}

/// {@return every Java file, except in hidden folders and in what the build made}
List<String> sources() throws IOException {
    try (var paths = Files.walk(Path.of(""))) {
        return paths.map(Path::toString)
                .filter(path -> path.endsWith(".java"))
                .filter(path -> !path.matches("(.*/)?(target|\\.[^/]+)/.*"))
                .toList();
    }
}

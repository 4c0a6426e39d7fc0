package dev.heddle.cli;

import java.util.List;
import java.util.stream.Collectors;

/// Findings, for people and for programs.
///
/// **Thread:** immutable.
record Report(List<Finding> findings) {
    Report {
        findings = List.copyOf(findings);
    }

    boolean programsCanRun() {
        return findings.stream().noneMatch(each -> each.status() == Finding.Status.PROBLEM);
    }

    String text() {
        var text = new StringBuilder();
        String section = "";
        for (var finding : findings) {
            if (!finding.section().equals(section)) {
                section = finding.section();
                text.append(section).append('\n');
            }
            String mark = finding.status().label();
            text.append("  %-8s%-15s%s%n".formatted(mark, finding.name(), finding.text()));
            finding.fix().ifPresent(fix -> text.append("  %-23sfix: %s%n".formatted("", fix)));
        }
        return text.append(verdict()).append('\n').toString();
    }

    String json() {
        return findings.stream()
                .map(Report::json)
                .collect(
                        Collectors.joining(
                                ",\n",
                                "{\"programsCanRun\": " + programsCanRun() + ", \"findings\": [\n",
                                "\n]}\n"));
    }

    private String verdict() {
        return programsCanRun()
                ? "Programs can run."
                : "Programs cannot run: see the problems above.";
    }

    private static String json(Finding finding) {
        return "  {\"section\": %s, \"name\": %s, \"status\": %s, \"text\": %s, \"fix\": %s}"
                .formatted(
                        quote(finding.section()),
                        quote(finding.name()),
                        quote(finding.status().name().toLowerCase(java.util.Locale.ROOT)),
                        quote(finding.text()),
                        finding.fix().map(Report::quote).orElse("null"));
    }

    private static String quote(String text) {
        var quoted = new StringBuilder("\"");
        text.chars()
                .forEach(
                        c -> {
                            if (c == '"' || c == '\\') {
                                quoted.append('\\').append((char) c);
                            } else if (c < ' ') {
                                quoted.append("\\u%04x".formatted(c));
                            } else {
                                quoted.append((char) c);
                            }
                        });
        return quoted.append('"').toString();
    }
}

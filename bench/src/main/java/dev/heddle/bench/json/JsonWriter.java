package dev.heddle.bench.json;

import java.util.Iterator;
import java.util.Locale;

/// Writes [Json]: objects of objects over several lines, the innermost on one.
///
/// **Thread:** owner (whoever made it).
final class JsonWriter {
    private static final int SIGNIFICANT_DIGITS = 6;

    private final StringBuilder out = new StringBuilder();

    private JsonWriter() {}

    static String write(Json value) {
        var writer = new JsonWriter();
        writer.value(value, 0);
        return writer.out.append('\n').toString();
    }

    private void value(Json value, int depth) {
        switch (value) {
            case Json.Nothing() -> out.append("null");
            case Json.Truth(boolean truth) -> out.append(truth);
            case Json.Numeral(double number) -> out.append(number(number));
            case Json.Text(String text) -> text(text);
            case Json.Array(var values) -> array(values.iterator(), depth);
            case Json.Members object -> object(object, depth);
        }
    }

    private void array(Iterator<Json> values, int depth) {
        out.append('[');
        while (values.hasNext()) {
            var value = values.next();
            newLineUnlessFlat(value, depth + 1);
            value(value, depth + 1);
            out.append(values.hasNext() ? "," : "");
        }
        out.append(']');
    }

    private void object(Json.Members object, int depth) {
        boolean flat = object.all().values().stream().noneMatch(Json.Members.class::isInstance);
        out.append('{');
        for (var members = object.all().entrySet().iterator(); members.hasNext(); ) {
            var member = members.next();
            if (!flat) {
                newLine(depth + 1);
            }
            text(member.getKey());
            out.append(": ");
            value(member.getValue(), depth + 1);
            out.append(members.hasNext() ? flat ? ", " : "," : "");
        }
        if (!flat) {
            newLine(depth);
        }
        out.append('}');
    }

    private void newLineUnlessFlat(Json value, int depth) {
        if (value instanceof Json.Members) {
            newLine(depth);
        } else if (out.charAt(out.length() - 1) == ',') {
            out.append(' ');
        }
    }

    private void newLine(int depth) {
        out.append('\n').append("  ".repeat(depth));
    }

    // More digits than a measurement has would only be noise.
    private static String number(double value) {
        if (value == Math.rint(value) && Math.abs(value) < 1e15) {
            return String.format(Locale.ROOT, "%.0f", value);
        }
        return Double.toString(
                Double.parseDouble(
                        String.format(Locale.ROOT, "%." + SIGNIFICANT_DIGITS + "g", value)));
    }

    private void text(String text) {
        out.append('"');
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\n' -> out.append("\\n");
                case '\t' -> out.append("\\t");
                default -> out.append(c < ' ' ? String.format(Locale.ROOT, "\\u%04x", (int) c) : c);
            }
        }
        out.append('"');
    }
}

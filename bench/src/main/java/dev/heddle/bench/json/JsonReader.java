package dev.heddle.bench.json;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.function.Supplier;

/// Reads [Json], strictly.
///
/// **Thread:** owner (whoever made it).
final class JsonReader {
    private static final int DEPTH_MAX = 100;
    private static final String ESCAPES = "\"\\/bfnrt";
    private static final String ESCAPED = "\"\\/\b\f\n\r\t";

    private final String in;
    private int at;
    private int depth;

    private JsonReader(String in) {
        this.in = in;
    }

    /// @throws IllegalArgumentException if it is no JSON, saying where
    static Json read(String in) {
        var reader = new JsonReader(in);
        var value = reader.value();
        reader.skipSpace();
        if (reader.at < in.length()) {
            throw reader.wrong("nothing more");
        }
        return value;
    }

    private Json value() {
        skipSpace();
        return switch (peek()) {
            case '{' -> nested(this::object);
            case '[' -> nested(this::array);
            case '"' -> new Json.Text(string());
            case 't' -> word("true", new Json.Truth(true));
            case 'f' -> word("false", new Json.Truth(false));
            case 'n' -> word("null", new Json.Nothing());
            default -> number();
        };
    }

    // Limited, so that a malicious file cannot overflow the stack.
    private Json nested(Supplier<Json> body) {
        if (++depth > DEPTH_MAX) {
            throw wrong("less nesting");
        }
        at++;
        var value = body.get();
        depth--;
        return value;
    }

    private Json object() {
        var members = new LinkedHashMap<String, Json>();
        if (take('}')) {
            return new Json.Members(members);
        }
        do {
            skipSpace();
            String name = string();
            expect(':');
            members.put(name, value());
        } while (take(','));
        expect('}');
        return new Json.Members(members);
    }

    private Json array() {
        var values = new ArrayList<Json>();
        if (take(']')) {
            return new Json.Array(values);
        }
        do {
            values.add(value());
        } while (take(','));
        expect(']');
        return new Json.Array(values);
    }

    private Json number() {
        int begin = at;
        while (at < in.length() && "+-.eE0123456789".indexOf(in.charAt(at)) >= 0) {
            at++;
        }
        try {
            return new Json.Numeral(Double.parseDouble(in.substring(begin, at)));
        } catch (NumberFormatException notOne) {
            at = begin;
            throw wrong("a value");
        }
    }

    private String string() {
        if (peek() != '"') {
            throw wrong("a string");
        }
        at++;
        var text = new StringBuilder();
        while (peek() != '"') {
            char c = in.charAt(at++);
            text.append(c == '\\' ? escape() : c);
        }
        at++;
        return text.toString();
    }

    private char escape() {
        char c = peek();
        at++;
        if (c == 'u' && at + 4 <= in.length()) {
            at += 4;
            return (char) Integer.parseInt(in.substring(at - 4, at), 16);
        }
        int index = ESCAPES.indexOf(c);
        if (index < 0) {
            throw wrong("an escape");
        }
        return ESCAPED.charAt(index);
    }

    private Json word(String word, Json value) {
        if (!in.startsWith(word, at)) {
            throw wrong("a value");
        }
        at += word.length();
        return value;
    }

    private boolean take(char c) {
        skipSpace();
        if (at < in.length() && in.charAt(at) == c) {
            at++;
            return true;
        }
        return false;
    }

    private void expect(char c) {
        if (!take(c)) {
            throw wrong("'" + c + "'");
        }
    }

    private char peek() {
        if (at >= in.length()) {
            throw wrong("more");
        }
        return in.charAt(at);
    }

    private void skipSpace() {
        while (at < in.length() && " \t\r\n".indexOf(in.charAt(at)) >= 0) {
            at++;
        }
    }

    private IllegalArgumentException wrong(String expected) {
        long line = in.substring(0, Math.min(at, in.length())).lines().count();
        return new IllegalArgumentException(
                "not JSON: " + expected + " expected at line " + Math.max(1, line));
    }
}

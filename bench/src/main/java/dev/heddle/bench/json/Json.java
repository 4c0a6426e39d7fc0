package dev.heddle.bench.json;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// A JSON value (RFC 8259).
///
/// Written by hand: the whole need is one small file, and a library would be the largest thing in
/// this module.
///
/// **Thread:** immutable.
public sealed interface Json {
    /// A string.
    record Text(String value) implements Json {}

    /// A number. JSON has no NaN: use [Nothing].
    record Numeral(double value) implements Json {}

    /// True or false.
    record Truth(boolean value) implements Json {}

    /// `null`.
    record Nothing() implements Json {}

    /// An array.
    record Array(List<Json> values) implements Json {
        public Array {
            values = List.copyOf(values);
        }
    }

    /// An object, its members in order.
    record Members(Map<String, Json> all) implements Json {
        public Members {
            all = new LinkedHashMap<>(all);
        }

        /// {@return the member of this name}
        ///
        /// @throws IllegalArgumentException if there is none, naming those there are
        public Json get(String name) {
            var value = all.get(name);
            if (value == null) {
                throw new IllegalArgumentException("no \"" + name + "\" among " + all.keySet());
            }
            return value;
        }
    }

    /// @throws IllegalArgumentException if it is no JSON, saying where
    static Json read(String text) {
        return JsonReader.read(text);
    }

    /// {@return this as text, on several lines}
    default String write() {
        return JsonWriter.write(this);
    }

    static Json of(String text) {
        return new Text(text);
    }

    /// {@return the number, or null for one that is none}
    static Json of(double value) {
        return Double.isFinite(value) ? new Numeral(value) : new Nothing();
    }

    /// @throws IllegalArgumentException if it is another kind of value
    default String text() {
        if (this instanceof Text(String value)) {
            return value;
        }
        throw new IllegalArgumentException("a string expected, but there is " + this);
    }

    /// {@return the number; NaN for null}
    ///
    /// @throws IllegalArgumentException if it is another kind of value
    default double number() {
        return switch (this) {
            case Numeral(double value) -> value;
            case Nothing() -> Double.NaN;
            case Text _, Truth _, Array _, Members _ ->
                    throw new IllegalArgumentException("a number expected, but there is " + this);
        };
    }

    /// @throws IllegalArgumentException if it is another kind of value
    default boolean truth() {
        if (this instanceof Truth(boolean value)) {
            return value;
        }
        throw new IllegalArgumentException("true or false expected, but there is " + this);
    }

    /// @throws IllegalArgumentException if it is another kind of value
    default List<Json> array() {
        if (this instanceof Array(var values)) {
            return values;
        }
        throw new IllegalArgumentException("an array expected, but there is " + this);
    }

    /// @throws IllegalArgumentException if it is another kind of value
    default Members members() {
        if (this instanceof Members object) {
            return object;
        }
        throw new IllegalArgumentException("an object expected, but there is " + this);
    }
}

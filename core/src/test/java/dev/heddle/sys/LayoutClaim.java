package dev.heddle.sys;

/// One number that we took from a C header, and the C expression that must give it.
///
/// @param owner the class that states it
/// @param name what it is called there
/// @param expression in C
/// @param value in Java
/// @param bytes how wide the Java type is: C's value must fit, signed or not
record LayoutClaim(Class<?> owner, String name, String expression, long value, int bytes) {
    boolean holds(long inC) {
        int spare = Long.SIZE - bytes * Byte.SIZE;
        long signed = inC << spare >> spare;
        long unsigned = inC << spare >>> spare;
        return signed == value && (inC == signed || inC == unsigned);
    }

    @Override
    public String toString() {
        return owner.getSimpleName() + "." + name;
    }
}

package dev.heddle.testing;

import org.junit.jupiter.api.Assumptions;

/// How deep the proofs go, by the system property `heddle.depth`: `quick`, or `deep` in the profile
/// of that name.
///
/// **Thread:** any.
public final class Depth {
    private static final boolean DEEP = System.getProperty("heddle.depth", "quick").equals("deep");

    private Depth() {}

    /// Skips the calling test, loudly, unless the proofs are to go deep.
    ///
    /// @param what the test shows
    public static void assumeDeep(String what) {
        String text = "SKIPPED " + what + ": runs in mvn verify -Pdeep";
        if (!DEEP) {
            System.err.println(text);
        }
        Assumptions.assumeTrue(DEEP, text);
    }

    /// {@return the first number, or the second if the proofs are to go deep}
    public static int of(int quick, int deep) {
        return DEEP ? deep : quick;
    }
}

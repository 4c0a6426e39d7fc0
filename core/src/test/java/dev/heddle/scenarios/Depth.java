package dev.heddle.scenarios;

/// How deep this run goes.
final class Depth {
    private Depth() {}

    /// {@return `quick` in an ordinary run, `deep` in one with `-Dheddle.depth=deep`}
    static int of(int quick, int deep) {
        return System.getProperty("heddle.depth", "quick").equals("deep") ? deep : quick;
    }
}

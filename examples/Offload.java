import dev.heddle.loop.Loop;

/// Heavy work goes to worker threads; what it returns, or throws, comes back on the loop.
void main() throws IOException {
    var primes = new TreeMap<Integer, Integer>(); // no lock: only the loop's thread touches it
    try (var loop = Loop.open()) {
        for (int limit : List.of(1_000, 10_000, 100_000)) {
            loop.submit(() -> countPrimes(limit), (count, _) -> primes.put(limit, count));
        }
        loop.submit(
                () -> Integer.parseInt("many"),
                (_, error) -> IO.println("one failed: " + error.getMessage()));
        loop.post(() -> IO.println("the loop is free meanwhile"));
        loop.run();
    }
    primes.forEach((limit, count) -> IO.println(count + " primes below " + limit));
}

int countPrimes(int limit) {
    var composite = new BitSet(limit);
    int count = 0;
    for (int i = 2; i < limit; i++) {
        if (!composite.get(i)) {
            count++;
            for (long multiple = (long) i * i; multiple < limit; multiple += i) {
                composite.set((int) multiple);
            }
        }
    }
    return count;
}

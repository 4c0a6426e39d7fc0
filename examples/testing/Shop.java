import static dev.heddle.Heddle.delay;

import java.time.Duration;

/// What the tests put behind the caches: a server that is a millisecond away.
final class Shop {
    private static final Duration WAY = Duration.ofMillis(1);

    private int price = 3;
    private int questions;

    int price(String item) {
        delay(WAY);
        questions++;
        int answer = price;
        delay(WAY);
        return answer;
    }

    void change(int newPrice) {
        delay(WAY);
        price = newPrice;
        delay(WAY);
    }

    /// {@return how often somebody asked}
    int questions() {
        return questions;
    }
}

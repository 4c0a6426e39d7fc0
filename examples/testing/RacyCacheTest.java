import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.heddle.test.HeddleTest;

/// Fails, as it should: some seeds find the race. Without `seeds` it passes.
final class RacyCacheTest {
    @HeddleTest(seeds = 100)
    void afterAChangeTheNewPriceIsSeen() {
        var shop = new Shop();
        var prices = new RacyCache<>(shop::price);

        var owner = spawn("owner", () -> raise(shop, prices));
        var customer = spawn("customer", () -> prices.get("tea"));
        await(customer);
        await(owner);

        assertEquals(5, prices.get("tea"));
    }

    private static void raise(Shop shop, RacyCache<String, Integer> prices) {
        shop.change(5);
        prices.forget("tea");
    }
}

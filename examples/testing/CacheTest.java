import static dev.heddle.Heddle.await;
import static dev.heddle.Heddle.spawn;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.heddle.test.HeddleTest;

import java.util.HashMap;

final class CacheTest {
    @HeddleTest(seeds = 1_000)
    void afterAChangeTheNewPriceIsSeen() {
        var shop = new Shop();
        var prices = new Cache<>(shop::price);

        var owner = spawn("owner", () -> raise(shop, prices));
        var customer = spawn("customer", () -> prices.get("tea"));
        await(customer);
        await(owner);

        assertEquals(5, prices.get("tea"));
    }

    @HeddleTest(seeds = 100)
    void twoWhoAskAtTheSameTimeAreOneQuestion() {
        var shop = new Shop();
        var prices = new Cache<>(shop::price);

        var one = spawn(() -> prices.get("tea"));
        var other = spawn(() -> prices.get("tea"));

        assertEquals(await(one), await(other));
        assertEquals(1, shop.questions());
    }

    @HeddleTest(seeds = 100)
    void theOtherHasItsAnswerIfOneIsCancelled() {
        var shop = new Shop();
        var prices = new Cache<>(shop::price);

        var one = spawn(() -> prices.get("tea"));
        var other = spawn(() -> prices.get("tea"));
        one.cancel("left the shop");

        assertEquals(3, await(other));
    }

    @HeddleTest
    void whatCouldNotBeLoadedIsTriedAgain() {
        var answers = new HashMap<String, Integer>();
        var prices = new Cache<String, Integer>(item -> answers.get(item).intValue());

        assertThrows(NullPointerException.class, () -> prices.get("tea"));
        answers.put("tea", 3);

        assertEquals(3, prices.get("tea"));
    }

    private static void raise(Shop shop, Cache<String, Integer> prices) {
        shop.change(5);
        prices.forget("tea");
    }
}

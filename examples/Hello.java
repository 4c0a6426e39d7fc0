import static dev.heddle.Heddle.*;

import dev.heddle.Heddle;

/// Two coroutines wait at the same time; each is written as if it were alone.
void main() {
    Heddle.run(this::hello);
}

void hello() {
    var greeting = spawn(() -> slowly("Hello"));
    var name = spawn(() -> slowly("loom"));
    spawn(() -> IO.println("both wait, and the loop is free"));
    IO.println(await(greeting) + ", " + await(name) + "!");
}

String slowly(String word) {
    delay(Duration.ofMillis(20)); // parks this coroutine, not the loop
    return word;
}

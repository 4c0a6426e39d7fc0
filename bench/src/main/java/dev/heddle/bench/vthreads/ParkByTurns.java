package dev.heddle.bench.vthreads;

import dev.heddle.bench.coroutines.Size;

import java.util.concurrent.locks.LockSupport;

/// Two threads, of which one always waits for the other: a real switch each time, which a yield is
/// only if both are on the same carrier.
///
/// **Thread:** the two, by turns.
final class ParkByTurns {
    // Whose turn it is: 0 or 1. Written by that one only.
    private volatile int turn;

    private final Thread[] players = new Thread[2];

    private ParkByTurns() {
        players[0] = Thread.ofVirtual().unstarted(() -> play(0));
        players[1] = Thread.ofVirtual().unstarted(() -> play(1));
    }

    static void run() throws InterruptedException {
        var game = new ParkByTurns();
        game.players[1].start();
        game.players[0].start();
        Basics.join(game.players);
    }

    private void play(int self) {
        int other = 1 - self;
        for (int i = 0; i < Size.SWITCH; i++) {
            while (turn != self) {
                LockSupport.park();
            }
            turn = other;
            LockSupport.unpark(players[other]);
        }
    }
}

/** Starting, ending, yielding, sleeping and being cancelled. */
package dev.heddle.bench.kotlinx

import dev.heddle.bench.coroutines.Size
import dev.heddle.bench.race.Check
import dev.heddle.bench.race.Meter
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.awaitCancellation
import kotlinx.coroutines.coroutineScope
import kotlinx.coroutines.delay
import kotlinx.coroutines.launch
import kotlinx.coroutines.yield

internal suspend fun CoroutineScope.spawn() =
    repeat(Size.SPAWN_ROUNDS) { join(Array(Size.SPAWN) { launch {} }) }

internal suspend fun CoroutineScope.yieldByTurns() =
    join(Array(2) { launch { repeat(Size.SWITCH) { yield() } } })

internal suspend fun CoroutineScope.crowd() =
    join(Array(Size.CROWD) { launch { repeat(Size.CROWD_TURNS) { yield() } } })

internal suspend fun CoroutineScope.delays() = join(Array(Size.DELAY) { launch { delay(1) } })

internal suspend fun CoroutineScope.cancelParked(meter: Meter) {
    meter.pause()
    var parked = 0
    val jobs =
        Array(Size.CANCEL) {
            launch {
                parked++
                awaitCancellation()
            }
        }
    yield() // they run before this goes on
    Check.count("parked", parked.toLong(), Size.CANCEL.toLong())
    meter.resume()
    for (job in jobs) job.cancel()
    join(jobs)
}

internal suspend fun scopes() =
    repeat(Size.SCOPES) { coroutineScope { repeat(Size.CHILDREN) { launch {} } } }

internal suspend fun CoroutineScope.hold(count: Int, whileParked: Runnable) {
    val gate = CompletableDeferred<Unit>()
    var parked = 0
    repeat(count) {
        launch {
            parked++
            gate.await()
        }
    }
    yield() // they run before this goes on
    Check.count("parked", parked.toLong(), count.toLong())
    whileParked.run()
    gate.complete(Unit)
}

private suspend fun join(jobs: Array<Job>) {
    for (job in jobs) job.join()
}

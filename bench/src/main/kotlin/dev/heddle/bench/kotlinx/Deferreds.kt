/** Waiting for results. */
package dev.heddle.bench.kotlinx

import dev.heddle.bench.coroutines.Size
import dev.heddle.bench.race.Check
import kotlinx.coroutines.CompletableDeferred
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.launch

internal suspend fun awaitCompleted() {
    val deferreds = Array(Size.COMPLETED) { CompletableDeferred(1) }
    var sum = 0L
    for (i in 0 until Size.AWAIT_COMPLETED) {
        sum += deferreds[i % deferreds.size].await()
    }
    Check.count("sum", sum, Size.AWAIT_COMPLETED.toLong())
}

/** Each completes what the other waits for, and waits for the answer. */
internal suspend fun CoroutineScope.awaitPending() {
    val questions = Array(Size.AWAIT_PENDING) { CompletableDeferred<Int>() }
    val answers = Array(Size.AWAIT_PENDING) { CompletableDeferred<Int>() }
    launch {
        for (i in questions.indices) {
            answers[i].complete(questions[i].await())
        }
    }
    var sum = 0L
    for (i in questions.indices) {
        questions[i].complete(i)
        sum += answers[i].await()
    }
    Check.count("sum", sum, Size.AWAIT_PENDING.toLong() * (Size.AWAIT_PENDING - 1) / 2)
}

package dev.heddle.bench.kotlinx

import dev.heddle.bench.coroutines.Size
import dev.heddle.bench.jvm.Parking
import dev.heddle.bench.jvm.Repertoire
import dev.heddle.bench.race.Batch
import dev.heddle.bench.race.Meter
import dev.heddle.bench.race.Workload
import kotlinx.coroutines.CoroutineScope
import kotlinx.coroutines.Job
import kotlinx.coroutines.runBlocking

/**
 * What kotlinx.coroutines does in the coroutine and memory suites, on one thread: the one that calls
 * `runBlocking`.
 *
 * **Thread:** owner (the measuring thread).
 */
class KotlinxRepertoire : Repertoire {
    override fun version(): String = "${libraryVersion()}, Kotlin ${KotlinVersion.CURRENT}"

    override fun workloads(): Map<String, Workload.Opener> =
        mapOf(
            "spawn-finish" to blocking(Size.SPAWN_ROUNDS * Size.SPAWN) { spawn() },
            "switch" to blocking(2 * Size.SWITCH) { yieldByTurns() },
            "await-completed" to blocking(Size.AWAIT_COMPLETED) { awaitCompleted() },
            "await-pending" to blocking(2 * Size.AWAIT_PENDING) { awaitPending() },
            "suspend-10000x10" to blocking(Size.CROWD * Size.CROWD_TURNS) { crowd() },
            "delay-100000" to blocking(Size.DELAY) { delays() },
            "cancel-100000" to blocking(Size.CANCEL) { meter -> cancelParked(meter) },
            "scope-1000" to blocking(Size.SCOPES * Size.CHILDREN) { scopes() },
        )

    override fun parking() = Parking { count, whileParked ->
        runBlocking { hold(count, whileParked) }
    }

    private fun blocking(operations: Int, body: suspend CoroutineScope.(Meter) -> Unit) =
        Workload.Opener { Batch(operations) { meter -> runBlocking { body(meter) } } }

    // The library has it in a file of its own, not in code.
    private fun libraryVersion(): String {
        val resource = "META-INF/kotlinx_coroutines_core.version"
        val version = Job::class.java.classLoader.getResource(resource)
        return version?.readText()?.trim() ?: "of unknown version"
    }
}

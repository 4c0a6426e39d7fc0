/*
 * wake-busy: another thread rings a loop that never sleeps (an idle hook keeps it turning, and it
 * polls in every turn), spins until the callback has run, and rings again. One operation is one
 * such round trip.
 */
#include "bench.h"

#include <stdatomic.h>

static piped_loop piped;
static uv_idle_t busy;
static uv_async_t bell;
static uv_thread_t poster;
static uv_sem_t go;
static atomic_long seen; /* counts on through all batches, see WakeBusy.java */
static long posted;      /* the poster's */
static atomic_bool ended;
static long trips;

static void post_all(void *unused) {
    (void)unused;
    for (uv_sem_wait(&go); !ended; uv_sem_wait(&go)) {
        for (long i = 0; i < trips; i++) {
            posted++;
            uv_async_send(&bell);
            while (atomic_load_explicit(&seen, memory_order_acquire) != posted) {
                spin();
            }
        }
    }
}

static void on_bell(uv_async_t *async) {
    long now = atomic_load_explicit(&seen, memory_order_relaxed) + 1;
    if (now % trips == 0) {
        uv_stop(async->loop);
    }
    atomic_store_explicit(&seen, now, memory_order_release);
}

static void on_idle(uv_idle_t *idle) {
    (void)idle;
}

static void set_up(long size) {
    trips = size;
    seen = 0;
    posted = 0;
    ended = false;
    piped_loop_open(&piped);
    CHECK(uv_idle_init(&piped.loop, &busy) == 0);
    CHECK(uv_idle_start(&busy, on_idle) == 0);
    CHECK(uv_async_init(&piped.loop, &bell, on_bell) == 0);
    CHECK(uv_sem_init(&go, 0) == 0);
    CHECK(uv_thread_create(&poster, post_all, NULL) == 0);
}

static void batch(long size) {
    long before = seen;
    uv_sem_post(&go);
    uv_run(&piped.loop, UV_RUN_DEFAULT);
    CHECK(seen - before == size);
}

static void tear_down(void) {
    ended = true;
    uv_sem_post(&go);
    uv_thread_join(&poster);
    uv_sem_destroy(&go);
    piped_loop_close(&piped);
}

const workload wake_busy = {"wake-busy", 20000, 20000, set_up, batch, tear_down};

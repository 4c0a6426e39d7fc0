/*
 * wake-cross-thread: two loops on two threads ring each other by turns; each sleeps until it is
 * rung. One operation is there and back.
 */
#include "bench.h"

#include <stdatomic.h>

typedef struct {
    piped_loop piped;
    uv_async_t bell;
} player;

static player near, far;
static uv_thread_t far_thread;
static atomic_bool ended;
static long trips_left;

static void on_near_bell(uv_async_t *async) {
    if (--trips_left == 0) {
        uv_stop(async->loop);
    } else {
        uv_async_send(&far.bell);
    }
}

static void on_far_bell(uv_async_t *async) {
    if (ended) {
        uv_stop(async->loop);
    } else {
        uv_async_send(&near.bell);
    }
}

static void run_far(void *unused) {
    (void)unused;
    uv_run(&far.piped.loop, UV_RUN_DEFAULT);
}

static void set_up(long size) {
    (void)size;
    ended = false;
    piped_loop_open(&near.piped);
    piped_loop_open(&far.piped);
    CHECK(uv_async_init(&near.piped.loop, &near.bell, on_near_bell) == 0);
    CHECK(uv_async_init(&far.piped.loop, &far.bell, on_far_bell) == 0);
    CHECK(uv_thread_create(&far_thread, run_far, NULL) == 0);
}

static void batch(long size) {
    trips_left = size;
    uv_async_send(&far.bell);
    uv_run(&near.piped.loop, UV_RUN_DEFAULT);
    CHECK(trips_left == 0);
}

static void tear_down(void) {
    ended = true;
    uv_async_send(&far.bell);
    uv_thread_join(&far_thread);
    piped_loop_close(&near.piped);
    piped_loop_close(&far.piped);
}

const workload wake_cross_thread = {"wake-cross-thread", 1000, 1000, set_up, batch, tear_down};

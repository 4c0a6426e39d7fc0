/*
 * wake: a thread wakes its own loop through the kernel, then runs one turn that notices it.
 *
 * The turn waits without limit: if the wake were lost it would never end. No callback on either
 * side: libuv's async has none, as Heddle's wake() has none.
 */
#include "bench.h"

static piped_loop piped;
static uv_async_t bell;

static void set_up(long size) {
    (void)size;
    piped_loop_open(&piped);
    CHECK(uv_async_init(&piped.loop, &bell, NULL) == 0);
}

static void batch(long size) {
    for (long i = 0; i < size; i++) {
        uv_async_send(&bell);
        uv_run(&piped.loop, UV_RUN_ONCE);
    }
}

static void tear_down(void) {
    piped_loop_close(&piped);
}

const workload wake = {"wake", 1000, 1000, set_up, batch, tear_down};

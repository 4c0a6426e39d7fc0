/*
 * create-destroy: open a loop, one turn that does not wait, close it.
 *
 * No pipe here, the loop is as bare as it comes. libuv polls even so, for the bell of its thread
 * pool; so does Heddle.
 */
#include "bench.h"

static void set_up(long size) {
    (void)size;
}

static void batch(long size) {
    for (long i = 0; i < size; i++) {
        uv_loop_t loop;
        CHECK(uv_loop_init(&loop) == 0);
        CHECK(uv_run(&loop, UV_RUN_NOWAIT) == 0);
        CHECK(uv_loop_close(&loop) == 0);
    }
}

static void tear_down(void) {}

const workload create_destroy = {"create-destroy", 100, 100, set_up, batch,
                                 tear_down};

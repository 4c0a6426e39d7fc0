/*
 * offload-1, -10, -100, -1000: hand so many pieces of empty work to four threads, and run the loop
 * until the completion of each has been called on it.
 */
#include "bench.h"

#include <stdlib.h>

#define WORKS 10000
#define BATCH(size) ((size) == 1 ? WORKS / 10 : WORKS / (size))

static piped_loop piped;
static uv_work_t *works;
static long done;

static void do_nothing(uv_work_t *work) {
    (void)work;
}

static void on_done(uv_work_t *work, int status) {
    (void)work;
    CHECK(status == 0);
    done++;
}

static void set_up(long size) {
    piped_loop_open(&piped);
    works = calloc(size, sizeof *works);
}

static void batch(long size) {
    for (long round = 0; round < BATCH(size); round++) {
        done = 0;
        for (long i = 0; i < size; i++) {
            CHECK(uv_queue_work(&piped.loop, &works[i], do_nothing, on_done) == 0);
        }
        CHECK(uv_run(&piped.loop, UV_RUN_DEFAULT) == 0);
        CHECK(done == size);
    }
}

static void tear_down(void) {
    piped_loop_close(&piped);
    free(works);
}

const workload offload_1 = {"offload-1", 1, BATCH(1), set_up, batch, tear_down};
const workload offload_10 = {"offload-10", 10, BATCH(10), set_up, batch, tear_down};
const workload offload_100 = {"offload-100", 100, BATCH(100), set_up, batch, tear_down};
const workload offload_1000 = {"offload-1000", 1000, BATCH(1000), set_up, batch, tear_down};

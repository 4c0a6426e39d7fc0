/*
 * timer-single, timer-10, timer-100, timer-1000: start so many timers without a delay, then run one
 * turn, in which all of them fire. The timers are made once.
 */
#include "bench.h"

#include <stdlib.h>

/* So many timers are started in a batch, whatever the size. */
#define STARTS 10000

static piped_loop piped;
static uv_timer_t *timers;
static long fired;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    fired++;
}

static void set_up(long size) {
    piped_loop_open(&piped);
    timers = calloc(size, sizeof *timers);
    for (long i = 0; i < size; i++) {
        CHECK(uv_timer_init(&piped.loop, &timers[i]) == 0);
    }
}

static void batch(long size) {
    fired = 0;
    for (long turn = 0; turn < STARTS / size; turn++) {
        for (long i = 0; i < size; i++) {
            uv_timer_start(&timers[i], on_timer, 0, 0);
        }
        uv_run(&piped.loop, UV_RUN_ONCE);
        CHECK(fired == (turn + 1) * size);
    }
}

static void tear_down(void) {
    piped_loop_close(&piped);
    free(timers);
}

const workload timer_single = {"timer-single", 1, STARTS, set_up, batch, tear_down};
const workload timer_10 = {"timer-10", 10, STARTS / 10, set_up, batch, tear_down};
const workload timer_100 = {"timer-100", 100, STARTS / 100, set_up, batch, tear_down};
const workload timer_1000 = {"timer-1000", 1000, STARTS / 1000, set_up, batch, tear_down};

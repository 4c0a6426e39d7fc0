/*
 * timer-million: start a million timers with random delays below a second, stop three of
 * every ten, wait until the rest are due, and run one turn, in which they all fire. The meter
 * stands still during the wait. The timers are made once; the delays are the same on both sides.
 * One operation is one timer.
 */
#include "bench.h"

#include <stdlib.h>

#define DELAY_MAX_MILLIS 1000

static piped_loop piped;
static uv_timer_t *timers;
static uint16_t *delays;
static long fired;

static void on_timer(uv_timer_t *timer) {
    (void)timer;
    fired++;
}

static bool is_stopped(long i) {
    return i % 10 < 3;
}

static void set_up(long size) {
    piped_loop_open(&piped);
    timers = calloc(size, sizeof *timers);
    delays = calloc(size, sizeof *delays);
    uint64_t random = 42;
    for (long i = 0; i < size; i++) {
        CHECK(uv_timer_init(&piped.loop, &timers[i]) == 0);
        random = random * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        delays[i] = (random >> 33) % DELAY_MAX_MILLIS;
    }
}

static void batch(long size) {
    fired = 0;
    uv_update_time(&piped.loop);
    for (long i = 0; i < size; i++) {
        uv_timer_start(&timers[i], on_timer, delays[i], 0);
    }
    for (long i = 0; i < size; i++) {
        if (is_stopped(i)) {
            uv_timer_stop(&timers[i]);
        }
    }
    meter_pause();
    uv_sleep(DELAY_MAX_MILLIS + 1);
    meter_resume();
    uv_run(&piped.loop, UV_RUN_NOWAIT);
    CHECK(fired == size / 10 * 7);
}

static void tear_down(void) {
    piped_loop_close(&piped);
    free(timers);
    free(delays);
}

const workload timer_million = {"timer-million", 1000000, 1000000, set_up, batch, tear_down};

#include "bench.h"

#include <time.h>

static int64_t wall, cpu;             /* up to the last pause */
static int64_t wall_since, cpu_since; /* when the meter was last resumed */
static bool running;

static int64_t read_clock(clockid_t clock) {
    struct timespec time;
    clock_gettime(clock, &time);
    return time.tv_sec * INT64_C(1000000000) + time.tv_nsec;
}

void meter_start(void) {
    wall = 0;
    cpu = 0;
    meter_resume();
}

/* The order matters little: both clocks are read once per batch at most. */
void meter_resume(void) {
    running = true;
    cpu_since = read_clock(CLOCK_THREAD_CPUTIME_ID);
    wall_since = read_clock(CLOCK_MONOTONIC);
}

void meter_pause(void) {
    wall += read_clock(CLOCK_MONOTONIC) - wall_since;
    cpu += read_clock(CLOCK_THREAD_CPUTIME_ID) - cpu_since;
    running = false;
}

int64_t meter_wall_nanos(void) {
    return running ? wall + read_clock(CLOCK_MONOTONIC) - wall_since : wall;
}

int64_t meter_cpu_nanos(void) {
    return cpu;
}

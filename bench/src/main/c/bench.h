/*
 * The libuv side of the loop suite: one workload per file, each doing what the Heddle class of the
 * same name does (bench/src/main/java/dev/heddle/bench/loop).
 */
#ifndef HEDDLE_BENCH_H
#define HEDDLE_BENCH_H

#include <stdbool.h>
#include <stdint.h>
#include <uv.h>

/* One workload. `size` is handed to its functions, for those that come in several sizes. */
typedef struct {
    const char *name;
    long size;
    long operations; /* in one batch */
    void (*open)(long size);
    void (*batch)(long size);
    void (*close)(void);
} workload;

extern const workload create_destroy;
extern const workload wake;
extern const workload wake_busy;
extern const workload wake_cross_thread;
extern const workload wake_cross_thread_bare;
extern const workload add_del;
extern const workload timer_single, timer_10, timer_100, timer_1000;
extern const workload timer_million;
extern const workload offload_1, offload_10, offload_100, offload_1000;
extern const workload post_flood;
extern const workload post_flood_queue;

/* Wall clock, and CPU clock of the thread that measures, which is the one that runs the loop. */
void meter_start(void);
void meter_pause(void);
void meter_resume(void);
int64_t meter_wall_nanos(void);
int64_t meter_cpu_nanos(void);

/* A loop with one pipe registered, which does not keep it alive. */
typedef struct {
    uv_loop_t loop;
    uv_poll_t watch;
    int pipe[2];
} piped_loop;

void piped_loop_open(piped_loop *piped);
void piped_loop_close(piped_loop *piped); /* closes every handle that is left, too */

/* Ends the program with a message: a figure of a workload that went wrong is worth nothing. */
#define CHECK(condition)                                                                        \
    do {                                                                                        \
        if (!(condition)) {                                                                     \
            check_failed(__FILE__, __LINE__, #condition);                                       \
        }                                                                                       \
    } while (0)

_Noreturn void check_failed(const char *file, int line, const char *condition);

/* A step of a spin loop. */
static inline void spin(void) {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

#endif

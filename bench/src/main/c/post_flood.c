/*
 * post-flood: two threads send a million signals to one loop, which runs until it has seen them
 * all. One operation is one signal.
 *
 * post-flood: each sender counts up and rings; the loop's callback looks at the count. That is less
 * than what Heddle does: there each of the million is a task of its own, queued and run.
 *
 * post-flood-queue: the same work as Heddle's. Tasks, made beforehand, wait in a list under a
 * mutex; the loop takes the whole list and calls each one back.
 */
#include "bench.h"

#include <stdatomic.h>
#include <stdlib.h>

#define SENDERS 2
#define SIGNALS 1000000

typedef struct task {
    struct task *next;
    void (*run)(void);
} task;

static piped_loop piped;
static uv_async_t bell;
static uv_thread_t senders[SENDERS];
static uv_sem_t go;
static uv_barrier_t gathered;
static atomic_bool ended;

static atomic_long sent; /* post-flood only */

static task *tasks; /* the rest is for post-flood-queue only */
static uv_mutex_t lock;
static task *first, **last;
static long ran;

static void count_and_ring(task *unused) {
    (void)unused;
    atomic_fetch_add(&sent, 1);
    uv_async_send(&bell);
}

static void look_at_count(uv_async_t *async) {
    if (atomic_load(&sent) == SIGNALS) {
        uv_stop(async->loop);
    }
}

static void queue_and_ring(task *one) {
    one->next = NULL;
    uv_mutex_lock(&lock);
    *last = one;
    last = &one->next;
    uv_mutex_unlock(&lock);
    uv_async_send(&bell);
}

static void run_queue(uv_async_t *async) {
    (void)async;
    uv_mutex_lock(&lock);
    task *one = first;
    first = NULL;
    last = &first;
    uv_mutex_unlock(&lock);
    while (one != NULL) {
        task *next = one->next; /* once it has run, its sender may queue it again */
        one->run();
        one = next;
    }
}

static void run_task(void) {
    if (++ran == SIGNALS) {
        uv_stop(&piped.loop);
    }
}

/* `half` is where this sender's own tasks begin. */
static void send_all(void (*send)(task *), task *half) {
    for (uv_sem_wait(&go); !ended; uv_sem_wait(&go)) {
        for (long i = 0; i < SIGNALS / SENDERS; i++) {
            send(half + i);
        }
        uv_barrier_wait(&gathered); /* so that neither takes the other's permit to start */
    }
}

static void send_counts(void *half) {
    send_all(count_and_ring, half);
}

static void send_tasks(void *half) {
    send_all(queue_and_ring, half);
}

static void set_up(uv_thread_cb sender, uv_async_cb on_bell) {
    ended = false;
    piped_loop_open(&piped);
    CHECK(uv_async_init(&piped.loop, &bell, on_bell) == 0);
    CHECK(uv_sem_init(&go, 0) == 0);
    CHECK(uv_barrier_init(&gathered, SENDERS) == 0);
    CHECK(uv_mutex_init(&lock) == 0);
    last = &first;
    tasks = calloc(SIGNALS, sizeof *tasks);
    for (long i = 0; i < SIGNALS; i++) {
        tasks[i].run = run_task;
    }
    for (long i = 0; i < SENDERS; i++) {
        task *half = tasks + i * (SIGNALS / SENDERS);
        CHECK(uv_thread_create(&senders[i], sender, half) == 0);
    }
}

static void set_up_counter(long size) {
    (void)size;
    set_up(send_counts, look_at_count);
}

static void set_up_queue(long size) {
    (void)size;
    set_up(send_tasks, run_queue);
}

static void release_senders(void) {
    for (int i = 0; i < SENDERS; i++) {
        uv_sem_post(&go);
    }
}

static void batch_counter(long size) {
    sent = 0;
    release_senders();
    uv_run(&piped.loop, UV_RUN_DEFAULT);
    CHECK(sent == size);
}

static void batch_queue(long size) {
    ran = 0;
    release_senders();
    uv_run(&piped.loop, UV_RUN_DEFAULT);
    CHECK(ran == size);
}

static void tear_down(void) {
    ended = true;
    release_senders();
    for (int i = 0; i < SENDERS; i++) {
        uv_thread_join(&senders[i]);
    }
    uv_sem_destroy(&go);
    uv_barrier_destroy(&gathered);
    uv_mutex_destroy(&lock);
    piped_loop_close(&piped);
    free(tasks);
}

const workload post_flood = {"post-flood", SIGNALS, SIGNALS, set_up_counter, batch_counter,
                             tear_down};
const workload post_flood_queue = {"post-flood-queue", SIGNALS, SIGNALS, set_up_queue, batch_queue,
                                   tear_down};

/*
 * Obeys lines on standard input, answers each with one line, and ends when the input does:
 *
 *   run NAME MILLIS   at least so long   ->  ok WALL_NANOS_PER_OP CPU_NANOS_PER_OP OPERATIONS
 *   count NAME        some batches between two marks in strace's log  ->  ok OPERATIONS
 *   version                              ->  ok 1.44.2
 *
 * Between commands it is blocked in read(2), so that the other side has the machine to itself.
 */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Descriptors that cannot exist: the calls fail, cost nothing and are seen by strace. */
#define MARK_BEGIN (-4242)
#define MARK_END (-4243)

/* So many operations at least are between the marks. */
#define COUNTED 2000

static const workload *const workloads[] = {
    &create_destroy, &wake,          &wake_busy,  &wake_cross_thread, &add_del,
    &timer_single,   &timer_10,      &timer_100,  &timer_1000,        &timer_million,
    &offload_1,      &offload_10,    &offload_100, &offload_1000,     &post_flood,
    &post_flood_queue, &wake_cross_thread_bare,
};

static const workload *opened;

_Noreturn void check_failed(const char *file, int line, const char *condition) {
    fprintf(stderr, "libuv side: %s:%d: this should hold: %s\n", file, line, condition);
    exit(1);
}

static const workload *find(const char *name) {
    for (size_t i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
        if (strcmp(workloads[i]->name, name) == 0) {
            return workloads[i];
        }
    }
    return NULL;
}

/* What a workload has set up stays for its later rounds; one workload at a time. */
static void open_workload(const workload *wanted) {
    if (opened == wanted) {
        return;
    }
    if (opened != NULL) {
        opened->close();
    }
    opened = wanted;
    if (opened != NULL) {
        opened->open(opened->size);
    }
}

static void run(const workload *wanted, long millis) {
    open_workload(wanted);
    int64_t enough = millis * 1000000;
    long operations = 0;
    meter_start();
    do {
        wanted->batch(wanted->size);
        operations += wanted->operations;
    } while (meter_wall_nanos() < enough);
    meter_pause();
    printf("ok %.4f %.4f %ld\n", (double)meter_wall_nanos() / operations,
           (double)meter_cpu_nanos() / operations, operations);
}

static void count(const workload *wanted) {
    open_workload(wanted);
    long batches = wanted->operations < COUNTED ? COUNTED / wanted->operations : 1;
    wanted->batch(wanted->size); /* whatever is made lazily is made now */
    close(MARK_BEGIN);
    for (long i = 0; i < batches; i++) {
        wanted->batch(wanted->size);
    }
    close(MARK_END);
    printf("ok %ld\n", batches * wanted->operations);
}

static void obey(const char *line) {
    char name[64];
    long millis;
    const workload *found;
    if (strcmp(line, "version\n") == 0) {
        printf("ok %s\n", uv_version_string());
    } else if (sscanf(line, "run %63s %ld", name, &millis) == 2 && (found = find(name))) {
        run(found, millis);
    } else if (sscanf(line, "count %63s", name) == 1 && (found = find(name))) {
        count(found);
    } else {
        printf("error not understood: %s", line);
    }
    fflush(stdout);
}

int main(void) {
    char line[128];
    setenv("UV_THREADPOOL_SIZE", "4", 1);
    while (fgets(line, sizeof line, stdin) != NULL) {
        obey(line);
    }
    open_workload(NULL);
    return 0;
}

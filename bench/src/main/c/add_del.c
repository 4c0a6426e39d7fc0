/*
 * add-del: begin to watch a second pipe's read end, one turn that does not wait, stop watching.
 */
#include "bench.h"

#include <unistd.h>

static piped_loop piped;
static int pair[2];
static uv_poll_t second;

static void on_ready(uv_poll_t *watch, int status, int events) {
    (void)watch, (void)status, (void)events;
    CHECK(!"nobody writes to this pipe");
}

static void set_up(long size) {
    (void)size;
    piped_loop_open(&piped);
    CHECK(uv_pipe(pair, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) == 0);
    CHECK(uv_poll_init(&piped.loop, &second, pair[0]) == 0);
}

static void batch(long size) {
    for (long i = 0; i < size; i++) {
        CHECK(uv_poll_start(&second, UV_READABLE, on_ready) == 0);
        uv_run(&piped.loop, UV_RUN_NOWAIT);
        CHECK(uv_poll_stop(&second) == 0);
    }
}

static void tear_down(void) {
    piped_loop_close(&piped);
    close(pair[0]);
    close(pair[1]);
}

const workload add_del = {"add-del", 1000, 1000, set_up, batch, tear_down};

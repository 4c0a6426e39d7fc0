#include "bench.h"

#include <fcntl.h>
#include <unistd.h>

static void on_ready(uv_poll_t *watch, int status, int events) {
    (void)watch, (void)status, (void)events;
    CHECK(!"nobody writes to this pipe");
}

void piped_loop_open(piped_loop *piped) {
    CHECK(uv_loop_init(&piped->loop) == 0);
    CHECK(uv_pipe(piped->pipe, UV_NONBLOCK_PIPE, UV_NONBLOCK_PIPE) == 0);
    CHECK(uv_poll_init(&piped->loop, &piped->watch, piped->pipe[0]) == 0);
    CHECK(uv_poll_start(&piped->watch, UV_READABLE, on_ready) == 0);
    uv_unref((uv_handle_t *)&piped->watch);
    /* libuv tells the kernel at the next poll only: this one. */
    uv_run(&piped->loop, UV_RUN_NOWAIT);
}

static void close_handle(uv_handle_t *handle, void *unused) {
    (void)unused;
    if (!uv_is_closing(handle)) {
        uv_close(handle, NULL);
    }
}

void piped_loop_close(piped_loop *piped) {
    uv_walk(&piped->loop, close_handle, NULL);
    CHECK(uv_run(&piped->loop, UV_RUN_DEFAULT) == 0);
    CHECK(uv_loop_close(&piped->loop) == 0);
    close(piped->pipe[0]);
    close(piped->pipe[1]);
}

/*
 * wake-cross-thread-bare: the same ping-pong without libuv, with nothing but an eventfd and an
 * epoll for each of two threads: what the kernel alone takes.
 *
 * Beside libuv because libuv 1.44 can lose most of its time here to itself: a loop that wakes up on
 * its sender's core, before the sender is out of uv_async_send, spins there until it yields.
 */
#include "bench.h"

#include <stdatomic.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <unistd.h>

typedef struct {
    int epoll;
    int bell;
} player;

static player near, far;
static uv_thread_t far_thread;
static atomic_bool ended;

static void open_player(player *one) {
    struct epoll_event event = {.events = EPOLLIN};
    one->epoll = epoll_create1(EPOLL_CLOEXEC);
    one->bell = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    CHECK(epoll_ctl(one->epoll, EPOLL_CTL_ADD, one->bell, &event) == 0);
}

static void close_player(player *one) {
    close(one->epoll);
    close(one->bell);
}

static void ring(player *one) {
    uint64_t count = 1;
    CHECK(write(one->bell, &count, sizeof count) == sizeof count);
}

static void await_bell(player *one) {
    struct epoll_event event;
    uint64_t count;
    CHECK(epoll_wait(one->epoll, &event, 1, -1) == 1);
    CHECK(read(one->bell, &count, sizeof count) == sizeof count);
}

static void run_far(void *unused) {
    (void)unused;
    for (await_bell(&far); !ended; await_bell(&far)) {
        ring(&near);
    }
}

static void set_up(long size) {
    (void)size;
    ended = false;
    open_player(&near);
    open_player(&far);
    CHECK(uv_thread_create(&far_thread, run_far, NULL) == 0);
}

static void batch(long size) {
    for (long i = 0; i < size; i++) {
        ring(&far);
        await_bell(&near);
    }
}

static void tear_down(void) {
    ended = true;
    ring(&far);
    uv_thread_join(&far_thread);
    close_player(&near);
    close_player(&far);
}

const workload wake_cross_thread_bare = {"wake-cross-thread-bare", 1000, 1000, set_up, batch,
                                         tear_down};

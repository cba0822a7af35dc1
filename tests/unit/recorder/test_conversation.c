/* What goes wrong between a program and its checker: the program never notices. */
#include "checker.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <time.h>

#include "recorder/recorder.h"

static const char tile_ir[] = "\177TileIR\0\15\1\0\0"; /* and the end section, a zero byte */
enum { TILE_IR_BYTES = 13, FASTER = 100, A_LITTLE_FASTER = 20 };

/* ---- Section: Time, which runs faster so that a checker that hangs is given up soon ---- */

static int faster = 1;

int clock_gettime(clockid_t clock, struct timespec *t)
{
    int result = (int)syscall(SYS_clock_gettime, clock, t);
    if (faster > 1 && result == 0) {
        int64_t ns = (t->tv_sec * 1000000000LL + t->tv_nsec) % 10000000000000LL * faster;
        t->tv_sec = ns / 1000000000;
        t->tv_nsec = ns % 1000000000;
    }
    return result;
}

int poll(struct pollfd *fds, nfds_t n, int ms)
{
    ms = ms > 0 ? (ms + faster - 1) / faster : ms;
    struct timespec limit = {ms / 1000, ms % 1000 * 1000000};
    return (int)syscall(SYS_ppoll, fds, n, ms < 0 ? NULL : &limit, NULL, 0);
}

/* ---- Section: A conversation ---- */

static bool launch(uint32_t image, uint32_t value)
{
    const void *arguments[] = {&value};
    recorder_launch l = {image, "kernel", {2, 3, 4}, .arguments = arguments};
    return recorder_launched(&l, NULL, NULL);
}

static uint32_t load(void)
{
    return recorder_image(tile_ir, TILE_IR_BYTES, 90);
}

/* All launches wait for an answer. */
static checker one_integer(void)
{
    return (checker){.flags = WIRE_STOP_AT_RACE, .entries = {{WIRE_INTEGER, 4}}, .n_entries = 1};
}

static void tells_everything(void)
{
    errno = 77;
    EXPECT(recorder_is_on());
    EXPECT(recorder_flags() == WIRE_CHECK_CONTENTS);
    uint32_t image = load();
    EXPECT(image && load() == image);
    recorder_parameters p;
    EXPECT(recorder_entry(image, "kernel", &p) && p.n == 1);
    EXPECT(p.items[0].kind == WIRE_INTEGER && p.items[0].bytes == 4);
    EXPECT(!recorder_entry(image, "other", &p) && recorder_entries(image) == 1);
    EXPECT(strcmp(recorder_symbol(image, 0), "kernel") == 0 && !recorder_symbol(image, 1));
    EXPECT(!recorder_symbol(0, 0));
    recorder_place("/src/a.py", 12);
    EXPECT(launch(image, 5) && launch(image, 5) && launch(0, 5));
    recorder_remark(WIRE_TOKENS_OFF, "VARIABLE");
    EXPECT(errno == 77);
}

static void test_conversation(void **state)
{
    (void)state;
    checker c = one_integer();
    c.flags = WIRE_CHECK_CONTENTS;
    run_program(&c, tells_everything);
    assert_int_equal(c.seen[WIRE_HELLO], 1);
    assert_int_equal(c.seen[WIRE_MODULE], 1);
    assert_int_equal(c.seen[WIRE_PASSED], 2); /* of a known kernel and of an unknown one */
    assert_int_equal(c.seen[WIRE_REMARK], 1);
    assert_string_equal(c.remark, "VARIABLE");
    assert_int_equal(c.seen[WIRE_BYE], 1);
    assert_int_equal(c.module, 0);
    assert_string_equal(c.file, "/src/a.py");
    assert_int_equal(c.line, 12);
    assert_int_equal(c.grid[2], 4);
}

static void tells_nothing(void)
{
    EXPECT(!recorder_is_on() && recorder_flags() == 0);
    EXPECT(load() == 0 && launch(0, 1));
    recorder_module(tile_ir, TILE_IR_BYTES, NULL, 0, "", "");
    recorder_remark(WIRE_LOST, "x");
}

static void test_nobody_listens(void **state)
{
    (void)state;
    pid_t child = fork();
    if (child == 0) {
        tells_nothing();
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    assert_int_equal(status, 0);
}

/* ---- Section: Faults ---- */

static void goes_on(void)
{
    faster = FASTER;
    for (uint32_t i = 0; i < 100; i++)
        EXPECT(launch(load(), i));
    EXPECT(!recorder_is_on());
}

static void meets(fault f, wire_kind faulty, unsigned launches)
{
    checker c = one_integer();
    c.fault = f;
    c.faulty = faulty;
    run_program(&c, goes_on);
    assert_int_equal(c.seen[WIRE_LAUNCH], launches);
    assert_int_equal(c.seen[WIRE_BYE], 0);
    assert_int_equal(c.connections, 1);
}

static void test_faults(void **state)
{
    (void)state;
    for (int f = CUTS; f <= ANSWERS_LONG; f++) {
        meets((fault)f, WIRE_HELLO, 0);
        meets((fault)f, WIRE_MODULE, 0);
        meets((fault)f, WIRE_LAUNCH, 1);
    }
}

static void gets_an_answer(void)
{
    faster = A_LITTLE_FASTER;
    EXPECT(launch(load(), 1));
    EXPECT(recorder_is_on());
}

/* Four times 3 s are too long for a greeting, and four times 16 s for an answer, but not for one
 * that says each time that it takes longer. */
static void test_lasts(void **state)
{
    (void)state;
    static const wire_kind slow[] = {WIRE_HELLO, WIRE_MODULE, WIRE_LAUNCH};
    for (size_t i = 0; i < sizeof slow / sizeof slow[0]; i++) {
        checker c = one_integer();
        c.fault = LASTS;
        c.faulty = slow[i];
        c.n_waits = 4;
        c.wait_us = (slow[i] == WIRE_HELLO ? 3 : 16) * (1000000 / A_LITTLE_FASTER);
        run_program(&c, gets_an_answer);
        assert_int_equal(c.seen[WIRE_LAUNCH], 1);
        assert_int_equal(c.seen[WIRE_BYE], 1);
    }
}

/* More than the socket holds. */
static void sends_much(void)
{
    enum { BYTES = 4 << 20 };
    char *much = calloc(BYTES, 1);
    memcpy(much, tile_ir, TILE_IR_BYTES);
    faster = A_LITTLE_FASTER;
    recorder_module(much, BYTES, NULL, 0, "", "");
    EXPECT(recorder_is_on());
    EXPECT(launch(load(), 1));
    free(much);
}

static void test_reads_late(void **state)
{
    (void)state;
    checker c = one_integer();
    c.fault = READS_LATE;
    c.faulty = WIRE_MODULE;
    c.n_waits = 4;
    c.wait_us = 16 * (1000000 / A_LITTLE_FASTER);
    run_program(&c, sends_much);
    assert_int_equal(c.seen[WIRE_LAUNCH], 1);
    assert_int_equal(c.seen[WIRE_BYE], 1);
}

/* A module whose message would be longer than any is lost, and said to be. */
static void tells_too_much(void)
{
    size_t size = (size_t)WIRE_LONGEST + 4096;
    char *huge = mmap(NULL, size, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    EXPECT(huge != MAP_FAILED);
    recorder_module(huge, size, NULL, 0, "", "");
    EXPECT(!recorder_is_on());
    EXPECT(launch(0, 1));
}

static void test_too_long(void **state)
{
    (void)state;
    checker c = one_integer();
    run_program(&c, tells_too_much);
    assert_int_equal(c.seen[WIRE_LAUNCH], 0);
    assert_int_equal(c.remark_kind, WIRE_LOST);
}

/* ---- Section: Processes ---- */

static void forks(void)
{
    uint32_t image = load();
    EXPECT(launch(image, 1));
    pid_t child = fork();
    if (child == 0) {
        EXPECT(load() == image); /* known: the checker is the same */
        EXPECT(launch(image, 1) && launch(image, 1));
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    EXPECT(status == 0);
    EXPECT(launch(image, 1) && launch(image, 2)); /* on the connection that was there */
}

static void test_fork(void **state)
{
    (void)state;
    checker c = one_integer();
    run_program(&c, forks);
    assert_int_equal(c.connections, 2);
    assert_int_equal(c.seen[WIRE_MODULE], 1);
    assert_int_equal(c.seen[WIRE_LAUNCH], 3);
    assert_int_equal(c.seen[WIRE_BYE], 2);
}

/* A child that no handler was told of, as a program makes it with a system call. */
static void forks_by_system_call(void)
{
    EXPECT(launch(load(), 1));
    pid_t child = (pid_t)syscall(SYS_fork);
    if (child == 0) {
        EXPECT(launch(load(), 1) && launch(load(), 3)); /* of which the first is known */
        exit(0);
    }
    int status;
    waitpid(child, &status, 0);
    EXPECT(status == 0);
    EXPECT(launch(load(), 2));
}

static void test_fork_by_system_call(void **state)
{
    (void)state;
    checker c = one_integer();
    run_program(&c, forks_by_system_call);
    assert_int_equal(c.connections, 2);
    assert_int_equal(c.seen[WIRE_LAUNCH], 3);
}

/* A daemon closes all descriptors, and its files get the numbers. */
static void closes_everything(void)
{
    EXPECT(launch(load(), 1));
    for (int fd = 3; fd < 1000; fd++)
        close(fd);
    int file = memfd_create("file", 0);
    for (int fd = 3; fd < 1000; fd++)
        EXPECT(fd == file || dup2(file, fd) == fd);
    EXPECT(launch(load(), 2) && launch(load(), 1));
    EXPECT(lseek(file, 0, SEEK_END) == 0); /* nothing was written into it */
    for (int fd = 3; fd < 1000; fd++)
        EXPECT(close(fd) == 0);
}

static void test_closed(void **state)
{
    (void)state;
    checker c = one_integer();
    run_program(&c, closes_everything);
    assert_int_equal(c.connections, 2);
    assert_int_equal(c.seen[WIRE_LAUNCH], 3);
}

/* ---- Section: Threads ---- */

enum { THREADS = 8, ROUNDS = 2000, DIFFERENT = 50 };

static void *launches_often(void *user)
{
    (void)user;
    for (uint32_t i = 0; i < ROUNDS; i++)
        EXPECT(launch(load(), i % DIFFERENT));
    return NULL;
}

static void uses_threads(void)
{
    pthread_t threads[THREADS];
    for (int i = 0; i < THREADS; i++)
        EXPECT(pthread_create(&threads[i], NULL, launches_often, NULL) == 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void test_threads(void **state)
{
    (void)state;
    checker c = one_integer();
    run_program(&c, uses_threads);
    assert_int_equal(c.connections, 1);
    assert_int_equal(c.seen[WIRE_MODULE], 1);
    assert_int_equal(c.seen[WIRE_LAUNCH], DIFFERENT);
}

/* Cancelling a thread in the middle of a conversation leaves no lock behind. */
static void *waits_for_checker(void *user)
{
    (void)user;
    for (uint32_t i = 0;; i++)
        launch(load(), i);
    return NULL;
}

static void cancels(void)
{
    pthread_t thread;
    EXPECT(pthread_create(&thread, NULL, waits_for_checker, NULL) == 0);
    usleep(20000);
    pthread_cancel(thread);
    void *result;
    /* It has no cancellation point but those inside the recorder. */
    struct timespec limit;
    clock_gettime(CLOCK_REALTIME, &limit);
    limit.tv_sec += 1;
    (void)pthread_timedjoin_np(thread, &result, &limit);
    alarm(30); /* ends the test where the lock is gone with the thread */
    EXPECT(launch(load(), UINT32_MAX));
}

static void test_cancel(void **state)
{
    (void)state;
    checker c = one_integer();
    run_program(&c, cancels);
    assert_true(c.seen[WIRE_LAUNCH] > 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    need_socket(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_conversation), cmocka_unit_test(test_nobody_listens),
        cmocka_unit_test(test_faults),       cmocka_unit_test(test_lasts),
        cmocka_unit_test(test_reads_late),   cmocka_unit_test(test_too_long),
        cmocka_unit_test(test_fork),         cmocka_unit_test(test_fork_by_system_call),
        cmocka_unit_test(test_closed),       cmocka_unit_test(test_threads),
        cmocka_unit_test(test_cancel),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

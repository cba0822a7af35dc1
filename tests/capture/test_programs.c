/* Programs on the driver API beside a checker: with the stand-in driver, and with the shim before a
 * driver that records nothing itself. A program that uses no driver is not touched. */
#include "../unit/recorder/checker.h"

#include <fcntl.h>

enum { SECONDS = 60, LAUNCH_REFUSED = 3 /* of program.c */ };

typedef struct setting { /* how a program is run */
    const char *name;
    const char *preload, *drivers; /* a library, a folder; NULL: none */
} setting;

static const setting settings[] = {
    {"stand-in", NULL, STAND_IN},
    {"shim", PRELOAD, SILENT_DRIVER},
};

/* Runs a program to its end and returns its exit code. */
static int run(checker *c, const setting *s, const char *program, const char *argument)
{
    checker_open(c);
    pid_t child = fork();
    if (child == 0) {
        char preload[4096];
        snprintf(preload, sizeof preload, "%s%s%s", SANITIZER, *SANITIZER ? ":" : "",
                 s->preload ? s->preload : "");
        if (s->preload)
            setenv("LD_PRELOAD", preload, 1);
        alarm(SECONDS); /* which a program keeps: one that hangs is ended */
        if (s->drivers)
            setenv("LD_LIBRARY_PATH", s->drivers, 1);
        if (*SANITIZER && strcmp(program, "bash") == 0)
            setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* of bash's own */
        execlp(program, program, argument, (char *)NULL);
        _exit(127);
    }
    checker_start(c);
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    checker_stop(c);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static checker pointer_and_count(void)
{
    return (checker){.entries = {{WIRE_POINTER, 8}, {WIRE_INTEGER, 8}}, .n_entries = 2};
}

typedef struct way {
    const char *argument;
    unsigned launches, connections;
    uint8_t flags;
} way;

static const way ways[] = {
#define WAY(name, launch, by_proc, how, launches, connections, flags)                              \
    {name, launches, connections, flags},
#include "ways.def"
};

static void expect_launch(const checker *c, const way *w, bool is_shim)
{
    /* Nothing can be asked of memory that is not the host's. */
    unsigned launches = c->seen[is_shim ? WIRE_PASSED : WIRE_LAUNCH];
    if (launches != w->launches)
        fail_msg("the checker is told of %u launches instead of %u", launches, w->launches);
    assert_int_equal(c->seen[WIRE_HELLO], w->connections);
    assert_int_equal(c->seen[WIRE_MODULE], 1);
    assert_int_equal(c->seen[is_shim ? WIRE_LAUNCH : WIRE_PASSED], 0);
    assert_int_equal(c->seen[WIRE_BYE], w->connections);
    assert_int_equal(c->seen[WIRE_REMARK], is_shim ? 0 : 1);
    assert_string_equal(c->symbol, "kernel");
    assert_int_equal(c->module, 101);
    assert_int_equal(c->grid[0], 2);
    assert_int_equal(c->grid[1], 3);
    assert_int_equal(c->grid[2], 4);
    assert_int_equal(c->launch_flags, w->flags);
    assert_int_equal(c->n_arguments, 2);
    assert_int_equal(c->allocation_bytes[0], 64 * 4);
    if (strcmp(w->argument, "exit") != 0) {
        assert_int_equal(c->values[0] - c->allocations[0], 8);
        assert_int_equal(c->values[1], 5);
    }
    /* What the shim stands before need not be the host's memory. */
    assert_int_equal(c->readable[0], is_shim ? 0 : 1);
}

static void test_launches(void **state)
{
    (void)state;
    static const char *const programs[] = {LINKED_PROGRAM, OPENING_PROGRAM};
    for (size_t s = 0; s < 2; s++) {
        for (size_t p = 0; p < 2; p++) {
            for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
                print_message("%s, %s, %s\n", settings[s].name, p ? "opening" : "linked",
                              ways[w].argument);
                checker c = pointer_and_count();
                assert_int_equal(run(&c, &settings[s], programs[p], ways[w].argument), 0);
                expect_launch(&c, &ways[w], s == 1);
            }
        }
    }
}

/* With one thread a block a kernel whose loading was not seen may be a tile kernel. */
static void test_unseen_kernels(void **state)
{
    (void)state;
    checker one = pointer_and_count(), many = pointer_and_count();
    assert_int_equal(run(&one, &settings[1], LINKED_PROGRAM, "unseen"), 0);
    assert_true(one.seen[WIRE_LAUNCH] + one.seen[WIRE_PASSED] > 0);
    assert_int_equal(one.module, 0);
    assert_string_equal(one.symbol, "a kernel whose loading was not seen");
    assert_int_equal(run(&many, &settings[1], LINKED_PROGRAM, "unseen_wide"), 0);
    assert_int_equal(many.seen[WIRE_LAUNCH] + many.seen[WIRE_PASSED], 0);
}

static void test_forks_of_threads(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        checker c = pointer_and_count();
        assert_int_equal(run(&c, &settings[s], OPENING_PROGRAM, "forks"), 0);
        assert_int_equal(c.connections, 1 + 2 * 20);
        assert_int_equal(c.seen[s == 1 ? WIRE_PASSED : WIRE_LAUNCH], 1 + 2 * 20);
    }
}

static void test_stop(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
            if (strcmp(ways[w].argument, "fork") == 0 || strcmp(ways[w].argument, "exit") == 0)
                continue; /* they do not return what all of their launches return */
            checker c = pointer_and_count();
            c.stops = true;
            c.flags = WIRE_STOP_AT_RACE;
            int code = run(&c, &settings[s], OPENING_PROGRAM, ways[w].argument);
            if (code != LAUNCH_REFUSED)
                fail_msg("%s, %s: the launch is not refused (exit code %d)", settings[s].name,
                         ways[w].argument, code);
            assert_int_equal(c.seen[WIRE_LAUNCH], 1);
        }
    }
}

/* Device memory is copied only where the checker allows it. */
static void test_contents(void **state)
{
    (void)state;
    for (int allowed = 0; allowed < 2; allowed++) {
        checker c = pointer_and_count();
        c.flags = allowed ? WIRE_CHECK_CONTENTS : 0;
        c.n_wants = 1;
        c.wants_bytes = 8;
        assert_int_equal(run(&c, &settings[1], LINKED_PROGRAM, "list"), 0);
        assert_int_equal(c.seen[WIRE_CONTENTS], allowed);
        assert_int_equal(c.n_contents, allowed);
        if (allowed)
            assert_memory_equal(c.contents, "\7\0\0\0\7\0\0\0", 8);
    }
}

/* What was copied from the host just before a launch is known without a copy from the device; what
 * is done in between may change it. */
static void test_copied_contents(void **state)
{
    (void)state;
    static const struct {
        const char *argument;
        bool is_known;
    } cases[] = {{"copied", true}, {"filled", false}, {"copied_twice", false}};
    for (size_t i = 0; i < 3; i++) {
        checker c = pointer_and_count();
        c.n_wants = 1;
        c.wants_bytes = 8;
        assert_int_equal(run(&c, &settings[1], LINKED_PROGRAM, cases[i].argument), 0);
        assert_int_equal(c.seen[WIRE_LAUNCH], cases[i].is_known);
        assert_int_equal(c.n_contents, cases[i].is_known);
        assert_int_equal(c.readable[0], cases[i].is_known);
        if (cases[i].is_known)
            assert_memory_equal(c.contents, "\14\0\0\0\15\0\0\0", 8);
    }
}

/* A checker that goes away leaves the program as it is. */
static void test_faults(void **state)
{
    (void)state;
    for (size_t s = 0; s < 2; s++) {
        for (int kind = WIRE_HELLO; kind <= WIRE_LAUNCH; kind++) {
            checker c = pointer_and_count();
            c.fault = DIES;
            c.faulty = (wire_kind)kind;
            assert_int_equal(run(&c, &settings[s], OPENING_PROGRAM, "list"), 0);
        }
    }
}

/* The stand-in records itself, so the shim before it does nothing. */
static void test_shim_before_stand_in(void **state)
{
    (void)state;
    static const setting both = {"both", PRELOAD, STAND_IN};
    checker c = pointer_and_count();
    assert_int_equal(run(&c, &both, OPENING_PROGRAM, "list"), 0);
    assert_int_equal(c.connections, 1);
    assert_int_equal(c.seen[WIRE_LAUNCH], 1);
}

/* ---- Section: Programs that are none of ours ---- */

static void test_other_programs(void **state)
{
    (void)state;
    static const setting shim = {"shim", PRELOAD, NULL};
    static const char *const scripts[] = {
        "exit 7",
        "test \"$(echo a | sed s/a/b/ | (read x; echo $x))\" = b && exit 7",
        "kill -TERM $$",
        "ulimit -n 16; /bin/true && exit 7",
    };
    static const int codes[] = {7, 7, 128 + 15, 7};
    for (size_t i = 0; i < sizeof scripts / sizeof *scripts; i++) {
        char path[] = "/tmp/tilerace-script-XXXXXX";
        int fd = mkstemp(path);
        dprintf(fd, "%s\n", scripts[i]);
        close(fd);
        checker c = pointer_and_count();
        assert_int_equal(run(&c, &shim, "bash", path), codes[i]);
        assert_int_equal(c.connections, 0);
        unlink(path);
    }
}

/* RTLD_NEXT counts from the library that asks, not from the shim. */
static void test_next(void **state)
{
    (void)state;
    static const setting shim = {"shim", PRELOAD, NULL};
    checker c = pointer_and_count();
    assert_int_equal(run(&c, &shim, NEXT_PROGRAM, NULL), 0);
    assert_int_equal(c.connections, 0);
}

int main(int argc, char **argv)
{
    (void)argc;
    need_socket(argv);
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_launches),         cmocka_unit_test(test_unseen_kernels),
        cmocka_unit_test(test_forks_of_threads), cmocka_unit_test(test_stop),
        cmocka_unit_test(test_contents),         cmocka_unit_test(test_copied_contents),
        cmocka_unit_test(test_faults),           cmocka_unit_test(test_shim_before_stand_in),
        cmocka_unit_test(test_other_programs),   cmocka_unit_test(test_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

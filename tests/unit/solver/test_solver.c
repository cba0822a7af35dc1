/* Solvers that misbehave: every one of them ends in SMT_UNKNOWN and a sentence, in time. And what
 * the prover does around a good one: models, small models, functions, kept queries. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <dirent.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/process.h"
#include "solver/answer.h"
#include "solver/find_solver.h"
#include "solver/model.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "strategies/prove.h"

#define FAKES TILERACE_SOURCE_DIR "/tests/unit/solver/fake_solvers/"

static smt_t number(smt_ctx *c, smt_int value)
{
    return smt_int_const(c, value);
}

/* x*x - 61*y*y = 1, y > 0: satisfiable, but not by anything small; no strategy decides it alone. */
static smt_t pell(smt_ctx *c)
{
    smt_t x = smt_var(c, "x", SMT_NO_LOW, SMT_NO_HIGH), y = smt_var(c, "y", 1, SMT_NO_HIGH);
    smt_t left = smt_sub(c, smt_mul(c, x, x), smt_scale(c, smt_mul(c, y, y), 61));
    return smt_eq(c, left, number(c, 1));
}

typedef struct fake {
    const char *name;
    smt_unknown_kind why;
    const char *text; /* part of the sentence; NULL: any */
} fake;

static const fake fakes[] = {
    {"die_at_once", SMT_WHY_DIED, "no licence found"},
    {"die_mid_answer", SMT_WHY_DIED, "exit status 1"},
    {"die_by_signal", SMT_WHY_KILLED, "signal 6"},
    {"hang", SMT_WHY_TIMEOUT, "in time"},
    {"garbage", SMT_WHY_NONSENSE, "unsat?"},
    {"unsat_then_error", SMT_WHY_NONSENSE, NULL},
    {"error_then_unsat", SMT_WHY_NONSENSE, "invalid declaration"},
    {"unsat_then_death", SMT_WHY_DIED, "exit status 139"},
    {"two_answers", SMT_WHY_NONSENSE, NULL},
    {"wrong_model", SMT_WHY_MODEL, "does not satisfy"},
    {"partial_model", SMT_WHY_MODEL, "could not be read"},
    {"model_of_reals", SMT_WHY_MODEL, "could not be read"},
    {"says_unknown", SMT_WHY_STEPS, NULL},
    {"flood", SMT_WHY_NONE, NULL} /* too much, or too late: which comes first */,
    {"drip", SMT_WHY_TIMEOUT, NULL},
    {"silent_start", SMT_WHY_TIMEOUT, "come up"},
    {"leaves_child", SMT_WHY_DIED, "exit status 3"},
    {"guesses", SMT_WHY_DIED, "exit status 0"},
};

static void test_fakes(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(fakes); i++) {
        smt_ctx *c = smt_ctx_new();
        tr_arena *arena = tr_arena_new();
        const char *path = tr_arena_printf(arena, FAKES "%s.sh", fakes[i].name);
        smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = path, .patience_ms = 400});
        smt_t fact = pell(c);
        int64_t begin = tr_now_ms();
        smt_answer answer = smt_check(prover, 1, &fact, 400 * 1000, fakes[i].name);
        int64_t took = tr_now_ms() - begin;
        print_message("%-18s %4lld ms: %s\n", fakes[i].name, (long long)took, answer.why_text);
        assert_int_equal(answer.verdict, SMT_UNKNOWN);
        if (fakes[i].why != SMT_WHY_NONE)
            assert_int_equal(answer.why, fakes[i].why);
        assert_null(answer.model);
        assert_non_null(answer.why_text);
        if (fakes[i].text)
            assert_non_null(strstr(answer.why_text, fakes[i].text));
        assert_true(took < 3000); /* 400 were given */
        smt_prover_free(prover);
        tr_arena_free(arena);
        smt_ctx_free(c);
    }
}

/* A machine so busy that the solver hardly works is no reason to end it: the answer would depend on
 * what else runs. */
static void test_starved(void **state)
{
    (void)state;
    pid_t busy = fork();
    if (busy == 0) {
        cpu_set_t first;
        CPU_ZERO(&first);
        CPU_SET(0, &first);
        sched_setaffinity(0, sizeof first, &first);
        for (;;) {
        }
    }
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover =
        smt_prover_new(c, &(smt_options){.solver = FAKES "starved.sh", .patience_ms = 100});
    smt_t fact = pell(c);
    int64_t begin = tr_now_ms();
    smt_answer answer = smt_check(prover, 1, &fact, 400 * 1000, "starved");
    print_message("starved for %lld ms: %s\n", (long long)(tr_now_ms() - begin), answer.why_text);
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    assert_int_equal(answer.verdict, SMT_UNKNOWN);
    assert_int_equal(answer.why, SMT_WHY_STEPS);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

static void test_no_solver(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    static const char *const commands[] = {"", "/nonexistent/z3", "/dev/null"};
    for (size_t i = 0; i < TR_COUNT(commands); i++) {
        smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = commands[i]});
        smt_t fact = pell(c), wrong = smt_bool_const(c, false);
        smt_answer answer = smt_check(prover, 1, &fact, 300 * 1000, "none");
        assert_int_equal(answer.verdict, SMT_UNKNOWN);
        assert_int_equal(answer.why, SMT_WHY_MISSING);
        assert_non_null(answer.why_text);
        /* what needs no solver is decided all the same */
        assert_int_equal(smt_check(prover, 1, &wrong, 300 * 1000, "none").verdict, SMT_UNSAT);
        smt_prover_free(prover);
    }
    smt_ctx_free(c);
}

/* A prover goes on with a new process after one that had to be ended. */
static void test_restart(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover =
        smt_prover_new(c, &(smt_options){.solver = FAKES "hang.sh", .patience_ms = 400});
    smt_t fact = pell(c);
    smt_check(prover, 1, &fact, 400 * 1000, "first");
    smt_check(prover, 1, &fact, 500 * 1000, "second");
    assert_true(smt_prover_statistics(prover).restarts >= 1);
    assert_int_equal(smt_prover_statistics(prover).queries, 2);
    /* In no more time it would come out as it did. */
    smt_check(prover, 1, &fact, 450 * 1000, "third");
    assert_int_equal(smt_prover_statistics(prover).recalled, 1);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

/* Its answers are not taken, and it is not started again. */
static void test_old(void **state)
{
    (void)state;
    smt_ctx *c = smt_ctx_new();
    smt_prover *prover = smt_prover_new(c, &(smt_options){.solver = FAKES "old_z3.sh"});
    smt_t fact = pell(c);
    assert_null(smt_prover_failure(prover));
    for (int i = 0; i < 2; i++) {
        smt_answer answer = smt_check(prover, 1, &fact, (400 + 100 * i) * 1000, "old");
        assert_int_equal(answer.verdict, SMT_UNKNOWN);
        assert_int_equal(answer.why, SMT_WHY_MISSING);
        assert_non_null(strstr(answer.why_text, "4.8.12"));
    }
    assert_non_null(strstr(smt_prover_failure(prover), "too old"));
    assert_int_equal(smt_prover_statistics(prover).restarts, 0);
    smt_prover_free(prover);
    smt_ctx_free(c);
}

static void test_find(void **state)
{
    (void)state;
    tr_arena *arena = tr_arena_new();
    const char *why, *kept = getenv("TILERACE_SOLVER");
    char *old = kept ? strdup(kept) : NULL;
    setenv("TILERACE_SOLVER", "/nonexistent/solver", 1);
    assert_null(smt_find_solver(arena, &why));
    assert_non_null(strstr(why, "/nonexistent/solver"));
    setenv("TILERACE_SOLVER", FAKES "says_unknown.sh --any", 1);
    assert_string_equal(smt_find_solver(arena, &why), FAKES "says_unknown.sh --any");
    assert_null(why);
    if (old)
        setenv("TILERACE_SOLVER", old, 1);
    else
        unsetenv("TILERACE_SOLVER");
    free(old);
    tr_arena_free(arena);
}

/* ---- Section: With a real solver ---- */

typedef struct fixture {
    smt_ctx *c;
    smt_prover *prover;
} fixture;

static int setup(void **state)
{
    fixture *f = calloc(1, sizeof *f);
    f->c = smt_ctx_new();
    f->prover = smt_prover_new(f->c, NULL);
    *state = f;
    return 0;
}

static int teardown(void **state)
{
    fixture *f = *state;
    smt_prover_free(f->prover);
    smt_ctx_free(f->c);
    free(f);
    return 0;
}

static void satisfied(const smt_answer *answer, size_t n, const smt_t *facts)
{
    assert_int_equal(answer->verdict, SMT_SAT);
    for (size_t i = 0; i < n; i++) {
        smt_int value;
        assert_true(smt_model_eval(answer->model, facts[i], &value));
        assert_true(value == 1);
    }
}

static void test_name(void **state)
{
    fixture *f = *state;
    print_message("solver: %s\n", smt_prover_solver(f->prover));
    assert_string_not_equal(smt_prover_solver(f->prover), "unknown");
}

/* Functions: equal arguments give equal values, and their values come back. */
static void test_functions(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->c;
    smt_t i = smt_var(c, "i", 0, 100), j = smt_var(c, "j", 0, 100);
    smt_t at_i = smt_app(c, "index", 1, &i, 0, 1000), at_j = smt_app(c, "index", 1, &j, 0, 1000);
    smt_t nested = smt_app(c, "next", 1, &at_i, 5, 9);
    smt_t facts[] = {smt_ne(c, at_i, at_j), smt_eq(c, i, j)};
    assert_int_equal(smt_check(f->prover, 2, facts, 5000 * 1000, "equal").verdict, SMT_UNSAT);
    facts[1] = smt_eq(c, smt_add(c, at_i, nested), number(c, 1008));
    smt_t sat[] = {facts[0], facts[1], smt_bvar(c, "flag"), smt_bapp(c, "even", 1, &i)};
    smt_answer answer = smt_check(f->prover, 4, sat, 5000 * 1000, "functions");
    satisfied(&answer, 4, sat);
    smt_int value;
    assert_true(smt_model_eval(answer.model, at_i, &value) && value >= 999);
}

static void test_small(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->c;
    smt_t grid = smt_var(c, "grid.x", 1, 1 << 24), h = smt_var(c, "H", 1, 1 << 30);
    smt_t p = smt_var(c, "bid.x!1", 0, 1 << 24), q = smt_var(c, "bid.x!2", 0, 1 << 24);
    smt_t facts[] = {smt_lt(c, p, grid), smt_lt(c, q, grid), smt_ne(c, p, q),
                     smt_eq(c, smt_div(c, p, h), smt_div(c, q, h)),
                     smt_ge(c, smt_mul(c, h, grid), number(c, 20))};
    smt_t small[] = {grid, h, p, q};
    smt_answer answer = smt_check_small(f->prover, 5, facts, 4, small, 20000 * 1000, "small");
    satisfied(&answer, 5, facts);
    smt_int value;
    assert_true(smt_model_eval(answer.model, grid, &value) && value == 2);
    assert_true(smt_model_eval(answer.model, h, &value) && value == 10);
}

/* x^3 + y^3 + z^3 = 114: nobody knows. */
static smt_t open_equation(smt_ctx *c, int copy)
{
    smt_t cubes = number(c, 0);
    for (int i = 0; i < 3; i++) {
        char name[16];
        snprintf(name, sizeof name, "%c%d", "xyz"[i], copy);
        smt_t v = smt_var(c, name, -1000000000, 1000000000);
        cubes = smt_add(c, cubes, smt_mul(c, v, smt_mul(c, v, v)));
    }
    return smt_eq(c, cubes, number(c, 114));
}

/* Whether there is a smaller model may be open. The steps that are left are not spent on that: no
 * verdict needs the smallest. */
static void test_small_is_cheap(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->c;
    enum { N = 6 };
    smt_t small[N], facts[N];
    for (int i = 0; i < N; i++) {
        char name[16];
        snprintf(name, sizeof name, "size%d", i);
        small[i] = smt_var(c, name, 0, 1000);
        facts[i] = smt_or(c, smt_ge(c, small[i], number(c, 9)), open_equation(c, i));
    }
    smt_steps begin = smt_steps_taken(c);
    smt_answer answer = smt_check_small(f->prover, N, facts, N, small, 20000 * 1000, "cheap");
    satisfied(&answer, N, facts);
    assert_true(smt_steps_taken(c) - begin < 1500 * 1000);
}

static void test_kept(void **state)
{
    fixture *f = *state;
    char folder[] = TILERACE_BUILD_DIR "/smt-kept-XXXXXX";
    assert_non_null(mkdtemp(folder));
    smt_prover *prover =
        smt_prover_new(f->c, &(smt_options){.keep_folder = folder, .keep_prefix = "kernel"});
    smt_t fact = pell(f->c);
    smt_check(prover, 1, &fact, 50 * 1000, "a/b: race?\n(check-sat)");
    smt_check(prover, 1, &fact, 50 * 1000, NULL);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    int files = 0;
    for (struct dirent *entry = readdir(dir); entry; entry = readdir(dir)) {
        if (entry->d_name[0] == '.')
            continue;
        assert_non_null(strstr(entry->d_name, ".smt2"));
        tr_arena *arena = tr_arena_new();
        const char *why, *path = tr_arena_printf(arena, "%s/%s", folder, entry->d_name);
        size_t length;
        char *text = tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why);
        assert_non_null(text);
        assert_true(text[0] == ';');
        /* the name stays a comment */
        const char *first = strstr(text, "(check-sat)"), *line_end = strchr(text, '\n');
        if (first && first < line_end)
            first = strstr(line_end, "(check-sat)");
        assert_non_null(first);
        assert_non_null(strstr(text, "(declare-fun x () Int)"));
        remove(path);
        tr_arena_free(arena);
        files++;
    }
    closedir(dir);
    rmdir(folder);
    assert_int_equal(files, 2);
    smt_prover_free(prover);
}

/* Many queries on one process. */
static void test_many(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->c;
    smt_t x = smt_var(c, "x", -1000, 1000), y = smt_var(c, "y", -1000, 1000);
    for (int i = 0; i < 60; i++) {
        smt_t sum = smt_add(c, smt_scale(c, x, 6), smt_scale(c, y, 9 + i % 2));
        smt_t facts[] = {smt_eq(c, sum, number(c, 100 + i)), smt_lt(c, x, y)};
        smt_answer answer = smt_check(f->prover, 2, facts, 5000 * 1000, "many");
        if ((100 + i) % 3 != 0 && i % 2 == 0)
            assert_int_equal(answer.verdict, SMT_UNSAT);
        else if (i % 2 == 0)
            satisfied(&answer, 2, facts);
        else
            assert_int_not_equal(answer.verdict, SMT_UNKNOWN);
    }
    assert_int_equal(smt_prover_statistics(f->prover).restarts, 0);
}

/* 100,000 levels through the prover: any verdict, but no crash, and in not many more steps than
 * were given. */
static void test_deep(void **state)
{
    fixture *f = *state;
    smt_ctx *c = f->c;
    smt_t x = smt_var(c, "x", 0, 1000), y = smt_var(c, "y", 0, 1000), deep = x;
    for (int i = 0; i < 100000; i++) {
        smt_t next = smt_add(c, smt_scale(c, deep, 2), y);
        deep = i % 2 ? smt_mod(c, next, number(c, 997)) : smt_app(c, "load", 1, &next, 0, 500);
    }
    smt_t facts[] = {smt_eq(c, deep, number(c, 3)), smt_lt(c, x, y)};
    smt_steps begin = smt_steps_taken(c), limit = 2000 * 1000;
    smt_answer answer = smt_check(f->prover, 2, facts, limit, "deep");
    assert_int_not_equal(answer.verdict, SMT_UNSAT);
    assert_true(smt_steps_taken(c) - begin < 2 * limit);
}

/* How often the solver is asked about n different products, with 30 steps beside those that reading
 * them takes. */
static size_t calls_for_products(size_t n)
{
    enum { MOST = 64, BYTES_A_STEP = 16 };
    smt_ctx *c = smt_ctx_new();
    tr_arena *arena = tr_arena_new();
    const char *why;
    smt_solver *solver = smt_solver_new(arena, smt_find_solver(arena, &why), 0);
    smt_t facts[MOST];
    smt_script script;
    assert_true(n <= MOST);
    for (size_t i = 0; i < n; i++) {
        smt_t x = smt_var(c, tr_arena_printf(arena, "x%zu", i), 0, SMT_NO_HIGH);
        facts[i] = smt_le(c, number(c, 2), smt_mul(c, x, x));
    }
    smt_script_make(&script, n, facts, true);
    assert_true(script.products == n && script.degree == 2);
    smt_steps limit = script.text.length / BYTES_A_STEP + 30;
    smt_reply reply = smt_solver_ask(solver, &script, SMT_ASK_ANY, limit, NULL);
    size_t calls = smt_solver_calls(solver);
    assert_true(calls > 0 || reply.why == SMT_WHY_STEPS);
    smt_script_free(&script);
    smt_solver_free(solver);
    tr_arena_free(arena);
    smt_ctx_free(c);
    return calls;
}

/* Among more than 16 products a step of Z3 is worth more than one; where not even one is left, it
 * is not asked, as it takes a limit of 0 for none. */
static void test_many_products(void **state)
{
    (void)state;
    assert_int_equal(calls_for_products(16), 1);
    assert_int_equal(calls_for_products(40), 1);
    assert_int_equal(calls_for_products(60), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_fakes),
        cmocka_unit_test(test_starved),
        cmocka_unit_test(test_no_solver),
        cmocka_unit_test(test_restart),
        cmocka_unit_test(test_old),
        cmocka_unit_test(test_find),
        cmocka_unit_test(test_many_products),
        cmocka_unit_test_setup_teardown(test_name, setup, teardown),
        cmocka_unit_test_setup_teardown(test_functions, setup, teardown),
        cmocka_unit_test_setup_teardown(test_small, setup, teardown),
        cmocka_unit_test_setup_teardown(test_small_is_cheap, setup, teardown),
        cmocka_unit_test_setup_teardown(test_kept, setup, teardown),
        cmocka_unit_test_setup_teardown(test_many, setup, teardown),
        cmocka_unit_test_setup_teardown(test_deep, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* What is asked a second time, in which form, and what comes of each combination of answers. The
 * solver is one that answers as told, and writes down what it was asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <cmocka.h>

#include "base/ds.h"
#include "solver/answer.h"
#include "solver/confirm.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "terms/print_smtlib.h"

#define FAKE TILERACE_SOURCE_DIR "/tests/unit/solver/fake_solvers/as_told.sh"

enum { STEPS = 1000 * 1000, MOST_BLOCKS = 8, MOST_LINES = 16 };

typedef struct block { /* what a process was told before it gave an answer */
    int process;
    size_t n;
    const char *asserted[MOST_LINES];
    bool in_scope;
    int seed; /* 71: of the second form */
} block;

typedef struct asking {
    tr_arena *arena;
    smt_ctx *c;
    smt_prover *prover;
    smt_task task;
    char log[256];
    smt_t *facts; /* stb_ds array */
    size_t n;
    block blocks[MOST_BLOCKS];
} asking;

static void begin(asking *a, const char *answers)
{
    *a = (asking){.arena = tr_arena_new(), .c = smt_ctx_new()};
    snprintf(a->log, sizeof a->log, TILERACE_BUILD_DIR "/confirm-XXXXXX");
    int fd = mkstemp(a->log);
    assert_true(fd >= 0);
    close(fd);
    const char *command = tr_arena_printf(a->arena, "'%s' '%s' %s", FAKE, a->log, answers);
    a->prover = smt_prover_new(a->c, &(smt_options){.solver = command});
    a->task = (smt_task){.prover = a->prover, .ctx = a->c, .deadline = STEPS};
}

static void end(asking *a)
{
    smt_prover_free(a->prover);
    unlink(a->log);
    arrfree(a->facts);
    smt_ctx_free(a->c);
    tr_arena_free(a->arena);
}

/* x <= 7, which 0 meets, and x >= 3, which it does not; perhaps one of two others. */
static void state_facts(asking *a, bool disjunction)
{
    smt_ctx *c = a->c;
    smt_t x = smt_var(c, "x", 0, 100);
    arrput(a->facts, smt_le(c, x, smt_int_const(c, 7)));
    arrput(a->facts, smt_ge(c, x, smt_int_const(c, 3)));
    if (disjunction)
        arrput(a->facts,
               smt_or(c, smt_le(c, x, smt_int_const(c, 4)), smt_ge(c, x, smt_int_const(c, 20))));
}

static smt_reply put(asking *a)
{
    smt_script script = {0};
    smt_reply reply = smt_put(&a->task, arrlenu(a->facts), a->facts, STEPS, true, &script);
    smt_script_free(&script);
    return reply;
}

static void read_log(asking *a)
{
    size_t length;
    const char *why;
    char *text = tr_read_file(a->arena, TR_FILE_KERNELS, a->log, &length, &why), *rest = NULL;
    assert_non_null(text);
    block next = {0};
    int seeds[2] = {0}, processes[2] = {0};
    a->n = 0;
    for (char *line = strtok_r(text, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        int number, process;
        if (sscanf(line, "answer %d of %d", &number, &process) == 2) {
            assert_true(a->n < MOST_BLOCKS);
            int which = process == processes[0] || !processes[0] ? 0 : 1;
            processes[which] = process;
            next.process = process;
            next.seed = seeds[which];
            a->blocks[a->n++] = next;
            next = (block){0};
            continue;
        }
        char *words = strchr(line, ' ') + 1;
        process = atoi(line);
        if (strncmp(words, "(assert ", 8) == 0 && next.n < MOST_LINES)
            next.asserted[next.n++] = words;
        next.in_scope |= strncmp(words, "(push", 5) == 0;
        if (sscanf(words, "(set-option :smt.random_seed %d)", &number) == 1) {
            int which = process == processes[0] || !processes[0] ? 0 : 1;
            seeds[which] = number;
        }
    }
}

/* ---- Section: What comes of the answers ---- */

typedef struct row {
    const char *answers;
    smt_verdict verdict;
    smt_unknown_kind why;
    size_t asked;
    const char *words; /* part of the reason */
} row;

static const row rows[] = {
    {"sat", SMT_SAT, SMT_WHY_NONE, 1, NULL},
    {"unknown", SMT_UNKNOWN, SMT_WHY_STEPS, 1, NULL},
    /* Both cases, then the question whose solution is at hand. */
    {"unsat unsat unsat sat", SMT_UNSAT, SMT_WHY_NONE, 4, NULL},
    {"unsat unsat unsat unknown", SMT_UNSAT, SMT_WHY_NONE, 4, NULL},
    {"unsat sat", SMT_UNKNOWN, SMT_WHY_CONTRADICTS, 2, "that it has no solution, and that it has"},
    {"unsat unsat sat", SMT_UNKNOWN, SMT_WHY_CONTRADICTS, 3, "no solution, and that it has"},
    {"unsat unsat unsat unsat", SMT_UNKNOWN, SMT_WHY_CONTRADICTS, 4, "whose solution is at hand"},
    /* A case that is left open: the question as it was. */
    {"unsat unknown unsat sat", SMT_UNSAT, SMT_WHY_NONE, 4, NULL},
    {"unsat unsat unknown unsat sat", SMT_UNSAT, SMT_WHY_NONE, 5, NULL},
    {"unsat unknown sat", SMT_UNKNOWN, SMT_WHY_CONTRADICTS, 3, "no solution, and that it has"},
    {"unsat unsat unknown sat", SMT_UNKNOWN, SMT_WHY_CONTRADICTS, 4, "and that it has"},
    {"unsat unknown unknown", SMT_UNKNOWN, SMT_WHY_STEPS, 3, "a second time"},
    {"unsat unknown unsat unsat", SMT_UNKNOWN, SMT_WHY_CONTRADICTS, 4, "is at hand"},
    /* What fails the second time has not said it. */
    {"unsat nonsense", SMT_UNKNOWN, SMT_WHY_NONSENSE, 2, "no answer: nonsense"},
    {"unsat unsat nonsense", SMT_UNKNOWN, SMT_WHY_NONSENSE, 3, NULL},
    {"unsat unknown nonsense", SMT_UNKNOWN, SMT_WHY_NONSENSE, 3, NULL},
};

static void test_answers(void **state)
{
    (void)state;
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        const row *r = &rows[i];
        asking a;
        begin(&a, r->answers);
        state_facts(&a, false);
        smt_reply reply = put(&a);
        print_message("%-32s %s\n", r->answers, reply.text ? reply.text : "");
        assert_int_equal(reply.verdict, r->verdict);
        if (r->verdict == SMT_UNKNOWN)
            assert_int_equal(reply.why, r->why);
        if (r->words)
            assert_non_null(strstr(reply.text, r->words));
        assert_int_equal(a.task.leaned, r->verdict == SMT_UNSAT);
        read_log(&a);
        assert_int_equal(a.n, r->asked);
        /* What contradicts itself is asked nothing more. */
        bool contradicts = r->why == SMT_WHY_CONTRADICTS;
        assert_int_equal(smt_prover_contradiction(a.prover) != NULL, contradicts);
        reply = put(&a);
        read_log(&a);
        assert_int_equal(a.n > r->asked, !contradicts);
        if (contradicts)
            assert_int_equal(reply.why, SMT_WHY_CONTRADICTS);
        end(&a);
    }
}

/* ---- Section: In which form ---- */

static const char *last(const block *b, size_t back)
{
    assert_true(back < b->n);
    return b->asserted[b->n - 1 - back];
}

static bool has(const block *b, const char *line)
{
    for (size_t i = 0; i < b->n; i++)
        if (strcmp(b->asserted[i], line) == 0)
            return true;
    return false;
}

/* By another process, the facts in the opposite order behind a case, and that which is opposite. */
static void test_form(void **state)
{
    (void)state;
    for (int disjunction = 0; disjunction < 2; disjunction++) {
        asking a;
        begin(&a, "unsat unsat unsat sat");
        state_facts(&a, disjunction);
        size_t n = arrlenu(a.facts);
        assert_int_equal(put(&a).verdict, SMT_UNSAT);
        read_log(&a);
        assert_int_equal(a.n, 4);
        const block *first = &a.blocks[0], *near_0 = &a.blocks[3];
        assert_true(first->in_scope);
        assert_int_equal(first->seed, 0);
        for (int i = 1; i < 4; i++) {
            assert_int_equal(a.blocks[i].process, a.blocks[1].process);
            assert_int_equal(a.blocks[i].seed, 71);
        }
        assert_int_not_equal(a.blocks[1].process, first->process);
        for (int i = 1; i < 3; i++) {
            assert_false(a.blocks[i].in_scope);
            for (size_t fact = 0; fact < n; fact++)
                assert_string_equal(last(&a.blocks[i], fact), last(first, n - 1 - fact));
            assert_false(has(first, last(&a.blocks[i], n))); /* the case */
        }
        assert_string_not_equal(last(&a.blocks[1], n), last(&a.blocks[2], n));
        /* By the disjunction, else by the middle of what x may be. */
        assert_int_equal(strstr(last(&a.blocks[1], n), "50)") != NULL, !disjunction);
        assert_true(has(near_0, last(first, n - 1)));  /* x <= 7 */
        assert_false(has(near_0, last(first, n - 2))); /* x >= 3 */
        end(&a);
    }
}

/* The question as it was is in its first form. */
static void test_repeated(void **state)
{
    (void)state;
    asking a;
    begin(&a, "unsat unknown unsat sat");
    state_facts(&a, false);
    assert_int_equal(put(&a).verdict, SMT_UNSAT);
    read_log(&a);
    assert_int_equal(a.n, 4);
    const block *first = &a.blocks[0], *again = &a.blocks[2];
    assert_int_equal(again->process, a.blocks[1].process);
    assert_int_equal(again->seed, 0);
    assert_true(again->in_scope);
    assert_int_equal(again->n, first->n);
    for (size_t i = 0; i < first->n; i++)
        assert_string_equal(again->asserted[i], first->asserted[i]);
    end(&a);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_answers),
        cmocka_unit_test(test_form),
        cmocka_unit_test(test_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

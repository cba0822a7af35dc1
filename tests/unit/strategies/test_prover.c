/* The prover against enumeration: small ranges, all values tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <cmocka.h>

#include "../terms/event_var.h"
#include "../terms/random_terms.h"
#include "solver/answer.h"
#include "solver/model.h"
#include "solver/prover.h"
#include "strategies/prove.h"

enum { MAX_FACTS = 12 };

/* A problem, twice: trees for the enumeration, terms for the prover. */
typedef struct problem {
    test_var ranges[N_VARS];
    size_t n;
    tree *facts[MAX_FACTS];
} problem;

static void problem_free(problem *p)
{
    for (size_t i = 0; i < p->n; i++)
        tree_free(p->facts[i]);
}

static void state_fact(problem *p, tree *fact)
{
    p->facts[p->n++] = fact;
}

typedef struct count {
    long models; /* values for which every fact is defined and true */
    long doubts; /* values for which some fact is not defined, and none of the others false */
} count;

static count enumerate(const problem *p)
{
    count found = {0, 0};
    long long v[N_VARS];
    for (int i = 0; i < N_VARS; i++)
        v[i] = p->ranges[i].low;
    for (;;) {
        bool all = true, any_undefined = false;
        for (size_t i = 0; i < p->n && all; i++) {
            tree_value value = tree_eval(p->facts[i], v);
            any_undefined |= !value.defined;
            all = !value.defined || value.number;
        }
        found.models += all && !any_undefined;
        found.doubts += all && any_undefined;
        int at = 0;
        while (at < N_VARS && v[at] == p->ranges[at].high)
            v[at] = p->ranges[at].low, at++;
        if (at == N_VARS || found.models > 0)
            return found;
        v[at]++;
    }
}

typedef struct tallies {
    int sat, unsat, unknown;
} tallies;

static void report(smt_ctx *ctx, const problem *p, const smt_t *terms, const char *what)
{
    (void)ctx;
    print_error("%s:\n", what);
    for (int i = 0; i < N_VARS; i++)
        print_error("  %s in %d..%d\n", p->ranges[i].name, p->ranges[i].low, p->ranges[i].high);
    for (size_t i = 0; i < p->n; i++) {
        tr_text text = {0};
        smt_print_c(&text, terms[i]);
        print_error("  %s\n", tr_text_get(&text));
        tr_text_free(&text);
    }
}

/* Asks the prover and compares. */
static void check(const problem *p, const char *solver, smt_steps steps, tallies *tally)
{
    smt_ctx *ctx = smt_ctx_new();
    smt_t vars[N_VARS], terms[MAX_FACTS];
    for (int i = 0; i < N_VARS; i++)
        vars[i] = event_var(ctx, p->ranges[i].name, p->ranges[i].low, p->ranges[i].high);
    for (size_t i = 0; i < p->n; i++)
        terms[i] = tree_term(ctx, p->facts[i], vars);
    smt_prover *prover = smt_prover_new(ctx, &(smt_options){.solver = solver});
    smt_answer answer = smt_check(prover, p->n, terms, steps, "random");
    if (answer.verdict == SMT_UNKNOWN) {
        tally->unknown++;
    } else {
        count want = enumerate(p);
        if (answer.verdict == SMT_UNSAT) {
            tally->unsat++;
            if (want.models > 0) {
                report(ctx, p, terms, "called unsatisfiable, but has a model");
                fail();
            }
        } else {
            tally->sat++;
            smt_int value;
            for (size_t i = 0; i < p->n; i++)
                assert_true(smt_model_eval(answer.model, terms[i], &value) && value == 1);
            if (want.models == 0 && want.doubts == 0) {
                report(ctx, p, terms, "called satisfiable, but has no model");
                fail();
            }
        }
    }
    smt_prover_free(prover);
    smt_ctx_free(ctx);
}

/* ---- Section: Any facts ---- */

static void make_random(rng *r, problem *p)
{
    memset(p, 0, sizeof *p);
    smt_ctx *ctx = smt_ctx_new();
    assignment a;
    random_vars(r, ctx, &a, p->ranges);
    smt_ctx_free(ctx);
    for (int i = 0; i < N_VARS; i++) {
        if (p->ranges[i].high > p->ranges[i].low + 3)
            p->ranges[i].high = p->ranges[i].low + 3;
    }
    int n = 2 + rng_below(r, 5);
    for (int i = 0; i < n; i++)
        state_fact(p, random_bool(r, 1 + rng_below(r, 3)));
}

/* ---- Section: Two copies of a block ---- */

static tree *var_tree(int i)
{
    return tree_node(T_VAR, i, 0, 0, 0);
}

static tree *op(tree_op o, tree *a, tree *b)
{
    return tree_node(o, 0, a, b, 0);
}

/* What the coordinates of a problem are made of. */
typedef struct shape {
    rng *r;
    bool loop; /* the block's number is b + k*step rather than one variable */
} shape;

static tree *block(const shape *s, int copy)
{
    if (!s->loop)
        return var_tree(3 + copy);
    return op(T_ADD, var_tree(copy), op(T_MUL, var_tree(2 + copy), var_tree(4)));
}

static tree *size_tree(const shape *s)
{
    rng *r = s->r;
    if (s->loop) {
        switch (rng_below(r, 4)) {
        case 0:
            return var_tree(4);
        case 1:
            return op(T_MUL, tree_node(T_CONST, 2, 0, 0, 0), var_tree(4));
        default:
            return tree_node(T_CONST, 2 + rng_below(r, 3), 0, 0, 0);
        }
    }
    switch (rng_below(r, 6)) {
    case 0:
        return tree_node(T_CONST, 2, 0, 0, 0);
    case 1:
        return op(T_MUL, var_tree(rng_below(r, 2)), var_tree(2));
    case 2:
        return op(T_MUL, tree_node(T_CONST, 2, 0, 0, 0), var_tree(rng_below(r, 3)));
    default:
        return var_tree(rng_below(r, 3));
    }
}

/* A coordinate that a block computes of its number. */
static tree *coordinate(const shape *s, int copy)
{
    tree *m = size_tree(s), *n = size_tree(s);
    switch (rng_below(s->r, 9)) {
    case 0:
        tree_free(n);
        return op(T_REMT, block(s, copy), m);
    case 1:
        tree_free(n);
        return op(T_DIVT, block(s, copy), m);
    case 2:
        return op(T_MOD, op(T_DIV, block(s, copy), m), n);
    case 3:
        return op(T_DIV, op(T_MOD, block(s, copy), op(T_MUL, m, n)), size_tree(s));
    case 4:
        return op(T_ADD, op(T_MUL, op(T_DIV, block(s, copy), m), n), size_tree(s));
    case 5: {
        tree *left = op(T_SUB, size_tree(s), op(T_DIV, block(s, copy), m));
        return op(T_MOD, block(s, copy), op(T_MIN, left, n));
    }
    case 6:
        return op(T_SUB, block(s, copy), op(T_MUL, op(T_DIVF, block(s, copy), m), n));
    case 7:
        return op(T_ADD, op(T_MUL, block(s, copy), m), op(T_MOD, block(s, copy), n));
    default:
        tree_free(n);
        return op(T_DIVC, block(s, copy), m);
    }
}

static void state_coordinates(const shape *s, problem *p)
{
    int n = 1 + rng_below(s->r, 3);
    for (int i = 0; i < n; i++) {
        rng again = *s->r;
        shape same = {&again, s->loop};
        tree *first = coordinate(s, 0), *second = coordinate(&same, 1);
        tree_op relation = rng_below(s->r, 5) == 0 ? T_LE : T_EQ;
        state_fact(p, op(relation, first, second));
    }
    for (int i = 0; i < 2; i++) {
        if (rng_below(s->r, 4) > 0)
            state_fact(p, op(T_LT, block(s, i), op(T_MUL, size_tree(s), size_tree(s))));
    }
}

static void make_copies(rng *r, problem *p)
{
    static const char *names[N_VARS] = {"H", "D", "S", "p!1", "p!2"};
    memset(p, 0, sizeof *p);
    for (int i = 0; i < N_VARS; i++) {
        bool size = i < 3;
        p->ranges[i] = (test_var){names[i], size && rng_below(r, 3) ? 1 : 0, size ? 3 : 9};
        if (size && rng_below(r, 4) == 0) { /* known positive by a fact only */
            p->ranges[i].low = -1;
            state_fact(p, op(T_GT, var_tree(i), tree_node(T_CONST, 0, 0, 0, 0)));
        }
    }
    shape s = {r, false};
    state_coordinates(&s, p);
    if (rng_below(r, 4) == 0)
        state_fact(p, op(T_LE, size_tree(&s), size_tree(&s)));
    state_fact(p, op(rng_below(r, 3) ? T_NE : T_LT, var_tree(3), var_tree(4)));
}

/* Two iterations of a loop with a step: of two blocks, or of one. */
static void make_loops(rng *r, problem *p)
{
    static const char *names[N_VARS] = {"b!1", "b!2", "k!1", "k!2", "P"};
    memset(p, 0, sizeof *p);
    for (int i = 0; i < N_VARS; i++)
        p->ranges[i] = (test_var){names[i], i == 4 && rng_below(r, 2) ? 1 : 0, 3};
    shape s = {r, true};
    for (int i = 0; i < 2; i++) {
        if (rng_below(r, 6) > 0)
            state_fact(p, op(T_LT, var_tree(i), var_tree(4)));
    }
    if (rng_below(r, 4) > 0) {
        state_fact(p, op(T_NE, var_tree(0), var_tree(1)));
    } else {
        state_fact(p, op(T_EQ, var_tree(0), var_tree(1)));
        state_fact(p, op(T_NE, var_tree(2), var_tree(3)));
    }
    state_coordinates(&s, p);
}

static void run(void (*make)(rng *, problem *), int n, const char *solver, uint64_t seed,
                tallies *tally)
{
    rng r = {seed};
    for (int i = 0; i < n; i++) {
        problem p;
        make(&r, &p);
        check(&p, solver, 2000 * 1000, tally);
        problem_free(&p);
    }
    print_message("  %d sat, %d unsat, %d unknown\n", tally->sat, tally->unsat, tally->unknown);
}

/* No solver: every verdict is the strategies' own. */
static void test_random_alone(void **state)
{
    (void)state;
    tallies tally = {0, 0, 0};
    run(make_random, 2500, "", 0x5eed, &tally);
    assert_true(tally.unsat > 300 && tally.sat > 300);
}

static void test_copies_alone(void **state)
{
    (void)state;
    tallies tally = {0, 0, 0};
    run(make_copies, 1500, "", 0xb10c, &tally);
    assert_true(tally.unsat > 100);
}

static void test_loops_alone(void **state)
{
    (void)state;
    tallies tally = {0, 0, 0};
    run(make_loops, 1500, "", 0x100b, &tally);
    assert_true(tally.unsat > 100);
}

static void test_random_with_solver(void **state)
{
    (void)state;
    tallies tally = {0, 0, 0};
    run(make_random, 60, NULL, 0xabcde, &tally);
    assert_true(tally.unknown <= 3);
}

static void test_copies_with_solver(void **state)
{
    (void)state;
    tallies tally = {0, 0, 0};
    run(make_copies, 60, NULL, 0x77777, &tally);
    assert_true(tally.unknown <= 6);
}

int main(int argc, char **argv)
{
    if (argc > 2) { /* more of the same: SEED COUNT */
        tallies tally = {0, 0, 0};
        run(make_random, atoi(argv[2]), argc > 3 ? NULL : "", strtoull(argv[1], NULL, 0), &tally);
        run(make_copies, atoi(argv[2]), argc > 3 ? NULL : "", strtoull(argv[1], NULL, 0), &tally);
        run(make_loops, atoi(argv[2]), argc > 3 ? NULL : "", strtoull(argv[1], NULL, 0), &tally);
        return 0;
    }
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_random_alone),       cmocka_unit_test(test_copies_alone),
        cmocka_unit_test(test_loops_alone),        cmocka_unit_test(test_random_with_solver),
        cmocka_unit_test(test_copies_with_solver),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

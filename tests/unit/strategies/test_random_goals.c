/* Random goals over few values: what simplification, refutation and the strategies say of them,
 * against all assignments. What they decide is counted too: a part that is lost shows as fewer
 * goals decided, however right the rest stays. The counts are those of today: steps limit all of
 * it, so they are the same everywhere, and who makes the room stronger moves them. No solver is
 * asked. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "../terms/random_terms.h"
#include "base/ds.h"
#include "goal/goal.h"
#include "goal/linear.h"
#include "goal/linear_program.h"
#include "goal/radix.h"
#include "solver/answer.h"
#include "solver/model.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "strategies/prove.h"
#include "strategies/strategy.h"

enum { MAX_GOAL_FACTS = 6, GOALS = 1800, ALONE_GOALS = 300 };

typedef struct problem {
    int n;
    tree *facts[MAX_GOAL_FACTS];
    test_var small[N_VARS]; /* the values that are tried */
    bool wide;              /* the prover sees wider ranges: it may only refute */
} problem;

/* ---- Section: Drawing ---- */

static tree *leaf(int variable)
{
    return tree_node(T_VAR, variable, 0, 0, 0);
}

static tree *constant(int number)
{
    return tree_node(T_CONST, number, 0, 0, 0);
}

static tree *any_leaf(rng *r)
{
    return leaf(rng_below(r, N_VARS));
}

/* What indices are divided by: a number, a variable, or a multiple of one. */
static tree *any_divisor(rng *r)
{
    static const int numbers[] = {2, 3, 4, 5, 8, -2};
    int number = numbers[rng_below(r, (int)TR_COUNT(numbers))];
    switch (rng_below(r, 4)) {
    case 0:
    case 1:
        return constant(number);
    case 2:
        return any_leaf(r);
    default:
        return tree_node(T_MUL, 0, any_leaf(r), rng_below(r, 2) ? constant(number) : any_leaf(r),
                         0);
    }
}

/* What kernels compute: sums of products, quotients and remainders of them. */
static tree *index_like(rng *r, int depth)
{
    if (depth == 0)
        return rng_below(r, 4) ? any_leaf(r) : constant(rng_below(r, 7) - 2);
    tree *a = index_like(r, depth - 1);
    switch (rng_below(r, 8)) {
    case 0:
    case 1:
        return tree_node(T_ADD, 0, a, index_like(r, depth - 1), 0);
    case 2:
        return tree_node(T_ADD, 0, tree_node(T_MUL, 0, a, any_divisor(r), 0), any_leaf(r), 0);
    case 3:
        return tree_node(T_SUB, 0, a, any_leaf(r), 0);
    case 4:
        return tree_node(T_DIV, 0, a, any_divisor(r), 0);
    case 5:
        return tree_node(T_MOD, 0, a, any_divisor(r), 0);
    case 6:
        return tree_node(rng_below(r, 2) ? T_MIN : T_MAX, 0, a, any_leaf(r), 0);
    default:
        return tree_node(T_MUL, 0, a, any_leaf(r), 0);
    }
}

static tree *any_int(rng *r)
{
    return rng_below(r, 3) ? index_like(r, 1 + rng_below(r, 2)) : random_int(r, 2);
}

static tree *any_fact(rng *r)
{
    if (rng_below(r, 6) == 0)
        return random_bool(r, 2);
    tree_op op = (tree_op)(T_LT + rng_below(r, T_GT - T_LT + 1));
    if (rng_below(r, 3) == 0)
        op = T_EQ;
    tree *fact = tree_node(op, 0, any_int(r), any_int(r), 0);
    if (rng_below(r, 6) == 0)
        fact = tree_node(T_OR, 0, fact, tree_node(T_NE, 0, any_leaf(r), any_int(r), 0), 0);
    return fact;
}

/* Two copies of an address: x = a*s + c or so, and y = b*s + d; both below the stride, and a != b.
 */
static void draw_addresses(rng *r, problem *p)
{
    enum { A, B, C, D, S };
    tree *stride[2], *at[2];
    for (int i = 0; i < 2; i++)
        stride[i] = leaf(S);
    int factor = 1 + rng_below(r, 3), shape = rng_below(r, 5), off = rng_below(r, 4) ? 0 : 1;
    for (int i = 0; i < 2; i++) {
        tree *outer = leaf(i ? B : A), *inner = leaf(i ? D : C);
        if (shape == 1)
            inner = tree_node(T_MUL, 0, inner, constant(factor), 0);
        at[i] = tree_node(T_ADD, 0, tree_node(T_MUL, 0, outer, stride[i], 0), inner, 0);
        if (shape == 2)
            at[i] = tree_node(T_MUL, 0, at[i], constant(factor), 0);
        if (shape == 3)
            at[i] = tree_node(T_DIV, 0, at[i], constant(factor), 0);
        if (shape == 4)
            at[i] = tree_node(T_MOD, 0, at[i],
                              tree_node(T_MUL, 0, leaf(S), constant(factor + 1), 0), 0);
    }
    at[1] = tree_node(T_ADD, 0, at[1], constant(off), 0);
    p->facts[p->n++] = tree_node(T_EQ, 0, at[0], at[1], 0);
    p->facts[p->n++] = tree_node(T_NE, 0, leaf(A), leaf(B), 0);
    for (int i = 0; i < 2; i++) {
        int scale = shape == 1 ? factor : 1;
        tree *bound = tree_node(T_ADD, 0, tree_node(T_MUL, 0, leaf(i ? D : C), constant(scale), 0),
                                constant(rng_below(r, 4) ? 0 : off), 0);
        p->facts[p->n++] = tree_node(rng_below(r, 6) ? T_LT : T_LE, 0, bound, leaf(S), 0);
    }
}

static void draw(rng *r, problem *p, int which)
{
    *p = (problem){.wide = which % 3 == 0};
    for (int i = 0; i < N_VARS; i++) {
        int low = which % 2 ? rng_below(r, 4) - 2 : rng_below(r, 2);
        p->small[i] = (test_var){(const char *[]){"a", "b", "c", "d", "e"}[i], low,
                                 low + 1 + rng_below(r, 4)};
    }
    if (which % 4 == 0) {
        draw_addresses(r, p);
        if (rng_below(r, 2))
            p->facts[p->n++] = any_fact(r);
        return;
    }
    for (int wanted = 2 + rng_below(r, 4); p->n < wanted;)
        p->facts[p->n++] = any_fact(r);
}

static void release(problem *p)
{
    for (int i = 0; i < p->n; i++)
        tree_free(p->facts[i]);
}

/* ---- Section: All assignments ---- */

typedef enum truth { NO, YES, OPEN } truth; /* OPEN: something is divided by zero */

static truth holds(const problem *p, const long long *values)
{
    truth all = YES;
    for (int i = 0; i < p->n; i++) {
        tree_value v = tree_eval(p->facts[i], values);
        if (!v.defined)
            all = OPEN;
        else if (!v.number)
            return NO;
    }
    return all;
}

static bool next_values(const problem *p, long long *values)
{
    for (int i = 0; i < N_VARS; i++) {
        if (values[i]++ < p->small[i].high)
            return true;
        values[i] = p->small[i].low;
    }
    return false;
}

static void first_values(const problem *p, long long *values)
{
    for (int i = 0; i < N_VARS; i++)
        values[i] = p->small[i].low;
}

typedef struct known { /* of a problem, by brute force */
    bool has_solution, has_open;
} known;

static known solve(const problem *p)
{
    known result = {0};
    long long values[N_VARS];
    first_values(p, values);
    do {
        truth t = holds(p, values);
        result.has_solution |= t == YES;
        result.has_open |= t == OPEN;
    } while (!result.has_solution && next_values(p, values));
    return result;
}

/* ---- Section: The room's answers ---- */

typedef struct asked {
    smt_ctx *ctx;
    assignment a;
    smt_t facts[MAX_GOAL_FACTS];
} asked;

static asked ask(const problem *p)
{
    asked q = {.ctx = smt_ctx_new()};
    for (int i = 0; i < N_VARS; i++) {
        const test_var *v = &p->small[i];
        q.a.vars[i] = smt_var(q.ctx, v->name,
                              p->wide && v->low >= 0 ? v->low
                              : p->wide              ? -9999
                                                     : v->low,
                              p->wide ? 1 << 20 : v->high);
    }
    for (int i = 0; i < p->n; i++)
        q.facts[i] = tree_term(q.ctx, p->facts[i], q.a.vars);
    return q;
}

static void show(const problem *p, const asked *q, const char *what)
{
    print_error("%s\n", what);
    for (int i = 0; i < p->n; i++) {
        tr_text text = {0};
        smt_print_c(&text, q->facts[i]);
        print_error("  %s\n", tr_text_get(&text));
        tr_text_free(&text);
    }
    for (int i = 0; i < N_VARS; i++)
        print_error("  %s in %d..%d%s\n", p->small[i].name, p->small[i].low, p->small[i].high,
                    p->wide ? " and beyond" : "");
}

static bool is_true(smt_t term, asked *q)
{
    smt_int value;
    return !smt_eval(term, lookup_assignment, &q->a, &value) || value;
}

/* Every solution is one of the simplified goal. Where nothing is defined any more, and the ranges
 * are those that were tried, the other way round too. */
static bool same_solutions(const problem *p, asked *q, const smt_goal *goal)
{
    first_values(p, q->a.values);
    do {
        truth before = holds(p, q->a.values);
        bool after = !goal->is_false;
        for (size_t i = 0; i < arrlenu(goal->facts) && after; i++)
            after = is_true(goal->facts[i], q);
        for (size_t i = 0; i < arrlenu(goal->definitions) && after && before == YES; i++)
            after = is_true(smt_eq(q->ctx, goal->definitions[i].what, goal->definitions[i].by), q);
        if (before == YES && !after)
            return false;
        if (before == NO && after && !p->wide && !goal->weakened && !arrlenu(goal->definitions))
            return false;
    } while (next_values(p, q->a.values));
    return true;
}

typedef struct counts {
    int refuted, satisfied, unsatisfiable, simplified_away, infeasible, shown;
} counts;

static void judge_simplification(const problem *p, counts *n, smt_elimination elimination)
{
    asked q = ask(p);
    smt_goal goal;
    smt_goal_init(&goal, (size_t)p->n, q.facts);
    goal.keep_factors = elimination == SMT_ELIMINATE_LINEAR && p->wide;
    smt_goal_simplify(q.ctx, &goal, elimination);
    n->simplified_away += goal.is_false;
    if (!same_solutions(p, &q, &goal)) {
        show(p, &q, "simplified into another goal");
        fail();
    }
    smt_goal_free(&goal);
    smt_ctx_free(q.ctx);
}

static void judge_refutation(const problem *p, const known *truth_of, counts *n)
{
    asked q = ask(p);
    smt_goal goal;
    smt_goal_init(&goal, (size_t)p->n, q.facts);
    bool infeasible = smt_goal_is_infeasible(q.ctx, &goal, NULL, NULL);
    n->infeasible += infeasible;
    smt_goal_split_radix(q.ctx, &goal, SMT_THOROUGHLY);
    smt_goal_use_products(q.ctx, &goal);
    if ((infeasible && truth_of->has_solution) || !same_solutions(p, &q, &goal)) {
        show(p, &q, infeasible ? "called infeasible" : "taken apart into another goal");
        fail();
    }
    bool refuted = smt_goal_refute(q.ctx, &goal, 20000);
    if ((refuted || goal.is_false) && truth_of->has_solution) {
        show(p, &q, "refuted");
        fail();
    }
    smt_goal_free(&goal);
    smt_ctx_free(q.ctx);
}

/* sum <= 0 in all solutions? */
static void judge_shown(const problem *p, rng *r, counts *n)
{
    asked q = ask(p);
    smt_goal goal;
    smt_goal_init(&goal, (size_t)p->n, q.facts);
    tree *sum = tree_node(T_SUB, 0, index_like(r, 1), index_like(r, 1), 0);
    smt_t term = tree_term(q.ctx, sum, q.a.vars);
    bool shown = smt_goal_shows(q.ctx, &goal, term, rng_below(r, 2) ? SMT_QUICKLY : SMT_THOROUGHLY);
    n->shown += shown;
    first_values(p, q.a.values);
    do {
        tree_value v = tree_eval(sum, q.a.values);
        if (shown && v.defined && v.number > 0 && holds(p, q.a.values) == YES) {
            show(p, &q, "what is not so was shown");
            fail();
        }
    } while (shown && next_values(p, q.a.values));
    tree_free(sum);
    smt_goal_free(&goal);
    smt_ctx_free(q.ctx);
}

static void exec_judge_check(const problem *p, const known *truth_of, counts *n)
{
    asked q = ask(p);
    smt_prover *prover = smt_prover_new(q.ctx, &(smt_options){.solver = ""});
    smt_verdict verdict = smt_check(prover, (size_t)p->n, q.facts, 30000, "random").verdict;
    n->refuted += verdict == SMT_UNSAT;
    n->satisfied += verdict == SMT_SAT;
    bool wrong = verdict == SMT_UNSAT && truth_of->has_solution;
    wrong |= verdict == SMT_SAT && !p->wide && !truth_of->has_solution && !truth_of->has_open;
    if (wrong) {
        show(p, &q, verdict == SMT_UNSAT ? "unsatisfiable" : "satisfiable");
        fail();
    }
    smt_prover_free(prover);
    smt_ctx_free(q.ctx);
}

static void test_goals(void **state)
{
    (void)state;
    rng r = {0x60a15};
    counts n = {0};
    for (int i = 0; i < GOALS; i++) {
        problem p;
        draw(&r, &p, i);
        known truth_of = solve(&p);
        n.unsatisfiable += !truth_of.has_solution;
        judge_simplification(&p, &n, SMT_ELIMINATE_LINEAR);
        judge_simplification(&p, &n, SMT_ELIMINATE_ONE);
        judge_refutation(&p, &truth_of, &n);
        judge_shown(&p, &r, &n);
        exec_judge_check(&p, &truth_of, &n);
        release(&p);
    }
    print_message("  %d of %d without a solution; simplified away %d, infeasible %d, shown %d, "
                  "refuted %d, satisfied %d\n",
                  n.unsatisfiable, GOALS, n.simplified_away, n.infeasible, n.shown, n.refuted,
                  n.satisfied);
    assert_true(n.simplified_away >= 1311 && n.infeasible >= 67 && n.shown >= 321);
    assert_true(n.refuted >= 880 && n.satisfied >= 694);
}

/* ---- Section: Each strategy alone ---- */

/* Every strategy of strategy.h, and how many of the goals it decides when it is tried alone. Those
 * that decide none are for goals of other forms (test_bit_patterns, test_enumerate,
 * test_induction), or need a solver (`small`). */
static const struct alone {
    const char *name;
    smt_strategy_run run;
    int refuted, satisfied;
    bool simplifies; /* first, which decides some goals even with no steps */
} each_alone[] = {
    {"guess", smt_try_guess, 0, 41, false},        {"bits", smt_try_bits, 0, 0, false},
    {"enumerate", smt_try_enumerate, 0, 0, false}, {"repair", smt_try_repair, 0, 115, false},
    {"digits", smt_try_digits, 130, 0, true},      {"cases", smt_try_cases, 139, 0, true},
    {"small", smt_try_small, 0, 0, false},         {"abstraction", smt_try_abstraction, 0, 0, true},
    {"euclid", smt_try_euclid, 133, 0, true},      {"split", smt_try_split, 130, 0, true},
};

typedef struct alone_counts {
    int refuted, satisfied;
    smt_steps taken;
} alone_counts;

static void show_alone(const problem *p, const asked *q, const struct alone *strategy,
                       const char *what)
{
    print_error("smt_try_%s %s:\n", strategy->name, what);
    show(p, q, "");
    fail();
}

/* Asks the strategy for the goal as it is. Undecided, the goal must have the solutions that it had,
 * because the next strategy gets it. */
static void judge_alone(const problem *p, const known *truth_of, const struct alone *strategy,
                        smt_steps steps, alone_counts *n)
{
    asked q = ask(p);
    smt_prover *prover = smt_prover_new(q.ctx, &(smt_options){.solver = ""});
    smt_goal goal;
    smt_goal_init(&goal, (size_t)p->n, q.facts);
    smt_steps before = smt_steps_taken(q.ctx);
    smt_task task = {.prover = prover,
                     .ctx = q.ctx,
                     .n_original = (size_t)p->n,
                     .original = q.facts,
                     .deadline = before + steps,
                     .answer = {.verdict = SMT_UNKNOWN}};
    bool decided = strategy->run(&task, &goal, before + steps);
    smt_verdict verdict = task.answer.verdict;
    n->taken += smt_steps_taken(q.ctx) - before;
    n->refuted += verdict == SMT_UNSAT;
    n->satisfied += verdict == SMT_SAT;
    if (decided != (verdict != SMT_UNKNOWN))
        show_alone(p, &q, strategy, "returns true without an answer, or false with one");
    if (steps == 0 && decided && !strategy->simplifies)
        show_alone(p, &q, strategy, "decides after its steps are used up (smt_left)");
    if (verdict == SMT_UNSAT && truth_of->has_solution)
        show_alone(p, &q, strategy, "calls a goal unsatisfiable that has a solution");
    if (verdict == SMT_SAT && !smt_model_satisfies(task.answer.model, (size_t)p->n, q.facts))
        show_alone(p, &q, strategy, "answers with a model that does not satisfy the goal");
    if (!decided && !same_solutions(p, &q, &goal))
        show_alone(p, &q, strategy, "returns false and leaves a goal with other solutions");
    smt_goal_free(&goal);
    smt_prover_free(prover);
    smt_ctx_free(q.ctx);
}

static void judge_counts(const struct alone *strategy, const alone_counts *n)
{
    print_message("  smt_try_%s: %d refuted, %d satisfied\n", strategy->name, n->refuted,
                  n->satisfied);
    bool has_counted = n->taken > 0 || n->refuted + n->satisfied == 0;
    bool as_many = n->refuted >= strategy->refuted && n->satisfied >= strategy->satisfied;
    if (!has_counted)
        print_error("smt_try_%s counts no steps (smt_tick)\n", strategy->name);
    if (!as_many)
        print_error("smt_try_%s decides fewer goals than its row in each_alone says\n",
                    strategy->name);
    assert_true(has_counted && as_many);
}

static void test_each_alone(void **state)
{
    (void)state;
    rng r = {0xa1043};
    alone_counts n[TR_COUNT(each_alone)] = {{0}};
    for (int i = 0; i < ALONE_GOALS; i++) {
        problem p;
        draw(&r, &p, i);
        known truth_of = solve(&p);
        for (size_t s = 0; s < TR_COUNT(each_alone); s++) {
            judge_alone(&p, &truth_of, &each_alone[s], 0, &(alone_counts){0});
            judge_alone(&p, &truth_of, &each_alone[s], 30000, &n[s]);
        }
        release(&p);
    }
    for (size_t s = 0; s < TR_COUNT(each_alone); s++)
        judge_counts(&each_alone[s], &n[s]);
}

/* ---- Section: Terms ---- */

/* Where the condition holds, a term that assumes it has the same value. */
static void test_assumed(void **state)
{
    (void)state;
    rng r = {0xa55};
    int changed = 0;
    for (int i = 0; i < 3000; i++) {
        problem p;
        draw(&r, &p, 1 + 2 * i);
        p.wide = false;
        asked q = ask(&p);
        tree *t = i % 3 ? any_int(&r) : random_bool(&r, 2);
        if (i % 2)
            t = tree_node(t->op >= T_LT ? T_BITE : T_ITE, 0, any_fact(&r), t,
                          t->op >= T_LT ? any_fact(&r) : any_int(&r));
        smt_t term = tree_term(q.ctx, t, q.a.vars), condition = q.facts[0];
        for (int k = 1; k < p.n; k++)
            condition = smt_and(q.ctx, condition, q.facts[k]);
        smt_t assumed = smt_assume(q.ctx, term, condition);
        changed += assumed != term;
        first_values(&p, q.a.values);
        do {
            tree_value v = tree_eval(t, q.a.values);
            smt_int now;
            if (v.defined && holds(&p, q.a.values) == YES &&
                smt_eval(assumed, lookup_assignment, &q.a, &now) && now != v.number) {
                show(&p, &q, "assumed into another value");
                fail();
            }
        } while (next_values(&p, q.a.values));
        tree_free(t);
        release(&p);
        smt_ctx_free(q.ctx);
    }
    print_message("  %d changed\n", changed);
    assert_true(changed >= 120);
}

static void count_node(void *user, smt_t term)
{
    (void)term;
    (*(size_t *)user)++;
}

/* Values are kept and lie within the ranges; and terms become no longer, and ranges no wider, than
 * they are today. */
static void test_index_terms(void **state)
{
    (void)state;
    rng r = {0x1dea};
    size_t nodes = 0, constants = 0, width = 0;
    for (int i = 0; i < 6000; i++) {
        problem p;
        draw(&r, &p, 1 + 2 * i);
        release(&p);
        p.n = 0;
        asked q = ask(&p);
        tree *t = index_like(&r, 1 + i % 3);
        if (i % 4 == 0)
            t = tree_node((tree_op)(T_LT + rng_below(&r, T_GT - T_LT + 1)), 0, t, index_like(&r, 2),
                          0);
        smt_t term = tree_term(q.ctx, t, q.a.vars);
        smt_visit(q.ctx, term, count_node, &nodes);
        smt_int low, high;
        if (!smt_is_bool(term)) {
            smt_bounds(term, &low, &high);
            smt_int span;
            bool wide = __builtin_sub_overflow(high, low, &span) || span > 1000;
            width += wide ? 1000 : (size_t)span;
        } else {
            constants += smt_is_true(term) || smt_is_false(term);
        }
        first_values(&p, q.a.values);
        for (int k = 0; k < 40; k++) {
            random_values(&r, &q.a, p.small);
            tree_value want = tree_eval(t, q.a.values);
            smt_int got;
            if (!want.defined)
                continue;
            assert_true(smt_eval(term, lookup_assignment, &q.a, &got));
            assert_int_equal(got, want.number);
            assert_true(smt_is_bool(term) || (low <= got && got <= high));
        }
        tree_free(t);
        smt_ctx_free(q.ctx);
    }
    print_message("  %zu nodes, %zu comparisons decided, ranges %zu wide\n", nodes, constants,
                  width);
    assert_true(nodes <= 34705 && constants >= 162 && width <= 1960082);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_index_terms),
        cmocka_unit_test(test_assumed),
        cmocka_unit_test(test_goals),
        cmocka_unit_test(test_each_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

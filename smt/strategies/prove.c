/* smt_check: simplify the goal, then the strategies in the order of their table. */
#include "strategies/prove.h"

#include "goal/bits.h"
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/kept.h"
#include "solver/model.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "solver/remember.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/rewrite.h"

#include "base/ds.h"

#include <string.h>

enum {
    FREE_SHARE = 4,
    LEAST_SHARE = 25 * 1000,   /* steps: no strategy gets fewer in the first round */
    SHRINK_STEPS = 250 * 1000, /* for one size of a term of a model that is made small */
    SHRINK_ALL = 1500 * 1000,  /* for all of its terms */
    OVERTIME = 250 * 1000, /* a goal is simplified beyond a question's steps by so many at most */
};

/* Asks the solver for the goal as it is. */
static bool try_plain(smt_task *task, smt_goal *goal, smt_steps until)
{
    return smt_ask(task, goal, smt_left(task, until), "solver");
}

/* ---- Section: The order of strategies ---- */

typedef struct strategy_row {
    smt_strategy_run run;
    uint32_t for_flags; /* SMT_HAS_*: tried when the goal has one of them; 0: always */
    unsigned thousands; /* of steps at most; four times as many in each round after the first */
} strategy_row;

/* These do not ask the solver (task->scale is 0), and each is tried once. */
static const strategy_row free_strategies[] = {
    {smt_try_guess, 0, 100},
    {smt_try_bits, SMT_HAS_APP, 50},
    {smt_try_repair, 0, 100},
    {smt_try_enumerate, SMT_HAS_APP | SMT_HAS_DIV | SMT_HAS_ITE | SMT_HAS_PRODUCT, 600},
    {smt_try_digits, SMT_NON_LINEAR | SMT_HAS_DIV, 250},
    {smt_try_cases, 0, 1000},
    {smt_try_abstraction, SMT_HAS_DIV, 250},
};

/* All with few steps before any gets many: an easy query is not kept waiting by a strategy that
 * is not for it. */
static const strategy_row strategies[] = {
    {smt_try_repair, 0, LEAST_SHARE / 1000}, {try_plain, 0, 100},      {smt_try_small, 0, 100},
    {smt_try_abstraction, SMT_HAS_DIV, 600}, {smt_try_euclid, 0, 600}, {try_plain, 0, 200},
};

static bool run_rows(smt_task *task, smt_goal *goal, size_t n, const strategy_row *rows)
{
    uint32_t flags = smt_goal_flags(goal);
    for (size_t i = 0; i < n; i++) {
        if (rows[i].for_flags && !(flags & rows[i].for_flags))
            continue;
        smt_steps left = smt_left(task, task->deadline), scale = task->scale > 0 ? task->scale : 1;
        smt_steps own = rows[i].thousands * 1000 * scale;
        if (left == 0 || task->failures >= SMT_MOST_FAILURES)
            return true;
        /* A strategy that asks nobody leaves the solver most of the steps. */
        smt_steps most = task->scale == 0 ? left / FREE_SHARE : left;
        if (own > most)
            own = most;
        if (rows[i].run(task, goal, smt_steps_taken(task->ctx) + own))
            return true;
    }
    return false;
}

static void run_strategies(smt_task *task, smt_goal *goal)
{
    if (run_rows(task, goal, TR_COUNT(free_strategies), free_strategies))
        return;
    /* Linear goals are the solver's own: it gets all that is left. */
    if (!(smt_goal_flags(goal) & SMT_NON_LINEAR)) {
        try_plain(task, goal, task->deadline);
        return;
    }
    for (task->scale = 1; smt_left(task, task->deadline) > 0; task->scale *= 4) {
        smt_steps before = smt_steps_taken(task->ctx);
        task->cut_short = false;
        if (run_rows(task, goal, TR_COUNT(strategies), strategies))
            return;
        /* Nothing ran out of its share, so that larger ones change nothing. A solver may answer at
         * once with a model that divides by zero, round after round. */
        if (!task->cut_short && smt_steps_taken(task->ctx) - before < LEAST_SHARE * task->scale)
            return;
    }
}

/* Decides in a context of its own. The model is for the caller's terms. */
static smt_answer decide(smt_prover *prover, smt_ctx *caller, size_t n, const smt_t *conjuncts,
                         smt_steps steps)
{
    smt_ctx *scratch = smt_ctx_new_within(caller);
    smt_t *facts = TR_NEW_ARRAY(scratch->arena, smt_t, n + 1);
    smt_import(scratch, n, conjuncts, facts);
    uint32_t n_imported = scratch->n_terms;
    smt_task task = {.prover = prover,
                     .ctx = scratch,
                     .n_original = n,
                     .original = facts,
                     .deadline = smt_steps_taken(scratch) + steps,
                     .answer = {.verdict = SMT_UNKNOWN,
                                .why = SMT_WHY_STEPS,
                                .why_text = "The question's steps are used up."}};
    scratch->end = task.deadline + steps + OVERTIME;
    smt_goal goal;
    smt_goal_init(&goal, n, facts);
    if (smt_goal_flags(&goal) & SMT_HAS_APP)
        smt_goal_add_bits(scratch, &goal);
    smt_goal_simplify(scratch, &goal, SMT_ELIMINATE_LINEAR);
    size_t calls = prover->solver ? smt_solver_calls(prover->solver) : 0;
    if (goal.is_false)
        smt_decided(&task, SMT_UNSAT, NULL, "syntactic");
    else
        run_strategies(&task, &goal);
    smt_answer *answer = &task.answer;
    if (answer->verdict == SMT_SAT) {
        answer->model = smt_model_translate(answer->model, caller, prover->arena, n_imported);
        if (!smt_model_satisfies(answer->model, n, conjuncts))
            *answer = (smt_answer){.verdict = SMT_UNKNOWN,
                                   .why = SMT_WHY_MODEL,
                                   .why_text = "The solver's model does not satisfy the query."};
    }
    answer->by_solver |= answer->verdict == SMT_UNSAT && task.leaned;
    if (answer->verdict != SMT_UNKNOWN &&
        (!prover->solver || smt_solver_calls(prover->solver) == calls))
        prover->statistics.syntactic++;
    if (answer->verdict == SMT_UNKNOWN && smt_is_cut(scratch))
        *answer = (smt_answer){.verdict = SMT_UNKNOWN,
                               .why = SMT_WHY_BUDGET,
                               .why_text = "The time that --budget gives is used up."};
    smt_goal_free(&goal);
    smt_ctx_free(scratch);
    return task.answer;
}

/* ---- Section: Questions ---- */

/* The answer that was given before, or NULL. */
static const smt_answer *recall(smt_prover *prover, size_t n, const smt_t *conjuncts,
                                smt_steps steps)
{
    prover->statistics.queries++;
    const smt_answer *known = smt_recall(prover->memory, n, conjuncts, steps);
    prover->statistics.recalled += known != NULL;
    prover->statistics.leaned += known && known->by_solver;
    return known;
}

static smt_answer decide_anew(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps)
{
    smt_answer answer = decide(prover, prover->ctx, n, conjuncts, steps);
    prover->statistics.leaned += answer.by_solver;
    if (answer.why <= SMT_WHY_STEPS || answer.why == SMT_WHY_TIMEOUT)
        smt_remember(prover->memory, n, conjuncts, steps, &answer);
    return answer;
}

smt_answer smt_check(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps,
                     const char *name)
{
    TR_ASSERT(n == 0 || conjuncts);
    const char *kept = smt_keep(prover, n, conjuncts, name);
    const smt_answer *known = recall(prover, n, conjuncts, steps);
    smt_answer answer = known ? *known : decide_anew(prover, n, conjuncts, steps);
    smt_keep_answer(prover, kept, n, conjuncts, name, answer.verdict);
    return answer;
}

static smt_verdict find_verdict(smt_prover *prover, size_t n, const smt_t *conjuncts,
                                smt_steps steps)
{
    const smt_answer *known = recall(prover, n, conjuncts, steps);
    if (known)
        return known->verdict;
    if (smt_recall_model(prover->memory, n, conjuncts)) {
        prover->statistics.recalled++;
        return SMT_SAT;
    }
    return decide_anew(prover, n, conjuncts, steps).verdict;
}

smt_verdict smt_check_verdict(smt_prover *prover, size_t n, const smt_t *conjuncts, smt_steps steps,
                              const char *name)
{
    TR_ASSERT(n == 0 || conjuncts);
    const char *kept = smt_keep(prover, n, conjuncts, name);
    smt_verdict verdict = find_verdict(prover, n, conjuncts, steps);
    smt_keep_answer(prover, kept, n, conjuncts, name, verdict);
    return verdict;
}

/* ---- Section: Small models ---- */

static smt_t at_most(smt_ctx *ctx, smt_t term, smt_int size)
{
    return smt_and(ctx, smt_le(ctx, term, smt_int_const(ctx, size)),
                   smt_ge(ctx, term, smt_int_const(ctx, -size)));
}

static smt_int root(smt_int square)
{
    smt_int low = 0, high = (smt_int)1 << 62;
    while (low < high) {
        smt_int middle = (low + high + 1) / 2;
        if (middle <= square / middle)
            low = middle;
        else
            high = middle - 1;
    }
    return low;
}

/* Returns a number above `low` and below `high`, two apart at least; far from each other, on a
 * scale of powers. */
static smt_int between(smt_int low, smt_int high)
{
    smt_int square;
    if (high - low >= 6 && !__builtin_mul_overflow(low + 2, high + 1, &square)) {
        smt_int middle = root(square) - 1;
        if (middle > low)
            return middle;
    }
    return (low + high) / 2;
}

/* A model that is made small. */
typedef struct shrinking {
    smt_prover *prover;
    smt_ctx *ctx;
    smt_t *facts;      /* the question's, and the sizes reached */
    smt_steps until;   /* of the context's steps */
    smt_steps most;    /* for one size */
    smt_answer answer; /* with the least model so far */
} shrinking;

/* Is there a model in which `term` is this small? A small model is easier to read and to replay,
 * and no verdict waits for the smallest: a size that is not decided halves the steps for those that
 * follow, which are harder, as each keeps the sizes before it. */
static smt_verdict shrink_to(shrinking *s, smt_t term, smt_int size)
{
    smt_steps left = smt_steps_left(s->ctx, s->until);
    arrput(s->facts, at_most(s->ctx, term, size));
    smt_answer smaller = decide(s->prover, s->ctx, arrlenu(s->facts), s->facts,
                                left / 4 < s->most ? left / 4 : s->most);
    (void)arrpop(s->facts);
    if (smaller.verdict == SMT_UNKNOWN)
        s->most /= 2;
    if (smaller.verdict == SMT_SAT) {
        smaller.strategy = s->answer.strategy;
        s->prover->statistics.leaned += smaller.by_solver;
        s->answer = smaller;
    }
    return smaller.verdict;
}

/* Bisects the least size of `term`: few steps from any first value. Where two sizes in a row are
 * too small, the value is most often the least one already, and one question shows it. Where a
 * second size is not decided, the one that was reached will do. */
static void shrink_term(shrinking *s, smt_t term)
{
    enum { REFUSED = 2, OPEN = 2 };
    smt_int value, low = -1; /* not at or below */
    if (!smt_model_eval(s->answer.model, term, &value))
        return;
    smt_int high = value < 0 ? -value : value;
    unsigned refused = 0, open = 0; /* in a row; in all */
    while (low + 1 < high && open < OPEN && smt_steps_left(s->ctx, s->until) > 0) {
        smt_int middle = refused == REFUSED ? high - 1 : between(low, high);
        smt_verdict verdict = shrink_to(s, term, middle);
        open += verdict == SMT_UNKNOWN;
        if (verdict == SMT_SAT && smt_model_eval(s->answer.model, term, &value)) {
            high = value < 0 ? -value : value;
            refused = 0;
        } else {
            low = middle;
            refused++;
        }
    }
    arrput(s->facts, at_most(s->ctx, term, high));
}

smt_answer smt_check_small(smt_prover *prover, size_t n, const smt_t *conjuncts, size_t n_small,
                           const smt_t *small, smt_steps steps, const char *name)
{
    TR_ASSERT(n_small == 0 || small);
    smt_steps until = smt_steps_taken(prover->ctx) + steps;
    smt_answer answer = smt_check(prover, n, conjuncts, steps, name);
    if (answer.verdict != SMT_SAT || n_small == 0)
        return answer;
    smt_ctx *scratch = smt_ctx_new_within(prover->ctx);
    smt_steps share = smt_steps_taken(prover->ctx) + SHRINK_ALL;
    shrinking s = {prover, scratch, NULL, share < until ? share : until, SHRINK_STEPS, answer};
    smt_t *terms = TR_NEW_ARRAY(scratch->arena, smt_t, n_small);
    arrsetlen(s.facts, n);
    smt_import(scratch, n, conjuncts, s.facts);
    smt_import(scratch, n_small, small, terms);
    s.answer.model = smt_model_translate(answer.model, scratch, prover->arena, UINT32_MAX);
    for (size_t i = 0; i < n_small; i++)
        shrink_term(&s, terms[i]);
    answer = s.answer;
    answer.model = smt_model_translate(answer.model, prover->ctx, prover->arena, UINT32_MAX);
    arrfree(s.facts);
    smt_ctx_free(scratch);
    return answer;
}

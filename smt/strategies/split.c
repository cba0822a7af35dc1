/* Case split on pairs of variables that are multiplied by the same: equal, less or greater.
 *
 * Equal: one variable is left, and what was different only by it becomes one term. Less: the
 * greater is written as the lesser + 1 + gap with gap >= 0, so that d*y - d*x >= d is plain to see.
 * The cases cover everything; the goal is refuted when all are. */
#include "goal/goal.h"
#include "solver/answer.h"
#include "solver/ask.h"
#include "solver/task.h"
#include "strategies/strategy.h"
#include "terms/poly.h"

#include "base/ds.h"

enum { MAX_DEPTH = 5, NODE = 60 * 1000, MAX_SUMMANDS = 4000 };

/* ---- Section: Which pair ---- */

/* A variable and what it is multiplied by, in one summand of a fact. */
typedef struct occurrence {
    smt_t variable, cofactor; /* cofactor: NULL for a number */
    smt_int coef;
    uint32_t fact;
} occurrence;

typedef struct pair_key {
    smt_t x, y;
} pair_key;

typedef struct pair_score {
    pair_key key;
    int value;
} pair_score;

static void note(occurrence **list, smt_ctx *ctx, smt_mono mono, uint32_t fact)
{
    if (mono.term->kind == SMT_VAR && (mono.coef > 1 || mono.coef < -1)) {
        arrput(*list, ((occurrence){mono.term, NULL, mono.coef, fact}));
        return;
    }
    for (uint32_t i = 0; mono.term->kind == SMT_PROD && i < mono.term->n_args; i++) {
        smt_t factor = mono.term->args[i];
        if (factor->kind != SMT_VAR || (i > 0 && mono.term->args[i - 1] == factor))
            continue;
        smt_t rest = smt_mono_divide(ctx, mono.term, factor);
        arrput(*list, ((occurrence){factor, rest, mono.coef, fact}));
    }
}

static occurrence *find_occurrences(smt_ctx *ctx, const smt_goal *goal)
{
    occurrence *list = NULL;
    for (uint32_t i = 0; i < arrlenu(goal->facts); i++) {
        smt_t fact = goal->facts[i];
        if (fact->kind != SMT_EQ)
            continue;
        smt_t sum = fact->args[0];
        for (size_t k = 0; k < smt_n_monos(sum) && arrlenu(list) < MAX_SUMMANDS; k++)
            note(&list, ctx, smt_mono_at(sum, k), i);
    }
    return list;
}

/* Pairs that face each other in an equation first, then those with the same factor in two. */
static int score(const occurrence *a, const occurrence *b)
{
    if (a->cofactor != b->cofactor || (a->coef != b->coef && a->coef != -b->coef))
        return 0;
    bool facing = a->fact == b->fact && a->coef == -b->coef;
    bool apart = a->fact != b->fact && a->cofactor;
    return facing ? 100 : apart ? 10 : 0;
}

static bool choose_pair(smt_ctx *ctx, const smt_goal *goal, pair_key *best)
{
    occurrence *list = find_occurrences(ctx, goal);
    pair_score *scores = NULL;
    for (size_t i = 0; i < arrlenu(list); i++) {
        for (size_t k = i + 1; k < arrlenu(list); k++) {
            const occurrence *a = &list[i], *b = &list[k];
            int points = a->variable == b->variable ? 0 : score(a, b);
            if (points == 0)
                continue;
            bool in_order = a->variable->id < b->variable->id;
            pair_key key = {in_order ? a->variable : b->variable,
                            in_order ? b->variable : a->variable};
            ptrdiff_t at = hmgeti(scores, key);
            hmput(scores, key, points + (at >= 0 ? scores[at].value : 0));
        }
    }
    int most = 0;
    for (ptrdiff_t i = 0; i < hmlen(scores); i++) {
        if (scores[i].value > most) {
            most = scores[i].value;
            *best = scores[i].key;
        }
    }
    hmfree(scores);
    arrfree(list);
    return most >= 10;
}

/* ---- Section: Search ---- */

typedef struct search {
    smt_task *task;
    smt_steps until;
    smt_steps node; /* for the solver at each node */
    bool is_sat;    /* a case has a model: task->answer */
} search;

static bool refute(search *s, smt_goal *goal, int depth);

/* y = x + 1 + gap */
static void order_pair(smt_ctx *ctx, smt_goal *goal, smt_t x, smt_t y)
{
    smt_int most = SMT_NO_HIGH;
    if (y->high != SMT_NO_HIGH && x->low != SMT_NO_LOW)
        most = y->high - x->low - 1;
    if (most < 0) {
        goal->is_false = true;
        return;
    }
    smt_t gap = smt_fresh(ctx, "gap", 0, most);
    smt_t greater = smt_add(ctx, smt_add(ctx, x, gap), smt_int_const(ctx, 1));
    smt_goal_define(ctx, goal, y, greater);
}

static bool refute_case(search *s, const smt_goal *goal, const pair_key *pair, int which, int depth)
{
    smt_ctx *ctx = s->task->ctx;
    smt_goal own;
    smt_goal_copy(&own, goal);
    s->task->prover->statistics.splits++;
    if (which == 0)
        smt_goal_define(ctx, &own, pair->y, pair->x);
    else if (which == 1)
        order_pair(ctx, &own, pair->x, pair->y);
    else
        order_pair(ctx, &own, pair->y, pair->x);
    smt_goal_simplify(ctx, &own, SMT_ELIMINATE_LINEAR);
    bool refuted = refute(s, &own, depth);
    smt_goal_free(&own);
    return refuted;
}

/* Is the goal unsatisfiable? False when that is not known, or a model was found. */
static bool refute(search *s, smt_goal *goal, int depth)
{
    pair_key pair;
    if (smt_goal_refute(s->task->ctx, goal, smt_left(s->task, s->until)))
        return true;
    smt_steps left = smt_left(s->task, s->until);
    if (left == 0)
        return false;
    bool more = depth < MAX_DEPTH && choose_pair(s->task->ctx, goal, &pair);
    smt_steps steps = more ? s->node : 3 * s->node;
    if (smt_ask(s->task, goal, steps < left ? steps : left, "split")) {
        s->is_sat = s->task->answer.verdict == SMT_SAT;
        return !s->is_sat;
    }
    for (int which = 0; which < 3 && more; which++) {
        if (!refute_case(s, goal, &pair, which, depth + 1))
            return false;
    }
    return more;
}

bool smt_try_split(smt_task *task, smt_goal *goal, smt_steps until)
{
    smt_goal_simplify(task->ctx, goal, SMT_ELIMINATE_LINEAR);
    search s = {task, until, (smt_steps)NODE * task->scale, false};
    if (refute(&s, goal, 0))
        return smt_decided(task, SMT_UNSAT, NULL, "split");
    if (s.is_sat)
        return true;
    /* A case that was refuted on the way is no answer for the whole. */
    if (task->answer.verdict != SMT_UNKNOWN)
        task->answer = (smt_answer){.verdict = SMT_UNKNOWN,
                                    .why = SMT_WHY_STEPS,
                                    .why_text = "A case could not be decided in these steps."};
    return false;
}

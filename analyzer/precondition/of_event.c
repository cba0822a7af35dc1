/* Finds what the launch has to guarantee so that one event is defined, in every block and
 * iteration: as facts that a contract can state, and in words where there is no such fact. */
#include "precondition/of_event.h"

#include "contract/expression.h"
#include "precondition/added.h"
#include "precondition/blocks.h"
#include "precondition/contents_range.h"
#include "precondition/life.h"
#include "precondition/lift.h"
#include "precondition/starved.h"
#include "precondition/stated.h"
#include "question/ask.h"
#include "question/assumed.h"
#include "question/checker.h"
#include "question/exact_contents.h"
#include "question/layout.h"
#include "question/parts_within.h"
#include "question/term_words.h"

#include "base/ds.h"

typedef struct wanted {
    checker *k;
    precondition_kind kind;
    smt_t guard;    /* what the launch alone decides of the path */
    smt_t path;     /* and facts */
    smt_t when;     /* the path, and what holds before the event */
    smt_t all;      /* all that must hold, for hints */
    smt_steps most; /* for one question */
} wanted;

/* ---- Section: facts as people write them ---- */

/* a / d + r <= 0 with d > 0 is a < d * (1 - r): `grid.x <= b * h`, not `(grid.x - 1) / h < b`.
 * c - a / d <= 0 with numbers c and d > 0 is c * d <= a: `n > 0`, not `(n + 63) / 64 > 0`.
 * *positive: that the divisors which this took away are. */
static smt_t without_quotient(checker *k, smt_t fact, smt_t *positive)
{
    smt_ctx *ctx = k->ctx;
    if (fact->kind != SMT_LE || fact->args[0]->kind != SMT_SUM)
        return NULL;
    smt_t sum = fact->args[0], one = smt_int_const(ctx, 1);
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t quotient = sum->args[i];
        if (quotient->kind != SMT_DIV)
            continue;
        smt_t divisor = quotient->args[1];
        smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, quotient, sum->coefs[i]));
        smt_t above = smt_lt(ctx, smt_int_const(ctx, 0), divisor);
        smt_int number;
        bool ends = smt_is_const(divisor, &number) && smt_is_true(above);
        if (sum->coefs[i] == 1) {
            *positive = smt_and(ctx, *positive, above);
            return smt_lt(ctx, quotient->args[0], smt_mul(ctx, divisor, smt_sub(ctx, one, rest)));
        }
        if (sum->coefs[i] == -1 && ends && smt_is_const(rest, NULL))
            return smt_le(ctx, smt_scale(ctx, rest, number), quotient->args[0]);
    }
    return NULL;
}

/* max(a, b) <= c is a <= c && b <= c, and so on. NULL: no such thing in it. */
static smt_t without_extreme(checker *k, smt_t fact, smt_t *positive)
{
    (void)positive;
    smt_ctx *ctx = k->ctx;
    smt_t sum = fact->kind == SMT_LE ? fact->args[0] : NULL, zero = smt_int_const(ctx, 0);
    size_t n = !sum ? 0 : sum->kind == SMT_SUM ? sum->n_args : 1;
    for (size_t i = 0; i < n; i++) {
        smt_t choice = sum->kind == SMT_SUM ? sum->args[i] : sum;
        smt_int coef = sum->kind == SMT_SUM ? sum->coefs[i] : 1;
        if (choice->kind != SMT_ITE)
            continue;
        bool is_min = smt_min(ctx, choice->args[1], choice->args[2]) == choice;
        bool is_max = smt_max(ctx, choice->args[1], choice->args[2]) == choice;
        if (!is_min && !is_max)
            continue;
        smt_t rest = smt_sub(ctx, sum, smt_scale(ctx, choice, coef)), part[2];
        for (int b = 0; b < 2; b++)
            part[b] =
                smt_le(ctx, smt_add(ctx, rest, smt_scale(ctx, choice->args[1 + b], coef)), zero);
        return (coef > 0) == is_max ? smt_and(ctx, part[0], part[1])
                                    : smt_or(ctx, part[0], part[1]);
    }
    return NULL;
}

typedef struct tidying {
    checker *k;
    smt_t (*change)(checker *, smt_t, smt_t *);
    smt_t positive; /* what the changes rest on */
    int left;       /* changes */
} tidying;

static smt_t tidy(tidying *t, smt_t fact)
{
    smt_t changed = t->left > 0 ? t->change(t->k, fact, &t->positive) : NULL;
    if (changed) {
        t->left--;
        return tidy(t, changed);
    }
    if (fact->kind != SMT_AND && fact->kind != SMT_OR)
        return fact;
    bool is_and = fact->kind == SMT_AND;
    smt_t all = smt_bool_const(t->k->ctx, is_and);
    for (uint32_t i = 0; i < fact->n_args && t->left > 0; i++) {
        smt_t part = tidy(t, fact->args[i]);
        all = is_and ? smt_and(t->k->ctx, all, part) : smt_or(t->k->ctx, all, part);
    }
    return all;
}

/* A fact after more changes could not be checked by people, and the number of changes may double
 * with each choice. */
enum { MOST_TIDIED = 200 };

/* The fact with `change` made wherever it applies, which leaves what it says where *positive holds.
 * NULL: it applies too often. */
static smt_t tidied(checker *k, smt_t fact, smt_t (*change)(checker *, smt_t, smt_t *),
                    smt_t *positive)
{
    tidying t = {k, change, *positive, MOST_TIDIED};
    smt_t plain = tidy(&t, fact);
    *positive = t.positive;
    return t.left > 0 ? plain : NULL;
}

/* ---- Section: trying a fact ---- */

/* Steps for one question, and for one about the wording alone; the share of all steps for all
 * questions. Of 537 public modules no fact was ever shown to be enough in more steps than these.
 * After so many that were not decided in a kernel, the next one hardly ever is: half of the steps
 * are enough to see that. */
enum { ASK = 100 * 1000, WORDING = 50 * 1000, SHARE = 3, IN_VAIN = 4 };

static bool may_ask(const checker *k)
{
    return ask_left(k) > 0 && ask_taken(k) < k->effort.steps / SHARE;
}

static smt_verdict ask_with(const wanted *w, smt_t fact, smt_t also)
{
    checker *k = w->k;
    query conjuncts = query_with(k, query_of_launch(k), fact);
    query_add(k, &conjuncts, w->when);
    return ask_verdict(k, query_with(k, conjuncts, also), "require-event", w->most);
}

/* Asks whether the event can fail where the fact holds, with only those known facts that speak of
 * the same unknowns. A path lists all that did not go wrong before, and products of other unknowns
 * lead a solver astray. */
static smt_verdict ask_nearby(const wanted *w, smt_t fact, smt_t fails)
{
    checker *k = w->k;
    query near = query_with(k, query_with(k, (query){0}, fact), fails);
    near = query_with_parts(k, near, smt_and(k->ctx, k->known.launch, w->when),
                            smt_and(k->ctx, fact, fails));
    smt_steps most = k->effort.events_in_vain < IN_VAIN ? w->most : w->most / 2;
    smt_verdict verdict = ask_verdict(k, near, "require-event", most);
    k->effort.events_in_vain += verdict == SMT_UNKNOWN;
    return verdict;
}

/* A question that stays open with few facts is not decided with many. */
static bool always(const wanted *w, smt_t fact, smt_t safe)
{
    smt_t fails = smt_not(w->k->ctx, safe);
    if (!may_ask(w->k))
        return false;
    smt_verdict nearby = ask_nearby(w, fact, fails);
    return nearby == SMT_UNSAT || (nearby == SMT_SAT && ask_with(w, fact, fails) == SMT_UNSAT);
}

enum { STEPS = 16 };

/* Can something go wrong just past the fact? Else it asks for more than is needed. Where that is
 * not decided soon, the fact counts as weak, since it is proved to be enough. */
static bool is_weak(const wanted *w, smt_t fact, smt_t safe)
{
    smt_ctx *ctx = w->k->ctx;
    wanted briefly = *w;
    briefly.most = WORDING;
    if (fact->kind != SMT_LE)
        return true;
    smt_t just_past = smt_and(ctx, smt_lt(ctx, smt_int_const(ctx, 0), fact->args[0]),
                              smt_le(ctx, fact->args[0], smt_int_const(ctx, STEPS)));
    return ask_with(&briefly, just_past, smt_not(ctx, safe)) != SMT_UNSAT;
}

static bool speaks_of_grid(const checker *k, smt_t fact)
{
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(k->s->grid[axis], NULL) && smt_contains(fact, k->s->grid[axis]))
            return true;
    return false;
}

/* Returns the part of the path that the launch alone decides. */
static smt_t guard_of(checker *k, smt_t path)
{
    smt_t guard = smt_bool_const(k->ctx, true);
    bool all = path->kind == SMT_AND;
    for (uint32_t i = 0; i < (all ? path->n_args : 1); i++) {
        smt_t part = all ? path->args[i] : path;
        const char *why;
        if (term_is_launch_constant(k, part) && !speaks_of_grid(k, part) &&
            contract_expression_read(k->ctx, k->contract, term_words(k, part), false, &why).term)
            guard = smt_and(k->ctx, guard, part);
    }
    return guard;
}

/* The fact as it is judged. A branch such as `if (n < 4) tile_assert(m >= 4)` is taken by a whole
 * launch or not at all. Launches that do not take it need not keep the fact, and may need the
 * opposite, so the fact is required under the guard. A fact on the grid is judged without the
 * guard, since no branch may leave one tile block alone.
 */
static smt_t to_judge(const wanted *w, smt_t fact)
{
    return speaks_of_grid(w->k, fact) ? fact : smt_implies(w->k->ctx, w->guard, fact);
}

/* Does the contract speak of it already? Then it allows what breaks the fact. */
static bool is_stated(const wanted *w, smt_t fact)
{
    return w->kind == PRECONDITION_NO_WRAP ? require_contract_sizes(w->k, fact)
                                           : require_contract_constrains(w->k, fact);
}

/* Adds the fact when it is one, natural, enough and not too much. */
static bool accept(const wanted *w, smt_t fact, smt_t safe)
{
    checker *k = w->k;
    smt_t positive = smt_bool_const(k->ctx, true);
    fact = fact ? tidied(k, fact, without_extreme, &positive) : NULL;
    if (!fact || smt_is_true(fact) || smt_is_false(fact) || !term_is_of_launch(k, fact) ||
        is_stated(w, fact) || !always(w, fact, safe) || require_forces_axis(k, to_judge(w, fact)) ||
        ask_with(w, fact, smt_bool_const(k->ctx, true)) != SMT_SAT || !is_weak(w, fact, safe) ||
        require_fact_starves(k, to_judge(w, fact)))
        return false;
    smt_t plain = tidied(k, fact, without_quotient, &positive);
    /* Both facts say the same where the event happens, so the plainer one is enough. */
    if (plain && plain != fact && always(w, plain, positive))
        fact = plain;
    fact = smt_implies(k->ctx, w->guard, fact);
    require_add(k, precondition_of_term(w->kind, fact), fact);
    return true;
}

/* ---- Section: contents of tables ---- */

/* `table[i] < end` or `table[i] >= start`, which some table meets: the element and the bound. */
static smt_t element_in(checker *k, smt_t safe, int *arg, contents_range *range)
{
    smt_ctx *ctx = k->ctx;
    smt_t sum = safe->kind == SMT_LE ? safe->args[0] : NULL, element = NULL;
    smt_int coef = 1;
    if (sum && sum->kind != SMT_SUM)
        sum = smt_add(ctx, sum, smt_int_const(ctx, 1)); /* the shape of a sum */
    for (uint32_t i = 0; sum && sum->kind == SMT_SUM && i < sum->n_args; i++) {
        if (term_is_launch_constant(k, sum->args[i]))
            continue;
        if (element || summary_contents_of(k->s, sum->args[i], NULL) < 0)
            return NULL;
        element = sum->args[i];
        coef = sum->coefs[i];
    }
    if (!element || (coef != 1 && coef != -1))
        return NULL;
    *arg = summary_contents_arg(k->s, element);
    smt_t rest = smt_sub(ctx, safe->args[0], smt_scale(ctx, element, coef));
    *range = (contents_range){.arg = *arg};
    if (coef == 1)
        range->high = smt_neg(ctx, rest);
    else
        range->low = rest;
    return element;
}

static bool holds_with(const wanted *w, const contents_range *range, smt_t safe)
{
    checker *k = w->k;
    const known_contents before = k->known.contents;
    assume_range(k, *range);
    bool holds = always(w, smt_bool_const(k->ctx, true), safe);
    k->known.contents = before;
    return holds;
}

/* Asks for the contents of a table in which the kernel looks an index up, where the contract says
 * nothing of it. */
static bool ask_for_contents(const wanted *w, smt_t safe)
{
    checker *k = w->k;
    int arg;
    contents_range range;
    smt_t element = element_in(k, safe, &arg, &range);
    if (!element || contents_are_given(k, arg) || require_contract_constrains(k, safe))
        return false;
    if (range.low) { /* -1 may stand for nothing, and be left out */
        contents_range weaker = range;
        weaker.low = smt_sub(k->ctx, range.low, smt_int_const(k->ctx, 1));
        if (holds_with(w, &weaker, safe))
            range = weaker;
        else if (!holds_with(w, &range, safe))
            return false;
    } else if (!holds_with(w, &range, safe)) {
        return false;
    }
    if (require_range_starves(k, &range, element))
        return false;
    require_contents(k, &range);
    return true;
}

/* ---- Section: one condition ---- */

/* It is undefined wherever it happens: `if (n > 16) tile_assert(false)` asks for n <= 16. */
static bool ask_for_other_way(const wanted *w)
{
    checker *k = w->k;
    smt_t fact = smt_not(k->ctx, w->guard);
    if (smt_is_false(fact) || require_contract_constrains(k, fact) ||
        require_forces_axis(k, fact) || smt_is_false(smt_and(k->ctx, k->known.launch, fact)) ||
        require_fact_starves(k, fact))
        return false;
    require_add(k, precondition_of_term(w->kind, fact), fact);
    return true;
}

/* One condition without `&&`; true when a fact makes it hold. */
static bool ask_for_one(const wanted *w, smt_t safe)
{
    checker *k = w->k;
    if (smt_is_true(safe) || always(w, smt_bool_const(k->ctx, true), safe))
        return true;
    if (smt_is_false(safe))
        return ask_for_other_way(w);
    /* Sizes among themselves say more of a launch than its grid does. */
    smt_t lifted = require_lift(k, safe, w->path), guesses[2 * REQUIRE_MOST_GUESSES];
    bool of_sizes = lifted && !speaks_of_grid(k, lifted);
    if (of_sizes && accept(w, lifted, safe))
        return true;
    size_t n = require_guess_swizzle(k, safe, guesses), n_blocks;
    n += require_guess_sizes(k, safe, guesses + n);
    for (size_t i = 0; i < n; i++)
        if (accept(w, guesses[i], safe))
            return true;
    /* The end of a remainder is a guess that is often stronger than needed. */
    bool remainder = require_has_remainder(k, safe);
    n_blocks = require_guess_blocks(k, safe, w->all, guesses);
    for (size_t i = 0; remainder && i < n_blocks; i++)
        if (accept(w, guesses[i], safe))
            return true;
    if ((!of_sizes && accept(w, lifted, safe)) || accept(w, require_lift(k, safe, w->when), safe))
        return true;
    for (size_t i = 0; !remainder && i < n_blocks; i++)
        if (accept(w, guesses[i], safe))
            return true;
    return ask_for_contents(w, safe);
}

enum { MAX_SEARCHED = 2000 }; /* subterms; nobody could check a precondition of more */

bool require_of_event(checker *k, precondition_kind kind, const ir_op *op, smt_t safe, smt_t path,
                      smt_t facts, smt_t assumed)
{
    smt_t taken = smt_and(k->ctx, path, facts);
    if (smt_is_larger(safe, MAX_SEARCHED) || smt_is_larger(taken, MAX_SEARCHED))
        return false;
    wanted w = {k, kind, guard_of(k, path), taken, smt_and(k->ctx, taken, assumed), safe, ASK};
    bool all = true;
    arrput(k->undefined.places, ((undefined_place){op, taken, assumed, safe, k->wraps.asking}));
    if (safe->kind != SMT_AND)
        return ask_for_one(&w, safe) || require_contents_of_event(k, safe, taken, w.when);
    for (uint32_t i = 0; i < safe->n_args; i++)
        all = (ask_for_one(&w, safe->args[i]) ||
               require_contents_of_event(k, safe->args[i], taken, w.when)) &&
              all;
    return all;
}

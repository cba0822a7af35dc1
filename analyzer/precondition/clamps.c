/* Clamps, remainders, quotients, cuts to a narrow type and choices in an address. A fact with which
 * such a value always takes one of its sides excuses the clamp, so it is no precondition. */
#include "precondition/clamps.h"

#include "precondition/life.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "question/two_events.h"

#include "base/ds.h"

enum { MAX_CHOICES = 8 };

/* ---- Section: clamps ---- */

typedef struct choice {     /* of the two sides of a clamp, or of whether a remainder wraps round */
    smt_t condition;        /* holds on the one side */
    smt_t taken_of, number; /* of a remainder: `taken_of % number`; else NULL */
    smt_t value;            /* the clamp or the remainder itself */
    bool is_cut;            /* the remainder is what a cut to a narrow type left */
} choice;

typedef struct choice_search {
    checker *k;
    smt_t bytes; /* of the access */
    choice found[MAX_CHOICES];
    size_t n;
} choice_search;

typedef struct own_search { /* what a term has of the block's own: ids, counters, coordinates */
    checker *k;
    smt_t *found; /* stb_ds array */
} own_search;

static void look_for_own(void *user, smt_t term)
{
    own_search *s = user;
    bool leaf = term->kind == SMT_VAR || summary_contents_of(s->k->s, term, NULL) >= 0;
    if (leaf && !term_is_launch_constant(s->k, term))
        arrput(s->found, term);
}

/* Has `a` something of the block's own that `b` has not? */
static bool has_more(checker *k, smt_t a, smt_t b)
{
    own_search s = {.k = k};
    bool more = false;
    smt_visit(k->ctx, a, look_for_own, &s);
    for (size_t i = 0; i < arrlenu(s.found) && !more; i++)
        more = !smt_contains(b, s.found[i]);
    arrfree(s.found);
    return more;
}

/* A clamp is recognised by what it does: on one side of the condition the address no longer
 * depends on something that it depends on at the other, so that a whole range of that is sent to
 * one place. `s - (s > n) * (s - n)` is one, as `min(s, n)` is. A value that stands for nothing of
 * the block's own where it is not looked up (`i < n ? table[i] : 0`) is none: the look-up is what
 * the condition guards. */
static bool ends_a_range(const choice_search *s, smt_t term)
{
    checker *k = s->k;
    smt_t condition = term->args[0];
    own_search of_table = {.k = k};
    bool guards = false;
    for (int side = 1; side < 3; side++)
        smt_visit(k->ctx, term->args[side], look_for_own, &of_table);
    for (size_t i = 0; i < arrlenu(of_table.found); i++)
        guards |= of_table.found[i]->kind != SMT_VAR && !smt_contains(condition, of_table.found[i]);
    arrfree(of_table.found);
    if (guards)
        return false;
    smt_t yes = smt_assume(k->ctx, s->bytes, condition);
    smt_t no = smt_assume(k->ctx, s->bytes, smt_not(k->ctx, condition));
    return has_more(k, yes, no) || has_more(k, no, yes);
}

/* A remainder by a constant may be written as that of a number that is some multiples larger, so
 * that which of the two is meant is not seen: neither of them wraps round in both directions. Where
 * a factor was taken out of both, `2 * i + 1` and its negation `2 * (-i - 1) + 1`, their sum is one
 * less. */
static bool is_shifted(smt_ctx *ctx, const choice *a, const choice *b)
{
    smt_int sum, number;
    return smt_is_const(a->number, &number) && number > 0 &&
           smt_is_const(smt_add(ctx, a->taken_of, b->taken_of), &sum) &&
           (sum % number == 0 || (sum + 1) % number == 0);
}

static smt_t is_within(smt_ctx *ctx, const choice *c)
{
    return smt_and(ctx, smt_lt(ctx, smt_neg(ctx, c->number), c->taken_of),
                   smt_lt(ctx, c->taken_of, c->number));
}

/* A remainder that C takes of what may be negative is one of the number or one of its negation: it
 * wraps round where either does. */
static void add_choice(choice_search *s, choice new)
{
    smt_ctx *ctx = s->k->ctx;
    for (size_t i = 0; i < s->n; i++) {
        choice *old = &s->found[i];
        if (new.condition && old->condition == new.condition)
            return;
        if (new.number &&new.number == old->number && smt_neg(ctx, new.taken_of) == old->taken_of) {
            old->condition = smt_and(ctx, old->condition, new.condition);
            return;
        }
        if (new.number &&new.number == old->number && is_shifted(ctx, &new, old)) {
            old->condition = smt_or(ctx, is_within(ctx, old), is_within(ctx, &new));
            return;
        }
    }
    if (s->n < MAX_CHOICES)
        s->found[s->n++] = new;
}

static bool is_extreme(smt_ctx *ctx, smt_t term)
{
    return term->kind == SMT_ITE && (smt_min(ctx, term->args[1], term->args[2]) == term ||
                                     smt_max(ctx, term->args[1], term->args[2]) == term);
}

/* Returns what holds where the side is taken. A minimum of two equal numbers takes neither. */
static smt_t side_of(smt_ctx *ctx, const choice *c, int side)
{
    smt_t by = side ? smt_not(ctx, c->condition) : c->condition;
    if (is_extreme(ctx, c->value))
        by = smt_and(ctx, by, smt_ne(ctx, c->value->args[1], c->value->args[2]));
    return by;
}

/* A remainder, or a quotient. */
static choice remainder_choice(smt_ctx *ctx, smt_t term)
{
    smt_t of = term->args[0], number = term->args[1];
    return (choice){
        .condition = smt_lt(ctx, of, number), .taken_of = of, .number = number, .value = term};
}

/* Does a number take steps of two or more, by whatever of the block's own it moves? */
static bool is_stepped(const checker *k, smt_t number)
{
    bool stepped = number->kind == SMT_SUM;
    for (uint32_t i = 0; stepped && i < number->n_args; i++)
        stepped = term_is_launch_constant(k, number->args[i]) || number->coefs[i] > 1 ||
                  number->coefs[i] < -1;
    return stepped;
}

/* `(2 * i - 3) % 17` keeps below its largest value where `i` lies between 2 and 15, though it wraps
 * round: there it may be taken for one of 16. */
static void add_largest(choice_search *s, smt_t remainder)
{
    smt_ctx *ctx = s->k->ctx;
    smt_t number = remainder->args[1], one = smt_int_const(ctx, 1);
    if (smt_is_const(number, NULL) && is_stepped(s->k, remainder->args[0]))
        add_choice(s, (choice){.condition = smt_ne(ctx, remainder, smt_sub(ctx, number, one)),
                               .value = remainder});
}

static void look_for_clamp(void *user, smt_t term)
{
    choice_search *s = user;
    smt_ctx *ctx = s->k->ctx;
    if (smt_is_bool(term) || term_is_launch_constant(s->k, term))
        return;
    if (summary_is_cut(s->k->s, term))
        add_choice(s, (choice){.value = term, .is_cut = true});
    else if (term->kind == SMT_MOD || term->kind == SMT_DIV)
        add_choice(s, remainder_choice(ctx, term));
    if (term->kind == SMT_MOD)
        add_largest(s, term);
    if (is_extreme(ctx, term) || (term->kind == SMT_ITE && ends_a_range(s, term)))
        add_choice(s, (choice){.condition = term->args[0], .value = term});
}

static bool may_happen(checker *k, const ix_access *a, smt_t condition, smt_t fact)
{
    query conjuncts = {0};
    copy_add_event(k, &conjuncts, a, COPY_NONE, 0);
    query_add(k, &conjuncts, condition);
    return ask_briefly(k, query_with(k, conjuncts, fact), "require-clamp") != SMT_UNSAT;
}

/* May two numbers that differ be equal after the cut, in two events of the access? */
static bool may_merge(checker *k, const ix_access *a, smt_t cut, smt_t fact)
{
    enum { BOTH = 2 };
    smt_t of[BOTH], left[BOTH];
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, a, COPY_OTHER_BLOCK);
    for (int i = 0; i < BOTH; i++) {
        of[i] = copy_term(k, cut->args[0], COPY_OTHER_BLOCK, i);
        left[i] = copy_term(k, cut, COPY_OTHER_BLOCK, i);
        /* The fact may be of the event. */
        query_add(k, &conjuncts, copy_term(k, fact, COPY_OTHER_BLOCK, i));
    }
    query_add(k, &conjuncts, smt_ne(k->ctx, of[0], of[1]));
    query_add(k, &conjuncts, smt_eq(k->ctx, left[0], left[1]));
    return ask_briefly(k, conjuncts, "require-cut") != SMT_UNSAT;
}

/* Is that side of the choice taken in some event? A remainder that always wraps round, and a
 * quotient that is never 0, clamp all the same: there one side is that the choice is made at all.
 * For a cut, the other side is that it makes two numbers equal. */
static bool may_take(checker *k, const ix_access *a, const choice *c, int side, smt_t fact)
{
    if (side == 0 && (c->number || c->is_cut))
        return may_happen(k, a, smt_bool_const(k->ctx, true), fact);
    if (c->is_cut)
        return may_merge(k, a, c->value, fact);
    return may_happen(k, a, side_of(k->ctx, c, side), fact);
}

static choice_search clamps_of(checker *k, const ix_access *a)
{
    choice_search s = {.k = k, .bytes = a->bytes};
    smt_visit(k->ctx, a->bytes, look_for_clamp, &s);
    return s;
}

smt_t require_without(checker *k, smt_t condition, smt_t clamp)
{
    if (condition->kind != SMT_AND)
        return smt_contains(condition, clamp) ? smt_bool_const(k->ctx, true) : condition;
    smt_t rest = smt_bool_const(k->ctx, true);
    for (uint32_t i = 0; i < condition->n_args; i++)
        rest = smt_and(k->ctx, rest, require_without(k, condition->args[i], clamp));
    return rest;
}

/* The access without what leaves it out by the clamped value itself, which is no clamp that stopped
 * to clamp: `i < n ? i : nowhere` is masked at an end that `nowhere` lies behind, and goes on
 * giving `nowhere`. A mask that speaks of `i` stays: `i < end` keeps `min(i, n)` from clamping. */
static ix_access unmasked(checker *k, const ix_access *a, smt_t clamp)
{
    ix_access all = *a;
    all.path = require_without(k, a->path, clamp);
    all.mask = require_without(k, a->mask, clamp);
    return all;
}

uint32_t require_sides_taken(checker *k, const ix_access *a, smt_t fact, bool masked)
{
    choice_search s = clamps_of(k, a);
    uint32_t taken = 0;
    for (size_t i = 0; i < s.n; i++) {
        ix_access all = masked ? *a : unmasked(k, a, s.found[i].value);
        for (int side = 0; side < 2; side++)
            taken |= (uint32_t)may_take(k, &all, &s.found[i], side, fact) << (2 * i + (size_t)side);
    }
    return taken;
}

bool require_stops_clamping(checker *k, const ix_access *a, smt_t fact)
{
    choice_search s = clamps_of(k, a);
    smt_t any = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < s.n; i++)
        for (int side = 0; side < 2; side++) {
            ix_access all = unmasked(k, a, s.found[i].value);
            if (!may_take(k, &all, &s.found[i], side, fact) &&
                may_take(k, a, &s.found[i], side, any))
                return true;
        }
    return false;
}

/* ---- Section: choices of the launch ---- */

enum { NARROW = 1 << 16 };

/* `min(n, 8)`, `flag ? n : 1`, `n % 8` in an address. What does not fit a wide integer is left to
 * the questions about wrapping. */
static void look_for_launch_choice(void *user, smt_t term)
{
    choice_search *s = user;
    smt_int by;
    if (smt_is_bool(term) || !term_is_launch_constant(s->k, term))
        return;
    if (term->kind == SMT_ITE)
        add_choice(s, (choice){.condition = term->args[0], .value = term});
    else if (term->kind == SMT_MOD && (!smt_is_const(term->args[1], &by) || by <= NARROW))
        add_choice(s, remainder_choice(s->k->ctx, term));
}

/* The condition that the access happens in a launch whose sizes and grid extents are two or more. A
 * parameter that only decides a choice, and is nowhere else in the address, is no size. */
static query choice_life(checker *k, const ix_access *a, const choice_search *s)
{
    smt_ctx *ctx = k->ctx;
    smt_t *sizes = require_sizes_in(k, a, a);
    query life = {0};
    copy_add_event(k, &life, a, COPY_NONE, 0);
    for (int axis = 0; axis < 3; axis++)
        if (k->s->reads_axis[axis])
            require_wish_for(k, &life, smt_le(ctx, smt_int_const(ctx, 2), k->s->grid[axis]));
    for (size_t i = 0; i < arrlenu(sizes) && i < REQUIRE_MOST_WISHES; i++) {
        bool is_flag = false;
        for (size_t c = 0; c < s->n && !is_flag; c++) {
            smt_t by = s->found[c].condition;
            is_flag = smt_contains(by, sizes[i]) &&
                      !smt_contains(smt_assume(ctx, a->bytes, by), sizes[i]) &&
                      !smt_contains(smt_assume(ctx, a->bytes, smt_not(ctx, by)), sizes[i]);
        }
        if (!is_flag)
            require_wish_for(k, &life, smt_le(ctx, smt_int_const(ctx, 2), sizes[i]));
    }
    arrfree(sizes);
    return life;
}

/* Launches of sizes come to both sides of a choice of their own in the address, and to one alone
 * where the fact holds: `n <= min(n, 8)` for a pitch that is this minimum says that it is none. Of
 * a remainder that is the side on which it wraps round. */
bool require_stops_choosing(checker *k, const ix_access *a, smt_t fact)
{
    choice_search s = {.k = k, .bytes = a->bytes};
    smt_visit(k->ctx, a->bytes, look_for_launch_choice, &s);
    if (s.n == 0)
        return false;
    bool stops = false;
    query life = choice_life(k, a, &s);
    for (size_t i = 0; i < s.n && !stops; i++)
        for (int side = s.found[i].number ? 1 : 0; side < 2 && !stops; side++) {
            if (!require_bears_on(k, fact, s.found[i].condition))
                continue;
            query there = query_with(k, life, side_of(k->ctx, &s.found[i], side));
            stops = ask_briefly(k, query_with(k, there, fact), "require-choice") == SMT_UNSAT &&
                    ask_briefly(k, there, "require-choice") == SMT_SAT;
        }
    return stops;
}

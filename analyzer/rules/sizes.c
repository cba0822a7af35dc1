/* Parameters that are sizes by what the kernel makes of them: extents, and what divisors are
 * computed from.
 *
 * Where nobody states how small a parameter is, an extent is not negative and a divisor is
 * positive: that is required anyway, whatever is stated of other parameters. A contract may say it
 * in other words, or nothing of the sign of an extent. Known before the walk, it is part of the
 * parameters' ranges, and most choices by sign are no longer in the terms. */
#include "rules/sizes.h"

#include "precondition/added.h"
#include "precondition/reached.h"
#include "precondition/stated.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/layout.h"
#include "witness/launches.h"

#include "base/ds.h"

#include <string.h>

typedef struct sizes {
    checker *k;
    reach reach;
    smt_int *least; /* by parameter */
    bool any;
} sizes;

/* Steps. Of a thousand modules no sign was ever settled in more than a quarter of these; one that
 * is not is one fact less known before the walk. */
enum { ASK = 10 * 1000 };

static bool never(checker *k, smt_t a, smt_t b)
{
    return ask_never(k, smt_and(k->ctx, a, b), "size", ASK);
}

/* Returns the term with block ids 0: such a block is there in every launch. */
static smt_t in_first_block(checker *k, smt_t term)
{
    smt_t from[3], to[3];
    size_t n = 0;
    for (int axis = 0; axis < 3; axis++)
        if (!smt_is_const(k->s->block_id[axis], NULL)) {
            from[n] = k->s->block_id[axis];
            to[n++] = smt_int_const(k->ctx, 0);
        }
    return smt_substitute(k->ctx, term, n, from, to);
}

/* ---- Section: divisors that may pass 0 without being 0 ---- */

enum { JUMP = 1000 }; /* a change that is not known, or as large */

static smt_int add_changes(smt_int a, smt_int b)
{
    return a + b < JUMP ? a + b : JUMP;
}

/* Is the term the number of rows of a group, min(c, m - c * (id / w)), where the last group is
 * shorter? It counts how many rows are left, and the launch is meant to have as many blocks as
 * there are groups. */
static bool is_last_group(checker *k, smt_t choice)
{
    smt_ctx *ctx = k->ctx;
    for (int side = 1; side <= 2; side++) {
        smt_t whole = choice->args[side], rest = choice->args[3 - side];
        if (!term_is_launch_constant(k, whole) || rest->kind != SMT_SUM)
            continue;
        for (uint32_t i = 0; i < rest->n_args; i++) {
            smt_t part = rest->args[i], group = part;
            for (uint32_t j = 0; part->kind == SMT_PROD && j < part->n_args; j++)
                group = part->args[j]->kind == SMT_DIV ? part->args[j] : group;
            if (group->kind == SMT_DIV &&
                term_is_launch_constant(k, smt_add(ctx, rest, smt_mul(ctx, whole, group))))
                return smt_min(ctx, whole, rest) == choice;
        }
    }
    return false;
}

/* Where both sides of a choice hold another choice, there are twice as many ways as through that
 * one. */
enum { MOST_WAYS = 2000 };

typedef struct change_search {
    checker *k;
    smt_t variable; /* a block id or a counter */
    int left;       /* terms that are looked at, on all ways */
} change_search;

/* By how much the term changes at most when the variable grows by 1, as a magnitude; JUMP: by
 * anything. Sums, quotients by what the launch fixes, and minima and maxima are followed. */
static smt_int change_in(change_search *s, smt_t term)
{
    checker *k = s->k;
    smt_int change = 0, size = 1;
    if (term == s->variable)
        return 1;
    if (!smt_contains(term, s->variable) || term->kind == SMT_APP)
        return 0;
    if (s->left-- <= 0)
        return JUMP;
    if (term->kind == SMT_SUM) {
        for (uint32_t i = 0; i < term->n_args; i++) {
            smt_int own = change_in(s, term->args[i]), coef = term->coefs[i];
            coef = coef < 0 ? -coef : coef;
            change = add_changes(change, own && coef >= JUMP ? JUMP : own * coef);
        }
        return change;
    }
    if (term->kind == SMT_DIV && term_is_launch_constant(k, term->args[1])) {
        change = change_in(s, term->args[0]);
        if (change == JUMP || !smt_is_const(term->args[1], &size) || size < 1)
            return change;
        return change / size + (change % size != 0);
    }
    bool extreme =
        term->kind == SMT_ITE && (smt_min(k->ctx, term->args[1], term->args[2]) == term ||
                                  smt_max(k->ctx, term->args[1], term->args[2]) == term);
    if (!extreme)
        return JUMP;
    if (is_last_group(k, term))
        return 1;
    smt_int yes = change_in(s, term->args[1]), no = change_in(s, term->args[2]);
    return yes > no ? yes : no;
}

/* Returns how much the term changes at most where the variable changes by 1. Elements of tables are
 * judged as they are meant. */
static smt_int change_with(checker *k, smt_t term, smt_t variable)
{
    change_search s = {k, variable, MOST_WAYS};
    return change_in(&s, term);
}

/* May the divisor change by more than 1 from one tile block or iteration to the next, and so change
 * its sign without being 0 anywhere? */
static bool may_jump(checker *k, const ix_hazard *h)
{
    bool jumps = false;
    for (int axis = 0; axis < 3 && !jumps; axis++)
        jumps = !smt_is_const(k->s->block_id[axis], NULL) &&
                change_with(k, h->value, k->s->block_id[axis]) > 1;
    for (size_t i = 0; i < h->n_loops && !jumps; i++)
        jumps = change_with(k, h->value, h->loops[i]->counter) > 1;
    return jumps;
}

/* ---- Section: divisors that are sizes ---- */

enum { MAX_LOOKED_UP = 8 };

typedef struct looked_up { /* entries of tables: terms, stb_ds array */
    checker *k;
    smt_t *entries;
} looked_up;

static void collect_entry(void *user, smt_t term)
{
    looked_up *l = user;
    int width;
    if (term->kind == SMT_APP && arrlenu(l->entries) < MAX_LOOKED_UP &&
        summary_contents_of(l->k->s, term, &width) >= 0)
        arrput(l->entries, term);
}

static void look_for_tiles(void *user, smt_t term)
{
    looked_up *l = user;
    if (term->kind == SMT_DIV)
        smt_visit(l->k->ctx, term->args[0], collect_entry, l);
}

/* Tables as they are meant where a count of tiles is made of their entries: lengths are not
 * negative, and starts do not decrease. */
static smt_t tables_are_meant(checker *k, smt_t value)
{
    smt_ctx *ctx = k->ctx;
    looked_up l = {.k = k};
    smt_t meant = smt_bool_const(ctx, true);
    smt_visit(ctx, value, look_for_tiles, &l);
    for (size_t i = 0; i < arrlenu(l.entries); i++) {
        smt_t x = l.entries[i];
        meant = smt_and(ctx, meant, smt_le(ctx, smt_int_const(ctx, 0), x));
        for (size_t j = 0; j < arrlenu(l.entries); j++) {
            smt_t y = l.entries[j];
            if (i != j && strcmp(x->name, y->name) == 0)
                meant = smt_and(
                    ctx, meant,
                    smt_implies(ctx, smt_le(ctx, x->args[0], y->args[0]), smt_le(ctx, x, y)));
        }
    }
    arrfree(l.entries);
    return meant;
}

bool sizes_is_divisor(checker *k, const ix_hazard *h)
{
    smt_ctx *ctx = k->ctx;
    smt_t zero = smt_int_const(ctx, 0), value = in_first_block(k, h->value),
          launch = k->known.launch;
    if (h->kind == IX_STEP)
        return true; /* another step is undefined */
    if (k->undefined.any_sign || may_jump(k, h))
        return false;
    for (size_t i = 0; i < h->n_loops; i++)
        value = smt_guess_instance(ctx, value, 1, &h->loops[i]->counter, &zero);
    smt_t negative = smt_and(ctx, smt_lt(ctx, value, zero), tables_are_meant(k, value));
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (k->contract->args[i].kind == CONTRACT_SCALAR)
            negative =
                smt_and(ctx, negative, smt_le(ctx, zero, contract_param(ctx, k->contract, i)));
    k->known.launch = k->s->launch; /* not what was asked for so that it is positive */
    bool never_negative = ask_never(k, negative, "size", ASK);
    k->known.launch = launch;
    return never_negative;
}

/* Does the stated contract say of every launch that the parameter is not small? */
static bool is_stated(checker *k, smt_t small)
{
    return never(k, small, smt_bool_const(k->ctx, true));
}

/* A bound that a hazard gives for parameters: each is at least that large where `positive` and
 * `known` hold. */
typedef struct size_hint {
    smt_int at_least;
    smt_t positive, known;
    bool extent;   /* negative ones are undefined whatever is stated of them */
    bool may_fail; /* else the contract keeps it, in other words */
} size_hint;

/* Is it asked of the launch, for the contract leaves it open? */
static bool is_asked(checker *k, size_t i, const size_hint *hint, smt_t small)
{
    smt_t parameter = contract_param(k->ctx, k->contract, i);
    if (contract_is_silent(k->contract))
        return true;
    bool open = require_leaves_end(k, parameter, true) ||
                (hint->extent && k->contract->args[i].constrained);
    return open && hint->may_fail && !is_stated(k, small);
}

static void look_at_parameter(sizes *s, size_t i, const size_hint *hint)
{
    checker *k = s->k;
    smt_int at_least = hint->at_least;
    smt_t parameter = contract_param(k->ctx, k->contract, i);
    smt_t small = smt_lt(k->ctx, parameter, smt_int_const(k->ctx, at_least));
    if (k->contract->args[i].kind != CONTRACT_SCALAR || parameter->low >= at_least ||
        s->least[i] >= at_least || !smt_contains(hint->positive, parameter))
        return;
    bool asked = is_asked(k, i, hint, small);
    if (asked ? !never(k, hint->positive, smt_and(k->ctx, small, hint->known))
              : !is_stated(k, small))
        return;
    s->least[i] = at_least;
    s->any = true;
    if (asked) {
        k->sizes.open[i] = require_leaves_end(k, parameter, true);
        k->sizes.asked[i] = true;
    }
}

enum { MAX_LOOKED_AT = 500 }; /* subterms */

/* Finds the least values of parameters that an extent or a divisor implies. Only an op that
 * every launch executes tells of every launch, so its path has to be surely reached. */
static void look_at_hazard(sizes *s, const ix_hazard *h)
{
    checker *k = s->k;
    bool is_size = h->kind == IX_EXTENT || h->kind == IX_DIVISION || h->kind == IX_STEP;
    if (!is_size || smt_is_larger(h->value, MAX_LOOKED_AT) || smt_is_larger(h->path, MAX_LOOKED_AT))
        return; /* no size of a buffer is written like that */
    smt_t value = in_first_block(k, h->value);
    smt_t path = in_first_block(k, require_surely_reached(&s->reach, h->op, h->path));
    bool in_all = smt_is_true(path);
    bool is_extent = in_all && h->kind == IX_EXTENT && h->value->kind == SMT_VAR;
    bool is_divisor =
        in_all && (h->kind == IX_DIVISION || h->kind == IX_STEP) && sizes_is_divisor(k, h);
    smt_t reached = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
    if (!is_extent && !is_divisor)
        return;
    if (!term_is_launch_constant(k, value) || smt_is_const(value, NULL))
        return;
    size_hint hint = {.at_least = is_divisor ? 1 : 0, .extent = is_extent};
    hint.may_fail = !never(k, reached, smt_not(k->ctx, h->safe));
    if (!hint.may_fail && contract_is_silent(k->contract))
        return;
    hint.known = is_divisor ? in_first_block(k, smt_and(k->ctx, h->facts, h->assumed))
                            : smt_bool_const(k->ctx, true);
    hint.positive = smt_le(k->ctx, smt_int_const(k->ctx, hint.at_least), value);
    for (size_t i = 0; i < k->contract->n_args; i++)
        look_at_parameter(s, i, &hint);
}

contract *sizes_find(checker *k)
{
    size_t n = k->contract->n_args;
    sizes s = {k, require_reach(k), TR_NEW_ARRAY(k->arena, smt_int, n + 1), false};
    for (size_t i = 0; i < n; i++)
        s.least[i] = SMT_NO_LOW;
    k->sizes.asked = TR_NEW_ARRAY(k->arena, bool, n + 1);
    k->sizes.open = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = 0; i < arrlenu(k->s->hazards) && !smt_is_cut(k->ctx); i++)
        look_at_hazard(&s, &k->s->hazards[i]);
    require_reach_free(&s.reach);
    return s.any ? contract_narrowed(k->ctx, k->contract, s.least) : NULL;
}

/* "n > 0" or "n >= 0", over the parameter as it was stated: of the narrowed one it is true. */
static precondition least_of(checker *k, const contract *stated, size_t i, smt_t now)
{
    smt_t zero = smt_int_const(k->ctx, 0), before = contract_param(k->ctx, stated, i);
    return now->low > 0
               ? precondition_of_term(PRECONDITION_POSITIVE_DIVISOR, smt_lt(k->ctx, zero, before))
               : precondition_of_term(PRECONDITION_NO_WRAP, smt_le(k->ctx, zero, before));
}

void sizes_require(checker *k, const contract *stated)
{
    for (size_t i = 0; i < stated->n_args; i++) {
        smt_t now = contract_param(k->ctx, k->contract, i);
        if (now == contract_param(k->ctx, stated, i) || !k->sizes.asked[i])
            continue; /* or the contract says so itself */
        require_add(k, least_of(k, stated, i, now), NULL);
    }
}

static void look_for_product(void *user, smt_t term)
{
    *(bool *)user |= term->kind == SMT_PROD;
}

static bool is_linear(checker *k, smt_t fact)
{
    bool product = false;
    smt_visit(k->ctx, fact, look_for_product, &product);
    return !product;
}

/* Launches that meet the other requires, of parameters as they were stated. Only what is plain to
 * see counts as implied: a reader of `a * b > 0` has to be told that both are sizes. */
static query without_sizes(checker *k, const contract *stated)
{
    smt_t *from = NULL, *to = NULL;
    query conjuncts = {0};
    for (size_t i = 0; i < stated->n_args; i++) {
        smt_t before = contract_param(k->ctx, stated, i),
              now = contract_param(k->ctx, k->contract, i);
        if (now == before)
            continue;
        arrput(from, now);
        arrput(to, before);
    }
    for (size_t i = 0; i < arrlenu(k->requires_) && from; i++) {
        smt_t fact = k->requires_[i].fact;
        if (fact && is_linear(k, fact))
            query_add(k, &conjuncts, /* as its words say it, of any value */
                      smt_guess_instance(k->ctx, fact, arrlenu(from), from, to));
    }
    arrfree(from);
    arrfree(to);
    return conjuncts;
}

static void drop(checker *k, precondition what)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (!k->requires_[i].fact && !k->requires_[i].fails &&
            precondition_same(&k->requires_[i].what, &what)) {
            arrdel(k->requires_, i);
            return;
        }
}

void sizes_finish(checker *k, const contract *stated)
{
    query others = without_sizes(k, stated);
    for (size_t i = 0; i < stated->n_args && others.n > 0; i++) {
        smt_t before = contract_param(k->ctx, stated, i),
              now = contract_param(k->ctx, k->contract, i);
        if (now == before || !k->sizes.asked[i])
            continue;
        smt_t least = smt_int_const(k->ctx, now->low), shown = smt_le(k->ctx, least, before);
        query beyond = query_with(k, others, smt_not(k->ctx, shown));
        if (ask_verdict(k, beyond, "size-implied", ASK) == SMT_UNSAT)
            drop(k, least_of(k, stated, i, now));
        else
            query_add(k, &others, shown);
    }
}

/* ---- Section: what to check again for divisors of any sign ---- */

enum { FIRST_BLOCK = 100 * 1000 };

static smt_t in_first_iteration(checker *k, const ix_hazard *h, smt_t term)
{
    smt_t zero = smt_int_const(k->ctx, 0);
    term = in_first_block(k, term);
    for (size_t i = 0; i < h->n_loops; i++)
        term = smt_guess_instance(k->ctx, term, 1, &h->loops[i]->counter, &zero);
    return term;
}

bool sizes_first_block_is_defined(checker *k)
{
    smt_t defined = smt_bool_const(k->ctx, true);
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (!h->undefined || smt_is_larger(h->safe, MAX_LOOKED_AT) ||
            smt_is_larger(h->path, MAX_LOOKED_AT))
            continue;
        smt_t taken = smt_and(k->ctx, smt_and(k->ctx, h->path, h->facts), h->assumed);
        defined =
            smt_and(k->ctx, defined, in_first_iteration(k, h, smt_implies(k->ctx, taken, h->safe)));
    }
    return !ask_never(k, defined, "first-block-defined", FIRST_BLOCK);
}

/* The fact, over the parameters as they were stated. */
static smt_t as_stated(checker *k, const contract *stated, smt_t fact)
{
    for (size_t i = 0; i < stated->n_args; i++) {
        smt_t before = contract_param(k->ctx, stated, i),
              now = contract_param(k->ctx, k->contract, i);
        if (now != before)
            fact = smt_guess_instance(k->ctx, fact, 1, &now, &before);
    }
    return fact;
}

smt_t sizes_sign_of(checker *k, const contract *stated, const precondition *what)
{
    bool is_sign =
        what->kind == PRECONDITION_POSITIVE_DIVISOR && what->term && what->term->kind != SMT_NOT;
    return is_sign ? as_stated(k, stated, what->term) : NULL;
}

smt_t sizes_fact_of(checker *k, const contract *stated, const precondition *what)
{
    return as_stated(k, stated, what->term);
}

smt_t *sizes_signs(checker *k, const contract *stated)
{
    smt_t *facts = NULL;
    for (size_t i = 0; i < arrlenu(k->requires_) && !k->undefined.any_sign; i++) {
        smt_t fact = sizes_sign_of(k, stated, &k->requires_[i].what);
        if (fact)
            arrput(facts, fact);
    }
    return facts;
}

contract *sizes_contract(checker *k, const contract *stated)
{
    const contract *contents = witness_with_contents(k);
    contract *rest = contract_with_facts(k->ctx, stated, 0, NULL);
    rest->args = tr_arena_copy(k->arena, stated->args, stated->n_args * sizeof *stated->args);
    for (size_t i = 0; i < stated->n_args; i++)
        rest->args[i].contents = contents->args[i].contents;
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        if (!k->requires_[i].of_wrap || !what->of_contents)
            continue;
        contract_contents *given = &rest->args[what->subject.arg].contents;
        given->min = stated->args[what->subject.arg].contents.min;
        given->max = stated->args[what->subject.arg].contents.max;
    }
    for (size_t i = 0; i < arrlenu(k->requires_); i++) {
        const precondition *what = &k->requires_[i].what;
        if (what->class_ == PRECONDITION_CLASS_RACE && what->term)
            arrput(rest->facts, ((contract_fact){.term = as_stated(k, stated, what->term)}));
    }
    return rest;
}

/* The weakest launch precondition that makes a proof go through, where the contract is silent.
 *
 * Candidates are read off the program: each is tied to a feature of it (a loop's stride, a view's
 * strides, a row stride and the column bound beside it, an index buffer). One is accepted only when
 *   - it speaks of a quantity that the contract leaves open, so that nothing stated is narrowed;
 *   - the obligation is proved with it;
 *   - with it, two different blocks can still reach the pair: else it would hide every race. */
#include "rules/require_search.h"

#include "base/ds.h"

#include <string.h>

typedef struct candidate {
    require_kind kind;
    smt_t fact;
    int unique_arg; /* REQUIRE_UNIQUE_CONTENTS: which argument's contents; else -1 */
} candidate;

typedef struct search {
    checker *k;
    candidate *found; /* stb_ds array, weakest first */
} search;

static void propose(search *s, require_kind kind, smt_t fact)
{
    if (smt_is_true(fact) || smt_is_false(fact) || !term_is_launch_constant(s->k, fact) ||
        contract_constrains(s->k, fact))
        return;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].fact == fact)
            return;
    arrput(s->found, ((candidate){kind, fact, -1}));
}

/* ---- Section: candidates from sums ---- */

/* The factor that goes with `variable` in one summand: coef * (the product without it); NULL when
 * it is not in it exactly once. */
static smt_t factor_of(smt_ctx *ctx, smt_t summand, smt_int coef, smt_t variable)
{
    if (summand == variable)
        return smt_int_const(ctx, coef);
    if (summand->kind != SMT_PROD)
        return NULL;
    smt_t rest = smt_int_const(ctx, coef);
    int times = 0;
    for (uint32_t i = 0; i < summand->n_args; i++) {
        if (summand->args[i] == variable)
            times++;
        else
            rest = smt_mul(ctx, rest, summand->args[i]);
    }
    return times == 1 ? rest : NULL;
}

static smt_t coefficient_in(smt_ctx *ctx, smt_t sum, smt_t variable)
{
    for (uint32_t i = 0; i < sum->n_args; i++) {
        smt_t factor = factor_of(ctx, sum->args[i], sum->coefs[i], variable);
        if (factor)
            return factor;
    }
    return NULL;
}

/* x*c1 + y*c2 is one number per (x, y) when grid.x * c1 <= c2; likewise bid*c1 + counter*step. */
static void look_at_sum(void *user, smt_t sum)
{
    search *s = user;
    checker *k = s->k;
    if (sum->kind != SMT_SUM)
        return;
    for (int axis = 0; axis < 3; axis++) {
        smt_t id = k->s->block_id[axis];
        smt_t small = smt_is_const(id, NULL) ? NULL : coefficient_in(k->ctx, sum, id);
        if (!small)
            continue;
        smt_t reach = smt_mul(k->ctx, k->s->grid[axis], small);
        for (size_t i = 0; i < arrlenu(k->s->loops); i++) {
            smt_t step = coefficient_in(k->ctx, sum, k->s->loops[i]->counter);
            if (step)
                propose(s, REQUIRE_GRID_BOUND, smt_le(k->ctx, reach, step));
        }
        for (int other = 0; other < 3; other++) {
            smt_t big = other == axis || smt_is_const(k->s->block_id[other], NULL)
                            ? NULL
                            : coefficient_in(k->ctx, sum, k->s->block_id[other]);
            if (big)
                propose(s, REQUIRE_GRID_BOUND, smt_le(k->ctx, reach, big));
        }
    }
}

/* ---- Section: candidates from layouts and masks ---- */

static void look_at_tensor(search *s, const ix_access *a)
{
    if (!a->tensor)
        return;
    smt_t chain = layout_chain(s->k, a->tensor);
    propose(s, REQUIRE_NO_SELF_OVERLAP, chain);
}

typedef struct bounds { /* "x < e" conjuncts of a mask or path */
    smt_t *ends;        /* stb_ds array: launch-constant upper ends */
    checker *k;
} bounds;

static void look_at_bound(void *user, smt_t term)
{
    bounds *b = user;
    if (term->kind != SMT_LE || term->args[0]->kind != SMT_SUM)
        return;
    /* sum <= 0 with private and launch-constant parts: private + 1 <= end */
    smt_t end = smt_int_const(b->k->ctx, 0);
    smt_t sum = term->args[0];
    bool has_private = false;
    for (uint32_t i = 0; i < sum->n_args; i++) {
        if (term_is_launch_constant(b->k, sum->args[i]))
            end = smt_sub(b->k->ctx, end, smt_scale(b->k->ctx, sum->args[i], sum->coefs[i]));
        else
            has_private = true;
    }
    if (has_private && !smt_is_const(end, NULL))
        arrput(b->ends, end);
}

static void look_at_strides(search *s, const ix_access *a)
{
    checker *k = s->k;
    bounds b = {.k = k};
    smt_visit(k->ctx, a->mask, look_at_bound, &b);
    smt_visit(k->ctx, a->path, look_at_bound, &b);
    smt_t offset = smt_div(k->ctx, a->bytes, smt_int_const(k->ctx, a->width));
    for (uint32_t i = 0; offset->kind == SMT_SUM && i < offset->n_args; i++) {
        smt_t summand = offset->args[i];
        for (uint32_t f = 0; summand->kind == SMT_PROD && f < summand->n_args; f++) {
            smt_t stride = summand->args[f];
            if (!term_is_launch_constant(k, stride))
                continue;
            for (size_t e = 0; e < arrlenu(b.ends); e++)
                propose(s, REQUIRE_STRIDE_RELATION, smt_le(k->ctx, b.ends[e], stride));
        }
    }
    arrfree(b.ends);
}

/* ---- Section: candidates from index buffers ---- */

static void look_at_contents(void *user, smt_t term)
{
    search *s = user;
    int allocation = summary_contents_of(s->k->s, term, NULL);
    int arg = allocation < 0 ? -1 : s->k->s->allocations[allocation].first_arg;
    /* Where somebody wrote a contract, what it does not say of contents is meant. */
    if (arg < 0 || s->k->contract->source != CONTRACT_NONE)
        return;
    for (size_t i = 0; i < arrlenu(s->found); i++)
        if (s->found[i].unique_arg == arg)
            return;
    arrput(s->found, ((candidate){REQUIRE_UNIQUE_CONTENTS, smt_bool_const(s->k->ctx, true), arg}));
}

/* ---- Section: trying ---- */

static bool still_reachable(checker *k, const ix_access *a, const ix_access *b,
                            copy_relation relation, smt_t also, smt_t fact)
{
    smt_t *conjuncts = NULL;
    copy_add_event(k, &conjuncts, a, relation, 0);
    copy_add_event(k, &conjuncts, b, relation, 1);
    arrput(conjuncts, also);
    arrput(conjuncts, fact);
    bool reachable = ask(k, conjuncts, "require-reachable").verdict == SMT_SAT;
    arrfree(conjuncts);
    return reachable;
}

static void accept(checker *k, const candidate *c)
{
    tr_text text = {0}, json = {0};
    if (c->unique_arg >= 0) {
        const char *name = k->contract->args[c->unique_arg].name;
        k->assumed_unique |= (uint64_t)1 << c->unique_arg;
        require_add(k, c->kind, false, NULL,
                    tr_arena_printf(k->arena,
                                    "{\"contents\": [{\"buffer\": \"%s\", \"unique\": true}]}",
                                    k->contract->args[c->unique_arg].buffer
                                        ? k->contract->args[c->unique_arg].buffer
                                        : name),
                    "no two elements of '%s' are equal", name);
        return;
    }
    smt_print_c(&text, c->fact);
    tr_text_addf(&json, "{\"assume\": [\"%s\"]}", tr_text_get(&text));
    require_add(k, c->kind, false, c->fact, tr_arena_strdup(k->arena, tr_text_get(&json)), "%s",
                tr_text_get(&text));
    tr_text_free(&text);
    tr_text_free(&json);
}

static bool proves(checker *k, const smt_t *conjuncts, const candidate *c)
{
    uint64_t unique = k->assumed_unique;
    smt_t *with = NULL;
    for (size_t i = 0; i < arrlenu(conjuncts); i++)
        arrput(with, conjuncts[i]);
    arrput(with, c->fact);
    if (c->unique_arg >= 0 && c->unique_arg < 64)
        k->assumed_unique |= (uint64_t)1 << c->unique_arg;
    bool proved = ask_is_unsat(k, with, "require");
    k->assumed_unique = unique;
    arrfree(with);
    return proved;
}

bool require_search(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                    smt_t also, const smt_t *conjuncts)
{
    search s = {.k = k};
    const ix_access *both[2] = {a, b};
    /* Shape-derived relations first: they are what callers mean by a tensor. */
    for (int i = 0; i < (a == b ? 1 : 2); i++) {
        look_at_tensor(&s, both[i]);
        if (!both[i]->tensor)
            look_at_strides(&s, both[i]);
    }
    for (int i = 0; i < (a == b ? 1 : 2); i++) {
        for (int d = 0; both[i]->tensor && d < both[i]->tensor->rank; d++)
            smt_visit(k->ctx, both[i]->coordinate[d], look_at_sum, &s);
        smt_visit(k->ctx, both[i]->bytes, look_at_sum, &s);
        smt_visit(k->ctx, both[i]->bytes, look_at_contents, &s);
    }
    bool proved = false;
    for (size_t i = 0; i < arrlenu(s.found) && !proved && ask_budget(k) > 0; i++) {
        const candidate *c = &s.found[i];
        proved = proves(k, conjuncts, c) && still_reachable(k, a, b, relation, also, c->fact);
        if (proved)
            accept(k, c);
    }
    arrfree(s.found);
    return proved;
}

/* Terms of one kernel among those of the other. */
#include <string.h>

#include "base/ds.h"
#include "compare/footprint.h"

typedef struct import {
    smt_ctx *ctx;
    const comparing *c;
    smt_t *done; /* stb_ds array, by id of the foreign term */
} import;

static smt_t of(import *im, smt_t term);

/* A parameter that both have is one variable; everything else of B has a name of its own. */
static smt_t variable(import *im, smt_t term)
{
    const compare_side *b = &im->c->side[COMPARE_B];
    for (size_t i = 0; i < b->kernel->contract->n_args; i++) {
        int a = im->c->match.other[COMPARE_B][i];
        if (a >= 0 && b->kernel->contract->args[i].kind == CONTRACT_SCALAR &&
            contract_param(b->input.ctx, b->kernel->contract, i) == term)
            return contract_param(im->ctx, im->c->side[COMPARE_A].kernel->contract, (size_t)a);
    }
    const char *name = tr_arena_printf(smt_arena(im->ctx), "%s'", term->name);
    if (term->kind != SMT_VAR)
        return smt_bvar(im->ctx, name);
    return term->is_private ? smt_private_var_of_range(im->ctx, name, term->low, term->high)
                            : smt_var_of_range(im->ctx, name, term->low, term->high);
}

/* The first kernel's name of what an array holds at launch, where both have the array; or NULL. */
static const char *name_of_contents(const import *im, smt_t term)
{
    const summary *a = im->c->side[COMPARE_A].summary, *b = im->c->side[COMPARE_B].summary;
    int width = 0, from = summary_contents_of(b, term, &width);
    int arg = from < 0 ? -1 : b->allocations[from].first_arg;
    int other = arg < 0 ? -1 : im->c->match.other[COMPARE_B][arg];
    for (size_t i = 0; i < arrlenu(a->content_names) && other >= 0; i++)
        if (a->allocations[a->content_allocation[i]].first_arg == other &&
            a->content_width[i] == width)
            return a->content_names[i];
    return NULL;
}

static smt_t application(import *im, smt_t term)
{
    smt_t *args = TR_NEW_ARRAY(smt_arena(im->ctx), smt_t, term->n_args + 1);
    const char *shared = term->kind == SMT_APP ? name_of_contents(im, term) : NULL;
    const char *name = shared ? shared : tr_arena_printf(smt_arena(im->ctx), "%s'", term->name);
    for (uint32_t i = 0; i < term->n_args; i++)
        args[i] = of(im, term->args[i]);
    return term->kind == SMT_APP ? smt_app(im->ctx, name, term->n_args, args, term->low, term->high)
                                 : smt_bapp(im->ctx, name, term->n_args, args);
}

static smt_t sum(import *im, smt_t term)
{
    smt_t all = smt_int_const(im->ctx, term->value);
    for (uint32_t i = 0; i < term->n_args; i++)
        all = smt_add(im->ctx, all, smt_scale(im->ctx, of(im, term->args[i]), term->coefs[i]));
    return all;
}

static smt_t many(import *im, smt_t term)
{
    smt_t all = of(im, term->args[0]);
    for (uint32_t i = 1; i < term->n_args; i++) {
        smt_t next = of(im, term->args[i]);
        all = term->kind == SMT_PROD  ? smt_mul(im->ctx, all, next)
              : term->kind == SMT_AND ? smt_and(im->ctx, all, next)
                                      : smt_or(im->ctx, all, next);
    }
    return all;
}

static smt_t made(import *im, smt_t t)
{
    smt_ctx *ctx = im->ctx;
    smt_t zero = smt_int_const(ctx, 0);
    switch (t->kind) {
    case SMT_INT:
        return smt_int_const(ctx, t->value);
    case SMT_VAR:
    case SMT_BVAR:
        return variable(im, t);
    case SMT_SUM:
        return sum(im, t);
    case SMT_PROD:
    case SMT_AND:
    case SMT_OR:
        return many(im, t);
    case SMT_NAMED:
        return of(im, t->args[0]);
    case SMT_DIV:
        return smt_div(ctx, of(im, t->args[0]), of(im, t->args[1]));
    case SMT_MOD:
        return smt_mod(ctx, of(im, t->args[0]), of(im, t->args[1]));
    case SMT_ITE:
        return smt_ite(ctx, of(im, t->args[0]), of(im, t->args[1]), of(im, t->args[2]));
    case SMT_APP:
    case SMT_BAPP:
        return application(im, t);
    case SMT_TRUE:
    case SMT_FALSE:
        return smt_bool_const(ctx, t->kind == SMT_TRUE);
    case SMT_NOT:
        return smt_not(ctx, of(im, t->args[0]));
    case SMT_EQ:
        return smt_eq(ctx, of(im, t->args[0]), zero);
    case SMT_LE:
        return smt_le(ctx, of(im, t->args[0]), zero);
    }
    return smt_bool_const(ctx, true);
}

static smt_t of(import *im, smt_t term)
{
    while (arrlenu(im->done) <= term->id)
        arrput(im->done, NULL);
    if (!im->done[term->id]) {
        smt_t result = made(im, term);
        im->done[term->id] = result;
    }
    return im->done[term->id];
}

smt_t footprint_import(const comparing *c, smt_t term)
{
import im = {.ctx = c->side[COMPARE_A].input.ctx, .c = c };
    smt_t result = of(&im, term);
    arrfree(im.done);
    return result;
}

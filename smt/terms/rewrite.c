/* Terms made anew: with other children, with other terms in some places, in another context. */
#include "terms/rewrite.h"

#include "terms/bits.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <string.h>

smt_t smt_rebuild(smt_ctx *ctx, smt_t term, const smt_t *args)
{
    smt_poly poly = {0};
    smt_t product;
    smt_bits_op bits;
    switch (term->kind) {
    case SMT_INT:
    case SMT_VAR:
    case SMT_BVAR:
    case SMT_TRUE:
    case SMT_FALSE:
        return term;
    case SMT_SUM:
        smt_poly_add_value(&poly, term->value);
        for (uint32_t i = 0; i < term->n_args; i++)
            smt_poly_add(&poly, args[i], term->coefs[i]);
        return smt_poly_make(ctx, &poly);
    case SMT_NAMED:
        return smt_rename_polynomial(ctx, args[0]);
    case SMT_PROD:
        product = args[0];
        for (uint32_t i = 1; i < term->n_args; i++)
            product = smt_mul(ctx, product, args[i]);
        return product;
    case SMT_DIV:
        return smt_div(ctx, args[0], args[1]);
    case SMT_MOD:
        return smt_mod(ctx, args[0], args[1]);
    case SMT_ITE:
        return smt_ite(ctx, args[0], args[1], args[2]);
    case SMT_APP:
        if (smt_is_bits(term, &bits))
            return smt_bits_rebuild(ctx, term, bits, args);
        return smt_app(ctx, term->name, term->n_args, args, term->low, term->high);
    case SMT_BAPP:
        return smt_bapp(ctx, term->name, term->n_args, args);
    case SMT_NOT:
        return smt_not(ctx, args[0]);
    case SMT_AND:
        return smt_and_n(ctx, term->n_args, args);
    case SMT_OR:
        return smt_or_n(ctx, term->n_args, args);
    case SMT_EQ:
        return smt_eq(ctx, args[0], smt_int_const(ctx, 0));
    case SMT_LE:
        return smt_le(ctx, args[0], smt_int_const(ctx, 0));
    }
    return term;
}

typedef struct change {
    /* Returns what a subterm becomes before its children are looked at, or NULL. */
    smt_t (*replace)(void *user, smt_t term);
    smt_rename rename; /* after its children were changed; may be NULL */
    void *replace_user;
    void *rename_user;
    uint32_t number; /* of a replacement in several terms; 0: it is made in this one alone */
} change;

/* Is every value of `to` one that `from` may have? */
static bool keeps_range(smt_t from, smt_t to)
{
    return smt_is_bool(from) || (from->low <= to->low && to->high <= from->high);
}

static bool is_name(smt_t term)
{
    return term->kind == SMT_VAR || term->kind == SMT_BVAR || term->kind == SMT_APP ||
           term->kind == SMT_BAPP;
}

/* Returns what the term at place i of the order becomes, if the terms before it became `results`.
 */
static smt_t rewrite_one(smt_ctx *ctx, const smt_order *order, size_t i, const smt_t *results,
                         smt_t **args, const change *how)
{
    smt_t old = order->terms[i];
    smt_t made = how->replace ? how->replace(how->replace_user, old) : NULL;
    if (made)
        return made;
    bool changed = false;
    arrsetlen(*args, old->n_args + 1);
    for (uint32_t k = 0; k < old->n_args; k++) {
        (*args)[k] = results[order->children[order->first[i] + k]];
        changed |= (*args)[k] != old->args[k];
    }
    made = changed ? smt_rebuild(ctx, old, *args) : old;
    smt_t renamed = how->rename && is_name(made) ? how->rename(how->rename_user, ctx, made) : NULL;
    TR_ASSERT(!renamed || keeps_range(made, renamed));
    return renamed ? renamed : made;
}

/* Rewrites a term from its leaves on. What a term became is kept in its node, for the next
 * rewriting of the same number. */
static smt_t rewrite(smt_ctx *ctx, smt_t term, const change *how)
{
    smt_order order;
    smt_order_make(&order, 1, &term);
    size_t n = smt_order_count(&order);
    smt_t *results = NULL, *args = NULL;
    arrsetlen(results, n);
    for (size_t i = 0; i < n; i++) {
        smt_node *node = (smt_node *)order.terms[i]; /* what it became is no part of the term */
        if (how->number && node->changed_in == how->number) {
            results[i] = node->changed;
            continue;
        }
        results[i] = rewrite_one(ctx, &order, i, results, &args, how);
        if (how->number) {
            node->changed_in = how->number;
            node->changed = results[i];
        }
    }
    smt_t result = results[n - 1];
    arrfree(results);
    arrfree(args);
    smt_order_free(&order);
    return result;
}

typedef struct pairs {
    size_t n;
    const smt_t *from, *to;
} pairs;

static smt_t replace_pair(void *user, smt_t term)
{
    const pairs *list = user;
    for (size_t i = 0; i < list->n; i++) {
        if (list->from[i] == term)
            return list->to[i];
    }
    return NULL;
}

/* Pairs sorted by rising ids, as the terms of an order come: so the next pair is the next to be
 * met. */
typedef struct sorted_pairs {
    smt_t *from, *to; /* stb_ds arrays */
    size_t next;
} sorted_pairs;

static smt_t replace_next(void *user, smt_t term)
{
    sorted_pairs *p = user;
    while (p->next < arrlenu(p->from) && p->from[p->next]->id < term->id)
        p->next++;
    bool met = p->next < arrlenu(p->from) && p->from[p->next] == term;
    return met ? p->to[p->next] : NULL;
}

static sorted_pairs sort_pairs(smt_ctx *ctx, size_t n, const smt_t *from, const smt_t *to)
{
    sorted_pairs p = {0};
    uint32_t epoch = ++ctx->epoch;
    for (size_t i = 0; i < n; i++) {
        if (!smt_mark(from[i], epoch)) /* the first of equals holds, as above */
            continue;
        ((smt_node *)from[i])->place = (uint32_t)i;
        arrput(p.from, from[i]);
    }
    smt_sort_by_id(p.from, arrlenu(p.from));
    for (size_t i = 0; i < arrlenu(p.from); i++)
        arrput(p.to, to[smt_node_of(p.from[i])->place]);
    return p;
}

void smt_replace_in_all(smt_ctx *ctx, size_t n_terms, const smt_t *terms, smt_t *changed, size_t n,
                        const smt_t *from, const smt_t *to)
{
    enum { FEW = 8 };
    pairs list = {n, from, to};
    sorted_pairs p = n <= FEW ? (sorted_pairs){0} : sort_pairs(ctx, n, from, to);
    change how = {.replace = replace_pair, .replace_user = &list};
    if (n > FEW)
        how = (change){.replace = replace_next, .replace_user = &p};
    if (n_terms > 1)
        how.number = ++ctx->n_replacements;
    for (size_t i = 0; i < n_terms; i++) {
        p.next = 0;
        changed[i] = rewrite(ctx, terms[i], &how);
    }
    arrfree(p.from);
    arrfree(p.to);
}

static smt_t replace_one(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to)
{
    smt_t changed;
    smt_replace_in_all(ctx, 1, &term, &changed, n, from, to);
    return changed;
}

smt_t smt_substitute(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to)
{
    for (size_t i = 0; i < n; i++)
        TR_ASSERT(keeps_range(from[i], to[i]));
    return replace_one(ctx, term, n, from, to);
}

smt_t smt_instantiate(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to,
                      smt_t *within)
{
    *within = smt_bool_const(ctx, true);
    for (size_t i = 0; i < n; i++) {
        if (keeps_range(from[i], to[i]))
            continue;
        if (from[i]->low > SMT_NO_LOW)
            *within = smt_and(ctx, *within, smt_ge(ctx, to[i], smt_int_const(ctx, from[i]->low)));
        if (from[i]->high < SMT_NO_HIGH)
            *within = smt_and(ctx, *within, smt_le(ctx, to[i], smt_int_const(ctx, from[i]->high)));
    }
    return replace_one(ctx, term, n, from, to);
}

smt_t smt_guess_instance(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to)
{
    return replace_one(ctx, term, n, from, to);
}

smt_t smt_map(smt_ctx *ctx, smt_t term, smt_rename rename, void *user)
{
    if (!rename)
        return term;
    return rewrite(ctx, term, &(change){.rename = rename, .rename_user = user});
}

smt_t smt_rewrite(smt_ctx *ctx, smt_t term, smt_t (*replace)(void *user, smt_t term), void *user)
{
    return rewrite(ctx, term, &(change){.replace = replace, .replace_user = user});
}

static smt_t import_node(smt_ctx *to, smt_t term, const smt_t *args)
{
    switch (term->kind) {
    case SMT_INT:
        return smt_int_const(to, term->value);
    case SMT_VAR:
        return term->low == term->high ? smt_int_const(to, term->low)
                                       : smt_renamed(to, term, term->name, term->low, term->high);
    case SMT_BVAR:
        return smt_bvar(to, term->name);
    case SMT_TRUE:
    case SMT_FALSE:
        return smt_bool_const(to, term->kind == SMT_TRUE);
    default:
        return smt_rebuild(to, term, args);
    }
}

void smt_import(smt_ctx *to, size_t n, const smt_t *terms, smt_t *imported)
{
    smt_order order;
    smt_t *results = NULL, *args = NULL;
    smt_order_make(&order, n, terms);
    for (size_t i = 0; i < smt_order_count(&order); i++) {
        smt_t term = order.terms[i];
        arrsetlen(args, term->n_args + 1);
        for (uint32_t k = 0; k < term->n_args; k++)
            args[k] = results[order.children[order.first[i] + k]];
        arrput(results, import_node(to, term, args));
    }
    for (size_t i = 0; i < n; i++)
        imported[i] = results[smt_order_find(&order, terms[i])];
    arrfree(results);
    arrfree(args);
    smt_order_free(&order);
}

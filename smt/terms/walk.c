/* Walks over the distinct subterms of a term, children first, without recursion. */
#include "terms/walk.h"

#include "terms/node.h"

#include "base/ds.h"

#include <stdlib.h>
#include <string.h>

static int by_id(const void *a, const void *b)
{
    uint32_t x = (*(const smt_t *)a)->id, y = (*(const smt_t *)b)->id;
    return (x > y) - (x < y);
}

enum { FEW_TERMS = 24 };

/* A comparison through pointers for each step, as qsort has it, is what most of a walk's time would
 * go into: so by the bytes of the ids, the lowest first. Those of a question lie close together. */
void smt_sort_by_id(smt_t *terms, size_t n)
{
    for (size_t i = 1; n <= FEW_TERMS && i < n; i++) {
        smt_t term = terms[i];
        size_t at = i;
        for (; at > 0 && terms[at - 1]->id > term->id; at--)
            terms[at] = terms[at - 1];
        terms[at] = term;
    }
    if (n <= FEW_TERMS)
        return;
    uint32_t least = UINT32_MAX, most = 0;
    for (size_t i = 0; i < n; i++) {
        least = terms[i]->id < least ? terms[i]->id : least;
        most = terms[i]->id > most ? terms[i]->id : most;
    }
    smt_t *other = NULL;
    arrsetlen(other, n);
    for (unsigned shift = 0; shift < 32 && (most - least) >> shift > 0; shift += 8) {
        uint32_t starts[257] = {0};
        for (size_t i = 0; i < n; i++)
            starts[((terms[i]->id - least) >> shift & 255) + 1]++;
        for (size_t i = 1; i < 256; i++)
            starts[i] += starts[i - 1];
        for (size_t i = 0; i < n; i++)
            other[starts[(terms[i]->id - least) >> shift & 255]++] = terms[i];
        memcpy(terms, other, n * sizeof *terms);
    }
    arrfree(other);
}

/* Lists all terms that the roots are made of, each once and after its arguments. */
static void make_order(smt_ctx *ctx, smt_order *order, size_t n_roots, const smt_t *roots)
{
    uint32_t epoch = ++ctx->epoch;
    size_t n_children = 0;
    arrsetcap(order->terms, 2 * FEW_TERMS);
    for (size_t i = 0; i < n_roots; i++) {
        if (smt_mark(roots[i], epoch))
            arrput(order->terms, roots[i]);
    }
    for (size_t i = 0; i < arrlenu(order->terms); i++) {
        smt_t term = order->terms[i];
        n_children += term->n_args;
        for (uint32_t k = 0; k < term->n_args; k++) {
            if (smt_mark(term->args[k], epoch))
                arrput(order->terms, term->args[k]);
        }
    }
    /* A term is made after its children, so ids are an order with children first. */
    size_t n = arrlenu(order->terms), child = 0;
    smt_tick(ctx, n + n_children);
    smt_sort_by_id(order->terms, n);
    arrsetlen(order->first, n);
    arrsetlen(order->children, n_children);
    for (size_t i = 0; i < n; i++) {
        smt_t term = order->terms[i];
        ((smt_node *)term)->place = (uint32_t)i;
        order->first[i] = (uint32_t)child;
        for (uint32_t k = 0; k < term->n_args; k++)
            order->children[child++] = smt_node_of(term->args[k])->place;
    }
}

/* The same few terms are walked over and over: evaluated for one block after the other, renamed for
 * one pair after the other. So a context keeps the orders of those it met last. A walk counts as
 * many steps either way. */
enum { KEPT_ORDERS = 128, KEPT_TERMS = 4096 };

struct smt_kept_order {
    smt_t root; /* NULL: nothing is kept here */
    smt_order order;
    uint32_t users; /* walks that are not at their end */
};

static void free_arrays(smt_order *order)
{
    arrfree(order->terms);
    arrfree(order->first);
    arrfree(order->children);
}

void smt_orders_forget(smt_ctx *ctx)
{
    for (size_t i = 0; ctx->orders && i < KEPT_ORDERS; i++)
        free_arrays(&ctx->orders[i].order);
    ctx->orders = NULL;
}

static void keep_order(struct smt_kept_order *kept, smt_t root, smt_order *order)
{
    if (arrlenu(order->terms) > KEPT_TERMS)
        return;
    free_arrays(&kept->order);
    *kept = (struct smt_kept_order){root, *order, 1};
    order->kept = kept;
}

void smt_order_make(smt_order *order, size_t n_roots, const smt_t *roots)
{
    *order = (smt_order){0};
    if (n_roots == 0)
        return;
    smt_ctx *ctx = smt_node_of(roots[0])->ctx;
    if (n_roots > 1) {
        make_order(ctx, order, n_roots, roots);
        return;
    }
    if (!ctx->orders)
        ctx->orders = TR_NEW_ARRAY(ctx->arena, struct smt_kept_order, KEPT_ORDERS);
    struct smt_kept_order *kept = &ctx->orders[roots[0]->id % KEPT_ORDERS];
    if (kept->root == roots[0]) {
        *order = kept->order;
        order->kept = kept;
        kept->users++;
        smt_tick(ctx, arrlenu(order->terms) + arrlenu(order->children));
        return;
    }
    make_order(ctx, order, n_roots, roots);
    if (kept->users == 0)
        keep_order(kept, roots[0], order);
}

bool smt_is_larger(smt_t term, size_t limit)
{
    if (smt_node_of(term)->depth == 0)
        return false;
    uint32_t epoch = ++smt_node_of(term)->ctx->epoch;
    smt_t *seen = NULL;
    smt_mark(term, epoch);
    arrput(seen, term);
    for (size_t i = 0; i < arrlenu(seen) && arrlenu(seen) <= limit; i++)
        for (uint32_t k = 0; k < seen[i]->n_args && arrlenu(seen) <= limit; k++)
            if (smt_mark(seen[i]->args[k], epoch))
                arrput(seen, seen[i]->args[k]);
    bool larger = arrlenu(seen) > limit;
    arrfree(seen);
    return larger;
}

void smt_order_free(smt_order *order)
{
    if (order->kept) {
        TR_ASSERT(order->kept->users > 0);
        order->kept->users--;
    } else {
        free_arrays(order);
    }
    *order = (smt_order){0};
}

size_t smt_order_count(const smt_order *order)
{
    return arrlenu(order->terms);
}

uint32_t smt_order_find(const smt_order *order, smt_t term)
{
    smt_t *at = bsearch(&term, order->terms, arrlenu(order->terms), sizeof(smt_t), by_id);
    return (uint32_t)(at - order->terms);
}

void smt_visit(smt_ctx *ctx, smt_t term, void (*visit)(void *user, smt_t subterm), void *user)
{
    (void)ctx;
    smt_order order;
    smt_order_make(&order, 1, &term);
    for (size_t i = 0; i < smt_order_count(&order); i++)
        visit(user, order.terms[i]);
    smt_order_free(&order);
}

bool smt_contains(smt_t term, smt_t what)
{
    if (term->id < what->id)
        return false;
    smt_order order;
    smt_order_make(&order, 1, &term);
    bool found = bsearch(&what, order.terms, arrlenu(order.terms), sizeof(smt_t), by_id) != NULL;
    smt_order_free(&order);
    return found;
}

static bool is_same_unknown(smt_t a, smt_t b)
{
    bool applied = a->kind == SMT_APP || a->kind == SMT_BAPP;
    return a == b ? a->kind == SMT_VAR || applied
                  : applied && a->kind == b->kind && strcmp(a->name, b->name) == 0;
}

bool smt_share_unknown(smt_t a, smt_t b)
{
    smt_order first, second;
    bool shared = false;
    smt_order_make(&first, 1, &a);
    smt_order_make(&second, 1, &b);
    for (size_t i = 0; i < smt_order_count(&first) && !shared; i++)
        for (size_t j = 0; j < smt_order_count(&second) && !shared; j++)
            shared = is_same_unknown(first.terms[i], second.terms[j]);
    smt_order_free(&first);
    smt_order_free(&second);
    return shared;
}

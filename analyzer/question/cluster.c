/* Many accesses of one form: an unrolled loop's stores differ in constants alone. They are asked
 * about together, with the constants as one variable between the least and the greatest of them.
 * That covers more than the accesses do, so only a proof counts; else each pair is asked by itself.
 */
#include "question/cluster.h"

#include "question/checker.h"
#include "question/layout.h"

#include "base/ds.h"

#include <string.h>

static smt_int constant_part(smt_t term)
{
    return term->kind == SMT_INT || term->kind == SMT_SUM ? term->value : 0;
}

static smt_t varying_part(checker *k, smt_t term)
{
    return smt_sub(k->ctx, term, smt_int_const(k->ctx, constant_part(term)));
}

/* Do the addresses alone differ? The two are pointers to one element each, or tiles of such. */
static bool same_pointers(checker *k, const ix_access *a, const ix_access *b)
{
    return a->allocation >= 0 && a->mask == b->mask && a->region == b->region &&
           a->half == b->half && a->width == b->width &&
           varying_part(k, a->bytes) == varying_part(k, b->bytes);
}

static bool same_form(checker *k, const ix_access *a, const ix_access *b)
{
    if (a->path != b->path || a->facts != b->facts || a->unknown || b->unknown ||
        !a->tensor != !b->tensor || a->allocation != b->allocation || a->rank != b->rank ||
        memcmp(a->tile, b->tile, sizeof a->tile) != 0 || a->writes != b->writes ||
        a->reads != b->reads || a->ordering != b->ordering || a->scope != b->scope ||
        a->n_loops != b->n_loops)
        return false;
    if (!a->tensor)
        return same_pointers(k, a, b);
    if (a->tensor->shape[0] != b->tensor->shape[0] || !layout_is_shared(k, a->tensor, b->tensor))
        return false;
    for (int d = 0; d < a->tensor->rank; d++)
        if (varying_part(k, a->coordinate[d]) != varying_part(k, b->coordinate[d]))
            return false;
    return true;
}

/* Addresses that are a form, and a constant: any of those constants' kind between the least and the
 * greatest. */
static ix_access stand_in_for_pointers(checker *k, const cluster *c)
{
    const summary *s = k->s;
    ix_access whole = s->accesses[c->members[0]];
    smt_int low = constant_part(whole.bytes), high = low, apart = 0;
    for (size_t i = 1; i < arrlenu(c->members); i++) {
        smt_int value = constant_part(s->accesses[c->members[i]].bytes);
        apart = smt_gcd(apart, value - constant_part(whole.bytes));
        low = value < low ? value : low;
        high = value > high ? value : high;
    }
    if (low == high)
        return whole;
    const char *name = tr_arena_printf(k->arena, "unrolled@%u", c->members[0]);
    smt_t shift = smt_private_var_of_range(k->ctx, name, 0, (high - low) / apart);
    smt_t from = smt_add(k->ctx, varying_part(k, whole.bytes), smt_int_const(k->ctx, low));
    whole.bytes = smt_add(k->ctx, from, smt_scale(k->ctx, shift, apart));
    return whole;
}

/* The access that stands for all of a cluster. */
static ix_access stand_in(checker *k, const cluster *c)
{
    const summary *s = k->s;
    ix_access whole = s->accesses[c->members[0]];
    if (!whole.tensor)
        return stand_in_for_pointers(k, c);
    smt_ctx *ctx = k->ctx;
    smt_t zero = smt_int_const(ctx, 0);
    whole.mask = smt_bool_const(ctx, true);
    whole.bytes = whole.tensor->bytes;
    for (int d = 0; d < whole.tensor->rank; d++) {
        smt_int low = constant_part(whole.coordinate[d]), high = low;
        for (size_t i = 1; i < arrlenu(c->members); i++) {
            smt_int value = constant_part(s->accesses[c->members[i]].coordinate[d]);
            low = value < low ? value : low;
            high = value > high ? value : high;
        }
        smt_t shift = smt_int_const(ctx, low);
        if (low < high) { /* private to the event, as an in-tile coordinate is */
            const char *name = tr_arena_printf(k->arena, "unrolled%d@%u", d, c->members[0]);
            shift = smt_private_var_of_range(ctx, name, low, high);
        }
        smt_t coordinate = smt_add(ctx, varying_part(k, whole.coordinate[d]), shift);
        whole.coordinate[d] = coordinate;
        whole.mask = smt_and(ctx, whole.mask, smt_le(ctx, zero, coordinate));
        whole.mask = smt_and(ctx, whole.mask, smt_lt(ctx, coordinate, whole.tensor->shape[d]));
        smt_t step = smt_mul(ctx, coordinate, whole.tensor->stride[d]);
        whole.bytes = smt_add(ctx, whole.bytes, smt_scale(ctx, step, whole.width));
    }
    return whole;
}

cluster *clusters_make(checker *k)
{
    cluster *clusters = NULL;
    const summary *s = k->s;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        size_t at = 0;
        while (at < arrlenu(clusters) && !smt_is_cut(k->ctx) &&
               !same_form(k, &s->accesses[clusters[at].members[0]], &s->accesses[i]))
            at++;
        if (at == arrlenu(clusters))
            arrput(clusters, (cluster){0});
        arrput(clusters[at].members, (uint32_t)i);
    }
    for (size_t i = 0; i < arrlenu(clusters); i++)
        clusters[i].whole = arrlenu(clusters[i].members) > 1 ? stand_in(k, &clusters[i])
                                                             : s->accesses[clusters[i].members[0]];
    return clusters;
}

void clusters_free(cluster *clusters)
{
    for (size_t i = 0; i < arrlenu(clusters); i++)
        arrfree(clusters[i].members);
    arrfree(clusters);
}

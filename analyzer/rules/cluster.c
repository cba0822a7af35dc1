/* Many accesses of one form: an unrolled loop's stores differ in constants alone. They are asked
 * about together, with the constants as one variable between the least and the greatest of them.
 * That covers more than the accesses do, so only a proof counts; else each pair is asked by itself.
 */
#include "rules/cluster.h"

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

static bool same_form(checker *k, const ix_access *a, const ix_access *b)
{
    if (a->unknown || b->unknown || !a->tensor || !b->tensor || a->allocation != b->allocation ||
        a->rank != b->rank || memcmp(a->tile, b->tile, sizeof a->tile) != 0 || a->path != b->path ||
        a->facts != b->facts || a->writes != b->writes || a->reads != b->reads ||
        a->ordering != b->ordering || a->scope != b->scope || a->n_loops != b->n_loops ||
        a->tensor->shape[0] != b->tensor->shape[0] || !layout_is_shared(k, a->tensor, b->tensor))
        return false;
    for (int d = 0; d < a->tensor->rank; d++)
        if (varying_part(k, a->coordinate[d]) != varying_part(k, b->coordinate[d]))
            return false;
    return true;
}

/* The access that stands for all of a cluster. */
static ix_access stand_in(checker *k, const cluster *c)
{
    const summary *s = k->s;
    ix_access whole = s->accesses[c->members[0]];
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
            shift = smt_var(ctx, name, low, high);
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
        while (at < arrlenu(clusters) &&
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

/* Derives bounds, order and uniqueness from elements that are stated one by one: bounds, order,
 * uniqueness, as facts like those that a contract states in words, so that proofs use them without
 * looking at each element. */
#include "contract/launch_private.h"

#include "base/ds.h"

#include <stdlib.h>

typedef struct element {
    int64_t value;
    size_t index;
} element;

static int by_value(const void *a, const void *b)
{
    const element *x = a, *y = b;
    return x->value != y->value ? (x->value > y->value) - (x->value < y->value)
                                : (x->index > y->index) - (x->index < y->index);
}

static int ascending(const void *a, const void *b)
{
    const size_t *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

/* Lists the elements that occur more than once, as far as they are known. Elements 0 .. result-1
 * differ from each other. */
static size_t find_repeated(tr_arena *arena, contract_values *v)
{
    element *all = NULL;
    size_t *repeated = NULL, distinct = v->n;
    for (size_t i = 0; i < v->n; i++)
        if (!v->known || v->known[i])
            arrput(all, ((element){v->values[i], i}));
    if (all)
        qsort(all, arrlenu(all), sizeof *all, by_value);
    for (size_t i = 0; i < arrlenu(all); i++) {
        bool again = i > 0 && all[i].value == all[i - 1].value;
        bool before = i + 1 < arrlenu(all) && all[i].value == all[i + 1].value;
        distinct = again && all[i].index < distinct ? all[i].index : distinct;
        if (again || before)
            arrput(repeated, all[i].index);
    }
    v->n_repeated = arrlenu(repeated);
    v->repeated = NULL;
    if (!v->known && v->n_repeated <= CONTRACT_MOST_REPEATED) {
        if (repeated)
            qsort(repeated, v->n_repeated, sizeof *repeated, ascending);
        size_t *kept = TR_NEW_ARRAY(arena, size_t, v->n_repeated + 1);
        for (size_t i = 0; i < v->n_repeated; i++)
            kept[i] = repeated[i];
        v->repeated = kept;
    }
    arrfree(all);
    arrfree(repeated);
    return distinct;
}

static bool is_increasing(const contract_values *v)
{
    for (size_t i = 1; i < v->n; i++)
        if (v->values[i] < v->values[i - 1])
            return false;
    return true;
}

/* ---- Section: beside what the kernel's source states ---- */

/* Does the condition hold of each known element? The element and its index stand in it. False, and
 * *open: that depends on the launch. */
static bool holds_of_each(launch_builder *b, const contract_values *v, smt_t condition, bool *open)
{
    smt_t from[2] = {contract_index(b->ctx), contract_value(b->ctx)};
    bool by_element = smt_contains(condition, from[0]) || smt_contains(condition, from[1]);
    for (size_t i = 0; i < v->n && (i == 0 || by_element); i++) {
        int64_t value;
        if (!contract_values_at(v, (smt_int)i, &value))
            continue;
        smt_t to[2] = {smt_int_const(b->ctx, (smt_int)i), smt_int_const(b->ctx, value)};
        smt_t there = smt_substitute(b->ctx, condition, 2, from, to);
        *open |= !smt_is_true(there) && !smt_is_false(there);
        if (!smt_is_true(there))
            return false;
    }
    return true;
}

/* Facts of which this file can tell whether the elements meet them; the others are refused. */
static const char *contradiction(launch_builder *b, size_t i, const contract_values *v,
                                 size_t distinct, bool *open)
{
    const contract_contents *facts = &b->c->args[i].contents;
    smt_t value = contract_value(b->ctx);
    *open = facts->unique_when || facts->n_tuple || facts->prefix_sum_of >= 0 || facts->regions;
    if (facts->unique && !facts->unique_when && distinct < v->n)
        return "unique";
    if (facts->increasing && (v->known || !is_increasing(v)))
        return "increasing";
    if (facts->min && !holds_of_each(b, v, smt_le(b->ctx, facts->min, value), open))
        return "min";
    if (facts->max && !holds_of_each(b, v, smt_le(b->ctx, value, facts->max), open))
        return "max";
    return NULL;
}

/* ---- Section: as facts ---- */

static bool covers(const contract_arg *arg, const contract_values *v)
{
    smt_int elements;
    return arg->elements && smt_is_const(arg->elements, &elements) && !v->known &&
           elements <= (smt_int)v->n;
}

static void derive_bounds(launch_builder *b, size_t i, const contract_values *v)
{
    contract_contents *facts = &b->c->args[i].contents;
    int64_t least = INT64_MAX, greatest = INT64_MIN, value;
    for (size_t k = 0; k < v->n; k++)
        if (contract_values_at(v, (smt_int)k, &value)) {
            least = value < least ? value : least;
            greatest = value > greatest ? value : greatest;
        }
    if (!covers(&b->c->args[i], v) || least > greatest)
        return;
    if (!facts->min)
        facts->min = smt_int_const(b->ctx, least);
    if (!facts->max)
        facts->max = smt_int_const(b->ctx, greatest);
}

static void derive_order(launch_builder *b, size_t i, const contract_values *v, size_t distinct)
{
    contract_contents *facts = &b->c->args[i].contents;
    bool all = covers(&b->c->args[i], v);
    facts->increasing |= all && is_increasing(v);
    if (facts->unique || v->known || distinct < 2)
        return;
    facts->unique = true;
    if (!all || distinct < v->n)
        facts->unique_when =
            smt_lt(b->ctx, contract_index(b->ctx), smt_int_const(b->ctx, (smt_int)distinct));
}

void launch_derive_facts(launch_builder *b)
{
    for (size_t i = 0; i < b->c->n_args && !b->failed; i++) {
        bool open = false;
        if (!b->values[i])
            continue;
        contract_values *v = tr_arena_copy(b->arena, b->values[i], sizeof *b->values[i]);
        size_t distinct = find_repeated(b->arena, v);
        const char *which = contradiction(b, i, v, distinct, &open);
        if (which || open) {
            launch_refuse(b, launch_path(b, b->where, "contents"),
                          open ? "more is stated of `%s` than its elements, which may contradict."
                               : "the elements of `%s` are not what is stated of them.",
                          b->c->args[i].name);
            return;
        }
        derive_bounds(b, i, v);
        derive_order(b, i, v, distinct);
        b->c->args[i].contents.values = v;
    }
}

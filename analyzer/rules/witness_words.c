/* Tells a witness in words: the launch, the blocks, the iteration, the element, and the index that
 * led there.
 */
#include "rules/witness_words.h"

#include "question/checker.h"

#include <stdlib.h>

static void add_list(tr_text *out, int n, const int64_t *values)
{
    for (int i = 0; i < n; i++)
        tr_text_addf(out, "%s%lld", i ? ", " : "", (long long)values[i]);
}

/* Numbers that count something, as the author of the kernel does. */
static void add_counted(tr_text *out, int n, const int64_t *values, bool from_one)
{
    for (int i = 0; i < n; i++)
        tr_text_addf(out, "%s%lld", i ? ", " : "", (long long)values[i] + from_one);
}

static void add_coordinate(tr_text *out, const witness_event *e, bool from_one)
{
    int64_t reversed[IR_MAX_RANK];
    for (int d = 0; d < e->rank; d++)
        reversed[d] = e->coordinate[e->rank - 1 - d];
    add_counted(out, e->rank, from_one ? reversed : e->coordinate, from_one);
}

enum { MAX_DIMENSIONS = 8 };

typedef struct array_words {
    int rank;
    int64_t shape[MAX_DIMENSIONS], strides[MAX_DIMENSIONS];
    bool read[MAX_DIMENSIONS]; /* the stride: else the kernel has a constant in its place */
} array_words;

/* Shape and strides of the array that v is of; false where a dimension is not a parameter. */
static bool find_array(const witness *w, uint32_t array, array_words *out)
{
    unsigned shapes = 0, strides = 0;
    for (size_t i = 0; i < w->n_params; i++) {
        const witness_value *v = &w->params[i];
        if (!v->arg || v->arg->member.role == CONTRACT_ALONE || v->arg->member.array != array)
            continue;
        uint32_t d = v->arg->member.dimension;
        if (d >= MAX_DIMENSIONS)
            return false;
        bool extent = v->arg->member.role == CONTRACT_ARRAY_EXTENT;
        (extent ? out->shape : out->strides)[d] = v->value;
        *(extent ? &shapes : &strides) |= 1u << d;
        out->rank = (int)d >= out->rank ? (int)d + 1 : out->rank;
        if (!extent)
            out->read[d] = !v->idle;
    }
    return shapes == strides && shapes == (1u << out->rank) - 1;
}

static bool is_dense(const array_words *array, bool first_is_fastest)
{
    int64_t stride = 1;
    for (int i = 0; i < array->rank; i++) {
        int d = first_is_fastest ? i : array->rank - 1 - i;
        if (array->read[d] && array->shape[d] != 1 && array->strides[d] != stride)
            return false;
        if (__builtin_mul_overflow(stride, array->shape[d], &stride))
            return false;
    }
    return true;
}

static void add_array(tr_text *out, const char *name, const array_words *array, bool from_one)
{
    tr_text_addf(out, "%s of %s (", name, from_one ? "size" : "shape");
    add_list(out, array->rank, array->shape);
    tr_text_add(out, ")");
    if (is_dense(array, from_one))
        return;
    for (int d = 0; d < array->rank; d++) {
        tr_text_add(out, d == 0 ? " with strides (" : ", ");
        if (array->read[d])
            tr_text_addf(out, "%lld", (long long)array->strides[d]);
        else
            tr_text_add(out, "-");
    }
    tr_text_add(out, ")");
}

static void add_launch(const checker *k, tr_text *out, const witness *w)
{
    tr_text_add(out, "for the launch with grid (");
    add_list(out, 3, w->grid);
    tr_text_add(out, ")");
    const char *before = " and ";
    int64_t told = -1;
    for (size_t i = 0; i < w->n_params; i++) {
        const witness_value *v = &w->params[i];
        bool member = v->arg && v->arg->member.role != CONTRACT_ALONE;
        array_words array = {0};
        if (v->idle || (member && v->arg->member.array == told))
            continue;
        tr_text_add(out, before);
        before = ", ";
        if (member && find_array(w, v->arg->member.array, &array)) {
            told = v->arg->member.array;
            add_array(out, k->contract->args[told].name, &array, w->from_one);
        } else {
            tr_text_addf(out, "%s = ", v->name);
            if (witness_is_large(v))
                tr_text_addf(out, "%llu", (unsigned long long)v->value);
            else
                tr_text_addf(out, "%lld", (long long)v->value);
        }
    }
    tr_text_add(out, w->from_one ? "; counted from 1, as ct.bid does:" : ":");
}

static void add_place_in_buffer(tr_text *out, const witness_event *e, bool from_one)
{
    if (!e->buffer)
        return;
    tr_text_addf(out, " %s[", e->buffer);
    if (e->rank)
        add_coordinate(out, e, from_one);
    else
        tr_text_addf(out, "%lld", (long long)e->element + from_one);
    tr_text_add(out, "]");
    if (e->rank > 1)
        tr_text_addf(out, " (element %lld)", (long long)e->element + from_one);
}

static const char *verb(const witness_event *e)
{
    switch (e->access[0]) {
    case 'a':
        return "updates";
    case 's':
        return "stores";
    case 'l':
        return "loads";
    default:
        return "computes";
    }
}

static void add_event(tr_text *out, const witness_event *e, bool is_race, bool from_one)
{
    if (e->access[0] == 'n') { /* TR012 is about what does not happen */
        tr_text_addf(out, "\n%s to %s[%lld]", e->access, e->buffer,
                     (long long)e->element + from_one);
        return;
    }
    tr_text_add(out, "\ntile block (");
    add_counted(out, 3, e->block, from_one);
    tr_text_add(out, ")");
    if (e->n_iterations) {
        tr_text_addf(out, ", iteration%s ", e->n_iterations > 1 ? "s" : "");
        add_counted(out, (int)e->n_iterations, e->iterations, from_one);
    }
    for (size_t i = 0; is_race && i < e->n_lookups; i++)
        tr_text_addf(out, "%s %s[%lld] = %lld", i ? "," : " reads", e->lookups[i].buffer,
                     (long long)e->lookups[i].element + from_one, (long long)e->lookups[i].value);
    tr_text_addf(out, "%s %s", is_race && e->n_lookups ? " and" : "", verb(e));
    if (is_race)
        add_place_in_buffer(out, e, from_one);
    else if (e->buffer)
        tr_text_addf(out, " %s", e->buffer);
    for (size_t i = 0; i < e->n_index; i++) {
        char *end;
        (void)strtoll(e->index[i].name, &end, 0);
        bool number = *end == '\0'; /* "0 = 0" says nothing */
        tr_text_addf(out, "%s", i == 0 ? (is_race ? " by index (" : " with ") : ", ");
        if (number)
            tr_text_addf(out, "%lld", (long long)e->index[i].value);
        else
            tr_text_addf(out, "%s = %lld", e->index[i].name, (long long)e->index[i].value);
    }
    if (e->n_index && is_race)
        tr_text_add(out, ")");
}

const char *finding_witness_words(checker *k, const witness *w)
{
    tr_text text = {0};
    add_launch(k, &text, w);
    for (size_t i = 0; i < w->n_events; i++)
        add_event(&text, &w->events[i], w->n_events > 1, w->from_one);
    const char *kept = tr_arena_strdup(k->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

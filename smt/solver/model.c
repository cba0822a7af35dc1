/* Models: values of variables, and of functions where the query applies them. */
#include "solver/model.h"

#include "goal/goal.h"
#include "solver/answer.h"
#include "terms/eval.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/rewrite.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <stdlib.h>

typedef struct known_value {
    smt_t key;
    smt_int value;
} known_value;

typedef struct builder {
    known_value *values;      /* stb_ds map of variables */
    struct smt_point *points; /* stb_ds array */
    bool strict;              /* what is not mentioned has no value */
} builder;

static smt_int nearest_to_zero(smt_t term)
{
    return term->low > 0 ? term->low : term->high < 0 ? term->high : 0;
}

static const struct smt_point *find_point(size_t n, const struct smt_point *points, smt_t term,
                                          const smt_int *args)
{
    for (size_t i = 0; i < n; i++) {
        const struct smt_point *point = &points[i];
        bool same =
            point->kind == term->kind && point->name == term->name && point->n_args == term->n_args;
        for (uint32_t k = 0; k < term->n_args && same; k++)
            same = point->args[k] == args[k];
        if (same)
            return point;
    }
    return NULL;
}

/* ---- Section: Making ---- */

static bool lookup_building(void *user, smt_t term, size_t n_args, const smt_int *args,
                            smt_int *value)
{
    builder *b = user;
    if (n_args > 0) {
        const struct smt_point *point = find_point(arrlenu(b->points), b->points, term, args);
        *value = point ? point->value : smt_is_bool(term) ? 0 : nearest_to_zero(term);
        return true;
    }
    ptrdiff_t at = hmgeti(b->values, term);
    *value = at >= 0 ? b->values[at].value : smt_is_bool(term) ? 0 : nearest_to_zero(term);
    return true;
}

static bool add_point(builder *b, tr_arena *arena, smt_t term, smt_int value)
{
    smt_int *args = TR_NEW_ARRAY(arena, smt_int, term->n_args);
    for (uint32_t i = 0; i < term->n_args; i++) {
        if (!smt_eval(term->args[i], lookup_building, b, &args[i]))
            return false;
    }
    const struct smt_point *known = find_point(arrlenu(b->points), b->points, term, args);
    if (known)
        return known->value == value;
    struct smt_point point = {term->kind, term->name, term->n_args, args, value};
    arrput(b->points, point);
    return true;
}

static int by_id(const void *a, const void *b)
{
    uint32_t x = ((const known_value *)a)->key->id, y = ((const known_value *)b)->key->id;
    return (x > y) - (x < y);
}

static smt_model *finish(const builder *b, smt_ctx *ctx, tr_arena *arena)
{
    smt_model *model = TR_NEW(arena, smt_model);
    size_t n = (size_t)hmlen(b->values);
    known_value *sorted = TR_NEW_ARRAY(arena, known_value, n + 1);
    for (size_t i = 0; i < n; i++)
        sorted[i] = b->values[i];
    qsort(sorted, n, sizeof *sorted, by_id);
    smt_t *terms = TR_NEW_ARRAY(arena, smt_t, n + 1);
    smt_int *numbers = TR_NEW_ARRAY(arena, smt_int, n + 1);
    for (size_t i = 0; i < n; i++) {
        terms[i] = sorted[i].key;
        numbers[i] = sorted[i].value;
    }
    size_t n_points = arrlenu(b->points);
    model->ctx = ctx;
    model->n = n;
    model->terms = terms;
    model->values = numbers;
    model->n_points = n_points;
    model->points = TR_NEW_ARRAY(arena, struct smt_point, n_points + 1);
    for (size_t i = 0; i < n_points; i++)
        model->points[i] = b->points[i];
    return model;
}

smt_model *smt_model_make(smt_ctx *ctx, tr_arena *arena, size_t n, const smt_t *terms,
                          const smt_int *values, const smt_goal *goal)
{
    builder b = {0};
    bool ok = true;
    for (size_t i = 0; i < n && ok; i++) {
        if (terms[i]->n_args == 0)
            hmput(b.values, terms[i], values[i]);
        else
            ok = add_point(&b, arena, terms[i], values[i]);
    }
    /* A variable that was eliminated last is defined by what is left. */
    for (size_t i = goal ? arrlenu(goal->definitions) : 0; i-- > 0 && ok;) {
        smt_int value;
        ok = smt_eval(goal->definitions[i].by, lookup_building, &b, &value);
        if (ok)
            hmput(b.values, goal->definitions[i].what, value);
    }
    smt_model *model = ok ? finish(&b, ctx, arena) : NULL;
    hmfree(b.values);
    arrfree(b.points);
    return model;
}

smt_model *smt_model_translate(const smt_model *model, smt_ctx *to, tr_arena *arena, uint32_t below)
{
    builder b = {0};
    for (size_t i = 0; i < model->n; i++) {
        smt_t term = model->terms[i], other;
        if (term->id < below) {
            smt_import(to, 1, &term, &other);
            hmput(b.values, other, model->values[i]);
        }
    }
    for (size_t i = 0; i < model->n_points; i++) {
        struct smt_point point = model->points[i];
        point.name = smt_intern_name(to, point.name);
        arrput(b.points, point);
    }
    smt_model *translated = finish(&b, to, arena);
    hmfree(b.values);
    arrfree(b.points);
    return translated;
}

/* ---- Section: Asking ---- */

static const smt_int *find_value(const smt_model *model, smt_t term)
{
    size_t low = 0, high = model->n;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (model->terms[middle] == term)
            return &model->values[middle];
        if (model->terms[middle]->id < term->id)
            low = middle + 1;
        else
            high = middle;
    }
    return NULL;
}

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const smt_model *model = user;
    if (n_args > 0) {
        const struct smt_point *point = find_point(model->n_points, model->points, term, args);
        *value = point ? point->value : smt_is_bool(term) ? 0 : nearest_to_zero(term);
        return true;
    }
    const smt_int *known = find_value(model, term);
    *value = known ? *known : smt_is_bool(term) ? 0 : nearest_to_zero(term);
    return true;
}

bool smt_model_eval(const smt_model *model, smt_t term, smt_int *value)
{
    return smt_eval(term, look_up, (void *)model, value);
}

/* ---- Section: Checking ---- */

/* Terms that are to hold, with the order of all below them. */
typedef struct wanted {
    smt_order order;
    bool *holds; /* stb_ds array, by place: one of the terms */
    smt_value *values;
    smt_int *room;
} wanted;

static void want(wanted *w, size_t n, const smt_t *terms)
{
    smt_order_make(&w->order, n, terms);
    size_t count = smt_order_count(&w->order);
    arrsetlen(w->values, count);
    arrsetlen(w->holds, count);
    for (size_t i = 0; i < count; i++)
        w->holds[i] = false;
    for (size_t i = 0; i < n; i++)
        w->holds[smt_order_find(&w->order, terms[i])] = true;
}

static void want_no_more(wanted *w)
{
    arrfree(w->values);
    arrfree(w->holds);
    arrfree(w->room);
    smt_order_free(&w->order);
}

static bool is_in_range(smt_t term, smt_value value)
{
    bool chosen = term->kind == SMT_VAR || term->kind == SMT_APP;
    return !chosen || !value.known || (value.number >= term->low && value.number <= term->high);
}

/* Ends at the first that does not hold: of the models that are tried, most break one of the facts
 * on a single variable. */
static bool gives(const smt_model *model, wanted *w)
{
    size_t n = smt_order_count(&w->order);
    bool ok = true;
    size_t i = 0;
    for (; i < n && ok; i++) {
        smt_t term = w->order.terms[i];
        smt_value value = smt_eval_found(&w->order, i, w->values, look_up, (void *)model, &w->room);
        w->values[i] = value;
        ok = is_in_range(term, value) && (!w->holds[i] || (value.known && value.number != 0));
    }
    if (n > 0)
        smt_tick(smt_node_of(w->order.terms[0])->ctx, i);
    return ok;
}

bool smt_model_satisfies(const smt_model *model, size_t n, const smt_t *terms)
{
    return smt_any_model_satisfies(1, &model, n, terms);
}

bool smt_any_model_satisfies(size_t n_models, const smt_model *const *models, size_t n,
                             const smt_t *terms)
{
    wanted w = {0};
    bool any = false;
    if (n_models == 0)
        return false;
    want(&w, n, terms);
    for (size_t i = 0; i < n_models && !any; i++)
        any = gives(models[i], &w);
    want_no_more(&w);
    return any;
}

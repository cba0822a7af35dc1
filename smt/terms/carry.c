#include "terms/carry.h"

#include "terms/node.h"
#include "terms/poly.h"

#include "base/ds.h"

#include <string.h>

enum { MOST_TERMS = 1 << 22, MOST_PARTS = 1 << 20 };

/* ---- Section: Writing ---- */

typedef struct writing {
    smt_t *all; /* stb_ds array: children first */
    struct {
        smt_t key;
        size_t value; /* its place, counted from 1 */
    } *places;        /* stb_ds map */
} writing;

static void note(void *user, smt_t term)
{
    writing *w = user;
    if (hmgeti(w->places, term) >= 0)
        return;
    arrput(w->all, term);
    hmput(w->places, term, arrlenu(w->all));
}

static void write_term(tr_text *out, writing *w, smt_t term)
{
    tr_carry_number(out, term->kind);
    tr_carry_number(out, term->n_args);
    for (uint32_t i = 0; i < term->n_args; i++)
        tr_carry_number(out, (tr_wide)hmget(w->places, term->args[i]));
    for (uint32_t i = 0; term->kind == SMT_SUM && i < term->n_args; i++)
        tr_carry_number(out, term->coefs[i]);
    tr_carry_number(out, term->value);
    tr_carry_text(out, term->name);
    tr_carry_number(out, term->is_private);
    tr_carry_number(out, term->copy);
    tr_carry_number(out, term->low);
    tr_carry_number(out, term->high);
}

void smt_carry_terms(tr_text *out, smt_ctx *ctx, size_t n, const smt_t *terms)
{
    writing w = {0};
    for (size_t i = 0; i < n; i++)
        if (terms[i])
            smt_visit(ctx, terms[i], note, &w);
    tr_carry_number(out, (tr_wide)arrlenu(w.all));
    for (size_t i = 0; i < arrlenu(w.all); i++)
        write_term(out, &w, w.all[i]);
    for (size_t i = 0; i < n; i++)
        tr_carry_number(out, terms[i] ? (tr_wide)hmget(w.places, terms[i]) : 0);
    arrfree(w.all);
    hmfree(w.places);
}

/* ---- Section: Reading ---- */

/* The parts that a kind of term is made of: `least` to `most` parts, the first of them a truth or
 * not, and the others. */
static const struct {
    uint32_t least, most;
    bool first_is_bool, rest_are_bool, is_named;
} shapes[] = {
    [SMT_INT] = {0, 0, false, false, false},
    [SMT_VAR] = {0, 0, false, false, true},
    [SMT_BVAR] = {0, 0, false, false, true},
    [SMT_SUM] = {1, MOST_PARTS, false, false, false},
    [SMT_PROD] = {2, MOST_PARTS, false, false, false},
    [SMT_NAMED] = {1, 1, false, false, false},
    [SMT_DIV] = {2, 2, false, false, false},
    [SMT_MOD] = {2, 2, false, false, false},
    [SMT_ITE] = {3, 3, true, false, false},
    [SMT_APP] = {1, MOST_PARTS, false, false, true},
    [SMT_BAPP] = {1, MOST_PARTS, false, false, true},
    [SMT_TRUE] = {0, 0, false, false, false},
    [SMT_FALSE] = {0, 0, false, false, false},
    [SMT_NOT] = {1, 1, true, true, false},
    [SMT_AND] = {2, MOST_PARTS, true, true, false},
    [SMT_OR] = {2, MOST_PARTS, true, true, false},
    [SMT_EQ] = {1, 1, false, false, false},
    [SMT_LE] = {1, 1, false, false, false},
};

static bool is_sound(const struct smt_term *shape)
{
    if (shape->n_args < shapes[shape->kind].least || shape->n_args > shapes[shape->kind].most ||
        shapes[shape->kind].is_named != (shape->name && *shape->name))
        return false;
    for (uint32_t i = 0; i < shape->n_args; i++)
        if (!shape->args[i] ||
            smt_is_bool(shape->args[i]) !=
                (i == 0 ? shapes[shape->kind].first_is_bool : shapes[shape->kind].rest_are_bool))
            return false;
    bool is_copy = shape->is_private || shape->copy > 0;
    return !is_copy || shape->kind == SMT_VAR;
}

/* NULL: it cannot be one. */
static smt_t made(smt_ctx *ctx, struct smt_term *shape)
{
    smt_t term;
    if (shape->kind == SMT_VAR)
        term = smt_renamed(ctx, shape, shape->name, shape->low, shape->high);
    else if (shape->kind == SMT_APP)
        term = smt_app(ctx, shape->name, shape->n_args, shape->args, shape->low, shape->high);
    else {
        shape->name = shape->name ? smt_intern_name(ctx, shape->name) : NULL;
        return smt_intern(ctx, shape);
    }
    return term->low == shape->low && term->high == shape->high ? term : NULL;
}

static smt_t read_term(tr_carried *from, smt_ctx *ctx, const smt_t *before, size_t n_before)
{
    struct smt_term shape = {.kind = (smt_kind)tr_carried_count(from, TR_COUNT(shapes) - 1)};
    shape.n_args = (uint32_t)tr_carried_count(from, MOST_PARTS);
    if (!from->good || shape.n_args > (size_t)(from->end - from->at))
        return NULL;
    smt_t *args = TR_NEW_ARRAY(from->arena, smt_t, shape.n_args + 1);
    smt_int *coefs = TR_NEW_ARRAY(from->arena, smt_int, shape.n_args + 1);
    for (uint32_t i = 0; i < shape.n_args; i++) {
        size_t place = tr_carried_count(from, n_before);
        args[i] = place > 0 ? before[place - 1] : NULL;
    }
    for (uint32_t i = 0; shape.kind == SMT_SUM && i < shape.n_args; i++)
        coefs[i] = tr_carried_number(from);
    shape.args = args;
    shape.coefs = shape.kind == SMT_SUM ? coefs : NULL;
    shape.value = tr_carried_number(from);
    shape.name = tr_carried_text(from);
    shape.is_private = tr_carried_count(from, 1) != 0;
    shape.copy = (uint32_t)tr_carried_count(from, UINT32_MAX);
    shape.low = tr_carried_number(from);
    shape.high = tr_carried_number(from);
    return from->good && is_sound(&shape) ? made(ctx, &shape) : NULL;
}

bool smt_carried_terms(tr_carried *from, smt_ctx *ctx, size_t n, smt_t *terms)
{
    size_t n_all = tr_carried_count(from, MOST_TERMS);
    if (n_all > (size_t)(from->end - from->at))
        from->good = false;
    smt_t *all = TR_NEW_ARRAY(from->arena, smt_t, from->good ? n_all + 1 : 1);
    for (size_t i = 0; i < n_all && from->good; i++) {
        all[i] = read_term(from, ctx, all, i);
        from->good = from->good && all[i];
    }
    for (size_t i = 0; i < n; i++) {
        size_t place = from->good ? tr_carried_count(from, n_all) : 0;
        terms[i] = place > 0 && from->good ? all[place - 1] : NULL;
    }
    for (size_t i = 0; i < n && !from->good; i++)
        terms[i] = NULL;
    return from->good;
}

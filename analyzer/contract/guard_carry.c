#include "contract/guard_carry.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "contract/guard_private.h"
#include "contract/ranges.h"
#include "terms/carry.h"

/* One walk over all that is carried serves both ways: it writes each value, or puts the one that it
 * reads into its place. Terms come first, so a walk before the one that writes collects them. */
typedef struct walk {
    tr_arena *arena;
    tr_text *out;   /* writing: NULL while terms are collected */
    tr_carried *in; /* reading; or NULL */
    smt_t *terms;   /* stb_ds array: in the order in which the walk meets them */
    size_t n_taken; /* reading */
    size_t n_args;  /* of the contract */
} walk;

enum { MOST = 1 << 26 };

/* ---- Section: Values ---- */

static void fail(walk *w)
{
    w->in->good = false;
}

static tr_wide number(walk *w, tr_wide value, tr_wide least, tr_wide most)
{
    if (w->out)
        tr_carry_number(w->out, value);
    if (!w->in)
        return value;
    value = tr_carried_number(w->in);
    if (value >= least && value <= most)
        return value;
    fail(w);
    return least;
}

/* Each of the items that follow takes one character at least. */
static size_t count(walk *w, size_t value)
{
    size_t most = w->in ? (size_t)(w->in->end - w->in->at) : MOST;
    return (size_t)number(w, (tr_wide)value, 0, (tr_wide)most);
}

static bool truth(walk *w, bool value)
{
    return number(w, value, 0, 1) != 0;
}

static void text(walk *w, const char **value)
{
    if (w->out)
        tr_carry_text(w->out, *value);
    if (w->in)
        *value = tr_carried_text(w->in);
}

/* Carries a name, which is never NULL. */
static void name(walk *w, const char **value)
{
    text(w, value);
    if (w->in && !*value) {
        fail(w);
        *value = "";
    }
}

static void real(walk *w, double *value)
{
    int64_t bits;
    memcpy(&bits, value, sizeof bits);
    bits = (int64_t)number(w, bits, INT64_MIN, INT64_MAX);
    memcpy(value, &bits, sizeof bits);
}

static void term(walk *w, smt_t *value, bool is_bool)
{
    if (!w->in) {
        if (!w->out)
            arrput(w->terms, *value);
        return;
    }
    *value = w->in->good && w->n_taken < arrlenu(w->terms) ? w->terms[w->n_taken++] : NULL;
    if (*value && smt_is_bool(*value) != is_bool)
        fail(w);
}

/* The number of an argument. */
static size_t arg_number(walk *w, size_t value)
{
    size_t most = w->n_args ? w->n_args - 1 : 0;
    return (size_t)number(w, (tr_wide)value, 0, (tr_wide)most);
}

/* ---- Section: Structures ---- */

static void walk_values(walk *w, const contract_values **of)
{
    bool is_there = truth(w, *of != NULL);
    if (!is_there)
        return;
    contract_values v = *of ? **of : (contract_values){0};
    v.n = count(w, v.n);
    int64_t *values = TR_NEW_ARRAY(w->arena, int64_t, w->in ? v.n + 1 : 1);
    bool *known = TR_NEW_ARRAY(w->arena, bool, w->in ? v.n + 1 : 1);
    for (size_t i = 0; i < v.n; i++) {
        bool is_known = truth(w, !w->in && (!v.known || v.known[i]));
        int64_t value = (int64_t)number(w, w->in ? 0 : v.values[i], INT64_MIN, INT64_MAX);
        if (w->in) {
            values[i] = value;
            known[i] = is_known;
        }
    }
    if (w->in)
        *of = tr_arena_copy(
            w->arena, &(contract_values){.n = v.n, .values = values, .known = known}, sizeof v);
}

static void walk_contents(walk *w, contract_contents *c)
{
    c->unique = truth(w, c->unique);
    term(w, &c->unique_when, true);
    c->increasing = truth(w, c->increasing);
    term(w, &c->min, false);
    term(w, &c->max, false);
    c->n_tuple = count(w, c->n_tuple);
    int *tuple = TR_NEW_ARRAY(w->arena, int, c->n_tuple + 1);
    for (size_t i = 0; i < c->n_tuple; i++)
        tuple[i] = (int)arg_number(w, w->in ? 0 : (size_t)c->tuple[i]);
    c->tuple = tuple;
    c->prefix_sum_of = (int)number(w, c->prefix_sum_of, -1, (tr_wide)w->n_args - 1);
    term(w, &c->regions, false);
    walk_values(w, &c->values);
    c->place = NULL;
}

static void walk_arg(walk *w, contract_arg *a, smt_t *variable)
{
    name(w, &a->name);
    text(w, &a->made_up);
    a->kind = (contract_arg_kind)number(w, a->kind, 0, CONTRACT_FLOAT);
    a->member.role = (contract_role)number(w, a->member.role, 0, CONTRACT_ARRAY_STRIDE);
    a->member.array = (uint32_t)arg_number(w, a->member.array);
    a->member.dimension = (uint32_t)number(w, a->member.dimension, 0, UINT32_MAX);
    a->bits = (int)number(w, a->bits, 0, 64);
    a->is_signed = truth(w, a->is_signed);
    a->has_number = truth(w, a->has_number);
    real(w, &a->number);
    text(w, &a->buffer);
    a->buffer_stated = truth(w, a->buffer_stated);
    term(w, &a->elements, false);
    a->spans = truth(w, a->spans);
    term(w, &a->offset, false);
    walk_contents(w, &a->contents);
    a->constrained = truth(w, a->constrained);
    term(w, variable, false);
    if (w->in && a->kind == CONTRACT_SCALAR && (!*variable || (*variable)->kind != SMT_VAR))
        fail(w);
}

static void walk_fact(walk *w, contract_fact *f)
{
    term(w, &f->term, true);
    text(w, &f->text);
    if (w->in && !f->term)
        fail(w);
}

static void walk_precondition(walk *w, precondition *p)
{
    p->kind = (precondition_kind)number(w, p->kind, 0, PRECONDITION_COUNT - 1);
    p->class_ = (precondition_class)number(w, p->class_, 0, PRECONDITION_CLASS_RACE);
    p->subject.kind =
        (precondition_subject_kind)number(w, p->subject.kind, 0, PRECONDITION_OF_GRID);
    p->subject.arg = arg_number(w, p->subject.arg);
    p->subject.axis = (int)number(w, p->subject.axis, 0, 2);
    term(w, &p->term, true);
    walk_contents(w, &p->contents);
    p->of_contents = truth(w, p->of_contents);
    term(w, &p->elements, false);
    term(w, &p->bytes, false);
    p->n_args = count(w, p->n_args);
    size_t *args = TR_NEW_ARRAY(w->arena, size_t, p->n_args + 1);
    for (size_t i = 0; i < p->n_args; i++)
        args[i] = arg_number(w, w->in ? 0 : p->args[i]);
    p->args = args;
    text(w, &p->words);
    p->by_solver = truth(w, p->by_solver);
    p->unspeakable = truth(w, p->unspeakable);
    p->about = NULL; /* for those who print what was printed already */
    p->reason = NULL;
    p->n_tables = 0;
    p->tables = NULL;
}

static void walk_elements(walk *w, guard_elements *e)
{
    e->bytes = (unsigned)number(w, e->bytes, 0, 8);
    e->are_integers = truth(w, e->are_integers);
    e->only_read = truth(w, e->only_read);
}

/* The facts of a contract that is read are added to it. */
static void walk_contract(walk *w, contract *c)
{
    c->source = (contract_source)number(w, c->source, 0, CONTRACT_FILE);
    for (size_t i = 0; i < c->n_args; i++) {
        contract_arg arg = c->args[i];
        smt_t variable = c->ranges->params[i].final;
        walk_arg(w, &arg, &variable);
        if (!w->in)
            continue;
        c->args[i] = arg;
        c->ranges->params[i].final = variable;
    }
    for (int axis = 0; axis < 3; axis++) {
        smt_t extent = c->grid[axis];
        term(w, &extent, false);
        if (w->in)
            c->grid[axis] = extent;
    }
    bool is_empty = truth(w, c->is_empty);
    size_t n = count(w, arrlenu(c->facts));
    for (size_t i = 0; i < n; i++) {
        contract_fact fact = w->in ? (contract_fact){0} : c->facts[i];
        walk_fact(w, &fact);
        if (w->in && w->in->good)
            contract_add_fact(c, fact.term, fact.text, NULL);
    }
    if (!w->in)
        return;
    c->is_empty = is_empty;
    c->ranges->settled = true;
}

/* ---- Section: Writing ---- */

static void walk_guard(walk *w, const guard_parts *g)
{
    contract c = *g->contract;
    walk_contract(w, &c);
    for (size_t i = 0; i < g->contract->n_args; i++) {
        guard_elements elements = g->elements[i];
        walk_elements(w, &elements);
    }
    for (size_t i = 0; i < g->n; i++) {
        precondition p = *g->preconditions[i];
        walk_precondition(w, &p);
    }
}

void guard_carry(tr_text *out, const guard *g, const char *symbol)
{
    guard_parts parts = guard_parts_of(g);
    walk w = {.arena = smt_arena(parts.ctx), .n_args = parts.contract->n_args};
    for (size_t i = 0; i < parts.contract->n_args; i++)
        if (parts.contract->args[i].kind == CONTRACT_SCALAR)
            contract_param(parts.ctx, parts.contract, i); /* so that it is there */
    walk_guard(&w, &parts);
    tr_carry_text(out, symbol);
    tr_carry_text(out, parts.contract->kernel);
    tr_carry_number(out, (tr_wide)parts.contract->n_args);
    tr_carry_number(out, (tr_wide)parts.n);
    tr_carry_number(out, (tr_wide)arrlenu(w.terms));
    smt_carry_terms(out, parts.ctx, arrlenu(w.terms), w.terms);
    arrfree(w.terms);
    w.out = out;
    walk_guard(&w, &parts);
}

/* ---- Section: Reading ---- */

static size_t small_count(tr_carried *in)
{
    return tr_carried_count(in, (size_t)(in->end - in->at));
}

static void read_terms(walk *w, smt_ctx *ctx)
{
    size_t n = small_count(w->in);
    arrsetlen(w->terms, n);
    if (n > 0)
        smt_carried_terms(w->in, ctx, n, w->terms);
    else
        smt_carried_terms(w->in, ctx, 0, NULL);
}

/* False: the text is none. */
static bool read_into(guard_carried *g, tr_carried *in)
{
    tr_arena *arena = smt_arena(g->ctx);
    walk w = {.arena = arena, .in = in};
    g->symbol = tr_carried_text(in);
    const char *kernel = tr_carried_text(in);
    w.n_args = small_count(in);
    g->n = small_count(in);
    if (!in->good || !g->symbol || !kernel)
        return false;
    read_terms(&w, g->ctx);
    g->contract = contract_new(g->ctx, kernel, w.n_args);
    guard_elements *elements = TR_NEW_ARRAY(arena, guard_elements, w.n_args + 1);
    precondition *all = TR_NEW_ARRAY(arena, precondition, g->n + 1);
    const precondition **list = TR_NEW_ARRAY(arena, const precondition *, g->n + 1);
    walk_contract(&w, g->contract);
    for (size_t i = 0; i < w.n_args; i++)
        walk_elements(&w, &elements[i]);
    for (size_t i = 0; i < g->n; i++) {
        walk_precondition(&w, &all[i]);
        list[i] = &all[i];
    }
    arrfree(w.terms);
    g->elements = elements;
    g->preconditions = list;
    if (!in->good || in->at != in->end)
        return false;
    g->guard = guard_new(g->ctx, g->contract, elements, g->n, list);
    return true;
}

tr_give guard_carried *guard_read(const char *carried)
{
    guard_carried *g = calloc(1, sizeof *g);
    if (!g)
        tr_no_memory();
    g->ctx = smt_ctx_new();
    tr_carried in = {smt_arena(g->ctx), carried, carried + strlen(carried), true};
    if (read_into(g, &in))
        return g;
    guard_carried_free(g);
    return NULL;
}

void guard_carried_free(tr_take guard_carried *g)
{
    if (!g)
        return;
    if (g->contract)
        contract_free(g->contract);
    smt_ctx_free(g->ctx);
    free(g);
}

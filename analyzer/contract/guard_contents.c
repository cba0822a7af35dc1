/* Facts on the contents of index buffers, looked at on the host. */
#include "contract/guard_private.h"

#include <stdlib.h>
#include <string.h>

/* The terms of a fact, and where the program over parameters, grid, value and index has them. */
enum { TERM_MIN, TERM_MAX, TERM_WHEN, TERM_REGION, TERM_COUNT };

struct guard_contents {
    const contract *contract;
    const guard_elements *elements;
    const precondition *what;
    const smt_compiled *program; /* of the TERM_COUNT terms; those that are absent are `true` */
    bool has[TERM_COUNT];
    bool by_element[TERM_COUNT]; /* it depends on the element or its index */
};

typedef struct column { /* the elements of one argument, as the host has them */
    const unsigned char *data;
    size_t n, width;
    bool is_unsigned;
} column;

/* ---- Section: Elements ---- */

static int64_t at(const column *c, size_t i)
{
    uint64_t bits = 0, sign = (uint64_t)1 << (8 * c->width - 1);
    memcpy(&bits, c->data + i * c->width, c->width);
    return c->is_unsigned ? (int64_t)bits : (int64_t)((bits ^ sign) - sign);
}

static bool column_of(const guard_elements *elements, const guard_launch *launch, size_t arg,
                      const contract_contents *facts, column *out)
{
    uint64_t bytes = 0;
    size_t width = elements[arg].are_integers ? elements[arg].bytes : 0;
    const void *data =
        launch->contents && width ? launch->contents(launch->user, arg, &bytes) : NULL;
    if (!data)
        return false;
    *out = (column){.data = data,
                    .n = (size_t)(bytes / width),
                    .width = width,
                    .is_unsigned = contract_contents_are_unsigned(facts, (int)(8 * width))};
    return true;
}

bool guard_element(const contract *c, const guard_elements *elements, const guard_launch *launch,
                   smt_t element, smt_int index, smt_int *value)
{
    const char *end = strchr(element->name, '@'); /* NAME@launch.BITS */
    for (size_t i = 0; i < c->n_args && end; i++) {
        const char *name = contract_buffer_of(&c->args[i]);
        column table;
        if (c->args[i].kind != CONTRACT_POINTER || strlen(name) != (size_t)(end - element->name) ||
            strncmp(name, element->name, strlen(name)) != 0 ||
            !column_of(elements, launch, i, &c->args[i].contents, &table) || index < 0 ||
            index >= (smt_int)table.n)
            continue;
        *value = at(&table, (size_t)index);
        return *value >= element->low && *value <= element->high;
    }
    return false;
}

/* ---- Section: Terms over an element ---- */

typedef struct asking { /* one launch, one fact */
    const guard_contents *g;
    const guard_launch *launch;
    smt_value *inputs, *room; /* inputs: parameters, grid, value, index */
    size_t n_inputs;
    smt_value terms[TERM_COUNT];
} asking;

static bool look_up(void *user, smt_t element, size_t n_args, const smt_int *args, smt_int *value)
{
    const asking *a = user;
    return n_args == 1 &&
           guard_element(a->g->contract, a->g->elements, a->launch, element, args[0], value);
}

static void evaluate(asking *a, int64_t value, size_t index)
{
    a->inputs[a->n_inputs - 2] = (smt_value){value, true};
    a->inputs[a->n_inputs - 1] = (smt_value){(smt_int)index, true};
    smt_compiled_run(a->g->program, a->inputs, look_up, a, a->room, a->terms);
}

static guard_answer in_range(const asking *a, int64_t value)
{
    const smt_value *terms = a->terms;
    if (a->g->has[TERM_MIN] && terms[TERM_MIN].known && value < terms[TERM_MIN].number)
        return GUARD_BROKEN;
    if (a->g->has[TERM_MAX] && terms[TERM_MAX].known && value > terms[TERM_MAX].number)
        return GUARD_BROKEN;
    bool known = (!a->g->has[TERM_MIN] || terms[TERM_MIN].known) &&
                 (!a->g->has[TERM_MAX] || terms[TERM_MAX].known);
    return known ? GUARD_HOLDS : GUARD_NOT_CHECKED;
}

static guard_result found(guard_answer answer, size_t arg, size_t first, size_t second)
{
    return (guard_result){.answer = answer,
                          .args = {arg, arg},
                          .elements = {(int64_t)first, (int64_t)second},
                          .has_args = true,
                          .has_elements = true};
}

static guard_result range_holds(asking *a, const column *c)
{
    guard_result result = {.answer = GUARD_HOLDS};
    if (!a->g->has[TERM_MIN] && !a->g->has[TERM_MAX])
        return result;
    bool each = a->g->by_element[TERM_MIN] || a->g->by_element[TERM_MAX];
    if (!each)
        evaluate(a, 0, 0);
    for (size_t i = 0; i < c->n; i++) {
        int64_t value = at(c, i);
        if (each)
            evaluate(a, value, i);
        guard_answer answer = in_range(a, value);
        if (answer == GUARD_BROKEN)
            return found(answer, a->g->what->subject.arg, i, i);
        if (answer != GUARD_HOLDS)
            result.answer = answer;
    }
    return result;
}

/* Elements that the contract states one by one, whatever sign they are read with. */
static guard_result values_hold(asking *a, const column *c)
{
    const contract_values *stated = a->g->what->contents.values;
    uint64_t bits = c->width < 8 ? ((uint64_t)1 << (8 * c->width)) - 1 : UINT64_MAX;
    int64_t value;
    for (size_t i = 0; stated && i < c->n && i < stated->n; i++)
        if (contract_values_at(stated, (smt_int)i, &value) &&
            ((uint64_t)value & bits) != ((uint64_t)at(c, i) & bits))
            return found(GUARD_BROKEN, a->g->what->subject.arg, i, i);
    return (guard_result){.answer = GUARD_HOLDS};
}

static guard_result order_holds(asking *a, const column *c)
{
    for (size_t i = 1; a->g->what->contents.increasing && i < c->n; i++)
        if (at(c, i) < at(c, i - 1))
            return found(GUARD_BROKEN, a->g->what->subject.arg, i - 1, i);
    return (guard_result){.answer = GUARD_HOLDS};
}

/* ---- Section: Elements that differ ---- */

enum { MOST_COLUMNS = 9 };

typedef struct table { /* columns side by side; the elements of one index are a tuple */
    column columns[MOST_COLUMNS];
    size_t n_columns, n;
} table;

static uint64_t hash_of(const table *t, size_t i)
{
    uint64_t hash = 0;
    for (size_t c = 0; c < t->n_columns; c++) {
        hash = (hash ^ (uint64_t)at(&t->columns[c], i)) * 0x9e3779b97f4a7c15u;
        hash ^= hash >> 32;
    }
    return hash;
}

static bool are_equal(const table *t, size_t i, size_t k)
{
    for (size_t c = 0; c < t->n_columns; c++)
        if (at(&t->columns[c], i) != at(&t->columns[c], k))
            return false;
    return true;
}

/* Decides whether element i is among those that have to differ; GUARD_NOT_CHECKED where that
 * depends on what is not known. */
static guard_answer counts(asking *a, const table *t, size_t i)
{
    if (!a->g->has[TERM_WHEN])
        return GUARD_HOLDS;
    evaluate(a, at(&t->columns[0], i), i);
    smt_value when = a->terms[TERM_WHEN];
    return !when.known ? GUARD_NOT_CHECKED : when.number ? GUARD_HOLDS : GUARD_BROKEN;
}

/* Each tuple goes into a hash table of indices with at least twice as many places. */
static guard_result all_differ(asking *a, const table *t)
{
    size_t places = 16;
    while (places < 2 * t->n)
        places *= 2;
    uint32_t *seen = t->n < UINT32_MAX ? calloc(places, sizeof *seen) : NULL; /* index + 1 */
    if (!seen)
        return (guard_result){.answer = GUARD_NOT_CHECKED};
    guard_result result = {.answer = GUARD_HOLDS};
    for (size_t i = 0; i < t->n && result.answer != GUARD_BROKEN; i++) {
        guard_answer counted = counts(a, t, i);
        if (counted == GUARD_NOT_CHECKED)
            result.answer = GUARD_NOT_CHECKED;
        if (counted != GUARD_HOLDS)
            continue;
        size_t place = hash_of(t, i) & (places - 1);
        while (seen[place] && !are_equal(t, seen[place] - 1, i))
            place = (place + 1) & (places - 1);
        if (seen[place])
            result = found(GUARD_BROKEN, a->g->what->subject.arg, seen[place] - 1, i);
        seen[place] = (uint32_t)i + 1;
    }
    free(seen);
    return result;
}

static guard_result tuples_differ(asking *a, const column *first)
{
    const precondition *p = a->g->what;
    table t = {.columns = {*first}, .n_columns = 1, .n = first->n};
    if (!p->contents.unique && !p->contents.unique_when)
        return (guard_result){.answer = GUARD_HOLDS};
    for (size_t i = 0; i < p->n_args; i++) {
        column *next = &t.columns[t.n_columns];
        if (p->args[i] == p->subject.arg)
            continue;
        if (t.n_columns == MOST_COLUMNS)
            return (guard_result){.answer = GUARD_NOT_CHECKED};
        if (!column_of(a->g->elements, a->launch, p->args[i],
                       &a->g->contract->args[p->args[i]].contents, next))
            return (guard_result){.answer = GUARD_NEEDS_CONTENTS};
        t.n = next->n < t.n ? next->n : t.n;
        t.n_columns++;
    }
    return all_differ(a, &t);
}

/* ---- Section: Sums and regions ---- */

static guard_result sums_hold(asking *a, const column *sums)
{
    const precondition *p = a->g->what;
    int of = p->contents.prefix_sum_of;
    column lengths;
    if (of < 0)
        return (guard_result){.answer = GUARD_HOLDS};
    if (!column_of(a->g->elements, a->launch, (size_t)of, &a->g->contract->args[of].contents,
                   &lengths))
        return (guard_result){.answer = GUARD_NEEDS_CONTENTS};
    uint64_t total = 0;
    for (size_t i = 0; i < sums->n && i <= lengths.n; i++) {
        if ((uint64_t)at(sums, i) != total)
            return found(GUARD_BROKEN, p->subject.arg, i, i);
        total += i < lengths.n ? (uint64_t)at(&lengths, i) : 0;
    }
    return (guard_result){.answer = GUARD_HOLDS};
}

typedef struct region {
    uint64_t start;
    size_t entry;
} region;

static int by_start(const void *a, const void *b)
{
    const region *x = a, *y = b;
    return x->start != y->start ? (x->start > y->start) - (x->start < y->start)
                                : (x->entry > y->entry) - (x->entry < y->entry);
}

/* Each pointer of the table addresses so many bytes of its own. */
static guard_result regions_are_apart(asking *a, const column *c)
{
    guard_result result = {.answer = GUARD_HOLDS};
    if (!a->g->what->contents.regions)
        return result;
    evaluate(a, 0, 0);
    smt_value size = a->terms[TERM_REGION];
    region *regions = c->width == 8 && size.known ? malloc((c->n + 1) * sizeof *regions) : NULL;
    if (!regions)
        return (guard_result){.answer = GUARD_NOT_CHECKED};
    for (size_t i = 0; i < c->n; i++)
        regions[i] = (region){(uint64_t)at(c, i), i};
    qsort(regions, c->n, sizeof *regions, by_start);
    for (size_t i = 1; i < c->n && result.answer == GUARD_HOLDS; i++)
        if ((smt_int)(regions[i].start - regions[i - 1].start) < size.number) {
            size_t one = regions[i - 1].entry, other = regions[i].entry;
            result = found(GUARD_BROKEN, a->g->what->subject.arg, one < other ? one : other,
                           one < other ? other : one);
        }
    free(regions);
    return result;
}

/* ---- Section: The fact ---- */

const guard_contents *guard_contents_new(smt_ctx *ctx, const contract *c,
                                         const guard_elements *elements, const precondition *p)
{
    tr_arena *arena = smt_arena(ctx);
    guard_contents *g = TR_NEW(arena, guard_contents);
    *g = (guard_contents){.contract = c, .elements = elements, .what = p};
    const contract_contents *facts = &p->contents;
    const smt_t stated[TERM_COUNT] = {
        [TERM_MIN] = facts->min,
        [TERM_MAX] = facts->max,
        [TERM_WHEN] = facts->unique_when,
        [TERM_REGION] = facts->regions,
    };
    smt_t *inputs = TR_NEW_ARRAY(arena, smt_t, c->n_args + 5), terms[TERM_COUNT];
    size_t n = 0;
    for (size_t i = 0; i < c->n_args; i++)
        inputs[n++] = c->args[i].kind == CONTRACT_SCALAR ? contract_param(ctx, c, i) : NULL;
    for (int axis = 0; axis < 3; axis++)
        inputs[n++] = contract_grid(ctx, axis);
    inputs[n++] = contract_value(ctx);
    inputs[n++] = contract_index(ctx);
    for (int t = 0; t < TERM_COUNT; t++) {
        g->has[t] = stated[t] != NULL;
        g->by_element[t] = stated[t] && (smt_contains(stated[t], contract_value(ctx)) ||
                                         smt_contains(stated[t], contract_index(ctx)));
        terms[t] = stated[t] ? stated[t] : smt_bool_const(ctx, true);
    }
    g->program = smt_compile(ctx, n, inputs, TERM_COUNT, terms);
    return g;
}

static guard_result first_that_fails(asking *a, const column *c)
{
    static guard_result (*const facts[])(asking *, const column *) = {
        range_holds, values_hold, order_holds, tuples_differ, sums_hold, regions_are_apart,
    };
    guard_result all = {.answer = GUARD_HOLDS};
    for (size_t i = 0; i < TR_COUNT(facts) && all.answer != GUARD_BROKEN; i++) {
        guard_result one = facts[i](a, c);
        if (one.answer != GUARD_HOLDS)
            all = one;
    }
    return all;
}

guard_result guard_contents_check(const guard_contents *g, const guard_launch *launch)
{
    column c;
    if (!column_of(g->elements, launch, g->what->subject.arg, &g->what->contents, &c))
        return (guard_result){.answer = GUARD_NEEDS_CONTENTS};
    size_t n_inputs = launch->n_args + 5, n = n_inputs + smt_compiled_size(g->program);
    smt_value *inputs = malloc(n * sizeof *inputs);
    if (!inputs)
        return (guard_result){.answer = GUARD_NOT_CHECKED};
    asking a = {.g = g,
                .launch = launch,
                .inputs = inputs,
                .room = inputs + n_inputs,
                .n_inputs = n_inputs};
    for (size_t i = 0; i < launch->n_args; i++)
        inputs[i] = (smt_value){contract_number_of(&g->contract->args[i], launch->scalars[i]),
                                g->contract->args[i].kind == CONTRACT_SCALAR};
    for (size_t axis = 0; axis < 3; axis++)
        inputs[launch->n_args + axis] = (smt_value){launch->grid[axis], true};
    guard_result result = first_that_fails(&a, &c);
    free(inputs);
    return result;
}

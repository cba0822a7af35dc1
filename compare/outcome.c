/* Compares what a run of each kernel leaves in memory. */
#include <math.h>
#include <string.h>

#include "compare/private.h"
#include "run/ub.h"
#include "interp/schedule.h"

/* ---- Section: One run ---- */

/* Mixes numbers in any order. */
static uint64_t mixed(uint64_t a, uint64_t b, uint64_t c)
{
    uint64_t x = a * 0x9e3779b97f4a7c15u + b * 0xc2b2ae3d27d4eb4fu + c * 0x165667b19e3779f9u;
    x ^= x >> 29;
    x *= 0xbf58476d1ce4e5b9u;
    return x ^ x >> 32;
}

static uint64_t hash_of_undefined(const interp_run *run)
{
    const interp_ub *met;
    uint64_t sum = 0;
    for (size_t i = 0, n = interp_ubs(run, &met); i < n; i++)
        sum += mixed((uint64_t)met[i].kind + 1, (uint64_t)(met[i].dimension + 2),
                     (uint64_t)met[i].value);
    return sum;
}

static void mark(outcome_array *array, interp_row row, bool writes)
{
    bool *marks = writes ? array->stored : array->loaded;
    for (int64_t at = row.address / array->width; at * array->width < row.address + row.bytes; at++)
        if (at >= 0 && (uint64_t)at < array->n)
            marks[at] = true;
}

static void mark_rows(const comparing *c, int side, const compare_sample *s, const interp_run *run,
                      outcome *o)
{
    for (size_t i = 0, rows = interp_rows(run); i < rows; i++) {
        interp_row row = interp_row_at(run, i);
        unsigned effects = ir_op_info_of(row.op->code)->effects;
        for (size_t pair = 0; pair < c->match.n_arrays; pair++) {
            if (s->plan[side]->args[c->match.arrays[pair][side]].buffer != row.buffer)
                continue;
            bool writes = effects & (IR_WRITES | IR_ATOMIC);
            int64_t end = (int64_t)(o->arrays[pair].n * (uint64_t)o->arrays[pair].width);
            if (writes && (row.address < 0 || row.address + row.bytes > end))
                o->beyond += mixed(pair, (uint64_t)row.address, (uint64_t)row.bytes);
            if (writes)
                mark(&o->arrays[pair], row, true);
            if (effects & (IR_READS | IR_ATOMIC))
                mark(&o->arrays[pair], row, false);
        }
    }
}

/* Coordinates of B's array, whose axes are those of A's in another order, back to A's. */
static void put_back(const comparing *c, size_t pair, const compare_sample *s, outcome_array *array,
                     tr_arena *arena)
{
    const gpu_buffer *a = &s->plan[0]->buffers[s->plan[0]->args[c->match.arrays[pair][0]].buffer];
    const int *axes = c->match.axes[pair];
    if (!axes || a->rank != c->match.rank[pair])
        return;
    outcome_array from = *array;
    array->bytes = tr_arena_alloc(arena, array->n * (uint64_t)array->width + 1);
    array->known = TR_NEW_ARRAY(arena, bool, array->n + 1);
    array->stored = TR_NEW_ARRAY(arena, bool, array->n + 1);
    array->loaded = TR_NEW_ARRAY(arena, bool, array->n + 1);
    for (uint64_t i = 0; i < array->n; i++) {
        uint64_t at = compare_permuted(a, axes, i);
        memcpy(array->bytes + i * (uint64_t)array->width, from.bytes + at * (uint64_t)array->width,
               (size_t)array->width);
        array->known[i] = from.known[at];
        array->stored[i] = from.stored[at];
        array->loaded[i] = from.loaded[at];
    }
}

static void take_arrays(const comparing *c, int side, const compare_sample *s,
                        const interp_run *run, tr_arena *arena, outcome *o)
{
    o->arrays = TR_NEW_ARRAY(arena, outcome_array, c->match.n_arrays + 1);
    for (size_t pair = 0; pair < c->match.n_arrays; pair++) {
        int buffer = s->plan[side]->args[c->match.arrays[pair][side]].buffer;
        const gpu_buffer *b = &s->plan[side]->buffers[buffer];
        int width = plan_element_bytes(b->element);
        outcome_array *array = &o->arrays[pair];
        *array =
            (outcome_array){.n = b->bytes / (uint64_t)width, .width = width, .element = b->element};
        array->bytes = tr_arena_alloc(arena, b->bytes + 1);
        array->known = TR_NEW_ARRAY(arena, bool, array->n + 1);
        array->stored = TR_NEW_ARRAY(arena, bool, array->n + 1);
        array->loaded = TR_NEW_ARRAY(arena, bool, array->n + 1);
        int a = c->match.arrays[pair][COMPARE_A], other = c->match.arrays[pair][COMPARE_B];
        if (c->side[COMPARE_A].writes[a] || c->side[COMPARE_B].writes[other])
            run_read_buffer(run, (size_t)buffer, b, array->bytes, array->known);
    }
    mark_rows(c, side, s, run, o);
    for (size_t pair = 0; pair < c->match.n_arrays && side == COMPARE_B; pair++)
        put_back(c, pair, s, &o->arrays[pair], arena);
}

static const char *words_of_undefined(const interp_run *run, tr_arena *arena)
{
    const interp_ub *met;
    int64_t id[3];
    if (interp_ubs(run, &met) == 0)
        return NULL;
    interp_block_of(run, met[0].block, id);
    tr_text text = {0};
    tr_text_addf(&text, "%s, by tile block (%lld, %lld, %lld)", run_ub_of(met[0].kind).words,
                 (long long)id[0], (long long)id[1], (long long)id[2]);
    if (met[0].op->place && met[0].op->place->line)
        tr_text_addf(&text, " in line %u", met[0].op->place->line);
    const char *kept = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

outcome compare_execute(const comparing *c, int side, const compare_sample *s,
                        const concrete_launch *launch, uint64_t steps, tr_arena *arena,
                        interp_run **kept)
{
    interp_limits limits = {.values = true};
    limits.steps = steps;
    const interp_schedule schedule = {.policy = INTERP_IN_ORDER};
    interp_run *run = interp_execute_scheduled(c->side[side].function, launch, &c->s->rules.model,
                                               &limits, 0, NULL, &schedule);
    const interp_ub *met;
    outcome o = {.status = interp_run_status(run), .is_undefined = interp_ubs(run, &met) > 0};
    o.beyond = hash_of_undefined(run);
    o.why = words_of_undefined(run, arena);
    if (!o.why && o.status != INTERP_DONE)
        o.why = tr_arena_strdup(arena, interp_run_why(run) ? interp_run_why(run)
                                                           : "it did not come to its end");
    take_arrays(c, side, s, run, arena, &o);
    if (kept)
        *kept = run;
    else
        interp_run_free(run);
    return o;
}

/* ---- Section: Two of them ---- */

static bool is_written(const comparing *c, size_t pair)
{
    return c->side[COMPARE_A].writes[c->match.arrays[pair][COMPARE_A]] ||
           c->side[COMPARE_B].writes[c->match.arrays[pair][COMPARE_B]];
}

static bool is_close(const outcome_array *a, const outcome_array *b, uint64_t i, double tolerance)
{
    const unsigned char *x = a->bytes + i * (uint64_t)a->width,
                        *y = b->bytes + i * (uint64_t)b->width;
    if (memcmp(x, y, (size_t)a->width) == 0)
        return true;
    if (!plan_element_is_float(a->element))
        return false;
    double p = plan_element_value(a->element, x), q = plan_element_value(b->element, y);
    if (isnan(p) || isnan(q))
        return isnan(p) && isnan(q);
    if (isinf(p) || isinf(q))
        return p == q;
    return fabs(p - q) <= tolerance * fmax(1, fmax(fabs(p), fabs(q)));
}

/* The first element of the pair at which they differ; the number of elements: none. */
static uint64_t first_difference(const outcome_array *a, const outcome_array *b, double tolerance,
                                 bool *bits_differ, bool *is_footprint)
{
    size_t width = (size_t)a->width;
    for (uint64_t i = 0; i < a->n; i++) {
        *is_footprint = a->stored[i] != b->stored[i];
        if (*is_footprint || a->known[i] != b->known[i])
            return i;
        if (!a->known[i])
            continue;
        if (!is_close(a, b, i, tolerance))
            return i;
        *bits_differ |= memcmp(a->bytes + i * width, b->bytes + i * width, width) != 0;
    }
    return a->n;
}

mismatch compare_outcomes(const comparing *c, const outcome *a, const outcome *b, bool *bits_differ)
{
    bool ignored = false;
    if (a->status != b->status)
        return (mismatch){.is_there = true, .array = -1};
    for (size_t pair = 0; pair < c->match.n_arrays; pair++) {
        if (!is_written(c, pair))
            continue;
        mismatch m = {.array = (int)pair};
        const outcome_array *x = &a->arrays[pair], *y = &b->arrays[pair];
        if (x->n != y->n)
            return (mismatch){.is_there = true, .array = -1};
        m.element = first_difference(x, y, c->tolerance[pair], bits_differ ? bits_differ : &ignored,
                                     &m.is_footprint);
        m.is_there = m.element < x->n;
        if (m.is_there)
            return m;
    }
    return (mismatch){.is_there = a->beyond != b->beyond, .array = -1};
}

bool compare_loads(const comparing *c, const outcome *a, const outcome *b)
{
    for (size_t pair = 0; pair < c->match.n_arrays; pair++)
        for (uint64_t i = 0; i < a->arrays[pair].n && i < b->arrays[pair].n; i++)
            if (!c->match.starts_zero[pair] && /* what one adds to, the other does not load */
                a->arrays[pair].loaded[i] != b->arrays[pair].loaded[i])
                return false;
    return true;
}

#include "exec/faults.h"

#include <stdlib.h>
#include <string.h>

#include "run/ub.h"

enum {
    MOST_RACES = 4,
    MOST_SEARCHED = 64,
};
#define MOST_CHECKS ((uint64_t)50000000) /* pairs and steps of the search for races */

/* ---- Section: Names of elements ---- */

typedef struct element {
    size_t argument; /* the pointer; n_parameters: it lies in no argument's array */
    uint64_t number; /* in elements from the pointer on, as memory lies */
} element;

static uint64_t address_of(const faults_query *q, int32_t buffer, int64_t address)
{
    return q->groups[buffer].address + (uint64_t)address;
}

static bool is_in_group(const faults_query *q, int32_t buffer)
{
    return buffer >= 0 && (size_t)buffer < q->n_groups;
}

static element element_at(const faults_query *q, int32_t buffer, int64_t address)
{
    uint64_t at = is_in_group(q, buffer) ? address_of(q, buffer, address) : 0, bytes;
    for (size_t i = 0; at && i < q->kernel->n_parameters; i++) {
        const tilerace_parameter *p = q->kernel->parameters[i];
        if (p->kind != TILERACE_POINTER || !seen_bytes(q->launch, q->kernel, q->names, i, &bytes))
            continue;
        uint64_t offset = at - seen_address(&q->launch->arguments[i]);
        if (offset < bytes)
            return (element){i, offset / (p->element_bytes ? p->element_bytes : 1)};
    }
    return (element){q->kernel->n_parameters, (uint64_t)address};
}

static int64_t number_of_part(const faults_query *q, size_t array, names_part part, unsigned axis)
{
    const seen_name *a = &q->names->parameters[array];
    int64_t fixed = axis >= NAMES_MOST_DIMENSIONS ? -1
                    : part == NAMES_EXTENT        ? a->shape[axis]
                                                  : a->strides[axis];
    for (size_t i = 0; fixed < 0 && i < q->names->n; i++) {
        const seen_name *n = &q->names->parameters[i];
        if (n->part == part && n->array == array && n->axis == axis)
            fixed = seen_integer(&q->launch->arguments[i], q->kernel->parameters[i]->bits);
    }
    return fixed;
}

/* Coordinates of an element; false: the front end did not tell how the array lies. */
static bool coordinates(const faults_query *q, const element *e, size_t *rank, int64_t *at)
{
    const seen_name *a = q->names ? &q->names->parameters[e->argument] : NULL;
    int64_t strides[NAMES_MOST_DIMENSIONS], extents[NAMES_MOST_DIMENSIONS];
    uint64_t rest = e->number;
    if (!a || a->part != NAMES_POINTER || a->rank == 0 || a->rank > NAMES_MOST_DIMENSIONS)
        return false;
    *rank = a->rank;
    for (unsigned d = 0; d < a->rank; d++) {
        extents[d] = number_of_part(q, e->argument, NAMES_EXTENT, d);
        strides[d] = number_of_part(q, e->argument, NAMES_STRIDE, d);
        at[d] = -1;
        if (strides[d] < 0 || extents[d] < 1)
            return false;
    }
    for (size_t done = 0; done < a->rank; done++) { /* the longest stride first */
        size_t next = a->rank;
        for (size_t d = 0; d < a->rank; d++)
            if (at[d] < 0 && (next == a->rank || strides[d] > strides[next]))
                next = d;
        at[next] = strides[next] ? (int64_t)(rest / (uint64_t)strides[next]) : 0;
        at[next] = at[next] < extents[next] ? at[next] : extents[next] - 1;
        rest -= (uint64_t)at[next] * (uint64_t)strides[next];
    }
    return rest == 0;
}

static void say_element(const faults_query *q, const element *e, tr_text *out)
{
    int64_t at[NAMES_MOST_DIMENSIONS];
    size_t rank;
    if (e->argument >= q->kernel->n_parameters) {
        tr_text_add(out, "memory");
        return;
    }
    tr_text_addf(out, "%s[", q->kernel->parameters[e->argument]->name);
    if (!coordinates(q, e, &rank, at)) {
        tr_text_addf(out, "%llu]", (unsigned long long)e->number);
        return;
    }
    for (size_t d = 0; d < rank; d++)
        tr_text_addf(out, "%s%lld", d ? ", " : "", (long long)at[d]);
    tr_text_add(out, "]");
}

static void say_array(const faults_query *q, size_t argument, tr_text *out)
{
    if (argument < q->kernel->n_parameters)
        tr_text_addf(out, "'%s'", q->kernel->parameters[argument]->name);
    else
        tr_text_add(out, "memory");
}

static void say_block(const faults_query *q, uint32_t block, tr_text *out)
{
    int64_t id[3];
    interp_block_of(q->run, block, id);
    tr_text_addf(out, "tile block (%lld, %lld, %lld)", (long long)id[0], (long long)id[1],
                 (long long)id[2]);
}

/* ---- Section: Places ---- */

static void say_place(const faults_query *q, const ir_op *op, const char *level, tr_text *out)
{
    const tr_place *place = op ? op->place : NULL;
    if (place && place->line && place->column)
        tr_text_addf(out, "%s:%u:%u: %s: ", place->file, place->line, place->column, level);
    else if (place && place->line)
        tr_text_addf(out, "%s:%u: %s: ", place->file, place->line, level);
    else if (q->names && q->names->file)
        tr_text_addf(out, "%s:%u: %s: ", q->names->file, q->names->line, level);
    else
        tr_text_addf(out, "tilerace: %s: ", level);
}

static void say_launched_here(const faults_query *q, tr_text *out)
{
    const uint64_t *grid = q->launch->grid;
    if (q->launch->file)
        tr_text_addf(out, "%s:%u: ", q->launch->file, q->launch->line);
    tr_text_addf(out, "note: launched here with grid (%llu, %llu, %llu)\n",
                 (unsigned long long)grid[0], (unsigned long long)grid[1],
                 (unsigned long long)grid[2]);
}

/* ---- Section: Values without definition ---- */

static void say_source(const faults_query *q, const interp_undefined *source, tr_text *out)
{
    say_place(q, source->op, "note", out);
    tr_text_add(out, interp_undefined_info_of(source->kind)->words);
    if (source->kind == INTERP_UNDEFINED_MEMORY && is_in_group(q, source->buffer)) {
        element e = element_at(q, source->buffer, source->address);
        tr_text_add(out, ": ");
        say_element(q, &e, out);
    }
    tr_text_add(out, "\n");
}

/* Several elements that one operation stores may come from one place: this is told once, with their
 * number. */
static void undefined_values(const faults_query *q, tr_text *out)
{
    const interp_unknown_store *stores, *first = NULL;
    size_t n = interp_unknown_stores(q->run, &stores), count = 0;
    for (size_t i = 0; i < n; i++)
        if (stores[i].source && interp_stays_unknown(q->run, &stores[i])) {
            first = first ? first : &stores[i];
            count += stores[i].op == first->op && stores[i].source == first->source;
        }
    if (!first)
        return;
    element e = element_at(q, first->buffer, first->address);
    say_place(q, first->op, "error", out);
    tr_text_addf(out, "%zu element%s of ", count, count == 1 ? "" : "s");
    say_array(q, e.argument, out);
    tr_text_addf(out, " %s a value that is not defined [undefined-value]\n",
                 count == 1 ? "gets" : "get");
    tr_text_add(out, "    ");
    say_block(q, first->block, out);
    tr_text_add(out, " stores one to ");
    say_element(q, &e, out);
    tr_text_add(out, "\n");
    say_source(q, interp_undefined_at(q->run, first->source), out);
    say_launched_here(q, out);
}

/* A branch or an address that depends on one ends the run. */
static void undefined_decision(const faults_query *q, tr_text *out)
{
    const interp_undefined *source = interp_run_undefined_by(q->run);
    if (!source)
        return;
    say_place(q, interp_run_where(q->run), "error", out);
    tr_text_add(out, "a branch, a mask or an address depends on a value that is not defined "
                     "[undefined-value]\n");
    say_source(q, source, out);
    say_launched_here(q, out);
}

/* ---- Section: Races of the run ---- */

static bool writes(const ir_op *op)
{
    return ir_op_info_of(op->code)->effects & (IR_WRITES | IR_ATOMIC);
}

static void say_access(const faults_query *q, const interp_event *event, tr_text *out)
{
    const ir_op *op = interp_op_of(q->run, event->instance);
    element e = element_at(q, event->buffer, event->address);
    tr_text_add(out, "    ");
    say_block(q, event->block, out);
    tr_text_addf(out, " %s ", interp_verb_of(op));
    say_element(q, &e, out);
    if (op->place && op->place->line)
        tr_text_addf(out, " in line %u", op->place->line);
    tr_text_add(out, "\n");
}

static const char *words_of(const ir_op *a, const ir_op *b, bool same_block, bool same_instance)
{
    if (same_instance)
        return "one store writes the same element twice [TR004]";
    if (same_block)
        return "two accesses of one tile block to the same element have no token order [TR003]";
    return writes(a) && writes(b) ? "two tile blocks write the same element [TR001]"
                                  : "a tile block reads an element that another one writes [TR002]";
}

static void races(const faults_query *q, tr_text *out)
{
    interp_race found[MOST_SEARCHED];
    uint64_t checks = MOST_CHECKS;
    size_t n = interp_find_races_within(q->run, false, found, MOST_SEARCHED, NULL, &checks);
    for (size_t i = 0; i < n && i < MOST_RACES; i++) {
        const interp_event *a = &found[i].a, *b = &found[i].b;
        const ir_op *op = interp_op_of(q->run, a->instance);
        say_place(q, op, "error", out);
        tr_text_addf(out, "%s\n",
                     words_of(op, interp_op_of(q->run, b->instance), a->block == b->block,
                              a->instance == b->instance));
        say_access(q, a, out);
        say_access(q, b, out);
        tr_text_add(out, "    nothing orders the two in this run\n");
        say_launched_here(q, out);
    }
}

static void undefined_behaviour(const faults_query *q, tr_text *out)
{
    const interp_ub *ubs;
    size_t n = interp_ubs(q->run, &ubs);
    for (size_t i = 0; i < n; i++) {
        bool is_first = true;
        for (size_t k = 0; k < i && is_first; k++)
            is_first = ubs[k].op != ubs[i].op || ubs[k].kind != ubs[i].kind;
        if (!is_first || (!q->races && ubs[i].kind != INTERP_UB_OUT_OF_BUFFER))
            continue;
        say_place(q, ubs[i].op, "error", out);
        const run_ub is = run_ub_of(ubs[i].kind);
        tr_text_addf(out, "%s [%s]\n    ", is.words, rule_info_of(is.rule)->code);
        say_block(q, ubs[i].block, out);
        tr_text_add(out, " does so\n");
        say_launched_here(q, out);
        return; /* what comes after it may be its consequence */
    }
}

/* ---- Section: Elements that no tile block has stored ---- */

/* Marks the bytes of a group that the run stores. */
static uint8_t *stored_bytes(const faults_query *q, size_t group)
{
    uint64_t bytes = q->groups[group].bytes;
    uint8_t *stored = TR_NEW_ARRAY(q->arena, uint8_t, bytes + 1);
    for (size_t i = 0, n = interp_rows(q->run); i < n; i++) {
        interp_row row = interp_row_at(q->run, i);
        if (row.buffer != (int32_t)group || !writes(row.op) || row.address < 0 ||
            (uint64_t)row.address >= bytes)
            continue;
        uint64_t most = bytes - (uint64_t)row.address;
        memset(stored + row.address, 1, (uint64_t)row.bytes < most ? (uint64_t)row.bytes : most);
    }
    return stored;
}

/* Counts elements of the array of argument i that are not stored, dimension by dimension. */
static void count_unwritten(const faults_query *q, size_t i, const uint8_t *stored, uint64_t base,
                            uint64_t bytes, uint64_t *all, uint64_t *missing, uint64_t *first)
{
    const seen_name *a = q->names ? &q->names->parameters[i] : NULL;
    unsigned width = q->kernel->parameters[i]->element_bytes;
    size_t rank = a && a->part == NAMES_POINTER ? a->rank : 0;
    int64_t extents[NAMES_MOST_DIMENSIONS] = {0}, strides[NAMES_MOST_DIMENSIONS] = {0};
    int64_t at[NAMES_MOST_DIMENSIONS] = {0};
    if (rank == 0) {
        rank = 1;
        extents[0] = (int64_t)(bytes / width);
        strides[0] = 1;
    }
    for (unsigned d = 0; a && a->part == NAMES_POINTER && d < a->rank; d++) {
        extents[d] = number_of_part(q, i, NAMES_EXTENT, d);
        strides[d] = number_of_part(q, i, NAMES_STRIDE, d);
        if (extents[d] < 1 || strides[d] < 0)
            return;
    }
    for (size_t d = 0; d < rank;) {
        uint64_t number = 0;
        for (size_t k = 0; k < rank; k++)
            number += (uint64_t)at[k] * (uint64_t)strides[k];
        ++*all;
        if (number * width < bytes && !stored[base + number * width] && ++*missing == 1)
            *first = number;
        for (d = 0; d < rank; d++) {
            size_t last = rank - 1 - d;
            if (++at[last] < extents[last])
                break;
            at[last] = 0;
        }
        d = d < rank ? 0 : rank;
    }
}

static bool is_stored_to(const uint8_t *stored, uint64_t base, uint64_t bytes)
{
    return memchr(stored + base, 1, bytes) != NULL;
}

/* Reports arrays that the launch writes and leaves elements of unwritten (TR012). An array without
 * a single store is an input. */
static void unwritten(const faults_query *q, tr_text *out)
{
    for (size_t i = 0; i < q->kernel->n_parameters; i++) {
        const tilerace_parameter *p = q->kernel->parameters[i];
        uint64_t bytes, all = 0, missing = 0, first = 0;
        if (p->kind != TILERACE_POINTER || !p->element_bytes ||
            !seen_bytes(q->launch, q->kernel, q->names, i, &bytes) || bytes == 0)
            continue;
        uint64_t address = seen_address(&q->launch->arguments[i]);
        for (size_t g = 0; g < q->n_groups; g++) {
            uint64_t base = address - q->groups[g].address;
            if (base >= q->groups[g].bytes || q->groups[g].bytes - base < bytes)
                continue;
            const uint8_t *stored = stored_bytes(q, g);
            if (is_stored_to(stored, base, bytes))
                count_unwritten(q, i, stored, base, bytes, &all, &missing, &first);
        }
        if (missing == 0)
            continue;
        element e = {i, first};
        say_place(q, NULL, "error", out);
        tr_text_addf(out,
                     "%llu of %llu elements of '%s' are stored by no tile block [TR012]\n    "
                     "the first of them is ",
                     (unsigned long long)missing, (unsigned long long)all, p->name);
        say_element(q, &e, out);
        tr_text_add(out, "\n");
        say_launched_here(q, out);
    }
}

void exec_faults_write(const faults_query *q, tr_text *out)
{
    undefined_behaviour(q, out);
    if (q->races)
        races(q, out);
    undefined_values(q, out);
    undefined_decision(q, out);
    if (q->launch->written_wholly && interp_run_status(q->run) == INTERP_DONE)
        unwritten(q, out);
}

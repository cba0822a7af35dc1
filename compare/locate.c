/* Explains the first element that differs: who stored it, after loading what. */
#include <string.h>

#include "base/ds.h"
#include "compare/private.h"

#define MOST_LOADS 4

static const tr_place *keep_place(const comparing *c, const ir_op *op)
{
    if (!op->place || !op->place->line)
        return NULL;
    tr_place *place = tr_arena_copy(c->s->arena, op->place, sizeof *place);
    place->file = place->file ? tr_arena_strdup(c->s->arena, place->file) : NULL;
    place->function = NULL;
    place->inlined_at = NULL;
    return place;
}

static const char *value_at(const comparing *c, const outcome_array *array, uint64_t i)
{
    if (!array->known[i])
        return "nothing";
    double value = plan_element_value(array->element, array->bytes + i * (uint64_t)array->width);
    return tr_arena_printf(c->s->arena, "%.9g", value);
}

typedef struct loaded_range { /* by one op of the block, of one buffer */
    const ir_op *op;
    int32_t buffer;
    int64_t from, to;
} loaded_range;

static void add_load(loaded_range **all, const ir_op *op, const interp_event *e)
{
    for (size_t i = 0; i < arrlenu(*all); i++) {
        loaded_range *r = &(*all)[i];
        if (r->op != op || r->buffer != e->buffer)
            continue;
        r->from = e->address < r->from ? e->address : r->from;
        r->to = e->address > r->to ? e->address : r->to;
        return;
    }
    arrput(*all, ((loaded_range){op, e->buffer, e->address, e->address}));
}

static void tell_loads(const comparing *c, int side, const compare_sample *s,
                       const loaded_range *all, compare_access *access)
{
    const gpu_plan *plan = s->plan[side];
    access->loads = TR_NEW_ARRAY(c->s->arena, const char *, MOST_LOADS);
    for (size_t i = 0; i < arrlenu(all) && access->n_loads < MOST_LOADS; i++) {
        const loaded_range *r = &all[i];
        if (r->buffer < 0 || (size_t)r->buffer >= plan->n_buffers)
            continue;
        const gpu_buffer *b = &plan->buffers[r->buffer];
        int width = plan_element_bytes(b->element);
        tr_text text = {0};
        tr_text_addf(&text, "%s[%lld]", b->name, (long long)(r->from / width));
        if (r->to != r->from)
            tr_text_addf(&text, " to %s[%lld]", b->name, (long long)(r->to / width));
        if (r->op->place && r->op->place->line)
            tr_text_addf(&text, " in line %u", r->op->place->line);
        access->loads[access->n_loads++] = tr_arena_strdup(c->s->arena, tr_text_get(&text));
        tr_text_free(&text);
    }
}

/* The last store to that byte, by the events of the run. */
static const interp_event *last_store(const interp_run *run, const interp_event *events, size_t n,
                                      int32_t buffer, int64_t address)
{
    for (size_t i = n; i-- > 0;) {
        unsigned effects = ir_op_info_of(interp_op_of(run, events[i].instance)->code)->effects;
        if (events[i].buffer == buffer && events[i].address == address &&
            (effects & (IR_WRITES | IR_ATOMIC)))
            return &events[i];
    }
    return NULL;
}

static void look(const comparing *c, int side, const compare_sample *s, const interp_run *run,
                 int pair, uint64_t element, compare_access *access)
{
    const interp_event *events, *store;
    size_t n = interp_events(run, &events);
    int32_t buffer = s->plan[side]->args[c->match.arrays[pair][side]].buffer;
    int width = s->outcome[side].arrays[pair].width;
    access->value = value_at(c, &s->outcome[side].arrays[pair], element);
    store = last_store(run, events, n, buffer, (int64_t)element * width);
    access->is_there = store != NULL;
    if (!store)
        return;
    interp_block_of(run, store->block, access->block);
    access->place = keep_place(c, interp_op_of(run, store->instance));
    loaded_range *loads = NULL;
    for (const interp_event *e = events; e < events + n; e++) {
        const ir_op *op = interp_op_of(run, e->instance);
        if (e->block == store->block && e->instance < store->instance &&
            ir_op_info_of(op->code)->effects & (IR_READS | IR_ATOMIC))
            add_load(&loads, op, e);
    }
    tell_loads(c, side, s, loads, access);
    arrfree(loads);
}

void compare_locate(comparing *c)
{
    size_t i = 0;
    while (i < arrlenu(c->samples) && !c->samples[i].differs)
        i++;
    if (i == arrlenu(c->samples))
        return;
    compare_sample *s = &c->samples[i];
    compare_first *first = &c->into->first;
    mismatch m = compare_outcomes(c, &s->outcome[0], &s->outcome[1], NULL);
    *first = (compare_first){.is_there = true, .launch = s->words, .element = -1};
    for (int side = 0; side < 2; side++)
        first->ends[side] =
            s->outcome[side].why ? tr_arena_strdup(c->s->arena, s->outcome[side].why) : NULL;
    bool is_axes = m.array >= 0 && c->match.axes[m.array];
    if (m.array < 0)
        return;
    const char *name = c->side[0].kernel->contract->args[c->match.arrays[m.array][0]].name;
    first->buffer = tr_arena_strdup(c->s->arena, name ? name : "?");
    first->element = (int64_t)m.element;
    for (int side = 0; side < 2; side++) {
        tr_arena *arena = tr_arena_new();
        interp_run *run;
        compare_execute(c, side, s, &s->launch[side], 0, arena, &run);
        if (side == COMPARE_A || !is_axes)
            look(c, side, s, run, m.array, m.element, &first->access[side]);
        else
            first->access[side].value = value_at(c, &s->outcome[side].arrays[m.array], m.element);
        interp_run_free(run);
        tr_arena_free(arena);
    }
}

/* Where an access gets its address from, as far as that is memory which the kernel itself writes.
 *
 * What such memory holds at launch is no table of the kernel's terms, and a race may hang on it all
 * the same: places in an array that are given out by counters. So the values are followed back
 * through the kernel, from the access to the loads that they may come from. An atomic operation is
 * none of those: what it returns tells tile blocks apart whatever the word held before. */
#include "rules/checker.h"

#include "base/ds.h"
#include "interp/launch.h"

#include <string.h>

enum { MOST_READS = 64 }; /* of a tile block, that are looked at one by one */

typedef struct source_search {
    bool *seen;          /* by op */
    const ir_op **todo;  /* stb_ds array: ops whose results may be in the address */
    const ir_op **loads; /* stb_ds array: those found */
} source_search;

static void add_op(source_search *s, const ir_op *op)
{
    if (!op || s->seen[op->ordinal])
        return;
    s->seen[op->ordinal] = true;
    arrput(s->todo, op);
}

/* An argument of a loop's body comes from what enters the loop and from what its iterations leave.
 */
static void add_value(source_search *s, const ir_value *value)
{
    if (value->type->kind != IR_TOKEN)
        add_op(s, value->def ? value->def : value->block->parent);
}

/* What ends an iteration or a branch says what the op around it gives. */
static void add_ends(source_search *s, const ir_block *block)
{
    for (const ir_op *op = block ? block->first : NULL; op; op = op->next) {
        for (uint32_t r = 0; r < op->n_regions; r++)
            add_ends(s, op->regions[r]);
        if (op->code == IR_OP_YIELD || op->code == IR_OP_CONTINUE || op->code == IR_OP_BREAK)
            add_op(s, op);
    }
}

static void follow(source_search *s, const ir_op *op)
{
    unsigned effects = ir_op_info_of(op->code)->effects;
    if (effects & IR_ATOMIC)
        return;
    if (effects & IR_READS)
        arrput(s->loads, op);
    for (uint32_t i = 0; i < op->n_operands; i++)
        add_value(s, op->operands[i]);
    for (uint32_t r = 0; r < op->n_regions; r++)
        add_ends(s, op->regions[r]);
}

static void look_for_result(void *user, smt_t term)
{
    const checker **k = user;
    if (*k && summary_is_result((*k)->s, term))
        *k = NULL; /* found */
}

static bool has_result(checker *k, smt_t term)
{
    const checker *found = k;
    smt_visit(k->ctx, term, look_for_result, &found);
    return !found;
}

/* Was the element written in the run before it was read there? */
static bool is_of_run(const interp_run *run, const interp_event *read)
{
    const interp_event *events;
    size_t n = interp_events(run, &events);
    for (const interp_event *e = events; e < events + n; e++)
        if (e->buffer == read->buffer && e->address == read->address &&
            e->instance < read->instance &&
            ir_op_info_of(interp_op_of(run, e->instance)->code)->effects & IR_WRITES)
            return true;
    return false;
}

/* The buffer that the tile block read by this load, before the event, as the launch passed it; -1:
 * it read none, or what it read was written in the run. */
static int buffer_at_launch(const interp_run *run, const interp_event *event, const ir_op *load)
{
    const interp_event *events;
    size_t n = interp_events(run, &events), reads = 0;
    for (const interp_event *e = events; e < events + n; e++) {
        if (e->block != event->block || e->instance >= event->instance || e->buffer < 0 ||
            interp_op_of(run, e->instance) != load)
            continue;
        if (reads++ >= MOST_READS || !is_of_run(run, e))
            return e->buffer;
    }
    return -1;
}

static void add_source(witness_event *out, const char *name)
{
    for (size_t i = 0; i < out->n_sources; i++)
        if (strcmp(out->sources[i], name) == 0)
            return;
    if (out->n_sources < WITNESS_MOST_LOOKUPS)
        out->sources[out->n_sources++] = name;
}

void witness_sources(checker *k, const interp_run *run, const interp_event *event,
                     const ix_access *a, witness_event *out)
{
    if (!a || !has_result(k, a->bytes))
        return;
    source_search s = {.seen = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_ops + 1)};
    for (uint32_t i = 0; i < a->op->n_operands; i++)
        add_value(&s, a->op->operands[i]);
    while (arrlenu(s.todo) > 0)
        follow(&s, arrpop(s.todo));
    for (size_t i = 0; i < arrlenu(s.loads); i++) {
        int buffer = buffer_at_launch(run, event, s.loads[i]);
        const char *name = buffer < 0 ? NULL : interp_buffer_name(run, buffer);
        if (name)
            add_source(out, name);
    }
    arrfree(s.todo);
    arrfree(s.loads);
}

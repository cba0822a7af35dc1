/* Finds what an access gets its address from and the contract does not state: elements that a
 * buffer holds at launch. A witness that needs them has made them up.
 *
 * Where a table is all that its buffer holds, the terms of the address name it. Two cases are not
 * in the terms. The kernel may write the memory itself: say, it takes places in an array by
 * counters that it moves on, and two blocks meet if the counters start alike. Where two tables lie
 * in one buffer, the terms do not tell through which pointer an element is read. In both cases the
 * values are followed back through the kernel, from the access to the loads that they may come
 * from. Atomic operations are no such loads: what they return tells tile blocks apart, whatever the
 * word held. */
#include "witness/sources.h"

#include "interp/launch.h"
#include "question/accesses.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

enum { MOST_READS = 64 }; /* of a tile block, that are looked at one by one */

/* ---- Section: What the contract states ---- */

/* Does the contract state the element of argument i, or the row if it is a list, that holds the
 * byte? */
static bool states_byte(const contract_arg *arg, int64_t width, int64_t at)
{
    enum { WORD = 8 };
    int64_t value;
    if (at < 0)
        return false;
    if (arg->table)
        return (uint64_t)at / ((1 + 2 * arg->table->rank) * WORD) < arg->table->n;
    return arg->contents.values && contract_values_at(arg->contents.values, at / width, &value);
}

bool witness_is_stated(const checker *k, const concrete_launch *launch, int buffer, int64_t address,
                       int64_t width)
{
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind != CONTRACT_POINTER || launch->args[i].buffer != buffer)
            continue;
        int64_t of = ir_type_bytes(k->kernel->body->args[i]->type->elem->elem);
        int64_t at = address - launch->args[i].value;
        if (states_byte(arg, of, at) && states_byte(arg, of, at + width - 1))
            return true;
    }
    return false;
}

static bool is_read_through(const checker *k, size_t arg)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].reads && k->s->accesses[i].arg == (int)arg)
            return true;
    return false;
}

const char *witness_open_table(const checker *k, const concrete_launch *launch, int buffer)
{
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind == CONTRACT_POINTER && launch->args[i].buffer == buffer &&
            !arg->contents.values && !arg->table && is_read_through(k, i) &&
            !witness_is_stated(k, launch, buffer, launch->args[i].value, 1))
            return arg->name;
    }
    return NULL;
}

/* ---- Section: Loads that an address may come from ---- */

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

/* The operands that tell where the op accesses memory: not what it stores there. */
static void add_place(source_search *s, const ir_op *op)
{
    for (unsigned g = 0; g < ir_op_info_of(op->code)->n_operand_groups; g++) {
        uint32_t count;
        ir_value **first = ir_group(op, g, &count);
        for (uint32_t i = 0; i < count && ir_tells_place(op, g); i++)
            add_value(s, first[i]);
    }
}

/* The values at the end of an iteration or a branch decide what the op around it gives. */
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

typedef struct term_search {
    const checker *k;
    const concrete_launch *launch;
    bool found;
} term_search;

static bool has_several_arguments(const checker *k, const concrete_launch *launch, int buffer)
{
    size_t n = 0;
    for (size_t i = 0; i < k->contract->n_args; i++)
        n += k->contract->args[i].kind == CONTRACT_POINTER && launch->args[i].buffer == buffer;
    return n > 1;
}

static void look_for_loaded(void *user, smt_t term)
{
    term_search *s = user;
    int table = s->found ? -1 : summary_contents_arg(s->k->s, term);
    s->found |=
        summary_is_result(s->k->s, term) ||
        (table >= 0 && has_several_arguments(s->k, s->launch, s->launch->args[table].buffer));
}

/* Has the term parts that do not tell which elements they come from? */
static bool has_loaded(const checker *k, const concrete_launch *launch, smt_t term)
{
    term_search s = {k, launch, false};
    smt_visit(k->ctx, term, look_for_loaded, &s);
    return s.found;
}

/* ---- Section: What they read ---- */

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

/* The argument that the load went through: the one of its access, else the last one that points
 * at or before what it read. */
static const char *read_through(const checker *k, const concrete_launch *launch,
                                const interp_run *run, const interp_event *read)
{
    const char *name = interp_buffer_name(run, read->buffer);
    const ix_access *a = access_of_buffer(k, interp_op_of(run, read->instance), name);
    int64_t last = INT64_MIN;
    if (a && a->arg >= 0)
        return k->contract->args[a->arg].name;
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const interp_arg *arg = &launch->args[i];
        if (k->contract->args[i].kind != CONTRACT_POINTER || arg->buffer != read->buffer ||
            arg->value > read->address || arg->value < last)
            continue;
        last = arg->value;
        name = k->contract->args[i].name;
    }
    return name;
}

void witness_add_source(const checker *k, const concrete_launch *launch, const interp_run *run,
                        const interp_event *read, witness_event *out)
{
    const char *name = read_through(k, launch, run, read);
    for (size_t i = 0; i < out->n_sources; i++)
        if (strcmp(out->sources[i], name) == 0)
            return;
    if (out->n_sources < WITNESS_MOST_LOOKUPS)
        out->sources[out->n_sources++] = name;
}

/* Returns what the tile block read by this load, before the event, as the launch passed it and the
 * contract does not state it; NULL: none. */
static const interp_event *open_read(const checker *k, const concrete_launch *launch,
                                     const interp_run *run, const interp_event *event,
                                     const ir_op *load)
{
    const interp_event *events;
    size_t n = interp_events(run, &events), reads = 0;
    for (const interp_event *e = events; e < events + n; e++) {
        if (e->block != event->block || e->instance >= event->instance || e->buffer < 0 ||
            interp_op_of(run, e->instance) != load)
            continue;
        const ix_access *a = access_of_buffer(k, load, interp_buffer_name(run, e->buffer));
        if (witness_is_stated(k, launch, e->buffer, e->address, a && a->width ? a->width : 1))
            continue;
        if (reads++ >= MOST_READS || !is_of_run(run, e))
            return e;
    }
    return NULL;
}

void witness_sources(checker *k, const concrete_launch *launch, const interp_run *run,
                     const interp_event *event, const ix_access *a, witness_event *out)
{
    if (!a || !has_loaded(k, launch, a->bytes))
        return;
    source_search s = {.seen = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_ops + 1)};
    add_place(&s, a->op);
    while (arrlenu(s.todo) > 0)
        follow(&s, arrpop(s.todo));
    for (size_t i = 0; i < arrlenu(s.loads); i++) {
        const interp_event *read = open_read(k, launch, run, event, s.loads[i]);
        if (read)
            witness_add_source(k, launch, run, read, out);
    }
    arrfree(s.todo);
    arrfree(s.loads);
}

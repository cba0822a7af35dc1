/* Synchronisation as this execution saw it: an acquire that reads what a release wrote, element by
 * element, also through a chain of atomic updates (D18 to D20). Kept as edges of the node graph. */
#include "interp/private.h"

static bool acquires(ir_ordering ordering)
{
    return ordering == IR_ACQUIRE || ordering == IR_ACQ_REL;
}

static bool releases(ir_ordering ordering)
{
    return ordering == IR_RELEASE || ordering == IR_ACQ_REL;
}

#define MANY_BLOCKS UINT32_MAX /* a chain of releases of several blocks */

void sync_read(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width)
{
    ir_ordering ordering = ir_memory_ordering(op);
    run->synchronises |= ordering > IR_RELAXED;
    if (!acquires(ordering) || !run->released)
        return;
    release_key key = {.address = address, .buffer = buffer, .width = width};
    release_entry *entry = hmgetp_null(run->released, key);
    if (entry && model_mutual_scope(IR_RELEASE, entry->value.scope, ordering, ir_memory_scope(op),
                                    entry->value.block == run->block, true))
        arrput(run->sync_edges, entry->value.node);
}

void sync_wrote(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width)
{
    ir_ordering ordering = ir_memory_ordering(op);
    run->synchronises |= ordering > IR_RELAXED;
    if (!run->released && !releases(ordering))
        return;
    release_key key = {.address = address, .buffer = buffer, .width = width};
    arrput(run->written, key);
}

static void publish(interp_run *run, const release_key *key, const ir_op *op, uint32_t node,
                    bool chains)
{
    release_entry *old = run->released ? hmgetp_null(run->released, *key) : NULL;
    if (!releases(ir_memory_ordering(op))) {
        if (old && !chains)
            (void)hmdel(run->released, *key);
        return;
    }
    struct released now = {.node = node, .scope = ir_memory_scope(op), .block = run->block};
    if (old && chains) {
        uint32_t both[] = {old->value.node | EDGE_SYNCHRONISES, node | EDGE_SYNCHRONISES};
        now.node = tokens_node(run, 2, both);
        if (old->value.scope < now.scope)
            now.scope = old->value.scope;
        if (old->value.block != now.block)
            now.block = MANY_BLOCKS;
    }
    hmput(run->released, *key, now);
}

void sync_publish(interp_run *run, const ir_op *op, uint32_t node)
{
    bool chains = run->choices.rmw_chains && ir_op_info_of(op->code)->effects & IR_ATOMIC;
    for (ptrdiff_t i = 0; i < arrlen(run->written); i++)
        publish(run, &run->written[i], op, node, chains);
    arrsetlen(run->written, 0);
}

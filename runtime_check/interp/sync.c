/* Synchronisation in one execution: who reads from whom is known here, so what synchronises with
 * what is exact (D18 to D20). Kept as edges of the node graph, from the acquirer's node to those
 * of the releases that it observed.
 *
 * A release heads a pattern: its own write, the atomic updates that read it or read an update of
 * the pattern (D20, a choice of the model), and later stronger-than-weak writes of its own block
 * to the location that a token orders after it (D20). An acquire that reads a write of the pattern
 * synchronises with the head, when each step, and the two ends, are morally strong (D19): scoped
 * widely enough for each other and of the same bytes (D6). */
#include "interp/private.h"

#include <stdlib.h>

/* ---- Section: What was written last ---- */

static memory_buffer *buffer_of(interp_run *run, int32_t buffer)
{
    return buffer < 0 || buffer >= arrlen(run->buffers) ? NULL : &run->buffers[buffer];
}

/* Most stores of a kernel that synchronises go to other places than its flags. */
static bool may_be_marked(interp_run *run, int32_t buffer, int64_t address, int width)
{
    const memory_buffer *b = buffer_of(run, buffer);
    return b && b->sync_end > b->sync_begin && address < b->sync_end &&
           address > b->sync_begin - width;
}

static void widen_marked(interp_run *run, const order_place *place)
{
    memory_buffer *b = buffer_of(run, place->buffer);
    int64_t end = place->address + place->width;
    if (!b || end < place->address)
        return;
    bool fresh = b->sync_end <= b->sync_begin;
    if (fresh || place->address < b->sync_begin)
        b->sync_begin = place->address;
    if (fresh || end > b->sync_end)
        b->sync_end = end;
}

/* The write that all bytes of the place were left by, when it is of just these bytes and of a
 * pattern; else NULL. */
static const sync_write *last_write(interp_run *run, const order_place *place)
{
    uint32_t number = 0;
    for (int i = 0; i < place->width; i++) {
        sync_byte key = {.address = place->address + i, .buffer = place->buffer};
        uint32_t here = hmget(run->sync_bytes, key);
        if (!here || (i && here != number))
            return NULL;
        number = here;
    }
    const sync_write *w = &run->sync_writes[number - 1];
    return w->address == place->address && w->width == place->width ? w : NULL;
}

static void mark(interp_run *run, const order_place *place, uint32_t number)
{
    for (int i = 0; i < place->width; i++) {
        sync_byte key = {.address = place->address + i, .buffer = place->buffer};
        if (number)
            hmput(run->sync_bytes, key, number);
        else if (run->sync_bytes)
            (void)hmdel(run->sync_bytes, key);
    }
}

static bool step_is_strong(const sync_write *w, const ir_op *op, uint32_t block)
{
    return model_mutual_scope(w->ordering, w->scope, ir_memory_ordering(op), ir_memory_scope(op),
                              w->block == block, true);
}

/* ---- Section: The ends ---- */

void sync_read(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width)
{
    if (!run->sync_bytes || !may_be_marked(run, buffer, address, width) || !model_acquires(op))
        return;
    order_place place = {.address = address, .buffer = buffer, .width = width};
    const sync_write *w = last_write(run, &place);
    if (!w || !step_is_strong(w, op, run->block))
        return;
    for (ptrdiff_t i = 0; i < arrlen(w->heads); i++) {
        const sync_head *h = &w->heads[i];
        if (model_mutual_scope(IR_RELEASE, h->scope, ir_memory_ordering(op), ir_memory_scope(op),
                               h->block == run->block, true))
            arrput(run->sync_edges, h->node);
    }
}

void sync_wrote(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width,
                bool certain)
{
    if (!model_releases(op) && !(run->sync_bytes && may_be_marked(run, buffer, address, width)))
        return;
    order_place place = {.address = address, .buffer = buffer, .width = width, .certain = certain};
    arrput(run->written, place);
}

/* ---- Section: Patterns ---- */

/* Does some op of the kernel synchronise within its own block only? Then heads count one by one;
 * else every acquirer takes all of a pattern, and one node can stand for them. */
static bool has_narrow(interp_run *run)
{
    if (!run->narrow_known) {
        run->narrow_known = true;
        for (const ir_op *op = ir_first_op(run->kernel); op; op = ir_next_op(op))
            run->narrow |= (model_releases(op) || model_acquires(op)) &&
                           ir_memory_scope(op) == IR_SCOPE_TL_BLK;
    }
    return run->narrow;
}

#define MANY_BLOCKS UINT32_MAX

static void add_head(interp_run *run, sync_write *w, sync_head head)
{
    for (ptrdiff_t i = 0; i < arrlen(w->heads); i++)
        if (w->heads[i].node == head.node)
            return;
    if (!arrlen(w->heads) || has_narrow(run)) {
        arrput(w->heads, head);
        return;
    }
    uint32_t both[] = {w->heads[0].node | EDGE_SYNCHRONISES, head.node | EDGE_SYNCHRONISES};
    w->heads[0] = (sync_head){tokens_node(run, 2, both), MANY_BLOCKS, IR_SCOPE_DEVICE, 0};
}

/* Does a token order the release before the write? A block that spins writes again and again, each
 * time after the write before: to look for that one first makes the search a short one. */
static bool comes_before(const interp_run *run, sync_head *release, uint32_t node)
{
    bool before = release->reached && tokens_reach(run, release->reached, node, false);
    before = before || tokens_reach(run, release->node, node, false);
    if (before)
        release->reached = node;
    return before;
}

/* Releases of this block to the place that a token orders before the write of `node`. */
static void add_own_releases(interp_run *run, sync_write *w, const order_place *place,
                             uint32_t node)
{
    sync_own key = {.address = place->address,
                    .buffer = place->buffer,
                    .width = place->width,
                    .block = run->block};
    sync_own_entry *own = run->sync_owns ? hmgetp_null(run->sync_owns, key) : NULL;
    for (ptrdiff_t i = own ? arrlen(own->value) - 1 : -1; i >= 0; i--)
        if (comes_before(run, &own->value[i], node)) {
            add_head(run, w, own->value[i]);
            if (own->value[i].scope != IR_SCOPE_TL_BLK)
                break; /* what came before it in token order is before it anyway */
        }
}

static void remember_release(interp_run *run, const order_place *place, sync_head head)
{
    sync_own key = {.address = place->address,
                    .buffer = place->buffer,
                    .width = place->width,
                    .block = head.block};
    sync_head *list = run->sync_owns ? hmget(run->sync_owns, key) : NULL;
    arrput(list, head);
    hmput(run->sync_owns, key, list);
}

/* Notes what an acquire that reads this write synchronises with: the releases at the heads of its
 * release sequences. A strong update goes on with the sequences of what it replaced; a release
 * begins one; another strong write of the block continues the block's own. */
static void publish(interp_run *run, const order_place *place, const ir_op *op, uint32_t node)
{
    model_access does = MODEL_WRITE;
    model_access_of(op, &does);
    const sync_write *old = run->sync_bytes ? last_write(run, place) : NULL;
    sync_write now = {.address = place->address,
                      .width = place->width,
                      .block = run->block,
                      .ordering = ir_memory_ordering(op),
                      .scope = ir_memory_scope(op)};
    /* A compare-and-swap of which nobody knows whether it wrote leaves what was there too: then
     * too much is ordered, never too little. */
    bool keeps = !place->certain || (does == MODEL_UPDATE && run->choices.rmw_chains);
    if (old && keeps && step_is_strong(old, op, run->block))
        for (ptrdiff_t i = 0; i < arrlen(old->heads); i++)
            arrput(now.heads, old->heads[i]);
    if (model_releases(op)) {
        sync_head head = {node, run->block, now.scope, 0};
        add_head(run, &now, head);
        remember_release(run, place, head);
    } else if (now.ordering != IR_WEAK) {
        add_own_releases(run, &now, place, node);
    }
    if (!arrlen(now.heads)) {
        mark(run, place, 0);
        return;
    }
    arrput(run->sync_writes, now);
    mark(run, place, (uint32_t)arrlen(run->sync_writes));
    widen_marked(run, place);
}

void sync_publish(interp_run *run, const ir_op *op, uint32_t node)
{
    for (ptrdiff_t i = 0; i < arrlen(run->written); i++)
        publish(run, &run->written[i], op, node);
    arrsetlen(run->written, 0);
}

void sync_forget(interp_run *run)
{
    for (ptrdiff_t i = 0; i < arrlen(run->sync_writes); i++)
        arrfree(run->sync_writes[i].heads);
    for (ptrdiff_t i = 0; i < hmlen(run->sync_owns); i++)
        arrfree(run->sync_owns[i].value);
    arrfree(run->sync_writes);
    hmfree(run->sync_owns);
    hmfree(run->sync_bytes);
}

/* Events are recorded as spans, and listed one by one only when interp_events() is called. */
#include "interp/private.h"

#define DEFAULT_EVENTS 20000000

/* Extends a span by another one if both together are still a span: the second one lies behind the
 * first in memory, and its numbers in the tile continue those of the first in equal steps. */
static bool join(span *first, const span *second)
{
    uint64_t end = (uint64_t)first->address + (uint64_t)first->count * second->width;
    uint32_t apart = second->in_tile - first->in_tile;
    uint32_t step = first->count == 1 ? apart : first->step;
    if (first->buffer != second->buffer || second->address != (int64_t)end ||
        second->in_tile <= first->in_tile || apart != step * first->count ||
        (second->count > 1 && second->step != step))
        return false;
    first->step = step;
    first->count += second->count;
    return true;
}

void events_touch(interp_run *run, int32_t buffer, int64_t address, int width, uint32_t count,
                  uint32_t in_tile, uint32_t step)
{
    span s = {.address = address,
              .buffer = buffer,
              .count = count,
              .in_tile = in_tile,
              .step = step,
              .width = (uint16_t)width};
    if (arrlen(run->touched) == 0 || !join(&arrlast(run->touched), &s))
        arrput(run->touched, s);
}

/* Returns whether `length` bytes from an address on lie in a buffer. A negative number is that of a
 * pointer to no buffer. */
static bool inside(const interp_run *run, int32_t buffer, int64_t address, int64_t length)
{
    if (buffer < 0 || buffer >= arrlen(run->buffers))
        return false;
    const memory_buffer *b = &run->buffers[buffer];
    return address >= 0 && (b->unbounded || address <= b->bytes - length);
}

static int64_t element_address(const span *s, uint32_t k)
{
    return (int64_t)((uint64_t)s->address + (uint64_t)k * s->width);
}

/* Notes undefined behaviour at the first touched element that does not lie in its buffer. */
static void note_outside(interp_run *run, const ir_op *op)
{
    for (ptrdiff_t i = 0; i < arrlen(run->touched); i++) {
        const span *s = &run->touched[i];
        if (inside(run, s->buffer, s->address, (int64_t)s->count * s->width))
            continue;
        int64_t address = s->address;
        for (uint32_t k = 0; k < s->count && inside(run, s->buffer, address, s->width); k++)
            address = element_address(s, k + 1);
        machine_note(run, INTERP_UB_OUT_OF_BUFFER, op, -1, address,
                     s->buffer < 0 ? 0 : run->buffers[s->buffer].bytes);
        return;
    }
}

/* Returns the token-order node of an op that has touched elements. It comes after the token that
 * the op takes and after the releases that the op has observed. A scheduled run makes the nodes of
 * some ops in advance; these ops observe no release. */
static uint32_t order_node(interp_run *run, uint32_t token_in)
{
    uint32_t node = run->reserved_node;
    if (!node) {
        for (size_t i = 0; i < arrlenu(run->sync_edges); i++)
            run->sync_edges[i] |= EDGE_SYNCHRONISES;
        if (token_in)
            arrput(run->sync_edges, token_in);
        node = tokens_node(run, arrlenu(run->sync_edges), run->sync_edges);
    }
    arrsetlen(run->sync_edges, 0);
    return node;
}

/* Adds an instance of the op, with the iterations that it is in and its index. Returns its number.
 */
static uint32_t add_instance(interp_run *run, const ir_op *op, uint32_t node, int n_index,
                             const int64_t *index)
{
    uint8_t n_loops = (uint8_t)(run->n_loops < INTERP_MAX_LOOPS ? run->n_loops : INTERP_MAX_LOOPS);
    instance made = {.op = op,
                     .block = run->block,
                     .node = node,
                     .pool = (uint32_t)arrlen(run->pool),
                     .n_loops = n_loops,
                     .n_index = (uint8_t)n_index};
    for (int i = 0; i < n_loops; i++)
        arrput(run->pool, run->iterations[i]);
    for (int i = 0; i < n_index; i++)
        arrput(run->pool, index[i]);
    arrput(run->instances, made);
    return (uint32_t)arrlen(run->instances) - 1;
}

/* Records the touched elements as events of an instance. */
static void record_touched(interp_run *run, uint32_t number)
{
    for (ptrdiff_t i = 0; i < arrlen(run->touched); i++) {
        span s = run->touched[i];
        s.instance = number;
        run->n_events += s.count;
        arrput(run->spans, s);
    }
}

static uint64_t most_events(const interp_run *run)
{
    return run->limits.events ? run->limits.events : DEFAULT_EVENTS;
}

/* Ends the run when its record is too long, before numbers in it need more than 32 bits. */
static void check_limits(interp_run *run, const ir_op *op)
{
    if (arrlenu(run->spans) > most_events(run) || arrlenu(run->pool) > UINT32_MAX / 2 ||
        arrlenu(run->edges) > UINT32_MAX / 4)
        machine_stop(run, INTERP_LIMIT, op, "more than %llu memory events",
                     (unsigned long long)most_events(run));
}

uint32_t events_commit(interp_run *run, const ir_op *op, int n_index, const int64_t *index,
                       uint32_t token_in)
{
    if (arrlen(run->touched) == 0)
        return token_in; /* no element, no event; the token passes through (D3) */
    note_outside(run, op);
    uint32_t node = order_node(run, token_in);
    record_touched(run, add_instance(run, op, node, n_index, index));
    check_limits(run, op);
    return node;
}

size_t interp_events(const interp_run *run, const interp_event **events)
{
    lazy *l = run->lazy;
    uint64_t limit = most_events(run);
    for (ptrdiff_t i = 0; !l->listed && i < arrlen(run->spans); i++) {
        const span *s = &run->spans[i];
        for (uint32_t k = 0; k < s->count && arrlenu(l->events) < limit; k++) {
            interp_event e = {.block = run->instances[s->instance].block,
                              .instance = s->instance,
                              .in_tile = s->in_tile + k * s->step,
                              .buffer = s->buffer,
                              .address = element_address(s, k)};
            e.out_of_buffer = !inside(run, e.buffer, e.address, s->width);
            arrput(l->events, e);
        }
    }
    l->listed = true;
    *events = l->events;
    return arrlenu(l->events);
}

uint64_t interp_event_count(const interp_run *run)
{
    return run->n_events;
}

size_t interp_rows(const interp_run *run)
{
    return arrlenu(run->spans);
}

interp_row interp_row_at(const interp_run *run, size_t number)
{
    const span *s = &run->spans[number];
    return (interp_row){.op = run->instances[s->instance].op,
                        .instance = s->instance,
                        .elements = s->count,
                        .in_tile = s->in_tile,
                        .step = s->step,
                        .buffer = s->buffer,
                        .address = s->address,
                        .bytes = (int64_t)s->count * s->width,
                        .last = element_address(s, s->count - 1)};
}

bool interp_outside(const interp_run *run, int buffer, int64_t address, int width)
{
    return !inside(run, buffer, address, width);
}

size_t interp_instances(const interp_run *run)
{
    return arrlenu(run->instances);
}

const char *interp_verb_of(const ir_op *op)
{
    unsigned effects = ir_op_info_of(op->code)->effects;
    return effects & IR_ATOMIC ? "updates" : effects & IR_WRITES ? "stores" : "loads";
}

const ir_op *interp_op_of(const interp_run *run, uint32_t number)
{
    return number < arrlenu(run->instances) ? run->instances[number].op : NULL;
}

const interp_instance *interp_instance_of(const interp_run *run, uint32_t number)
{
    if (number >= arrlenu(run->instances))
        return NULL;
    interp_instance *known = hmget(run->lazy->cache, number);
    if (known)
        return known;
    const instance *packed = &run->instances[number];
    interp_instance *full = TR_NEW(run->arena, interp_instance);
    full->op = packed->op;
    full->block = packed->block;
    full->token = packed->node;
    full->n_loops = packed->n_loops;
    full->n_index = packed->n_index;
    const int64_t *pool = &run->pool[packed->pool];
    for (int i = 0; i < packed->n_loops; i++)
        full->iterations[i] = pool[i];
    for (int i = 0; i < packed->n_index; i++)
        full->index[i] = pool[packed->n_loops + i];
    hmput(run->lazy->cache, number, full);
    return full;
}

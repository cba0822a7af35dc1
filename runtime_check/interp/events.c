/* Events: recorded as spans, listed one by one when somebody asks. */
#include "interp/private.h"

#define DEFAULT_EVENTS 20000000

void events_touch(interp_run *run, const ir_op *op, int32_t buffer, int64_t address, int width,
                  uint32_t count, uint32_t in_tile, uint32_t step)
{
    (void)op;
    size_t n = arrlenu(run->touched);
    if (n) {
        span *last = &run->touched[n - 1];
        bool follows =
            last->buffer == buffer &&
            address == (int64_t)((uint64_t)last->address + (uint64_t)last->count * (uint64_t)width);
        uint32_t joined = last->count == 1 ? in_tile - last->in_tile : last->step;
        if (follows && in_tile > last->in_tile && in_tile - last->in_tile == joined * last->count &&
            (count == 1 || step == joined)) {
            last->step = joined;
            last->count += count;
            return;
        }
    }
    span s = {.address = address,
              .buffer = buffer,
              .count = count,
              .in_tile = in_tile,
              .step = step,
              .width = (uint16_t)width};
    arrput(run->touched, s);
}

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

uint32_t events_commit(interp_run *run, const ir_op *op, int n_index, const int64_t *index,
                       uint32_t token_in)
{
    if (!arrlen(run->touched)) /* D3: no element, no event; the order goes through */
        return token_in;
    note_outside(run, op);
    size_t before = arrlenu(run->sync_edges);
    for (size_t i = 0; i < before; i++)
        run->sync_edges[i] |= EDGE_SYNCHRONISES;
    if (token_in)
        arrput(run->sync_edges, token_in);
    uint32_t node = run->reserved_node
                        ? run->reserved_node /* it acquires nothing */
                        : tokens_node(run, arrlenu(run->sync_edges), run->sync_edges);
    arrsetlen(run->sync_edges, 0);

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
    uint32_t number = (uint32_t)arrlen(run->instances);
    arrput(run->instances, made);
    for (ptrdiff_t i = 0; i < arrlen(run->touched); i++) {
        span s = run->touched[i];
        s.instance = number;
        run->n_events += s.count;
        arrput(run->spans, s);
    }
    uint64_t limit = run->limits.events ? run->limits.events : DEFAULT_EVENTS;
    if (arrlenu(run->spans) > limit || arrlenu(run->pool) > UINT32_MAX / 2 ||
        arrlenu(run->edges) > UINT32_MAX / 4)
        machine_stop(run, INTERP_LIMIT, op, "more than %llu memory events",
                     (unsigned long long)limit);
    return node;
}

size_t interp_events(const interp_run *run, const interp_event **events)
{
    lazy *l = run->lazy;
    uint64_t limit = run->limits.events ? run->limits.events : DEFAULT_EVENTS;
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

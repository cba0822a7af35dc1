/* A run as a trace: its events, what tokens order, what hangs on what. */
#include "interp/trace_run.h"

static bool is_inside(const ir_op *op, const ir_op *loop)
{
    const ir_op *o = op->parent->parent;
    while (o && o != loop)
        o = o->parent->parent;
    return o != NULL;
}

/* In a wait that goes on: the ops of the loop's last iteration. */
static void mark_awaited(const interp_run *run, trace_instance *instances, size_t n)
{
    size_t depth = 1;
    for (const ir_op *o = run->where->parent->parent; o; o = o->parent->parent)
        depth += ir_is_loop(o);
    const trace_instance *last = &instances[n - 1];
    for (size_t i = 0; i < n && depth <= INTERP_MAX_LOOPS; i++)
        instances[i].awaited = is_inside(instances[i].op, run->where) &&
                               memcmp(instances[i].iterations, last->iterations,
                                      depth * sizeof last->iterations[0]) == 0;
}

static uint32_t count_elements(const interp_run *run, uint32_t number, ptrdiff_t *at_span)
{
    uint32_t n = 0;
    while (*at_span < arrlen(run->spans) && run->spans[*at_span].instance < number)
        (*at_span)++;
    for (ptrdiff_t i = *at_span; i < arrlen(run->spans) && run->spans[i].instance == number; i++)
        n += run->spans[i].count;
    return n;
}

static void list_events(const runner *r, const interp_run *run, const oracle_instance *from,
                        uint32_t number, ptrdiff_t at_span, trace_event *events, size_t *n)
{
    model_access access = MODEL_READ;
    const ir_op *op = run->instances[from->number].op;
    model_access_of(op, &access);
    size_t k = from->first;
    bool recorded = from->end > from->first;
    for (; at_span < arrlen(run->spans) && run->spans[at_span].instance == from->number;
         at_span++) {
        const struct span *s = &run->spans[at_span];
        for (uint32_t i = 0; i < s->count; i++, k++) {
            trace_event *e = &events[(*n)++];
            *e = (trace_event){
                .buffer = trace_number_of_buffer(r, run, s->buffer),
                .width = s->width,
                .address = (int64_t)((uint64_t)s->address + (uint64_t)i * s->width),
                .instance = number,
                .in_tile = s->in_tile + i * s->step,
                .reads = access & MODEL_READ,
                .writes = access & MODEL_WRITE,
            };
            if (!recorded) /* nothing about its values is known */
                continue;
            const oracle_element *seen = &r->oracle.elements[k];
            e->read_known = seen->read_known;
            e->read = seen->read;
            e->decided = seen->decided;
            e->writes = seen->writes;
            e->write_known = seen->write_known;
            e->written = seen->written;
        }
    }
}

static void order_instance(const runner *r, const interp_run *run, trace_instance *instances,
                           size_t number)
{
    const oracle *o = &r->oracle;
    uint32_t node = run->instances[o->instances[number].number].node;
    for (size_t i = 0; i < number; i++)
        if (interp_token_before(run, o->instances[i].number, o->instances[number].number))
            instances[number].after.bits[i / 64] |= (uint64_t)1 << (i % 64);
    for (ptrdiff_t w = 0; w < arrlen(o->waits); w++)
        instances[number].after_wait |= tokens_reach(run, o->waits[w], node, false);
}

void trace_keep(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    const oracle *o = &r->oracle;
    size_t n = arrlenu(o->instances);
    n -= n && (o->instances[n - 1].number == UINT32_MAX || n > ORACLE_BITS); /* cut short there */
    trace t = {.blocked = run->status == INTERP_HANG, .n_instances = n};
    trace_instance *instances = TR_NEW_ARRAY(s->round, trace_instance, n + 1);
    trace_event *events = TR_NEW_ARRAY(s->round, trace_event, run->n_events + 1);
    ptrdiff_t at_span = 0;
    for (size_t i = 0; i < n; i++) {
        const oracle_instance *from = &o->instances[i];
        const interp_instance *full = interp_instance_of(run, from->number);
        trace_instance *to = &instances[i];
        to->op = full->op;
        model_access_of(to->op, &to->access);
        to->n_loops = full->n_loops;
        memcpy(to->iterations, full->iterations, sizeof to->iterations);
        to->hangs_on = from->hangs_on;
        to->first = (uint32_t)t.n_events;
        uint32_t elements = count_elements(run, from->number, &at_span);
        oracle_instance shown = *from;
        if (from->end - from->first != elements)
            shown.end = shown.first; /* the machine saw that it need not look at them */
        list_events(r, run, &shown, (uint32_t)i, at_span, events, &t.n_events);
        to->end = (uint32_t)t.n_events;
        order_instance(r, run, instances, i);
    }
    if (t.blocked && n && run->where)
        mark_awaited(run, instances, n);
    t.events = events;
    t.instances = instances;
    arrput(s->blocks[r->number].traces, t);
    s->n_traces++;
}

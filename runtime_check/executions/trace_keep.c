/* A run as a trace: its events, what tokens order, what depends on what. */
#include "executions/trace_run.h"

static bool is_inside(const ir_op *op, const ir_op *loop)
{
    const ir_op *o = op->parent->parent;
    while (o && o != loop)
        o = o->parent->parent;
    return o != NULL;
}

/* Marks, in a wait that goes on, the ops of the loop's last iteration. the ops of the loop's last
 * iteration. */
static void mark_awaited(const ir_op *loop, trace_instance *instances, size_t n)
{
    size_t depth = 1;
    for (const ir_op *o = loop->parent->parent; o; o = o->parent->parent)
        depth += ir_is_loop(o);
    const trace_instance *last = &instances[n - 1];
    for (size_t i = 0; i < n && depth <= INTERP_MAX_LOOPS; i++)
        instances[i].awaited =
            is_inside(instances[i].op, loop) && memcmp(instances[i].iterations, last->iterations,
                                                       depth * sizeof last->iterations[0]) == 0;
}

static bool is_row_of(const interp_run *run, size_t row, uint32_t number)
{
    return row < interp_rows(run) && interp_row_at(run, row).instance == number;
}

static uint32_t count_elements(const interp_run *run, uint32_t number, size_t *at_row)
{
    uint32_t n = 0;
    while (*at_row < interp_rows(run) && interp_row_at(run, *at_row).instance < number)
        (*at_row)++;
    for (size_t i = *at_row; is_row_of(run, i, number); i++)
        n += interp_row_at(run, i).elements;
    return n;
}

static void list_events(const runner *r, const interp_run *run, const oracle_instance *from,
                        uint32_t number, size_t at_row, trace_event *events, size_t *n)
{
    model_access access = MODEL_READ;
    model_access_of(interp_op_of(run, from->number), &access);
    size_t k = from->first;
    bool recorded = from->end > from->first;
    for (; is_row_of(run, at_row, from->number); at_row++) {
        const interp_row row = interp_row_at(run, at_row);
        uint32_t width = (uint32_t)(row.bytes / row.elements);
        for (uint32_t i = 0; i < row.elements; i++, k++) {
            trace_event *e = &events[(*n)++];
            *e = (trace_event){
                .buffer = trace_number_of_buffer(r, run, row.buffer),
                .width = width,
                .address = (int64_t)((uint64_t)row.address + (uint64_t)i * width),
                .instance = number,
                .in_tile = row.in_tile + i * row.step,
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
    uint32_t made = o->instances[number].number;
    for (size_t i = 0; i < number; i++)
        if (interp_token_before(run, o->instances[i].number, made))
            instances[number].after.bits[i / 64] |= (uint64_t)1 << (i % 64);
    instances[number].after_wait = interp_comes_after_wait(run, made);
}

void trace_keep(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    const oracle *o = &r->oracle;
    size_t n = arrlenu(o->instances);
    n -= n && (o->instances[n - 1].number == UINT32_MAX || n > ORACLE_BITS); /* cut short there */
    trace t = {.blocked = interp_run_status(run) == INTERP_HANG, .n_instances = n};
    trace_instance *instances = TR_NEW_ARRAY(s->round, trace_instance, n + 1);
    trace_event *events = TR_NEW_ARRAY(s->round, trace_event, interp_event_count(run) + 1);
    size_t at_row = 0;
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
        uint32_t elements = count_elements(run, from->number, &at_row);
        oracle_instance shown = *from;
        if (from->end - from->first != elements)
            shown.end = shown.first; /* the machine saw that it need not look at them */
        list_events(r, run, &shown, (uint32_t)i, at_row, events, &t.n_events);
        to->end = (uint32_t)t.n_events;
        order_instance(r, run, instances, i);
    }
    const ir_op *where = interp_run_where(run);
    if (t.blocked && n && where)
        mark_awaited(where, instances, n);
    t.events = events;
    t.instances = instances;
    arrput(s->blocks[r->number].traces, t);
    s->n_traces++;
}

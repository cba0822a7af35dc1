/* Collects what the traces of one round tell the next: which values there are to read, which reads
 * matter.
 */
#include "executions/trace_run.h"

#define MAX_VALUES 128

static void need(trace_search *s, const ir_op *op)
{
    model_access access;
    if (!model_access_of(op, &access) || !(access & MODEL_READ) || hmgeti(s->needed, op) >= 0)
        return;
    hmput(s->needed, op, true);
    s->changed = s->new_needs = true;
}

/* Does the scope of the op leave some block of the search out? D8 */
static bool is_narrow(const trace_search *s, const ir_op *op)
{
    ir_scope scope = ir_memory_scope(op);
    bool narrow = scope != IR_SCOPE_SYS && scope != IR_SCOPE_DEVICE;
    for (size_t p = 0; p < s->n_parts; p++)
        narrow |= scope == IR_SCOPE_DEVICE && s->parts[p].device != s->parts[0].device;
    return narrow;
}

static void learn_event(trace_search *s, uint32_t block, const trace *t, const trace_event *e)
{
    trace_place place = {.address = e->address, .buffer = e->buffer, .width = (int32_t)e->width};
    const trace_instance *by = &t->instances[e->instance];
    if (hmgeti(s->written, place) < 0) {
        trace_written fresh = {.rising = true, .falling = true, .block = block};
        hmput(s->written, place, fresh);
        s->changed = true;
    }
    trace_written *w = &hmgetp_null(s->written, place)->value;
    trace_value v = {e->write_known, e->write_known ? e->written : 0};
    bool fresh = arrlen(w->values) < MAX_VALUES && trace_add_value(&w->values, v, MAX_VALUES);
    s->changed |= fresh;
    s->redo |= fresh && !v.known; /* what reads it may have to be given its value */
    w->shared |= w->block != block;
    w->narrow |= is_narrow(s, by->op);
    bool strong = !(w->shared && w->narrow);
    bool update = by->access == MODEL_UPDATE && e->read_known && e->write_known && strong;
    bool rising = w->rising && update && e->written > e->read;
    bool falling = w->falling && update && e->written < e->read;
    s->redo |= (rising != w->rising || falling != w->falling) && arrlen(w->values) > 1;
    w->rising = rising;
    w->falling = falling;
    if (e->write_known)
        return;
    for (size_t i = 0; i <= e->instance; i++) {
        const ir_op *op = t->instances[i].op;
        bool known = false;
        if (i != e->instance && !taint_has(&by->hangs_on, i))
            continue;
        for (ptrdiff_t k = 0; k < arrlen(w->unknown_by); k++)
            known |= w->unknown_by[k] == op;
        if (!known)
            arrput(w->unknown_by, op);
    }
}

void trace_learn(trace_search *s, uint32_t block, const trace *t)
{
    for (size_t i = 0; i < t->n_events; i++)
        if (t->events[i].writes)
            learn_event(s, block, t, &t->events[i]);
}

/* The run did not end: what it wrote until then may be what it should have read. */
bool trace_learn_unfinished(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    bool before = s->changed;
    s->changed = false;
    trace_keep(r, run);
    trace t = arrpop(s->blocks[r->number].traces);
    s->n_traces--;
    trace_learn(s, r->number, &t);
    bool learnt = s->changed;
    s->changed |= before;
    s->redo |= r->dead;
    return learnt || r->dead;
}

/* The run depends on a value that was left open: from now on it is given. False: on none such. */
bool trace_learn_needs(runner *r, const interp_run *run)
{
    trace_search *s = r->search;
    const oracle *o = &r->oracle;
    bool before = s->changed;
    s->changed = false;
    taint t = oracle_taint_of(o, interp_run_where(run));
    for (size_t i = 0; i < arrlenu(o->instances); i++) {
        const oracle_instance *one = &o->instances[i];
        if (!taint_has(&t, i) || one->number == UINT32_MAX)
            continue;
        need(s, interp_op_of(run, one->number));
        for (uint32_t k = one->first; k < one->end; k++) {
            const oracle_element *e = &o->elements[k];
            trace_place place = {.address = e->address,
                                 .buffer = trace_number_of_buffer(r, run, e->buffer),
                                 .width = (int32_t)e->width};
            const trace_entry *w =
                e->reads && !e->read_known && s->written ? hmgetp_null(s->written, place) : NULL;
            for (ptrdiff_t u = 0; w && u < arrlen(w->value.unknown_by); u++)
                need(s, w->value.unknown_by[u]);
        }
    }
    bool learnt = s->changed;
    s->changed |= before;
    return learnt;
}

bool trace_is_counter(const trace_search *s, const trace_place *place, bool *rising)
{
    static const int widths[] = {1, 2, 4, 8};
    trace_entry *written = s->written;
    const trace_entry *e = written ? hmgetp_null(written, *place) : NULL;
    if (!e || !(e->value.rising || e->value.falling) || !s->choices.coherence_per_location)
        return false;
    for (size_t k = 0; k < TR_COUNT(widths); k++)
        for (int64_t at = place->address - widths[k] + 1; at < place->address + place->width;
             at++) {
            trace_place other = {.address = at, .buffer = place->buffer, .width = widths[k]};
            if ((at != place->address || widths[k] != place->width) && hmgeti(written, other) >= 0)
                return false;
        }
    *rising = e->value.rising;
    return true;
}

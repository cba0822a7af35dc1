/* Finds what a read of a block may give, and which of it a run takes. */
#include "executions/trace_run.h"

bool trace_add_value(trace_value **values, trace_value v, size_t limit)
{
    for (ptrdiff_t i = 0; i < arrlen(*values); i++)
        if ((*values)[i].known == v.known && (*values)[i].bits == v.bits)
            return false;
    if (arrlenu(*values) < limit)
        arrput(*values, v);
    return true;
}

static trace_value initial_value(interp_run *run, int32_t buffer, int64_t address, int width)
{
    trace_value v = {0};
    v.known = interp_memory_holds(run, buffer, address, width, &v.bits);
    if (!v.known)
        v.bits = 0;
    return v;
}

/* Bytes of other elements: every mixture of the bytes that may be there. */
static void mix_bytes(trace_value **options, const trace_value *other, int from, int n_bytes,
                      int shift)
{
    size_t n = arrlenu(*options);
    uint64_t mask = n_bytes >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * n_bytes) - 1;
    uint64_t part = (other->bits >> 8 * from & mask) << 8 * shift;
    for (size_t i = 0; i < n; i++) {
        trace_value v = (*options)[i];
        v.known &= other->known;
        v.bits = v.known ? (v.bits & ~(mask << 8 * shift)) | part : 0;
        trace_add_value(options, v, TRACE_MAX_OPTIONS + 1);
    }
}

/* Everything that a read of the place may give; false when nobody writes there. */
static bool find_options(runner *r, interp_run *run, int32_t buffer, const trace_place *place)
{
    static const int widths[] = {1, 2, 4, 8};
    trace_search *s = r->search;
    bool any = false;
    arrsetlen(r->options, 0);
    if (!s->written)
        return false;
    arrput(r->options, initial_value(run, buffer, place->address, place->width));
    const trace_entry *exact = hmgetp_null(s->written, *place);
    for (ptrdiff_t i = 0; exact && i < arrlen(exact->value.values); i++)
        trace_add_value(&r->options, exact->value.values[i], TRACE_MAX_OPTIONS + 1);
    any = exact != NULL;
    for (size_t k = 0; k < TR_COUNT(widths); k++)
        for (int64_t at = place->address - widths[k] + 1; at < place->address + place->width;
             at++) {
            trace_place other = {.address = at, .buffer = place->buffer, .width = widths[k]};
            const trace_entry *e = hmgetp_null(s->written, other);
            if (!e || e == exact)
                continue;
            any = true;
            int64_t low = at > place->address ? at : place->address;
            int64_t high = at + widths[k] < place->address + place->width
                               ? at + widths[k]
                               : place->address + place->width;
            for (ptrdiff_t i = 0; i < arrlen(e->value.values); i++)
                mix_bytes(&r->options, &e->value.values[i], (int)(low - at), (int)(high - low),
                          (int)(low - place->address));
        }
    return any;
}

/* Is the op being executed token-after that execution? */
static bool comes_after(const runner *r, interp_run *run, const ir_op *op, uint32_t number)
{
    uint32_t done = r->oracle.instances[number].number;
    if (done == UINT32_MAX) /* an element of the op being executed: D1 */
        return false;
    return interp_token_follows(run, ir_token_in(op), done);
}

/* Drops reads that no execution allows: if every write raises the value, no two updates read the
 * same one, and of two that a token orders the later one reads more (A5, A8). */
static void drop_repeated(runner *r, interp_run *run, const ir_op *op, const trace_place *place)
{
    model_access access;
    bool rising;
    if (!model_access_of(op, &access) || access != MODEL_UPDATE ||
        op->code == IR_OP_ATOMIC_CAS_TKO || !trace_is_counter(r->search, place, &rising))
        return;
    for (ptrdiff_t i = 0; i < arrlen(r->updates); i++) {
        const update_read *u = &r->updates[i];
        if (memcmp(&u->place, place, sizeof *place) != 0)
            continue;
        bool after =
            r->search->choices.coherence_per_location && comes_after(r, run, op, u->number);
        for (ptrdiff_t k = arrlen(r->options); k-- > 0;) {
            uint64_t bits = r->options[k].bits;
            if (r->options[k].known &&
                (bits == u->bits || (after && (rising ? bits < u->bits : bits > u->bits))))
                arrdel(r->options, k);
        }
    }
}

bool trace_give(void *user, interp_run *run, const ir_op *op, int32_t buffer, int64_t address,
                int width, uint64_t *bits, bool *known, bool *decided)
{
    runner *r = user;
    trace_search *s = r->search;
    trace_place place = {
        .address = address, .buffer = trace_number_of_buffer(r, run, buffer), .width = width};
    if (!find_options(r, run, buffer, &place))
        return false;
    *known = false;
    *bits = 0;
    *decided = false;
    hmput(s->initial, place, r->options[0]);
    if (!s->want_all && hmgeti(s->needed, op) < 0)
        return true;
    drop_repeated(r, run, op, &place);
    if (arrlen(r->options) > TRACE_MAX_OPTIONS) {
        trace_give_up(s, EXECUTIONS_BOUND, op, "a read may give more than %d values",
                      TRACE_MAX_OPTIONS);
        interp_stop(run, INTERP_LIMIT, op, "too many values");
        return true;
    }
    if (arrlen(r->options) == 0) { /* not in this round */
        r->dead = true;
        interp_stop(run, INTERP_LIMIT, op, "no value is left");
        return true;
    }
    if (r->at == arrlenu(r->path)) {
        branching b = {.count = (uint32_t)arrlen(r->options)};
        arrput(r->path, b);
    }
    trace_value v = r->options[r->path[r->at++].taken];
    update_read u = {place, v.bits, (uint32_t)arrlen(r->oracle.instances) - 1};
    model_access access;
    if (model_access_of(op, &access) && access == MODEL_UPDATE)
        arrput(r->updates, u);
    *known = v.known;
    *bits = v.bits;
    *decided = true;
    return true;
}

/* A wait that failed once is explored with one value only: that it fails with others too shows the
 * same accesses. */
bool trace_waits_on(void *user)
{
    runner *r = user;
    if (!r->at)
        return false;
    branching *b = &r->path[r->at - 1];
    if (!b->waits)
        b->waits_on = b->taken;
    b->waits = true;
    return b->waits_on != b->taken;
}

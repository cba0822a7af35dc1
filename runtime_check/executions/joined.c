/* Makes an abstract execution from one trace a block: which events matter, their orders, and what
 * each read may have read. */
#include "executions/joined.h"

#include <stdlib.h>

#define MAX_EVENTS 1500 /* that the axioms look at: relations are matrices */

/* ---- Section: Events ---- */

static int by_place(const void *a, const void *b)
{
    const joined_event *x = a, *y = b;
    if (x->event->buffer != y->event->buffer)
        return x->event->buffer < y->event->buffer ? -1 : 1;
    if (x->event->address != y->event->address)
        return x->event->address < y->event->address ? -1 : 1;
    if (x->event->width != y->event->width)
        return x->event->width < y->event->width ? -1 : 1;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->event < y->event ? -1 : x->event > y->event;
}

static const ir_op *op_of(const joined_event *e)
{
    return e->trace->instances[e->event->instance].op;
}

static model_event as_model(const joined_event *e, const model_choices *choices)
{
    const trace_instance *by = &e->trace->instances[e->event->instance];
    bool atomic = by->access == MODEL_UPDATE;
    model_event m = {
        .block = e->block,
        .instance = e->event->instance,
        .buffer = e->event->buffer,
        .address = e->event->address,
        .width = e->event->width,
        .access = by->access,
        .ordering = ir_memory_ordering(by->op),
        .scope = ir_memory_scope(by->op),
        .leaves_value = e->event->writes,
        .silent = atomic && by->op->n_results == 1,
        .after_wait = by->after_wait,
    };
    if (atomic && !m.leaves_value && !choices->failed_cas_writes)
        m.access = MODEL_READ;
    return m;
}

/* Does it matter which event of the group reads which? */
static bool is_telling(const joined_event *e)
{
    ir_ordering ordering = ir_memory_ordering(op_of(e));
    return e->event->decided || ordering > IR_RELAXED ||
           e->trace->instances[e->event->instance].awaited;
}

/* Do they make the same accesses, at the same distances? */
static bool same_accesses(const joined_event *a, const joined_event *b, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (a[i].block != b[i].block || a[i].event->instance != b[i].event->instance ||
            a[i].event->width != b[i].event->width || a[i].event->writes != b[i].event->writes ||
            a[i].event->address - a[0].event->address != b[i].event->address - b[0].event->address)
            return false;
    return true;
}

static uint64_t hash_accesses(const joined_event *a, size_t n)
{
    uint64_t h = n;
    for (size_t i = 0; i < n; i++) {
        h = (h ^ ((uint64_t)a[i].block << 32 | a[i].event->instance)) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

typedef struct seen_group {
    uint64_t key;
    size_t value; /* where it begins */
} seen_group;

/* Is the group one that shows nothing new? */
static bool is_idle(const joined_event *events, size_t first, size_t end, seen_group **seen)
{
    bool writes = false, telling = false;
    for (size_t i = first; i < end; i++) {
        writes |= (events[i].trace->instances[events[i].event->instance].access & MODEL_WRITE) != 0;
        telling |= is_telling(&events[i]);
    }
    if (!writes || end - first < 2)
        return !telling;
    if (telling)
        return false;
    uint64_t hash = hash_accesses(&events[first], end - first);
    ptrdiff_t at = hmgeti(*seen, hash);
    if (at >= 0 && same_accesses(&events[(*seen)[at].value], &events[first], end - first))
        return true;
    hmput(*seen, hash, first);
    return false;
}

static void add_group(joined *j, const joined_event *events, size_t first, size_t end)
{
    joined_group g = {.first = (uint32_t)arrlen(j->events), .uniform = true};
    for (size_t i = first; i < end; i++) {
        joined_event e = events[i];
        e.group = (uint32_t)arrlen(j->groups);
        g.uniform &= e.event->address == events[first].event->address &&
                     e.event->width == events[first].event->width;
        arrput(j->events, e);
    }
    g.end = (uint32_t)arrlen(j->events);
    arrput(j->groups, g);
}

static void choose_events(joined *j, bool want_all)
{
    joined_event *all = NULL;
    seen_group *seen = NULL;
    for (uint32_t b = 0; b < arrlenu(j->search->blocks); b++) {
        const trace *t = j->traces[b];
        j->blocked |= t->blocked;
        for (size_t i = 0; i < t->n_events; i++) {
            joined_event e = {.trace = t, .event = &t->events[i], .block = b};
            arrput(all, e);
        }
    }
    size_t n = arrlenu(all);
    if (n)
        qsort(all, n, sizeof all[0], by_place);
    for (size_t first = 0, end; first < n; first = end) {
        int64_t reach = all[first].event->address + all[first].event->width;
        for (end = first + 1; end < n && all[end].event->buffer == all[first].event->buffer &&
                              all[end].event->address < reach;
             end++)
            if (all[end].event->address + all[end].event->width > reach)
                reach = all[end].event->address + all[end].event->width;
        if (want_all || !is_idle(all, first, end, &seen))
            add_group(j, all, first, end);
    }
    hmfree(seen);
    arrfree(all);
}

/* ---- Section: Relations ---- */

static void relate_block(joined *j, size_t a, size_t b)
{
    const joined_event *x = &j->events[a], *y = &j->events[b];
    const trace_instance *later = &y->trace->instances[y->event->instance];
    if (x->block != y->block || x->event->instance >= y->event->instance)
        return;
    model_relate(&j->x->program_order, a, b);
    if (taint_has(&later->after, x->event->instance))
        model_relate(&j->x->waits_for, a, b);
    if (x->event->reads && taint_has(&later->hangs_on, x->event->instance))
        model_relate(&j->x->dependency, a, b);
}

bool joined_make(joined *j, bool want_all)
{
    const trace_search *s = j->search;
    choose_events(j, want_all);
    j->n = arrlenu(j->events);
    if (j->n > MAX_EVENTS)
        return false;
    size_t n_blocks = arrlenu(s->blocks);
    model_event *events = TR_NEW_ARRAY(j->arena, model_event, j->n + 1);
    model_block *blocks = TR_NEW_ARRAY(j->arena, model_block, n_blocks + 1);
    model_launch *launches = TR_NEW_ARRAY(j->arena, model_launch, s->n_parts + 1);
    for (size_t i = 0; i < j->n; i++)
        events[i] = as_model(&j->events[i], &s->choices);
    for (size_t b = 0; b < n_blocks; b++)
        blocks[b] = (model_block){s->blocks[b].part, s->parts[s->blocks[b].part].device};
    for (size_t p = 0; p < s->n_parts; p++)
        launches[p] = (model_launch){s->parts[p].stream, s->parts[p].dependent};
    j->x = model_execution_new(j->arena, &s->choices, j->n, events, n_blocks, blocks, s->n_parts,
                               launches);
    for (size_t a = 0; a < j->n; a++)
        for (size_t b = 0; b < j->n; b++)
            relate_block(j, a, b);
    j->orders = model_orders_new(j->arena, j->n);
    model_orders_of_program(j->x, &j->orders);
    j->before = model_relation_new(j->arena, j->n);
    model_happens_before(&j->orders, &j->before);
    return true;
}

void joined_free(joined *j)
{
    arrfree(j->events);
    arrfree(j->groups);
    arrfree(j->slots);
    arrfree(j->candidates);
}

/* ---- Section: What a read may have read ---- */

static bool covers_byte(const joined_event *e, int64_t address)
{
    return address >= e->event->address && address < e->event->address + e->event->width;
}

static bool values_agree(const joined_event *r, trace_value v, uint32_t from, uint32_t to,
                         uint32_t n_bytes)
{
    if (!r->event->decided)
        return true;
    if (!r->event->read_known || !v.known)
        return r->event->read_known == v.known;
    uint64_t mask = n_bytes >= 8 ? ~(uint64_t)0 : ((uint64_t)1 << 8 * n_bytes) - 1;
    return ((v.bits >> 8 * from ^ r->event->read >> 8 * to) & mask) == 0;
}

/* Would some write before the read, after `w`, have hidden it? A6, A7. */
static bool is_hidden(const joined *j, uint32_t w, uint32_t r, int64_t address)
{
    const joined_group *g = &j->groups[j->events[r].group];
    const model_choices *choices = &j->search->choices;
    if (!choices->causality)
        return false;
    for (uint32_t other = g->first; other < g->end; other++) {
        if (other == w || other == r || !j->events[other].event->writes ||
            !covers_byte(&j->events[other], address) || !model_related(&j->before, other, r))
            continue;
        if (w == MODEL_INITIAL ||
            (choices->before_implies_coherence && model_related(&j->before, w, other)))
            return true;
    }
    return false;
}

static void try_candidate(joined *j, const joined_slot *slot, uint32_t w)
{
    const joined_event *r = &j->events[slot->event];
    uint32_t bytes = slot->whole ? r->event->width : 1;
    int64_t address = r->event->address + slot->byte;
    trace_value v;
    uint32_t from = 0;
    if (w == MODEL_INITIAL) {
        trace_place place = {.address = r->event->address,
                             .buffer = r->event->buffer,
                             .width = (int32_t)r->event->width};
        trace_initial *initial = j->search->initial;
        const trace_initial *known = initial ? hmgetp_null(initial, place) : NULL;
        v = known ? known->value : (trace_value){0};
        from = slot->byte;
    } else {
        const joined_event *e = &j->events[w];
        v = (trace_value){e->event->write_known, e->event->written};
        from = (uint32_t)(address - e->event->address);
        if (!e->event->writes || !covers_byte(e, address) || w == slot->event ||
            (j->search->choices.causality && model_related(&j->before, slot->event, w)))
            return;
    }
    if (values_agree(r, v, from, slot->byte, bytes) && !is_hidden(j, w, slot->event, address))
        arrput(j->candidates, w);
}

static bool add_slot(joined *j, uint32_t event, uint32_t byte, bool whole)
{
    const joined_group *g = &j->groups[j->events[event].group];
    joined_slot slot = {
        .event = event, .byte = byte, .whole = whole, .first = arrlenu(j->candidates)};
    for (uint32_t w = g->first; w < g->end; w++)
        try_candidate(j, &slot, w);
    try_candidate(j, &slot, MODEL_INITIAL);
    slot.end = arrlenu(j->candidates);
    arrput(j->slots, slot);
    return slot.end > slot.first;
}

/* Does an update of this group pass releases on to an acquire? */
static bool carries_releases(const joined *j, const joined_group *g)
{
    bool releases = false, acquires = false;
    for (uint32_t i = g->first; i < g->end; i++) {
        releases |= model_event_releases(&j->x->events[i]);
        acquires |= model_event_acquires(&j->x->events[i]);
    }
    return releases && acquires;
}

static bool is_open(const joined *j, uint32_t event, bool carries, bool want_all)
{
    const joined_event *e = &j->events[event];
    const model_event *m = &j->x->events[event];
    return e->event->reads && (want_all || e->event->decided || model_event_acquires(m) ||
                               (carries && m->access == MODEL_UPDATE));
}

bool joined_find_slots(joined *j, bool want_all)
{
    for (ptrdiff_t k = 0; k < arrlen(j->groups); k++) {
        joined_group *g = &j->groups[k];
        bool carries = carries_releases(j, g);
        for (uint32_t i = g->first; i < g->end; i++) {
            if (!is_open(j, i, carries, want_all))
                continue;
            g->has_open = true;
            uint32_t slots = g->uniform ? 1 : j->events[i].event->width;
            for (uint32_t byte = 0; byte < slots; byte++)
                if (!add_slot(j, i, byte, g->uniform))
                    return false;
        }
    }
    return true;
}

/* Enumerates all executions: every choice of one trace a block, of a write for every read that
 * matters, and, where somebody asks, of coherence. */
#include "executions/joined.h"

#include <stdlib.h>
#include <time.h>

static const executions_limits defaults = {
    .blocks = 16, .traces = 2000, .events = 16000, .candidates = 200000, .milliseconds = 20000};

typedef struct outcome_key {
    char *key;
    bool value;
} outcome_key;

typedef struct enumeration {
    trace_search search;
    executions *result;
    tr_arena *arena;
    bool want_outcomes;
    executions_goal goal;
    const trace **chosen;         /* by block */
    executions_outcome *outcomes; /* stb_ds */
    outcome_key *seen;            /* stb_ds map */
    clock_t begun;
    joined *j;
} enumeration;

static bool go_on(const enumeration *e)
{
    return e->search.answer == EXECUTIONS_RACE_FREE;
}

static bool count_candidate(enumeration *e)
{
    const executions_limits *limits = &e->search.limits;
    if (++e->result->n_candidates > limits->candidates)
        return trace_give_up(&e->search, EXECUTIONS_BOUND, NULL,
                             "more than %llu executions to look at",
                             (unsigned long long)limits->candidates);
    if ((uint64_t)(clock() - e->begun) * 1000 / CLOCKS_PER_SEC > limits->milliseconds)
        return trace_give_up(&e->search, EXECUTIONS_BOUND, NULL,
                             "more than %llu ms to look at all executions",
                             (unsigned long long)limits->milliseconds);
    return true;
}

/* ---- Section: Outcomes ---- */

static executions_value value_of(const enumeration *e, const joined_event *event)
{
    const trace_event *t = event->event;
    const trace_block *b = &e->search.blocks[event->block];
    return (executions_value){
        .buffer = trace_buffer_name(&e->search, t->buffer),
        .address = t->address,
        .width = t->width,
        .known = t->read_known,
        .bits = t->read,
        .part = b->part,
        .block = b->block,
        .op = event->trace->instances[t->instance].op,
        .in_tile = t->in_tile,
    };
}

static executions_value *all_reads(const enumeration *e, size_t *n)
{
    executions_value *reads = NULL;
    for (uint32_t b = 0; b < arrlenu(e->search.blocks); b++) {
        const trace *t = e->chosen[b];
        for (size_t i = 0; i < t->n_events; i++) {
            joined_event event = {.trace = t, .event = &t->events[i], .block = b};
            if (event.event->reads && event.event->decided)
                arrput(reads, value_of(e, &event));
        }
    }
    *n = arrlenu(reads);
    executions_value *kept = TR_NEW_ARRAY(e->arena, executions_value, *n + 1);
    if (*n)
        memcpy(kept, reads, *n * sizeof *kept);
    arrfree(reads);
    return kept;
}

/* The value that a possibility leaves in an element, from the writes of its bytes. */
static executions_value left_value(const enumeration *e, const joined_event *shape,
                                   const uint32_t *last)
{
    executions_value v = value_of(e, shape);
    v.known = true;
    v.bits = 0;
    for (uint32_t byte = 0; byte < v.width; byte++) {
        if (last[byte] == MODEL_INITIAL) {
            v.known = false;
            continue;
        }
        const trace_event *w = e->j->events[last[byte]].event;
        v.known &= w->write_known;
        v.bits |= (w->written >> 8 * (v.address + byte - w->address) & 0xff) << 8 * byte;
    }
    return v;
}

/* Each element that is written, by its widest first access. */
static void list_left(const enumeration *e, const joined_finals *finals, const size_t *pick,
                      executions_outcome *o)
{
    const joined *j = e->j;
    executions_value *left = TR_NEW_ARRAY(e->arena, executions_value, j->n + 1);
    for (ptrdiff_t g = 0; g < arrlen(j->groups); g++) {
        const joined_group *group = &j->groups[g];
        const uint32_t *last = &finals[g].writes[pick[g] * finals[g].n_bytes];
        int64_t base = j->events[group->first].event->address, next = base;
        for (uint32_t i = group->first; i < group->end; i++) {
            const trace_event *t = j->events[i].event;
            if (!t->writes || t->address < next)
                continue;
            left[o->n_left++] = left_value(e, &j->events[i], last + (t->address - base));
            next = t->address + t->width;
        }
    }
    o->left = left;
}

static void add_value_key(tr_text *key, const executions_value *v)
{
    if (v->known)
        tr_text_addf(key, "%llx,", (unsigned long long)v->bits);
    else
        tr_text_add(key, "?,");
}

static void keep_outcome(enumeration *e, const executions_outcome *o)
{
    tr_text key = {0};
    tr_text_addf(&key, "%d:", o->blocked);
    for (size_t i = 0; i < o->n_reads; i++)
        add_value_key(&key, &o->reads[i]);
    tr_text_add(&key, "|");
    for (size_t i = 0; i < o->n_left; i++)
        add_value_key(&key, &o->left[i]);
    if (shgeti(e->seen, tr_text_get(&key)) < 0) {
        shput(e->seen, tr_text_get(&key), true);
        arrput(e->outcomes, *o);
    }
    tr_text_free(&key);
}

/* Every combination of what the groups can end with. */
static void keep_outcomes(enumeration *e, const joined_finals *finals)
{
    size_t n = arrlenu(e->j->groups);
    size_t *pick = TR_NEW_ARRAY(e->j->arena, size_t, n + 1);
    executions_outcome o = {.blocked = e->j->blocked};
    o.reads = all_reads(e, &o.n_reads);
    for (;;) {
        o.n_left = 0;
        list_left(e, finals, pick, &o);
        keep_outcome(e, &o);
        size_t g = 0;
        while (g < n && (++pick[g]) * finals[g].n_bytes >= arrlenu(finals[g].writes))
            pick[g++] = 0;
        if (g == n || !count_candidate(e))
            return;
    }
}

/* ---- Section: One execution ---- */

static executions_event race_event(const enumeration *e, size_t number)
{
    const joined_event *event = &e->j->events[number];
    const trace_instance *by = &event->trace->instances[event->event->instance];
    const trace_block *b = &e->search.blocks[event->block];
    executions_event r = {
        .part = b->part,
        .block = b->block,
        .op = by->op,
        .n_loops = by->n_loops,
        .in_tile = event->event->in_tile,
        .buffer = trace_buffer_name(&e->search, event->event->buffer),
        .address = event->event->address,
        .width = event->event->width,
    };
    memcpy(r.iterations, by->iterations, sizeof r.iterations);
    return r;
}

/* Called when all slots are filled: is this an execution, and does it race? */
static void look(enumeration *e)
{
    joined *j = e->j;
    if (!count_candidate(e))
        return;
    model_orders_of_reads(j->x, &j->orders);
    if (model_reads_consistent(j->x, &j->orders) != MODEL_HOLDS)
        return;
    size_t a, b, n = arrlenu(j->groups);
    bool too_many = false,
         races = e->goal != EXECUTIONS_ALL_OUTCOMES && model_find_race(j->x, &j->orders, &a, &b);
    joined_finals *finals =
        e->want_outcomes && !races ? TR_NEW_ARRAY(j->arena, joined_finals, n + 1) : NULL;
    bool exists = joined_coherent(j, finals, &too_many);
    if (too_many) {
        trace_give_up(&e->search, EXECUTIONS_BOUND, NULL,
                      "too many orders of the writes to one location");
    } else if (exists) {
        e->result->n_executions++;
        e->result->blocked |= j->blocked;
        if (races) {
            e->result->race[0] = race_event(e, a);
            e->result->race[1] = race_event(e, b);
            trace_give_up(&e->search, EXECUTIONS_RACE, NULL, "two events race");
        } else if (finals) {
            keep_outcomes(e, finals);
        }
    }
    for (size_t g = 0; finals && g < n; g++)
        arrfree(finals[g].writes);
}

/* A5: of two updates that are morally strong and read the same write, one would come between the
 * write and the other; where the write comes before both, for coherence orders it with neither
 * unless it is morally strong with them (A4, A8). */
static bool is_taken(const joined *j, size_t number, uint32_t from)
{
    const joined_slot *slot = &j->slots[number];
    const model_event *e = j->x->events;
    if (!slot->whole || e[slot->event].access != MODEL_UPDATE || !e[slot->event].leaves_value)
        return false;
    if (from < j->n && !j->search->choices.coherence_per_location)
        return false;
    for (size_t s = number; s-- > 0;) {
        uint32_t other = j->slots[s].event;
        if (j->events[other].group != j->events[slot->event].group)
            return false;
        if (e[other].access == MODEL_UPDATE && e[other].leaves_value &&
            j->x->reads_from[other][0] == from &&
            model_related(&j->orders.strong, other, slot->event) &&
            (from >= j->n || model_related(&j->orders.strong, from, other)))
            return true;
    }
    return false;
}

/* A5, A6, A8: writes that are read by one update after the other settle in that order; so none of
 * them is the reading update itself, or after it. */
static bool comes_round(const joined *j, const joined_slot *slot, uint32_t from)
{
    const model_event *e = j->x->events;
    const model_choices *choices = &j->search->choices;
    uint32_t by = slot->event;
    if (!slot->whole || !choices->before_implies_coherence || !choices->coherence_per_location)
        return false;
    while (from < j->n && e[by].access == MODEL_UPDATE && e[by].leaves_value &&
           model_related(&j->orders.strong, from, by)) {
        if (from == slot->event || model_related(&j->before, slot->event, from))
            return true;
        by = from;
        from = j->x->reads_from[by][0];
    }
    return from == slot->event && choices->no_thin_air;
}

static void fill_slots(enumeration *e, size_t number)
{
    joined *j = e->j;
    if (!go_on(e))
        return;
    if (number == arrlenu(j->slots)) {
        look(e);
        return;
    }
    const joined_slot *slot = &j->slots[number];
    uint32_t *from = j->x->reads_from[slot->event];
    uint32_t width = j->x->events[slot->event].width;
    for (size_t c = slot->first; c < slot->end; c++) {
        if (is_taken(j, number, j->candidates[c]) || comes_round(j, slot, j->candidates[c]))
            continue;
        for (uint32_t byte = slot->whole ? 0 : slot->byte;
             byte < (slot->whole ? width : slot->byte + 1); byte++)
            from[byte] = j->candidates[c];
        fill_slots(e, number + 1);
    }
    for (uint32_t byte = 0; byte < width; byte++) /* open again */
        if (slot->whole || byte == slot->byte)
            from[byte] = MODEL_NOWHERE;
}

/* ---- Section: One choice of traces ---- */

/* Is there a write, in the traces chosen or in those that may still be, of what this read gave? */
static bool is_supplied(const enumeration *e, size_t n_chosen, const trace_event *r)
{
    const trace_search *s = &e->search;
    trace_place place = {.address = r->address, .buffer = r->buffer, .width = (int32_t)r->width};
    trace_initial *initial = s->initial;
    const trace_initial *first = initial ? hmgetp_null(initial, place) : NULL;
    if (first && first->value.known && first->value.bits == r->read)
        return true;
    for (size_t b = 0; b < arrlenu(s->blocks); b++) {
        size_t n = b < n_chosen ? 1 : arrlenu(s->blocks[b].traces);
        for (size_t t = 0; t < n; t++) {
            const trace *from = b < n_chosen ? e->chosen[b] : &s->blocks[b].traces[t];
            for (size_t i = 0; i < from->n_events; i++) {
                const trace_event *w = &from->events[i];
                if (!w->writes || w->buffer != r->buffer || w == r)
                    continue;
                if (w->address == r->address && w->width == r->width
                        ? w->write_known && w->written == r->read
                        : w->address < r->address + r->width && r->address < w->address + w->width)
                    return true;
            }
        }
    }
    return false;
}

/* Two updates that read one value of a counter that only grows: trace_is_counter. */
static bool repeats(const enumeration *e, const trace_event *r, size_t n_chosen)
{
    trace_place place = {.address = r->address, .buffer = r->buffer, .width = (int32_t)r->width};
    bool rising;
    if (!r->writes || !trace_is_counter(&e->search, &place, &rising))
        return false;
    for (size_t b = 0; b < n_chosen; b++)
        for (size_t i = 0; i < e->chosen[b]->n_events; i++) {
            const trace_event *o = &e->chosen[b]->events[i];
            if (o != r && o->writes && o->decided && o->read_known && o->read == r->read &&
                o->buffer == r->buffer && o->address == r->address && o->width == r->width)
                return true;
        }
    return false;
}

static bool is_possible(const enumeration *e, size_t n_chosen)
{
    for (size_t b = 0; b < n_chosen; b++)
        for (size_t i = 0; i < e->chosen[b]->n_events; i++) {
            const trace_event *r = &e->chosen[b]->events[i];
            if (r->reads && r->decided && r->read_known &&
                (!is_supplied(e, n_chosen, r) || repeats(e, r, n_chosen)))
                return false;
        }
    return true;
}

static void look_at_choice(enumeration *e)
{
    joined j = {.search = &e->search, .arena = tr_arena_new(), .traces = e->chosen};
    e->j = &j;
    if (count_candidate(e)) {
        if (!joined_make(&j, e->want_outcomes))
            trace_give_up(&e->search, EXECUTIONS_BOUND, NULL,
                          "an execution has %zu memory events that matter", j.n);
        else if (joined_find_slots(&j, e->want_outcomes))
            fill_slots(e, 0);
    }
    joined_free(&j);
    tr_arena_free(j.arena);
}

static void choose_traces(enumeration *e, size_t block)
{
    if (!go_on(e) || (block && !is_possible(e, block)))
        return;
    if (block == arrlenu(e->search.blocks)) {
        look_at_choice(e);
        return;
    }
    const trace_block *b = &e->search.blocks[block];
    for (ptrdiff_t t = 0; t < arrlen(b->traces) && go_on(e); t++) {
        e->chosen[block] = &b->traces[t];
        choose_traces(e, block + 1);
    }
}

/* ---- Section: The search ---- */

static executions_limits limits_of(const executions_limits *given)
{
    executions_limits l = given ? *given : defaults;
    l.blocks = l.blocks ? l.blocks : defaults.blocks;
    l.traces = l.traces ? l.traces : defaults.traces;
    l.events = l.events ? l.events : defaults.events;
    l.candidates = l.candidates ? l.candidates : defaults.candidates;
    l.milliseconds = l.milliseconds ? l.milliseconds : defaults.milliseconds;
    return l;
}

const executions *executions_find(tr_arena *arena, size_t n_parts, const executions_part *parts,
                                  const model_choices *choices, const executions_limits *limits,
                                  executions_goal goal)
{
    executions *result = TR_NEW(arena, executions);
    enumeration e = {
        .search = {.arena = arena,
                   .n_parts = n_parts,
                   .parts = parts,
                   .choices = choices ? *choices : model_default_choices(),
                   .limits = limits_of(limits),
                   .want_all = goal != EXECUTIONS_RACES},
        .result = result,
        .arena = arena,
        .want_outcomes = goal != EXECUTIONS_RACES,
        .goal = goal,
        .begun = clock(),
    };
    sh_new_strdup(e.seen);
    if (trace_find_all(&e.search)) {
        e.chosen = TR_NEW_ARRAY(arena, const trace *, arrlenu(e.search.blocks) + 1);
        choose_traces(&e, 0);
    }
    if (e.search.answer == EXECUTIONS_RACE_FREE && result->n_executions == 0)
        trace_give_up(&e.search, EXECUTIONS_UNDECIDED, NULL,
                      "what was found of the traces makes no execution");
    result->answer = e.search.answer;
    result->why = e.search.why;
    result->where = e.search.where;
    result->n_traces = e.search.n_traces;
    result->n_outcomes = arrlenu(e.outcomes);
    executions_outcome *outcomes = TR_NEW_ARRAY(arena, executions_outcome, result->n_outcomes + 1);
    if (result->n_outcomes)
        memcpy(outcomes, e.outcomes, result->n_outcomes * sizeof *outcomes);
    result->outcomes = outcomes;
    arrfree(e.outcomes);
    shfree(e.seen);
    trace_search_free(&e.search);
    return result;
}

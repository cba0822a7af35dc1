/* Orders of coherence (A4), one group of overlapping events after the other: given happens-before,
 * the axioms about coherence (A5 to A8) speak of one location each. */
#include "executions/joined.h"

#include <stdlib.h>

#define MAX_ORDERS 200000 /* tried for one group */

typedef struct ordering { /* of one group's writes */
    joined *j;
    const joined_group *group;
    tr_arena *arena;
    model_execution *x; /* of the group's events alone */
    model_orders orders;
    uint32_t *writes, *placed; /* events of the group, counted from its first */
    size_t n_writes, n_placed;
    bool *used;
    joined_finals *finals; /* or NULL: the first that is consistent is enough */
    size_t tried;
    bool found, too_many;
} ordering;

static void restrict_to(model_relation *into, const model_relation *from, uint32_t first)
{
    for (size_t a = 0; a < into->n; a++)
        for (size_t b = 0; b < into->n; b++)
            if (model_related(from, first + a, first + b))
                model_relate(into, a, b);
}

static void take_group(ordering *o)
{
    const joined *j = o->j;
    uint32_t first = o->group->first;
    size_t n = o->group->end - first;
    o->x = model_execution_new(o->arena, &j->search->choices, n, j->x->events + first,
                               j->x->n_blocks, j->x->blocks, j->x->n_launches, j->x->launches);
    o->orders = model_orders_new(o->arena, n);
    restrict_to(&o->orders.rpo, &j->orders.rpo, first);
    restrict_to(&o->orders.strong, &j->orders.strong, first);
    restrict_to(&o->orders.before, &j->orders.before, first);
    restrict_to(&o->orders.causality, &j->orders.causality, first);
    o->writes = TR_NEW_ARRAY(o->arena, uint32_t, n + 1);
    o->placed = TR_NEW_ARRAY(o->arena, uint32_t, n + 1);
    o->used = TR_NEW_ARRAY(o->arena, bool, n + 1);
    for (size_t e = 0; e < n; e++) {
        if (o->x->events[e].leaves_value)
            o->writes[o->n_writes++] = (uint32_t)e;
        for (uint32_t byte = 0; byte < MODEL_MAX_WIDTH; byte++) {
            uint32_t from = j->x->reads_from[first + e][byte];
            o->x->reads_from[e][byte] = from >= MODEL_NOWHERE ? from : from - first;
        }
    }
}

/* The last write to a byte of the group. */
static uint32_t last_write(const ordering *o, int64_t address)
{
    for (size_t i = o->n_placed; i-- > 0;) {
        const model_event *w = &o->x->events[o->placed[i]];
        if (address >= w->address && address < w->address + w->width)
            return o->placed[i];
    }
    return MODEL_INITIAL;
}

static bool is_awaited(const ordering *o, uint32_t e)
{
    const joined_event *je = &o->j->events[o->group->first + e];
    return je->trace->instances[je->event->instance].awaited;
}

/* The write behind a byte: updates that wait for ever leave what they read. */
static uint32_t settled(const ordering *o, uint32_t from, uint32_t byte)
{
    while (from < o->x->n_events && is_awaited(o, from))
        from = o->x->reads_from[from][byte];
    return from;
}

/* A block that waits for ever has seen the last value: otherwise it would proceed some day. */
static bool waits_end_last(const ordering *o)
{
    for (size_t e = 0; e < o->x->n_events; e++) {
        const model_event *m = &o->x->events[e];
        if (!(m->access & MODEL_READ) || !is_awaited(o, (uint32_t)e))
            continue;
        for (uint32_t byte = 0; byte < m->width; byte++) {
            uint32_t from = o->x->reads_from[e][byte];
            if (from != MODEL_NOWHERE &&
                settled(o, from, byte) != settled(o, last_write(o, m->address + byte), byte))
                return false;
        }
    }
    return true;
}

static bool is_consistent(ordering *o)
{
    model_relation_clear(&o->x->coherence);
    for (size_t i = 0; i < o->n_placed; i++)
        for (size_t k = i + 1; k < o->n_placed; k++)
            model_relate(&o->x->coherence, o->placed[i], o->placed[k]);
    return model_coherence_holds(o->x, &o->orders) && model_atomicity_holds(o->x, &o->orders) &&
           model_causality_holds(o->x, &o->orders) && model_per_location_holds(o->x, &o->orders) &&
           waits_end_last(o);
}

static void keep_final(ordering *o)
{
    joined_finals *f = o->finals;
    const model_event *first = &o->x->events[0];
    uint32_t now[256];
    for (size_t byte = 0; byte < f->n_bytes; byte++) {
        uint32_t w = last_write(o, first->address + (int64_t)byte);
        now[byte] = w == MODEL_INITIAL ? w : w + o->group->first;
    }
    for (size_t i = 0; i < arrlenu(f->writes); i += f->n_bytes)
        if (memcmp(&f->writes[i], now, f->n_bytes * sizeof now[0]) == 0)
            return;
    for (size_t byte = 0; byte < f->n_bytes; byte++)
        arrput(f->writes, now[byte]);
}

static bool is_placed(const ordering *o, uint32_t event)
{
    size_t i = 0;
    while (i < o->n_placed && o->placed[i] != event)
        i++;
    return i < o->n_placed;
}

static bool may_come_next(const ordering *o, size_t w)
{
    for (size_t other = 0; other < o->n_writes; other++)
        if (!o->used[other] && other != w && o->j->search->choices.before_implies_coherence &&
            model_related(&o->orders.before, o->writes[other], o->writes[w]))
            return false;
    /* A5 for the plain case: an update comes right behind what it reads. */
    const model_event *e = &o->x->events[o->writes[w]];
    uint32_t from = o->x->reads_from[o->writes[w]][0];
    if (e->access != MODEL_UPDATE || from == MODEL_NOWHERE || !o->group->uniform || !o->n_placed)
        return true;
    uint32_t last = o->placed[o->n_placed - 1];
    bool between = from == MODEL_INITIAL || (from != last && is_placed(o, from) &&
                                             model_writes_ordered(o->x, &o->orders, from, last));
    return !between || !model_related(&o->orders.strong, last, o->writes[w]);
}

static void place_next(ordering *o)
{
    if (o->too_many || (o->found && !o->finals))
        return;
    if (o->n_placed == o->n_writes) {
        o->too_many = ++o->tried > MAX_ORDERS;
        if (is_consistent(o)) {
            o->found = true;
            if (o->finals)
                keep_final(o);
        }
        return;
    }
    for (size_t w = 0; w < o->n_writes; w++) {
        if (o->used[w] || !may_come_next(o, w))
            continue;
        o->used[w] = true;
        o->placed[o->n_placed++] = o->writes[w];
        place_next(o);
        o->n_placed--;
        o->used[w] = false;
    }
}

static size_t bytes_of(const joined *j, const joined_group *g)
{
    int64_t end = 0;
    for (uint32_t i = g->first; i < g->end; i++)
        if (j->events[i].event->address + j->events[i].event->width > end)
            end = j->events[i].event->address + j->events[i].event->width;
    return (size_t)(end - j->events[g->first].event->address);
}

static bool order_group(joined *j, const joined_group *g, joined_finals *finals, bool *too_many)
{
    ordering o = {.j = j, .group = g, .arena = tr_arena_new(), .finals = finals};
    if (finals) {
        finals->n_bytes = bytes_of(j, g);
        *too_many |= finals->n_bytes > 256;
    }
    take_group(&o);
    if (!*too_many)
        place_next(&o);
    *too_many |= o.too_many;
    tr_arena_free(o.arena);
    return o.found;
}

bool joined_coherent(joined *j, joined_finals *finals, bool *too_many)
{
    bool found = true;
    for (ptrdiff_t g = 0; g < arrlen(j->groups) && found && !*too_many; g++)
        if (finals || j->groups[g].has_open)
            found = order_group(j, &j->groups[g], finals ? &finals[g] : NULL, too_many);
    return found && !*too_many;
}

/* Abstract executions written down by hand: one line an event, one an edge. */
#ifndef ABSTRACT_H
#define ABSTRACT_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "tileir_memory/execution.h"

enum { X, Y, Z, FLAG, MAX_EVENTS = 16, MAX_EDGES = 32 };

typedef enum edge_kind { TOKEN = 1, DEPENDENCY, READS, COHERENCE } edge_kind;

typedef struct edge {
    edge_kind kind;
    int from, to; /* events; READS from -1: initial memory */
} edge;

#define INIT -1

typedef struct drawing { /* events in program order of each block; unused entries are zero */
    model_event events[MAX_EVENTS];
    edge edges[MAX_EDGES];
    model_block blocks[8];
    model_launch launches[4];
} drawing;

#define EVENT(b, what, loc, ord, sc)                                                               \
    {.block = (b),                                                                                 \
     .buffer = (loc),                                                                              \
     .width = 4,                                                                                   \
     .access = MODEL_##what,                                                                       \
     .ordering = IR_##ord,                                                                         \
     .scope = IR_SCOPE_##sc,                                                                       \
     .leaves_value = (MODEL_##what & MODEL_WRITE) != 0}
#define W(b, loc)          EVENT(b, WRITE, loc, WEAK, NONE)
#define R(b, loc)          EVENT(b, READ, loc, WEAK, NONE)
#define W_AT(b, loc, o, s) EVENT(b, WRITE, loc, o, s)
#define R_AT(b, loc, o, s) EVENT(b, READ, loc, o, s)
#define U_AT(b, loc, o, s) EVENT(b, UPDATE, loc, o, s)

typedef struct outcome {
    model_axiom axiom;
    bool race;
    model_execution *x;
    model_orders orders;
} outcome;

static inline outcome judge(tr_arena *arena, const model_choices *choices, const drawing *d)
{
    size_t n = 0;
    model_event *events = tr_arena_copy(arena, d->events, sizeof d->events);
    while (n < MAX_EVENTS && events[n].access) {
        events[n].instance = (uint32_t)n;
        n++;
    }
    model_execution *x =
        model_execution_new(arena, choices, n, events, 8, d->blocks, 4, d->launches);
    for (size_t a = 0; a < n; a++)
        for (size_t b = a + 1; b < n; b++)
            if (events[a].block == events[b].block)
                model_relate(&x->program_order, a, b);
    for (const edge *e = d->edges; e->kind; e++) {
        if (e->kind == TOKEN)
            model_relate(&x->waits_for, (size_t)e->from, (size_t)e->to);
        else if (e->kind == DEPENDENCY)
            model_relate(&x->dependency, (size_t)e->from, (size_t)e->to);
        else if (e->kind == COHERENCE)
            model_relate(&x->coherence, (size_t)e->from, (size_t)e->to);
        else
            for (uint32_t byte = 0; byte < events[e->to].width; byte++)
                x->reads_from[e->to][byte] = e->from == INIT ? MODEL_INITIAL : (uint32_t)e->from;
    }
    outcome o = {.x = x, .orders = model_orders_new(arena, n)};
    model_orders_of_program(x, &o.orders);
    model_orders_of_reads(x, &o.orders);
    size_t a, b;
    o.axiom = model_consistent(x, &o.orders);
    o.race = model_find_race(x, &o.orders, &a, &b);
    return o;
}

static inline const char *axiom_name(model_axiom axiom)
{
    static const char *const names[] = {
        [MODEL_HOLDS] = "consistent",
        [MODEL_COHERENCE] = "coherence (A4, A6)",
        [MODEL_ATOMICITY] = "atomicity (A5)",
        [MODEL_CAUSALITY] = "causality (A7)",
        [MODEL_PER_LOCATION] = "coherence per location (A8)",
        [MODEL_THIN_AIR] = "thin air (A9)",
    };
    return names[axiom];
}

/* Is the execution allowed, does it race? */
static inline void expect_with(const model_choices *choices, const drawing *d, model_axiom axiom,
                               bool race)
{
    tr_arena *arena = tr_arena_new();
    outcome o = judge(arena, choices, d);
    assert_string_equal(axiom_name(o.axiom), axiom_name(axiom));
    assert_int_equal(o.race, race);
    tr_arena_free(arena);
}

static inline void expect(const drawing *d, model_axiom axiom, bool race)
{
    model_choices choices = model_default_choices();
    expect_with(&choices, d, axiom, race);
}

#endif

/* The axioms over one abstract execution: its events, what tokens order, which write each read
 * reads, and the order in which the writes of a location settle. Every relation is a file of its
 * own; axiom numbers are those of docs/memory-model.md.
 *
 * Nothing here looks at programs: runtime_check/interp/executions.h makes executions of kernels,
 * and tests write them down by hand. */
#ifndef MODEL_EXECUTION_H
#define MODEL_EXECUTION_H

#include "tileir_memory/model.h"
#include "tileir_memory/relation.h"

#define MODEL_MAX_WIDTH 8 /* bytes of an element */

typedef struct model_launch { /* one kernel launch, or the host, or a kernel elsewhere */
    uint32_t stream;          /* launches of one stream run in the order of their numbers: D23 */
    bool dependent;           /* programmatic dependent launch: may start before its predecessor's
                                 end; only what is token-after its gdc_wait_tko is ordered */
} model_launch;

typedef struct model_block { /* a tile block, the agent of the model: D4 */
    uint32_t launch;
    uint32_t device; /* which GPU, or the host: D8 */
} model_block;

typedef struct model_event { /* one element of one execution of a memory op: D1 */
    uint32_t block;
    uint32_t instance; /* which execution of an op: its elements have no order among them */
    int32_t buffer;
    int64_t address; /* bytes */
    uint32_t width;  /* bytes, 1 to MODEL_MAX_WIDTH: D5 */
    model_access access;
    ir_ordering ordering;
    ir_scope scope;
    bool leaves_value; /* a write that later reads can read; a failed compare-and-swap is none */
    bool silent;       /* an atomic without a result, which never acquires: D20 */
    bool after_wait;   /* token-after a gdc_wait_tko: D22, D23 */
} model_event;

/* Values of reads_from besides the number of a write. */
#define MODEL_INITIAL ((uint32_t)-1) /* memory before the first launch, before all writes: D23 */
#define MODEL_NOWHERE ((uint32_t)-2) /* not a read, or of no interest */

typedef struct model_execution {
    model_choices choices;
    size_t n_launches, n_blocks, n_events;
    const model_launch *launches;
    const model_block *blocks;
    const model_event *events;
    model_relation program_order; /* a before b in one block's code as executed */
    model_relation waits_for;     /* D15: b waits for a: a token of a's op reaches b's */
    model_relation dependency;    /* b's value, address or being there depends on what a read */
    uint32_t (*reads_from)[MODEL_MAX_WIDTH]; /* by reading event and byte: a write's event */
    model_relation coherence;                /* between writes that overlap; A4 */
} model_execution;

/* An execution of n events, all relations empty, all reads from nowhere. */
model_execution *model_execution_new(tr_arena *arena, const model_choices *choices, size_t n_events,
                                     const model_event *events, size_t n_blocks,
                                     const model_block *blocks, size_t n_launches,
                                     const model_launch *launches);

/* ---- Section: Two events ---- */

bool model_events_overlap(const model_event *a, const model_event *b);
bool model_events_cover(const model_event *a, const model_event *b); /* the same bytes */
/* A1. An event never conflicts with itself: D2. */
bool model_events_conflict(const model_execution *x, size_t a, size_t b);
/* Does a's scope include b's block? D8, D9. */
bool model_event_includes(const model_execution *x, size_t a, size_t b);
bool model_event_releases(const model_event *e); /* D18 */
bool model_event_acquires(const model_event *e); /* D18, D20 */

/* ---- Section: Orders ----
 *
 * What follows from an execution. Those above the line depend on the program alone, those below on
 * what was read too; coherence has no part in any, so races are known before it is chosen. */

typedef struct model_orders {
    model_relation rpo;    /* D16: restricted program order */
    model_relation strong; /* A2: moral strength, between overlapping events; symmetric */
    model_relation launch; /* D23 */
    /* ---- */
    model_relation synchronises; /* D18 to D20: from release to acquire */
    model_relation before;       /* D21: happens-before */
    model_relation causality;    /* A7: happens-before, with observation where chosen */
} model_orders;

model_orders model_orders_new(tr_arena *arena, size_t n_events);
void model_orders_of_program(const model_execution *x, model_orders *orders);
void model_orders_of_reads(const model_execution *x, model_orders *orders);

/* One relation each; `orders` holds what the relation rests on. */
void model_rpo(const model_execution *x, model_relation *rpo);
void model_strong(const model_execution *x, const model_orders *orders, model_relation *strong);
void model_launch_order(const model_execution *x, model_relation *launch);
void model_synchronises(const model_execution *x, const model_orders *orders, model_relation *sw);
void model_happens_before(const model_orders *orders, model_relation *before);
void model_causality(const model_execution *x, const model_orders *orders, model_relation *cause);

/* ---- Section: Axioms ---- */

/* A3. Tests ask it of each pair. */
bool model_events_race(const model_execution *x, const model_orders *orders, size_t a, size_t b);
/* The first pair that races, in order of events; false when none does. */
bool model_find_race(const model_execution *x, const model_orders *orders, size_t *a, size_t *b);

typedef enum model_axiom {
    MODEL_HOLDS,
    MODEL_COHERENCE,    /* A4, A6 */
    MODEL_ATOMICITY,    /* A5 */
    MODEL_CAUSALITY,    /* A7 */
    MODEL_PER_LOCATION, /* A8 */
    MODEL_THIN_AIR,     /* A9 */
} model_axiom;

/* A4: is the pair of writes one that coherence orders? */
bool model_writes_ordered(const model_execution *x, const model_orders *orders, size_t a, size_t b);
bool model_coherence_holds(const model_execution *x, const model_orders *orders);    /* A4, A6 */
bool model_atomicity_holds(const model_execution *x, const model_orders *orders);    /* A5 */
bool model_causality_holds(const model_execution *x, const model_orders *orders);    /* A7 */
bool model_per_location_holds(const model_execution *x, const model_orders *orders); /* A8 */
bool model_thin_air_holds(const model_execution *x);                                 /* A9 */

/* The result before coherence is chosen: MODEL_HOLDS, MODEL_CAUSALITY or MODEL_THIN_AIR. */
model_axiom model_reads_consistent(const model_execution *x, const model_orders *orders);
/* Returns the first axiom that the execution breaks, for tests. `coherence` has to hold an order
 * for every pair that A4 asks for; pairs it does not ask for are ignored. */
model_axiom model_consistent(const model_execution *x, const model_orders *orders);

/* From-reads: does r read some byte from a write that coherence puts before w, or from initial
 * memory? Coherence counts only where A4 asks for it. */
bool model_reads_before(const model_execution *x, const model_orders *orders, size_t r, size_t w);

#endif

/* One trace of every block put together, and what the axioms make of it: private to the room. */
#ifndef EXECUTIONS_JOINED_H
#define EXECUTIONS_JOINED_H

#include "executions/trace.h"
#include "tileir_memory/execution.h"

typedef struct joined_event {
    const trace *trace;
    const trace_event *event;
    uint32_t block; /* of the search */
    uint32_t group;
} joined_event;

typedef struct joined_group { /* events that overlap, directly or over others */
    uint32_t first, end;
    bool uniform;  /* all cover the same bytes */
    bool has_open; /* some read of it is given a write to read from */
} joined_group;

typedef struct joined_slot { /* one read, or one byte of it, that needs a write */
    uint32_t event;
    uint32_t byte;
    bool whole;        /* all bytes from one write */
    size_t first, end; /* its candidates */
} joined_slot;

typedef struct joined {
    const trace_search *search;
    tr_arena *arena;
    const trace *const *traces; /* by block of the search */
    size_t n;
    joined_event *events; /* stb_ds; those of a group are neighbours */
    joined_group *groups; /* stb_ds */
    joined_slot *slots;   /* stb_ds */
    uint32_t *candidates; /* stb_ds: events, or MODEL_INITIAL */
    model_execution *x;
    model_orders orders;
    model_relation before; /* what happens before, whatever is read */
    bool blocked;
} joined;

/* False: too many events for the axioms (*n says how many). With `want_all` no event is left out;
 * else those at elements that only repeat what other elements show are. */
bool joined_make(joined *j, bool want_all);
void joined_free(joined *j);
/* Lists the slots; false when some read has nothing that it could have read. */
bool joined_find_slots(joined *j, bool want_all);

/* The orders of coherence for which the execution is consistent, group by group; reads-from and
 * orders are set. `left`, when given, is called with each group's last writes, each possibility
 * once: entries by byte of the group, MODEL_INITIAL where nobody wrote. False: there is none. */
typedef struct joined_finals { /* possibilities of one group */
    uint32_t *writes;          /* stb_ds: n_bytes each */
    size_t n_bytes;
} joined_finals;
bool joined_coherent(joined *j, joined_finals *finals, bool *too_many);

#endif

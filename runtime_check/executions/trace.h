/* Traces of single blocks, what the enumerator puts together: private to the room. */
#ifndef EXECUTIONS_TRACE_H
#define EXECUTIONS_TRACE_H

#include "executions/executions.h"
#include "executions/oracle.h"

typedef struct trace_event { /* one element of one execution of a memory op */
    int32_t buffer;          /* of the whole search: trace_place */
    uint32_t width;
    int64_t address;
    uint32_t instance; /* in the trace */
    uint32_t in_tile;
    bool reads, read_known, decided; /* decided: the read value has to come from a write of it */
    bool writes, write_known;
    uint64_t read, written;
} trace_event;

typedef struct trace_instance { /* one execution of a memory op */
    const ir_op *op;
    model_access access;
    taint after;    /* instances that it is token-after: D16 */
    taint hangs_on; /* instances that it depends on */
    bool after_wait;
    bool awaited;        /* in the last iteration of a wait that did not end */
    uint32_t first, end; /* its events */
    uint32_t n_loops;
    int64_t iterations[INTERP_MAX_LOOPS];
} trace_instance;

typedef struct trace {
    bool blocked; /* ends in a wait that goes on */
    size_t n_events, n_instances;
    const trace_event *events;
    const trace_instance *instances;
} trace;

typedef struct trace_block { /* one tile block of the search */
    uint32_t part, block;
    trace *traces; /* stb_ds */
} trace_block;

typedef struct trace_value {
    bool known;
    uint64_t bits;
} trace_value;

typedef struct trace_place { /* bytes that some trace writes as one element; no padding: a key */
    int64_t address;
    int32_t buffer;
    int32_t width;
} trace_place;

typedef struct trace_written { /* what may be stored there */
    trace_value *values;       /* stb_ds */
    const ir_op **unknown_by;  /* stb_ds: reads that left an unknown value there hanging */
    bool rising, falling;      /* every write is an update that raises, lowers the value */
    bool shared;               /* blocks other than `block` write it, too */
    uint32_t block;
    bool narrow; /* some write's scope leaves blocks of the search out */
} trace_written;

typedef struct trace_entry {
    trace_place key;
    trace_written value;
} trace_entry;

typedef struct trace_initial { /* what memory holds before the launch, where it was read */
    trace_place key;
    trace_value value;
} trace_initial;

typedef struct trace_op {
    const ir_op *key;
    bool value;
} trace_op;

/* The search over traces of all blocks. */
typedef struct trace_search {
    tr_arena *arena; /* of the answer */
    tr_arena *round; /* of the traces */
    size_t n_parts;
    const executions_part *parts;
    model_choices choices;
    executions_limits limits; /* filled in */
    bool want_all;
    const char **buffers;   /* stb_ds: names, by number of the search */
    int32_t **buffer_of;    /* by part and launch buffer */
    trace_block *blocks;    /* stb_ds */
    trace_entry *written;   /* stb_ds map */
    trace_initial *initial; /* stb_ds map */
    trace_op *needed;       /* stb_ds map: reads whose value decides something */
    bool changed;           /* by this round: there are more values, or more reads are needed */
    bool new_needs;
    bool redo; /* this round's traces are not all that its values give */
    uint64_t n_traces;
    executions_answer answer; /* EXECUTIONS_RACE_FREE: so far so good */
    const char *why;
    const ir_op *where;
} trace_search;

/* Fills `blocks` with all their traces. False: `answer` says why not. */
bool trace_find_all(trace_search *s);
void trace_search_free(trace_search *s);
bool trace_give_up(trace_search *s, executions_answer answer, const ir_op *where,
                   const char *format, ...) TR_PRINTF(4, 5);
/* Is every write that may reach the place's bytes an update of the place that raises the value, or
 * every one one that lowers it, and are all of them morally strong? Then no two updates of an
 * execution read the same value (A5, A8). */
bool trace_is_counter(const trace_search *s, const trace_place *place, bool *rising);
const char *trace_buffer_name(const trace_search *s, int32_t buffer);

#endif

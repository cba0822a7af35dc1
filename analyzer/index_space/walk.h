/* Private to index_space: the state of the symbolic walk through one kernel. */
#ifndef INDEX_SPACE_WALK_H
#define INDEX_SPACE_WALK_H

#include "index_space/summary.h"
#include "terms/changes.h"

typedef enum ix_value_kind {
    IX_NONE,    /* not computed: floats, tokens, and what no access needs */
    IX_INT,     /* term: integer, of the element at ix_coordinate() */
    IX_BOOL,    /* term: i1 as a boolean term */
    IX_POINTER, /* term: byte offset in `allocation` */
    IX_TENSOR,  /* tensor */
    IX_VIEW,    /* tensor; the type says the rest */
} ix_value_kind;

typedef struct ix_value {
    ix_value_kind kind;
    smt_t term;
    int allocation; /* pointer: -1 when unknown, then `unknown` says why */
    int arg;
    const char *unknown;
    smt_t region; /* pointer into IX_REGIONS: number of the table's element; else NULL */
    const ix_tensor *tensor;
    const struct ix_choice *choice; /* one of several buffers': then `allocation` is -1; or NULL */
} ix_value;

enum { IX_MAX_CHOICES = 8 }; /* candidates that one pointer or view may be */

typedef struct ix_choice { /* exactly one of the guards holds */
    size_t n;
    const smt_t *guards; /* over the coordinates of the value's tile, too */
    const ix_value *values;
} ix_choice;

typedef struct ix_site { /* a continue or break of the loop that is being walked */
    bool is_break;
    smt_t path; /* absolute: at that op */
    smt_t facts;
    const ix_value *values;
    size_t n_accesses, n_hazards; /* recorded before it */
} ix_site;

typedef struct ix_frame { /* a loop that is being walked */
    const ir_op *op;
    struct ix_frame *outer;
    ix_site *sites; /* stb_ds array */
} ix_frame;

typedef struct ix_known { /* variables whose range is smaller here than by construction */
    smt_t path, facts;    /* of which it was made */
    size_t n;
    smt_t from[16], to[16]; /* the same with those ranges */
    smt_changes *changes;   /* from these to those, once they are asked for; or NULL */
} ix_known;

typedef struct ix_walk {
    summary *s;
    tr_arena *arena;
    smt_ctx *ctx;
    ix_value *values;     /* by ir_value.id */
    uint64_t *provenance; /* by ir_value.id: bit a: may point into allocation a; bit 63: anywhere */
    bool *relevant;       /* by ir_value.id: reaches an address, a mask or a branch */
    smt_t path, facts;
    smt_t assumed;       /* no undefined behaviour so far: only of use for further such questions */
    const ix_loop *loop; /* innermost */
    ix_frame *frame;
    ix_known known;      /* ranges that path and facts give */
    bool record;         /* false while a loop body is only tried out */
    size_t trial_ops;    /* ops still allowed in such trials */
    uint32_t scope;      /* number of this walk in its context: part of the names that it makes */
    bool bit_words;      /* atomics of the kernel set or clear bits */
    const bool *doubted; /* by op ordinal: what it promises is no fact; NULL: none is doubted */
} ix_walk;

/* Names of the block's own variables hold a character that no C identifier has. */

#define IX_ANYWHERE ((uint64_t)1 << 63)
#define IX_LOADED   "load."    /* functions of that stem: what an event has read */
#define IX_REDUCED  "reduced." /* functions of that stem: what a tile has been reduced to */
#define IX_EXIT     "exit."    /* functions of that stem: the iteration that leaves a loop */

/* provenance.c: fills walk->provenance and marks the allocations that the kernel may write. */
void ix_trace_provenance(ix_walk *walk);
/* relevance.c: fills walk->relevant. */
void ix_trace_relevance(ix_walk *walk);

/* sync.c: does some atomic of the kernel set or clear bits of what it finds? */
bool ix_has_bit_words(const ir_function *kernel);

/* control.c */
typedef enum ix_end { IX_FALLS, IX_LEAVES } ix_end; /* does control reach the block's end? */
ix_end ix_walk_block(ix_walk *walk, const ir_block *block, ix_value *yielded);

/* integer.c, tile.c: ops on integers and shapes. False: not one of theirs. */
bool ix_walk_integer(ix_walk *walk, const ir_op *op);
/* bits.c: the value as an unsigned, as a signed number of that width. */
smt_t ix_as_unsigned(ix_walk *walk, smt_t term, int bits);
smt_t ix_as_signed(ix_walk *walk, smt_t term, int bits);
/* Is it certain not to be negative here? */
bool ix_is_natural(ix_walk *walk, smt_t term);
/* Wraps the term into the signed range of that width, exactly. */
smt_t ix_wrap(ix_walk *walk, smt_t term, int bits);
/* The lower bits of a number of a wider type, be it a scalar or an element of a tile. */
smt_t ix_cut(ix_walk *walk, smt_t term, int bits, bool scalar);
/* Is it an element of a table at launch, of one that no pointers come out of? */
bool ix_is_number_of_table(const ix_walk *walk, smt_t term);
/* Notes what a mask left of an element that is looked up, for summary_is_cut. */
void ix_note_mask(ix_walk *walk, smt_t masked);
/* Range of an integer term here: as smt_bounds, and with what path and facts say of variables. */
void ix_bounds(ix_walk *walk, smt_t term, smt_int *low, smt_int *high);
bool ix_walk_tile(ix_walk *walk, const ir_op *op);
/* regions.c: the allocation of what a pointer out of a table addresses, by provenance; -1: none. */
int ix_regions_of(const ix_walk *walk, const ir_value *pointer);
/* Sets a pointer that was loaded as `number`; false: no table that is followed. */
bool ix_region_pointer(ix_walk *walk, const ir_value *result, smt_t number);
/* rows.c: none of the arrays in tables that the contract states shares memory with another one that
 * is written, as far as numbers tell. */
bool ix_tables_are_apart(const summary *s);
/* choice.c: the value that is `a` where the condition holds, else `b`; a value of the block's own
 * where one of them is not known. The names of such values begin with `stem`. */
ix_value ix_choose(ix_walk *walk, const ir_value *result, const char *stem, smt_t condition,
                   const ix_value *a, const ix_value *b);
/* A value has one candidate at least; its guard is NULL where there is no other. */
size_t ix_candidates(const ix_value *v);
const ix_value *ix_candidate(const ix_value *v, size_t i, smt_t *guard);
typedef smt_t (*ix_change_term)(ix_walk *walk, smt_t term, void *user);
/* Changes the byte offset of each candidate, and the guards too where that is asked for. */
void ix_change_candidates(ix_walk *walk, ix_value *v, bool guards, ix_change_term change,
                          void *user);
/* memory.c: pointers, views, loads, stores, atomics. */
bool ix_walk_memory(ix_walk *walk, const ir_op *op);

/* sync.c: what a memory op reads and writes, the names of what it reads beginning with `stem`;
 * which written values may steer another block. */
void ix_sync_record(ix_walk *walk, const ir_op *op, ix_access *access, const char *stem);
void ix_sync_relevance(ix_walk *walk);

/* walk.c: values. */
ix_value ix_get(const ix_walk *walk, const ir_value *value);
void ix_set(ix_walk *walk, const ir_value *result, ix_value value);
/* Returns the value's integer term (0 and 1 for a boolean) or boolean term; where nothing is known
 * of it, a value of the block's own. */
smt_t ix_int(ix_walk *walk, const ir_value *value);
smt_t ix_bool(ix_walk *walk, const ir_value *value);
void ix_set_int(ix_walk *walk, const ir_value *result, smt_t term);
void ix_set_bool(ix_walk *walk, const ir_value *result, smt_t term);
/* A value of the block's own that nothing but its type is known of: the same in the same block,
 * iteration and element. `stem` tells such values of one op apart. */
ix_value ix_private_value(ix_walk *walk, const ir_value *of, const char *stem);
/* Like ix_private_value(), by name: over the block, the loops around and the coordinates of `tile`
 * (NULL: scalar). */
smt_t ix_private_term(ix_walk *walk, const char *name, const ir_type *tile, bool is_bool,
                      smt_int low, smt_int high);
void ix_type_range(const ir_type *elem, smt_int *low, smt_int *high);
const ir_type *ix_element_type(const ir_type *type);
/* Elements of a value of type `tile` at other coordinates: coordinate d becomes to[d]. There is
 * such an element where *within holds. */
smt_t ix_at(ix_walk *walk, smt_t term, const ir_type *tile, const smt_t *to, smt_t *within);
void ix_hazard_add(ix_walk *walk, ix_hazard_kind kind, const ir_op *op, bool undefined, smt_t safe,
                   smt_t value);
/* The op promises the condition, being undefined without it: from here on a fact, unless the op is
 * doubted. */
void ix_learn(ix_walk *walk, const ir_op *op, smt_t condition);
bool ix_is_doubted(const ix_walk *walk, const ir_op *op);
/* Every walk of a context gives variables and functions names of their own: a name keeps the range
 * that it was first made with, and another kernel of the file, or the same one under fewer facts,
 * may have a wider range there. */
const char *ix_own_name(ix_walk *walk, const char *name);
/* Like ix_own_name(), for a function, whose applications are results from now on: see
 * summary_is_result. */
const char *ix_own_function(ix_walk *walk, const char *name);
/* The last hazard, if it is of that op, can be settled by requiring more. */
void ix_hazard_ask(ix_walk *walk, const ir_op *op, smt_t asked);
/* Loops around the current point, outermost first; their number, or -1 when there are too many. */
int ix_loops_here(const ix_walk *walk, const ix_loop **out);
/* The rest of the walk may assume the condition, since the kernel would be undefined already if it
 * did not hold. */
void ix_assume_defined(ix_walk *walk, smt_t condition);
void ix_unsupported(ix_walk *walk, const ir_op *op, const char *why);

/* private.c: is it the same in all blocks that come to the current point in one iteration of the
 * loops around, if the n terms are? At most IR_MAX_RANK of them. */
bool ix_is_alike(ix_walk *walk, smt_t term, size_t n, const smt_t *alike);

/* universal.c: a reduction of integers; false: none. Behind a loop that a `continue` alone goes
 * round, what each of its iterations has found, where one of the accesses from that number on
 * acquires. */
bool ix_walk_reduction(ix_walk *walk, const ir_op *op);
void ix_remember_iterations(ix_walk *walk, const ix_loop *loop, const ix_site *sites, smt_t trips,
                            size_t first_access);

/* folded.c: reductions and scans of integers that are not walk_reduction's. */
bool ix_walk_folding(ix_walk *walk, const ir_op *op);
/* Result i of a reduction or scan, a function of that stem with the range that the elements leave
 * it. */
smt_t ix_folded_term(ix_walk *walk, const ir_op *op, uint32_t i, const char *stem);
/* Returns the value that folding operand i begins with, as a signed number: it takes part like an
 * element. */
smt_int ix_identity_of(const ir_op *op, uint32_t i);
/* Keeps result i, which is `app`, in summary->sums if it is such a sum. */
void ix_remember_sum(ix_walk *walk, const ir_op *op, uint32_t i, smt_t app);

/* grid.c: extents and block ids of the grid, and what they add to s->launch. */
void ix_set_up_grid(summary *s);

/* steered.c: do values read by atomic updates decide where the kernel writes or whether it goes on?
 */
bool ix_updates_steer(tr_arena *arena, const ir_function *kernel);

#endif

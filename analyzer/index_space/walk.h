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
    smt_t path, facts;    /* from which the ranges were made */
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
    bool *decides;        /* by ir_value.id: decides whether an op is defined */
    smt_t path, facts;
    smt_t assumed;       /* no undefined behaviour so far: only of use for further such questions */
    const ix_loop *loop; /* innermost */
    ix_frame *frame;
    ix_known known;      /* ranges that path and facts give */
    bool record;         /* false while a loop body is only tried out */
    size_t trial_ops;    /* ops still allowed in such trials */
    uint32_t scope;      /* number of this walk in its context: part of the names that it makes */
    bool bit_words;      /* atomics of the kernel set or clear bits */
    const bool *doubted; /* by op ordinal: its promises are no facts; NULL: none is doubted */
} ix_walk;

/* Names of the block's own variables hold a character that no C identifier has. */

#define IX_ANYWHERE ((uint64_t)1 << 63)
#define IX_LOADED   "load."    /* functions of that stem: what an event has read */
#define IX_REDUCED  "reduced." /* functions of that stem: what a tile has been reduced to */
#define IX_EXIT     "exit."    /* functions of that stem: the iteration that leaves a loop */

/* provenance.c: fills walk->provenance and marks the allocations that the kernel may write. */
void ix_trace_provenance(ix_walk *walk);
/* relevance.c: fills walk->relevant and walk->decides. */
void ix_trace_relevance(ix_walk *walk);

/* sync.c: does some atomic of the kernel set or clear bits of what it finds? */
bool ix_has_bit_words(const ir_function *kernel);

/* control.c */
typedef enum ix_end { IX_FALLS, IX_LEAVES } ix_end; /* does control reach the block's end? */
ix_end ix_walk_block(ix_walk *walk, const ir_block *block, ix_value *yielded);

/* integer.c, tile.c: walk an op on integers or shapes. False: the op is no such op. */
bool ix_walk_integer(ix_walk *walk, const ir_op *op);
/* bits.c: the term as it is read as an unsigned; as a signed number of that width. */
smt_t ix_as_unsigned(ix_walk *walk, smt_t term, int bits);
smt_t ix_as_signed(ix_walk *walk, smt_t term, int bits);
/* Is the term certain not to be negative here? */
bool ix_is_natural(ix_walk *walk, smt_t term);
/* Wraps the term into the signed range of that width, exactly. */
smt_t ix_wrap(ix_walk *walk, smt_t term, int bits);
/* The lower bits of a number of a wider type: of a scalar or of an element of a tile. */
smt_t ix_cut(ix_walk *walk, smt_t term, int bits, bool scalar);
/* Is the term an element at launch of a table that no pointers are loaded from? */
bool ix_is_number_of_table(const ix_walk *walk, smt_t term);
/* Notes, for summary_is_cut, a term that a mask made of an element that is looked up. */
void ix_note_mask(ix_walk *walk, smt_t masked);
/* The range of an integer term here, as smt_bounds gives it with the ranges of variables that path
 * and facts imply. */
void ix_bounds(ix_walk *walk, smt_t term, smt_int *low, smt_int *high);
/* tile.c: see ix_walk_integer. */
bool ix_walk_tile(ix_walk *walk, const ir_op *op);
/* regions.c: the allocation that a pointer loaded from a table points into, by provenance; -1:
 * none. */
int ix_regions_of(const ix_walk *walk, const ir_value *pointer);
/* Sets a pointer that was loaded from a table as `number`; false: the table is not followed. */
bool ix_region_pointer(ix_walk *walk, const ir_value *result, smt_t number);
/* rows.c: is each array in the tables that the contract states apart from every array that is
 * written, as far as numbers tell? */
bool ix_tables_are_apart(const summary *s);
/* choice.c: the value that is `a` where the condition holds, else `b`; a private value of the block
 * where one of them is not known. The names of such values begin with `stem`. */
ix_value ix_choose(ix_walk *walk, const ir_value *result, const char *stem, smt_t condition,
                   const ix_value *a, const ix_value *b);
/* A value has at least one candidate; the guard of an only candidate is NULL. */
size_t ix_candidates(const ix_value *v);
const ix_value *ix_candidate(const ix_value *v, size_t i, smt_t *guard);
typedef smt_t (*ix_change_term)(ix_walk *walk, smt_t term, void *user);
/* Changes the byte offset of each candidate, and the guards too where that is asked for. */
void ix_change_candidates(ix_walk *walk, ix_value *v, bool guards, ix_change_term change,
                          void *user);
/* memory.c: walks an op on pointers or views, a load, a store or an atomic. False: the op is no
 * such op. */
bool ix_walk_memory(ix_walk *walk, const ir_op *op);

/* sync.c: records what a memory op reads and writes; names of values read begin with `stem`. The
 * second marks written values that may steer another block as relevant. */
void ix_sync_record(ix_walk *walk, const ir_op *op, ix_access *access, const char *stem);
void ix_sync_relevance(ix_walk *walk);

/* walk.c: values. */
ix_value ix_get(const ix_walk *walk, const ir_value *value);
/* Sets the value of an op's result or of a block argument; ix_set_int and ix_set_bool do so by a
 * term. */
void ix_set(ix_walk *walk, const ir_value *result, ix_value value);
/* Returns the value's integer term (0 and 1 for a boolean) or boolean term; a private value of the
 * block where nothing is known of it. */
smt_t ix_int(ix_walk *walk, const ir_value *value);
smt_t ix_bool(ix_walk *walk, const ir_value *value);
void ix_set_int(ix_walk *walk, const ir_value *result, smt_t term);
void ix_set_bool(ix_walk *walk, const ir_value *result, smt_t term);
/* A private value of the block of which only the type is known: it is the same in one block,
 * iteration and element. `stem` tells such values of one op apart. */
ix_value ix_private_value(ix_walk *walk, const ir_value *of, const char *stem);
/* Like ix_private_value(), by name: over the block, the loops around and the coordinates of `tile`
 * (NULL: scalar). */
smt_t ix_private_term(ix_walk *walk, const char *name, const ir_type *tile, bool is_bool,
                      smt_int low, smt_int high);
/* The range of the numbers of an element type: 0 and 1 for i1, else signed numbers. */
void ix_type_range(const ir_type *elem, smt_int *low, smt_int *high);
/* The type of a tile's elements; a scalar type itself. */
const ir_type *ix_element_type(const ir_type *type);
/* The element of a value of type `tile` at other coordinates: coordinate d becomes to[d]. The
 * element exists where *within holds. */
smt_t ix_at(ix_walk *walk, smt_t term, const ir_type *tile, const smt_t *to, smt_t *within);
/* Adds a hazard of the op at this point, with the members of ix_hazard, unless `safe` is always
 * true, or it is a wrap of data that no access depends on. */
void ix_hazard_add(ix_walk *walk, ix_hazard_kind kind, const ir_op *op, bool undefined, smt_t safe,
                   smt_t value);
/* Makes the condition a fact from here on, since the op is undefined without it; not where the op
 * is doubted. */
void ix_learn(ix_walk *walk, const ir_op *op, smt_t condition);
/* Is the op among those whose promises are no facts? */
bool ix_is_doubted(const ix_walk *walk, const ir_op *op);
/* Every walk of a context gives variables and functions names of their own: a name keeps the range
 * that it was first made with, and another kernel of the file, or the same one under fewer facts,
 * may have a wider range there. */
const char *ix_own_name(ix_walk *walk, const char *name);
/* Like ix_own_name(), for a function, whose applications are results from now on: see
 * summary_is_result. */
const char *ix_own_function(ix_walk *walk, const char *name);
/* Notes on the last hazard, if it is of that op, that requiring `asked` settles it. */
void ix_hazard_ask(ix_walk *walk, const ir_op *op, smt_t asked);
/* Writes the loops around the current point to `out`, outermost first. Returns their number, or -1
 * when there are too many. */
int ix_loops_here(const ix_walk *walk, const ix_loop **out);
/* The rest of the walk may assume the condition, since the kernel would be undefined already if it
 * did not hold. */
void ix_assume_defined(ix_walk *walk, smt_t condition);
/* Notes that the walk cannot model the op; `why` is a sentence. The first note counts. */
void ix_unsupported(ix_walk *walk, const ir_op *op, const char *why);

/* private.c: is the term the same in all blocks that come to the current point in one iteration of
 * the loops around it, if the n terms `alike` are? n is IR_MAX_RANK at most. */
bool ix_is_alike(ix_walk *walk, smt_t term, size_t n, const smt_t *alike);

/* universal.c: walks a reduction of integers; false: the op is none. */
bool ix_walk_reduction(ix_walk *walk, const ir_op *op);
/* universal.c: keeps what each iteration of a loop has found, behind a loop that only a `continue`
 * goes round, if an access from number `first_access` on acquires. */
void ix_remember_iterations(ix_walk *walk, const ix_loop *loop, const ix_site *sites, smt_t trips,
                            size_t first_access);

/* folded.c: walks the reductions and scans of integers that ix_walk_reduction leaves; false: the op
 * is none. */
bool ix_walk_folding(ix_walk *walk, const ir_op *op);
/* Result i of a reduction or scan, as a function whose name begins with `stem`, with the range that
 * the elements imply. */
smt_t ix_folded_term(ix_walk *walk, const ir_op *op, uint32_t i, const char *stem);
/* Returns the value that folding operand i begins with, as a signed number: it takes part like an
 * element. */
smt_int ix_identity_of(const ir_op *op, uint32_t i);
/* Keeps result i, which is `app`, in summary->sums if it is a sum as ix_sum describes. */
void ix_remember_sum(ix_walk *walk, const ir_op *op, uint32_t i, smt_t app);

/* grid.c: sets up extents and block ids of the grid, and adds what is known of them to s->launch.
 */
void ix_set_up_grid(summary *s);

/* steered.c: do values read by atomic updates decide where the kernel writes or whether it goes on?
 */
bool ix_updates_steer(tr_arena *arena, const ir_function *kernel);

#endif

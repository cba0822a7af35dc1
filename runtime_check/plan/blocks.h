/* Records who touched which element of a launch, as the interpreter saw it: what turns elements
 * that differ into pairs of tile blocks. A bundle carries it, so that its runner can name blocks
 * without the kernel:
 *
 *   tilerace-blocks 1
 *   checker race: TR001 at line 25
 *   synchronises                            blocks may, by atomics, acquires or releases
 *   seen tile block (0, 0, 0) stores ...    a race of the launch that the interpreter has seen
 *   op 21 load_view_tko                     ops by number, from 0: line, name
 *   op 25 store_view_tko
 *   race 1 1 between TR001 at line 25       two ops, between or inside blocks: the finding
 *   touch 0 1 3 1 - -                       by number, from 1: block and op of the writer, of
 *                                           another writer, of a reader that races with them
 *   source 5 0 4 1                          block 5's op 0 reads what block 4's op 1 writes
 *   elements dst 64*1 64*0 896*1            from the first on; touch 0: nobody writes it
 *   part                                    the launch was too long: of its beginning alone
 *
 * or, where nobody can be named, the first lines and `nobody WHY`. */
#ifndef GPU_BLOCKS_H
#define GPU_BLOCKS_H

#include "plan/plan.h"

#define GPU_BLOCKS_NAME "blocks.txt" /* of the file in a bundle's folder */
#define GPU_NOBODY      UINT32_MAX

typedef struct gpu_toucher {
    uint32_t block; /* linear id; GPU_NOBODY */
    uint32_t op;    /* into ops */
} gpu_toucher;

typedef struct gpu_touch { /* of one element */
    gpu_toucher writer;    /* the first one */
    /* Another block that writes it, or an op of the same block that nothing orders with `writer`;
     * one with which a race is reported, where there is a choice. */
    gpu_toucher other;
    gpu_toucher reader; /* reads it, in a race that is reported */
} gpu_touch;

typedef struct gpu_source { /* a read of what another block writes, or an unordered op of its own */
    gpu_toucher reader, writer;
} gpu_source;

typedef struct gpu_op {
    const char *name; /* one word: "store_view_tko" */
    uint32_t line;    /* 0: unknown */
} gpu_op;

typedef struct gpu_race { /* as the checker reports it */
    uint32_t ops[2];
    bool inside;       /* one block */
    const char *words; /* "TR001 at line 25" */
} gpu_race;

typedef struct gpu_blocks {
    const char *checker; /* what it says: "race: TR001 at line 25"; NULL: it was not asked */
    const char *seen;    /* a race that a run of the interpreter on this launch shows; or NULL */
    const char *nobody;  /* why nobody can be named; or NULL */
    bool part;           /* of the launch's beginning alone */
    bool synchronises;   /* may one block wait for what another does, or come before it? */
    size_t n_ops, n_races, n_touches, n_sources;
    gpu_op *ops;
    gpu_race *races;
    gpu_touch *touches; /* number 0 is of elements that nobody writes */
    gpu_source *sources;
    uint32_t **elements; /* per buffer of the plan: a touch an element; NULL for inputs */
} gpu_blocks;

/* The race that is reported of these two accesses, in these roles; or NULL. */
const gpu_race *plan_race_between(const gpu_blocks *blocks, gpu_toucher a, gpu_toucher b);
/* Do two accesses meet in this element in a race that is reported? Where the checker was not asked:
 * do several blocks write it? */
bool plan_is_racing(const gpu_blocks *blocks, uint32_t touch);

/* Does the checker prove that no launch races? */
bool plan_is_proved(const gpu_plan *plan);
/* Is there also synchronisation whose order may legitimately decide what comes out, and no race
 * that was seen? */
bool plan_may_differ(const gpu_plan *plan);

/* Nothing but the reason why; in the arena. */
gpu_blocks *plan_blocks_nobody(tr_arena *arena, const char *checker, const char *why);
/* The text of the file. Where it would hold more than GPU_MAX_RUNS lengths, one that says so. */
#define GPU_MAX_RUNS ((uint64_t)4 << 20)
void plan_blocks_write(tr_text *out, const gpu_plan *plan, const gpu_blocks *blocks);
/* Reads the file's text, which is changed in place; the result lies in the arena. NULL with *why, a
 * sentence that names the line. */
gpu_blocks *plan_blocks_read(tr_arena *arena, const gpu_plan *plan, char *text, const char **why);

/* ---- Section: Pairs ---- */

typedef struct gpu_pair { /* two tile blocks behind elements that differ, and what they did */
    int64_t blocks[2][3];
    const char *what[2]; /* the ops */
    uint32_t lines[2];   /* 0: unknown */
    uint64_t elements;
    const char *finding; /* of the checker, which has the same two accesses; or NULL */
} gpu_pair;

typedef struct gpu_pairs {
    /* Differing elements: written by several blocks, twice by one in no order, by one that reads
     * what others write, by one that does not, by nobody. */
    uint64_t by_several, by_order, by_reader, by_one, by_nobody;
    size_t n, n_listed, as_reported; /* as_reported: pairs with a finding */
    gpu_pair *listed;                /* with a finding first, then most elements first */
    bool part;
} gpu_pairs;

struct gpu_output;
/* Names the pairs behind the differing elements of `outputs` (one a buffer of the plan); in the
 * arena. `blocks` names somebody. */
gpu_pairs *plan_name_pairs(tr_arena *arena, const gpu_plan *plan, const struct gpu_output *outputs,
                           const gpu_blocks *blocks);

#endif

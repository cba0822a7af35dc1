/* The Tile IR memory model: the relations that decide what is a race.
 *
 * Axiom numbers (D.., A..) are those of docs/memory-model.md. Choices that the published texts
 * leave open are fields of model_choices, nowhere else. execution.h has the same axioms over whole
 * executions. */
#ifndef MODEL_H
#define MODEL_H

#include "ir/ir.h"

typedef enum model_loop_tokens {
    MODEL_PER_ITERATION, /* D17, dynamic reading: each iteration's op makes its own token */
    MODEL_PER_NAME,      /* D17, static reading: the token is the SSA name */
} model_loop_tokens;

/* Inferred choices, switchable; choices.c says what each rests on. */
typedef struct model_choices {
    model_loop_tokens loop_tokens; /* D17 */
    bool rmw_chains;               /* D20: a release is observed through a chain of RMWs */
    bool release_then_write;       /* D20: ... and through a later write of its block */
    bool partial_overlap_strong;   /* D6: accesses that overlap in part can be morally strong */
    bool failed_cas_writes;        /* A1: a failed compare-and-swap conflicts as a write does */
    bool before_implies_coherence; /* A6 */
    bool causality;                /* A7 */
    bool observation_is_causal;    /* A7: what is observed counts, not happens-before alone */
    bool coherence_per_location;   /* A8 */
    bool no_thin_air;              /* A9: dependency and reads-from together have no cycle */
} model_choices;

model_choices model_default_choices(void);

typedef enum model_access { MODEL_READ = 1, MODEL_WRITE = 2, MODEL_UPDATE = 3 } model_access;

/* The effect of one memory operation on each of its elements: D1, D1'. False for operations that
 * touch no memory. */
bool model_access_of(const ir_op *op, model_access *access);

/* A1: may two accesses to one location conflict? */
bool model_conflict(model_access a, model_access b);
/* Does the scope of an op of one block include the other block? D8. */
bool model_scope_includes(ir_ordering ordering, ir_scope scope, bool same_block);
/* A2 without its order clause: are both ends scoped widely enough for each other? Widths in bytes:
 * D6, partial overlap is never morally strong. */
bool model_mutual_scope(ir_ordering oa, ir_scope sa, ir_ordering ob, ir_scope sb, bool same_block,
                        bool full_overlap);
/* A3 without happens-before between blocks: a race, given that both touch one location, unless
 * `token_ordered` (rpo in either direction, A2's other half). */
bool model_race(model_access a, ir_ordering oa, ir_scope sa, model_access b, ir_ordering ob,
                ir_scope sb, bool same_block, bool full_overlap, bool token_ordered);
/* D18: can the op be the releasing, the acquiring end of a synchronisation? D20: an atomic without
 * a result (atomic_red_view_tko) never acquires. */
bool model_releases(const ir_op *op);
bool model_acquires(const ir_op *op);
/* Like model_acquires(), if the op had that order. */
bool model_would_release(const ir_op *op, ir_ordering ordering);
bool model_would_acquire(const ir_op *op, ir_ordering ordering);

/* ---- Section: token order inside a block, over loops (D12-D17) ---- */

/* How the iteration of one loop in the earlier event relates to the later one's. Bits. */
typedef enum model_step {
    MODEL_SAME = 1,   /* the same iteration */
    MODEL_PREV = 2,   /* the one just before */
    MODEL_OLDER = 4,  /* any before that */
    MODEL_LAST = 8,   /* the loop was left since: its last iteration */
    MODEL_OTHER = 16, /* the loop was left since: any iteration but the last */
} model_step;

/* One conjunct of an order: steps[d] says which iterations of the earlier op's d-th enclosing loop
 * (outermost first) are covered. SAME|PREV|OLDER speak against the later event's counter of the
 * same loop; LAST|OTHER of a loop that does not enclose the later op or whose outer loop has moved
 * on. */
typedef struct model_order_case {
    uint8_t steps[IR_MAX_RANK * 2]; /* loops deeper than this lose their order (sound) */
} model_order_case;

/* "Every event of `first` whose iterations match one of the cases is token-before the event of
 * `second`": D15, D16. */
typedef struct model_order {
    size_t n_cases; /* 0: never ordered this way */
    const model_order_case *cases;
    size_t n_loops; /* loops enclosing `first` */
} model_order;

/* Ops in more loops than this have no order as `first`; the cases of fewer loops are exact within
 * what the static reading of control flow can see. */
#define MODEL_MAX_LOOPS 8

typedef struct model_tokens model_tokens; /* the token graph of one function */

/* The function must verify and be numbered (ir_renumber). Lives in `arena`. Time and memory grow
 * with the number of tokens times the number of memory ops (in bits); above a limit no order is
 * claimed and model_tokens_complete() is false. */
model_tokens *model_tokens_build(tr_arena *arena, const ir_function *function,
                                 const model_choices *choices);
/* Like model_tokens_build(), if `op` had a fresh token in the place of its operand number
 * `operand`, which is a token of a memory op or of join_tokens. */
model_tokens *model_tokens_build_without(tr_arena *arena, const ir_function *function,
                                         const model_choices *choices, const ir_op *op,
                                         uint32_t operand);
/* The tokens of another program, in which takers are token-ordered after all that precedes them in
 * the program, and operations after a giver are token-ordered after it. With `moved`, a taker is
 * also moved to the end of its block of code, and a giver to its beginning. Takers take the tokens
 * of acquires if `of_acquires` says so. */
const model_tokens *model_tokens_had(tr_arena *arena, const model_tokens *tokens, bool moved,
                                     bool of_acquires, size_t n_takers, const ir_op *const *takers,
                                     size_t n_givers, const ir_op *const *givers);
bool model_tokens_complete(const model_tokens *tokens);
/* `first` and `second`: ops of the function that take or give tokens (memory ops; also print_tko,
 * gdc_wait_tko and fences). The cases live in the arena of `tokens`: ask once a pair. */
model_order model_token_order(const model_tokens *tokens, const ir_op *first, const ir_op *second);
/* The function's memory ops (model_access_of answers true), in program order. For tests. */
size_t model_memory_ops(const model_tokens *tokens, const ir_op *const **ops);
/* Does the order cover this pair of executions? Tests compare orders with runs by it. Counters
 * count iterations from 0, one for each loop around each op, outermost first; n_common loops
 * enclose both ops. first_last[d]: the first op's iteration of its loop d was the last of that run
 * of the loop (read only where d >= n_common or an outer counter differs). */
bool model_order_covers(const model_order *order, size_t n_common, const int64_t *first,
                        const int64_t *second, const bool *first_last);
/* The token graph as a person reads it: each memory op, what it waits for. */
void model_tokens_print(tr_text *out, const model_tokens *tokens);

#endif

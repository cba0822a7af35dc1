/* Private to the room: what the token graph is made of.
 *
 * Content of a token = the set of earlier op instances that whoever takes the token is ordered
 * after (D15, D16), as bits. An op A in n loops has 2^(n+1)-1 bits, one an atom. An atom names a
 * class of A's instances as seen from a point of the program:
 *
 *     j leading loops have the same iteration as the point's; loop j has another one, or was left;
 * and w, one binary digit for each of the loops j..n-1, says which: loop j, when it encloses the
 * point:   0 the previous iteration, 1 any older one any other:                            0 its
 * last iteration,     1 any but the last
 *
 *     bit(j, w) = 2^(n-j) - 1 + w,  the digit of loop j being the highest of the n-j digits of w
 *
 * j = n: the same iteration of all loops. "Previous" turns into "last" when the loop is left, so
 * the two share a bit; the same step also takes a token over to the next iteration. A set bit
 * claims order for every instance of its class that was executed: what is lost on a path is cleared
 * (must). */
#ifndef MODEL_TOKEN_ORDER_H
#define MODEL_TOKEN_ORDER_H

#include "tileir_memory/model.h"

typedef uint64_t token_word;

typedef struct token_op { /* an op that takes or gives a token */
    const ir_op *op;
    size_t n_loops;
    const ir_op **loops; /* around it, outermost first */
    size_t bit, n_bits;  /* its range in a content; n_bits 0: too many loops, claims nothing */
    token_word *in;      /* content of the token it takes; NULL: empty */
} token_op;

typedef struct token_loop { /* a `for` or `loop` */
    const ir_op *op;
    size_t depth;        /* loops around it */
    size_t first, end;   /* the token ops in its body: [first, end) */
    token_word *carried; /* mask: bits of those ops that speak of another iteration of this loop */
    const ir_op **continues,
        **breaks; /* stb_ds arrays while building: terminators that target it */
} token_loop;

struct model_tokens {
    tr_arena *arena;
    const ir_function *function;
    size_t n_ops, n_loops, n_memory;
    token_op *ops; /* in program order */
    token_loop *loops;
    const ir_op **memory;
    uint32_t *op_index; /* by ordinal: 1 + index into ops, or into loops; 0: neither */
    size_t words;       /* of a content */
    bool complete;
    const ir_op *cut; /* its operand number cut_operand counts as a fresh token; or NULL */
    uint32_t cut_operand;
};

/* The op as the graph knows it; NULL when it has to do with no token. */
const token_op *token_find(const model_tokens *tokens, const ir_op *op);

/* token_graph.c: finds the ops, loops and bits. False when the contents would take too much memory.
 */
bool token_graph_collect(model_tokens *tokens);
/* token_flow.c: computes `in` of every op. False when it would take too long. */
bool token_flow_run(model_tokens *tokens, const model_choices *choices);

/* Up to 64 bits of a content from a bit number on. */
token_word token_get_bits(const token_word *content, size_t bit, size_t count);
void token_put_bits(token_word *content, size_t bit, size_t count, token_word value);
/* First bit of the atoms with `same` leading loops of an op in n loops. */
static inline size_t token_atom(size_t n_loops, size_t same)
{
    return ((size_t)1 << (n_loops - same)) - 1;
}

#endif

/* Another program's token graph: one in which some ops take the tokens of all that comes before
 * them in the program, or give theirs to all that comes after. It serves to ask what a missing
 * token changes, and is never used for the program at hand. */
#include "tileir_memory/token_order.h"

static bool is_among(const ir_op *op, const ir_op *const *ops, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (ops[i] == op)
            return true;
    return false;
}

/* Orders `b` after all instances of `a` that come before it in program order; with `moved`, also
 * after that of the same iteration where `a` stands behind `b`. */
static void join(token_op *b, const token_op *a, bool moved)
{
    size_t common = 0;
    while (common < a->n_loops && common < b->n_loops && a->loops[common] == b->loops[common])
        common++;
    for (size_t bit = 0, same = a->n_loops; bit < a->n_bits; bit++) {
        while (same > 0 && bit >= token_atom(a->n_loops, same - 1))
            same--;
        if (same < common ||
            (same == common && a != b && (moved || a->op->ordinal < b->op->ordinal)))
            token_put_bits(b->in, a->bit + bit, 1, 1);
    }
}

const model_tokens *model_tokens_had(tr_arena *arena, const model_tokens *tokens, bool moved,
                                     bool of_acquires, size_t n_takers, const ir_op *const *takers,
                                     size_t n_givers, const ir_op *const *givers)
{
    model_tokens *had = tr_arena_copy(arena, tokens, sizeof *tokens);
    if (!tokens->complete)
        return had;
    had->arena = arena;
    had->ops = tr_arena_copy(arena, tokens->ops, tokens->n_ops * sizeof *tokens->ops);
    for (size_t i = 0; i < had->n_ops; i++) {
        token_op *b = &had->ops[i];
        token_word *in = TR_NEW_ARRAY(arena, token_word, had->words + 1);
        for (size_t w = 0; b->in && w < had->words; w++)
            in[w] = b->in[w];
        b->in = in;
        bool takes = is_among(b->op, takers, n_takers);
        for (size_t k = 0; k < had->n_ops; k++)
            if ((takes && (of_acquires || !model_acquires(had->ops[k].op))) ||
                is_among(had->ops[k].op, givers, n_givers))
                join(b, &had->ops[k], moved);
    }
    return had;
}

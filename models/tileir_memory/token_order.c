/* D16: restricted program order as questions about two ops: which iterations of the first are
 * ordered before the second. */
#include "tileir_memory/token_order.h"

#include "base/ds.h"

static void free_sites(model_tokens *tokens)
{
    for (size_t l = 0; l < tokens->n_loops; l++) {
        arrfree(tokens->loops[l].continues);
        arrfree(tokens->loops[l].breaks);
    }
}

model_tokens *model_tokens_build(tr_arena *arena, const ir_function *function,
                                 const model_choices *choices)
{
    return model_tokens_build_without(arena, function, choices, NULL, 0);
}

model_tokens *model_tokens_build_without(tr_arena *arena, const ir_function *function,
                                         const model_choices *choices, const ir_op *op,
                                         uint32_t operand)
{
    model_tokens *tokens = TR_NEW(arena, model_tokens);
    tokens->arena = arena;
    tokens->function = function;
    tokens->cut = op;
    tokens->cut_operand = operand;
    tokens->complete = token_graph_collect(tokens) && token_flow_run(tokens, choices);
    free_sites(tokens);
    return tokens;
}

bool model_tokens_complete(const model_tokens *tokens)
{
    return tokens->complete;
}

size_t model_memory_ops(const model_tokens *tokens, const ir_op *const **ops)
{
    *ops = tokens->memory;
    return tokens->n_memory;
}

static size_t common_loops(const token_op *a, const token_op *b)
{
    size_t n = 0;
    while (n < a->n_loops && n < b->n_loops && a->loops[n] == b->loops[n])
        n++;
    return n;
}

/* The case of one atom: `same` leading loops, then the binary digits of w. */
static model_order_case case_of_atom(size_t n_loops, size_t common, size_t same, size_t w)
{
    model_order_case result = {{0}};
    for (size_t d = 0; d < n_loops; d++) {
        bool digit = d >= same && (w >> (n_loops - 1 - d) & 1);
        if (d < same)
            result.steps[d] = MODEL_SAME;
        else if (d == same && d < common)
            result.steps[d] = digit ? MODEL_OLDER : MODEL_PREV;
        else
            result.steps[d] = digit ? MODEL_OTHER : MODEL_LAST;
    }
    return result;
}

/* Two cases that differ in one loop become one. Where the same iteration meets another one, no
 * further loop may be around both ops: its step would be read two ways. */
static bool merge_cases(size_t n_loops, size_t common, model_order_case *into,
                        const model_order_case *other)
{
    size_t differing = n_loops;
    for (size_t d = 0; d < n_loops; d++) {
        if (into->steps[d] == other->steps[d])
            continue;
        if (differing != n_loops)
            return false;
        differing = d;
    }
    if (differing == n_loops)
        return true;
    uint8_t both = into->steps[differing] | other->steps[differing];
    if ((both & MODEL_SAME) && differing + 1 < common)
        return false;
    into->steps[differing] = both;
    return true;
}

static model_order_case *simplify_cases(size_t n_loops, size_t common, model_order_case *cases)
{
    for (ptrdiff_t i = 0; i < arrlen(cases); i++)
        for (ptrdiff_t k = i + 1; k < arrlen(cases); k++)
            if (merge_cases(n_loops, common, &cases[i], &cases[k])) {
                arrdel(cases, k);
                i = -1; /* a merged case may meet an earlier one */
                break;
            }
    return cases;
}

/* Order out of the bits of `a` in a content as seen at `b`. */
static model_order order_of_bits(const model_tokens *tokens, const token_op *a, const token_op *b,
                                 const token_word *content)
{
    model_order order = {.n_loops = a->n_loops};
    model_order_case *cases = NULL;
    size_t common = common_loops(a, b);
    for (size_t bit = 0, same = a->n_loops; bit < a->n_bits; bit++) {
        while (same > 0 && bit >= token_atom(a->n_loops, same - 1))
            same--;
        if (same > common || !token_get_bits(content, a->bit + bit, 1))
            continue;
        arrput(cases, case_of_atom(a->n_loops, common, same, bit - token_atom(a->n_loops, same)));
    }
    cases = simplify_cases(a->n_loops, common, cases);
    order.n_cases = (size_t)arrlen(cases);
    if (order.n_cases)
        order.cases = tr_arena_copy(tokens->arena, cases, order.n_cases * sizeof *cases);
    arrfree(cases);
    return order;
}

model_order model_token_order(const model_tokens *tokens, const ir_op *first, const ir_op *second)
{
    const token_op *a = token_find(tokens, first), *b = token_find(tokens, second);
    if (!tokens->complete || !a || !b || !b->in)
        return (model_order){.n_loops = a ? a->n_loops : 0};
    return order_of_bits(tokens, a, b, b->in);
}

static bool case_covers(const model_order_case *c, size_t n_loops, size_t n_common,
                        const int64_t *first, const int64_t *second, const bool *first_last)
{
    bool together = true; /* all loops so far: the same iteration of both ops */
    for (size_t d = 0; d < n_loops; d++) {
        unsigned step;
        if (together && d < n_common) {
            step = first[d] == second[d]       ? MODEL_SAME
                   : first[d] == second[d] - 1 ? MODEL_PREV
                   : first[d] < second[d]      ? MODEL_OLDER
                                               : 0;
            together = first[d] == second[d];
        } else {
            step = first_last[d] ? MODEL_LAST : MODEL_OTHER;
            together = false;
        }
        if (!(c->steps[d] & step))
            return false;
    }
    return true;
}

bool model_order_covers(const model_order *order, size_t n_common, const int64_t *first,
                        const int64_t *second, const bool *first_last)
{
    for (size_t i = 0; i < order->n_cases; i++)
        if (case_covers(&order->cases[i], order->n_loops, n_common, first, second, first_last))
            return true;
    return false;
}

/* ---- Printing ---- */

static void print_step(tr_text *out, unsigned step)
{
    static const char *const names[] = {"same", "previous", "older", "last", "other"};
    const char *separator = "";
    for (size_t i = 0; i < TR_COUNT(names); i++) {
        if (!(step >> i & 1))
            continue;
        tr_text_addf(out, "%s%s", separator, names[i]);
        separator = "|";
    }
}

static void print_order(tr_text *out, const token_op *a, const model_order *order)
{
    for (size_t i = 0; i < order->n_cases; i++) {
        tr_text_addf(out, " #%u", a->op->ordinal);
        for (size_t d = 0; d < a->n_loops; d++) {
            tr_text_add(out, d ? ", " : "(");
            print_step(out, order->cases[i].steps[d]);
        }
        tr_text_add(out, a->n_loops ? ")" : "");
    }
}

/* Does every run of `b` follow a run of `a` in the same iterations? Then what `a` waits for is
 * implied and need not be printed. */
static bool always_before(const token_op *a, const token_op *b)
{
    const ir_block *block = b->op->parent;
    while (block && block != a->op->parent)
        block = block->parent ? block->parent->parent : NULL;
    return block && a->op->ordinal < b->op->ordinal;
}

static void print_waits(tr_text *out, const model_tokens *tokens, const token_op *b,
                        token_word *left)
{
    bool any = false;
    if (b->in)
        memcpy(left, b->in, tokens->words * sizeof *left);
    for (size_t i = 0; b->in && i < tokens->n_ops; i++) {
        const token_op *a = &tokens->ops[i];
        if (a->in && a->n_bits && token_get_bits(b->in, a->bit, 1) && always_before(a, b))
            for (size_t w = 0; w < tokens->words; w++)
                left[w] &= ~a->in[w];
    }
    for (size_t i = 0; b->in && i < tokens->n_ops; i++) {
        model_order order = order_of_bits(tokens, &tokens->ops[i], b, left);
        if (!order.n_cases)
            continue;
        if (!any)
            tr_text_add(out, "        after");
        print_order(out, &tokens->ops[i], &order);
        any = true;
    }
    tr_text_add(out, any ? "\n" : "        after nothing\n");
}

void model_tokens_print(tr_text *out, const model_tokens *tokens)
{
    tr_text_addf(out, "token order of %s\n", tokens->function->shown);
    if (!tokens->complete) {
        tr_text_add(out, "  too large: no order is claimed\n");
        return;
    }
    tr_text_add(out, "  (in brackets, for each loop around the earlier op: same, previous or older "
                     "iteration of a loop around both;\n   last or other iteration of a loop left "
                     "since)\n");
    token_word *left = TR_NEW_ARRAY(tokens->arena, token_word, tokens->words);
    for (size_t i = 0; i < tokens->n_ops; i++) {
        const token_op *o = &tokens->ops[i];
        tr_text_addf(out, "  #%-4u %s", o->op->ordinal, ir_op_info_of(o->op->code)->mnemonic);
        if (o->op->place && o->op->place->line)
            tr_text_addf(out, "  %s:%u:%u", o->op->place->file ? o->op->place->file : "",
                         o->op->place->line, o->op->place->column);
        tr_text_add(out, "\n");
        print_waits(out, tokens, o, left);
    }
}

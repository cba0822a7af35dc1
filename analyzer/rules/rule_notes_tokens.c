/* TR027: a token taken by hand that no conflict needs.
 *
 * The token graph is built anew as if the operand were a fresh token. Whatever two ops that one
 * token ordered are then proved never to share an element of which something depends on their
 * order. So removing the token changes neither the verdict nor any value that is read. Tokens that
 * a front end puts in by itself are not looked at, for nobody could take them out. */
#include "order/event.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/notes.h"

#include "base/ds.h"

enum { MAX_OPS = 200, MAX_TOKENS = 64 };

typedef struct tried { /* one token operand, of a memory op or of a join */
    const ir_op *op;
    uint32_t operand;
} tried;

typedef struct token_notes {
    checker *k;
    const ir_op *ops[MAX_OPS]; /* those that take or give tokens and order something by them */
    size_t n_ops;
    tried seen[MAX_TOKENS];
    size_t n_seen;
} token_notes;

/* ---- Which orders does something depend on? ---- */

static bool is_written(const checker *k, const ix_access *a)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].writes && order_may_share(&k->s->accesses[i], a))
            return true;
    return false;
}

/* Does the order of the two matter where they meet? Of two reads only where they have to see the
 * writes of others in one order (A8). */
static bool may_matter(const checker *k, const ix_access *a, const ix_access *b)
{
    if (a->unknown || b->unknown)
        return true;
    if (!order_may_share(a, b))
        return false;
    return a->writes || b->writes ||
           ((a->ordering != IR_WEAK || b->ordering != IR_WEAK) && is_written(k, a));
}

/* Do the two meet in a pair of iterations that the one graph orders and the other does not? */
static bool meet_unordered(checker *k, const model_tokens *without, const ix_access *first,
                           const ix_access *second)
{
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, first, second, COPY_SAME_BLOCK);
    query_add(k, &conjuncts, in_block_ordered(k, k->tokens, first, 0, second));
    query_add(k, &conjuncts, smt_not(k->ctx, in_block_ordered(k, without, first, 0, second)));
    query_add(k, &conjuncts, copy_same_location(k, first, second, COPY_SAME_BLOCK));
    return ask_briefly(k, conjuncts, "needs the token") != SMT_UNSAT;
}

/* An access that a release hands on, or that waits for an acquire, may be looked at by other
 * blocks: all but reads of what the launch does not write (D18). */
static bool carries(const checker *k, const ix_access *end, const ix_access *other)
{
    return end->ordering > IR_RELAXED &&
           (other->ordering > IR_RELAXED || other->writes || is_written(k, other));
}

static bool needs_order(checker *k, const model_tokens *without, const ir_op *first,
                        const ir_op *second)
{
    const ix_access *a = access_of_op(k, first), *b = access_of_op(k, second);
    if (!a || !b) /* a wait for the kernel before, a fence, what is printed */
        return true;
    if (carries(k, a, b) || carries(k, b, a))
        return true;
    return may_matter(k, a, b) && meet_unordered(k, without, a, b);
}

static bool same_order(const model_order *a, const model_order *b)
{
    return a->n_cases == b->n_cases &&
           (a->n_cases == 0 || memcmp(a->cases, b->cases, a->n_cases * sizeof *a->cases) == 0);
}

/* Does the token order anything that others do not, and is nothing of that needed? */
static bool is_superfluous(token_notes *n, const ir_op *op, uint32_t operand)
{
    checker *k = n->k;
    const model_tokens *without =
        model_tokens_build_without(k->arena, k->kernel, &k->options->model, op, operand);
    if (!model_tokens_complete(without))
        return false;
    bool orders = false;
    for (size_t i = 0; i < n->n_ops; i++)
        for (size_t j = 0; j < n->n_ops; j++) {
            model_order with = model_token_order(k->tokens, n->ops[i], n->ops[j]);
            model_order less = model_token_order(without, n->ops[i], n->ops[j]);
            if (same_order(&with, &less))
                continue;
            orders = true;
            if (needs_order(k, without, n->ops[i], n->ops[j]))
                return false;
        }
    return orders;
}

/* ---- Which tokens? ---- */

static const char *name_of(const ir_value *token)
{
    return token->name ? token->name : "a token";
}

static bool is_new(token_notes *n, const ir_op *op, uint32_t operand)
{
    for (size_t i = 0; i < n->n_seen; i++)
        if (n->seen[i].op == op && n->seen[i].operand == operand)
            return false;
    if (n->n_seen == MAX_TOKENS)
        return false;
    n->seen[n->n_seen++] = (tried){op, operand};
    return true;
}

static void note(token_notes *n, const ix_access *a, const ir_op *op, uint32_t operand)
{
    if (!is_new(n, op, operand) || !is_superfluous(n, op, operand))
        return;
    const char *text = NULL;
    for (uint32_t i = 0; i < a->op->n_operands && !text; i++)
        if (a->op->operands[i]->type->kind == IR_TOKEN)
            text = a->op->operand_texts[i];
    finding_add_op(n->k, RULE_SUPERFLUOUS_TOKEN, CONFIDENCE_CONFIRMED, a->op, NULL,
                   "no conflict needs %s in '%s': this %s of '%s' waits without need",
                   name_of(op->operands[operand]), text,
                   a->atomic   ? "update"
                   : a->writes ? "store"
                               : "load",
                   buffer_name(n->k, a));
}

/* One that an access takes by hand: the source names it. */
static void note_taken(token_notes *n, const ix_access *a)
{
    for (uint32_t i = 0; i < a->op->n_operands; i++) {
        const ir_value *token = a->op->operands[i];
        if (token->type->kind != IR_TOKEN || !a->op->operand_texts || !a->op->operand_texts[i])
            continue;
        const ir_op *join = token->def;
        if (!join || join->code != IR_OP_JOIN_TOKENS) {
            note(n, a, a->op, i);
            continue;
        }
        for (uint32_t j = 0; j < join->n_operands; j++)
            note(n, a, join, j);
    }
}

void notes_tokens(checker *k)
{
    token_notes n = {.k = k};
    if (!model_tokens_complete(k->tokens) || k->s->unsupported)
        return;
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op)) {
        bool orders = op->n_regions == 0 && op->code != IR_OP_MAKE_TOKEN &&
                      op->code != IR_OP_JOIN_TOKENS && ir_token_out(op);
        if (orders && n.n_ops == MAX_OPS)
            return;
        if (orders)
            n.ops[n.n_ops++] = op;
    }
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        note_taken(&n, &k->s->accesses[i]);
}

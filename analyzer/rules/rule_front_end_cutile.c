/* TR024: where cutile-rs 0.3 leaves out the token of an access. It gives each tensor one token,
 * which a store replaces and a load does not, and which no branch and no loop hands on.
 * docs/rules/TR024.md has the shapes in words. */
#include "question/checker.h"
#include "question/value_flow.h"
#include "rules/rule_front_end.h"

static bool is_weak_view_op(const ix_access *a, ir_opcode code)
{
    return a->op->code == code && a->ordering == IR_WEAK && a->tensor != NULL;
}

static bool in_same_loops(const ix_access *a, const ix_access *b)
{
    if (a->n_loops != b->n_loops)
        return false;
    return a->n_loops == 0 || a->loops[a->n_loops - 1]->op == b->loops[b->n_loops - 1]->op;
}

static bool is_used(const ir_function *kernel, const ir_value *value)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++)
            if (op->operands[i] == value)
                return true;
    return false;
}

/* The tensor's token as it was before the stores that stand in one block with this one. `through`:
 * set when the other store is among them. */
static const ir_value *token_before(const ir_op *store, const ir_op *other, bool *through)
{
    const ir_value *token = ir_token_in(store);
    while (token && token->def && token->def->code == IR_OP_STORE_VIEW_TKO &&
           token->def->parent == store->parent) {
        *through |= token->def == other;
        token = ir_token_in(token->def);
    }
    return token;
}

/* Did no loop around the op hand the token on? Then it is the one from before the outermost loop,
 * of the entry or of a store. */
static bool is_from_before_the_loops(const ir_value *token, const ix_access *a)
{
    return token && token->def && !front_end_made_inside(token, a->loops[0]->op) &&
           (token->def->code == IR_OP_MAKE_TOKEN || token->def->code == IR_OP_STORE_VIEW_TKO);
}

/* Are both stores in a loop, where each iteration's store takes the token from before the loop? */
static bool are_loop_stores(const ix_access *a, const ix_access *b)
{
    if (!is_weak_view_op(a, IR_OP_STORE_VIEW_TKO) || !is_weak_view_op(b, IR_OP_STORE_VIEW_TKO) ||
        a->n_loops == 0 || !in_same_loops(a, b))
        return false;
    bool through = a == b; /* two on one token are not of one chain: somebody else left it out */
    const ir_value *first = token_before(a->op, b->op, &through);
    const ir_value *second = token_before(b->op, a->op, &through);
    return through && first == second && is_from_before_the_loops(first, a);
}

/* Does the store take the token that the load of its own value took, while no op takes the load's
 * token? */
static bool is_store_of_own_load(const checker *k, const ix_access *load, const ix_access *store)
{
    if (!is_weak_view_op(load, IR_OP_LOAD_VIEW_TKO) ||
        !is_weak_view_op(store, IR_OP_STORE_VIEW_TKO) || !in_same_loops(load, store))
        return false;
    const ir_value *tile = ir_result(load->op, IR_RS_LOAD_VIEW_TKO_tile);
    if (!ir_token_in(load->op) || ir_token_in(load->op) != ir_token_in(store->op) ||
        is_used(k->kernel, ir_token_out(load->op)) ||
        !term_is_computed_from(k->arena, k->kernel, ir_operand(store->op, IR_STORE_VIEW_TKO_tile),
                               tile))
        return false;
    /* If the two are in a loop, the next iteration's load has to wait for this store, too. */
    return load->n_loops == 0 || are_loop_stores(store, store);
}

bool front_end_cutile_rs_left_out(const checker *k, const ix_access *a, const ix_access *b,
                                  bool vanishes_per_name)
{
    (void)vanishes_per_name; /* it leaves out what either reading asks for */
    if (a->arg < 0 || a->arg != b->arg)
        return false;
    return are_loop_stores(a, b) || is_store_of_own_load(k, a, b) || is_store_of_own_load(k, b, a);
}

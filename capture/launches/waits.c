/* How a kernel waits for the launch before its own. */
#include "launches/entries.h"

/* Does the token carry a wait, on every path that makes it? Followed through ops that take one
 * token, and joins, which wait for all of theirs; not through branches and loops. */
static bool carries_wait(const ir_value *token)
{
    while (token && token->def) {
        const ir_op *op = token->def;
        if (op->code == IR_OP_GDC_WAIT_TKO)
            return true;
        if (op->code == IR_OP_JOIN_TOKENS) {
            for (uint32_t i = 0; i < op->n_operands; i++)
                if (carries_wait(op->operands[i]))
                    return true;
            return false;
        }
        if (!(ir_op_info_of(op->code)->effects & IR_TOKENS))
            return false;
        token = ir_token_in(op);
    }
    return false;
}

/* Claim. Of WIRE_WAITS: a launch with this kernel ends after the launch before it. Of
 * WIRE_WAITS_FIRST: so does the start of a launch that depends on it.
 *
 * Proof. A wait in the kernel's body, with no `return` in a branch before it, is executed by every
 * tile block, and returns when the launch before has ended (D22); a launch ends after its blocks.
 * A dependent launch starts when every block of this one has ended or has said by
 * gdc_launch_dependents that it may, which each of these ops does after a wait of its block. */
wire_waits entry_waits(const ir_function *f)
{
    bool any = false, in_body = false, is_left = false, is_late = true;
    if (f->unread)
        return WIRE_WAITS_PERHAPS;
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op)) {
        bool is_outermost = op->parent == f->body;
        is_left |= op->code == IR_OP_RETURN && !is_outermost;
        any |= op->code == IR_OP_GDC_WAIT_TKO;
        in_body |= op->code == IR_OP_GDC_WAIT_TKO && is_outermost && !is_left;
        is_late &= op->code != IR_OP_GDC_LAUNCH_DEPENDENTS_TKO || carries_wait(ir_token_in(op));
    }
    if (in_body)
        return is_late ? WIRE_WAITS_FIRST : WIRE_WAITS;
    return any ? WIRE_WAITS_PERHAPS : WIRE_WAITS_NEVER;
}

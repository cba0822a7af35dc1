/* Globals of the module that a kernel synchronises by.
 *
 * No contract speaks of a global. It holds its own data when the module is loaded, and afterwards
 * what launches leave there. Where that data is 0, no other function of the module touches it, and
 * each launch is proved to leave it at 0 (reset.c), it holds 0 at every launch, as far as the
 * host does not write it: a standing assumption, as of arguments. The proof assumes it of all
 * globals that it is about: an induction over the launches for all of them together. Where it fails
 * for one, it is begun anew for the others. */
#include "order/globals.h"

#include "order/reset.h"
#include "order/state.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

static const ir_global *find_global(const checker *k, int allocation)
{
    const ir_global *global = k->kernel->module->globals;
    while (global && strcmp(global->name, k->s->allocations[allocation].name) != 0)
        global = global->next;
    return global;
}

static bool is_zero(const ir_global *global)
{
    const ir_attr *data = &global->value;
    if (data->kind != IR_ATTR_DENSE || !data->bytes || data->n_bytes == 0)
        return false;
    for (size_t i = 0; i < data->n_bytes; i++)
        if (data->bytes[i])
            return false;
    return true;
}

static bool is_used_elsewhere(const checker *k, const char *name)
{
    for (const ir_function *f = k->kernel->module->functions; f; f = f->next)
        for (const ir_op *op = f != k->kernel && f->body ? ir_first_op(f) : NULL; op;
             op = ir_next_op(op)) {
            const char *used =
                op->code == IR_OP_GET_GLOBAL ? op->attrs[IR_AT_GET_GLOBAL_name].string : NULL;
            if (used && strcmp(used, name) == 0)
                return true;
        }
    return false;
}

static bool may_be_cleared(const checker *k, int allocation)
{
    bool synchronises = false;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        synchronises |= a->allocation == allocation && a->reads && a->ordering != IR_WEAK;
    }
    const ir_global *global = synchronises ? find_global(k, allocation) : NULL;
    return global && is_zero(global) && !is_used_elsewhere(k, global->name);
}

void order_settle_globals(checker *k)
{
    order_state *state = order_state_of(k);
    if (state->settled)
        return;
    state->settled = true;
    state->globals = TR_NEW_ARRAY(k->arena, bool, k->s->n_allocations + 1);
    bool any = false;
    for (size_t i = 0; i < k->s->n_allocations; i++)
        if (k->s->allocations[i].space == IX_GLOBAL)
            any |= state->globals[i] = may_be_cleared(k, (int)i);
    const known_basis before = k->basis;
    for (bool failed = any; failed;) {
        failed = false;
        order_ask_anew(k); /* what was found out so far was asked of other launches */
        for (size_t i = 0; i < k->s->n_allocations && !failed; i++) {
            failed = state->globals[i] && !order_resets(k, (int)i, NULL, NULL);
            state->globals[i] &= !failed;
        }
        if (failed)
            k->basis = before;
    }
    if (any)
        order_ask_anew(k);
}

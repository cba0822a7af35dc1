/* Whether an op is executed where its path leads to it.
 *
 * A path says which way branches and masks go, and takes for granted that all before the op comes
 * to its end. A wait for another tile block, or a loop that misses the value it waits for, may
 * never end; then nothing behind it is executed, and what is undefined there never happens. So a
 * launch precondition that only the op behind it enforces is not enforced.
 *
 * What may keep an op from being executed are `stops`: loops that a break alone ends and that are
 * not found to end, and returns inside of loops, of which later iterations know nothing. Before the
 * op they matter where the outermost loop around them that the op is not in is entered. In a loop
 * around both, iterations behind the first one are reached only if the stop let the earlier ones
 * end; and of a loop that breaks end, the path of an iteration says nothing of those before it. */
#include "precondition/reached.h"

#include "question/ask.h"
#include "question/checker.h"

#include "base/ds.h"

/* ---- Section: loops that end ---- */

/* Longer than any loop whose counter takes part in a comparison of machine integers. */
static const smt_int FOREVER = (smt_int)1 << 70;
enum { ASK = 200 * 1000 };

static bool is_inside(const ir_op *op, const ir_op *loop)
{
    for (; op; op = op->parent->parent)
        if (op == loop)
            return true;
    return false;
}

/* Are the terms what the machine computes: does nothing in the loop wrap by definition? */
static bool is_exact(checker *k, const ir_op *loop)
{
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (h->undefined || !is_inside(h->op, loop))
            continue;
        smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
        if (!ask_never(k, smt_and(k->ctx, when, smt_not(k->ctx, h->safe)), "ends", ASK))
            return false;
    }
    return true;
}

/* Is it proved that no iteration that far on is followed by another one, whatever came before it?
 */
static bool ends(checker *k, const ix_loop *loop)
{
    if (!loop->goes_on)
        return true;
    smt_t late = smt_le(k->ctx, smt_int_const(k->ctx, FOREVER), loop->counter);
    return ask_never(k, smt_and(k->ctx, late, loop->goes_on), "ends", ASK) && is_exact(k, loop->op);
}

/* ---- Section: stops ---- */

static const ir_op *loop_around(const ir_op *op)
{
    do
        op = op->parent->parent;
    while (op && !ir_is_loop(op));
    return op;
}

static void find_returns(reach *r, const ir_block *block)
{
    for (const ir_op *op = block ? block->first : NULL; op; op = op->next) {
        if (op->code == IR_OP_RETURN && loop_around(op))
            arrput(r->stops, op);
        for (uint32_t i = 0; i < op->n_regions; i++)
            find_returns(r, op->regions[i]);
    }
}

reach require_reach(checker *k)
{
    reach r = {.k = k};
    for (size_t i = 0; i < arrlenu(k->s->loops); i++)
        if (!ends(k, k->s->loops[i]))
            arrput(r.stops, k->s->loops[i]->op);
    find_returns(&r, k->kernel->body);
    return r;
}

void require_reach_free(reach *r)
{
    arrfree(r->stops);
}

/* The outermost of the stop and the loops around it that the op is not in; NULL: there is none. */
static const ir_op *behind(const ir_op *stop, const ir_op *op)
{
    const ir_op *outermost = NULL;
    for (const ir_op *loop = ir_is_loop(stop) ? stop : loop_around(stop);
         loop && !is_inside(op, loop); loop = loop_around(loop))
        outermost = loop;
    return outermost;
}

smt_t require_surely_reached(const reach *r, const ir_op *op, smt_t path)
{
    checker *k = r->k;
    for (size_t i = 0; i < arrlenu(r->stops); i++) {
        const ir_op *loop = behind(r->stops[i], op);
        if (!loop || loop->ordinal > op->ordinal)
            continue;
        for (size_t l = 0; l < arrlenu(k->s->loops); l++)
            if (k->s->loops[l]->op == loop)
                path = smt_and(k->ctx, path, smt_not(k->ctx, k->s->loops[l]->entered));
    }
    return path;
}

bool require_later_reached(const reach *r, const ir_op *op, const ir_op *loop)
{
    bool later = loop->code == IR_OP_FOR || !is_inside(op, loop);
    for (size_t i = 0; i < arrlenu(r->stops) && later; i++)
        later = !is_inside(r->stops[i], loop) || !is_inside(op, loop);
    return later;
}

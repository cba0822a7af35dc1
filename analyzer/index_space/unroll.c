/* Short loops that only compute: each iteration is walked by itself, one after the other.
 *
 * A loop that takes an index apart bit by bit (Morton order, bit reversal, a sum of digits) carries
 * values that have no closed form over the iteration. Where the loop touches no memory and is
 * certain to end after a few iterations, its results are plain terms over what entered it.
 *
 * Only ops whose results are terms over their operands may occur in the body: a value that is named
 * by its op alone would wrongly be one value for all iterations. */
#include "index_space/carry.h"

#include "base/ds.h"

enum {
    MOST_ITERATIONS = 64,
    MOST_OPS = 64,     /* in the body */
    MOST_WALKED = 512, /* ops of all iterations together */
};

/* Are the op's results functions of its operands, for which the walk makes terms over those of the
 * operands? */
static bool is_computed(const ir_op *op)
{
    switch (op->code) {
    case IR_OP_CONSTANT:
    case IR_OP_ADDI:
    case IR_OP_SUBI:
    case IR_OP_MULI:
    case IR_OP_NEGI:
    case IR_OP_DIVI:
    case IR_OP_REMI:
    case IR_OP_MINI:
    case IR_OP_MAXI:
    case IR_OP_CMPI:
    case IR_OP_ANDI:
    case IR_OP_ORI:
    case IR_OP_XORI:
    case IR_OP_SHLI:
    case IR_OP_SHRI:
    case IR_OP_EXTI:
    case IR_OP_TRUNCI:
    case IR_OP_SELECT:
        break;
    default:
        return false;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        const ir_type *type = op->results[i].type;
        if (type->rank > 0 || !ir_type_is_int(ix_element_type(type)))
            return false;
    }
    return true;
}

/* Ops of the block and of the branches in it; 0: one of them is none of the above. */
static size_t count_computed(const ir_block *block)
{
    size_t n = 0;
    for (const ir_op *op = block ? block->first : NULL; op; op = op->next) {
        n++;
        if (op->code == IR_OP_YIELD || op->code == IR_OP_CONTINUE || op->code == IR_OP_BREAK)
            continue;
        if (op->code != IR_OP_IF) {
            if (!is_computed(op))
                return 0;
            continue;
        }
        for (uint32_t i = 0; i < op->n_results; i++)
            if (op->results[i].type->rank > 0 ||
                !ir_type_is_int(ix_element_type(op->results[i].type)))
                return 0;
        for (int side = 0; side < 2; side++) {
            if (!op->regions[side] || !op->regions[side]->first)
                continue;
            size_t inside = count_computed(op->regions[side]);
            if (inside == 0)
                return 0;
            n += inside;
        }
    }
    return n;
}

static bool is_term(const ix_value *v)
{
    return v->kind == IX_INT || v->kind == IX_BOOL;
}

static bool may_unroll(const loop_walk *lw)
{
    bool open = false;
    for (size_t i = 0; i < lw->n; i++) {
        if (!is_term(&lw->carried[i].init) || lw->carried[i].arg->type->rank > 0)
            return false;
        open |= lw->carried[i].form == CARRY_OPEN || lw->carried[i].function;
    }
    size_t ops = count_computed(lw->body);
    return open && ops > 0 && ops <= MOST_OPS;
}

/* Merges value i behind the sites of one kind; one iteration reaches at most one of them. Where it
 * reaches none, the value is `otherwise` (NULL: it reaches one). A result of kind IX_NONE is not
 * followed.
 */
static ix_value merge_sites(ix_walk *walk, const ix_site *sites, bool is_break, size_t i,
                            const ix_value *otherwise)
{
    ix_value v = {.kind = IX_NONE};
    const ix_value *merged = otherwise;
    for (size_t s = arrlenu(sites); s-- > 0;) {
        if (sites[s].is_break != is_break)
            continue;
        ix_value passed = sites[s].values[i];
        if (!is_term(&passed) || (merged && merged->kind != passed.kind))
            return (ix_value){.kind = IX_NONE};
        if (merged)
            passed.term = smt_choice(walk->ctx, sites[s].path, passed.term, merged->term);
        v = passed;
        merged = &v;
    }
    return merged ? *merged : v;
}

static smt_t path_of(ix_walk *walk, const ix_site *sites, bool is_break)
{
    smt_t path = smt_bool_const(walk->ctx, false);
    for (size_t s = 0; s < arrlenu(sites); s++)
        if (sites[s].is_break == is_break)
            path = smt_or(walk->ctx, path, sites[s].path);
    return path;
}

typedef struct unrolling {
    smt_t low, step;  /* of a for loop; NULL: the loop is left by a break */
    smt_int trips;    /* of a for loop */
    ix_value *values; /* what the next iteration is entered with */
    ix_value *left;   /* what the breaks so far gave */
    bool any_break;
    bool one_way; /* the last iteration came to its end by a single continue, and to no break */
} unrolling;

/* Walks one iteration. False: not followed. *more: another one may come. */
static bool walk_iteration(ix_walk *walk, loop_walk *lw, unrolling *u, smt_int number, bool *more)
{
    smt_ctx *ctx = walk->ctx;
    ix_frame frame = {.op = lw->op, .outer = walk->frame};
    walk->frame = &frame;
    if (u->step) {
        ix_value counter = {.kind = IX_INT, .allocation = -1, .arg = -1};
        counter.term = smt_add(ctx, u->low, smt_scale(ctx, u->step, number));
        ix_set(walk, lw->body->args[0], counter);
    }
    for (size_t i = 0; i < lw->n; i++)
        ix_set(walk, lw->carried[i].arg, u->values[i]);
    ix_walk_block(walk, lw->body, NULL);
    walk->frame = frame.outer;
    smt_t left = path_of(walk, frame.sites, true), on = path_of(walk, frame.sites, false);
    bool leaves = !smt_is_false(left), followed = walk->trial_ops > 0;
    *more = !smt_is_false(on);
    for (size_t i = 0; i < lw->n && followed; i++) {
        if (leaves)
            u->left[i] = merge_sites(walk, frame.sites, true, i, u->any_break ? &u->left[i] : NULL);
        u->values[i] = merge_sites(walk, frame.sites, false, i, NULL);
        followed = (!leaves || is_term(&u->left[i])) && (!*more || is_term(&u->values[i]));
    }
    u->any_break |= leaves;
    u->one_way = arrlenu(frame.sites) == 1;
    walk->path = on;
    arrfree(frame.sites);
    return followed && (leaves || *more);
}

/* Walks all iterations. False: it is not certain that they end within the limits, or one of them is
 * not followed; what was recorded is to be forgotten then. */
static bool walk_all(ix_walk *walk, loop_walk *lw, unrolling *u)
{
    for (size_t i = 0; i < lw->n; i++)
        u->values[i] = lw->carried[i].init;
    u->any_break = false;
    size_t ops = count_computed(lw->body);
    bool more = true;
    for (smt_int number = 0; more && (!u->step || number < u->trips); number++) {
        if (number >= MOST_ITERATIONS || (size_t)(number + 1) * ops > MOST_WALKED)
            return false;
        smt_t path = walk->path, facts = walk->facts, assumed = walk->assumed;
        if (!walk_iteration(walk, lw, u, number, &more))
            return false;
        if (walk->path != path && u->step)
            return false; /* a for loop has no break: its iterations all come to their end */
        if (!u->one_way) {
            walk->facts = facts; /* what an iteration learnt holds only on the way where it did */
            walk->assumed = assumed;
        }
    }
    return u->step || u->any_break;
}

bool ix_unroll(ix_walk *walk, loop_walk *lw, smt_t low, smt_t high, smt_t step)
{
    smt_int first, end, by;
    smt_t path = walk->path, facts = walk->facts, assumed = walk->assumed;
    if (!may_unroll(lw))
        return false;
    unrolling u = {.low = low, .step = step};
    if (step) {
        if (!smt_is_const(low, &first) || !smt_is_const(high, &end) || !smt_is_const(step, &by) ||
            by < 1)
            return false;
        u.trips = end > first ? (end - first + by - 1) / by : 0;
    }
    u.values = TR_NEW_ARRAY(walk->arena, ix_value, lw->n + 1);
    u.left = TR_NEW_ARRAY(walk->arena, ix_value, lw->n + 1);
    bool record = walk->record, all = true;
    /* The first round is a trial: what is recorded cannot be taken back. */
    for (int round = 0; round < (record ? 2 : 1) && all; round++) {
        walk->record = round == 1;
        all = walk_all(walk, lw, &u);
        TR_ASSERT(all || round == 0);
        walk->path = path;
        walk->facts = facts; /* later code is told of the values, not of how they came about */
        walk->assumed = assumed;
    }
    walk->record = record;
    for (uint32_t i = 0; all && i < lw->op->n_results; i++)
        ix_set(walk, &lw->op->results[i], step ? u.values[i] : u.left[i]);
    return all;
}

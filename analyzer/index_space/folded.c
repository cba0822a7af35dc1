/* Reductions and scans of integers: which values their results may have, and the sums of elements
 * that are not negative, which rules take apart where a question speaks of two of them. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <string.h>

enum { MAX_DEPTH = 8 }; /* selects inside each other in a body */

static const ir_attr *identities_of(const ir_op *op)
{
    return &op->attrs[op->code == IR_OP_SCAN ? (int)IR_AT_SCAN_identities
                                             : (int)IR_AT_REDUCE_identities];
}

static int dim_of(const ir_op *op)
{
    return (int)ir_attr_int(op, op->code == IR_OP_SCAN ? IR_AT_SCAN_dim : IR_AT_REDUCE_dim, 0);
}

/* Is the value one of the two that the body combines for operand i: the element, or what was
 * combined so far? */
static bool is_own(const ir_op *op, uint32_t i, const ir_value *value)
{
    const ir_block *body = op->regions[0];
    return value == body->args[2 * i] || value == body->args[2 * i + 1];
}

/* Is the value always one of the two? */
static bool is_picked(const ir_op *op, uint32_t i, const ir_value *value, int depth)
{
    const ir_op *def = value->def;
    if (is_own(op, i, value))
        return true;
    if (!def || depth == MAX_DEPTH)
        return false;
    switch (def->code) {
    case IR_OP_SELECT:
        return is_picked(op, i, def->operands[1], depth + 1) &&
               is_picked(op, i, def->operands[2], depth + 1);
    case IR_OP_MINI:
    case IR_OP_MAXI:
        return is_picked(op, i, def->operands[0], depth + 1) &&
               is_picked(op, i, def->operands[1], depth + 1);
    default:
        return false;
    }
}

/* Is the value the signed minimum or maximum of the two? */
static bool is_extreme(const ir_op *op, uint32_t i, const ir_value *value, ir_opcode code)
{
    const ir_op *def = value->def;
    if (!def || def->code != code || def->operands[0] == def->operands[1] ||
        !is_own(op, i, def->operands[0]) || !is_own(op, i, def->operands[1]))
        return false;
    unsigned at =
        code == IR_OP_MINI ? (unsigned)IR_AT_MINI_signedness : (unsigned)IR_AT_MAXI_signedness;
    return ir_attr_int(def, at, IR_SIGNED) == IR_SIGNED;
}

static bool is_sum(const ir_op *op, uint32_t i, const ir_value *value)
{
    const ir_op *def = value->def;
    return def && def->code == IR_OP_ADDI && def->operands[0] != def->operands[1] &&
           is_own(op, i, def->operands[0]) && is_own(op, i, def->operands[1]);
}

static const ir_value *yielded(const ir_op *op, uint32_t i)
{
    const ir_block *body = op->regions[0];
    const ir_op *last = body ? body->first : NULL;
    while (last && last->next)
        last = last->next;
    return last && last->code == IR_OP_YIELD && i < last->n_operands ? last->operands[i] : NULL;
}

smt_int ix_identity_of(const ir_op *op, uint32_t i)
{
    int bits = ir_type_bits(ix_element_type(op->operands[i]->type));
    uint64_t sign = (uint64_t)1 << (bits - 1), mask = sign | (sign - 1);
    return (int64_t)((((uint64_t)identities_of(op)->items[i].number & mask) ^ sign) - sign);
}

typedef struct folding {
    bool sums;           /* else it picks one of them, or the identity */
    smt_int least, most; /* elements */
    smt_int identity;
    smt_int low, high; /* results */
} folding;

/* False: nothing but the type is known of result i. */
static bool fold_of(ix_walk *walk, const ir_op *op, uint32_t i, folding *f)
{
    const ir_value *of = op->operands[i], *combined = yielded(op, i);
    const ir_type *elem = ix_element_type(of->type);
    const ir_attr *identities = identities_of(op);
    if (!combined || !ir_type_is_int(elem) || elem->kind == IR_I1 || of->type->kind != IR_TILE ||
        i >= identities->count || op->regions[0]->n_args != 2 * op->n_operands)
        return false;
    f->sums = is_sum(op, i, combined);
    if (!f->sums && !is_picked(op, i, combined, 0))
        return false;
    smt_int low, high, one = 1;
    ix_type_range(elem, &low, &high);
    smt_bounds(ix_int(walk, of), &f->least, &f->most);
    f->identity = ix_identity_of(op, i);
    if (f->least < low || f->most > high)
        return false;
    if (f->sums) {
        smt_int n = of->type->shape[dim_of(op)], fewest = op->code == IR_OP_SCAN ? one : n;
        f->low = f->identity + (f->least < 0 ? n : fewest) * f->least;
        f->high = f->identity + (f->most > 0 ? n : fewest) * f->most;
        return f->low >= low && f->high <= high; /* then no partial sum wraps either */
    }
    f->low = f->identity < f->least ? f->identity : f->least;
    f->high = f->identity > f->most ? f->identity : f->most;
    if (is_extreme(op, i, combined, IR_OP_MINI)) /* at most each element, whatever the identity */
        f->high = f->most;
    else if (is_extreme(op, i, combined, IR_OP_MAXI))
        f->low = f->least;
    return true;
}

/* Tile IR leaves open in which order elements are combined. */
static bool is_of_any_order(const ir_op *op, uint32_t i)
{
    const ir_value *combined = yielded(op, i);
    const ir_op *def = combined ? combined->def : NULL;
    if (!def || def->n_operands != 2 || def->operands[0] == def->operands[1] ||
        !is_own(op, i, def->operands[0]) || !is_own(op, i, def->operands[1]))
        return false;
    switch (def->code) {
    case IR_OP_ADDI:
    case IR_OP_MULI:
    case IR_OP_MINI:
    case IR_OP_MAXI:
    case IR_OP_ANDI:
    case IR_OP_ORI:
    case IR_OP_XORI:
        return true;
    default:
        return false;
    }
}

static bool has_alike_elements(ix_walk *walk, const ir_value *of)
{
    smt_t at[IR_MAX_RANK];
    for (int d = 0; d < of->type->rank; d++)
        at[d] = ix_coordinate(walk->ctx, d, of->type->shape[d]);
    return ix_is_alike(walk, ix_int(walk, of), (size_t)of->type->rank, at);
}

/* Elements that all blocks have alike are folded to one value in all of them: it is written as that
 * of block (0, 0, 0). */
static smt_t without_block(ix_walk *walk, const ir_op *op, uint32_t i, smt_t app)
{
    smt_t args[3 + IX_MAX_LOOPS + IR_MAX_RANK];
    const ir_value *of = op->operands[i];
    if (app->kind != SMT_APP || of->type->kind != IR_TILE || !is_of_any_order(op, i) ||
        !has_alike_elements(walk, of))
        return app;
    TR_ASSERT(app->n_args <= TR_COUNT(args));
    for (uint32_t n = 0; n < app->n_args; n++)
        args[n] = n < 3 ? smt_int_const(walk->ctx, 0) : app->args[n];
    return smt_app(walk->ctx, app->name, app->n_args, args, app->low, app->high);
}

smt_t ix_folded_term(ix_walk *walk, const ir_op *op, uint32_t i, const char *stem)
{
    const ir_type *type = op->results[i].type;
    folding f;
    smt_int low, high;
    ix_type_range(ix_element_type(type), &low, &high);
    const char *name = tr_arena_printf(walk->arena, "%s%u.%u", stem, op->ordinal, i);
    if (fold_of(walk, op, i, &f)) {
        low = f.low;
        high = f.high;
        /* Walked on trial the elements may have another range, and a function has but one. */
        name = tr_arena_printf(walk->arena, "%s.%lld_%lld", name, (long long)low, (long long)high);
    }
    const ir_type *tile = type->kind == IR_TILE ? type : NULL;
    return without_block(walk, op, i, ix_private_term(walk, name, tile, false, low, high));
}

void ix_remember_sum(ix_walk *walk, const ir_op *op, uint32_t i, smt_t app)
{
    folding f;
    summary *s = walk->s;
    if (!walk->record || app->kind != SMT_APP || !fold_of(walk, op, i, &f) || !f.sums ||
        f.least < 0 || f.identity != 0)
        return;
    ix_sum sum = {.app = app,
                  .of = op->operands[i],
                  .element = ix_int(walk, op->operands[i]),
                  .most = f.most,
                  .rank = op->operands[i]->type->rank,
                  .dim = dim_of(op),
                  .running = op->code == IR_OP_SCAN};
    sum.reverse = sum.running && ir_attr_int(op, IR_AT_SCAN_reverse, 0) != 0;
    for (size_t n = 0; n < arrlenu(s->sums); n++)
        if (strcmp(s->sums[n].app->name, app->name) == 0) {
            s->sums[n] = sum; /* the loop around is walked once more */
            return;
        }
    arrput(s->sums, sum);
}

bool ix_walk_folding(ix_walk *walk, const ir_op *op)
{
    if (op->code != IR_OP_REDUCE && op->code != IR_OP_SCAN)
        return false;
    for (uint32_t i = 0; i < op->n_results; i++) {
        const ir_value *result = &op->results[i];
        const ir_type *elem = ix_element_type(result->type);
        if (i >= op->n_operands || !ir_type_is_int(elem) || elem->kind == IR_I1 ||
            !walk->relevant[result->id]) {
            ix_set(walk, result, ix_private_value(walk, result, "value"));
            continue;
        }
        smt_t app = ix_folded_term(walk, op, i, "folded.");
        ix_set_int(walk, result, app);
        ix_remember_sum(walk, op, i, app);
    }
    return true;
}

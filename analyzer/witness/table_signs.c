/* Are the elements of a buffer unsigned? Tile IR's integers have no sign; what a kernel does with
 * those that it has loaded tells, and so may the contract. A report says the numbers that the
 * author knows: 128 of a table of unsigned bytes, not -128. */
#include "witness/table_signs.h"

#include "question/checker.h"

#include "base/ds.h"

typedef struct sign_votes {
    bool is_signed, is_unsigned; /* some op takes them so */
} sign_votes;

static void add_vote(sign_votes *votes, const ir_op *op, unsigned attribute)
{
    bool is_signed = ir_attr_int(op, attribute, IR_SIGNED) == IR_SIGNED;
    votes->is_signed |= is_signed;
    votes->is_unsigned |= !is_signed;
}

enum { MAX_SHAPES = 4 }; /* changes of shape after a load that are looked through */

static void look_at_uses(const checker *k, const ir_value *value, int depth, sign_votes *votes);

static void look_at_use(const checker *k, const ir_op *op, int depth, sign_votes *votes)
{
    switch (op->code) {
    case IR_OP_EXTI:
        add_vote(votes, op, IR_AT_EXTI_signedness);
        break;
    case IR_OP_ITOF:
        add_vote(votes, op, IR_AT_ITOF_signedness);
        break;
    case IR_OP_DIVI:
        add_vote(votes, op, IR_AT_DIVI_signedness);
        break;
    case IR_OP_REMI:
        add_vote(votes, op, IR_AT_REMI_signedness);
        break;
    case IR_OP_SHRI:
        add_vote(votes, op, IR_AT_SHRI_signedness);
        break;
    case IR_OP_MAXI:
        add_vote(votes, op, IR_AT_MAXI_signedness);
        break;
    case IR_OP_MINI:
        add_vote(votes, op, IR_AT_MINI_signedness);
        break;
    case IR_OP_CMPI: {
        int64_t predicate = ir_attr_int(op, IR_AT_CMPI_comparison_predicate, IR_EQ);
        if (predicate != IR_EQ && predicate != IR_NE)
            add_vote(votes, op, IR_AT_CMPI_signedness);
        break;
    }
    case IR_OP_RESHAPE:
    case IR_OP_BROADCAST:
    case IR_OP_PERMUTE:
    case IR_OP_EXTRACT:
        if (depth < MAX_SHAPES)
            look_at_uses(k, &op->results[0], depth + 1, votes);
        break;
    default:
        break;
    }
}

static void look_at_uses(const checker *k, const ir_value *value, int depth, sign_votes *votes)
{
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++)
            if (op->operands[i] == value) {
                look_at_use(k, op, depth, votes);
                break;
            }
}

bool witness_table_is_unsigned(const checker *k, size_t arg)
{
    const contract_arg *args = k->contract->args;
    const ir_type *elem = k->kernel->body->args[arg]->type->elem->elem;
    int bits = ir_type_is_int(elem) ? 8 * ir_type_bytes(elem) : 0;
    sign_votes votes = {0};
    for (size_t i = 0; i < k->contract->n_args; i++)
        if (contract_share_buffer(&args[i], &args[arg]) &&
            contract_contents_are_unsigned(&args[i].contents, bits))
            return true;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        bool reads = a->reads && !a->atomic && a->arg >= 0 &&
                     contract_share_buffer(&args[a->arg], &args[arg]);
        for (uint32_t r = 0; reads && r < a->op->n_results; r++)
            look_at_uses(k, &a->op->results[r], 0, &votes);
    }
    return bits > 0 && bits < 64 && votes.is_unsigned && !votes.is_signed;
}

int64_t witness_table_number(const ir_type *elem, bool is_unsigned, int64_t value)
{
    return value < 0 && is_unsigned ? value + ((int64_t)1 << (8 * ir_type_bytes(elem))) : value;
}

/* Memory ops: their operands found, executed at once or handed to the scheduler. Token plumbing
 * too.
 */
#include "interp/memory_access.h"
#include "interp/schedule_private.h"

#include <math.h>

/* The numbers of the operands, results and attributes by their roles, for each op. */
static const memory_row memory_rows[] = {
    {IR_OP_LOAD_VIEW_TKO, LOAD, IR_LOAD_VIEW_TKO_view, IR_LOAD_VIEW_TKO_index, NONE, NONE, NONE,
     NONE, IR_LOAD_VIEW_TKO_token, IR_RS_LOAD_VIEW_TKO_tile, IR_RS_LOAD_VIEW_TKO_token, NONE,
     IR_AT_LOAD_VIEW_TKO_inbounds},
    {IR_OP_STORE_VIEW_TKO, STORE, IR_STORE_VIEW_TKO_view, IR_STORE_VIEW_TKO_index,
     IR_STORE_VIEW_TKO_tile, NONE, NONE, NONE, IR_STORE_VIEW_TKO_token, NONE,
     IR_RS_STORE_VIEW_TKO_token, NONE, IR_AT_STORE_VIEW_TKO_inbounds},
    {IR_OP_ATOMIC_RED_VIEW_TKO, UPDATE, IR_ATOMIC_RED_VIEW_TKO_view, IR_ATOMIC_RED_VIEW_TKO_index,
     IR_ATOMIC_RED_VIEW_TKO_value, NONE, NONE, NONE, IR_ATOMIC_RED_VIEW_TKO_token, NONE,
     IR_RS_ATOMIC_RED_VIEW_TKO_token, IR_AT_ATOMIC_RED_VIEW_TKO_mode,
     IR_AT_ATOMIC_RED_VIEW_TKO_inbounds},
    {IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO, LOAD, IR_MULTIMEM_LOAD_REDUCE_VIEW_TKO_view,
     IR_MULTIMEM_LOAD_REDUCE_VIEW_TKO_index, NONE, NONE, NONE, NONE,
     IR_MULTIMEM_LOAD_REDUCE_VIEW_TKO_token, IR_RS_MULTIMEM_LOAD_REDUCE_VIEW_TKO_tile,
     IR_RS_MULTIMEM_LOAD_REDUCE_VIEW_TKO_token, NONE, IR_AT_MULTIMEM_LOAD_REDUCE_VIEW_TKO_inbounds},
    {IR_OP_MULTIMEM_STORE_VIEW_TKO, STORE, IR_MULTIMEM_STORE_VIEW_TKO_view,
     IR_MULTIMEM_STORE_VIEW_TKO_index, IR_MULTIMEM_STORE_VIEW_TKO_tile, NONE, NONE, NONE,
     IR_MULTIMEM_STORE_VIEW_TKO_token, NONE, IR_RS_MULTIMEM_STORE_VIEW_TKO_token, NONE,
     IR_AT_MULTIMEM_STORE_VIEW_TKO_inbounds},
    {IR_OP_MULTIMEM_REDUCE_VIEW_TKO, UPDATE, IR_MULTIMEM_REDUCE_VIEW_TKO_view,
     IR_MULTIMEM_REDUCE_VIEW_TKO_index, IR_MULTIMEM_REDUCE_VIEW_TKO_tile, NONE, NONE, NONE,
     IR_MULTIMEM_REDUCE_VIEW_TKO_token, NONE, IR_RS_MULTIMEM_REDUCE_VIEW_TKO_token,
     IR_AT_MULTIMEM_REDUCE_VIEW_TKO_reduction, IR_AT_MULTIMEM_REDUCE_VIEW_TKO_inbounds},
    {IR_OP_LOAD_PTR_TKO, LOAD, IR_LOAD_PTR_TKO_source, NONE, NONE, NONE, IR_LOAD_PTR_TKO_mask,
     IR_LOAD_PTR_TKO_padding_value, IR_LOAD_PTR_TKO_token, IR_RS_LOAD_PTR_TKO_result,
     IR_RS_LOAD_PTR_TKO_token, NONE, NONE},
    {IR_OP_STORE_PTR_TKO, STORE, IR_STORE_PTR_TKO_destination, NONE, IR_STORE_PTR_TKO_value, NONE,
     IR_STORE_PTR_TKO_mask, NONE, IR_STORE_PTR_TKO_token, NONE, IR_RS_STORE_PTR_TKO_token, NONE,
     NONE},
    {IR_OP_ATOMIC_RMW_TKO, UPDATE, IR_ATOMIC_RMW_TKO_pointers, NONE, IR_ATOMIC_RMW_TKO_arg, NONE,
     IR_ATOMIC_RMW_TKO_mask, NONE, IR_ATOMIC_RMW_TKO_token, IR_RS_ATOMIC_RMW_TKO_result,
     IR_RS_ATOMIC_RMW_TKO_token, IR_AT_ATOMIC_RMW_TKO_mode, NONE},
    {IR_OP_ATOMIC_CAS_TKO, COMPARE_AND_SWAP, IR_ATOMIC_CAS_TKO_pointers, NONE,
     IR_ATOMIC_CAS_TKO_val, IR_ATOMIC_CAS_TKO_cmp, IR_ATOMIC_CAS_TKO_mask, NONE,
     IR_ATOMIC_CAS_TKO_token, IR_RS_ATOMIC_CAS_TKO_result, IR_RS_ATOMIC_CAS_TKO_token, NONE, NONE},
};

/* ---- Section: The op ---- */

static bool padding_bits(const ir_type *view_type, const ir_type *elem, uint64_t *bits)
{
    *bits = 0;
    switch (view_type->padding) {
    case IR_PAD_NONE:
        return false;
    case IR_PAD_ZERO:
        return true;
    case IR_PAD_NEG_ZERO:
        *bits = float_sign_bit(elem->kind);
        return true;
    case IR_PAD_NAN:
        return float_encode(elem->kind, NAN, bits);
    case IR_PAD_POS_INF:
        return float_encode(elem->kind, INFINITY, bits);
    case IR_PAD_NEG_INF:
        return float_encode(elem->kind, -INFINITY, bits);
    }
    return false;
}

static bool set_up(interp_run *run, access *a)
{
    const ir_type *type = a->where->type;
    bool is_view = ir_type_is_tile_view(type);
    a->elem = is_view ? type->tensor->elem : type->elem->elem;
    a->width = ir_type_bytes(a->elem);
    a->scoped = ir_memory_ordering(a->op) != IR_WEAK;
    a->elements = 1;
    for (int d = 0; d < (is_view ? type->rank : 0); d++)
        a->elements *= type->shape[d];
    if (is_view)
        a->padded = padding_bits(type, a->elem, &a->padding);
    else
        a->elements = ir_type_elements(type);
    if (a->elements > (int64_t)1 << 24) {
        machine_stop(run, INTERP_LIMIT, a->op, "a tile of more than 2^24 elements");
        return false;
    }
    return true;
}

static void capture(interp_run *run, access *a)
{
    const struct {
        int group;
        reader *to;
    } operands[] = {{a->row->value, &a->value},
                    {a->row->compare, &a->compare},
                    {a->row->padding, &a->padding_tile}};
    for (size_t i = 0; i < TR_COUNT(operands); i++) {
        const ir_value *v = access_operand(a, operands[i].group);
        *operands[i].to = v ? machine_reader(run, v) : reader_of(NULL);
    }
    const ir_value *value = access_operand(a, a->row->value);
    a->source = value ? machine_value(run, value)->source : 0;
}

uint32_t memory_commit(interp_run *run, const access *a, uint32_t token_in, cells **result)
{
    *result = memory_perform(run, a);
    uint32_t node = events_commit(run, a->op, a->n_index, a->index, token_in);
    sync_publish(run, a->op, node);
    return node;
}

static void execute(interp_run *run, const ir_op *op, const memory_row *row)
{
    access a = {.row = row, .op = op, .where = ir_operand(op, (unsigned)row->where)};
    arrsetlen(run->touched, 0);
    if (!set_up(run, &a) || !memory_touch(run, &a))
        return;
    capture(run, &a);
    const ir_value *token_in = access_operand(&a, row->token);
    uint32_t token = token_in ? machine_value(run, token_in)->token : 0;
    const ir_value *result = row->result == NONE ? NULL : ir_result(op, (unsigned)row->result);
    const ir_value *token_out = ir_result(op, (unsigned)row->result_token);
    if (run->task && arrlen(run->touched)) {
        schedule_issue(run, &a, token, result, token_out);
        return;
    }
    cells *data;
    token = memory_commit(run, &a, token, &data);
    if (result) {
        machine_set_cells(run, result, data);
        machine_value(run, result)->source = run->loaded_source;
    }
    if (token_out)
        machine_set_token(run, token_out, token);
}

/* ---- Section: Ops that only order ---- */

static void join(interp_run *run, const ir_op *op)
{
    uint32_t *nodes = NULL;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        uint32_t node = machine_value(run, op->operands[i])->token;
        if (node && (!arrlen(nodes) || arrlast(nodes) != node))
            arrput(nodes, node);
    }
    uint32_t joined = run->task            ? schedule_join(run, arrlenu(nodes), nodes)
                      : arrlen(nodes) == 0 ? 0
                      : arrlen(nodes) == 1 ? nodes[0]
                                           : tokens_node(run, arrlenu(nodes), nodes);
    arrfree(nodes);
    machine_set_token(run, &op->results[0], joined);
}

/* These touch no memory that the model knows; order goes through them. */
static void pass_token(interp_run *run, const ir_op *op)
{
    const ir_value *in = ir_token_in(op), *out = ir_token_out(op);
    uint32_t token = in ? machine_value(run, in)->token : 0;
    if (run->task && op->code == IR_OP_GDC_WAIT_TKO)
        token = schedule_wait(run, token);
    else if (op->code == IR_OP_GDC_WAIT_TKO)
        arrput(run->waits, token = tokens_node(run, token != 0, &token));
    if (out)
        machine_set_token(run, out, token);
}

static void print_tko(interp_run *run, const ir_op *op)
{
    ops_print(run, op);
    pass_token(run, op);
}

static const struct {
    ir_opcode code;
    void (*execute)(interp_run *run, const ir_op *op);
} token_ops[] = {
    {IR_OP_MAKE_TOKEN, pass_token},
    {IR_OP_JOIN_TOKENS, join},
    {IR_OP_MEMORY_FENCE_ALIAS_TKO, pass_token},
    {IR_OP_GDC_WAIT_TKO, pass_token},
    {IR_OP_GDC_LAUNCH_DEPENDENTS_TKO, pass_token},
    {IR_OP_PRINT_TKO, print_tko},
};

bool ops_memory(interp_run *run, const ir_op *op)
{
    for (size_t i = 0; i < TR_COUNT(memory_rows); i++)
        if (memory_rows[i].code == op->code) {
            execute(run, op, &memory_rows[i]);
            return true;
        }
    for (size_t i = 0; i < TR_COUNT(token_ops); i++)
        if (token_ops[i].code == op->code) {
            token_ops[i].execute(run, op);
            return true;
        }
    return false;
}

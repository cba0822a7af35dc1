/* Ops whose text a row of syntax.def cannot say: control flow, reductions, views, calls. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/print.h"

static void print_extents(printer *p, int rank, const int64_t *extents, ir_value *const *dynamic,
                          uint32_t n_dynamic)
{
    uint32_t next = 0;
    tr_text_add(p->out, "[");
    for (int i = 0; i < rank; i++) {
        tr_text_add(p->out, i ? ", " : "");
        if (extents[i] != IR_DYNAMIC) {
            tr_text_addf(p->out, "%lld", (long long)extents[i]);
        } else if (next < n_dynamic) {
            ir_put_value(p, dynamic[next++]);
        } else {
            tr_text_add(p->out, "?");
        }
    }
    tr_text_add(p->out, "]");
}

static void print_make_tensor_view(printer *p, const ir_op *op)
{
    const ir_type *type = op->results[0].type;
    uint32_t n_shape, n_strides;
    ir_value **shape = ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_shape, &n_shape);
    ir_value **strides = ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n_strides);
    const ir_value *base = ir_operand(op, IR_MAKE_TENSOR_VIEW_base);
    tr_text_add(p->out, " ");
    ir_put_value(p, base);
    tr_text_add(p->out, ", shape = ");
    print_extents(p, type->rank, type->shape, shape, n_shape);
    tr_text_add(p->out, ", strides = ");
    print_extents(p, type->rank, type->strides, strides, n_strides);
    tr_text_add(p->out, " : ");
    bool shows_base = type->ptr_attr != IR_PTR_ATTR_ABSENT;
    bool shows_dynamic = n_shape + n_strides > 0;
    if (shows_base) {
        ir_type_print(p->out, base->type);
        tr_text_add(p->out, shows_dynamic ? ", " : "");
    }
    if (shows_dynamic) {
        ir_type_print(p->out, (n_shape ? shape : strides)[0]->type);
    }
    tr_text_add(p->out, shows_base || shows_dynamic ? " -> " : "");
    ir_type_print(p->out, type);
}

static void print_shape_query(printer *p, const ir_op *op)
{
    tr_text_add(p->out, " ");
    ir_put_value(p, op->operands[0]);
    tr_text_add(p->out, " : ");
    ir_type_print(p->out, op->operands[0]->type);
    tr_text_add(p->out, " -> ");
    if (op->n_results) {
        ir_type_print(p->out, op->results[0].type);
    }
}

static void print_terminator(printer *p, const ir_op *op)
{
    if (op->n_operands) {
        tr_text_add(p->out, " ");
        ir_put_values(p, op->operands, op->n_operands);
        tr_text_add(p->out, " : ");
        ir_put_types(p, op->operands, op->n_operands);
    }
}

static void print_iter_values(printer *p, const ir_op *op, unsigned group, uint32_t first_arg)
{
    uint32_t count;
    ir_value **values = ir_group(op, group, &count);
    const ir_block *body = op->regions[0];
    tr_text_add(p->out, "iter_values(");
    for (uint32_t i = 0; i < count; i++) {
        tr_text_add(p->out, i ? ", " : "");
        if (body && first_arg + i < body->n_args) {
            ir_put_value(p, body->args[first_arg + i]);
        }
        tr_text_add(p->out, " = ");
        ir_put_value(p, values[i]);
    }
    tr_text_add(p->out, ")");
}

static void print_for(printer *p, const ir_op *op)
{
    uint32_t count;
    ir_group(op, IR_FOR_init_values, &count);
    tr_text_add(p->out, ir_attr_int(op, IR_AT_FOR_unsigned_cmp, 0) ? " unsigned " : " ");
    if (op->regions[0] && op->regions[0]->n_args) {
        ir_put_value(p, op->regions[0]->args[0]);
    }
    tr_text_add(p->out, " in (");
    ir_put_value(p, ir_operand(op, IR_FOR_lower_bound));
    tr_text_add(p->out, " to ");
    ir_put_value(p, ir_operand(op, IR_FOR_upper_bound));
    tr_text_add(p->out, ", step ");
    ir_put_value(p, ir_operand(op, IR_FOR_step));
    tr_text_add(p->out, ") : ");
    ir_type_print(p->out, ir_operand(op, IR_FOR_lower_bound)->type);
    if (count) {
        tr_text_add(p->out, " ");
        print_iter_values(p, op, IR_FOR_init_values, 1);
        tr_text_add(p->out, " -> (");
        ir_put_result_types(p, op->results, op->n_results);
        tr_text_add(p->out, ")");
    }
}

static void print_loop(printer *p, const ir_op *op)
{
    if (op->n_operands) {
        tr_text_add(p->out, " ");
        print_iter_values(p, op, IR_LOOP_init_values, 0);
    }
    if (op->n_operands || op->n_results) {
        tr_text_add(p->out, " : ");
    }
    ir_put_types(p, op->operands, op->n_operands);
    if (op->n_results) {
        tr_text_add(p->out, op->n_operands ? " -> " : "");
        ir_put_result_types(p, op->results, op->n_results);
    }
}

static void print_if(printer *p, const ir_op *op)
{
    tr_text_add(p->out, " ");
    ir_put_value(p, ir_operand(op, IR_IF_condition));
    if (op->n_results) {
        tr_text_add(p->out, " -> (");
        ir_put_result_types(p, op->results, op->n_results);
        tr_text_add(p->out, ")");
    }
}

static void print_reduction(printer *p, const ir_op *op)
{
    bool scan = op->code == IR_OP_SCAN;
    const ir_attr *identities =
        &op->attrs[scan ? (int)IR_AT_SCAN_identities : (int)IR_AT_REDUCE_identities];
    tr_text_add(p->out, " ");
    ir_put_values(p, op->operands, op->n_operands);
    tr_text_addf(p->out, " dim=%lld", (long long)ir_attr_int(op, IR_AT_REDUCE_dim, 0));
    if (scan) {
        bool reverse = ir_attr_int(op, IR_AT_SCAN_reverse, 0);
        tr_text_addf(p->out, " reverse=%s", reverse ? "true" : "false");
    }
    tr_text_add(p->out, " identities=");
    ir_put_identities(p->out, identities);
    tr_text_add(p->out, " : ");
    ir_put_types(p, op->operands, op->n_operands);
    tr_text_add(p->out, " -> ");
    ir_put_result_types(p, op->results, op->n_results);
}

static void print_call(printer *p, const ir_op *op)
{
    tr_text_add(p->out, " ");
    const char *callee = op->attrs[IR_AT_PREVIEW_CALL_callee].string;
    ir_print_symbol(p->out, callee ? callee : "");
    tr_text_add(p->out, "(");
    ir_put_values(p, op->operands, op->n_operands);
    tr_text_add(p->out, ") : (");
    ir_put_types(p, op->operands, op->n_operands);
    tr_text_add(p->out, ") -> (");
    ir_put_result_types(p, op->results, op->n_results);
    tr_text_add(p->out, ")");
}

static void print_default(printer *p, const ir_op *op)
{
    if (op->n_operands) {
        tr_text_add(p->out, " ");
        ir_put_values(p, op->operands, op->n_operands);
    }
    if (op->n_results) {
        tr_text_add(p->out, " : ");
        ir_type_print(p->out, op->results[0].type);
    }
}

typedef void form(printer *p, const ir_op *op);

static const struct own_form {
    ir_opcode code;
    form *print;
} forms[] = {
    {IR_OP_MAKE_TENSOR_VIEW, print_make_tensor_view},
    {IR_OP_GET_INDEX_SPACE_SHAPE, print_shape_query},
    {IR_OP_GET_TENSOR_SHAPE, print_shape_query},
    {IR_OP_CONTINUE, print_terminator},
    {IR_OP_BREAK, print_terminator},
    {IR_OP_YIELD, print_terminator},
    {IR_OP_RETURN, print_terminator},
    {IR_OP_FOR, print_for},
    {IR_OP_LOOP, print_loop},
    {IR_OP_IF, print_if},
    {IR_OP_REDUCE, print_reduction},
    {IR_OP_SCAN, print_reduction},
    {IR_OP_PREVIEW_CALL, print_call},
};

void ir_print_form(printer *p, const ir_op *op)
{
    for (size_t i = 0; i < TR_COUNT(forms); i++) {
        if (forms[i].code == op->code) {
            forms[i].print(p, op);
            return;
        }
    }
    print_default(p, op);
}

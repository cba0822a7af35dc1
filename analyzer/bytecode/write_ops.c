/* Ops: opcode, result types, flags, attributes, operands, regions. */
#include "bytecode/write.h"

/* Gives the value the next number. Operands name values by these numbers, less one, in the order in
 * which arguments and results are written; 0: the value is not written. */
static void number_value(bc_writer *w, const ir_value *value)
{
    w->numbers[value->id] = ++w->next_number;
}

static void put_operand(bc_writer *w, bc_out *out, const ir_op *op, const ir_value *value)
{
    uint32_t number = w->numbers[value->id];
    if (number == 0) {
        bc_write_fail(w, op->place, "%s: an operand is a value that version 13.%u does not have",
                      ir_op_info_of(op->code)->mnemonic, w->minor);
        return;
    }
    bc_put_varint(out, number - 1);
}

/* ---- Results ---- */

/* Returns how many results are written: those of groups that the version does not have are left
 * out. They get no number, so put_operand() fails if an op uses one. */
static uint32_t written_results(const bc_writer *w, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    uint32_t written = 0;
    for (int g = 0; g < info->n_result_groups; g++) {
        if (info->result_groups[g].since_minor <= w->minor) {
            written = op->result_group_end[g];
        }
    }
    return written;
}

static void put_results(bc_writer *w, bc_out *out, const ir_op *op)
{
    uint32_t count = written_results(w, op);
    if (ir_op_info_of(op->code)->counts_results) {
        bc_put_varint(out, count);
    }
    for (uint32_t i = 0; i < count; i++) {
        bc_put_type(w, out, op->results[i].type);
    }
}

/* ---- Flags, attributes ---- */

static void put_flags(bc_writer *w, bc_out *out, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    if (!bc_has_flags(info, w->minor)) {
        return;
    }
    uint64_t flags = 0;
    for (int i = 0; i < info->n_attrs; i++) {
        int bit = bc_attr_flag(info, i);
        if (bit >= 0 && bc_attr_is_set(&info->attrs[i], &op->attrs[i])) {
            flags |= (uint64_t)1 << bit;
        }
    }
    for (int g = 0; g < info->n_operand_groups; g++) {
        int bit = bc_operand_flag(info, g);
        if (bit >= 0 && ir_operand(op, (unsigned)g)) {
            flags |= (uint64_t)1 << bit;
        }
    }
    bc_put_varint(out, flags & bc_known_flags(info, w->minor));
}

/* Returns whether a version without the attribute means the same. */
static bool is_implied(const ir_attr_info *info, const ir_attr *attr)
{
    if (attr->kind == IR_ATTR_NONE) {
        return true;
    }
    for (size_t i = 0; i < attr->count && info->coding == IR_CODE_BOOLS; i++) {
        if (attr->numbers[i]) {
            return false;
        }
    }
    return info->coding == IR_CODE_BOOLS ||
           (attr->kind == IR_ATTR_INT && attr->number == info->missing);
}

/* Writes the attributes that the version has. Fails if the op needs another one. */
static void put_attrs(bc_writer *w, bc_out *out, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (int i = 0; i < info->n_attrs; i++) {
        const ir_attr_info *column = &info->attrs[i];
        if (column->since_minor > w->minor) {
            if (!is_implied(column, &op->attrs[i])) {
                bc_write_since(w, column->since_minor, op->place, "attribute", column->name);
            }
        } else if (!column->optional || bc_attr_is_set(column, &op->attrs[i])) {
            bc_put_attr(w, out, op, (unsigned)i);
        }
    }
}

/* ---- Operands ---- */

/* Writes the operands, group by group. Their number follows from a count before all of them, if the
 * op has such a count, or else from a count before each group of any length and, for each optional
 * operand, from its flag (put_flags()). Fails if the op has an operand that the version does not
 * have. */
static void put_operands(bc_writer *w, bc_out *out, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    if (info->counts_operands) {
        bc_put_varint(out, op->n_operands);
    }
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        const ir_op_group *group = &info->operand_groups[g];
        uint32_t count;
        ir_value **values = ir_group(op, g, &count);
        if (group->since_minor > w->minor) {
            if (count > 0) {
                bc_write_since(w, group->since_minor, op->place, "operand", group->name);
            }
            continue;
        }
        if (group->arity == IR_MANY && !info->counts_operands) {
            bc_put_varint(out, count);
        }
        for (uint32_t i = 0; i < count; i++) {
            put_operand(w, out, op, values[i]);
        }
    }
}

/* ---- Ops and regions ---- */

static void put_op(bc_writer *w, bc_out *out, const ir_op *op);

static void put_region(bc_writer *w, bc_out *out, const ir_block *block)
{
    bc_put_varint(out, block != NULL);
    if (!block) {
        return;
    }
    uint32_t outer = w->next_number;
    bc_put_varint(out, block->n_args);
    for (uint32_t i = 0; i < block->n_args; i++) {
        bc_put_type(w, out, block->args[i]->type);
        number_value(w, block->args[i]);
    }
    size_t n_ops = 0;
    for (const ir_op *op = block->first; op; op = op->next) {
        n_ops++;
    }
    bc_put_varint(out, n_ops);
    for (const ir_op *op = block->first; op; op = op->next) {
        put_op(w, out, op);
    }
    w->next_number = outer;
}

static void put_op(bc_writer *w, bc_out *out, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    if (!bc_write_since(w, info->since_minor, op->place, "op", info->mnemonic)) {
        return;
    }
    bc_put_record(w, op->place);
    bc_put_varint(out, info->bytecode);
    put_results(w, out, op);
    put_flags(w, out, op);
    put_attrs(w, out, op);
    put_operands(w, out, op);
    if (info->n_regions) {
        bc_put_varint(out, info->n_regions);
        for (int r = 0; r < info->n_regions; r++) {
            put_region(w, out, op->regions[r]);
        }
    }
    uint32_t count = written_results(w, op);
    for (uint32_t i = 0; i < count; i++) {
        number_value(w, &op->results[i]);
    }
}

void bc_put_body(bc_writer *w, bc_out *out, const ir_function *function)
{
    w->numbers = TR_NEW_ARRAY(w->scratch, uint32_t, function->n_values + 1);
    w->next_number = 0;
    for (uint32_t i = 0; i < function->body->n_args; i++) {
        number_value(w, function->body->args[i]);
    }
    for (const ir_op *op = function->body->first; op && !w->failed; op = op->next) {
        put_op(w, out, op);
    }
}

/* Finding one's way: groups of an op, ops in order, what a memory op does. */
#include "ir/ir.h"
#include "ir/module.h"

#include <string.h>

/* ---- Groups ---- */

ir_value **ir_group(const ir_op *op, unsigned group, uint32_t *count)
{
    uint32_t from = group ? op->group_end[group - 1] : 0;
    if (count) {
        *count = op->group_end[group] - from;
    }
    return op->operands + from;
}

ir_value *ir_operand(const ir_op *op, unsigned group)
{
    uint32_t count;
    ir_value **values = ir_group(op, group, &count);
    return count ? values[0] : NULL;
}

ir_value *ir_result_group(const ir_op *op, unsigned group, uint32_t *count)
{
    uint32_t from = group ? op->result_group_end[group - 1] : 0;
    *count = op->result_group_end[group] - from;
    return op->results + from;
}

ir_value *ir_result(const ir_op *op, unsigned result_group)
{
    uint32_t count;
    ir_value *values = ir_result_group(op, result_group, &count);
    return count ? values : NULL;
}

int64_t ir_attr_int(const ir_op *op, unsigned attr, int64_t when_absent)
{
    return op->attrs[attr].kind == IR_ATTR_INT ? op->attrs[attr].number : when_absent;
}

static bool same_name(const char *name, const char *wanted, size_t length)
{
    return strncmp(name, wanted, length) == 0 && name[length] == '\0';
}

int ir_operand_group_by_name(const ir_op_info *info, const char *name, size_t length)
{
    for (int i = 0; i < info->n_operand_groups; i++) {
        if (same_name(info->operand_groups[i].name, name, length)) {
            return i;
        }
    }
    return -1;
}

int ir_result_group_by_name(const ir_op_info *info, const char *name, size_t length)
{
    for (int i = 0; i < info->n_result_groups; i++) {
        if (same_name(info->result_groups[i].name, name, length)) {
            return i;
        }
    }
    return -1;
}

int ir_attr_by_name(const ir_op_info *info, const char *name, size_t length)
{
    for (int i = 0; i < info->n_attrs; i++) {
        if (same_name(info->attr_names[i], name, length)) {
            return i;
        }
    }
    return -1;
}

/* ---- Memory ops, whatever their kind ---- */

bool ir_is_memory_op(const ir_op *op)
{
    return ir_op_info_of(op->code)->effects & (IR_READS | IR_WRITES | IR_ATOMIC);
}

ir_role ir_role_of(const ir_op *op, unsigned group)
{
    return ir_op_info_of(op->code)->operand_groups[group].role;
}

ir_value **ir_group_in_role(const ir_op *op, ir_role role, uint32_t *count)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    *count = 0;
    for (unsigned g = 0; g < info->n_operand_groups; g++)
        if (info->operand_groups[g].role == role)
            return ir_group(op, g, count);
    return NULL;
}

ir_value *ir_operand_in_role(const ir_op *op, ir_role role)
{
    uint32_t count;
    ir_value **first = ir_group_in_role(op, role, &count);
    return count ? first[0] : NULL;
}

bool ir_tells_place(const ir_op *op, unsigned group)
{
    ir_role role = ir_role_of(op, group);
    return role == IR_ROLE_ADDRESS || role == IR_ROLE_VIEW || role == IR_ROLE_INDEX ||
           role == IR_ROLE_MASK;
}

bool ir_is_data(const ir_op *op, unsigned group)
{
    ir_role role = ir_role_of(op, group);
    return role == IR_ROLE_DATA || role == IR_ROLE_PADDING;
}

bool ir_is_named_in_text(const ir_op *op, unsigned group)
{
    ir_role role = ir_role_of(op, group);
    return role == IR_ROLE_ADDRESS || role == IR_ROLE_INDEX || role == IR_ROLE_SUBJECT;
}

static int64_t attr_of(const ir_op *op, const char *name, int64_t when_absent)
{
    int attr = ir_attr_by_name(ir_op_info_of(op->code), name, strlen(name));
    return attr < 0 ? when_absent : ir_attr_int(op, (unsigned)attr, when_absent);
}

ir_ordering ir_memory_ordering(const ir_op *op)
{
    return (ir_ordering)attr_of(op, "memory_ordering_semantics", IR_WEAK);
}

ir_scope ir_memory_scope(const ir_op *op)
{
    return (ir_scope)attr_of(op, "memory_scope", IR_SCOPE_NONE);
}

ir_value *ir_token_in(const ir_op *op)
{
    return ir_operand_in_role(op, IR_ROLE_TOKEN);
}

ir_value *ir_token_out(const ir_op *op)
{
    if (!(ir_op_info_of(op->code)->effects & IR_TOKENS)) {
        return NULL;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        if (op->results[i].type->kind == IR_TOKEN) {
            return &op->results[i];
        }
    }
    return NULL;
}

/* ---- Walking ---- */

bool ir_is_loop(const ir_op *op)
{
    return op->code == IR_OP_FOR || op->code == IR_OP_LOOP;
}

bool ir_is_used(const ir_function *function, const ir_value *value)
{
    for (const ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
        for (uint32_t i = 0; i < op->n_operands; i++) {
            if (op->operands[i] == value) {
                return true;
            }
        }
    }
    return false;
}

/* Is operand i of the op the stride of an axis with one element? */
static bool is_idle_stride(const ir_op *op, uint32_t i)
{
    const ir_type *type = op->code == IR_OP_MAKE_TENSOR_VIEW ? op->results[0].type : NULL;
    uint32_t n, next = 0;
    ir_value **strides = type ? ir_group(op, IR_MAKE_TENSOR_VIEW_dynamic_strides, &n) : NULL;
    for (int d = 0; strides && d < type->rank; d++)
        if (type->strides[d] == IR_DYNAMIC && &strides[next++] == &op->operands[i])
            return type->shape[d] == 1;
    return false;
}

bool ir_claim_is_idle(const ir_op *assume)
{
    const ir_value *value = &assume->results[0];
    bool is_stride = false;
    for (const ir_op *op = ir_next_op(assume); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++) {
            if (op->operands[i] != value)
                continue;
            is_stride = op->code == IR_OP_ASSUME ? ir_claim_is_idle(op) : is_idle_stride(op, i);
            if (!is_stride)
                return false;
        }
    return is_stride;
}

size_t ir_enclosing(const ir_op *op, ir_opcode code_or_count, const ir_op **out, size_t limit)
{
    size_t depth = 0;
    for (const ir_op *at = op->parent->parent; at; at = at->parent->parent) {
        bool wanted = code_or_count == IR_OP_COUNT
                          ? (ir_op_info_of(at->code)->effects & IR_CONTROL) != 0
                          : at->code == code_or_count;
        depth += wanted;
    }
    size_t slot = depth;
    for (const ir_op *at = op->parent->parent; at && slot; at = at->parent->parent) {
        bool wanted = code_or_count == IR_OP_COUNT
                          ? (ir_op_info_of(at->code)->effects & IR_CONTROL) != 0
                          : at->code == code_or_count;
        if (wanted && --slot < limit) {
            out[slot] = at;
        }
    }
    return depth;
}

/* First op of the regions from `region` on; NULL when they are empty. */
static ir_op *first_inside(const ir_op *op, uint32_t region)
{
    for (; region < op->n_regions; region++) {
        if (op->regions[region] && op->regions[region]->first) {
            return op->regions[region]->first;
        }
    }
    return NULL;
}

static uint32_t region_number(const ir_op *op, const ir_block *block)
{
    uint32_t region = 0;
    while (region < op->n_regions && op->regions[region] != block) {
        region++;
    }
    return region;
}

ir_op *ir_first_op(const ir_function *function)
{
    return function->body->first;
}

ir_op *ir_next_op(const ir_op *op)
{
    ir_op *inside = first_inside(op, 0);
    while (!inside && op) {
        if (op->next) {
            return op->next;
        }
        const ir_block *block = op->parent;
        op = block->parent;
        if (op) {
            inside = first_inside(op, region_number(op, block) + 1);
        }
    }
    return inside;
}

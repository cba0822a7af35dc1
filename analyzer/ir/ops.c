/* The op table: ops.def as data. */
#include "ir/ir.h"

enum {
    PLAIN = 0,
    COUNTED_RESULTS = 1,
    COUNTED_OPERANDS = 2,
    COUNTED = COUNTED_RESULTS | COUNTED_OPERANDS,
};

/* ---- Groups, attributes and regions of each op ---- */

#define GROUP_one(name)                       GROUP_one_as(name, NONE)
#define GROUP_opt(name)                       GROUP_opt_as(name, NONE)
#define GROUP_many(name)                      GROUP_many_as(name, NONE)
#define GROUP_opt_since(name, since)          GROUP_opt_since_as(name, since, NONE)
#define GROUP_one_as(name, role)              {#name, IR_ONE, 1, IR_ROLE_##role},
#define GROUP_opt_as(name, role)              {#name, IR_OPTIONAL, 1, IR_ROLE_##role},
#define GROUP_many_as(name, role)             {#name, IR_MANY, 1, IR_ROLE_##role},
#define GROUP_opt_since_as(name, since, role) {#name, IR_OPTIONAL, since, IR_ROLE_##role},
#define ROW_GROUP(op, item)                   GROUP_##item

#define ATTR_at(name, kind)                       {#name, IR_CODE_##kind, false, 1, 0},
#define ATTR_opt_at(name, kind)                   {#name, IR_CODE_##kind, true, 1, 0},
#define ATTR_unit(name)                           {#name, IR_CODE_UNIT, true, 1, 0},
#define ATTR_unit_since(name, since)              {#name, IR_CODE_UNIT, true, since, 0},
#define ATTR_opt_at_since(name, kind, since)      {#name, IR_CODE_##kind, true, since, 0},
#define ATTR_at_since(name, kind, since, missing) {#name, IR_CODE_##kind, false, since, missing},
#define ROW_ATTR(op, item)                        ATTR_##item

#define QUOTE(text)             #text,
#define QUOTE_EXPANDED(text)    QUOTE(text)
#define ROW_ATTR_NAME(op, item) QUOTE_EXPANDED(IR_NAME_OF_##item)
#define ROW_REGION(op, item)    #item,

/* A last empty entry, because an array must not be empty. */
#define OP(...) OP_LISTS(__VA_ARGS__)
#define OP_LISTS(op, mnemonic, code, since, effects, encoding, operands, results, attrs, regions)  \
    static const ir_op_group operands_##op[] = {IR_EACH_IN(ROW_GROUP, op, operands){0}};           \
    static const ir_op_group results_##op[] = {IR_EACH_IN(ROW_GROUP, op, results){0}};             \
    static const ir_attr_info attrs_##op[] = {IR_EACH_IN(ROW_ATTR, op, attrs){0}};                 \
    static const char *const attr_names_##op[] = {IR_EACH_IN(ROW_ATTR_NAME, op, attrs) NULL};      \
    static const char *const regions_##op[] = {IR_EACH_IN(ROW_REGION, op, regions) NULL};
#include "ir/ops.def"

/* ---- The table ---- */

#define OP(...) OP_INFO(__VA_ARGS__)
#define OP_INFO(op, text, code, since, effect_bits, encoding, operands, results, attr_list,        \
                regions)                                                                           \
    [IR_OP_##op] = {                                                                               \
        .mnemonic = text,                                                                          \
        .bytecode = code,                                                                          \
        .since_minor = since,                                                                      \
        .effects = effect_bits,                                                                    \
        .n_operand_groups = IR_##op##_END,                                                         \
        .n_result_groups = IR_RS_##op##_END,                                                       \
        .n_attrs = IR_AT_##op##_END,                                                               \
        .n_regions = IR_RG_##op##_END,                                                             \
        .operand_groups = operands_##op,                                                           \
        .result_groups = results_##op,                                                             \
        .attr_names = attr_names_##op,                                                             \
        .region_names = regions_##op,                                                              \
        .attrs = attrs_##op,                                                                       \
        .counts_results = ((encoding) & COUNTED_RESULTS) != 0,                                     \
        .counts_operands = ((encoding) & COUNTED_OPERANDS) != 0,                                   \
    },
static const ir_op_info infos[IR_OP_COUNT] = {
#include "ir/ops.def"
};

const ir_op_info *ir_op_info_of(ir_opcode code)
{
    return &infos[code];
}

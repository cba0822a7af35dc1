/* Ops: opcode, result types, flags, attributes, operands, regions. */
#include "bytecode/read.h"
#include "base/ds.h"

enum { MAX_REGION_DEPTH = 64, MAX_ASSUMES = 64, MAX_GROUPS = 8 };

/* The parts of an op that are read before it is built. */
typedef struct op_parts {
    ir_opcode code;
    const ir_op_info *info;
    size_t offset; /* of the opcode */
    uint64_t flags;
    const ir_type **result_types;
    uint32_t n_results;
    uint32_t n_numbered; /* results that later operands may name: older versions lack some */
    uint32_t result_counts[MAX_GROUPS];
    uint32_t operand_counts[MAX_GROUPS];
} op_parts;

/* Reads the opcode. False: it is unknown, later than the version, or of an op that stands only
 * outside of functions. */
static bool read_opcode(bc_reader *r, bc_cursor *c, op_parts *op)
{
    op->offset = c->at;
    uint64_t number = bc_varint(r, c, "an opcode");
    if (r->failed) {
        return false;
    }
    int code = number < TR_COUNT(r->opcode_of) ? r->opcode_of[number] : -1;
    for (int i = 0; i < IR_OP_COUNT && number >= TR_COUNT(r->opcode_of); i++) {
        if (ir_op_info_of((ir_opcode)i)->bytecode == number) {
            code = i;
        }
    }
    if (code < 0) {
        bc_fail(r, op->offset, "unknown opcode %llu", (unsigned long long)number);
        return false;
    }
    op->code = (ir_opcode)code;
    op->info = ir_op_info_of(op->code);
    if (op->info->since_minor > r->minor) {
        bc_fail(r, op->offset, "op '%s' (opcode %u) in version 13.%u; it came with 13.%u",
                op->info->mnemonic, op->info->bytecode, r->minor, op->info->since_minor);
    } else if (op->code == IR_OP_MODULE || op->code == IR_OP_GLOBAL || op->code == IR_OP_ENTRY) {
        bc_fail(r, op->offset, "op '%s' (opcode %u) inside a function", op->info->mnemonic,
                op->info->bytecode);
    }
    return !r->failed;
}

/* ---- Results ---- */

/* Gives `count` things to groups: one each to those that must have one, then as many as they take
 * to the others, in order. Groups that came after the file's version take none. False: they do not
 * fit. */
static bool spread(const bc_reader *r, const ir_op_group *groups, int n_groups, uint64_t count,
                   uint32_t *counts)
{
    for (int g = 0; g < n_groups; g++) {
        counts[g] = groups[g].arity == IR_ONE;
        if (count < counts[g]) {
            return false;
        }
        count -= counts[g];
    }
    for (int g = 0; g < n_groups; g++) {
        if (groups[g].arity == IR_ONE || groups[g].since_minor > r->minor) {
            continue;
        }
        uint64_t taken = groups[g].arity == IR_OPTIONAL && count > 1 ? 1 : count;
        counts[g] = (uint32_t)taken;
        count -= taken;
    }
    return count == 0;
}

/* A result that came later than the file is there all the same, as nobody names it: a token. */
static void add_later_results(bc_reader *r, op_parts *op)
{
    for (int g = 0; g < op->info->n_result_groups; g++) {
        if (op->info->result_groups[g].since_minor > r->minor) {
            op->result_counts[g] = 1;
            op->result_types[op->n_results++] = ir_type_token(r->module);
        }
    }
}

/* Reads the result types, after their number for ops that count them. Adds the results that the
 * version lacks, which no operand can name. */
static void read_results(bc_reader *r, bc_cursor *c, op_parts *op)
{
    const ir_op_info *info = op->info;
    size_t start = c->at;
    uint64_t count = info->n_result_groups;
    if (info->counts_results) {
        count = bc_count(r, c, 1, "the number of an op's results");
    }
    if (!r->failed &&
        (count > UINT32_MAX / 2 ||
         !spread(r, info->result_groups, info->n_result_groups, count, op->result_counts))) {
        bc_fail(r, start, "op '%s' with %llu results", info->mnemonic, (unsigned long long)count);
    }
    if (r->failed) {
        return;
    }
    op->result_types = TR_NEW_ARRAY(r->scratch, const ir_type *, count + MAX_GROUPS);
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        size_t at = c->at;
        const ir_type *type = bc_type(r, c, "a result's type");
        if (type && (type->kind < IR_TILE || type->kind == IR_FUNCTION_TYPE)) {
            bc_fail(r, at, "a result of op '%s' has a type that values cannot have",
                    info->mnemonic);
        }
        op->result_types[i] = type;
    }
    op->n_results = op->n_numbered = (uint32_t)count;
    add_later_results(r, op);
}

/* ---- Flags, attributes ---- */

static void read_flags(bc_reader *r, bc_cursor *c, op_parts *op)
{
    if (!bc_has_flags(op->info, r->minor)) {
        return;
    }
    size_t start = c->at;
    op->flags = bc_varint(r, c, "an op's flags");
    uint64_t unknown = op->flags & ~bc_known_flags(op->info, r->minor);
    if (unknown) {
        bc_fail(r, start, "unknown flags 0x%llx of op '%s'", (unsigned long long)unknown,
                op->info->mnemonic);
    }
}

static ir_attr missing_attr(const ir_attr_info *info)
{
    if (info->coding == IR_CODE_BOOLS) {
        return (ir_attr){.kind = IR_ATTR_INTS};
    }
    if (info->optional && info->coding != IR_CODE_UNIT) {
        return (ir_attr){0};
    }
    return ir_attr_of_int(info->missing);
}

static void read_attrs(bc_reader *r, bc_cursor *c, const op_parts *op, ir_attr *attrs)
{
    const ir_type *type = op->n_results ? op->result_types[0] : NULL;
    for (int i = 0; i < op->info->n_attrs && !r->failed; i++) {
        const ir_attr_info *info = &op->info->attrs[i];
        int bit = bc_attr_flag(op->info, i);
        bool there = info->since_minor <= r->minor && (bit < 0 || op->flags >> bit & 1);
        attrs[i] = there ? bc_attr(r, c, info, type) : missing_attr(info);
    }
}

/* ---- Operands ---- */

static void read_values(bc_reader *r, bc_cursor *c, const op_parts *op, uint64_t count)
{
    for (uint64_t i = 0; i < count && !r->failed; i++) {
        size_t start = c->at;
        uint64_t number = bc_varint(r, c, "an operand");
        if (!r->failed && number >= arrlenu(r->values)) {
            bc_fail(r, start, "an operand of op '%s' is value %llu of %zu", op->info->mnemonic,
                    (unsigned long long)number, arrlenu(r->values));
        }
        if (!r->failed) {
            arrput(r->operands, r->values[number]);
        }
    }
}

static void read_counted_operands(bc_reader *r, bc_cursor *c, op_parts *op)
{
    const ir_op_info *info = op->info;
    size_t start = c->at;
    uint64_t count = bc_count(r, c, 1, "the number of an op's operands");
    if (!r->failed &&
        (count > UINT32_MAX ||
         !spread(r, info->operand_groups, info->n_operand_groups, count, op->operand_counts))) {
        bc_fail(r, start, "op '%s' with %llu operands", info->mnemonic, (unsigned long long)count);
    }
    read_values(r, c, op, count);
}

static void read_operands(bc_reader *r, bc_cursor *c, op_parts *op)
{
    arrsetlen(r->operands, 0);
    if (op->info->counts_operands) {
        read_counted_operands(r, c, op);
        return;
    }
    for (int g = 0; g < op->info->n_operand_groups && !r->failed; g++) {
        const ir_op_group *group = &op->info->operand_groups[g];
        uint64_t count = 1;
        if (group->since_minor > r->minor) {
            count = 0;
        } else if (group->arity == IR_OPTIONAL) {
            count = op->flags >> bc_operand_flag(op->info, g) & 1;
        } else if (group->arity == IR_MANY) {
            count = bc_count(r, c, 1, "the number of an op's operands");
        }
        op->operand_counts[g] = (uint32_t)count;
        read_values(r, c, op, count);
    }
}

/* ---- Ops and regions ---- */

static void read_op(bc_reader *r, bc_cursor *c, ir_builder *builder, bc_places *places);

static ir_op *build(bc_reader *r, ir_builder *builder, const op_parts *op)
{
    ir_operand_list groups[MAX_GROUPS];
    size_t at = 0;
    for (int g = 0; g < op->info->n_operand_groups; g++) {
        groups[g] = (ir_operand_list){r->operands ? r->operands + at : NULL, op->operand_counts[g]};
        at += op->operand_counts[g];
    }
    return ir_build(builder, op->code, groups, op->n_results, op->result_types, op->result_counts);
}

/* Reads N-ARGUMENTS TYPE... N-OPS OP... Values of the block are not in scope after it. NULL:
 * memory for it is not affordable. */
static ir_block *read_block(bc_reader *r, bc_cursor *c, ir_builder *builder, bc_places *places)
{
    uint64_t n_args = bc_count(r, c, 1, "the number of a block's arguments");
    const ir_type **types = TR_NEW_ARRAY(r->scratch, const ir_type *, n_args + 1);
    for (uint64_t i = 0; i < n_args && !r->failed; i++) {
        size_t start = c->at;
        types[i] = bc_type(r, c, "a block argument's type");
        if (types[i] && (types[i]->kind < IR_TILE || types[i]->kind == IR_FUNCTION_TYPE)) {
            bc_fail(r, start, "a block argument has a type that values cannot have");
        }
    }
    uint64_t n_ops = bc_count(r, c, 1, "the number of a block's ops");
    if (!bc_afford(r, c->at, n_args * sizeof(ir_value))) {
        return NULL;
    }
    ir_block *block = ir_block_new(r->module, builder->function, (uint32_t)n_args, types);
    size_t outer_values = arrlenu(r->values);
    for (uint32_t i = 0; i < block->n_args; i++) {
        arrput(r->values, block->args[i]);
    }
    ir_builder inner = {.module = r->module, .function = builder->function, .block = block};
    for (uint64_t i = 0; i < n_ops && !r->failed; i++) {
        read_op(r, c, &inner, places);
    }
    arrsetlen(r->values, outer_values);
    return block;
}

static void read_region(bc_reader *r, bc_cursor *c, ir_builder *builder, bc_places *places,
                        ir_op *op, unsigned region)
{
    size_t start = c->at;
    uint64_t blocks = bc_varint(r, c, "the number of a region's blocks");
    bool may_be_empty = op->code == IR_OP_IF && region == IR_RG_IF_else;
    if (!r->failed && (blocks > 1 || (blocks == 0 && !may_be_empty))) {
        bc_fail(r, start, "a region of op '%s' has %llu blocks", ir_op_info_of(op->code)->mnemonic,
                (unsigned long long)blocks);
    }
    if (r->failed || blocks == 0) {
        return;
    }
    ir_block *block = read_block(r, c, builder, places);
    if (block) {
        ir_set_region(op, region, block);
    }
}

static void read_regions(bc_reader *r, bc_cursor *c, ir_builder *builder, bc_places *places,
                         ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    if (info->n_regions == 0) {
        return;
    }
    size_t start = c->at;
    uint64_t count = bc_varint(r, c, "the number of an op's regions");
    if (!r->failed && count != info->n_regions) {
        bc_fail(r, start, "op '%s' with %llu regions", info->mnemonic, (unsigned long long)count);
    }
    if (!bc_enter(r, &r->region_depth, start, MAX_REGION_DEPTH, "regions")) {
        return;
    }
    for (unsigned i = 0; i < info->n_regions && !r->failed; i++) {
        read_region(r, c, builder, places, op, i);
    }
    r->region_depth--;
}

/* The name that the printer gives to an assume is made of the names of all assumes below it: a
 * chain of thousands takes its length squared. Real ones have two or three. */
static void limit_assumes(bc_reader *r, const op_parts *parts, const ir_op *op)
{
    int count = 0;
    for (const ir_op *at = op; at && at->code == IR_OP_ASSUME; at = at->operands[0]->def) {
        if (++count > MAX_ASSUMES) {
            bc_fail(r, parts->offset, "more than %d assumes of the same value", MAX_ASSUMES);
            return;
        }
    }
}

/* Reads OPCODE RESULTS FLAGS ATTRIBUTES OPERANDS REGIONS, as put_op() writes them, and builds the
 * op. */
static void read_op(bc_reader *r, bc_cursor *c, ir_builder *builder, bc_places *places)
{
    op_parts parts = {0};
    ir_attr attrs[MAX_GROUPS];
    if (!read_opcode(r, c, &parts)) {
        return;
    }
    builder->place = bc_next_place(r, places, parts.offset);
    read_results(r, c, &parts);
    read_flags(r, c, &parts);
    read_attrs(r, c, &parts, attrs);
    read_operands(r, c, &parts);
    if (!bc_afford(r, parts.offset, parts.n_results * sizeof(ir_value))) {
        return;
    }
    ir_op *op = build(r, builder, &parts);
    for (int i = 0; i < parts.info->n_attrs; i++) {
        op->attrs[i] = attrs[i];
    }
    limit_assumes(r, &parts, op);
    read_regions(r, c, builder, places, op);
    /* A region does not see the results of its own op. */
    for (uint32_t i = 0; i < parts.n_numbered && !r->failed; i++) {
        arrput(r->values, &op->results[i]);
    }
}

void bc_read_body(bc_reader *r, bc_cursor *c, ir_function *function, bc_places *places)
{
    arrsetlen(r->values, 0);
    for (uint32_t i = 0; i < function->body->n_args; i++) {
        arrput(r->values, function->body->args[i]);
    }
    ir_builder builder = {.module = r->module, .function = function, .block = function->body};
    while (!r->failed && c->at < c->end) {
        read_op(r, c, &builder, places);
    }
}

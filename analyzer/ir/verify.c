/* The verifier's walk: counts, visibility of values, regions and terminators. What the types and
 * attributes of each op must be is in verify_ops.c and the files of the families. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/verify.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_DEPTH = 1000 };
enum { VISIBLE = 1, SEEN = 2 /* its region is left */ };

bool ir_fail(verifier *v, const ir_op *op, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    char *text = tr_arena_vprintf(v->errors->arena, format, arguments);
    va_end(arguments);
    tr_errors_add(v->errors, op->place, "%s: %s", ir_op_info_of(op->code)->mnemonic, text);
    return false;
}

const char *ir_type_text(const verifier *v, const ir_type *type)
{
    tr_text text = {0};
    ir_type_print(&text, type);
    char *kept = tr_arena_strdup(v->errors->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

/* ---- Types ---- */

static bool is_good_type(verifier *v, const ir_type *type);

static bool are_parts_good(verifier *v, const ir_type *type)
{
    return (!type->elem || is_good_type(v, type->elem)) &&
           (!type->tensor || is_good_type(v, type->tensor));
}

/* Says what is wrong with a type once; afterwards it only says that it is bad. */
static bool is_good_type(verifier *v, const ir_type *type)
{
    if (type->id >= v->n_types) {
        uint32_t size = (type->id + 64) * 2;
        v->type_state = realloc(v->type_state, size);
        if (!v->type_state) {
            tr_no_memory();
        }
        memset(v->type_state + v->n_types, 0, size - v->n_types);
        v->n_types = size;
    }
    if (v->type_state[type->id] == 0) {
        v->type_state[type->id] = 2;
        bool parts = are_parts_good(v, type);
        const char *fault = parts ? ir_type_fault(v->errors->arena, type) : NULL;
        if (fault) {
            tr_place none = {0};
            tr_errors_add(v->errors, &none, "%s: %s", ir_type_text(v, type), fault);
        }
        v->type_state[type->id] = parts && !fault ? 1 : 2;
    }
    return v->type_state[type->id] == 1;
}

/* Checks the type as is_good does, and reports at the op's place if it is first met there. */
static bool is_good_at(verifier *v, const ir_op *op, const ir_type *type)
{
    size_t before = v->errors->total;
    bool good = is_good_type(v, type);
    size_t kept = v->errors->limit ? v->errors->limit : 100;
    if (!good && v->errors->total == before + 1 && before < kept && op->place) {
        v->errors->items[before].place = *op->place;
    }
    return good;
}

/* ---- Counts ---- */

static bool count_fits(ir_arity arity, uint32_t count)
{
    return arity == IR_MANY || (arity == IR_ONE ? count == 1 : count <= 1);
}

static bool verify_groups(verifier *v, const ir_op *op, const ir_op_group *groups, int n_groups,
                          const uint32_t *ends, uint32_t total, const char *what)
{
    uint32_t from = 0;
    for (int g = 0; g < n_groups; g++) {
        if (ends[g] < from || ends[g] > total) {
            return ir_fail(v, op, "its %ss are not grouped", what);
        }
        uint32_t count = ends[g] - from;
        if (!count_fits(groups[g].arity, count)) {
            return ir_fail(v, op, "%s '%s' takes %s, not %u values", what, groups[g].name,
                           groups[g].arity == IR_ONE ? "one" : "at most one", count);
        }
        from = ends[g];
    }
    return from == total || ir_fail(v, op, "it has %u %ss too many", total - from, what);
}

static bool verify_counts(verifier *v, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    if (!verify_groups(v, op, info->operand_groups, info->n_operand_groups, op->group_end,
                       op->n_operands, "operand")) {
        return false;
    }
    if (!verify_groups(v, op, info->result_groups, info->n_result_groups, op->result_group_end,
                       op->n_results, "result")) {
        return false;
    }
    return op->n_regions == info->n_regions || ir_fail(v, op, "it has %u regions", op->n_regions);
}

/* ---- Values ---- */

static bool define(verifier *v, const ir_op *op, const ir_value *value)
{
    if (value->id >= v->function->n_values || v->visible[value->id]) {
        tr_errors_add(v->errors, op ? op->place : v->function->place,
                      "value number %u is given twice or out of range", value->id);
        return false;
    }
    v->visible[value->id] = VISIBLE;
    return true;
}

static bool verify_operands(verifier *v, const ir_op *op)
{
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const ir_value *value = op->operands[i];
        if (!value) {
            return ir_fail(v, op, "operand %u is missing", i);
        }
        if (value->id >= v->function->n_values || v->visible[value->id] != VISIBLE) {
            return ir_fail(v, op, "operand %u is not defined before and around the operation", i);
        }
    }
    return true;
}

static bool verify_types(verifier *v, const ir_op *op)
{
    bool good = true;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        good = is_good_at(v, op, op->operands[i]->type) && good;
    }
    for (uint32_t i = 0; i < op->n_results; i++) {
        good = is_good_at(v, op, op->results[i].type) && good;
    }
    return good;
}

/* ---- Attributes ---- */

/* These mean their default where they are absent. */
static bool may_be_absent(const ir_attr_info *info)
{
    return info->optional || info->since_minor > 1 || info->coding == IR_CODE_OVERFLOW ||
           info->coding == IR_CODE_ROUNDING;
}

static ir_attr_kind kind_of_coding(ir_attr_coding coding)
{
    switch (coding) {
    case IR_CODE_STRING:
        return IR_ATTR_STRING;
    case IR_CODE_TYPE:
        return IR_ATTR_TYPE;
    case IR_CODE_DENSE:
        return IR_ATTR_DENSE;
    case IR_CODE_I32S:
    case IR_CODE_BOOLS:
        return IR_ATTR_INTS;
    case IR_CODE_ARRAY:
        return IR_ATTR_LIST;
    case IR_CODE_HINTS:
        return IR_ATTR_NAMED;
    case IR_CODE_ASSUME:
        return IR_ATTR_ASSUME;
    default:
        return IR_ATTR_INT;
    }
}

static bool verify_attr(verifier *v, const ir_op *op, const ir_attr_info *info, const ir_attr *attr)
{
    if (attr->kind == IR_ATTR_NONE) {
        return may_be_absent(info) || ir_fail(v, op, "attribute '%s' is missing", info->name);
    }
    if (attr->kind != kind_of_coding(info->coding)) {
        return ir_fail(v, op, "attribute '%s' is of the wrong kind", info->name);
    }
    bool is_absent_scope = info->optional && info->coding == IR_CODE_SCOPE && attr->number == 0;
    if (info->coding >= IR_CODE_ORDERING && !is_absent_scope &&
        !ir_enum_keyword(info->coding, attr->number)) {
        return ir_fail(v, op, "attribute '%s' has no value %lld", info->name,
                       (long long)attr->number);
    }
    return true;
}

static bool verify_attrs(verifier *v, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    bool good = true;
    for (int i = 0; i < info->n_attrs; i++) {
        good = verify_attr(v, op, &info->attrs[i], &op->attrs[i]) && good;
    }
    return good;
}

/* ---- Blocks ---- */

static bool is_terminator(const ir_op *op)
{
    return ir_op_info_of(op->code)->effects & IR_TERMINATOR;
}

/* May this terminator end a region of this op (NULL: a function's body)? */
static bool may_end(const ir_op *parent, ir_opcode terminator)
{
    if (!parent) {
        return terminator == IR_OP_RETURN;
    }
    switch (parent->code) {
    case IR_OP_FOR:
        return terminator == IR_OP_CONTINUE;
    case IR_OP_LOOP:
        return terminator == IR_OP_CONTINUE || terminator == IR_OP_BREAK ||
               terminator == IR_OP_RETURN;
    case IR_OP_IF:
        return true;
    default:
        return terminator == IR_OP_YIELD;
    }
}

static void verify_block(verifier *v, const ir_op *parent, const ir_block *block);

static void verify_regions(verifier *v, const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (uint32_t r = 0; r < op->n_regions; r++) {
        bool optional = op->code == IR_OP_IF && r == IR_RG_IF_else;
        if (!op->regions[r] && !optional) {
            ir_fail(v, op, "region '%s' is missing", info->region_names[r]);
        } else if (op->regions[r] && op->regions[r]->parent != op) {
            ir_fail(v, op, "region '%s' belongs to another operation", info->region_names[r]);
        } else if (op->regions[r]) {
            verify_block(v, op, op->regions[r]);
        }
    }
}

static void verify_op(verifier *v, const ir_op *op)
{
    if ((int)op->code < 0 || op->code >= IR_OP_COUNT || op->code == IR_OP_MODULE ||
        op->code == IR_OP_GLOBAL || op->code == IR_OP_ENTRY) {
        tr_errors_add(v->errors, op->place, "operation %d has no place in a block", (int)op->code);
        return;
    }
    bool good = verify_counts(v, op) && verify_operands(v, op);
    good = good && verify_attrs(v, op) && verify_types(v, op);
    bool has_regions = true;
    for (uint32_t r = 0; r < op->n_regions; r++) {
        has_regions = has_regions && (op->regions[r] || (op->code == IR_OP_IF && r > 0));
    }
    if (good && has_regions) {
        ir_verify_op_rules(v, op);
    }
    verify_regions(v, op);
    for (uint32_t i = 0; i < op->n_results; i++) {
        define(v, op, &op->results[i]);
    }
}

static void verify_end(verifier *v, const ir_op *parent, const ir_block *block)
{
    const char *where = parent ? ir_op_info_of(parent->code)->mnemonic : "entry";
    const tr_place *place = parent ? parent->place : v->function->place;
    if (!block->last || !is_terminator(block->last)) {
        tr_errors_add(v->errors, place, "%s: a region does not end with a terminator", where);
    } else if (!may_end(parent, block->last->code)) {
        ir_fail(v, block->last, "it cannot end a region of '%s'", where);
    }
}

/* A value that a region defines is not visible outside of it. */
static void leave(verifier *v, const ir_block *block)
{
    for (uint32_t i = 0; i < block->n_args; i++) {
        if (block->args[i]->id < v->function->n_values) {
            v->visible[block->args[i]->id] = SEEN;
        }
    }
    for (const ir_op *op = block->first; op; op = op->next) {
        for (uint32_t i = 0; i < op->n_results; i++) {
            if (op->results[i].id < v->function->n_values) {
                v->visible[op->results[i].id] = SEEN;
            }
        }
    }
}

static void verify_block(verifier *v, const ir_op *parent, const ir_block *block)
{
    if (v->depth >= MAX_DEPTH) {
        tr_errors_add(v->errors, parent ? parent->place : NULL,
                      "regions are nested more than %d deep", MAX_DEPTH);
        return;
    }
    v->depth++;
    for (uint32_t i = 0; i < block->n_args; i++) {
        define(v, parent, block->args[i]);
    }
    for (const ir_op *op = block->first; op; op = op->next) {
        if (op->parent != block) {
            ir_fail(v, op, "it is linked into a block that is not its own");
        }
        if (op->next && is_terminator(op)) {
            ir_fail(v, op, "it ends its block, but operations follow");
        }
        verify_op(v, op);
    }
    verify_end(v, parent, block);
    leave(v, block);
    v->depth--;
}

/* ---- Functions ---- */

static void verify_signature(verifier *v, const ir_function *function)
{
    const ir_type *type = function->type;
    if ((uint32_t)type->n_params != function->body->n_args) {
        tr_errors_add(v->errors, function->place, "%s: %d parameters, but %u block arguments",
                      function->shown, type->n_params, function->body->n_args);
        return;
    }
    if (function->is_entry && type->n_results) {
        tr_errors_add(v->errors, function->place, "%s: an entry returns nothing", function->shown);
    }
    for (int i = 0; i < type->n_params; i++) {
        const ir_type *param = type->params[i];
        if (param != function->body->args[i]->type) {
            tr_errors_add(v->errors, function->place,
                          "%s: parameter %d is %s in the signature and %s in the body",
                          function->shown, i, ir_type_text(v, param),
                          ir_type_text(v, function->body->args[i]->type));
        }
        if (is_good_type(v, param) && function->is_entry &&
            (param->kind != IR_TILE || param->rank != 0)) {
            tr_errors_add(v->errors, function->place,
                          "%s: parameter %d of an entry is a scalar tile, not %s", function->shown,
                          i, ir_type_text(v, param));
        }
    }
}

static void verify_globals(verifier *v)
{
    for (const ir_global *global = v->module->globals; global; global = global->next) {
        const ir_type *type = global->value.type;
        if (global->value.kind != IR_ATTR_DENSE || type->kind != IR_TILE || type->rank != 1) {
            tr_errors_add(v->errors, NULL, "global '%s' is not a tile of rank 1", global->name);
        } else {
            is_good_type(v, type);
        }
    }
}

bool ir_verify(const ir_module *module, tr_errors *errors)
{
    size_t before = errors->total;
    verifier v = {.module = module, .errors = errors};
    verify_globals(&v);
    for (const ir_function *function = module->functions; function; function = function->next) {
        v.function = function;
        v.visible = calloc(function->n_values + 1, 1);
        if (!v.visible) {
            tr_no_memory();
        }
        verify_signature(&v, function);
        verify_block(&v, NULL, function->body);
        free(v.visible);
    }
    free(v.type_state);
    return errors->total == before;
}

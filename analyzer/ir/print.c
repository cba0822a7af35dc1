/* Ops and modules in tileirdisasm's text. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/names.h"
#include "ir/print.h"

#include <string.h>

/* ---- Locations ---- */

static void print_location(printer *p, const tr_place *place)
{
    if (p->locations) {
        tr_text_add(p->out, " loc(");
        ir_print_location(p->out, p->locations, place);
        tr_text_add(p->out, ")");
    }
}

/* ---- Pieces ---- */

void ir_put_value(printer *p, const ir_value *value)
{
    tr_text_addf(p->out, "%%%s", ir_name_of(p->names, value));
}

void ir_put_values(printer *p, ir_value *const *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_text_add(p->out, i ? ", " : "");
        ir_put_value(p, values[i]);
    }
}

void ir_put_types(printer *p, ir_value *const *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_text_add(p->out, i ? ", " : "");
        ir_type_print(p->out, values[i]->type);
    }
}

void ir_put_result_types(printer *p, const ir_value *results, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_text_add(p->out, i ? ", " : "");
        ir_type_print(p->out, results[i].type);
    }
}

static void print_types_folded(printer *p, ir_value *const *values, uint32_t count)
{
    bool same = true;
    for (uint32_t i = 1; i < count; i++) {
        same = same && values[i]->type == values[0]->type;
    }
    if (count) {
        tr_text_add(p->out, ", ");
        ir_put_types(p, values, same ? 1 : count);
    }
}

static void print_numbers(tr_text *out, const ir_attr *attr, bool as_bools)
{
    tr_text_add(out, "[");
    for (size_t i = 0; i < attr->count; i++) {
        tr_text_add(out, i ? ", " : "");
        if (as_bools) {
            tr_text_add(out, attr->numbers[i] ? "true" : "false");
        } else {
            tr_text_addf(out, "%lld", (long long)attr->numbers[i]);
        }
    }
    tr_text_add(out, "]");
}

void ir_put_identities(tr_text *out, const ir_attr *attr)
{
    tr_text_add(out, "[");
    for (size_t i = 0; i < attr->count; i++) {
        tr_text_add(out, i ? ", " : "");
        ir_print_typed_number(out, &attr->items[i]);
    }
    tr_text_add(out, "]");
}

/* ---- Attributes in a row of syntax.def ---- */

static void print_attr(tr_text *out, const ir_attr_info *info, const ir_attr *attr)
{
    const char *keyword =
        attr->kind == IR_ATTR_INT ? ir_enum_keyword(info->coding, attr->number) : NULL;
    if (keyword) {
        tr_text_add(out, keyword);
        return;
    }
    switch (info->coding) {
    case IR_CODE_STRING:
        if (strcmp(info->name, "name") == 0) {
            ir_print_symbol(out, attr->string ? attr->string : "");
        } else {
            ir_print_quoted(out, attr->string ? attr->string : "");
        }
        break;
    case IR_CODE_DENSE:
        ir_print_dense(out, attr);
        break;
    case IR_CODE_ASSUME:
        ir_print_assume(out, attr);
        break;
    case IR_CODE_HINTS:
        ir_print_hints(out, attr);
        break;
    case IR_CODE_ARRAY:
        ir_put_identities(out, attr);
        break;
    case IR_CODE_I32S:
    case IR_CODE_BOOLS:
        print_numbers(out, attr, info->coding == IR_CODE_BOOLS);
        break;
    case IR_CODE_BOOL:
        tr_text_add(out, attr->number ? "true" : "false");
        break;
    default:
        tr_text_addf(out, "%lld", (long long)attr->number);
    }
}

static bool any_set(const ir_attr *attr)
{
    for (size_t i = 0; i < attr->count; i++) {
        if (attr->numbers[i]) {
            return true;
        }
    }
    return false;
}

static int64_t default_rounding(ir_opcode code)
{
    switch (code) {
    case IR_OP_DIVI:
        return IR_ROUND_ZERO;
    case IR_OP_FTOI:
        return IR_ROUND_NEAREST_INT_TO_ZERO;
    case IR_OP_EXP:
    case IR_OP_TANH:
        return IR_ROUND_FULL;
    default:
        return IR_ROUND_NEAREST_EVEN;
    }
}

/* An attribute that is left out when it says nothing; `space` goes before it. */
static void print_optional_attr(tr_text *out, const ir_op *op, const ir_attr_info *info,
                                const ir_attr *attr, const char *space)
{
    const char *keyword =
        attr->kind == IR_ATTR_INT ? ir_enum_keyword(info->coding, attr->number) : NULL;
    switch (info->coding) {
    case IR_CODE_UNIT:
        if (attr->number) {
            tr_text_addf(out, "%s%s", space, info->name);
        }
        break;
    case IR_CODE_SCOPE:
        if (keyword) {
            tr_text_addf(out, "%s%s", space, keyword);
        }
        break;
    case IR_CODE_OVERFLOW:
        if (attr->number != IR_WRAP && keyword) {
            tr_text_addf(out, "%soverflow<%s>", space, keyword);
        }
        break;
    case IR_CODE_ROUNDING:
        if (attr->number != default_rounding(op->code) && keyword) {
            tr_text_addf(out, "%srounding<%s>", space, keyword);
        }
        break;
    case IR_CODE_HINTS:
        if (attr->kind == IR_ATTR_NAMED) {
            tr_text_addf(out, "%soptimization_hints = ", space);
            ir_print_hints(out, attr);
        }
        break;
    case IR_CODE_BOOLS:
        if (any_set(attr)) {
            tr_text_addf(out, "%s%s = ", space, info->name);
            print_numbers(out, attr, true);
        }
        break;
    case IR_CODE_MULTIMEM_KIND:
        if (attr->number != IR_MULTIMEM_ADD && keyword) {
            tr_text_addf(out, "%sattributes {%s = #cuda_tile.multimem_reduction_kind<%s>}", space,
                         info->name, keyword);
        }
        break;
    default:
        break;
    }
}

/* ---- Rows of syntax.def ---- */

#define SYNTAX(name, text) [IR_OP_##name] = text,
static const char *const rows[IR_OP_COUNT] = {
#include "ir/syntax.def"
};

static size_t word_length(const char *text)
{
    return strspn(text, "abcdefghijklmnopqrstuvwxyz_");
}

static bool is_there(const ir_op *op, const ir_op_info *info, const char *name, size_t length)
{
    int group = ir_operand_group_by_name(info, name, length);
    if (group >= 0) {
        return ir_operand(op, (unsigned)group) != NULL;
    }
    int attr = ir_attr_by_name(info, name, length);
    return attr >= 0 && op->attrs[attr].kind != IR_ATTR_NONE;
}

static void print_operand_item(printer *p, const ir_op *op, const ir_op_info *info, char what,
                               const char *name, size_t length)
{
    int group = ir_operand_group_by_name(info, name, length);
    uint32_t count = 0;
    ir_value **values = group >= 0 ? ir_group(op, (unsigned)group, &count) : NULL;
    if (what == '$') {
        ir_put_values(p, values, count);
    } else if (what == ':') {
        ir_put_types(p, values, count);
    } else {
        print_types_folded(p, values, count);
    }
}

static void print_result_item(printer *p, const ir_op *op, const ir_op_info *info, const char *name,
                              size_t length)
{
    int group = ir_result_group_by_name(info, name, length);
    if (group >= 0) {
        uint32_t count;
        ir_value *results = ir_result_group(op, (unsigned)group, &count);
        ir_put_result_types(p, results, count);
    }
}

static void print_attr_item(printer *p, const ir_op *op, const ir_op_info *info, char what,
                            const char *name, size_t length)
{
    int attr = ir_attr_by_name(info, name, length);
    if (attr < 0) {
        return;
    }
    if (what == '@') {
        print_attr(p->out, &info->attrs[attr], &op->attrs[attr]);
    } else {
        print_optional_attr(p->out, op, &info->attrs[attr], &op->attrs[attr],
                            what == '~' ? " " : "");
    }
}

/* Prints up to the end of the row or of the braces; returns what is behind. */
static const char *print_row(printer *p, const ir_op *op, const char *at, bool shown)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    while (*at && *at != '}') {
        char what = *at;
        size_t length = word_length(at + 1);
        if (what == '{') {
            bool there = is_there(op, info, at + 1, length);
            at = print_row(p, op, at + length + 2, shown && there) + 1;
            continue;
        }
        if (length == 0 || !strchr("$:>&@~!", what)) {
            tr_text_addn(p->out, at, shown ? 1 : 0);
            at++;
            continue;
        }
        if (shown && what == '>') {
            print_result_item(p, op, info, at + 1, length);
        } else if (shown && strchr("$:&", what)) {
            print_operand_item(p, op, info, what, at + 1, length);
        } else if (shown) {
            print_attr_item(p, op, info, what, at + 1, length);
        }
        at += 1 + length;
    }
    return at;
}

static void print_head(printer *p, const ir_op *op)
{
    ir_print_results(p->out, p->names, op);
    tr_text_add(p->out, ir_op_info_of(op->code)->mnemonic);
    if (rows[op->code]) {
        tr_text_add(p->out, " ");
        print_row(p, op, rows[op->code], true);
    } else {
        ir_print_form(p, op);
    }
}

/* ---- Regions ---- */

static void new_line(printer *p)
{
    tr_text_addf(p->out, "\n%*s", p->indent * 2, "");
}

static void print_op(printer *p, const ir_op *op);

static void print_ops(printer *p, const ir_block *block, const ir_op *left_out)
{
    tr_text_add(p->out, "{");
    p->indent++;
    for (const ir_op *op = block->first; op; op = op->next) {
        if (op != left_out) {
            new_line(p);
            print_op(p, op);
        }
    }
    p->indent--;
    new_line(p);
    tr_text_add(p->out, "}");
}

/* A region's own terminator without operands is not written. */
static void print_control_region(printer *p, const ir_op *op, const ir_block *block)
{
    ir_opcode own = op->code == IR_OP_IF ? IR_OP_YIELD : IR_OP_CONTINUE;
    const ir_op *last = block->last;
    bool hidden = last && last->code == own && last->n_operands == 0;
    print_ops(p, block, hidden ? last : NULL);
}

static void print_argument_region(printer *p, const ir_block *block)
{
    tr_text_add(p->out, " ");
    new_line(p);
    tr_text_add(p->out, "(");
    for (uint32_t i = 0; i < block->n_args; i++) {
        tr_text_add(p->out, i ? ", " : "");
        ir_put_value(p, block->args[i]);
        tr_text_add(p->out, ": ");
        ir_type_print(p->out, block->args[i]->type);
    }
    tr_text_add(p->out, ") ");
    print_ops(p, block, NULL);
}

static void print_regions(printer *p, const ir_op *op)
{
    bool control = ir_op_info_of(op->code)->effects & IR_CONTROL;
    for (uint32_t r = 0; r < op->n_regions; r++) {
        if (!op->regions[r]) {
            continue;
        }
        if (control) {
            tr_text_add(p->out, r ? " else " : " ");
            print_control_region(p, op, op->regions[r]);
        } else {
            print_argument_region(p, op->regions[r]);
        }
    }
}

static void print_op(printer *p, const ir_op *op)
{
    print_head(p, op);
    print_regions(p, op);
    print_location(p, op->place);
}

/* ---- Functions and modules ---- */

static void print_function(printer *p, const ir_function *function)
{
    tr_text_add(p->out, function->is_entry ? "entry " : "preview$func ");
    ir_print_symbol(p->out, function->name);
    tr_text_add(p->out, "(");
    for (uint32_t i = 0; i < function->body->n_args; i++) {
        tr_text_add(p->out, i ? ", " : "");
        ir_put_value(p, function->body->args[i]);
        tr_text_add(p->out, ": ");
        ir_type_print(p->out, function->body->args[i]->type);
    }
    tr_text_add(p->out, ")");
    if (function->type->n_results) {
        bool several = function->type->n_results > 1;
        tr_text_add(p->out, several ? " -> (" : " -> ");
        for (int i = 0; i < function->type->n_results; i++) {
            tr_text_add(p->out, i ? ", " : "");
            ir_type_print(p->out, function->type->results[i]);
        }
        tr_text_add(p->out, several ? ")" : "");
    }
    if (function->hints.kind == IR_ATTR_NAMED && function->hints.count) {
        tr_text_add(p->out, " optimization_hints=");
        ir_print_hints(p->out, &function->hints);
    }
    tr_text_add(p->out, " ");
    print_ops(p, function->body, NULL);
    print_location(p, function->place);
    tr_text_add(p->out, "\n");
}

static void print_global(printer *p, const ir_global *global)
{
    tr_text_addf(p->out, "global %s ", global->is_private ? "private " : "");
    tr_text_add(p->out, global->is_constant ? "constant " : "");
    ir_print_symbol(p->out, global->name);
    if (global->alignment) {
        tr_text_addf(p->out, " alignment = %lld", (long long)global->alignment);
    }
    tr_text_add(p->out, " ");
    ir_print_dense(p->out, &global->value);
    print_location(p, NULL);
    tr_text_add(p->out, "\n");
}

void ir_print_module(tr_text *out, const ir_module *module, bool locations)
{
    tr_arena *arena = tr_arena_new();
    struct ir_locations *places = locations ? ir_locations_of(arena, module) : NULL;
    printer p = {.out = out, .locations = places};
    if (module->producer && *module->producer) {
        tr_text_addf(out, "// Producer: %s\n", module->producer);
    }
    for (const ir_global *global = module->globals; global; global = global->next) {
        print_global(&p, global);
    }
    for (const ir_function *function = module->functions; function; function = function->next) {
        p.names = ir_names_of(arena, function);
        print_function(&p, function);
    }
    if (places) {
        ir_print_location_list(out, places);
    }
    ir_locations_free(places);
    tr_arena_free(arena);
}

void ir_print_entry(tr_text *out, const ir_module *module, const ir_function *entry)
{
    tr_arena *arena = tr_arena_new();
    printer p = {.out = out};
    for (const ir_global *global = module->globals; global; global = global->next)
        print_global(&p, global);
    for (const ir_function *f = module->functions; f; f = f->next) {
        if (f->is_entry && f != entry)
            continue;
        p.names = ir_names_of(arena, f);
        print_function(&p, f);
    }
    tr_arena_free(arena);
}

void ir_print_op(tr_text *out, const ir_op *op)
{
    tr_arena *arena = tr_arena_new();
    printer p = {.out = out, .names = ir_names_of(arena, op->parent->function)};
    print_head(&p, op);
    tr_arena_free(arena);
}

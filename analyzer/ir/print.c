/* Ops and modules in tileirdisasm's text. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/names.h"
#include "base/ds.h"

typedef struct printer {
    tr_text *out;
    const ir_names *names;
    int indent;
    struct locations *locations; /* NULL: print none */
} printer;

/* ---- Locations: numbered in the order of first use, written out behind the module ---- */

typedef struct location {
    char *key; /* the text that #locN stands for */
    int value;
} location;

struct locations {
    location *by_text;
    char **in_order;
    tr_arena *arena;
};

static int location_number(struct locations *locations, const tr_place *place);

static void location_text(struct locations *locations, tr_text *text, const tr_place *place)
{
    if (!place || place->line == 0) {
        tr_text_add(text, "loc(unknown)");
        return;
    }
    if (place->inlined_at) {
        tr_place here = *place;
        here.inlined_at = NULL;
        int callee = location_number(locations, &here);
        int caller = location_number(locations, place->inlined_at);
        tr_text_addf(text, "loc(callsite(#loc%d at #loc%d))", callee, caller);
        return;
    }
    tr_text_add(text, "loc(");
    ir_print_quoted(text, place->file ? place->file : "");
    tr_text_addf(text, ":%u:%u)", place->line, place->column);
}

static int location_number(struct locations *locations, const tr_place *place)
{
    tr_text text = {0};
    location_text(locations, &text, place);
    ptrdiff_t at = shgeti(locations->by_text, text.data);
    if (at < 0) {
        char *kept = tr_arena_strdup(locations->arena, text.data);
        shput(locations->by_text, kept, (int)arrlen(locations->in_order) + 1);
        arrput(locations->in_order, kept);
        at = shgeti(locations->by_text, text.data);
    }
    tr_text_free(&text);
    return locations->by_text[at].value;
}

static void print_location(printer *p, const tr_place *place)
{
    if (p->locations) {
        tr_text_addf(p->out, " loc(#loc%d)", location_number(p->locations, place));
    }
}

/* ---- Pieces ---- */

static void print_value(printer *p, const ir_value *value)
{
    tr_text_addf(p->out, "%%%s", ir_name_of(p->names, value));
}

static void print_values(printer *p, ir_value *const *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_text_add(p->out, i ? ", " : "");
        print_value(p, values[i]);
    }
}

static void print_value_types(printer *p, ir_value *const *values, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        tr_text_add(p->out, i ? ", " : "");
        ir_type_print(p->out, values[i]->type);
    }
}

static void print_result_types(printer *p, const ir_value *results, uint32_t count)
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
        print_value_types(p, values, same ? 1 : count);
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

static void print_identities(tr_text *out, const ir_attr *attr)
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
        print_identities(out, attr);
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
        print_values(p, values, count);
    } else if (what == ':') {
        print_value_types(p, values, count);
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
        print_result_types(p, results, count);
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

/* ---- Ops with a form of their own ---- */

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
            print_value(p, dynamic[next++]);
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
    print_value(p, base);
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
    print_value(p, op->operands[0]);
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
        print_values(p, op->operands, op->n_operands);
        tr_text_add(p->out, " : ");
        print_value_types(p, op->operands, op->n_operands);
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
            print_value(p, body->args[first_arg + i]);
        }
        tr_text_add(p->out, " = ");
        print_value(p, values[i]);
    }
    tr_text_add(p->out, ")");
}

static void print_for(printer *p, const ir_op *op)
{
    uint32_t count;
    ir_group(op, IR_FOR_init_values, &count);
    tr_text_add(p->out, ir_attr_int(op, IR_AT_FOR_unsigned_cmp, 0) ? " unsigned " : " ");
    if (op->regions[0] && op->regions[0]->n_args) {
        print_value(p, op->regions[0]->args[0]);
    }
    tr_text_add(p->out, " in (");
    print_value(p, ir_operand(op, IR_FOR_lower_bound));
    tr_text_add(p->out, " to ");
    print_value(p, ir_operand(op, IR_FOR_upper_bound));
    tr_text_add(p->out, ", step ");
    print_value(p, ir_operand(op, IR_FOR_step));
    tr_text_add(p->out, ") : ");
    ir_type_print(p->out, ir_operand(op, IR_FOR_lower_bound)->type);
    if (count) {
        tr_text_add(p->out, " ");
        print_iter_values(p, op, IR_FOR_init_values, 1);
        tr_text_add(p->out, " -> (");
        print_result_types(p, op->results, op->n_results);
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
    print_value_types(p, op->operands, op->n_operands);
    if (op->n_results) {
        tr_text_add(p->out, op->n_operands ? " -> " : "");
        print_result_types(p, op->results, op->n_results);
    }
}

static void print_if(printer *p, const ir_op *op)
{
    tr_text_add(p->out, " ");
    print_value(p, ir_operand(op, IR_IF_condition));
    if (op->n_results) {
        tr_text_add(p->out, " -> (");
        print_result_types(p, op->results, op->n_results);
        tr_text_add(p->out, ")");
    }
}

static void print_reduction(printer *p, const ir_op *op)
{
    bool scan = op->code == IR_OP_SCAN;
    const ir_attr *identities =
        &op->attrs[scan ? (int)IR_AT_SCAN_identities : (int)IR_AT_REDUCE_identities];
    tr_text_add(p->out, " ");
    print_values(p, op->operands, op->n_operands);
    tr_text_addf(p->out, " dim=%lld", (long long)ir_attr_int(op, IR_AT_REDUCE_dim, 0));
    if (scan) {
        bool reverse = ir_attr_int(op, IR_AT_SCAN_reverse, 0);
        tr_text_addf(p->out, " reverse=%s", reverse ? "true" : "false");
    }
    tr_text_add(p->out, " identities=");
    print_identities(p->out, identities);
    tr_text_add(p->out, " : ");
    print_value_types(p, op->operands, op->n_operands);
    tr_text_add(p->out, " -> ");
    print_result_types(p, op->results, op->n_results);
}

static void print_call(printer *p, const ir_op *op)
{
    tr_text_add(p->out, " ");
    const char *callee = op->attrs[IR_AT_PREVIEW_CALL_callee].string;
    ir_print_symbol(p->out, callee ? callee : "");
    tr_text_add(p->out, "(");
    print_values(p, op->operands, op->n_operands);
    tr_text_add(p->out, ") : (");
    print_value_types(p, op->operands, op->n_operands);
    tr_text_add(p->out, ") -> (");
    print_result_types(p, op->results, op->n_results);
    tr_text_add(p->out, ")");
}

static void print_default(printer *p, const ir_op *op)
{
    if (op->n_operands) {
        tr_text_add(p->out, " ");
        print_values(p, op->operands, op->n_operands);
    }
    if (op->n_results) {
        tr_text_add(p->out, " : ");
        ir_type_print(p->out, op->results[0].type);
    }
}

typedef void form(printer *p, const ir_op *op);

static form *form_of(ir_opcode code)
{
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
    for (size_t i = 0; i < TR_COUNT(forms); i++) {
        if (forms[i].code == code) {
            return forms[i].print;
        }
    }
    return print_default;
}

static void print_head(printer *p, const ir_op *op)
{
    ir_print_results(p->out, p->names, op);
    tr_text_add(p->out, ir_op_info_of(op->code)->mnemonic);
    if (rows[op->code]) {
        tr_text_add(p->out, " ");
        print_row(p, op, rows[op->code], true);
    } else {
        form_of(op->code)(p, op);
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
        print_value(p, block->args[i]);
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
        print_value(p, function->body->args[i]);
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

static void print_location_list(tr_text *out, const struct locations *locations)
{
    for (ptrdiff_t i = 0; i < arrlen(locations->in_order); i++) {
        tr_text_addf(out, "#loc%d = %s\n", (int)i + 1, locations->in_order[i]);
    }
}

void ir_print_module(tr_text *out, const ir_module *module, bool locations)
{
    tr_arena *arena = tr_arena_new();
    struct locations list = {.arena = arena};
    printer p = {.out = out, .locations = locations ? &list : NULL};
    for (const ir_global *global = module->globals; global; global = global->next) {
        print_global(&p, global);
    }
    for (const ir_function *function = module->functions; function; function = function->next) {
        p.names = ir_names_of(arena, function);
        print_function(&p, function);
    }
    print_location_list(out, &list);
    shfree(list.by_text);
    arrfree(list.in_order);
    tr_arena_free(arena);
}

void ir_print_op_named(tr_text *out, const ir_names *names, const ir_op *op)
{
    printer p = {.out = out, .names = names};
    print_head(&p, op);
}

void ir_print_op(tr_text *out, const ir_op *op)
{
    tr_arena *arena = tr_arena_new();
    ir_print_op_named(out, ir_names_of(arena, op->parent->function), op);
    tr_arena_free(arena);
}

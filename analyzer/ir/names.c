/* The names that tileirdisasm gives to values: MLIR numbers a whole region before the regions in
 * it, lets each inner region go on counting where its parent ended, and keeps suggested names apart
 * with a counter that all names of a region share. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/names.h"
#include "base/ds.h"

#include <math.h>
#include <string.h>

typedef struct used_name {
    char *key;
    char value;
} used_name;

typedef struct scope {
    const struct scope *parent;
    used_name *used;
    ir_block *block;
    unsigned next_value, next_arg, next_conflict;
} scope;

struct ir_names {
    tr_arena *arena;
    const char **by_id; /* without '%' */
    uint32_t count;
};

/* ---- Suggested names ---- */

/* Names of all result groups of an op; NULL: the op suggests none that way. */
typedef struct result_names {
    ir_opcode code;
    const char *names[3];
} result_names;

static const result_names several[] = {
    {IR_OP_GET_TILE_BLOCK_ID, {"blockId_x", "blockId_y", "blockId_z"}},
    {IR_OP_GET_NUM_TILE_BLOCKS, {"gridSize_x", "gridSize_y", "gridSize_z"}},
    {IR_OP_LOAD_VIEW_TKO, {"tile", "result_token"}},
    {IR_OP_LOAD_PTR_TKO, {"result", "result_token"}},
    {IR_OP_ATOMIC_RMW_TKO, {"result", "result_token"}},
    {IR_OP_ATOMIC_CAS_TKO, {"result", "result_token"}},
    {IR_OP_MULTIMEM_LOAD_REDUCE_VIEW_TKO, {"reduced_values", "result_token"}},
};

/* Name of an op's first result; its other results go with it. */
static const struct first_name {
    ir_opcode code;
    const char *name;
} firsts[] = {
    {IR_OP_BROADCAST, "bcast"},
    {IR_OP_RESHAPE, "reshape"},
    {IR_OP_MAKE_TENSOR_VIEW, "tview"},
    {IR_OP_MAKE_PARTITION_VIEW, "pview"},
    {IR_OP_MAKE_STRIDED_VIEW, "sview"},
    {IR_OP_MAKE_GATHER_SCATTER_VIEW, "gsview"},
    {IR_OP_FOR, "for"},
    {IR_OP_REDUCE, "reduce"},
    /* These take part in naming and suggest nothing: it shows in what assume makes of them. */
    {IR_OP_IF, ""},
    {IR_OP_LOOP, ""},
};

static const char *const *several_of(ir_opcode code)
{
    for (size_t i = 0; i < TR_COUNT(several); i++) {
        if (several[i].code == code) {
            return several[i].names;
        }
    }
    return NULL;
}

static const char *first_of(ir_opcode code)
{
    for (size_t i = 0; i < TR_COUNT(firsts); i++) {
        if (firsts[i].code == code) {
            return firsts[i].name;
        }
    }
    return NULL;
}

/* Floats show in the name when they are whole and not negative. */
static void add_float_suffix(tr_text *name, const ir_type *elem, uint64_t bits)
{
    double value = ir_float_value(elem, bits);
    if (isnan(value)) {
        tr_text_add(name, "_NaN");
    } else if (!signbit(value) && value < 0x1p64 && value == floor(value)) {
        tr_text_addf(name, "_%llu", (unsigned long long)value);
    }
}

static const char *constant_name(tr_arena *arena, const ir_op *op)
{
    const ir_attr *value = &op->attrs[IR_AT_CONSTANT_value];
    if (value->kind != IR_ATTR_DENSE) {
        return "cst";
    }
    const ir_type *elem = value->type->elem;
    bool splat = ir_dense_is_splat(value);
    if (elem->kind == IR_I1) {
        return !splat ? "cst_i1" : ir_dense_bits(value, 0) ? "true" : "false";
    }
    tr_text name = {0};
    tr_text_add(&name, "cst");
    if (splat && ir_type_is_float(elem)) {
        add_float_suffix(&name, elem, ir_dense_bits(value, 0));
    } else if (splat) {
        tr_text_addf(&name, "_%lld", (long long)ir_dense_int(value, 0));
    }
    tr_text_add(&name, "_");
    ir_type_print(&name, elem);
    const char *kept = tr_arena_strdup(arena, name.data);
    tr_text_free(&name);
    return kept;
}

static const char *suggested(tr_arena *arena, const ir_value *value);

static const char *assume_name(tr_arena *arena, const ir_op *op)
{
    const ir_value *of = op->operands[0];
    const char *inner = of->def ? suggested(arena, of) : NULL;
    return inner ? tr_arena_printf(arena, "assume_%s", inner) : "assume";
}

/* Returns the name that the op suggests for its result: "" nothing, though its op names results;
 * NULL: its op does not name results. */
static const char *suggested(tr_arena *arena, const ir_value *value)
{
    const ir_op *op = value->def;
    const char *const *names = several_of(op->code);
    if (names) {
        return names[value->index];
    }
    if (op->code == IR_OP_CONSTANT) {
        return constant_name(arena, op);
    }
    if (op->code == IR_OP_ASSUME) {
        return assume_name(arena, op);
    }
    const char *first = first_of(op->code);
    return first && value->index > 0 ? "" : first;
}

static const char *suggested_arg(tr_arena *arena, const ir_op *parent, const ir_value *arg)
{
    if (!parent) {
        return NULL;
    }
    if (parent->code == IR_OP_FOR) {
        return arg->index == 0 ? "loopIdx" : tr_arena_printf(arena, "iterArg%u", arg->index - 1);
    }
    if (parent->code == IR_OP_REDUCE) {
        const char *side = arg->index % 2 == 0 ? "reduce_lhs" : "reduce_rhs";
        return arg->block->n_args > 2 ? tr_arena_printf(arena, "%s%u", side, arg->index / 2) : side;
    }
    return NULL;
}

/* ---- Numbering ---- */

static bool is_used(const scope *at, const char *name)
{
    for (; at; at = at->parent) {
        if (shgeti(((scope *)(uintptr_t)at)->used, name) >= 0) {
            return true;
        }
    }
    return false;
}

static const char *unique(ir_names *names, scope *at, const char *name)
{
    const char *candidate = name;
    while (is_used(at, candidate)) {
        candidate = tr_arena_printf(names->arena, "%s_%u", name, at->next_conflict++);
    }
    shput(at->used, candidate, 1);
    return candidate;
}

static void give(ir_names *names, const ir_value *value, const char *name)
{
    if (value->id < names->count) {
        names->by_id[value->id] = name;
    }
}

static void name_args(ir_names *names, scope *at)
{
    for (uint32_t i = 0; i < at->block->n_args; i++) {
        const ir_value *arg = at->block->args[i];
        const char *name = suggested_arg(names->arena, at->block->parent, arg);
        if (!name) {
            name = tr_arena_printf(names->arena, "arg%u", at->next_arg++);
        }
        give(names, arg, unique(names, at, name));
    }
}

static void name_results(ir_names *names, scope *at, const ir_op *op)
{
    if (op->n_results == 0) {
        return;
    }
    bool each = several_of(op->code) != NULL;
    const char *base = NULL;
    for (uint32_t i = 0; i < op->n_results; i++) {
        const char *name = each || i == 0 ? suggested(names->arena, &op->results[i]) : NULL;
        if (name && *name) {
            give(names, &op->results[i], base = unique(names, at, name));
        } else if (i == 0) {
            base = tr_arena_printf(names->arena, "%u", at->next_value++);
            give(names, &op->results[i], base);
        }
        if (!each && op->n_results > 1) {
            give(names, &op->results[i], tr_arena_printf(names->arena, "%s#%u", base, i));
        }
    }
}

static void name_block(ir_names *names, scope *at)
{
    name_args(names, at);
    for (const ir_op *op = at->block->first; op; op = op->next) {
        name_results(names, at, op);
    }
}

/* Adds a scope for each region inside, which goes on from this one's counters. */
static void add_inner(ir_names *names, scope ***scopes, const scope *outer)
{
    for (const ir_op *op = outer->block->first; op; op = op->next) {
        for (uint32_t r = 0; r < op->n_regions; r++) {
            if (op->regions[r]) {
                scope *inner = TR_NEW(names->arena, scope);
                *inner = (scope){outer,           NULL,
                                 op->regions[r],  outer->next_value,
                                 outer->next_arg, outer->next_conflict};
                arrput(*scopes, inner);
            }
        }
    }
}

ir_names *ir_names_of(tr_arena *arena, const ir_function *function)
{
    ir_names *names = TR_NEW(arena, ir_names);
    names->arena = arena;
    names->count = function->n_values;
    names->by_id = TR_NEW_ARRAY(arena, const char *, names->count);
    scope **scopes = NULL;
    scope *body = TR_NEW(arena, scope);
    body->block = function->body;
    arrput(scopes, body);
    for (ptrdiff_t i = 0; i < arrlen(scopes); i++) {
        name_block(names, scopes[i]);
        add_inner(names, &scopes, scopes[i]);
    }
    for (ptrdiff_t i = 0; i < arrlen(scopes); i++) {
        shfree(scopes[i]->used);
    }
    arrfree(scopes);
    return names;
}

const char *ir_name_of(const ir_names *names, const ir_value *value)
{
    const char *name = value->id < names->count ? names->by_id[value->id] : NULL;
    return name ? name : "<<UNKNOWN SSA VALUE>>";
}

void ir_print_results(tr_text *out, const ir_names *names, const ir_op *op)
{
    if (op->n_results == 0) {
        return;
    }
    if (several_of(op->code) || op->n_results == 1) {
        for (uint32_t i = 0; i < op->n_results; i++) {
            tr_text_addf(out, "%s%%%s", i ? ", " : "", ir_name_of(names, &op->results[i]));
        }
    } else {
        const char *name = ir_name_of(names, &op->results[0]);
        tr_text_addf(out, "%%%.*s:%u", (int)strcspn(name, "#"), name, op->n_results);
    }
    tr_text_add(out, " = ");
}

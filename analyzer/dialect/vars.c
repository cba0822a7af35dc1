/* Variables, the trail of their changes, and the merge behind a branch. */
#include "dialect/lower.h"

#include "base/ds.h"

/* ---- Variables ---- */

static bool locate(dl *L, CXCursor decl, dl_var_key *key, ptrdiff_t *at)
{
    *key = (dl_var_key){.hash = clang_hashCursor(decl)};
    while ((*at = hmgeti(L->var_of, *key)) >= 0) {
        if (clang_equalCursors(L->vars[L->var_of[*at].value].decl, decl))
            return true;
        key->salt++;
    }
    return false;
}

bool dl_find(dl *L, CXCursor decl, uint32_t *var)
{
    dl_var_key key;
    ptrdiff_t at;
    if (!locate(L, decl, &key, &at))
        return false;
    *var = L->var_of[at].value;
    return true;
}

uint32_t dl_declare(dl *L, CXCursor decl, dl_class class, dl_element element, dl_value value)
{
    dl_var_key key;
    ptrdiff_t at;
    uint32_t number = (uint32_t)arrlenu(L->vars);
    /* A helper that is inlined again, or a loop body, declares its variables anew. */
    locate(L, decl, &key, &at);
    hmput(L->var_of, key, number);
    dl_var var = {
        .decl = decl,
        .name = ast_spelling(L, decl),
        .class = class,
        .element = element,
        .now = value,
    };
    arrput(L->vars, var);
    return number;
}

uint32_t dl_hidden(dl *L, const char *name, dl_value value)
{
    dl_var var = {.decl = clang_getNullCursor(), .name = name, .now = value};
    arrput(L->vars, var);
    return (uint32_t)arrlenu(L->vars) - 1;
}

void dl_set(dl *L, uint32_t var, dl_value value)
{
    dl_change change = {.var = var, .value = L->vars[var].now};
    arrput(L->trail, change);
    L->vars[var].now = value;
}

static bool same_value(const dl_value *a, const dl_value *b)
{
    if (a->kind != b->kind)
        return false;
    if (a->kind != DL_VALUE)
        return true;
    if (a->type != b->type || a->is_unsigned != b->is_unsigned || a->order != b->order)
        return false;
    if (a->ir || b->ir)
        return a->ir == b->ir;
    return ir_type_is_float(a->type->elem) ? memcmp(&a->real, &b->real, sizeof a->real) == 0
                                           : a->integer == b->integer;
}

/* ---- Branches ---- */

void dl_branch_open(dl *L, dl_branch *branch)
{
    dl_order_flush(L);
    *branch = (dl_branch){
        .block = ir_block_new(L->module, L->b.function, 0, NULL),
        .trail = arrlenu(L->trail),
        .n_vars = arrlenu(L->vars),
        .n_orders = arrlenu(L->orders),
    };
    L->b.block = branch->block;
}

/* Lists what changed since the branch was opened, with the values of now, and takes it back. The
 * caller puts its own block back into the builder. */
void dl_branch_close(dl *L, dl_branch *branch)
{
    if (branch->flow != DL_FLOW_JUMPED)
        dl_order_flush(L);
    L->stamp++;
    for (size_t i = branch->trail; i < arrlenu(L->trail); i++) {
        uint32_t number = L->trail[i].var;
        dl_var *var = &L->vars[number];
        if (number >= branch->n_vars || var->stamp == L->stamp)
            continue;
        var->stamp = L->stamp;
        dl_change change = {.var = number, .value = var->now};
        arrput(branch->changes, change);
    }
    while (arrlenu(L->trail) > branch->trail) {
        dl_change change = arrpop(L->trail);
        L->vars[change.var].now = change.value;
    }
    while (arrlenu(L->orders) > branch->n_orders) {
        dl_order order = arrpop(L->orders);
        arrfree(order.loads);
    }
}

/* ---- Merging ---- */

typedef struct merged {
    uint32_t var;
    dl_value a, b; /* at the end of either branch */
} merged;

typedef struct merge {
    dl *L;
    CXCursor where;
    dl_branch *then, *otherwise;
    merged *items; /* stb_ds: what needs a result */
} merge;

static dl_value build_in(dl *L, ir_block *block, const dl_value *value)
{
    ir_block *present = L->b.block;
    L->b.block = block;
    dl_value built = *value;
    built.ir = dl_ir(L, value);
    L->b.block = present;
    return built;
}

/* A placeholder where one path gave a helper's result no value: nobody reads it there. */
static bool placeholder(dl *L, const dl_value *other, dl_value *value, ir_block *block)
{
    if (other->type->kind != IR_TILE || other->type->elem->kind == IR_POINTER)
        return false;
    *value = *other;
    dl_value zero = {.kind = DL_VALUE, .constant = true};
    zero.type = other->type;
    ir_block *present = L->b.block;
    L->b.block = block;
    value->ir = dl_splat(L, &zero, other->type->rank, other->type->shape);
    L->b.block = present;
    value->constant = false;
    return true;
}

/* May a variable have either value behind the branch? Says why not. */
static bool mergeable(merge *m, uint32_t number, const dl_value *a, const dl_value *b)
{
    dl *L = m->L;
    const char *name = L->vars[number].name;
    if (a->type->kind != IR_TILE && a->type->kind != IR_TOKEN) {
        dl_fail(L, m->where, "Make one view before the branch and choose its indices instead.",
                "%s is a view or tensor, which a branch or loop cannot change", name);
        return false;
    }
    if (a->type != b->type) {
        dl_fail(L, m->where, "Give it one shape and element type on all paths.",
                "%s is %s on one path and %s on the other", name, dl_type_text(L, a->type),
                dl_type_text(L, b->type));
        return false;
    }
    int n = (int)m->then->n_orders;
    if (a->order >= n || b->order >= n) {
        dl_fail(L, m->where, "Call tile_alloca before the branch or loop.",
                "%s points to memory of tile_alloca that ends with its block", name);
        return false;
    }
    return true;
}

static void add_merge(merge *m, uint32_t number, dl_value a, dl_value b)
{
    dl *L = m->L;
    if (same_value(&a, &b)) {
        dl_set(L, number, a);
        return;
    }
    bool is_result = L->frame && number == L->frame->result;
    if (a.kind == DL_UNSET && b.kind == DL_VALUE && is_result)
        is_result = placeholder(L, &b, &a, m->then->block);
    else if (b.kind == DL_UNSET && a.kind == DL_VALUE && is_result)
        is_result = placeholder(L, &a, &b, m->otherwise->block);
    if (a.kind != DL_VALUE || b.kind != DL_VALUE) {
        bool poison = a.kind == DL_POISON || b.kind == DL_POISON;
        dl_set(L, number, poison ? dl_poison() : dl_unset());
        return;
    }
    if (!mergeable(m, number, &a, &b)) {
        dl_set(L, number, dl_poison());
        return;
    }
    merged item = {.var = number, .a = a, .b = b};
    arrput(m->items, item);
}

static void collect(merge *m)
{
    dl *L = m->L;
    /* The trail is rolled back: `now` is the value before the branch. */
    dl_change *a = m->then->changes, *b = m->otherwise->changes;
    uint32_t in_then = ++L->stamp;
    for (size_t i = 0; i < arrlenu(a); i++)
        L->vars[a[i].var].stamp = in_then;
    struct {
        uint32_t key;
        size_t value;
    } *of_b = NULL;
    for (size_t i = 0; i < arrlenu(b); i++)
        hmput(of_b, b[i].var, i);
    for (size_t i = 0; i < arrlenu(a); i++) {
        ptrdiff_t at = of_b ? hmgeti(of_b, a[i].var) : -1;
        dl_value other = at >= 0 ? b[of_b[at].value].value : L->vars[a[i].var].now;
        add_merge(m, a[i].var, a[i].value, other);
    }
    for (size_t i = 0; i < arrlenu(b); i++)
        if (L->vars[b[i].var].stamp != in_then)
            add_merge(m, b[i].var, L->vars[b[i].var].now, b[i].value);
    hmfree(of_b);
}

static void end_with_yield(dl *L, ir_block *block, ir_value **values, uint32_t n)
{
    ir_block *present = L->b.block;
    L->b.block = block;
    ir_operand_list list = {values, n};
    dl_build(L, IR_OP_YIELD, &list, 0, NULL, NULL);
    L->b.block = present;
}

static dl_value result_of(const dl_value *a, const dl_value *b, ir_value *ir)
{
    dl_value value = dl_of(ir, a->number && b->number, a->is_unsigned);
    value.order = a->order == b->order ? a->order : DL_ORDER_ANY;
    value.read_only = a->read_only || b->read_only;
    return value;
}

static dl_flow merged_flow(dl_flow a, dl_flow b)
{
    if (a == DL_FLOW_JUMPED)
        return b;
    if (b == DL_FLOW_JUMPED || a == b)
        return a;
    return DL_FLOW_MAYBE;
}

/* Where one branch jumps away, what the other one changed is what is there afterwards. A value that
 * it made is a result of the op all the same, since it lies in its region. */
static void collect_of_one(merge *m, const dl_branch *stays)
{
    for (size_t i = 0; i < arrlenu(stays->changes); i++) {
        const dl_change *change = &stays->changes[i];
        if (change->value.kind == DL_VALUE && change->value.ir &&
            mergeable(m, change->var, &change->value, &change->value)) {
            merged item = {.var = change->var, .a = change->value, .b = change->value};
            arrput(m->items, item);
        } else {
            dl_set(m->L, change->var, change->value);
        }
    }
}

/* Ends the block of a branch that does not jump with what it gives for each item. */
static void yield_items(const merge *m, dl_branch *branch, bool is_then)
{
    dl *L = m->L;
    uint32_t n = (uint32_t)arrlenu(m->items);
    ir_value **values = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        values[i] = build_in(L, branch->block, is_then ? &m->items[i].a : &m->items[i].b).ir;
    end_with_yield(L, branch->block, values, n);
}

/* Builds the op, whose results are the items. An arm that does nothing and gives nothing, of an
 * `if` without `else`, is left out. */
static ir_op *build_if(const merge *m, ir_value *condition, bool has_else)
{
    dl *L = m->L;
    uint32_t n = (uint32_t)arrlenu(m->items);
    bool keeps_else = has_else || n > 0;
    const ir_type **types = TR_NEW_ARRAY(L->scratch, const ir_type *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        types[i] = m->items[i].a.type;
    if (m->then->flow != DL_FLOW_JUMPED)
        yield_items(m, m->then, true);
    if (m->otherwise->flow != DL_FLOW_JUMPED && keeps_else)
        yield_items(m, m->otherwise, false);
    ir_operand_list operand = {&condition, 1};
    ir_op *op = dl_build(L, IR_OP_IF, &operand, n, types, &n);
    ir_set_region(op, IR_RG_IF_then, m->then->block);
    if (keeps_else)
        ir_set_region(op, IR_RG_IF_else, m->otherwise->block);
    return op;
}

/* Gives the variables their values behind the branch; *result is that of `?:`. */
static void set_results(const merge *m, ir_op *op, dl_value *result)
{
    dl *L = m->L;
    for (uint32_t i = 0; i < arrlenu(m->items); i++) {
        const merged *item = &m->items[i];
        dl_value value = result_of(&item->a, &item->b, &op->results[i]);
        if (item->var == UINT32_MAX) {
            *result = value;
            continue;
        }
        op->results[i].name = L->vars[item->var].name;
        value.number = L->vars[item->var].class == DL_CLASS_NUMBER;
        dl_set(L, item->var, value);
    }
}

dl_flow dl_branch_merge(dl *L, CXCursor where, ir_value *condition, dl_branch *then,
                        dl_branch *otherwise, dl_value *a, dl_value *b, dl_value *result)
{
    dl_branch none = {.n_orders = then->n_orders};
    bool has_else = otherwise != NULL;
    if (!has_else) {
        none.block = ir_block_new(L->module, L->b.function, 0, NULL);
        otherwise = &none;
    }
    L->at = where;
    L->placed = false;
    merge m = {.L = L, .where = where, .then = then, .otherwise = otherwise};
    bool then_jumps = then->flow == DL_FLOW_JUMPED, else_jumps = otherwise->flow == DL_FLOW_JUMPED;
    if (!then_jumps && !else_jumps)
        collect(&m);
    else if (!then_jumps || !else_jumps)
        collect_of_one(&m, then_jumps ? otherwise : then);
    if (result) {
        merged item = {.var = UINT32_MAX, .a = *a, .b = *b};
        arrput(m.items, item);
    }
    set_results(&m, build_if(&m, condition, has_else), result);
    arrfree(m.items);
    dl_flow flow = merged_flow(then->flow, otherwise->flow);
    arrfree(then->changes);
    arrfree(otherwise->changes);
    return flow;
}

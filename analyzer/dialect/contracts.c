/* Contract statements: what a kernel states of its parameters and launches, put into the
 * contract. */
#include "dialect/contract_terms.h"
#include "dialect/lower.h"

#include <string.h>

/* ---- Pointers ---- */

static bool pointer_argument(dl *L, CXCursor cursor, uint32_t *arg)
{
    CXCursor inner = ast_strip(L, cursor);
    while (clang_getCursorKind(inner) == CXCursor_CStyleCastExpr) {
        CXCursor *children;
        size_t n = ast_children(L, inner, &children);
        inner = n ? ast_strip(L, children[n - 1]) : clang_getNullCursor();
    }
    if (clang_getCursorKind(inner) == CXCursor_DeclRefExpr &&
        dl_find(L, clang_getCursorReferenced(inner), arg) && *arg < L->contract->n_args &&
        L->contract->args[*arg].kind == CONTRACT_POINTER)
        return true;
    dl_fail(L, cursor, NULL, "name a pointer parameter of the kernel here");
    return false;
}

static void alias(dl *L, CXCursor call, const CXCursor *items, size_t n)
{
    contract *c = L->contract;
    uint32_t first = 0, arg;
    for (size_t i = 0; i < n; i++) {
        if (!pointer_argument(L, items[i], &arg))
            return;
        if (L->distinct[arg]) {
            dl_fail(L, items[i], NULL, "%s has an allocation of its own by tile_distinct",
                    c->args[arg].name);
            return;
        }
        if (i == 0)
            first = arg;
        const char *from = c->args[arg].buffer, *to = c->args[first].buffer;
        for (size_t k = 0; k < c->n_args; k++) {
            if (c->args[k].kind != CONTRACT_POINTER || strcmp(c->args[k].buffer, from) != 0)
                continue;
            c->args[k].buffer = to;
            c->args[k].buffer_stated = true;
            L->aliasing[k] = ast_place(L, call);
            if (!c->args[k].place)
                c->args[k].place = L->aliasing[k];
        }
    }
}

static void distinct(dl *L, CXCursor call, const CXCursor *items, size_t n)
{
    uint32_t arg;
    for (size_t i = 0; i < n; i++) {
        if (!pointer_argument(L, items[i], &arg))
            return;
        if (L->aliasing[arg]) {
            dl_fail(L, items[i], NULL, "%s may share its allocation by tile_may_alias",
                    L->contract->args[arg].name);
            return;
        }
        L->distinct[arg] = true;
        L->contract->args[arg].buffer_stated = true;
        if (!L->contract->args[arg].place)
            L->contract->args[arg].place = ast_place(L, call);
    }
}

static void predecessor(dl *L, const CXCursor *items, size_t n, bool writes)
{
    contract_predecessor *p = &L->contract->predecessor;
    const char **names = TR_NEW_ARRAY(smt_arena(L->ctx), const char *, n + 1);
    for (size_t i = 0; i < n; i++) {
        uint32_t arg;
        if (!pointer_argument(L, items[i], &arg))
            return;
        names[i] = L->contract->args[arg].buffer;
    }
    L->contract->pdl = true;
    *(writes ? &p->writes : &p->reads) = names;
    *(writes ? &p->n_writes : &p->n_reads) = n;
}

/* ---- Statements ---- */

static bool once(dl *L, CXCursor where, const void *before, const char *what)
{
    if (before)
        dl_fail(L, where, NULL, "%s is stated twice", what);
    return before == NULL;
}

static void grid(dl *L, CXCursor call, const CXCursor *items, size_t n)
{
    contract *c = L->contract;
    if (n < 1 || n > 3) {
        dl_fail(L, call, NULL, "a grid has one to three extents");
        return;
    }
    if (!once(L, call, c->grid[0], "the grid"))
        return;
    for (size_t axis = 0; axis < 3; axis++) {
        smt_t extent = axis < n ? dl_int_term(L, items[axis], false) : smt_int_const(L->ctx, 1);
        if (!extent)
            return;
        smt_int value;
        if (smt_is_const(extent, &value) && value < 1) {
            dl_fail(L, items[axis], NULL, "a grid's extent must be positive");
            return;
        }
        c->grid[axis] = extent;
    }
}

/* Each side of && is a fact of its own: messages quote the one that matters. */
static void assume(dl *L, CXCursor condition, int depth)
{
    CXCursor inner = ast_strip(L, condition), *sides;
    if (depth < 300 && clang_getCursorKind(inner) == CXCursor_BinaryOperator &&
        clang_getCursorBinaryOperatorKind(inner) == CXBinaryOperator_LAnd &&
        ast_children(L, inner, &sides) == 2) {
        assume(L, sides[0], depth + 1);
        assume(L, sides[1], depth + 1);
        return;
    }
    smt_t term = dl_bool_term(L, inner, false);
    if (!term)
        return;
    if (smt_is_false(term)) {
        dl_fail(L, condition, NULL, "this assumption can never hold");
        return;
    }
    contract_add_fact(L->contract, term, ast_text(L, inner), ast_place(L, inner));
}

/* Two bounds of the same elements: the tighter one, where both are numbers. */
static smt_t tighter(dl *L, CXCursor where, smt_t before, smt_t now, bool is_min)
{
    smt_int a, b;
    if (!before || !now || before == now)
        return now ? now : before;
    if (!smt_is_const(before, &a) || !smt_is_const(now, &b)) {
        once(L, where, before, is_min ? "the smallest element" : "the largest element");
        return now;
    }
    return (a > b) == is_min ? before : now;
}

/* The largest value of an unsigned element of so many bits, fewer than 64. */
static smt_int largest_unsigned(int bits)
{
    return ((smt_int)1 << bits) - 1;
}

/* All values that an unsigned element can have. */
static bool is_every_unsigned(const dl_element *element, const contract_contents *contents)
{
    smt_int min, max;
    return element->is_unsigned && contents->min && contents->max &&
           smt_is_const(contents->min, &min) && smt_is_const(contents->max, &max) && min == 0 &&
           max == largest_unsigned(8 * ir_type_bytes(element->type));
}

/* A negative bound of unsigned elements says something else than it seems to. */
static void state_range(dl *L, const dl_args *args, uint32_t number, contract_contents *contents)
{
    const dl_element *element = &L->vars[number].element;
    smt_t *bounds[] = {&contents->min, &contents->max};
    if (is_every_unsigned(element, contents)) /* by read_as_unsigned() */
        contents->min = contents->max = NULL;
    for (int i = 0; i < 2; i++) {
        const smt_t bound = dl_int_term(L, args->arg[1 + i], true);
        smt_int value;
        if (element->is_unsigned && bound && smt_is_const(bound, &value) && value < 0)
            dl_fail(L, args->arg[1 + i], NULL, "an unsigned element is never below 0");
        *bounds[i] = tighter(L, args->call, *bounds[i], bound, i == 0);
    }
}

/* The order and the sums of unsigned elements are those of unsigned numbers, which a contract tells
 * by bounds that no signed element has. */
static void read_as_unsigned(dl *L, uint32_t number, contract_contents *contents)
{
    const dl_element *element = &L->vars[number].element;
    int bits = element->type ? 8 * ir_type_bytes(element->type) : 64;
    if (!element->is_unsigned || bits >= 64 || contents->min || contents->max)
        return;
    contents->min = smt_int_const(L->ctx, 0);
    contents->max = smt_int_const(L->ctx, largest_unsigned(bits));
}

/* A statement that all elements differ implies one that some do; of two conditions neither implies
 * the other. */
static void state_unique_when(dl *L, const dl_args *args, contract_contents *contents)
{
    smt_t when = dl_bool_term(L, args->arg[1], true);
    if (contents->unique && !contents->unique_when)
        return;
    if (contents->unique_when != when)
        once(L, args->call, contents->unique_when, "which elements are unique");
    contents->unique = true;
    contents->unique_when = when;
}

static void state_prefix_sum(dl *L, const dl_args *args, uint32_t number,
                             contract_contents *contents)
{
    uint32_t other;
    if (!pointer_argument(L, args->arg[1], &other))
        return;
    const bool is_new = contents->prefix_sum_of < 0 || contents->prefix_sum_of == (int)other;
    once(L, args->call, is_new ? NULL : contents, "of which elements these are the sums");
    contents->prefix_sum_of = (int)other;
    read_as_unsigned(L, number, contents);
    read_as_unsigned(L, other, &L->contract->args[other].contents);
}

/* A statement about one pointer parameter: how far its array extends, what covers it, or what its
 * elements hold. Facts about elements need elements of integers. */
static void about_pointer(dl *L, dl_state state, const dl_args *args)
{
    uint32_t number;
    if (!pointer_argument(L, args->arg[0], &number))
        return;
    contract_arg *arg = &L->contract->args[number];
    contract_contents *contents = &arg->contents;
    const tr_place *place = ast_place(L, args->call);
    switch (state) {
    case DL_STATE_EXTENT:
        if (once(L, args->call, arg->elements, "this extent"))
            arg->elements = dl_int_term(L, args->arg[1], false);
        arg->place = place;
        return;
    case DL_STATE_ALIAS_OFFSET:
        if (once(L, args->call, arg->offset, "this offset"))
            arg->offset = dl_int_term(L, args->arg[1], false);
        return;
    case DL_STATE_COVERED:
        arg->covered = CONTRACT_COVERED_ALL;
        return;
    case DL_STATE_COVERED_ONCE:
        arg->covered = CONTRACT_COVERED_ONCE;
        return;
    case DL_STATE_UNIQUE:
        contents->unique = true;
        contents->unique_when = NULL;
        break;
    case DL_STATE_UNIQUE_WHEN:
        state_unique_when(L, args, contents);
        break;
    case DL_STATE_INCREASING:
        contents->increasing = true;
        read_as_unsigned(L, number, contents);
        break;
    case DL_STATE_CONTENTS:
        state_range(L, args, number, contents);
        break;
    case DL_STATE_PREFIX_SUM:
        state_prefix_sum(L, args, number, contents);
        break;
    case DL_STATE_REGIONS:
        if (once(L, args->call, contents->regions, "the size of these regions"))
            contents->regions = dl_int_term(L, args->arg[1], false);
        break;
    default:
        break;
    }
    contents->place = place;
    if (!arg->place)
        arg->place = place;
    if (!ir_type_is_int(L->vars[number].element.type))
        dl_fail(L, args->arg[0], NULL, "facts on contents are for buffers of integers");
}

static void state_list(dl *L, dl_state state, const dl_args *args)
{
    CXCursor *items;
    size_t n;
    if (!ast_list(L, args->arg[0], &items, &n))
        return;
    switch (state) {
    case DL_STATE_GRID:
        grid(L, args->call, items, n);
        break;
    case DL_STATE_MAY_ALIAS:
        alias(L, args->call, items, n);
        break;
    case DL_STATE_DISTINCT:
        distinct(L, args->call, items, n);
        break;
    default:
        predecessor(L, items, n, state == DL_STATE_PREDECESSOR_WRITES);
        break;
    }
}

dl_value lower_contract(dl *L, const dl_args *args)
{
    dl_state state = (dl_state)args->row->a;
    if (state == DL_STATE_VALUE || state == DL_STATE_INDEX)
        return dl_fail(L, args->call, NULL,
                       "this can be used only inside tile_unique_when and tile_contents");
    if (!L->contract_open || L->frame->caller)
        return dl_fail(L, args->call,
                       "Move it up; tile_assert states what must hold at this place.",
                       "contract statements stand at the top of a kernel");
    L->contract->source = CONTRACT_SOURCE;
    int64_t who;
    switch (state) {
    case DL_STATE_GRID:
    case DL_STATE_MAY_ALIAS:
    case DL_STATE_DISTINCT:
    case DL_STATE_PREDECESSOR_WRITES:
    case DL_STATE_PREDECESSOR_READS:
        state_list(L, state, args);
        break;
    case DL_STATE_ASSUME:
        assume(L, args->arg[0], 0);
        break;
    case DL_STATE_DEPENDENT_LAUNCH:
        L->contract->pdl = true;
        break;
    case DL_STATE_PEERS:
        if (dl_constant(L, args->arg[0], "who else runs", IR_SCOPE_DEVICE, IR_SCOPE_SYS, &who))
            L->contract->peers =
                who == IR_SCOPE_DEVICE ? CONTRACT_PEERS_DEVICE : CONTRACT_PEERS_SYS;
        break;
    default:
        about_pointer(L, state, args);
        break;
    }
    return dl_void();
}

/* ---- The top of a kernel ---- */

bool dl_contract_statement(dl *L, CXCursor cursor)
{
    CXCursor inner = ast_strip(L, cursor), *children;
    if (clang_getCursorKind(inner) != CXCursor_CallExpr || ast_children(L, inner, &children) == 0)
        return false;
    CXCursor function = ast_callee(L, inner, children[0]);
    const dl_builtin *row = dl_builtin_find(L, ast_spelling(L, function));
    if (!row || row->lower != lower_contract)
        return false;
    dl_expr(L, inner);
    return true;
}

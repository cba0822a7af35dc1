/* Loops. A loop carries the variables that its body assigns and the token chains that it may touch.
 * Which of them really change is known when the body is lowered; the others are dropped again. */
#include "dialect/lower.h"

#include "base/ds.h"

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

/* ---- Opening and closing ---- */

typedef struct opening {
    dl_loop loop;
    ir_block *outside, *body;
    dl_branch state; /* trail, variables and orders at entry */
    CXCursor where;
} opening;

/* A value for a variable that gets its first one inside a loop. Only the results of a `loop` come
 * from its breaks alone, so only there the stand-in is never seen. */
static bool stand_in(dl *L, const opening *o, const dl_var *var, dl_value *value)
{
    if (o->loop.code != IR_OP_LOOP || var->now.kind != DL_UNSET)
        return false;
    if (var->class == DL_CLASS_TOKEN) {
        *value = dl_of(L->entry_token, false, false);
        return true;
    }
    if (var->class != DL_CLASS_NUMBER)
        return false;
    *value = dl_convert(L, dl_integer(L, IR_I32, false, 0), var->element);
    return value->kind == DL_VALUE;
}

static void carry(dl *L, opening *o, uint32_t number)
{
    dl_var *var = &L->vars[number];
    dl_value init = var->now;
    if (var->stamp == L->stamp || (init.kind != DL_VALUE && !stand_in(L, o, var, &init)))
        return;
    var->stamp = L->stamp;
    ir_type_kind kind = init.type->kind;
    if (kind != IR_TILE && kind != IR_TOKEN) {
        dl_fail(L, o->where, "Make one view before the loop and choose its indices instead.",
                "%s is a view or tensor, which a loop cannot change", var->name);
        dl_set(L, number, dl_poison());
        return;
    }
    dl_carried item = {.var = number, .init = init, .same_as = UINT32_MAX};
    item.unset = var->now.kind == DL_UNSET;
    item.init.ir = dl_ir(L, &init);
    arrput(o->loop.carried, item);
}

static void carry_result(dl *L, opening *o)
{
    dl_frame *frame = L->frame;
    carry(L, o, frame->returned);
    dl_var *result = &L->vars[frame->result];
    if (frame->gives_value && result->now.kind == DL_UNSET &&
        frame->result_class == DL_CLASS_NUMBER) {
        dl_value zero = dl_integer(L, IR_I32, false, 0);
        dl_set(L, frame->result, dl_convert(L, zero, frame->result_element));
    }
    if (frame->gives_value)
        carry(L, o, frame->result);
}

/* Begins the body of a loop. It carries each variable that the body assigns, and the tokens of all
 * order classes if the body touches memory, since what an iteration leaves behind the next one
 * finds. What turns out to stay as it is is taken out again when the loop ends (compact). */
static void open_loop(dl *L, opening *o, CXCursor where, ir_opcode code, const dl_scan *scan,
                      const ir_type *counter)
{
    dl_order_flush(L);
    *o = (opening){.where = where, .outside = L->b.block};
    o->loop = (dl_loop){.outer = L->loop, .frame = L->frame, .code = code};
    o->loop.has_return = scan->returns;
    at(L, where);
    L->stamp++;
    for (size_t i = 0; i < arrlenu(scan->assigned); i++) {
        uint32_t number;
        if (dl_find(L, scan->assigned[i], &number))
            carry(L, o, number);
    }
    if (scan->touches) {
        for (size_t i = 0; i < arrlenu(L->orders); i++) {
            carry(L, o, L->orders[i].store);
            carry(L, o, L->orders[i].all);
        }
        carry(L, o, L->acquired);
    }
    if (scan->returns)
        carry_result(L, o);
    size_t n = arrlenu(o->loop.carried), first = counter ? 1 : 0;
    const ir_type **types = TR_NEW_ARRAY(L->scratch, const ir_type *, n + 1);
    types[0] = counter;
    for (size_t i = 0; i < n; i++)
        types[first + i] = o->loop.carried[i].init.type;
    o->body = ir_block_new(L->module, L->b.function, (uint32_t)(first + n), types);
    o->state.trail = arrlenu(L->trail);
    o->state.n_vars = arrlenu(L->vars);
    o->state.n_orders = arrlenu(L->orders);
    for (size_t i = 0; i < n; i++) {
        dl_carried *item = &o->loop.carried[i];
        item->arg = o->body->args[first + i];
        item->arg->name = L->vars[item->var].name;
        dl_value value = item->init;
        value.ir = item->arg;
        value.constant = value.fixed = false;
        dl_set(L, item->var, item->unset ? dl_unset() : value);
    }
    L->b.block = o->body;
    L->loop = &o->loop;
}

/* The value that an exit hands on, or the argument itself where it has no such value. */
static ir_value *handed_on(dl *L, CXCursor where, ir_opcode code, dl_carried *item)
{
    const dl_var *var = &L->vars[item->var];
    const dl_value *now = &var->now;
    item->unset_left |= item->unset && code == IR_OP_BREAK && now->kind != DL_VALUE;
    if (now->kind != DL_VALUE || (item->unset && code == IR_OP_CONTINUE))
        return item->arg;
    if (now->type != item->init.type) {
        dl_fail(L, where,
                "Start with a tile of the final shape, such as tile_zeros(float, 64, 64).",
                "%s is %s before the loop, but %s after an iteration", var->name,
                dl_type_text(L, item->init.type), dl_type_text(L, now->type));
        return item->arg;
    }
    if (now->order != item->init.order) {
        dl_fail(L, where, "Use one pointer and change the index.",
                "%s points to another buffer after an iteration", var->name);
        return item->arg;
    }
    return dl_ir(L, now);
}

static void exit_loop(dl *L, CXCursor where, dl_loop *loop, ir_opcode code)
{
    dl_order_flush(L);
    at(L, where);
    uint32_t n = (uint32_t)arrlenu(loop->carried);
    ir_value **values = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    for (uint32_t i = 0; i < n; i++)
        values[i] = handed_on(L, where, code, &loop->carried[i]);
    at(L, where);
    ir_operand_list list = {values, n};
    ir_op *op = dl_build(L, code, &list, 0, NULL, NULL);
    arrput(loop->exits, op);
}

static void break_when(dl *L, dl_loop *loop, CXCursor condition)
{
    dl_value done = dl_condition(L, condition, true);
    if (done.kind != DL_VALUE || (done.constant && !done.integer))
        return;
    ir_value *test = dl_ir(L, &done);
    ir_block *outside = L->b.block;
    dl_branch leave;
    dl_branch_open(L, &leave);
    exit_loop(L, condition, loop, IR_OP_BREAK);
    leave.flow = DL_FLOW_JUMPED;
    dl_branch_close(L, &leave);
    L->b.block = outside;
    dl_branch_merge(L, condition, test, &leave, NULL, NULL, NULL, NULL);
}

void dl_jump(dl *L, CXCursor where, ir_opcode code)
{
    dl_loop *loop = L->loop;
    if (!loop)
        return;
    if (code == IR_OP_CONTINUE && loop->has_step)
        dl_expr(L, loop->step);
    if (code == IR_OP_CONTINUE && loop->has_condition)
        break_when(L, loop, loop->condition);
    exit_loop(L, where, loop, code);
}

/* ---- Dropping what does not change ---- */

static void drop_unchanged(dl_loop *loop)
{
    for (size_t i = 0; i < arrlenu(loop->carried); i++) {
        dl_carried *item = &loop->carried[i];
        bool same = true;
        for (size_t e = 0; e < arrlenu(loop->exits) && same; e++)
            same = loop->exits[e]->operands[i] == item->arg;
        item->dropped = same || item->unset_left;
    }
}

/* Two chains of one class that start and go on together are one. */
static void drop_twin(const dl_loop *loop, size_t twin, size_t kept)
{
    dl_carried *a = &loop->carried[twin], *b = &loop->carried[kept];
    if (a->dropped || b->dropped || a->init.ir != b->init.ir)
        return;
    for (size_t e = 0; e < arrlenu(loop->exits); e++) {
        ir_value **operands = loop->exits[e]->operands;
        if (operands[twin] != operands[kept] &&
            (operands[twin] != a->arg || operands[kept] != b->arg))
            return;
    }
    a->dropped = true;
    a->same_as = (uint32_t)kept;
}

static void drop_twins(dl *L, dl_loop *loop, size_t n_orders)
{
    for (size_t o = 0; o < n_orders; o++) {
        size_t store = SIZE_MAX, all = SIZE_MAX;
        for (size_t i = 0; i < arrlenu(loop->carried); i++) {
            if (loop->carried[i].var == L->orders[o].store)
                store = i;
            if (loop->carried[i].var == L->orders[o].all)
                all = i;
        }
        if (store != SIZE_MAX && all != SIZE_MAX)
            drop_twin(loop, store, all);
    }
}

static void forward(dl *L, ir_value *from, ir_value *to)
{
    size_t at = arrlenu(L->forward);
    arrsetlen(L->forward, at + 1);
    L->forward[at].from = from;
    L->forward[at].to = to;
}

/* Takes the dropped values out of the body's arguments, from `first` on, and out of the operands of
 * all its exits. Uses of such an argument become those of what it equals. */
static void compact(dl *L, opening *o, size_t first)
{
    dl_loop *loop = &o->loop;
    size_t n = arrlenu(loop->carried);
    uint32_t at_arg = (uint32_t)first;
    for (size_t i = 0; i < n; i++) {
        dl_carried *item = &loop->carried[i];
        if (item->dropped) {
            forward(L, item->arg,
                    item->same_as == UINT32_MAX ? item->init.ir : loop->carried[item->same_as].arg);
            continue;
        }
        item->arg->index = at_arg;
        o->body->args[at_arg++] = item->arg;
    }
    o->body->n_args = at_arg;
    for (size_t e = 0; e < arrlenu(loop->exits); e++) {
        ir_op *op = loop->exits[e];
        uint32_t kept = 0;
        for (size_t i = 0; i < n; i++)
            if (!loop->carried[i].dropped)
                op->operands[kept++] = op->operands[i];
        op->n_operands = kept;
        uint32_t *ends = TR_NEW(L->keep, uint32_t);
        *ends = kept;
        op->group_end = ends;
    }
}

static void take_back(dl *L, const dl_branch *state)
{
    while (arrlenu(L->trail) > state->trail) {
        dl_change change = arrpop(L->trail);
        L->vars[change.var].now = change.value;
    }
    while (arrlenu(L->orders) > state->n_orders) {
        dl_order order = arrpop(L->orders);
        arrfree(order.loads);
    }
}

/* Makes the op and gives the variables their values behind the loop. `bounds`: of a for. */
static void close_loop(dl *L, opening *o, ir_value *const *bounds, bool unsigned_bounds)
{
    dl_loop *loop = &o->loop;
    bool is_for = loop->code == IR_OP_FOR;
    take_back(L, &o->state);
    drop_unchanged(loop);
    drop_twins(L, loop, arrlenu(L->orders));
    compact(L, o, is_for ? 1 : 0);
    size_t n = arrlenu(loop->carried);
    uint32_t kept = 0;
    ir_value **inits = TR_NEW_ARRAY(L->scratch, ir_value *, n + 1);
    const ir_type **types = TR_NEW_ARRAY(L->scratch, const ir_type *, n + 1);
    uint32_t *result = TR_NEW_ARRAY(L->scratch, uint32_t, n + 1);
    for (size_t i = 0; i < n; i++) {
        if (loop->carried[i].dropped)
            continue;
        result[i] = kept;
        inits[kept] = loop->carried[i].init.ir;
        types[kept++] = loop->carried[i].init.type;
    }
    L->b.block = o->outside;
    L->loop = loop->outer;
    at(L, o->where);
    ir_op *op;
    if (is_for) {
        ir_operand_list groups[] = {
            {&bounds[0], 1}, {&bounds[1], 1}, {&bounds[2], 1}, {inits, kept}};
        op = dl_build(L, IR_OP_FOR, groups, kept, types, &kept);
        if (unsigned_bounds)
            ir_set_int(op, IR_AT_FOR_unsigned_cmp, 1);
        ir_set_region(op, IR_RG_FOR_body, o->body);
    } else {
        ir_operand_list group = {inits, kept};
        op = dl_build(L, IR_OP_LOOP, &group, kept, types, &kept);
        ir_set_region(op, IR_RG_LOOP_body, o->body);
    }
    for (size_t i = 0; i < n; i++) {
        dl_carried *item = &loop->carried[i];
        size_t column = item->same_as == UINT32_MAX ? i : item->same_as;
        if (item->dropped && item->same_as == UINT32_MAX)
            continue;
        dl_value value = item->init;
        value.ir = &op->results[result[column]];
        if (!item->dropped)
            value.ir->name = L->vars[item->var].name;
        value.constant = value.fixed = false;
        dl_set(L, item->var, value);
    }
    arrfree(loop->carried);
    arrfree(loop->exits);
}

/* ---- Counted loops ---- */

typedef struct counted {
    CXCursor var, start, bound, step;
    bool inclusive, unit_step, is_unsigned;
    dl_element element;
} counted;

static bool names(dl *L, CXCursor expression, CXCursor decl)
{
    CXCursor inner = ast_strip(L, expression);
    return clang_getCursorKind(inner) == CXCursor_DeclRefExpr &&
           clang_equalCursors(clang_getCursorReferenced(inner), decl);
}

typedef struct reads {
    dl *L;
    const dl_scan *scan;
    CXCursor counter;
    bool changed;
} reads;

static enum CXChildVisitResult read_one(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    reads *r = data;
    if (clang_getCursorKind(cursor) != CXCursor_DeclRefExpr)
        return CXChildVisit_Recurse;
    CXCursor decl = clang_getCursorReferenced(cursor);
    if (clang_equalCursors(decl, r->counter))
        r->changed = true;
    for (size_t i = 0; i < arrlenu(r->scan->assigned) && !r->changed; i++)
        r->changed = clang_equalCursors(decl, r->scan->assigned[i]);
    return r->changed ? CXChildVisit_Break : CXChildVisit_Continue;
}

/* Is it the same in every iteration, so that asking once is enough? */
static bool is_invariant(dl *L, CXCursor expression, const dl_scan *scan, CXCursor counter)
{
    dl_scan own = {0};
    ast_scan(L, expression, &own);
    bool fixed = !own.touches && arrlen(own.assigned) == 0 && !own.assigns_unknown;
    ast_scan_free(&own);
    if (!fixed)
        return false;
    reads r = {L, scan, counter, false};
    if (read_one(expression, clang_getNullCursor(), &r) == CXChildVisit_Recurse)
        clang_visitChildren(expression, read_one, &r);
    return !r.changed;
}

static bool read_start(dl *L, CXCursor init, counted *c)
{
    CXCursor *decls;
    if (clang_getCursorKind(init) != CXCursor_DeclStmt || ast_children(L, init, &decls) != 1 ||
        clang_getCursorKind(decls[0]) != CXCursor_VarDecl)
        return false;
    c->var = decls[0];
    c->start = clang_Cursor_getVarDeclInitializer(c->var);
    c->element = dl_element_of(L, clang_getCursorType(c->var));
    c->is_unsigned = c->element.is_unsigned;
    return !clang_Cursor_isNull(c->start) && c->element.type &&
           (c->element.type->kind == IR_I32 || c->element.type->kind == IR_I64);
}

static bool read_bound(dl *L, CXCursor condition, counted *c)
{
    CXCursor inner = ast_strip(L, condition), *sides;
    if (clang_getCursorKind(inner) != CXCursor_BinaryOperator ||
        ast_children(L, inner, &sides) != 2)
        return false;
    enum CXBinaryOperatorKind kind = clang_getCursorBinaryOperatorKind(inner);
    bool less = kind == CXBinaryOperator_LT || kind == CXBinaryOperator_LE;
    bool greater = kind == CXBinaryOperator_GT || kind == CXBinaryOperator_GE;
    if ((!less && !greater) || !names(L, sides[less ? 0 : 1], c->var))
        return false;
    /* C compares in the common type: the counter must not be widened for it. */
    dl_element compared = dl_element_of(L, clang_getCursorType(sides[less ? 0 : 1]));
    if (compared.type != c->element.type || compared.is_unsigned != c->is_unsigned)
        return false;
    c->bound = sides[less ? 1 : 0];
    c->inclusive = kind == CXBinaryOperator_LE || kind == CXBinaryOperator_GE;
    return !(c->inclusive && c->is_unsigned); /* bound + 1 could wrap to 0 */
}

/* Reads `i++`, `i += s`, `i = i + s` or `i = s + i` of the counter. The step has the counter's
 * type: else C would compute the sum in another one. False: it is none of these. */
static bool read_step(dl *L, CXCursor step, counted *c)
{
    CXCursor inner = ast_strip(L, step), *parts;
    size_t n = ast_children(L, inner, &parts);
    switch (clang_getCursorKind(inner)) {
    case CXCursor_UnaryOperator: {
        enum CXUnaryOperatorKind kind = clang_getCursorUnaryOperatorKind(inner);
        c->unit_step = true;
        return (kind == CXUnaryOperator_PostInc || kind == CXUnaryOperator_PreInc) && n == 1 &&
               names(L, parts[0], c->var);
    }
    case CXCursor_CompoundAssignOperator:
        if (clang_getCursorBinaryOperatorKind(inner) != CXBinaryOperator_AddAssign || n != 2 ||
            !names(L, parts[0], c->var))
            return false;
        c->step = parts[1];
        break;
    case CXCursor_BinaryOperator: {
        CXCursor target;
        if (clang_getCursorBinaryOperatorKind(inner) != CXBinaryOperator_Assign || n != 2 ||
            !names(L, parts[0], c->var))
            return false;
        inner = ast_strip(L, parts[1]);
        if (clang_getCursorKind(inner) != CXCursor_BinaryOperator ||
            clang_getCursorBinaryOperatorKind(inner) != CXBinaryOperator_Add ||
            ast_children(L, inner, &parts) != 2)
            return false;
        target = names(L, parts[0], c->var) ? parts[0] : parts[1];
        if (!names(L, target, c->var))
            return false;
        c->step = names(L, parts[0], c->var) ? parts[1] : parts[0];
        break;
    }
    default:
        return false;
    }
    dl_element added = dl_element_of(L, clang_getCursorType(c->step));
    return added.type == c->element.type && added.is_unsigned == c->is_unsigned;
}

static bool is_counted(dl *L, CXCursor init, CXCursor condition, CXCursor step, CXCursor body,
                       counted *c)
{
    *c = (counted){0};
    if (clang_Cursor_isNull(init) || clang_Cursor_isNull(condition) || clang_Cursor_isNull(step) ||
        !read_start(L, init, c) || !read_bound(L, condition, c) || !read_step(L, step, c))
        return false;
    dl_scan scan = {0};
    ast_scan(L, body, &scan);
    bool fits = !scan.breaks && !scan.returns && is_invariant(L, c->bound, &scan, c->var) &&
                (c->unit_step || is_invariant(L, c->step, &scan, c->var));
    for (size_t i = 0; i < arrlenu(scan.assigned) && fits; i++)
        fits = !clang_equalCursors(scan.assigned[i], c->var);
    ast_scan_free(&scan);
    return fits;
}

/* False: it turned out not to count upwards. */
static bool counted_bounds(dl *L, const counted *c, ir_value **bounds)
{
    dl_value start = dl_operand(L, c->start), bound = dl_number(L, c->bound);
    dl_value step = dl_integer(L, c->element.type->kind, c->is_unsigned, 1);
    if (start.kind == DL_VALUE)
        start = dl_to_number(L, c->start, start, c->element);
    if (!c->unit_step)
        step = dl_number(L, c->step);
    if (bound.kind == DL_VALUE && c->inclusive) {
        at(L, c->bound);
        dl_value one = dl_integer(L, c->element.type->kind, c->is_unsigned, 1);
        bound = dl_binary(L, c->bound, DL_ADD, bound, one);
    }
    if (start.kind != DL_VALUE || bound.kind != DL_VALUE || step.kind != DL_VALUE)
        return false;
    if (bound.type->elem != c->element.type || step.type->elem != c->element.type)
        return false;
    bounds[0] = dl_ir(L, &start);
    bounds[1] = dl_ir(L, &bound);
    bounds[2] = dl_ir(L, &step);
    return true;
}

static dl_flow counted_loop(dl *L, CXCursor cursor, CXCursor body, const counted *c)
{
    ir_value *bounds[3];
    if (!counted_bounds(L, c, bounds))
        return DL_FLOW_ON; /* with an error */
    dl_scan scan = {0};
    ast_scan(L, body, &scan);
    opening o;
    open_loop(L, &o, cursor, IR_OP_FOR, &scan, bounds[0]->type);
    ast_scan_free(&scan);
    ir_value *counter = o.body->args[0];
    counter->name = ast_spelling(L, c->var);
    dl_declare(L, c->var, DL_CLASS_NUMBER, c->element, dl_of(counter, true, c->is_unsigned));
    dl_flow flow = dl_statement(L, body);
    if (flow != DL_FLOW_JUMPED)
        exit_loop(L, cursor, &o.loop, IR_OP_CONTINUE);
    close_loop(L, &o, bounds, c->is_unsigned);
    return DL_FLOW_ON;
}

/* ---- General loops ---- */

typedef struct general {
    CXCursor condition, step, body; /* null where there is none */
    bool test_last;
} general;

static dl_flow general_loop(dl *L, CXCursor cursor, const general *g)
{
    dl_scan scan = {0};
    ast_scan(L, g->body, &scan);
    ast_scan(L, g->condition, &scan);
    ast_scan(L, g->step, &scan);
    opening o;
    open_loop(L, &o, cursor, IR_OP_LOOP, &scan, NULL);
    ast_scan_free(&scan);
    dl_loop *loop = &o.loop;
    loop->has_step = !clang_Cursor_isNull(g->step);
    loop->step = g->step;
    loop->has_condition = g->test_last;
    loop->condition = g->condition;
    if (!g->test_last && !clang_Cursor_isNull(g->condition))
        break_when(L, loop, g->condition);
    if (dl_statement(L, g->body) != DL_FLOW_JUMPED)
        dl_jump(L, cursor, IR_OP_CONTINUE);
    bool returns = loop->has_return;
    close_loop(L, &o, NULL, false);
    return returns ? DL_FLOW_MAYBE : DL_FLOW_ON;
}

dl_flow dl_for(dl *L, CXCursor cursor)
{
    CXCursor init, condition, step, body;
    if (!ast_for_parts(L, cursor, &init, &condition, &step, &body)) {
        dl_fail(L, cursor, "Write `for (` out, not by a macro.", "this for cannot be read");
        return DL_FLOW_ON;
    }
    counted c;
    if (is_counted(L, init, condition, step, body, &c))
        return counted_loop(L, cursor, body, &c);
    if (!clang_Cursor_isNull(init))
        dl_statement(L, init);
    general g = {.condition = condition, .step = step, .body = body};
    return general_loop(L, cursor, &g);
}

dl_flow dl_while(dl *L, CXCursor cursor)
{
    CXCursor *parts;
    if (ast_children(L, cursor, &parts) != 2)
        return DL_FLOW_ON;
    general g = {.condition = parts[0], .step = clang_getNullCursor(), .body = parts[1]};
    return general_loop(L, cursor, &g);
}

dl_flow dl_do(dl *L, CXCursor cursor)
{
    CXCursor *parts;
    if (ast_children(L, cursor, &parts) != 2)
        return DL_FLOW_ON;
    general g = {
        .condition = parts[1], .step = clang_getNullCursor(), .body = parts[0], .test_last = true};
    return general_loop(L, cursor, &g);
}

/* switch: a chain of ifs over its cases. Tile IR has no jump table, and no way to fall from one
 * case into the next, so every case ends by itself. */
#include "dialect/expr.h"
#include "dialect/lower.h"

#include "base/ds.h"

typedef struct section {  /* the statements behind one or more labels */
    CXCursor *labels;     /* stb_ds: expressions; none of `default` */
    CXCursor *statements; /* stb_ds */
    bool is_default;
} section;

typedef struct cases {
    dl *L;
    CXCursor where;
    dl_value value;
    section *sections; /* stb_ds */
    section *otherwise;
    bool readable;
} cases;

static void at(dl *L, CXCursor cursor)
{
    L->at = cursor;
    L->placed = false;
}

static void refuse(cases *c, CXCursor where, const char *hint, const char *what)
{
    dl_fail(c->L, where, hint, "%s", what);
    c->readable = false;
}

/* The section that a label belongs to: a new one behind statements. */
static section *labelled(cases *c)
{
    size_t n = arrlenu(c->sections);
    if (n == 0 || arrlen(c->sections[n - 1].statements) > 0)
        arrput(c->sections, (section){0});
    return &arrlast(c->sections);
}

/* Takes the labels off a statement and gives what stands behind them. */
static CXCursor take_labels(cases *c, CXCursor statement)
{
    for (;;) {
        enum CXCursorKind kind = clang_getCursorKind(statement);
        if (kind != CXCursor_CaseStmt && kind != CXCursor_DefaultStmt)
            return statement;
        CXCursor *parts;
        size_t n = ast_children(c->L, statement, &parts);
        section *s = labelled(c);
        if (kind == CXCursor_DefaultStmt)
            s->is_default = true;
        else if (n == 2)
            arrput(s->labels, parts[0]);
        else
            refuse(c, statement, "Write one case for each value.", "a case is one value");
        if (n == 0)
            return statement;
        statement = parts[n - 1];
    }
}

static void read_sections(cases *c, CXCursor body)
{
    CXCursor *statements;
    size_t n = ast_children(c->L, body, &statements);
    for (size_t i = 0; i < n && c->readable; i++) {
        CXCursor statement = take_labels(c, statements[i]);
        if (arrlen(c->sections) == 0)
            refuse(c, statement, "Move it before the switch.", "no case reaches this statement");
        else
            arrput(arrlast(c->sections).statements, statement);
    }
}

/* A section in braces is the list inside. */
static void open_braces(dl *L, section *s)
{
    while (arrlen(s->statements) == 1 &&
           clang_getCursorKind(s->statements[0]) == CXCursor_CompoundStmt) {
        CXCursor *inner;
        size_t n = ast_children(L, s->statements[0], &inner);
        arrsetlen(s->statements, 0);
        for (size_t i = 0; i < n; i++)
            arrput(s->statements, inner[i]);
    }
}

/* Every section ends by break, which goes away, or by another jump. */
static void end_section(cases *c, section *s, bool is_last)
{
    open_braces(c->L, s);
    size_t n = arrlenu(s->statements);
    CXCursor last = n ? s->statements[n - 1] : c->where;
    enum CXCursorKind kind = clang_getCursorKind(last);
    if (n && kind == CXCursor_BreakStmt)
        (void)arrpop(s->statements), n--;
    else if (!is_last && kind != CXCursor_ReturnStmt && kind != CXCursor_ContinueStmt)
        refuse(c, last, "End each case with break, continue or return.",
               "this case falls through to the next one");
    for (size_t i = 0; i < n; i++) {
        dl_scan scan = {0};
        ast_scan(c->L, s->statements[i], &scan);
        bool breaks = scan.breaks;
        ast_scan_free(&scan);
        if (breaks)
            refuse(c, s->statements[i], "Let only the end of a case be a break.",
                   "this leaves the switch from the middle of a case");
    }
    if (s->is_default)
        c->otherwise = s;
}

static dl_value is_one_of(cases *c, const section *s)
{
    dl *L = c->L;
    dl_value any = dl_poison();
    for (size_t i = 0; i < arrlenu(s->labels); i++) {
        int64_t number;
        if (!dl_constant(L, s->labels[i], "a case", INT64_MIN, INT64_MAX, &number))
            return dl_poison();
        at(L, s->labels[i]);
        dl_value label = dl_integer(L, c->value.type->elem->kind, c->value.is_unsigned, number);
        dl_value same = dl_compare(L, s->labels[i], IR_EQ, c->value, label);
        any = i == 0 ? same : dl_binary(L, s->labels[i], DL_OR, any, same);
    }
    return any;
}

static dl_flow statements_of(dl *L, const section *s)
{
    return s ? dl_statements(L, s->statements, arrlenu(s->statements)) : DL_FLOW_ON;
}

/* Lowers the sections from `first` on as a chain of branches: is the value one of the first
 * section's, else the rest. A section that jumps needs no arm for the rest. */
static dl_flow lower_from(cases *c, size_t first)
{
    dl *L = c->L;
    size_t i = first, n = arrlenu(c->sections);
    while (i < n && c->sections[i].is_default) /* with or without values: all that is left */
        i++;
    if (i == n)
        return statements_of(L, c->otherwise);
    dl_value condition = is_one_of(c, &c->sections[i]);
    if (condition.kind != DL_VALUE)
        return DL_FLOW_ON; /* an error */
    if (condition.constant)
        return condition.integer ? statements_of(L, &c->sections[i]) : lower_from(c, i + 1);
    if (++L->depth > DL_MAX_DEPTH) {
        L->depth--;
        dl_fail(L, c->where, "Use a table in memory.", "this switch has too many cases");
        return DL_FLOW_ON;
    }
    ir_value *test = dl_ir(L, &condition);
    ir_block *outside = L->b.block;
    dl_branch then, otherwise;
    dl_branch_open(L, &then);
    then.flow = statements_of(L, &c->sections[i]);
    dl_branch_close(L, &then);
    L->b.block = outside;
    dl_flow flow;
    if (then.flow == DL_FLOW_JUMPED) {
        dl_branch_merge(L, c->where, test, &then, NULL, NULL, NULL, NULL);
        flow = lower_from(c, i + 1);
    } else {
        dl_branch_open(L, &otherwise);
        otherwise.flow = lower_from(c, i + 1);
        dl_branch_close(L, &otherwise);
        L->b.block = outside;
        flow = dl_branch_merge(L, c->where, test, &then, &otherwise, NULL, NULL, NULL);
    }
    L->depth--;
    return flow;
}

dl_flow dl_switch(dl *L, CXCursor cursor)
{
    CXCursor *parts;
    if (ast_children(L, cursor, &parts) != 2)
        return DL_FLOW_ON;
    cases c = {.L = L, .where = cursor, .readable = true, .value = dl_number(L, parts[0])};
    if (c.value.kind != DL_VALUE)
        return DL_FLOW_ON;
    read_sections(&c, parts[1]);
    size_t n = arrlenu(c.sections);
    for (size_t i = 0; i < n && c.readable; i++)
        end_section(&c, &c.sections[i], i + 1 == n);
    dl_flow flow = c.readable ? lower_from(&c, 0) : DL_FLOW_ON;
    for (size_t i = 0; i < n; i++) {
        arrfree(c.sections[i].labels);
        arrfree(c.sections[i].statements);
    }
    arrfree(c.sections);
    return flow;
}

/* Reading Clang's tree: children, places, source text, the shapes that tile.h's macros make. */
#include "dialect/lower.h"

#include <string.h>

#include "base/ds.h"

/* ---- Children ---- */

typedef struct child_list {
    CXCursor *items;
} child_list;

static enum CXChildVisitResult collect(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    child_list *list = data;
    arrput(list->items, cursor);
    return CXChildVisit_Continue;
}

size_t ast_children(dl *L, CXCursor cursor, CXCursor **out)
{
    child_list list = {0};
    clang_visitChildren(cursor, collect, &list);
    size_t n = arrlenu(list.items);
    *out = n ? tr_arena_copy(L->scratch, list.items, n * sizeof *list.items) : NULL;
    arrfree(list.items);
    return n;
}

typedef struct only_child {
    CXCursor cursor;
    size_t n;
} only_child;

static enum CXChildVisitResult take_only(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    only_child *child = data;
    if (child->n++)
        return CXChildVisit_Break;
    child->cursor = cursor;
    return CXChildVisit_Continue;
}

CXCursor ast_strip(dl *L, CXCursor cursor)
{
    (void)L;
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    while (kind == CXCursor_UnexposedExpr || kind == CXCursor_ParenExpr) {
        only_child child = {0};
        clang_visitChildren(cursor, take_only, &child);
        if (child.n != 1)
            return cursor;
        cursor = child.cursor;
        kind = clang_getCursorKind(cursor);
    }
    return cursor;
}

const char *ast_spelling(dl *L, CXCursor cursor)
{
    CXString string = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(string);
    const char *copy = tr_arena_strdup(L->keep, text ? text : "");
    clang_disposeString(string);
    return copy;
}

static enum CXChildVisitResult find_annotation(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    const char **wanted = data;
    if (clang_getCursorKind(cursor) != CXCursor_AnnotateAttr)
        return CXChildVisit_Continue;
    CXString string = clang_getCursorSpelling(cursor);
    const char *text = clang_getCString(string);
    bool is = text && *wanted && strcmp(text, *wanted) == 0;
    clang_disposeString(string);
    if (is)
        *wanted = NULL;
    return is ? CXChildVisit_Break : CXChildVisit_Continue;
}

bool ast_has_annotation(dl *L, CXCursor decl, const char *annotation)
{
    (void)L;
    if (!clang_Cursor_hasAttrs(decl))
        return false;
    clang_visitChildren(decl, find_annotation, &annotation);
    return annotation == NULL;
}

/* ---- Places ---- */

static const dl_file *file_of(dl *L, CXFile file)
{
    for (size_t i = 0; i < arrlenu(L->files); i++)
        if (clang_File_isEqual(L->files[i].file, file))
            return &L->files[i];
    dl_file entry = {.file = file};
    CXString name = clang_getFileName(file);
    const char *text = clang_getCString(name);
    entry.name = tr_arena_strdup(L->keep, text ? text : "");
    clang_disposeString(name);
    entry.text = clang_getFileContents(L->unit, file, &entry.length);
    arrput(L->files, entry);
    return &arrlast(L->files);
}

static bool is_name_byte(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/* Offset behind the closing bracket that matches the opening one at `at`; `at` when there is none.
 */
static size_t skip_brackets(const dl_file *file, size_t at)
{
    size_t depth = 0;
    for (size_t i = at; i < file->length; i++) {
        char c = file->text[i];
        if (c == '(' || c == '[' || c == '{') {
            depth++;
        } else if (c == ')' || c == ']' || c == '}') {
            if (--depth == 0)
                return i + 1;
        } else if (c == '"' || c == '\'') {
            for (i++; i < file->length && file->text[i] != c && file->text[i] != '\n'; i++)
                if (file->text[i] == '\\')
                    i++;
        } else if (c == '/' && i + 1 < file->length && file->text[i + 1] == '*') {
            for (i += 2;
                 i + 1 < file->length && (file->text[i] != '*' || file->text[i + 1] != '/');)
                i++;
            i++;
        } else if (c == '/' && i + 1 < file->length && file->text[i + 1] == '/') {
            while (i < file->length && file->text[i] != '\n')
                i++;
        }
    }
    return at;
}

typedef struct span {
    const dl_file *file;
    unsigned line, column, start, end_line, end_column, end;
} span;

/* The source range of a cursor in the file where a person would look for it: the use of a macro,
 * the argument of a macro. For a macro inside another one's arguments Clang gives an empty range;
 * its end is found in the text. */
static bool span_of(dl *L, CXCursor cursor, span *s)
{
    memset(s, 0, sizeof *s);
    CXSourceRange range = clang_getCursorExtent(cursor);
    CXFile file = NULL, end_file = NULL;
    clang_getFileLocation(clang_getRangeStart(range), &file, &s->line, &s->column, &s->start);
    clang_getFileLocation(clang_getRangeEnd(range), &end_file, &s->end_line, &s->end_column,
                          &s->end);
    if (!file)
        return false;
    s->file = file_of(L, file);
    bool other = !end_file || !clang_File_isEqual(file, end_file);
    if ((!other && s->end > s->start) || !s->file->text || s->start >= s->file->length)
        return true;
    size_t at = s->start;
    while (at < s->file->length && is_name_byte(s->file->text[at]))
        at++;
    if (at < s->file->length && s->file->text[at] == '(')
        at = skip_brackets(s->file, at);
    s->end = (unsigned)at;
    s->end_line = s->line;
    s->end_column = s->column;
    for (size_t i = s->start; i < at; i++) {
        s->end_column++;
        if (s->file->text[i] == '\n') {
            s->end_line++;
            s->end_column = 1;
        }
    }
    return true;
}

const tr_place *ast_place(dl *L, CXCursor cursor)
{
    span s;
    tr_place *place = TR_NEW(L->keep, tr_place);
    if (L->frame) {
        place->function = L->frame->name;
        place->inlined_at = L->frame->call;
    }
    if (!span_of(L, cursor, &s))
        return place;
    place->file = s.file->name;
    place->line = s.line;
    place->column = s.column;
    place->end_line = s.end_line;
    place->end_column = s.end_column;
    return place;
}

const char *ast_text(dl *L, CXCursor cursor)
{
    span s;
    if (!span_of(L, cursor, &s) || !s.file->text || s.end > s.file->length || s.end <= s.start)
        return NULL;
    char text[160];
    size_t n = 0;
    bool space = false;
    for (size_t i = s.start; i < s.end && n + 4 < sizeof text; i++) {
        char c = s.file->text[i];
        if (c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            space = n > 0;
            continue;
        }
        if (space)
            text[n++] = ' ';
        space = false;
        text[n++] = c;
    }
    if (n + 4 >= sizeof text) {
        while (n > 0 && ((unsigned char)text[n - 1] & 0xC0) == 0x80)
            n--; /* no half of a character */
        n = n < sizeof text - 4 ? n : sizeof text - 4;
        memcpy(text + n, "...", 3);
        n += 3;
    }
    return tr_arena_strndup(L->keep, text, n);
}

/* ---- Shapes of calls, lists and statements ---- */

CXCursor ast_callee(dl *L, CXCursor call, CXCursor first_child)
{
    CXCursor callee = clang_getCursorReferenced(call);
    if (!clang_Cursor_isNull(callee) && clang_getCursorKind(callee) == CXCursor_FunctionDecl)
        return callee;
    /* _Generic: libclang shows all choices; the one taken has the selection's own type. */
    CXCursor selection = ast_strip(L, first_child);
    if (clang_getCursorKind(selection) != CXCursor_GenericSelectionExpr)
        return clang_getCursorReferenced(selection);
    CXType type = clang_getCanonicalType(clang_getCursorType(selection));
    CXCursor *choices, found = clang_getNullCursor();
    size_t n = ast_children(L, selection, &choices);
    for (size_t i = 1; i < n; i++) {
        CXCursor choice = ast_strip(L, choices[i]);
        if (clang_getCursorKind(choice) != CXCursor_DeclRefExpr ||
            !clang_equalTypes(type, clang_getCanonicalType(clang_getCursorType(choice))))
            continue;
        if (!clang_Cursor_isNull(found))
            return clang_getNullCursor(); /* two of that type: which one is not visible */
        found = clang_getCursorReferenced(choice);
    }
    return found;
}

bool ast_list(dl *L, CXCursor argument, CXCursor **items, size_t *n)
{
    *items = NULL;
    *n = 0;
    CXCursor cursor = ast_strip(L, argument);
    enum CXCursorKind kind = clang_getCursorKind(cursor);
    if (kind == CXCursor_CStyleCastExpr || kind == CXCursor_IntegerLiteral)
        return true; /* a null pointer: no list */
    if (kind == CXCursor_CompoundLiteralExpr) {
        CXCursor *children;
        size_t count = ast_children(L, cursor, &children);
        for (size_t i = 0; i < count; i++)
            if (clang_getCursorKind(children[i]) == CXCursor_InitListExpr) {
                *n = ast_children(L, children[i], items);
                return true;
            }
    }
    dl_fail(L, argument, "Write the list where it is used, with the macros of tile.h.",
            "this is no list that the dialect can read");
    return false;
}

/* Finds the two semicolons of a for statement. */
static bool for_semicolons(const span *s, size_t *first, size_t *second, size_t *end)
{
    const dl_file *file = s->file;
    size_t at = s->start;
    if (!file->text || at + 3 > file->length || strncmp(file->text + at, "for", 3) != 0)
        return false;
    at += 3;
    while (at < file->length && file->text[at] != '(')
        at++;
    *end = skip_brackets(file, at);
    size_t found = 0;
    for (size_t i = at + 1; i + 1 < *end; i++) {
        char c = file->text[i];
        if (c == '(' || c == '[' || c == '{' || c == '"' || c == '\'') {
            size_t behind = skip_brackets(file, i);
            i = behind > i ? behind - 1 : i;
        } else if (c == '/' && (file->text[i + 1] == '/' || file->text[i + 1] == '*')) {
            bool line = file->text[i + 1] == '/';
            for (i += 2; i + 1 < *end; i++)
                if (line ? file->text[i] == '\n' : file->text[i] == '*' && file->text[i + 1] == '/')
                    break;
        } else if (c == ';') {
            *(found++ ? second : first) = i;
        }
    }
    return found == 2;
}

bool ast_for_parts(dl *L, CXCursor statement, CXCursor *init, CXCursor *condition, CXCursor *step,
                   CXCursor *body)
{
    CXCursor *children;
    size_t n = ast_children(L, statement, &children);
    *init = *condition = *step = clang_getNullCursor();
    if (n == 0)
        return false;
    *body = children[n - 1];
    if (n == 4) {
        *init = children[0];
        *condition = children[1];
        *step = children[2];
        return true;
    }
    span s;
    size_t first, second, end;
    if (!span_of(L, statement, &s) || !for_semicolons(&s, &first, &second, &end))
        return n == 1;
    for (size_t i = 0; i + 1 < n; i++) {
        span part;
        if (!span_of(L, children[i], &part))
            return false;
        if (part.start < first)
            *init = children[i];
        else if (part.start < second)
            *condition = children[i];
        else
            *step = children[i];
    }
    return true;
}

/* Finds which findings the comments of their sources allow, and which comments allow none.
 *
 * `allow` holds for the line that it ends, else for the next line with code; before a kernel, with
 * nothing but attributes, decorators and comments between, for all of it. A finding in a helper is
 * also allowed where the helper is called. The verdict stays what it is. */
#include "report/allow.h"
#include "report/report_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

typedef struct allowing { /* a source; stb_ds map entry */
    char *key;
    writer *of; /* holds its text; NULL: nothing in it allows anything, and it is forgotten */
    comment_language language;
    commented text;
    allows all;
    bool is_whole;       /* all of its kernels were checked */
    bool is_undecided;   /* one of its kernels is not decided */
    input_report *input; /* the first one that names it */
} allowing;

struct report_comments {
    tr_arena *arena; /* of what is handed out */
    report_options options;
    allowing *files;
};

report_comments *report_comments_make(tr_arena *arena, const tr_unsaved *unsaved)
{
    report_comments *c = TR_NEW(arena, report_comments);
    *c = (report_comments){.arena = arena, .options = {.unsaved = unsaved}};
    return c;
}

static void forget_source(tr_take writer *w, allows *all, commented *text)
{
    tr_arena *arena = w ? w->arena : NULL;
    allows_free(all);
    comments_free(text);
    if (w)
        sources_free(w);
    tr_arena_free(arena);
}

void report_comments_free(report_comments *c)
{
    for (ptrdiff_t i = 0; i < shlen(c->files); i++)
        if (c->files[i].of)
            forget_source(c->files[i].of, &c->files[i].all, &c->files[i].text);
    shfree(c->files);
}

/* Most sources have no such comment: of them no more is kept than that. */
static void read_comments(report_comments *c, const char *file, allowing *new)
{
    size_t length;
    tr_arena *arena = tr_arena_new();
    writer *w = TR_NEW(arena, writer);
    *w = (writer){.arena = arena, .options = &c->options};
    const char *text = source_text(w, file, &length);
    if (text) {
        new->text = comments_read(arena, new->language, text, length);
        new->all = allows_read(c->arena, &new->text);
    }
    if (arrlenu(new->all.items) + arrlenu(new->all.problems) > 0) {
        new->of = w;
        return;
    }
    forget_source(w, &new->all, &new->text);
    new->all = (allows){0};
    new->text = (commented){0};
}

static allowing *file_of(report_comments *c, const char *file, input_report *input)
{
    ptrdiff_t at = shgeti(c->files, file);
    if (at < 0) {
        allowing new = {.key = tr_arena_strdup(c->arena, file), .input = input};
        new.language = comment_language_of(file);
        read_comments(c, file, &new);
        shputs(c->files, new);
        at = shgeti(c->files, file);
    }
    return &c->files[at];
}

/* ---- Section: Before a kernel ---- */

static size_t offset_of_line(const commented *c, uint32_t line)
{
    return line <= arrlenu(c->lines) ? c->lines[line - 1] : c->length;
}

static char first_on_line(const commented *c, uint32_t line)
{
    size_t at = offset_of_line(c, line);
    while (c->code[at] && c->code[at] != '\n' && isspace((unsigned char)c->code[at]))
        at++;
    return c->code[at] == '\n' ? 0 : c->code[at];
}

static int depth_after(char code, int depth)
{
    if (code && strchr("([", code))
        return depth + 1;
    return code && strchr(")]", code) && depth > 0 ? depth - 1 : depth;
}

/* C and Rust: no statement and no declaration ends in between; lines of the preprocessor do not
 * count. */
static bool is_one_declaration(const commented *c, comment_language language, size_t from,
                               size_t to)
{
    int depth = 0;
    bool begins_line = true;
    for (size_t i = from; i < to; i++) {
        char code = c->code[i];
        if (language == COMMENTS_C && code == '#' && begins_line)
            while (i + 1 < to && (c->code[i + 1] != '\n' || c->code[i] == '\\'))
                i++;
        else if (depth == 0 && code && strchr(";{}", code))
            return false;
        depth = depth_after(code, depth);
        begins_line = code == '\n' || (begins_line && isspace((unsigned char)code));
    }
    return true;
}

/* Python and Julia: nothing but decorators, macros, and texts that stand alone, as Julia has them
 * for documentation. */
static bool are_decorators(const commented *c, uint32_t from, uint32_t to)
{
    int depth = 0;
    for (uint32_t line = from; line < to; line++) {
        char first = first_on_line(c, line);
        size_t end = offset_of_line(c, line + 1);
        if (depth == 0 && first && !strchr("@\"", first))
            return false;
        for (size_t i = offset_of_line(c, line); i < end; i++)
            depth = depth_after(c->code[i], depth);
    }
    return true;
}

/* The line of the `def` of a function whose place is its first decorator. */
static uint32_t end_of_header(const allowing *file, uint32_t line)
{
    uint32_t end = line, n = (uint32_t)arrlenu(file->text.lines);
    if (file->language != COMMENTS_PYTHON || first_on_line(&file->text, line) != '@')
        return line;
    while (end < n && are_decorators(&file->text, line, end + 1))
        end++;
    return end;
}

static bool is_of_kernel(const allowing *file, const allow *a, const tr_place *kernel)
{
    const commented *c = &file->text;
    const comment *at = &c->comments[a->comment];
    bool ends_line = comments_has_code_before(c, at->from);
    if (a->kind != ALLOW_FINDING || kernel->line > arrlenu(c->lines))
        return false;
    if (at->line >= kernel->line)
        return at->line == kernel->line ? ends_line || at->end_line == kernel->line
                                        : at->end_line <= end_of_header(file, kernel->line);
    if (file->language == COMMENTS_PYTHON || file->language == COMMENTS_JULIA)
        return are_decorators(c, ends_line ? at->line : at->end_line + 1, kernel->line);
    size_t name = offset_of_line(c, kernel->line) + (kernel->column ? kernel->column - 1 : 0);
    name = name < c->length ? name : c->length;
    return is_one_declaration(c, file->language, ends_line ? offset_of_line(c, at->line) : at->to,
                              name);
}

/* ---- Section: On a line ---- */

/* The line that a comment speaks of which stands alone. */
static uint32_t next_line_with_code(const commented *c, const comment *at)
{
    uint32_t line = at->end_line, n = (uint32_t)arrlenu(c->lines);
    size_t end = offset_of_line(c, line + 1);
    for (size_t i = at->to; i < end && i < c->length; i++)
        if (!isspace((unsigned char)c->code[i]))
            return line;
    do
        line++;
    while (line <= n && !comments_has_code(c, line));
    return line;
}

static bool is_of_place(const commented *c, const allow *a, const tr_place *place)
{
    const comment *at = &c->comments[a->comment];
    uint32_t end = place->end_line > place->line ? place->end_line : place->line;
    switch (a->kind) {
    case ALLOW_LINE:
        return a->place.line == place->line;
    case ALLOW_NEXT_LINE:
        return a->place.line + 1 == place->line;
    case ALLOW_FINDING:
        break;
    }
    if (comments_has_code_before(c, at->from))
        return place->line <= at->line && at->line <= end;
    return next_line_with_code(c, at) == place->line;
}

/* ---- Section: Findings ---- */

static void hide_by(report_comments *c, allowing *file, allow *a, finding *f)
{
    a->used[f->rule] = true;
    if (f->hidden.by)
        return;
    tr_place *place = TR_NEW(c->arena, tr_place);
    *place = a->place;
    place->file = file->key;
    f->hidden = (finding_hidden){
        .by = HIDDEN_BY_COMMENT, .reason = tr_arena_strdup(c->arena, a->reason), .place = place};
}

static void ask_place(report_comments *c, input_report *input, finding *f, const tr_place *place)
{
    allowing *file = file_of(c, place->file, input);
    for (size_t i = 0; i < arrlenu(file->all.items); i++) {
        allow *a = &file->all.items[i];
        if (a->allows[f->rule] && is_of_place(&file->text, a, place))
            hide_by(c, file, a, f);
    }
}

static void ask_kernel(report_comments *c, input_report *input, finding *f, const tr_place *kernel)
{
    allowing *file = file_of(c, kernel->file, input);
    for (size_t i = 0; i < arrlenu(file->all.items); i++) {
        allow *a = &file->all.items[i];
        if (a->allows[f->rule] && is_of_kernel(file, a, kernel))
            hide_by(c, file, a, f);
    }
}

static void ask(report_comments *c, input_report *input, const kernel_report *kernel, finding *f)
{
    const tr_place *place = f->n_locations > 0 ? f->locations[0].place : NULL;
    if (!place_known(place))
        place = kernel->place;
    for (; place; place = place->inlined_at)
        if (place_known(place))
            ask_place(c, input, f, place);
    if (place_known(kernel->place))
        ask_kernel(c, input, f, kernel->place);
}

void report_comments_hide(report_comments *c, input_report *input)
{
    ptrdiff_t own = input->n_errors > 0 ? shgeti(c->files, input->file) : -1;
    if (own >= 0) /* other kernels of the file were checked, and of these nothing is known */
        c->files[own].is_undecided = true;
    for (size_t k = 0; k < input->n_kernels; k++) {
        kernel_report *kernel = &input->kernels[k];
        if (place_known(kernel->place)) {
            allowing *file = file_of(c, kernel->place->file, input);
            file->is_whole |= strcmp(kernel->place->file, input->file) == 0;
            file->is_undecided |= kernel->verdict == VERDICT_UNKNOWN || kernel->unknown > 0;
        }
        for (size_t f = 0; f < kernel->n_findings; f++)
            if (!kernel->findings[f].hidden.by)
                ask(c, input, kernel, &kernel->findings[f]);
    }
}

/* ---- Section: Comments that allow nothing ---- */

static void add_remark(report_comments *c, allowing *file, input_remark **items, remark_kind kind,
                       const tr_place *where, const char *text)
{
    tr_place *place = TR_NEW(c->arena, tr_place);
    *place = *where;
    place->file = file->key;
    arrput(*items, ((input_remark){kind, place, text}));
}

/* Rules of notes are left out: they are reported only under --notes, so their comments may be
 * needed. */
static void add_unused(report_comments *c, allowing *file, input_remark **items, const allow *a)
{
    const char *rules = "";
    bool any_used = false;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        any_used |= a->used[i];
        if (a->allows[i] && !a->used[i] && rule_info_of((rule_id)i)->level != LEVEL_NOTE)
            rules = tr_arena_printf(c->arena, "%s%s%s", rules, *rules ? ", " : "",
                                    rule_info_of((rule_id)i)->code);
    }
    if (*rules && !(any_used && a->kind != ALLOW_FINDING)) /* a pattern of NOLINT may be wide */
        add_remark(
            c, file, items, REMARK_UNUSED, &a->place,
            tr_arena_printf(c->arena, "this allows %s, and there is no such finding", rules));
}

static int compare_remarks(const void *a, const void *b)
{
    const input_remark *x = a, *y = b;
    if (x->place->line != y->place->line)
        return x->place->line < y->place->line ? -1 : 1;
    if (x->place->column != y->place->column)
        return x->place->column < y->place->column ? -1 : 1;
    return (int)x->kind - (int)y->kind;
}

static void judge_file(report_comments *c, allowing *file)
{
    input_remark *items = NULL;
    for (size_t i = 0; i < arrlenu(file->all.problems); i++)
        add_remark(c, file, &items, REMARK_WRONG, &file->all.problems[i].place,
                   file->all.problems[i].text);
    for (size_t i = 0; i < arrlenu(file->all.items) && file->is_whole && !file->is_undecided; i++)
        add_unused(c, file, &items, &file->all.items[i]);
    size_t n = arrlenu(items), had = file->input->n_remarks;
    if (n > 0) {
        qsort(items, n, sizeof *items, compare_remarks);
        input_remark *all = TR_NEW_ARRAY(c->arena, input_remark, had + n);
        if (had > 0)
            memcpy(all, file->input->remarks, had * sizeof *all);
        memcpy(all + had, items, n * sizeof *all);
        file->input->remarks = all;
        file->input->n_remarks = had + n;
    }
    arrfree(items);
}

void report_comments_judge(report_comments *c)
{
    for (ptrdiff_t i = 0; i < shlen(c->files); i++)
        judge_file(c, &c->files[i]);
}

void report_mark_allowed(tr_arena *arena, const tr_unsaved *unsaved, input_report *input)
{
    report_comments *c = report_comments_make(arena, unsaved);
    report_comments_hide(c, input);
    report_comments_judge(c);
    report_comments_free(c);
}

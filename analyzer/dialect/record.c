/* Records what a compiler tells of a source beside its kernels: Clang's diagnostics, the files that
 * were read, and what the pragmas of the source make of -Wrace.
 *
 * Clang has a cursor for each #include and none for a pragma, so pragmas are read line by line.
 * Files that are included take their place among the lines of the one that includes them, as what
 * a header leaves set holds behind it. */
#include "dialect/record.h"

#include <ctype.h>
#include <string.h>

#include "base/ds.h"
#include "dialect/libclang.h"

typedef enum event_kind { ENTER, LEAVE, PUSH, POP, SET } event_kind;

struct dialect_event {
    event_kind kind;
    const char *file;         /* of ENTER and LEAVE: that one */
    uint32_t line;            /* in the file around it: of ENTER, of the #include */
    dialect_race_level level; /* of SET */
};

typedef struct inclusion {
    CXFile from, of;
    uint32_t line;
    const char *name;
} inclusion;

typedef struct recorder {
    tr_arena *arena;
    CXTranslationUnit unit;
    dialect_record *record;
    inclusion *inclusions; /* stb_ds array, in the order of the source */
    unsigned depth;
} recorder;

static const char *take_string(tr_arena *arena, CXString string)
{
    const char *text = clang_getCString(string);
    const char *copy = tr_arena_strdup(arena, text ? text : "");
    clang_disposeString(string);
    return copy;
}

/* ---- Section: Diagnostics ---- */

tr_place dialect_place_of(tr_arena *arena, CXDiagnostic diagnostic)
{
    CXFile file = NULL;
    unsigned line, column;
    clang_getFileLocation(clang_getDiagnosticLocation(diagnostic), &file, &line, &column, NULL);
    if (!file)
        return (tr_place){0};
    return (tr_place){.file = take_string(arena, clang_getFileName(file)),
                      .line = line,
                      .column = column,
                      .end_line = line,
                      .end_column = column + 1};
}

static void add_mark(dialect_message *m, CXSourceRange range, const char *text)
{
    unsigned first, last, column, end;
    clang_getFileLocation(clang_getRangeStart(range), NULL, &first, &column, NULL);
    clang_getFileLocation(clang_getRangeEnd(range), NULL, &last, &end, NULL);
    if (first == m->place.line && last == m->place.line)
        m->marks[m->n_marks++] = (dialect_mark){column, end, text};
}

static void add_marks(recorder *r, CXDiagnostic d, dialect_message *m)
{
    unsigned n_ranges = clang_getDiagnosticNumRanges(d), n_fixes = clang_getDiagnosticNumFixIts(d);
    m->marks = TR_NEW_ARRAY(r->arena, dialect_mark, n_ranges + n_fixes + 1);
    for (unsigned i = 0; i < n_ranges; i++)
        add_mark(m, clang_getDiagnosticRange(d, i), NULL);
    for (unsigned i = 0; i < n_fixes; i++) {
        CXSourceRange range;
        const char *text = take_string(r->arena, clang_getDiagnosticFixIt(d, i, &range));
        add_mark(m, range, text);
    }
}

static dialect_message message_of(recorder *r, CXDiagnostic d)
{
    static const dialect_severity severities[] = {[CXDiagnostic_Ignored] = DIALECT_NOTE,
                                                  [CXDiagnostic_Note] = DIALECT_NOTE,
                                                  [CXDiagnostic_Warning] = DIALECT_WARNING,
                                                  [CXDiagnostic_Error] = DIALECT_ERROR,
                                                  [CXDiagnostic_Fatal] = DIALECT_FATAL_ERROR};
    dialect_message m = {.place = dialect_place_of(r->arena, d),
                         .severity = severities[clang_getDiagnosticSeverity(d)],
                         .text = take_string(r->arena, clang_getDiagnosticSpelling(d)),
                         .option = take_string(r->arena, clang_getDiagnosticOption(d, NULL))};
    add_marks(r, d, &m);
    CXDiagnosticSet notes = clang_getChildDiagnostics(d);
    m.n_notes = notes ? clang_getNumDiagnosticsInSet(notes) : 0;
    m.notes = TR_NEW_ARRAY(r->arena, dialect_message, m.n_notes + 1);
    for (unsigned i = 0; i < m.n_notes; i++) {
        CXDiagnostic note = clang_getDiagnosticInSet(notes, i);
        m.notes[i] = message_of(r, note);
        clang_disposeDiagnostic(note);
    }
    return m;
}

/* Clang knows no group of that name. */
static bool is_of_our_group(const dialect_message *m)
{
    return strcmp(m->option, "-Wunknown-warning-option") == 0 && strstr(m->text, "'-Wrace'");
}

static void take_messages(recorder *r)
{
    unsigned n = clang_getNumDiagnostics(r->unit);
    r->record->messages = TR_NEW_ARRAY(r->arena, dialect_message, n + 1);
    for (unsigned i = 0; i < n; i++) {
        CXDiagnostic d = clang_getDiagnostic(r->unit, i);
        dialect_message m = message_of(r, d);
        if (!is_of_our_group(&m))
            r->record->messages[r->record->n_messages++] = m;
        clang_disposeDiagnostic(d);
    }
}

/* ---- Section: Files ---- */

static enum CXChildVisitResult look_for_inclusion(CXCursor cursor, CXCursor parent, CXClientData to)
{
    (void)parent;
    recorder *r = to;
    if (clang_getCursorKind(cursor) != CXCursor_InclusionDirective)
        return CXChildVisit_Continue;
    inclusion one = {.of = clang_getIncludedFile(cursor)};
    unsigned line;
    clang_getFileLocation(clang_getCursorLocation(cursor), &one.from, &line, NULL, NULL);
    one.line = line;
    if (one.of && one.from) {
        one.name = take_string(r->arena, clang_getFileName(one.of));
        arrput(r->inclusions, one);
    }
    return CXChildVisit_Continue;
}

static void add_file(recorder *r, CXFile file, const char *name)
{
    dialect_record *record = r->record;
    for (size_t i = 0; i < record->n_files; i++)
        if (strcmp(record->files[i].name, name) == 0)
            return;
    bool of_system = clang_Location_isInSystemHeader(clang_getLocation(r->unit, file, 1, 1)) != 0;
    record->files[record->n_files++] = (dialect_file){name, of_system};
}

static void take_files(recorder *r, CXFile main, const char *path)
{
    size_t n = arrlenu(r->inclusions);
    r->record->files = TR_NEW_ARRAY(r->arena, dialect_file, n + 2);
    add_file(r, main, path);
    for (size_t i = 0; i < n; i++)
        add_file(r, r->inclusions[i].of, r->inclusions[i].name);
}

/* ---- Section: Pragmas ---- */

static void put(recorder *r, dialect_event event)
{
    arrput(r->record->events, event);
}

/* Moves behind the word; false: it is not there. */
static bool skip_word(const char **at, const char *end, const char *word)
{
    size_t length = strlen(word);
    while (*at < end && (**at == ' ' || **at == '\t'))
        ++*at;
    if ((size_t)(end - *at) < length || memcmp(*at, word, length) != 0)
        return false;
    const char *behind = *at + length;
    bool is_name = isalnum((unsigned char)word[length - 1]);
    if (is_name && behind < end && (isalnum((unsigned char)*behind) || *behind == '_'))
        return false;
    *at = behind;
    return true;
}

/* Reads the text behind `pragma`, in a directive or as the words of _Pragma, quotes with or without
 * a backslash. */
static void read_pragma(recorder *r, const char *file, uint32_t line, const char *at,
                        const char *end)
{
    static const struct {
        const char *word;
        event_kind kind;
        dialect_race_level level;
    } effects[] = {{"push", PUSH, DIALECT_RACE_AS_ASKED},  {"pop", POP, DIALECT_RACE_AS_ASKED},
                   {"ignored", SET, DIALECT_RACE_IGNORED}, {"warning", SET, DIALECT_RACE_WARNING},
                   {"error", SET, DIALECT_RACE_ERROR},     {"fatal", SET, DIALECT_RACE_ERROR}};
    if (!skip_word(&at, end, "clang") && !skip_word(&at, end, "GCC"))
        return;
    if (!skip_word(&at, end, "diagnostic"))
        return;
    for (size_t i = 0; i < TR_COUNT(effects); i++) {
        if (!skip_word(&at, end, effects[i].word))
            continue;
        skip_word(&at, end, "\\");
        bool of_race = skip_word(&at, end, "\"") && skip_word(&at, end, "-Wrace") &&
                       (skip_word(&at, end, "\\") || true) && skip_word(&at, end, "\"");
        if (effects[i].kind != SET || of_race)
            put(r, (dialect_event){effects[i].kind, file, line, effects[i].level});
        return;
    }
}

/* Reads one line outside comments: a directive, or operators. */
static void read_line(recorder *r, const char *file, uint32_t line, const char *at, const char *end)
{
    const char *directive = at;
    if (skip_word(&directive, end, "#")) {
        if (skip_word(&directive, end, "pragma"))
            read_pragma(r, file, line, directive, end);
        return; /* what a macro will bring is not followed */
    }
    for (; at + 7 < end; at++) {
        const char *words = at;
        if (*at == '_' && skip_word(&words, end, "_Pragma") && skip_word(&words, end, "(") &&
            skip_word(&words, end, "\""))
            read_pragma(r, file, line, words, end);
    }
}

/* Does a comment that began before or on this line go on behind it? */
static bool is_in_comment_after(bool inside, const char *at, const char *end)
{
    for (char quote = 0; at < end; at++) {
        if (inside) {
            inside = !(at[0] == '*' && at + 1 < end && at[1] == '/');
            at += !inside;
        } else if (quote) {
            at += *at == '\\';
            quote = *at == quote ? 0 : quote;
        } else if (*at == '"' || *at == '\'') {
            quote = *at;
        } else if (at[0] == '/' && at + 1 < end && at[1] == '/') {
            return false;
        } else if (at[0] == '/' && at + 1 < end && at[1] == '*') {
            inside = true;
            at++;
        }
    }
    return inside;
}

static bool is_skipped(const CXSourceRangeList *ranges, uint32_t line)
{
    for (unsigned i = 0; ranges && i < ranges->count; i++) {
        unsigned first, last;
        clang_getFileLocation(clang_getRangeStart(ranges->ranges[i]), NULL, &first, NULL, NULL);
        clang_getFileLocation(clang_getRangeEnd(ranges->ranges[i]), NULL, &last, NULL, NULL);
        if (line > first && line < last)
            return true;
    }
    return false;
}

static void read_file(recorder *r, CXFile file, const char *name, uint32_t included_at);

static void enter_inclusions(recorder *r, CXFile file, uint32_t line)
{
    for (size_t i = 0; i < arrlenu(r->inclusions); i++) {
        inclusion one = r->inclusions[i];
        if (one.line == line && clang_File_isEqual(one.from, file))
            read_file(r, one.of, one.name, line);
    }
}

static void read_file(recorder *r, CXFile file, const char *name, uint32_t included_at)
{
    enum { DEEPEST = 100 };
    size_t length = 0;
    const char *text = clang_getFileContents(r->unit, file, &length);
    if (!text || r->depth >= DEEPEST)
        return;
    r->depth++;
    put(r, (dialect_event){.kind = ENTER, .file = name, .line = included_at});
    CXSourceRangeList *skipped = clang_getSkippedRanges(r->unit, file);
    bool in_comment = false;
    uint32_t line = 1;
    for (const char *at = text, *end = text + length; at < end; line++) {
        const char *newline = memchr(at, '\n', (size_t)(end - at));
        const char *stop = newline ? newline : end;
        if (!in_comment && !is_skipped(skipped, line))
            read_line(r, name, line, at, stop);
        enter_inclusions(r, file, line);
        in_comment = is_in_comment_after(in_comment, at, stop);
        at = stop + 1;
    }
    clang_disposeSourceRangeList(skipped);
    put(r, (dialect_event){.kind = LEAVE, .file = name});
    r->depth--;
}

/* The levels that the pragmas up to an event have set. */
typedef struct setting {
    dialect_race_level now;
    dialect_race_level *pushed; /* stb_ds array */
} setting;

static void take(setting *s, const dialect_event *e)
{
    if (e->kind == SET)
        s->now = e->level;
    else if (e->kind == PUSH)
        arrput(s->pushed, s->now);
    else if (e->kind == POP && arrlenu(s->pushed) > 0)
        s->now = arrpop(s->pushed);
}

dialect_race_level dialect_race_at(const dialect_record *record, const tr_place *place)
{
    setting s = {.now = DIALECT_RACE_AS_ASKED};
    const char **within = NULL; /* stb_ds array: the files that are open */
    for (size_t i = 0; i < arrlenu(record->events); i++) {
        const dialect_event *e = &record->events[i];
        bool here = arrlenu(within) > 0 && strcmp(arrlast(within), place->file) == 0;
        if (here && (e->kind == LEAVE || e->line > place->line))
            break;
        take(&s, e);
        if (e->kind == ENTER)
            arrput(within, e->file);
        else if (e->kind == LEAVE)
            (void)arrpop(within);
    }
    arrfree(within);
    arrfree(s.pushed);
    return s.now;
}

void dialect_record_take(tr_arena *arena, CXTranslationUnit unit, const char *path,
                         dialect_record *record)
{
    recorder r = {.arena = arena, .unit = unit, .record = record};
    CXFile main = clang_getFile(unit, path);
    take_messages(&r);
    clang_visitChildren(clang_getTranslationUnitCursor(unit), look_for_inclusion, &r);
    if (main) {
        size_t length;
        const char *text = clang_getFileContents(unit, main, &length);
        record->has_kernels = text && memmem(text, length, "tile_kernel", 11);
        take_files(&r, main, path);
        read_file(&r, main, path, 0);
    }
    arrfree(r.inclusions);
}

void dialect_record_free(dialect_record *record)
{
    arrfree(record->events);
}

#include "report/comments.h"

#include <ctype.h>
#include <string.h>

#include "base/ds.h"

enum { MOST_NESTED = 100 }; /* strings in code in strings: what is deeper counts as a string */

typedef struct reader {
    commented *c;
    comment_language language;
    size_t at;
    uint32_t line; /* of `counted` */
    size_t counted;
    int depth;
} reader;

comment_language comment_language_of(const char *file)
{
    static const struct {
        const char *end;
        comment_language language;
    } rows[] = {{".py", COMMENTS_PYTHON},
                {".pyi", COMMENTS_PYTHON},
                {".rs", COMMENTS_RUST},
                {".jl", COMMENTS_JULIA}};
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (tr_ends_in(file, rows[i].end))
            return rows[i].language;
    return COMMENTS_C;
}

/* ---- Section: Text ---- */

/* 0 behind the end. */
static char peek(const reader *r, size_t ahead)
{
    return r->at + ahead < r->c->length ? r->c->text[r->at + ahead] : 0;
}

static bool is_at(const reader *r, const char *word)
{
    size_t n = strlen(word);
    return r->c->length - r->at >= n && memcmp(r->c->text + r->at, word, n) == 0;
}

static bool is_done(const reader *r)
{
    return r->at >= r->c->length;
}

static void skip(reader *r, size_t n)
{
    r->at = r->c->length - r->at < n ? r->c->length : r->at + n;
}

static bool is_of_name(char c)
{
    return isalnum((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static char before(const reader *r)
{
    return r->at > 0 ? r->c->text[r->at - 1] : 0;
}

static void blank(reader *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (r->c->code[i] != '\n')
            r->c->code[i] = ' ';
}

static uint32_t line_at(reader *r, size_t offset)
{
    for (; r->counted < offset; r->counted++)
        r->line += r->c->text[r->counted] == '\n';
    return r->line;
}

static void add_comment(reader *r, size_t from, bool is_line)
{
    comment found = {.from = from, .to = r->at, .is_line = is_line};
    found.line = line_at(r, from);
    found.end_line = line_at(r, r->at);
    arrput(r->c->comments, found);
    blank(r, from, r->at);
}

/* ---- Section: Comments ---- */

/* Reads a comment up to the end of its line. In C, a line that ends in a backslash is continued. */
static void read_line_comment(reader *r)
{
    size_t from = r->at;
    for (; !is_done(r) && peek(r, 0) != '\n'; r->at++) {
        bool goes_on = r->language == COMMENTS_C && peek(r, 0) == '\\';
        if (goes_on && peek(r, 1) == '\n')
            r->at++;
        else if (goes_on && peek(r, 1) == '\r' && peek(r, 2) == '\n')
            r->at += 2;
    }
    add_comment(r, from, true);
}

static void read_block_comment(reader *r, const char *begin, const char *end, bool nests)
{
    size_t from = r->at, depth = 0;
    do {
        bool ends = is_at(r, end), begins = is_at(r, begin) && (nests || depth == 0);
        depth += begins;
        depth -= ends && !begins;
        skip(r, begins || ends ? 2 : 1);
    } while (depth > 0 && !is_done(r));
    add_comment(r, from, false);
}

static bool read_comment(reader *r)
{
    bool has_hash = r->language == COMMENTS_PYTHON || r->language == COMMENTS_JULIA;
    if (r->language == COMMENTS_JULIA && is_at(r, "#="))
        read_block_comment(r, "#=", "=#", true);
    else if (has_hash && is_at(r, "#"))
        read_line_comment(r);
    else if (!has_hash && is_at(r, "//"))
        read_line_comment(r);
    else if (!has_hash && is_at(r, "/*"))
        read_block_comment(r, "/*", "*/", r->language == COMMENTS_RUST);
    else
        return false;
    return true;
}

/* ---- Section: Strings ---- */

static void read_some(reader *r);

/* Code in a string, up to the bracket that closes it. */
static void read_code_in_string(reader *r, char open, char close)
{
    size_t depth = 1;
    if (++r->depth < MOST_NESTED)
        while (!is_done(r) && depth > 0) {
            depth += peek(r, 0) == open;
            depth -= peek(r, 0) == close;
            read_some(r);
        }
    r->depth--;
}

typedef struct string_form {
    const char *quote; /* what ends it */
    bool has_lines;    /* it may go over lines */
    bool has_escapes;
    bool has_braces;  /* {code} in it */
    bool has_dollars; /* $(code) in it */
} string_form;

/* Reads a string from behind the quote that opens it. A string that does not end goes to the end of
 * its line, or, where it may have lines, of the text. */
static void read_string(reader *r, const string_form *form)
{
    size_t from = r->at;
    while (!is_done(r) && !is_at(r, form->quote)) {
        if (peek(r, 0) == '\n' && !form->has_lines)
            break;
        if (form->has_escapes && peek(r, 0) == '\\') {
            skip(r, 2);
        } else if (form->has_braces && peek(r, 0) == '{') {
            bool is_brace = peek(r, 1) == '{';
            skip(r, is_brace ? 2 : 1);
            if (!is_brace)
                read_code_in_string(r, '{', '}');
        } else if (form->has_dollars && is_at(r, "$(")) {
            skip(r, 2);
            read_code_in_string(r, '(', ')');
        } else {
            skip(r, 1);
        }
    }
    blank(r, from, r->at);
    if (is_at(r, form->quote))
        skip(r, strlen(form->quote));
}

/* The letters right before a quote; "" where they are part of something longer. */
static size_t prefix_length(const reader *r)
{
    size_t n = 0;
    while (n < r->at && is_of_name(r->c->text[r->at - n - 1]))
        n++;
    return n;
}

static bool prefix_is(const reader *r, const char *words)
{
    size_t n = prefix_length(r);
    for (const char *at = words; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        if (length == n && strncmp(r->c->text + r->at - n, at, n) == 0)
            return true;
        at += length;
    }
    return false;
}

static bool prefix_has(const reader *r, const char *letters)
{
    size_t n = prefix_length(r);
    for (size_t i = 1; i <= n && n <= 3; i++)
        if (strchr(letters, r->c->text[r->at - i]))
            return true;
    return false;
}

/* R"delimiter(...)delimiter" */
static void read_raw_of_cpp(reader *r)
{
    char end[20] = ")";
    size_t n = 0;
    for (skip(r, 1); n < 16 && peek(r, n) && !strchr("()\\ \n", peek(r, n)); n++)
        end[n + 1] = peek(r, n);
    end[n + 1] = '"';
    read_string(r, &(string_form){.quote = end, .has_lines = true});
}

/* r#"..."#, from the first '#' or the quote on; false: it is none. */
static bool read_raw_of_rust(reader *r)
{
    char end[80] = "\"";
    size_t n = 0;
    while (n < sizeof end - 2 && peek(r, n) == '#')
        end[++n] = '#';
    if (peek(r, n) != '"' || !prefix_is(r, "r br cr"))
        return false;
    skip(r, n + 1);
    read_string(r, &(string_form){.quote = end, .has_lines = true});
    return true;
}

static void read_double_quoted(reader *r)
{
    if (r->language == COMMENTS_RUST && read_raw_of_rust(r))
        return;
    if (r->language == COMMENTS_C && prefix_is(r, "R u8R uR UR LR")) {
        read_raw_of_cpp(r);
        return;
    }
    bool is_python = r->language == COMMENTS_PYTHON, is_julia = r->language == COMMENTS_JULIA;
    bool is_triple = (is_python || is_julia) && is_at(r, "\"\"\"");
    string_form form = {.quote = is_triple ? "\"\"\"" : "\"",
                        .has_lines = is_triple || is_julia || r->language == COMMENTS_RUST,
                        .has_escapes = true,
                        .has_braces = is_python && prefix_has(r, "fFtT"),
                        .has_dollars = is_julia && prefix_length(r) == 0};
    skip(r, strlen(form.quote));
    read_string(r, &form);
}

/* Is the quote of 'a', and not of a lifetime, a transposed matrix or a number as 1'000? */
static bool is_character(const reader *r)
{
    char last = before(r);
    if (r->language == COMMENTS_JULIA)
        return !is_of_name(last) && !(last && strchr(")]}'.\"", last));
    if (r->language == COMMENTS_C)
        return !(isalnum((unsigned char)last) && isalnum((unsigned char)peek(r, 1)) &&
                 isdigit((unsigned char)r->c->text[r->at - prefix_length(r)]));
    /* Rust: a lifetime has no second quote. */
    return !is_of_name(peek(r, 1)) || peek(r, 2) == '\'' || (unsigned char)peek(r, 1) >= 0x80;
}

static void read_single_quoted(reader *r)
{
    if (r->language != COMMENTS_PYTHON && !is_character(r)) {
        skip(r, 1);
        return;
    }
    bool is_triple = r->language == COMMENTS_PYTHON && is_at(r, "'''");
    string_form form = {.quote = is_triple ? "'''" : "'",
                        .has_lines = is_triple,
                        .has_escapes = true,
                        .has_braces = r->language == COMMENTS_PYTHON && prefix_has(r, "fFtT")};
    skip(r, strlen(form.quote));
    read_string(r, &form);
}

/* A comment, a string or one character of code. */
static void read_some(reader *r)
{
    if (read_comment(r))
        return;
    if (peek(r, 0) == '"')
        read_double_quoted(r);
    else if (peek(r, 0) == '\'')
        read_single_quoted(r);
    else if (peek(r, 0) == '`' && r->language == COMMENTS_JULIA) {
        skip(r, 1);
        read_string(r, &(string_form){.quote = "`", .has_lines = true, .has_escapes = true});
    } else if (peek(r, 0) != '#' || r->language != COMMENTS_RUST || !read_raw_of_rust(r))
        skip(r, 1);
}

/* ---- Section: All of them ---- */

/* Clang and Python end a line at a carriage return, too: else the comments of such a source would
 * stand in other lines than its findings. Rust and Julia do not. */
static const char *with_line_ends(tr_arena *arena, comment_language language, const char *text,
                                  size_t length)
{
    char *own = NULL;
    const char *last = text + length;
    if (language != COMMENTS_C && language != COMMENTS_PYTHON)
        return text;
    for (const char *at = text; at < last && (at = memchr(at, '\r', (size_t)(last - at))); at++) {
        if (at + 1 < last && at[1] == '\n')
            continue;
        own = own ? own : tr_arena_strndup(arena, text, length);
        own[at - text] = '\n';
    }
    return own ? own : text;
}

commented comments_read(tr_arena *arena, comment_language language, const char *text, size_t length)
{
    text = with_line_ends(arena, language, text, length);
    commented c = {.text = text, .length = length};
    c.code = tr_arena_alloc(arena, length + 1);
    memcpy(c.code, text, length);
    c.code[length] = 0;
    arrput(c.lines, 0);
    for (size_t i = 0; i < length; i++)
        if (text[i] == '\n')
            arrput(c.lines, i + 1);
    reader r = {.c = &c, .language = language, .line = 1};
    while (!is_done(&r))
        read_some(&r);
    return c;
}

void comments_free(commented *c)
{
    arrfree(c->comments);
    arrfree(c->lines);
}

bool comments_have_word(const commented *c, const char *word)
{
    for (const char *at = strstr(c->code, word); at; at = strstr(at + 1, word))
        if ((at == c->code || !is_of_name(at[-1])) && !is_of_name(at[strlen(word)]))
            return true;
    return false;
}

static bool has_code(const commented *c, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++)
        if (!isspace((unsigned char)c->code[i]))
            return true;
    return false;
}

bool comments_has_code(const commented *c, uint32_t line)
{
    size_t n = arrlenu(c->lines);
    if (line == 0 || line > n)
        return false;
    return has_code(c, c->lines[line - 1], line < n ? c->lines[line] : c->length);
}

bool comments_has_code_before(const commented *c, size_t offset)
{
    size_t from = offset;
    while (from > 0 && c->text[from - 1] != '\n')
        from--;
    return has_code(c, from, offset);
}

/* Reads as much of Rust's grammar as the parameters of a function need: tokens, and brackets that
 * match. What is not understood gives no signature. */
#include "bytecode/rust_signature.h"

#include <ctype.h>
#include <string.h>

typedef enum token_kind { TOKEN_END, TOKEN_WORD, TOKEN_MARK, TOKEN_ARROW, TOKEN_OTHER } token_kind;

typedef struct scanner { /* the token in hand, and what comes behind it */
    const char *next, *end, *line_start;
    uint32_t line;
    token_kind kind;
    const char *start;
    size_t length;
    uint32_t token_line, token_column;
} scanner;

enum { MOST_PARAMETERS = 256, MOST_FOUND = 64 };

/* ---- Section: Tokens ---- */

static bool begins_word(char c)
{
    return isalpha((unsigned char)c) || c == '_' || (unsigned char)c >= 0x80;
}

static bool goes_on_word(char c)
{
    return begins_word(c) || isdigit((unsigned char)c);
}

static char ahead(const scanner *s, size_t by)
{
    return (size_t)(s->end - s->next) > by ? s->next[by] : '\0';
}

static void skip(scanner *s, size_t n)
{
    for (; n > 0 && s->next < s->end; n--)
        if (*s->next++ == '\n') {
            s->line++;
            s->line_start = s->next;
        }
}

/* A comment between slashes with stars may hold others. */
static void skip_comment(scanner *s)
{
    bool line = ahead(s, 1) == '/';
    size_t depth = 0;
    while (s->next < s->end && !(line && *s->next == '\n')) {
        bool opens = !line && ahead(s, 0) == '/' && ahead(s, 1) == '*';
        bool closes = !line && ahead(s, 0) == '*' && ahead(s, 1) == '/';
        depth += opens;
        depth -= closes;
        skip(s, opens || closes ? 2 : 1);
        if (closes && depth == 0)
            return;
    }
}

static void skip_blanks(scanner *s)
{
    while (s->next < s->end) {
        if (isspace((unsigned char)*s->next))
            skip(s, 1);
        else if (*s->next == '/' && (ahead(s, 1) == '/' || ahead(s, 1) == '*'))
            skip_comment(s);
        else
            return;
    }
}

/* Skips a quoted text, from its first quote on. */
static void skip_quoted(scanner *s, char quote)
{
    skip(s, 1);
    while (s->next < s->end && *s->next != quote)
        skip(s, *s->next == '\\' ? 2 : 1);
    skip(s, 1);
}

/* How far a raw string's quote is: r", r#", br##"; 0: there is none. */
static size_t raw_quote(const scanner *s, size_t *hashes)
{
    size_t at = ahead(s, 0) == 'b' || ahead(s, 0) == 'c';
    if (ahead(s, at++) != 'r')
        return 0;
    *hashes = 0;
    while (ahead(s, at) == '#') {
        at++;
        ++*hashes;
    }
    return ahead(s, at) == '"' ? at : 0;
}

static void skip_raw(scanner *s, size_t quote, size_t hashes)
{
    skip(s, quote + 1);
    while (s->next < s->end) {
        bool closes = *s->next == '"';
        for (size_t i = 1; closes && i <= hashes; i++)
            closes = ahead(s, i) == '#';
        skip(s, closes ? 1 + hashes : 1);
        if (closes)
            return;
    }
}

/* 'a is a lifetime, 'a' a character. */
static void skip_tick(scanner *s)
{
    if (begins_word(ahead(s, 1)) && (unsigned char)ahead(s, 1) < 0x80 && ahead(s, 2) != '\'') {
        skip(s, 2);
        while (s->next < s->end && goes_on_word(*s->next))
            skip(s, 1);
    } else {
        skip_quoted(s, '\'');
    }
}

static token_kind take_word(scanner *s)
{
    if (ahead(s, 0) == 'r' && ahead(s, 1) == '#' && begins_word(ahead(s, 2))) {
        skip(s, 2); /* r#type is a name like any other */
        s->start = s->next;
    }
    while (s->next < s->end && goes_on_word(*s->next))
        skip(s, 1);
    return TOKEN_WORD;
}

static token_kind take(scanner *s)
{
    size_t hashes, raw = raw_quote(s, &hashes);
    char c = ahead(s, 0);
    bool bytes = (c == 'b' || c == 'c') && ahead(s, 1) == '"';
    if (raw) {
        skip_raw(s, raw, hashes);
    } else if (c == '"' || bytes) {
        skip(s, bytes);
        skip_quoted(s, '"');
    } else if (c == '\'') {
        skip_tick(s);
    } else if (begins_word(c)) {
        return take_word(s);
    } else if (isdigit((unsigned char)c)) {
        while (s->next < s->end && goes_on_word(*s->next))
            skip(s, 1);
    } else {
        bool arrow = (c == '-' || c == '=') && ahead(s, 1) == '>';
        skip(s, arrow ? 2 : 1);
        return arrow ? TOKEN_ARROW : TOKEN_MARK;
    }
    return TOKEN_OTHER;
}

static void advance(scanner *s)
{
    skip_blanks(s);
    s->start = s->next;
    s->token_line = s->line;
    s->token_column = (uint32_t)(s->next - s->line_start) + 1;
    s->kind = s->next < s->end ? take(s) : TOKEN_END;
    s->length = (size_t)(s->next - s->start);
}

static bool is_word(const scanner *s, const char *word)
{
    return s->kind == TOKEN_WORD && s->length == strlen(word) &&
           memcmp(s->start, word, s->length) == 0;
}

static bool is_mark(const scanner *s, char mark)
{
    return s->kind == TOKEN_MARK && *s->start == mark;
}

static bool accept(scanner *s, char mark)
{
    if (!is_mark(s, mark))
        return false;
    advance(s);
    return true;
}

/* ---- Section: Brackets ---- */

static char closing(char opening)
{
    return opening == '(' ? ')' : opening == '[' ? ']' : '}';
}

/* Skips a group, from its opening bracket to behind the one that closes it. *found: set where
 * `word` stands between them. */
static bool skip_group(scanner *s, const char *word, bool *found)
{
    size_t depth = 0;
    char opening = *s->start;
    for (; s->kind != TOKEN_END; advance(s)) {
        if (word && is_word(s, word))
            *found = true;
        depth += is_mark(s, opening);
        if (is_mark(s, closing(opening)) && --depth == 0) {
            advance(s);
            return true;
        }
    }
    return false;
}

static bool opens_group(const scanner *s)
{
    return is_mark(s, '(') || is_mark(s, '[') || is_mark(s, '{');
}

/* Skips generics, from `<` to behind the matching `>`. */
static bool skip_generics(scanner *s)
{
    size_t depth = 0;
    while (s->kind != TOKEN_END) {
        if (opens_group(s)) {
            if (!skip_group(s, NULL, NULL))
                return false;
            continue;
        }
        depth += is_mark(s, '<');
        bool closes = is_mark(s, '>');
        advance(s);
        if (closes && --depth == 0)
            return true;
    }
    return false;
}

/* #[...], with `entry` in it? */
static bool skip_attribute(scanner *s, bool *entry)
{
    advance(s);
    accept(s, '!');
    return is_mark(s, '[') && skip_group(s, "entry", entry);
}

/* ---- Section: Parameters ---- */

/* Skips a type, up to the comma or parenthesis behind it. *is_called: whether the type is `name`,
 * perhaps behind a path and before generics. */
static bool skip_type(scanner *s, const char *name, bool *is_called)
{
    *is_called = false;
    while (s->kind != TOKEN_END && !is_mark(s, ',') && !is_mark(s, ')')) {
        if (opens_group(s)) {
            if (!skip_group(s, NULL, NULL))
                return false;
        } else if (is_mark(s, '<')) {
            if (!skip_generics(s))
                return false;
        } else {
            if (s->kind == TOKEN_WORD)
                *is_called = is_word(s, name);
            advance(s);
        }
    }
    return s->kind != TOKEN_END;
}

static bool read_type(scanner *s, rust_type *type)
{
    bool mapped;
    bool is_reference = is_mark(s, '&'), is_pointer = is_mark(s, '*');
    if (is_reference || is_pointer)
        advance(s);
    if (is_reference && s->kind == TOKEN_OTHER) /* a lifetime */
        advance(s);
    *type = is_pointer                          ? RUST_POINTER
            : is_reference && is_word(s, "mut") ? RUST_TENSOR_WRITTEN
            : is_reference                      ? RUST_TENSOR
                                                : RUST_SCALAR;
    if (!skip_type(s, "MappedPartitionMut", &mapped))
        return false;
    if (mapped && *type == RUST_SCALAR)
        *type = RUST_TENSOR_WRITTEN;
    return true;
}

static bool read_parameter(tr_arena *arena, scanner *s, rust_parameter *parameter)
{
    bool unused = false;
    while (is_mark(s, '#'))
        if (!skip_attribute(s, &unused))
            return false;
    if (is_word(s, "mut"))
        advance(s);
    if (s->kind != TOKEN_WORD)
        return false;
    parameter->name = tr_arena_strndup(arena, s->start, s->length);
    advance(s);
    return accept(s, ':') && read_type(s, &parameter->type);
}

/* Reads a signature, from behind the function's name on. */
static bool read_signature(tr_arena *arena, scanner *s, rust_signature *signature)
{
    if (is_mark(s, '<') && !skip_generics(s))
        return false;
    if (!accept(s, '('))
        return false;
    rust_parameter *parameters = TR_NEW_ARRAY(arena, rust_parameter, MOST_PARAMETERS);
    size_t n = 0;
    while (n < MOST_PARAMETERS && !is_mark(s, ')')) {
        if (!read_parameter(arena, s, &parameters[n++]))
            return false;
        if (!accept(s, ','))
            break;
    }
    signature->parameters = parameters;
    signature->n = n;
    return is_mark(s, ')');
}

size_t rust_signatures_read(tr_arena *arena, const char *text, size_t length, const char *name,
                            bool entries_only, const rust_signature **list)
{
    scanner s = {.next = text, .end = text + length, .line_start = text, .line = 1};
    rust_signature *found = TR_NEW_ARRAY(arena, rust_signature, MOST_FOUND);
    size_t n = 0;
    bool entry = false; /* an attribute says so of the item that comes */
    advance(&s);
    while (s.kind != TOKEN_END && n < MOST_FOUND) {
        if (is_mark(&s, '#')) {
            skip_attribute(&s, &entry);
            continue;
        }
        bool is_function = is_word(&s, "fn");
        if (is_function || is_mark(&s, ';') || is_mark(&s, '}') || is_mark(&s, '{')) {
            bool wanted = is_function && (entry || !entries_only);
            entry = false;
            advance(&s);
            if (!wanted || !is_word(&s, name))
                continue;
            found[n].line = s.token_line;
            found[n].column = s.token_column;
            advance(&s);
            n += read_signature(arena, &s, &found[n]);
            continue;
        }
        advance(&s);
    }
    *list = found;
    return n;
}

#include "dialect/depth.h"

#include <string.h>

/* A level of the tree took about 2.6 KiB of stack when it was measured, and Clang parses on 8
 * MiB. */
#define MAX_OPERATORS 1200 /* between separators */
#define MAX_HEADS     1200 /* if, for, while, do without braces or semicolons between */
#define MAX_ELSE_IFS  1200 /* in one chain */
#define MAX_LEVELS    300  /* of braces that are told apart; Clang refuses more than 256 */

typedef struct scan {
    const char *text;
    size_t length, at;
    uint32_t line;
    int parens, braces;
    int operators, heads;
    int chains[MAX_LEVELS]; /* else if, per level of braces */
    bool behind_else;
} scan;

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '$' || (unsigned char)c >= 0x80;
}

static char peek(const scan *s, size_t ahead)
{
    return s->at + ahead < s->length ? s->text[s->at + ahead] : 0;
}

static void skip_to(scan *s, const char *end)
{
    size_t n = strlen(end);
    while (s->at < s->length && strncmp(s->text + s->at, end, n) != 0) {
        s->line += s->text[s->at] == '\n';
        s->at++;
    }
}

static void skip_quoted(scan *s, char quote)
{
    for (s->at++; s->at < s->length && s->text[s->at] != quote && s->text[s->at] != '\n'; s->at++)
        if (s->text[s->at] == '\\')
            s->at++;
    if (peek(s, 0) == quote)
        s->at++;
}

/* Returns the level of braces as an index: text may close more than it opens, or nest too deep. */
static int level(const scan *s)
{
    if (s->braces < 0)
        return 0;
    return s->braces < MAX_LEVELS ? s->braces : MAX_LEVELS - 1;
}

/* False: a chain or a run of statement heads is too long. */
static bool word(scan *s)
{
    size_t start = s->at;
    while (s->at < s->length && is_word(s->text[s->at]))
        s->at++;
    size_t n = s->at - start;
    const char *w = s->text + start;
    bool is_if = n == 2 && strncmp(w, "if", 2) == 0;
    bool is_head = is_if || (n == 3 && strncmp(w, "for", 3) == 0) ||
                   (n == 5 && strncmp(w, "while", 5) == 0) || (n == 2 && strncmp(w, "do", 2) == 0);
    int *chain = &s->chains[level(s)];
    if (is_if)
        *chain = s->behind_else ? *chain + 1 : 0;
    if (is_head)
        s->heads++;
    s->behind_else = n == 4 && strncmp(w, "else", 4) == 0;
    return *chain <= MAX_ELSE_IFS && s->heads <= MAX_HEADS;
}

static void separator(scan *s, char c)
{
    s->operators = 0;
    if (c == ',' || (c == ';' && s->parens > 0))
        return;
    s->heads = 0;
    if (c == '{') {
        s->braces++;
        s->chains[level(s)] = 0;
    } else if (c == '}') {
        s->braces--;
    }
}

/* False: too deep. */
static bool step(scan *s)
{
    char c = s->text[s->at];
    if (is_word(c))
        return word(s);
    if (c == '/' && peek(s, 1) == '*') {
        s->at += 2;
        skip_to(s, "*/");
        s->at += 2;
        return true;
    }
    if (c == '/' && peek(s, 1) == '/') {
        skip_to(s, "\n");
        return true;
    }
    if (c == '"' || c == '\'') {
        skip_quoted(s, c);
        return true;
    }
    s->at++;
    if (c == '\n')
        s->line++;
    if (c == ' ' || c == '\t' || c == '\n' || c == '\r')
        return true;
    s->behind_else = false;
    if (c == '(' || c == '[')
        s->parens++;
    else if (c == ')' || c == ']')
        s->parens -= s->parens > 0;
    if (c == ';' || c == ',' || c == '{' || c == '}')
        separator(s, c);
    else if (strchr("?=!~*&-+:", c) || (c == ')' && (is_word(peek(s, 0)) || peek(s, 0) == '(')))
        s->operators++;
    return s->operators <= MAX_OPERATORS;
}

bool dl_nests_too_deep(const char *text, size_t length, uint32_t *line)
{
    scan s = {.text = text, .length = length, .line = 1};
    while (s.at < s.length)
        if (!step(&s)) {
            *line = s.line;
            return true;
        }
    return false;
}

#include "folders/pattern.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* A pattern is an automaton whose states are its tokens. All of them are followed at once, so that
 * the time that a match takes is bounded by the product of both lengths, whatever the pattern. */
typedef enum token_kind {
    TOKEN_CHARACTER,
    TOKEN_SET,
    TOKEN_RUN,   /* any characters but slashes; also none */
    TOKEN_DEEP,  /* any characters; also none */
    TOKEN_FORK,  /* here or three tokens further on: in front of a TOKEN_DEEP and a slash */
    TOKEN_NEVER, /* of a pattern that is malformed */
} token_kind;

struct pattern_token {
    token_kind kind;
    unsigned char character;
    uint64_t *set; /* 256 bits */
};

/* ---- Section: Reading ---- */

typedef struct compiler {
    tr_arena *arena;
    const char *begin, *at, *end;
    pattern *into;
} compiler;

static pattern_token *add(compiler *c, token_kind kind)
{
    pattern_token *token = &c->into->tokens[c->into->n_tokens++];
    token->kind = kind;
    return token;
}

static void add_character(compiler *c, char character)
{
    add(c, TOKEN_CHARACTER)->character = (unsigned char)character;
}

static void put(uint64_t *set, unsigned from, unsigned to)
{
    for (unsigned i = from; i <= to; i++)
        set[i / 64] |= (uint64_t)1 << i % 64;
}

static bool contains(const uint64_t *set, unsigned char character)
{
    return set[character / 64] >> character % 64 & 1;
}

/* False: there is no class of that name. */
static bool put_class(uint64_t *set, const char *name, size_t length)
{
    static const struct {
        const char *name;
        int (*is)(int);
    } classes[] = {{"alnum", isalnum}, {"alpha", isalpha}, {"blank", isblank},
                   {"cntrl", iscntrl}, {"digit", isdigit}, {"graph", isgraph},
                   {"lower", islower}, {"print", isprint}, {"punct", ispunct},
                   {"space", isspace}, {"upper", isupper}, {"xdigit", isxdigit}};
    for (size_t i = 0; i < TR_COUNT(classes); i++) {
        if (strlen(classes[i].name) != length || memcmp(name, classes[i].name, length) != 0)
            continue;
        for (unsigned character = 1; character < 128; character++)
            if (classes[i].is((int)character))
                put(set, character, character);
        return true;
    }
    return false;
}

/* One member of a set, which begins at c->at: a character, a class or, behind `*last`, the rest of
 * a range. `*last` becomes the character that a range can begin with, or 0. False: malformed. */
static bool read_member(compiler *c, uint64_t *set, unsigned char *last)
{
    const char *at = c->at;
    if (*at == '-' && *last && at + 1 < c->end && at[1] != ']') {
        at++;
        if (*at == '\\' && ++at >= c->end)
            return false;
        put(set, *last, (unsigned char)*at);
        *last = 0;
    } else if (*at == '[' && at + 1 < c->end && at[1] == ':') {
        const char *name = at + 2, *close = memchr(name, ']', (size_t)(c->end - name));
        if (!close)
            return false;
        if (close == name || close[-1] != ':') { /* no class, but these characters */
            put(set, '[', '[');
            *last = '[';
        } else if (put_class(set, name, (size_t)(close - 1 - name))) {
            at = close;
            *last = 0;
        } else {
            return false;
        }
    } else {
        if (*at == '\\' && ++at >= c->end)
            return false;
        put(set, (unsigned char)*at, (unsigned char)*at);
        *last = (unsigned char)*at;
    }
    c->at = at + 1;
    return true;
}

/* Reads a set, from behind its opening bracket to the one that closes it. A slash is in no set. */
static void read_set(compiler *c)
{
    uint64_t *set = TR_NEW_ARRAY(c->arena, uint64_t, 4);
    bool negated = c->at < c->end && (*c->at == '!' || *c->at == '^');
    unsigned char last = 0;
    c->at += negated;
    bool good = true, first = true;
    while (good && c->at < c->end && (first || *c->at != ']')) {
        good = read_member(c, set, &last);
        first = false;
    }
    if (!good || c->at >= c->end) {
        add(c, TOKEN_NEVER);
        c->at = c->end;
        return;
    }
    c->at++;
    for (size_t i = 0; negated && i < 4; i++)
        set[i] = ~set[i];
    set['/' / 64] &= ~((uint64_t)1 << '/' % 64);
    add(c, TOKEN_SET)->set = set;
}

/* Stars: two, with a slash or an end on both sides, cross folders. */
static void read_stars(compiler *c)
{
    const char *first = c->at;
    while (c->at < c->end && *c->at == '*')
        c->at++;
    bool begins = first == c->begin || first[-1] == '/';
    bool ends = c->at == c->end || *c->at == '/' ||
                (*c->at == '\\' && c->at + 1 < c->end && c->at[1] == '/');
    bool deep = c->at - first >= 2 && begins && ends;
    if (deep && c->at < c->end && *c->at == '/')
        add(c, TOKEN_FORK);
    add(c, deep ? TOKEN_DEEP : TOKEN_RUN);
}

static void read_token(compiler *c)
{
    char character = *c->at;
    if (character == '*') {
        read_stars(c);
        return;
    }
    c->at++;
    if (character == '[') {
        read_set(c);
    } else if (character == '?') {
        uint64_t *any = TR_NEW_ARRAY(c->arena, uint64_t, 4);
        put(any, 1, '/' - 1);
        put(any, '/' + 1, 255);
        add(c, TOKEN_SET)->set = any;
    } else if (character == '\\') {
        if (c->at < c->end)
            add_character(c, *c->at++);
        else
            add(c, TOKEN_NEVER);
    } else {
        add_character(c, character);
    }
}

static size_t trimmed(const char *line, size_t length)
{
    size_t kept = 0;
    for (size_t i = 0; i < length; i++) {
        bool escaped = line[i] == '\\';
        i += escaped;
        if (line[i < length ? i : length - 1] != ' ' || escaped)
            kept = i + 1;
    }
    return kept < length ? kept : length;
}

static bool has_slash(const char *at, const char *end)
{
    while (at < end && *at != '/')
        at++;
    return at < end;
}

static pattern *new_pattern(patterns *to, tr_arena *arena)
{
    if (to->n == to->capacity) {
        to->capacity = to->capacity * 2 + 8;
        pattern *items = TR_NEW_ARRAY(arena, pattern, to->capacity);
        if (to->n > 0)
            memcpy(items, to->items, to->n * sizeof *items);
        to->items = items;
    }
    return &to->items[to->n++];
}

void patterns_add_line(tr_arena *arena, patterns *to, const char *line, size_t length,
                       uint32_t number)
{
    const char *zero = memchr(line, 0, length);
    length = trimmed(line, zero ? (size_t)(zero - line) : length);
    if (length == 0 || line[0] == '#')
        return;
    pattern p = {.text = tr_arena_strndup(arena, line, length), .line = number};
    const char *at = p.text, *end = p.text + length;
    p.negated = *at == '!';
    at += p.negated;
    p.folders_only = end > at && end[-1] == '/';
    end -= p.folders_only;
    p.any_folder = !has_slash(at, end);
    at += !p.any_folder && *at == '/';
    p.prefix = at;
    while (at < end && !strchr("*?[\\", *at))
        at++;
    p.prefix_length = (size_t)(at - p.prefix);
    p.tokens = TR_NEW_ARRAY(arena, pattern_token, (size_t)(end - at) + 1);
    pattern *into = new_pattern(to, arena);
    *into = p;
    compiler c = {.arena = arena, .begin = at, .at = at, .end = end, .into = into};
    while (c.at < c.end)
        read_token(&c);
}

void patterns_add_file(tr_arena *arena, patterns *to, const char *text, size_t length)
{
    const char *at = text, *end = text + length;
    if (length >= 3 && memcmp(text, "\xef\xbb\xbf", 3) == 0)
        at += 3;
    for (uint32_t number = 1; at < end; number++) {
        const char *line_end = memchr(at, '\n', (size_t)(end - at));
        size_t size = (size_t)((line_end ? line_end : end) - at);
        bool has_return = size > 0 && at[size - 1] == '\r';
        patterns_add_line(arena, to, at, size - has_return, number);
        at = line_end ? line_end + 1 : end;
    }
}

/* ---- Section: Matching ---- */

/* Is in state `i`, and in those that take no character to get to. */
static void enter(const pattern *p, bool *states, size_t i)
{
    while (i <= p->n_tokens && !states[i]) {
        states[i] = true;
        if (i == p->n_tokens)
            return;
        token_kind kind = p->tokens[i].kind;
        if (kind == TOKEN_FORK)
            enter(p, states, i + 3);
        else if (kind != TOKEN_RUN && kind != TOKEN_DEEP)
            return;
        i++;
    }
}

/* True: some state is left. */
static bool step(const pattern *p, const bool *states, bool *next, unsigned char character)
{
    bool any = false;
    memset(next, 0, p->n_tokens + 1);
    for (size_t i = 0; i < p->n_tokens; i++) {
        const pattern_token *t = &p->tokens[i];
        if (!states[i])
            continue;
        bool stays = t->kind == TOKEN_DEEP || (t->kind == TOKEN_RUN && character != '/');
        bool passes = (t->kind == TOKEN_CHARACTER && t->character == character) ||
                      (t->kind == TOKEN_SET && contains(t->set, character));
        if (stays)
            enter(p, next, i);
        else if (passes)
            enter(p, next, i + 1);
        any = any || stays || passes;
    }
    return any;
}

static bool matches_rest(const pattern *p, const char *text)
{
    bool few[2][64], *many = NULL;
    bool *states = few[0], *next = few[1];
    if (p->n_tokens >= TR_COUNT(few[0])) {
        many = malloc(2 * (p->n_tokens + 1));
        if (!many)
            tr_no_memory();
        states = many;
        next = many + p->n_tokens + 1;
    }
    memset(states, 0, p->n_tokens + 1);
    enter(p, states, 0);
    bool any = true;
    for (; any && *text; text++) {
        any = step(p, states, next, (unsigned char)*text);
        bool *swapped = states;
        states = next;
        next = swapped;
    }
    bool good = any && states[p->n_tokens];
    free(many);
    return good;
}

static bool matches(const pattern *p, const char *path, const char *name, bool is_folder)
{
    if (p->folders_only && !is_folder)
        return false;
    const char *text = p->any_folder ? name : path;
    if (strncmp(text, p->prefix, p->prefix_length) != 0)
        return false;
    text += p->prefix_length;
    return p->n_tokens == 0 ? *text == 0 : matches_rest(p, text);
}

const pattern *patterns_find(const patterns *in, const char *path, bool is_folder)
{
    const char *slash = strrchr(path, '/');
    for (size_t i = in->n; i-- > 0;)
        if (matches(&in->items[i], path, slash ? slash + 1 : path, is_folder))
            return &in->items[i];
    return NULL;
}

#include "report/allow.h"

#include <ctype.h>
#include <string.h>

#include "base/ds.h"

#define OWN    "tilerace:"
#define NOLINT "NOLINT"

typedef struct parser {
    tr_arena *arena;
    const commented *source;
    allows *all;
    size_t comment;
    size_t end; /* of what the comment says */
} parser;

/* ---- Section: Places and words ---- */

static tr_place place_of(const parser *p, size_t from, size_t to)
{
    size_t low = 0, high = arrlenu(p->source->lines);
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (p->source->lines[middle] <= from)
            low = middle;
        else
            high = middle;
    }
    uint32_t begin = (uint32_t)(from - p->source->lines[low]);
    return (tr_place){.line = (uint32_t)low + 1,
                      .column = begin + 1,
                      .end_line = (uint32_t)low + 1,
                      .end_column = begin + 1 + (uint32_t)(to - from)};
}

static void refuse(const parser *p, size_t from, size_t to, const char *format, ...)
    TR_PRINTF(4, 5);
static void refuse(const parser *p, size_t from, size_t to, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(p->arena, format, arguments);
    va_end(arguments);
    arrput(p->all->problems, ((allow_problem){place_of(p, from, to), text}));
}

static const char *text_at(const parser *p, size_t at)
{
    return p->source->text + at;
}

static bool has_word(const parser *p, size_t at, const char *word)
{
    size_t n = strlen(word);
    return p->end - at >= n && strncmp(text_at(p, at), word, n) == 0;
}

static size_t skip_blanks(const parser *p, size_t at)
{
    while (at < p->end && isspace((unsigned char)*text_at(p, at)))
        at++;
    return at;
}

static bool is_of_word(char c)
{
    return isalnum((unsigned char)c) || c == '_' || c == '-';
}

static const char *shown(const parser *p, size_t from, size_t to)
{
    enum { MOST = 40 };
    size_t n = to - from > MOST ? MOST : to - from;
    char *copy = tr_arena_strndup(p->arena, text_at(p, from), n);
    for (char *c = copy; *c; c++)
        if (iscntrl((unsigned char)*c))
            *c = ' ';
    return copy;
}

/* The ')' of a list that begins at `at`, on its line in a comment of lines; `end`: there is none.
 */
static size_t end_of_list(const parser *p, size_t at)
{
    while (at < p->end && *text_at(p, at) != ')' && *text_at(p, at) != '\n')
        at++;
    return at < p->end && *text_at(p, at) == ')' ? at : p->end;
}

/* Words of a comment in one line: line ends, and the stars that begin lines, are left out. */
static const char *reason_in(const parser *p, size_t from, size_t to)
{
    tr_text text = {0};
    for (size_t at = skip_blanks(p, from); at < to;) {
        size_t end = at;
        while (end < to && !isspace((unsigned char)*text_at(p, end)))
            end++;
        bool is_star = end == at + 1 && *text_at(p, at) == '*';
        if (end > at && !is_star)
            tr_text_addf(&text, "%s%.*s", text.length ? " " : "", (int)(end - at), text_at(p, at));
        at = skip_blanks(p, end);
    }
    const char *kept = tr_arena_strdup(p->arena, tr_text_get(&text));
    tr_text_free(&text);
    return kept;
}

/* ---- Section: allow(...) ---- */

static void add_rule(const parser *p, allow *a, size_t from, size_t to)
{
    while (to > from && isspace((unsigned char)*text_at(p, to - 1)))
        to--;
    const char *word = shown(p, from, to);
    const rule_info *rule = rule_by_code(word);
    if (rule)
        a->allows[rule->id] = true;
    else if (from == to)
        refuse(p, a->place.column ? from : from, from + 1,
               "nothing is allowed here: no rule is named");
    else
        refuse(p, from, to, "there is no rule '%s' to allow", word);
}

static void read_list(const parser *p, allow *a, size_t from, size_t to)
{
    for (size_t at = from; at <= to;) {
        size_t begin = at = skip_blanks(p, at);
        while (at < to && *text_at(p, at) != ',')
            at++;
        add_rule(p, a, begin > at ? at : begin, at);
        at++;
    }
}

static bool allows_any(const allow *a)
{
    for (size_t i = 0; i < RULE_COUNT; i++)
        if (a->allows[i])
            return true;
    return false;
}

/* Returns where the text of this comment's word ends: at the next one, or with the comment. */
static size_t end_of_reason(const parser *p, size_t at)
{
    for (; at < p->end; at++)
        if (has_word(p, at, OWN))
            return at;
    return p->end;
}

/* Reads the text from behind "tilerace:" on. */
static size_t read_own(const parser *p, size_t word)
{
    size_t at = skip_blanks(p, word + strlen(OWN)), name = at;
    while (at < p->end && is_of_word(*text_at(p, at)))
        at++;
    bool is_allow = at - name == strlen("allow") && has_word(p, name, "allow");
    bool has_list = at < p->end && *text_at(p, at) == '(';
    if (!is_allow && !has_list)
        return word + strlen(OWN); /* a sentence about the program */
    if (!is_allow) {
        refuse(p, word, at,
               "'%s' means nothing here; findings are allowed by 'tilerace: "
               "allow(TR001): REASON'",
               shown(p, word, at));
        return at;
    }
    size_t close = has_list ? end_of_list(p, at) : p->end;
    if (close == p->end) {
        refuse(p, word, at,
               "the list of rules has no %s, so nothing is allowed: write 'tilerace: "
               "allow(TR001): REASON'",
               has_list ? "')'" : "'('");
        return at;
    }
    allow a = {.kind = ALLOW_FINDING, .comment = p->comment, .place = place_of(p, word, close + 1)};
    read_list(p, &a, at + 1, close);
    size_t colon = skip_blanks(p, close + 1), end = end_of_reason(p, close);
    a.reason = colon < end && *text_at(p, colon) == ':' ? reason_in(p, colon + 1, end) : "";
    if (!a.reason[0] || strcmp(a.reason, ALLOW_PLACEHOLDER) == 0)
        refuse(p, word, close + 1, "nothing is allowed without a reason: write '%s: REASON'",
               shown(p, word, close + 1));
    else if (allows_any(&a))
        arrput(p->all->items, a);
    return close + 1;
}

/* ---- Section: NOLINT(...), as clang-tidy reads it ---- */

static bool fits(const char *glob, size_t length, const char *name)
{
    if (length == 0)
        return *name == 0;
    if (*glob == '*')
        return fits(glob + 1, length - 1, name) || (*name && fits(glob, length, name + 1));
    return *glob == *name && fits(glob + 1, length - 1, name + 1);
}

/* Does the item speak of our rules? Others are of other programs, and so is '*' alone. */
static bool is_ours(const char *glob, size_t length)
{
    if (length >= 3 && strncmp(glob, "TR", 2) == 0 &&
        (isdigit((unsigned char)glob[2]) || glob[2] == '*'))
        return true;
    bool has_star = memchr(glob, '*', length) != NULL;
    for (size_t i = 0; i < RULE_COUNT && !has_star; i++)
        if (fits(glob, length, rule_info_of((rule_id)i)->name))
            return true;
    return false;
}

/* One item of the list: it adds rules or, behind '-', takes some away. */
static void read_item(const parser *p, allow *a, size_t from, size_t to)
{
    enum { LONGEST = 60, MOST_STARS = 3 }; /* of a pattern; the longest names are shorter */
    while (to > from && isspace((unsigned char)*text_at(p, to - 1)))
        to--;
    bool adds = from == to || *text_at(p, from) != '-', known = false;
    const char *glob = text_at(p, from + !adds);
    size_t length = to - from - !adds;
    size_t stars = 0;
    for (size_t i = 0; i < length; i++)
        stars += glob[i] == '*';
    if (length > LONGEST || stars > MOST_STARS || !is_ours(glob, length))
        return;
    for (size_t i = 0; i < RULE_COUNT; i++) {
        const rule_info *rule = rule_info_of((rule_id)i);
        if (!fits(glob, length, rule->code) && !fits(glob, length, rule->name))
            continue;
        a->allows[i] = adds;
        known = true;
    }
    if (!known)
        refuse(p, from, to, "there is no rule '%s' to allow", shown(p, from, to));
}

/* Reads the text from the word on. A word without a list speaks to other programs. */
static size_t read_nolint(const parser *p, size_t word)
{
    size_t at = word + strlen(NOLINT);
    bool is_next = has_word(p, at, "NEXTLINE");
    bool is_range = has_word(p, at, "BEGIN") || has_word(p, at, "END");
    while (at < p->end && isalpha((unsigned char)*text_at(p, at)))
        at++;
    bool is_known = is_next || is_range || at == word + strlen(NOLINT);
    if (!is_known || at == p->end || *text_at(p, at) != '(')
        return at;
    size_t close = end_of_list(p, at);
    bool is_cut = close == p->end;
    allow a = {.kind = is_next ? ALLOW_NEXT_LINE : ALLOW_LINE, .comment = p->comment};
    for (size_t item = at + 1; item <= close;) {
        size_t begin = item = skip_blanks(p, item);
        while (item < close && *text_at(p, item) != ',')
            item++;
        if (begin < item && (!is_cut || is_ours(text_at(p, begin), item - begin)))
            read_item(p, &a, begin, item);
        item++;
    }
    if (!allows_any(&a))
        return at;
    a.place = place_of(p, word, is_cut ? at : close + 1);
    if (is_cut)
        refuse(p, word, at, "the list of rules has no ')', so nothing is allowed");
    else if (is_range)
        refuse(p, word, close + 1,
               "'%s' is not read, so nothing is allowed: use NOLINT, "
               "NOLINTNEXTLINE, or 'tilerace: allow' before the kernel",
               shown(p, word, at));
    else {
        a.reason = shown(p, word, close + 1);
        arrput(p->all->items, a);
    }
    return at;
}

/* ---- Section: All comments ---- */

static void read_comment(parser *p, const comment *c)
{
    p->end = c->to;
    bool ends = c->to - c->from >= 4 && (strncmp(text_at(p, c->to - 2), "*/", 2) == 0 ||
                                         strncmp(text_at(p, c->to - 2), "=#", 2) == 0);
    if (!c->is_line && ends)
        p->end -= 2;
    for (size_t at = c->from; at < p->end;) {
        char last = at > c->from ? *text_at(p, at - 1) : ' ';
        if (has_word(p, at, OWN) && !is_of_word(last))
            at = read_own(p, at);
        else if (has_word(p, at, NOLINT) && !is_of_word(last))
            at = read_nolint(p, at);
        else
            at++;
    }
}

allows allows_read(tr_arena *arena, const commented *source)
{
    allows all = {0};
    parser p = {.arena = arena, .source = source, .all = &all};
    for (size_t i = 0; i < arrlenu(source->comments); i++) {
        p.comment = i;
        read_comment(&p, &source->comments[i]);
    }
    return all;
}

void allows_free(allows *all)
{
    arrfree(all->items);
    arrfree(all->problems);
}

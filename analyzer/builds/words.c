#include "builds/words.h"

#include <string.h>

#include "base/ds.h"

enum { DEEPEST = 20, MOST_WORDS = 1 << 20 };

typedef struct expansion {
    tr_arena *arena;
    const char *folder; /* that paths count from; NULL: the working folder */
    const char **words; /* stb_ds array */
    const char *why;
} expansion;

static bool expand_word(expansion *e, const char *word, int depth);

/* The white space that separates words of response files. */
static const char blanks[] = " \t\n\v\f\r";

static bool is_among(const char *set, char c)
{
    return c && strchr(set, c);
}

/* Returns the length, without quotes, of the word that begins there, and writes the word if `word`
 * is not NULL. *end is behind it. */
static size_t take_word(const char *at, const char *between, char *word, const char **end)
{
    size_t n = 0;
    for (char quote = 0; *at && (quote || !is_among(between, *at)); at++) {
        bool is_escaped = *at == '\\' && at[1] && quote != '\'';
        if (!is_escaped && (quote ? *at == quote : *at == '"' || *at == '\'')) {
            quote = quote ? 0 : *at;
            continue;
        }
        at += is_escaped;
        if (word)
            word[n] = *at;
        n++;
    }
    *end = at;
    return n;
}

/* The next word of the text, or NULL at its end. */
static const char *next_word(tr_arena *arena, const char *between, const char **text)
{
    const char *at = *text;
    while (is_among(between, *at))
        at++;
    if (!*at)
        return NULL;
    char *word = tr_arena_alloc(arena, take_word(at, between, NULL, text) + 1);
    take_word(at, between, word, text);
    return word;
}

static bool expand_file(expansion *e, const char *text, int depth)
{
    for (const char *word; (word = next_word(e->arena, blanks, &text));)
        if (!expand_word(e, word, depth + 1))
            return false;
    return true;
}

static bool expand_word(expansion *e, const char *word, int depth)
{
    size_t length;
    const char *ignored;
    const char *path =
        word[0] == '@' && word[1] ? tr_path_from(e->arena, e->folder, word + 1) : NULL;
    const char *text =
        path ? tr_read_file(e->arena, TR_FILE_RESPONSE, path, &length, &ignored) : NULL;
    if (text && depth < DEEPEST)
        return expand_file(e, text, depth);
    if (text || arrlenu(e->words) >= MOST_WORDS) {
        e->why = text ? tr_arena_printf(e->arena, "%s: response files nest too deep", word)
                      : tr_arena_printf(e->arena, "there are more than %d words", MOST_WORDS);
        return false;
    }
    arrput(e->words, word);
    return true;
}

bool words_expand(tr_arena *arena, const char *folder, size_t *n, const char *const **words,
                  const char **why)
{
    expansion e = {.arena = arena, .folder = folder};
    bool good = true;
    for (size_t i = 0; i < *n && good; i++)
        good = expand_word(&e, (*words)[i], 0);
    *n = arrlenu(e.words);
    arrput(e.words, NULL);
    *words = tr_arena_copy(arena, e.words, (*n + 1) * sizeof *e.words);
    *why = e.why;
    arrfree(e.words);
    return good;
}

const char *const *words_split(tr_arena *arena, const char *between, const char *text)
{
    const char **words = TR_NEW_ARRAY(arena, const char *, strlen(text) / 2 + 2);
    size_t n = 0;
    while ((words[n] = next_word(arena, between ? between : blanks, &text)))
        n++;
    return words;
}

bool word_ends_in(const char *word, const char *end)
{
    size_t length = strlen(word), own = strlen(end);
    return length > own && strcmp(word + length - own, end) == 0;
}

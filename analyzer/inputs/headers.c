#include "inputs/headers.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "folders/repository.h"
#include "report/comments.h"

enum { MOST_HEADERS = 2000, LONGEST_NAME = 1024 };

typedef struct header {
    bool is_kernels;       /* the words are in itself */
    const char **includes; /* stb_ds array: real paths */
    size_t walk;           /* the last one that came here */
} header;

struct headers {
    tr_arena *arena;
    struct {
        char *key;
        header *value;
    } *known; /* stb_ds map: by real path */
    struct {
        char *key;
        const char *value;
    } *found; /* stb_ds map: folder and name to a real path, or NULL */
    size_t walk;
};

tr_give headers *headers_new(void)
{
    headers *h = calloc(1, sizeof *h);
    if (!h)
        tr_no_memory();
    h->arena = tr_arena_new();
    sh_new_arena(h->known);
    sh_new_arena(h->found);
    return h;
}

void headers_free(tr_take headers *h)
{
    if (!h)
        return;
    for (ptrdiff_t i = 0; i < shlen(h->known); i++)
        arrfree(h->known[i].value->includes);
    shfree(h->known);
    shfree(h->found);
    tr_arena_free(h->arena);
    free(h);
}

/* ---- Section: Where a header is ---- */

static const char *file_there(headers *h, const char *path)
{
    struct stat info;
    char *real = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? tr_real_path(path) : NULL;
    const char *kept = real ? tr_arena_strdup(h->arena, real) : NULL;
    free(real);
    return kept;
}

static const char *find(headers *h, const char *root, const char *folder, const char *name)
{
    const char *key = tr_arena_printf(h->arena, "%s\n%s", folder, name);
    ptrdiff_t at = shgeti(h->found, key);
    if (at >= 0)
        return h->found[at].value;
    const char *path = file_there(h, tr_path_from(h->arena, folder, name));
    const char *above = repository_above(h->arena, root, folder);
    if (!path)
        path = file_there(h, tr_arena_printf(h->arena, "%s/include/%s", folder, name));
    if (!path && above)
        path = find(h, root, above, name);
    shput(h->found, key, path);
    return path;
}

/* `folder` is a real path. */
static const char *find_header(headers *h, const char *folder, const char *name)
{
    if (name[0] == '/')
        return file_there(h, name);
    return find(h, repository_around(h->arena, folder), folder, name);
}

/* ---- Section: What a text says ---- */

static bool ends_line(char c)
{
    return c == '\n' || c == '\r';
}

/* Lines that a backslash joins are one, a carriage return ends one, and a NUL is a blank, as Clang
 * takes them. */
static char *joined(tr_arena *arena, const char *text, size_t length)
{
    char *to = tr_arena_alloc(arena, length + 1);
    size_t n = 0;
    for (size_t i = 0; i < length; i++) {
        bool is_trigraph = length - i > 2 && memcmp(text + i, "?\?/", 3) == 0;
        size_t end = i + (is_trigraph ? 3 : 1);
        while (end < length && !ends_line(text[end]) && isspace((unsigned char)text[end]))
            end++;
        if ((text[i] == '\\' || is_trigraph) && end < length && ends_line(text[end]))
            i = end + (length - end > 1 && memcmp(text + end, "\r\n", 2) == 0);
        else
            to[n++] = !text[i] ? ' ' : text[i] == '\r' ? '\n' : text[i];
    }
    to[n] = 0;
    return to;
}

static bool is_name(const char *text, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (!isgraph((unsigned char)text[i]) || strchr("\"<>\\%", text[i]))
            return false;
    return length > 0 && length <= LONGEST_NAME;
}

/* The next name in quotes or brackets before the end of the line, and *at behind it; NULL: there is
 * none. */
static const char *next_name(tr_arena *arena, const char **at)
{
    size_t left = strcspn(*at, "\n");
    for (const char *begin = *at; left > 0; begin++, left--) {
        const char close = *begin == '"' ? '"' : '>';
        const char *end =
            *begin == '"' || *begin == '<' ? memchr(begin + 1, close, left - 1) : NULL;
        if (!end || !is_name(begin + 1, (size_t)(end - begin - 1)))
            continue;
        *at = end + 1;
        return tr_arena_strndup(arena, begin + 1, (size_t)(end - begin - 1));
    }
    return NULL;
}

/* The word of the directive that the line of code begins with, or NULL. */
static const char *directive_of(const char *line)
{
    static const char *const begins[] = {"#", "%:", "?\?="};
    line += strspn(line, " \t\v\f\r");
    for (size_t i = 0; i < TR_COUNT(begins); i++)
        if (strncmp(line, begins[i], strlen(begins[i])) == 0)
            return line + strlen(begins[i]) + strspn(line + strlen(begins[i]), " \t\v\f\r");
    return NULL;
}

static bool is_tile_h(const char *name)
{
    const char *slash = strrchr(name, '/');
    return strcmp(slash ? slash + 1 : name, "tile.h") == 0;
}

/* Takes the names of a directive: the file that it includes, and names that a macro which it
 * defines may give. */
static void take_names(headers *h, const char *folder, const char *word, const char *names,
                       header *to)
{
    bool is_macro = strncmp(word, "define", 6) == 0;
    if (!is_macro && strncmp(word, "include", 7) != 0 && strncmp(word, "import", 6) != 0)
        return;
    tr_arena *arena = tr_arena_new();
    for (const char *name = next_name(arena, &names); name;
         name = is_macro ? next_name(arena, &names) : NULL) {
        const char *path = find_header(h, folder, name);
        to->is_kernels |= is_tile_h(name);
        if (path)
            arrput(to->includes, path);
    }
    tr_arena_free(arena);
}

/* Reads which headers the text itself speaks of. */
static void read_text(headers *h, const char *folder, const char *text, header *to)
{
    tr_arena *arena = tr_arena_new();
    commented read = comments_read(arena, COMMENTS_C, text, strlen(text));
    to->is_kernels = comments_have_word(&read, "tile_kernel");
    for (size_t i = 0; i < arrlenu(read.lines) && !to->is_kernels; i++) {
        const char *word = directive_of(read.code + read.lines[i]);
        if (word)
            take_names(h, folder, word, read.text + (word - read.code), to);
    }
    comments_free(&read);
    tr_arena_free(arena);
}

static header *look_into(headers *h, const char *path)
{
    ptrdiff_t at = shgeti(h->known, path);
    if (at >= 0)
        return h->known[at].value;
    header *new = TR_NEW(h->arena, header);
    *new = (header){0};
    shput(h->known, path, new);
    tr_arena *arena = tr_arena_new();
    size_t length;
    const char *why, *text = tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why);
    if (text)
        read_text(h, tr_folder_of(arena, path), joined(arena, text, length), new);
    tr_arena_free(arena);
    return new;
}

/* ---- Section: All of them ---- */

/* Is there one that brings kernels among the headers, and those that they include? */
static bool any_brings(headers *h, const char *const *first)
{
    const char **waiting = NULL;
    bool found = false;
    h->walk++;
    for (size_t i = 0; i < arrlenu(first); i++)
        arrput(waiting, first[i]);
    for (size_t i = 0; i < arrlenu(waiting) && i < MOST_HEADERS && !found; i++) {
        header *one = look_into(h, waiting[i]);
        if (one->walk == h->walk)
            continue;
        one->walk = h->walk;
        found = one->is_kernels;
        for (size_t k = 0; k < arrlenu(one->includes); k++)
            arrput(waiting, one->includes[k]);
    }
    arrfree(waiting);
    return found;
}

static bool brings(headers *h, header *of)
{
    bool is = of->is_kernels || any_brings(h, of->includes);
    arrfree(of->includes);
    return is;
}

/* A look that takes comments for code: most sources have none of the words. */
static bool may_bring(headers *h, const char *folder, const char *text)
{
    static const char *const words[] = {"include", "import", "define"};
    header of = {.is_kernels = strstr(text, "tile_kernel") != NULL};
    for (size_t i = 0; i < TR_COUNT(words); i++)
        for (const char *at = strstr(text, words[i]); at && !of.is_kernels;
             at = strstr(at + 1, words[i]))
            take_names(h, folder, at, at, &of);
    return brings(h, &of);
}

bool headers_bring_kernels(headers *h, const char *file, const char *text, size_t length)
{
    tr_arena *arena = tr_arena_new();
    char *real = tr_real_path(file);
    const char *folder = real ? tr_folder_of(arena, real) : "/";
    const char *lines = joined(arena, text, length);
    header of = {0};
    bool is = may_bring(h, folder, lines);
    if (is) {
        read_text(h, folder, lines, &of);
        is = brings(h, &of);
    }
    free(real);
    tr_arena_free(arena);
    return is;
}

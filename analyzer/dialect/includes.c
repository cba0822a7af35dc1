/* Refuses sources whose headers are no plain files: Clang would wait for a pipe without end. The
 * scan looks into every folder in which Clang may look for a header, and into every branch of an
 * #if, as there is no good reason for a pipe with the name of a header. */
#include "dialect/includes.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"

enum { MOST_HEADERS = 2000 }; /* looked into; Clang itself ends at 200 inside each other */

typedef struct known_header {
    char *key;
    bool value;
} known_header;

typedef struct include_scan {
    tr_arena *arena;
    const dl_include_search *search;
    tr_errors *errors;
    known_header *seen;   /* by path; stb_ds map */
    const char **waiting; /* paths of headers to look into; stb_ds array */
} include_scan;

/* ---- The text as the preprocessor splits it ---- */

typedef struct splitter {
    const char *text;
    size_t length, at;
    uint32_t line; /* of what comes next */
} splitter;

/* Returns whether the text continues with `what`. */
static bool stands(const splitter *s, const char *what)
{
    size_t n = strlen(what);
    return s->length - s->at >= n && memcmp(s->text + s->at, what, n) == 0;
}

static void skip_comment(splitter *s, const char *end)
{
    while (s->at < s->length && !stands(s, end)) {
        s->line += s->text[s->at] == '\n';
        s->at++;
    }
    if (*end == '*')
        s->at += s->at < s->length ? 2 : 0;
}

/* Returns how many characters join the next line to this one: a backslash and a line end; 0: none.
 */
static size_t continuation(const splitter *s)
{
    return stands(s, "\\\n") ? 2 : stands(s, "\\\r\n") ? 3 : 0;
}

/* Reads the next logical line, with blanks for comments. *number: the line where it begins. False:
 * the text has ended. */
static bool next_line(splitter *s, tr_text *line, uint32_t *number)
{
    tr_text_clear(line);
    if (s->at >= s->length)
        return false;
    *number = s->line;
    char quote = 0;
    while (s->at < s->length && s->text[s->at] != '\n') {
        size_t joined = continuation(s);
        char c = s->text[s->at];
        if (joined) {
            s->at += joined;
            s->line++;
        } else if (!quote && (stands(s, "/*") || stands(s, "//"))) {
            bool is_block = s->text[s->at + 1] == '*';
            s->at += 2;
            skip_comment(s, is_block ? "*/" : "\n");
            tr_text_add(line, " ");
        } else {
            if (quote && c == '\\' && s->at + 1 < s->length && s->text[s->at + 1] != '\n')
                tr_text_addn(line, &s->text[s->at++], 1);
            else if (!quote && (c == '"' || c == '\''))
                quote = c;
            else if (c == quote)
                quote = 0;
            tr_text_addn(line, &s->text[s->at++], 1);
        }
    }
    s->line++;
    s->at++;
    return true;
}

static const char *blanks(const char *at)
{
    return at + strspn(at, " \t\v\f\r");
}

/* Returns the name of the header that a line includes; NULL: it includes none, or one that a macro
 * names. */
static const char *included(tr_arena *arena, const char *line)
{
    static const char *const directives[] = {"include_next", "include", "import", "embed"};
    const char *at = blanks(line);
    if (*at != '#' && strncmp(at, "%:", 2) != 0)
        return NULL;
    at = blanks(at + (*at == '#' ? 1 : 2));
    for (size_t i = 0; i < TR_COUNT(directives); i++) {
        size_t n = strlen(directives[i]);
        const char *name = blanks(at + n);
        if (strncmp(at, directives[i], n) != 0 || (*name != '"' && *name != '<'))
            continue;
        const char *end = strchr(name + 1, *name == '"' ? '"' : '>');
        return end ? tr_arena_strndup(arena, name + 1, (size_t)(end - name - 1)) : NULL;
    }
    return NULL;
}

/* ---- The files ---- */

/* Files of /proc say that they are empty. Clang believes it, and would leave out what they hold
 * without a word. */
static bool hides_its_size(const char *path, const struct stat *info)
{
    if (!S_ISREG(info->st_mode) || info->st_size > 0)
        return false;
    int file = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    char byte;
    bool hides = file >= 0 && read(file, &byte, 1) != 0;
    if (file >= 0)
        close(file);
    return hides;
}

static const char *why_not(tr_arena *arena, const struct stat *info)
{
    uint64_t most = tr_file_most(TR_FILE_KERNELS);
    if (S_ISREG(info->st_mode) && (uint64_t)info->st_size > most)
        return tr_arena_printf(arena, "is larger than the %llu MiB that a header may have",
                               (unsigned long long)(most >> 20));
    return S_ISREG(info->st_mode) ? "does not tell its size, as files of /proc do not"
                                  : "is a device or a pipe, not a file";
}

/* One of the places where a header may be. */
static bool look_at(include_scan *s, const char *path, const char *name, const tr_place *place)
{
    struct stat info;
    if (shgeti(s->seen, path) >= 0 || tr_unsaved_find(s->search->unsaved, path) ||
        stat(path, &info) != 0 || S_ISDIR(info.st_mode))
        return true;
    shput(s->seen, path, true);
    bool fits = (uint64_t)info.st_size <= tr_file_most(TR_FILE_KERNELS);
    if (S_ISREG(info.st_mode) && fits && !hides_its_size(path, &info)) {
        arrput(s->waiting, tr_arena_strdup(s->arena, path));
        return true;
    }
    tr_errors_add(s->errors, place, "the header '%s' %s", name, why_not(s->arena, &info));
    return false;
}

/* Returns the value of argument i, if that is one of the options: the rest of its word, as in
 * "-Ifolder", or else the next argument, as in "-I folder". NULL: it is none of them, or the last
 * argument. */
static const char *option_value(const dl_include_search *search, size_t i, size_t n_options,
                                const char *const *options)
{
    const char *word = search->args[i];
    for (size_t k = 0; k < n_options; k++) {
        size_t length = strlen(options[k]);
        if (strncmp(word, options[k], length) != 0)
            continue;
        if (word[length] != '\0')
            return word + length;
        return i + 1 < search->n_args ? search->args[i + 1] : NULL;
    }
    return NULL;
}

/* Looks at every file that a header named in the file `from` may be. */
static bool look_for(include_scan *s, const char *from, const char *name, const tr_place *place)
{
    static const char *const options[] = {"-isystem", "-iquote", "-idirafter", "-I"};
    if (name[0] == '/')
        return look_at(s, name, name, place);
    const char *beside =
        strchr(from, '/') ? tr_path_from(s->arena, tr_folder_of(s->arena, from), name) : name;
    bool good = look_at(s, beside, name, place);
    for (size_t i = 0; good && i < s->search->n_args; i++) {
        const char *folder = option_value(s->search, i, TR_COUNT(options), options);
        if (folder)
            good = look_at(s, tr_path_from(s->arena, folder, name), name, place);
    }
    return good;
}

static bool look_through(include_scan *s, const char *path, const char *text, size_t length)
{
    splitter split = {.text = text, .length = length, .line = 1};
    tr_text line = {0};
    tr_place place = {.file = path, .column = 1, .end_column = 1};
    bool good = true;
    while (good && next_line(&split, &line, &place.line)) {
        const char *name = included(s->arena, tr_text_get(&line));
        place.end_line = place.line;
        good = !name || look_for(s, path, name, &place);
    }
    tr_text_free(&line);
    return good;
}

/* A file that -include or -imacros names is searched for as if the source's first line named it,
 * and from the working folder on. */
static bool look_at_options(include_scan *s, const char *path)
{
    static const char *const options[] = {"-include", "-imacros"};
    const tr_place place = {.file = path};
    bool good = true;
    for (size_t i = 0; good && i < s->search->n_args; i++) {
        const char *name = option_value(s->search, i, TR_COUNT(options), options);
        good = !name || (look_at(s, name, name, &place) && look_for(s, path, name, &place));
    }
    return good;
}

bool dl_includes_are_files(tr_arena *arena, const char *path, const char *text, size_t length,
                           const dl_include_search *search, tr_errors *errors)
{
    include_scan s = {.arena = arena, .search = search, .errors = errors};
    sh_new_arena(s.seen);
    bool good = look_at_options(&s, path) && look_through(&s, path, text, length);
    for (size_t i = 0; good && i < arrlenu(s.waiting) && i < MOST_HEADERS; i++) {
        tr_arena *own = tr_arena_new();
        const char *why;
        size_t n = 0;
        const char *header = tr_read_file(own, TR_FILE_KERNELS, s.waiting[i], &n, &why);
        good = !header || look_through(&s, s.waiting[i], header, n);
        tr_arena_free(own);
    }
    for (size_t i = 0; good && search->unsaved && i < search->unsaved->n; i++)
        good = look_through(&s, search->unsaved->files[i].path, search->unsaved->files[i].text,
                            search->unsaved->files[i].length);
    shfree(s.seen);
    arrfree(s.waiting);
    return good;
}

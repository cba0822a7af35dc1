/* tilerace hook: what git and pre-commit hand over, files of a change by their names. Those that
 * hold kernels are checked: sources of the dialect and bytecode as they are, and of sources that
 * another compiler reads, what a recording has of them. The rest is passed over. */
#include "driver/session.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "driver/fail_on.h"

#define RECORDING ".tilerace"

typedef struct hook {
    session *s;
    size_t n_wrong;
    size_t n_unseen; /* sources of kernels that were not looked at as they are now */
} hook;

/* Sources that other compilers read, and words without which they hold no tile kernel. */
static const struct language {
    const char *suffix;
    const char *words[3];
} languages[] = {
    {".py", {"cuda.tile", "cuda import tile"}},
    {".cu", {"cuda_tile.h", "__tile_global__"}},
    {".cuh", {"cuda_tile.h", "__tile_global__"}},
    {".rs", {"cutile"}},
    {".jl", {"cuTile"}},
};

static bool has_suffix(const char *file, const char *suffix)
{
    size_t length = strlen(file), tail = strlen(suffix);
    return length > tail && strcmp(file + length - tail, suffix) == 0;
}

static const struct language *language_of(const char *file)
{
    for (size_t i = 0; i < TR_COUNT(languages); i++)
        if (has_suffix(file, languages[i].suffix))
            return &languages[i];
    return NULL;
}

static void say(const hook *h, const char *level, const char *file, const char *sentence)
{
    fprintf(h->s->err, "%s: %s: %s\n", file, level, sentence);
}

static void add(hook *h, const char *file, const recorded_module *recorded)
{
    arrput(h->s->files, file);
    arrput(h->s->recorded, recorded);
    h->s->n_files = arrlenu(h->s->files);
}

/* ---- Section: Sources of the dialect ---- */

/* The text with blanks for its comments and the contents of its strings. */
static char *without_comments(tr_arena *arena, const char *text)
{
    char *bare = tr_arena_strdup(arena, text);
    for (char *at = bare; *at;) {
        char *from = at, *to = at + 1;
        if (strncmp(at, "//", 2) == 0)
            to = at + strcspn(at, "\n");
        else if (strncmp(at, "/*", 2) == 0)
            to = strstr(at + 2, "*/") ? strstr(at + 2, "*/") + 2 : at + strlen(at);
        else if (*at == '"' || *at == '\'')
            while (*to && *to != *from && *to != '\n')
                to += *to == '\\' && to[1] ? 2 : 1;
        else
            from = to;
        for (char *c = from; c < to; c++)
            *c = *c == '\n' ? '\n' : ' ';
        at = to;
    }
    return bare;
}

static bool has_word(const char *text, const char *word)
{
    for (const char *at = strstr(text, word); at; at = strstr(at + 1, word)) {
        char before = at > text ? at[-1] : ' ', after = at[strlen(word)];
        if (!isalnum((unsigned char)before) && before != '_' && !isalnum((unsigned char)after) &&
            after != '_')
            return true;
    }
    return false;
}

/* #include <tile.h>, also from a folder and with quotes. */
static bool includes_tile_h(const char *text)
{
    for (const char *line = text; line; line = strchr(line, '\n')) {
        line += strspn(line, "\n \t");
        if (*line != '#')
            continue;
        const char *word = line + 1 + strspn(line + 1, " \t");
        size_t length = strcspn(word, "\n");
        const char *name = strstr(word, "tile.h");
        if (strncmp(word, "include", 7) == 0 && name && name < word + length &&
            strchr("<\"/", name[-1]) && strchr(">\"", name[6]))
            return true;
    }
    return false;
}

/* Text that has no kernel is another C source. What is no text, or cannot be read, is left to the
 * check, which says so. */
static bool is_other_source(const hook *h, const char *file)
{
    size_t length;
    const char *why;
    const char *text = tr_read_file(h->s->arena, TR_FILE_KERNELS, file, &length, &why);
    if (!text || length != strlen(text))
        return false;
    return !includes_tile_h(text) && !has_word(without_comments(h->s->arena, text), "tile_kernel");
}

/* ---- Section: Sources of which a recording knows ---- */

static bool may_hold_kernels(const hook *h, const struct language *language, const char *file)
{
    size_t length;
    const char *why;
    const char *text = tr_read_file(h->s->arena, TR_FILE_KERNELS, file, &length, &why);
    for (size_t i = 0; text && i < TR_COUNT(language->words); i++)
        if (language->words[i] && strstr(text, language->words[i]))
            return true;
    return false;
}

/* The recording in the folder of the file, or the nearest one above it, up to the working folder;
 * NULL: there is none. */
static const char *recording_beside(const hook *h, const char *file)
{
    char *folder = tr_arena_strdup(h->s->arena, file);
    for (char *slash = strrchr(folder, '/'); slash; slash = strrchr(folder, '/')) {
        *slash = 0;
        const char *path = tr_arena_printf(h->s->arena, "%s/" RECORDING, folder);
        if (recording_is(path))
            return path;
        if (h->s->working_folder && strcmp(folder, h->s->working_folder) == 0)
            return NULL;
    }
    return file[0] != '/' && recording_is(RECORDING) ? RECORDING : NULL;
}

static const recorded_folder *read_recording(hook *h, const char *folder)
{
    loaded holder = {.errors = tr_errors_make(h->s->arena)};
    const recorded_folder *r = recording_read(h->s->arena, folder, &holder.errors);
    h->n_wrong += tr_errors_count(&holder.errors);
    load_complain(h->s, &holder);
    tr_errors_free(&holder.errors);
    return r;
}

/* Adds what the recording has of the file: what it was made of the file as it is now, else what it
 * was made of an earlier one, and says so. False: it has nothing. */
static bool add_modules_of(hook *h, const recorded_folder *r, const char *folder, const char *file)
{
    tr_arena *arena = h->s->arena;
    size_t n[2] = {0}; /* as it is now, and of an earlier one */
    for (size_t i = 0; i < r->n; i++)
        if (recording_is_of(arena, &r->modules[i], file))
            n[recording_has_changed(arena, &r->modules[i], file)]++;
    bool is_stale = n[0] == 0;
    for (size_t i = 0; i < r->n; i++)
        if (recording_is_of(arena, &r->modules[i], file) &&
            recording_has_changed(arena, &r->modules[i], file) == is_stale)
            add(h, r->modules[i].path, &r->modules[i]);
    if (is_stale && n[1] > 0) {
        h->n_unseen++;
        say(h, "warning", file,
            tr_arena_printf(
                arena,
                "has changed since it was recorded in %s: what was recorded is checked; "
                "run it again under 'tilerace exec'",
                folder));
    }
    return n[0] + n[1] > 0;
}

static void add_recorded(hook *h, const struct language *language, const char *file)
{
    const char *folder = recording_beside(h, file);
    const recorded_folder *r = folder ? read_recording(h, folder) : NULL;
    if ((r && add_modules_of(h, r, folder, file)) || !may_hold_kernels(h, language, file))
        return;
    h->n_unseen++;
    say(h, "warning", file,
        folder
            ? tr_arena_printf(h->s->arena,
                              "is not checked: the recording %s has nothing of it; run it under "
                              "'tilerace exec'",
                              folder)
            : "is not checked: there is no recording of it; 'tilerace exec --dry-run -- COMMAND' "
              "makes one");
}

/* All that a recording has, but for what was made of an earlier source where there is something
 * that was made of the one that is there now. */
static void add_recording(hook *h, const char *folder)
{
    const recorded_folder *r = read_recording(h, folder);
    for (size_t i = 0; r && i < r->n; i++) {
        const recorded_module *m = &r->modules[i];
        bool is_first = true;
        for (size_t k = 0; k < i && m->source && is_first; k++)
            is_first = !r->modules[k].source || strcmp(r->modules[k].source, m->source) != 0;
        if (!m->source || access(m->source, F_OK) != 0)
            add(h, m->path, m);
        else if (is_first)
            add_modules_of(h, r, folder, m->source);
    }
}

/* ---- Section: The command ---- */

static bool is_missing_recording(const char *file)
{
    const char *name = strrchr(file, '/');
    return strcmp(name ? name + 1 : file, RECORDING) == 0 && access(file, F_OK) != 0;
}

static void find_changed(session *s, size_t *n_wrong, void *user)
{
    hook *h = user;
    for (size_t i = 0; i < s->options->n_files; i++) {
        const char *file = s->options->files[i];
        const struct language *language = language_of(file);
        if (recording_is(file)) {
            add_recording(h, file);
        } else if (is_missing_recording(file)) {
            say(h, "error", file, "there is no recording; 'tilerace exec -- COMMAND' makes one");
            h->n_wrong++;
        } else if (language && access(file, R_OK) == 0) {
            add_recorded(h, language, file);
        } else if (!has_suffix(file, ".c") || !is_other_source(h, file)) {
            add(h, file, NULL);
        }
    }
    *n_wrong = h->n_wrong;
}

int command_hook(session *s)
{
    hook h = {.s = s};
    unsigned fails = 0;
    const char *why;
    int code = check_files(s, find_changed, &h);
    if ((code == EXIT_CLEAN || code == EXIT_UNDECIDED) && h.n_unseen > 0 &&
        fail_on_read(s->arena, s->options, &fails, &why) && (fails & FAIL_ON_UNSEEN))
        code = EXIT_FINDINGS;
    arrfree(s->files);
    arrfree(s->recorded);
    s->n_files = 0;
    return code;
}

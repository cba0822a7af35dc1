/* The words of nvcc's command line as values, from the table nvcc_options.def. What is not
 * understood changes nothing for nvcc, which gets its words as they are. */
#include "builds/words.h"
#include "compilers/nvcc.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "compilers/recorded.h"

typedef enum option_form { ALONE, VALUE } option_form;

typedef enum option_act {
    NOTHING,
    OUTPUT,
    FOLDER,
    WORDS,
    LANGUAGE,
    DEPENDENCY,
    TARGET,
    TILES,
    OBJECT,
    BYTECODE,
    FATBIN,
    CUBIN,
    NONE,
} option_act;

static const struct {
    const char *short_name, *long_name;
    option_form form;
    option_act act;
} rows[] = {
#define NVCC_OPTION(short_name, long_name, form, act) {short_name, long_name, form, act},
#include "compilers/nvcc_options.def"
};

/* Is the word that option? *value: what stands behind `=`; else NULL. */
static bool is_option(const char *word, const char *name, const char **value)
{
    size_t length = strlen(name);
    if (strncmp(word, name, length) != 0 || (word[length] && word[length] != '='))
        return false;
    *value = word[length] ? word + length + 1 : NULL;
    return true;
}

static int find_row(const char *word, const char **value)
{
    for (size_t i = 0; i < TR_COUNT(rows); i++)
        if (is_option(word, rows[i].short_name, value) || is_option(word, rows[i].long_name, value))
            return (int)i;
    return -1;
}

/* ---- Section: What nvcc's words say ---- */

typedef struct reading {
    tr_arena *arena;
    nvcc_command *c;
    bool all_are_cuda; /* -x cu */
    const char *why;
    int depth;
} reading;

static bool read_words(reading *r, size_t n, const char *const *words);

static bool read_file(reading *r, const char *file)
{
    enum { DEEPEST = 20 };
    const char *word = tr_arena_printf(r->arena, "@%s", file);
    const char *const *words = &word;
    size_t n = 1;
    if (++r->depth > DEEPEST)
        return true;
    bool good = words_expand(r->arena, NULL, &n, &words, &r->why) && read_words(r, n, words);
    r->depth--;
    return good;
}

static void make(reading *r, nvcc_making making)
{
    if (r->c->making != NVCC_NONE)
        r->c->making = making;
}

static bool act_on(reading *r, option_act act, const char *value)
{
    switch (act) {
    case OUTPUT:
        r->c->output = value;
        break;
    case FOLDER:
        r->c->folder = value;
        break;
    case WORDS:
        return read_file(r, value);
    case LANGUAGE:
        r->all_are_cuda = strcmp(value, "cu") == 0;
        break;
    case OBJECT:
        make(r, NVCC_OBJECT);
        break;
    case BYTECODE:
        make(r, NVCC_BYTECODE);
        break;
    case FATBIN:
        make(r, NVCC_FATBIN);
        break;
    case CUBIN:
        make(r, NVCC_CUBIN);
        break;
    case NONE:
        r->c->making = NVCC_NONE;
        break;
    case TILES:
        r->c->tiles = true;
        break;
    case NOTHING:
    case DEPENDENCY:
    case TARGET:
        break;
    }
    return true;
}

/* Under -x cu every file is a source that is not for the linker, whatever its name. */
static bool is_source_by_language(const char *word)
{
    static const char *const linked[] = {".o", ".obj", ".a", ".lib", ".so", ".res"};
    struct stat info;
    for (size_t i = 0; i < TR_COUNT(linked); i++)
        if (word_ends_in(word, linked[i]))
            return false;
    return stat(word, &info) == 0 && S_ISREG(info.st_mode);
}

static void read_input(reading *r, const char *word)
{
    if (word_ends_in(word, ".cu") || (r->all_are_cuda && is_source_by_language(word)))
        r->c->sources[r->c->n_sources++] = word;
    else
        r->c->beside[r->c->n_beside++] = word;
}

static void keep(const char **words, size_t *n, const char *word, const char *value)
{
    words[(*n)++] = word;
    if (value)
        words[(*n)++] = value;
}

static bool read_words(reading *r, size_t n, const char *const *words)
{
    for (size_t at = 0; at < n;) {
        const char *word = words[at++], *value = NULL;
        if (word[0] != '-') {
            read_input(r, word);
            continue;
        }
        int row = find_row(word, &value);
        option_act act = row < 0 ? NOTHING : rows[row].act;
        bool next = row >= 0 && rows[row].form == VALUE && !value && at < n;
        if (next)
            value = words[at++];
        if (row >= 0 && rows[row].form == VALUE && !value)
            continue; /* it lacks its value: nvcc says so */
        r->c->tiles |= strncmp(word + strspn(word, "-"), "tile", 4) == 0;
        if (act == TARGET)
            keep(r->c->target, &r->c->n_target, word, next ? value : NULL);
        else if (act == NOTHING || act == LANGUAGE || act == TILES)
            keep(r->c->beside, &r->c->n_beside, word, next ? value : NULL);
        if (!act_on(r, act, value))
            return false;
    }
    return true;
}

/* ---- Section: Ours ---- */

static bool take_own(nvcc_command *c, const char *word)
{
    const char *value = NULL;
    if (strcmp(word, "-Wrace") == 0)
        c->warns = true;
    else if (strcmp(word, "-Wno-race") == 0)
        c->warns = false;
    else if (strcmp(word, "-Wrace=strict") == 0)
        c->warns = c->strict = true;
    else if (strcmp(word, "-Werror=race") == 0)
        c->warns = c->errors = true;
    else if (strcmp(word, "-Wno-error=race") == 0)
        c->errors = false;
    else if (is_option(word, "--race-launch", &value) && value)
        *(compilers_recorded_is_folder(value) ? &c->recording : &c->launch) = value;
    else if (is_option(word, "--race-color", &value) && value)
        c->color = value;
    else
        return false;
    return true;
}

/* A compiler's name before its options, as build systems put a launcher in front of one. */
static bool is_program(const char *word)
{
    static const char *const inputs[] = {".cu", ".cpp", ".cc", ".cxx", ".c", ".o", ".a", ".so"};
    for (size_t i = 0; i < TR_COUNT(inputs); i++)
        if (word_ends_in(word, inputs[i]))
            return false;
    return word[0] != '-' && word[0] != '@';
}

static bool take_flags(tr_arena *arena, nvcc_command *c, const char **why)
{
    const char *flags = getenv("TILERACE_NVCC_FLAGS");
    const char *const *words = words_split(arena, NULL, flags ? flags : "");
    for (size_t i = 0; words[i]; i++)
        if (!take_own(c, words[i])) {
            *why = tr_arena_printf(
                arena, "TILERACE_NVCC_FLAGS: '%s' is not an option of tilerace-nvcc", words[i]);
            return false;
        }
    return true;
}

bool nvcc_parse(tr_arena *arena, size_t n, const char *const *words, nvcc_command *c,
                const char **why)
{
    *c = (nvcc_command){.warns = true, .words = TR_NEW_ARRAY(arena, const char *, n + 1)};
    if (!take_flags(arena, c, why))
        return false;
    for (size_t i = 0; i < n; i++) {
        if (take_own(c, words[i]))
            continue;
        if (!c->program && c->n_words == 0 && is_program(words[i]))
            c->program = words[i];
        else
            c->words[c->n_words++] = words[i];
    }
    size_t n_all = c->n_words;
    const char *const *all = c->words;
    if (!words_expand(arena, NULL, &n_all, &all, why))
        return false;
    c->sources = TR_NEW_ARRAY(arena, const char *, n_all + 1);
    c->beside = TR_NEW_ARRAY(arena, const char *, n_all + 1);
    c->target = TR_NEW_ARRAY(arena, const char *, n_all + 1);
    reading r = {.arena = arena, .c = c};
    read_words(&r, n_all, all);
    c->n_sources = c->n_beside = c->n_target =
        0; /* once more: -x may stand behind what it speaks of */
    read_words(&r, n_all, all);
    return true;
}

const char *nvcc_output_of(tr_arena *arena, const nvcc_command *c, size_t i)
{
    static const char *const ends[] = {[NVCC_OBJECT] = ".o",
                                       [NVCC_BYTECODE] = ".tilebc",
                                       [NVCC_FATBIN] = ".fatbin",
                                       [NVCC_CUBIN] = ".cubin"};
    if (c->output)
        return c->output;
    if (c->making == NVCC_PROGRAM)
        return "a.out";
    const char *source = c->sources[i], *slash = strrchr(source, '/');
    const char *name = slash ? slash + 1 : source, *dot = strrchr(name, '.');
    return tr_arena_printf(arena, "%s%s%.*s%s", c->folder ? c->folder : "", c->folder ? "/" : "",
                           (int)(dot ? dot - name : (long)strlen(name)), name, ends[c->making]);
}

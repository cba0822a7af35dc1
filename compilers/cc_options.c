/* The words of a C compiler's command line as values, from the table cc_options.def. */
#include "builds/words.h"
#include "compilers/cc.h"

#include <string.h>

#include "compilers/recorded.h"

typedef enum option_form { ALONE, JOINED, NEXT, EITHER } option_form;

typedef enum option_act {
    RACE_ON,
    RACE_OFF,
    RACE_STRICT,
    RACE_ERROR,
    RACE_NO_ERROR,
    LAUNCH,
    GPU,
    BYTECODE_VERSION,
    ALL_ERRORS,
    NO_ERRORS,
    NO_WARNINGS,
    COLOR,
    COLOR_ALWAYS,
    COLOR_NEVER,
    OUTPUT,
    COMPILE,
    SYNTAX,
    DEPEND_ALL,
    DEPEND_USER,
    DEPEND_PHONY,
    DEPEND_FILE,
    DEPEND_TARGET,
    DEPEND_QUOTED,
    DEPEND_ALL_FILE,
    DEPEND_USER_FILE,
    DELEGATE,
    IGNORE,
    CLANG,
    LAST_OF_OURS = BYTECODE_VERSION,
} option_act;

static const struct {
    const char *spelling;
    option_form form;
    option_act act;
} rows[] = {
#define CC_OPTION(spelling, form, act) {spelling, form, act},
#include "compilers/cc_options.def"
};

/* The race options, one by one; what follows from two of them comes at the end. */
typedef struct race_options {
    bool off, named_error, named_no_error;
} race_options;

/* The row of a word, or -1. *value: what is joined to it; NULL where it is the next word, or none.
 */
static int find_row(const char *word, const char **value)
{
    for (size_t i = 0; i < TR_COUNT(rows); i++) {
        size_t length = strlen(rows[i].spelling);
        if (strncmp(word, rows[i].spelling, length) != 0)
            continue;
        bool whole = word[length] == 0;
        *value = whole ? NULL : word + length;
        if (rows[i].form == EITHER || (rows[i].form == JOINED ? true : whole))
            return (int)i;
    }
    return -1;
}

/* A target as make reads it: what it takes for more than a name is quoted. */
static const char *quoted_for_make(tr_arena *arena, const char *target)
{
    tr_text text = {0};
    for (; *target; target++)
        tr_text_addf(&text, "%s%c",
                     *target == '$'                     ? "$"
                     : *target == ' ' || *target == '#' ? "\\"
                                                        : "",
                     *target);
    const char *quoted = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return quoted;
}

static void act_on(tr_arena *arena, cc_command *c, race_options *race, option_act act,
                   const char *value)
{
    switch (act) {
    case RACE_ON:
        c->warns = true;
        race->off = false;
        break;
    case RACE_OFF:
        race->off = true;
        break;
    case RACE_STRICT:
        c->warns = c->strict = true;
        race->off = false;
        break;
    case RACE_ERROR: /* as with Clang, it switches the warning on */
        race->named_error = true;
        race->named_no_error = race->off = false;
        break;
    case RACE_NO_ERROR:
        race->named_no_error = true;
        race->named_error = false;
        break;
    case LAUNCH:
        *(compilers_recorded_is_folder(value) ? &c->recording : &c->launch) = value;
        break;
    case GPU:
        c->gpu_name = value;
        break;
    case BYTECODE_VERSION:
        c->bytecode_version = value;
        break;
    case ALL_ERRORS:
        c->all_errors = true;
        break;
    case NO_ERRORS:
        c->all_errors = false;
        break;
    case NO_WARNINGS:
        c->no_warnings = true;
        break;
    case COLOR:
        c->color = value;
        break;
    case COLOR_ALWAYS:
        c->color = "always";
        break;
    case COLOR_NEVER:
        c->color = "never";
        break;
    case OUTPUT:
        c->output = value;
        break;
    case COMPILE:
        c->compiles = true;
        break;
    case SYNTAX:
        c->syntax_only = true;
        break;
    case DEPEND_ALL:
    case DEPEND_ALL_FILE:
        c->depend = CC_ALL_FILES;
        c->depend_file = value ? value : c->depend_file;
        break;
    case DEPEND_USER:
    case DEPEND_USER_FILE:
        c->depend = CC_USER_FILES;
        c->depend_file = value ? value : c->depend_file;
        break;
    case DEPEND_PHONY:
        c->depend_phony = true;
        break;
    case DEPEND_FILE:
        c->depend_file = value;
        break;
    case DEPEND_TARGET:
        c->depend_targets[c->n_depend_targets++] = value;
        break;
    case DEPEND_QUOTED:
        c->depend_targets[c->n_depend_targets++] = quoted_for_make(arena, value);
        break;
    case DELEGATE:
        c->delegates = true;
        break;
    case IGNORE:
    case CLANG:
        break;
    }
}

/* Options that grade Clang's own messages are for Clang, too. */
static bool is_for_clang(option_act act)
{
    return act == CLANG || act == ALL_ERRORS || act == NO_ERRORS || act == NO_WARNINGS;
}

static void take_input(cc_command *c, const char *word)
{
    c->passed[c->n_passed++] = word;
    if (word_ends_in(word, ".c") || word_ends_in(word, ".i"))
        c->sources[c->n_sources++] = word;
    else
        c->delegates = true; /* objects to link, standard input, other languages */
}

static bool take_option(tr_arena *arena, size_t n, const char *const *words, size_t *at,
                        cc_command *c, race_options *race, const char **why)
{
    const char *word = words[(*at)++], *value = NULL, *behind = NULL;
    int row = find_row(word, &value);
    option_form form = row < 0 ? ALONE : rows[row].form;
    option_act act = row < 0 ? CLANG : rows[row].act;
    if (form == NEXT || (form == EITHER && !value)) {
        if (*at == n) {
            *why = tr_arena_printf(arena, "%s needs a value", word);
            return false;
        }
        value = behind = words[(*at)++];
    }
    act_on(arena, c, race, act, value);
    if (act > LAST_OF_OURS) {
        c->passed[c->n_passed++] = word;
        if (behind)
            c->passed[c->n_passed++] = behind;
    }
    if (is_for_clang(act)) {
        c->clang[c->n_clang++] = word;
        if (behind)
            c->clang[c->n_clang++] = behind;
    }
    return true;
}

bool cc_parse(tr_arena *arena, size_t n, const char *const *words, cc_command *c, const char **why)
{
    *c = (cc_command){.warns = true};
    race_options race = {0};
    if (!words_expand(arena, NULL, &n, &words, why))
        return false;
    c->sources = TR_NEW_ARRAY(arena, const char *, n + 1);
    c->clang = TR_NEW_ARRAY(arena, const char *, n + 1);
    c->passed = TR_NEW_ARRAY(arena, const char *, n + 1);
    c->depend_targets = TR_NEW_ARRAY(arena, const char *, n + 1);
    for (size_t at = 0; at < n;) {
        if (words[at][0] != '-' || !words[at][1])
            take_input(c, words[at++]);
        else if (!take_option(arena, n, words, &at, c, &race, why))
            return false;
    }
    c->warns = !race.off && !c->no_warnings;
    c->race_errors = race.named_error || (c->all_errors && !race.named_no_error);
    c->delegates |= c->n_sources == 0;
    return true;
}

/* ---- Section: What is made ---- */

cc_output cc_kind_of(const cc_command *c, const char *output)
{
    static const struct {
        const char *end;
        cc_output kind;
    } ends[] = {{".tilebc", CC_BYTECODE},
                {".tileirbc", CC_BYTECODE},
                {".cubin", CC_CUBIN},
                {".o", CC_OBJECT},
                {".obj", CC_OBJECT}};
    if (c->syntax_only || strcmp(output, "/dev/null") == 0)
        return CC_NOTHING;
    for (size_t i = 0; i < TR_COUNT(ends); i++)
        if (word_ends_in(output, ends[i].end))
            return ends[i].kind;
    return CC_UNKNOWN;
}

const char *cc_output_of(tr_arena *arena, const cc_command *c, const char *source)
{
    if (c->output)
        return c->output;
    const char *slash = strrchr(source, '/'), *name = slash ? slash + 1 : source;
    const char *dot = strrchr(name, '.');
    return tr_arena_printf(arena, "%.*s.tilebc", (int)(dot ? dot - name : (long)strlen(name)),
                           name);
}

#include "settings/fail_on.h"

#include <string.h>

#include "settings/options.h"
#include "settings/shown.h"

static const struct {
    const char *name, *about;
} rows[FAIL_ON_COUNT] = {
#define FAIL_ON(id, name, about) {name, about},
#include "settings/fail_on.def"
};

bool fail_on_add(tr_arena *arena, const char *word, unsigned *set, const char **why)
{
    const char *names[FAIL_ON_COUNT], *all = "";
    for (size_t i = 0; i < FAIL_ON_COUNT; i++) {
        names[i] = rows[i].name;
        all = tr_arena_printf(arena, "%s%s%s", all, i ? ", " : "", rows[i].name);
        if (strcmp(word, rows[i].name) != 0)
            continue;
        *set |= 1u << i;
        return true;
    }
    const char *near = nearest_name(word, FAIL_ON_COUNT, names);
    word = shown_text(arena, word, strlen(word));
    *why = near ? tr_arena_printf(arena, "there is no '%s'; did you mean '%s'?", word, near)
                : tr_arena_printf(arena, "there is no '%s'; there are %s", word, all);
    return false;
}

bool fail_on_read(tr_arena *arena, const driver_options *options, unsigned *set, const char **why)
{
    *set = FAIL_ON_ERROR;
    if (options->fail_on_unknown)
        *set |= FAIL_ON_UNKNOWN;
    if (options->werror)
        *set |= FAIL_ON_WARNING | FAIL_ON_CONDITIONAL;
    for (const char *at = options->fail_on; at;) {
        size_t length = strcspn(at, ",");
        if (!fail_on_add(arena, tr_arena_strndup(arena, at, length), set, why)) {
            *why = tr_arena_printf(arena, "--fail-on: %s", *why);
            return false;
        }
        at = at[length] ? at + length + 1 : NULL;
    }
    return true;
}

int fail_on_exit(unsigned set, const report_totals *t)
{
    if (t->not_checked > 0)
        return EXIT_BAD;
    if (t->errors > 0 || ((set & FAIL_ON_RACE) && t->race > t->race_hidden) ||
        ((set & FAIL_ON_CONDITIONAL) && t->conditional > t->conditional_hidden) ||
        ((set & FAIL_ON_WARNING) && t->warnings > 0))
        return EXIT_FINDINGS;
    return (set & FAIL_ON_UNKNOWN) && t->unknown > 0 ? EXIT_UNDECIDED : EXIT_CLEAN;
}

report_failing fail_on_report(unsigned set)
{
    return (report_failing){.conditional = set & FAIL_ON_CONDITIONAL,
                            .unknown = set & FAIL_ON_UNKNOWN,
                            .warning = set & FAIL_ON_WARNING};
}

void fail_on_markdown(tr_text *out)
{
    tr_text_add(out, "| word of `--fail-on` | meaning |\n| --- | --- |\n");
    for (size_t i = 0; i < FAIL_ON_COUNT; i++)
        tr_text_addf(out, "| `%s` | %s |\n", rows[i].name, rows[i].about);
}

const char *fail_on_name(size_t i, const char **about)
{
    if (i >= FAIL_ON_COUNT)
        return NULL;
    *about = rows[i].about;
    return rows[i].name;
}

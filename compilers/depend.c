#include "compilers/depend.h"

#include <string.h>

static void add_name(tr_text *out, const char *name)
{
    for (; *name; name++)
        tr_text_addf(out, "%s%c",
                     *name == '$'                   ? "$"
                     : *name == ' ' || *name == '#' ? "\\"
                                                    : "",
                     *name);
}

static bool counts(const cc_command *c, const dialect_file *file)
{
    return c->depend == CC_ALL_FILES || !file->of_system;
}

void depend_write(tr_text *out, const cc_command *c, const char *output,
                  const dialect_record *record, const char *configuration)
{
    for (size_t i = 0; i < c->n_depend_targets; i++)
        tr_text_addf(out, "%s%s", i > 0 ? " " : "", c->depend_targets[i]);
    if (c->n_depend_targets == 0)
        add_name(out, output);
    tr_text_add(out, ":");
    for (size_t i = 0; i < record->n_files; i++)
        if (i == 0 || counts(c, &record->files[i])) {
            tr_text_add(out, i > 0 ? " \\\n  " : " ");
            add_name(out, record->files[i].name);
        }
    if (configuration) {
        tr_text_add(out, " \\\n  ");
        add_name(out, configuration);
    }
    tr_text_add(out, "\n");
    for (size_t i = 1; c->depend_phony && i < record->n_files; i++)
        if (counts(c, &record->files[i])) {
            add_name(out, record->files[i].name);
            tr_text_add(out, ":\n");
        }
    if (c->depend_phony && configuration) {
        add_name(out, configuration);
        tr_text_add(out, ":\n");
    }
}

const char *depend_file_of(tr_arena *arena, const cc_command *c, const char *output)
{
    if (c->depend_file)
        return c->depend_file;
    const char *slash = strrchr(output, '/'), *dot = strrchr(slash ? slash : output, '.');
    int length = dot ? (int)(dot - output) : (int)strlen(output);
    return tr_arena_printf(arena, "%.*s.d", length, output);
}

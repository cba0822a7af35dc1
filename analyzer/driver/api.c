/* include/tilerace.h over the command's own machinery. */
#include "driver/session.h"

#include <stdlib.h>

#include "tilerace.h"

tilerace_result tilerace_check(size_t n_files, const char *const *files,
                               const tilerace_options *options, char **report, char **complaints)
{
    static const tilerace_options defaults = {0};
    if (!options)
        options = &defaults;
    tr_arena *arena = tr_arena_new();
    const char **names = TR_NEW_ARRAY(arena, const char *, n_files + 1);
    for (size_t i = 0; i < n_files; i++)
        names[i] = files[i];
    driver_options words = {
        .command = COMMAND_CHECK,
        .format = options->format ? options->format : "json",
        .launch = options->launch_file,
        .solver = options->solver,
        .compile_commands = options->build_folder,
        .jobs = options->jobs,
        .budget = options->budget_ms,
        .strict = options->strict,
        .notes = options->notes,
        .loop_tokens = options->per_name_tokens ? "per-name" : NULL,
        .color = "never",
        .n_files = n_files,
        .files = names,
        .n_clang_args = options->n_clang_args,
        .clang_args = options->clang_args,
    };
    size_t report_size, complaints_size;
    session s = {.arena = arena,
                 .options = &words,
                 .out = open_memstream(report, &report_size),
                 .err = open_memstream(complaints, &complaints_size)};
    if (!s.out || !s.err)
        abort(); /* no memory */
    int code = session_run(&s);
    fclose(s.out);
    fclose(s.err);
    tr_arena_free(arena);
    return (tilerace_result)code;
}

void tilerace_free(char *text)
{
    free(text);
}

const char *tilerace_version(void)
{
    return TILERACE_VERSION;
}

#include "driver/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* "text, json, ... and gitlab" */
static const char *format_names(tr_arena *arena)
{
    const char *all = report_format_name(0);
    for (int f = 1; f < REPORT_FORMAT_COUNT; f++)
        all = tr_arena_printf(arena, "%s%s%s", all, f + 1 < REPORT_FORMAT_COUNT ? ", " : " and ",
                              report_format_name((report_format)f));
    return all;
}

static int read_format(session *s, const char *option, const char *name, report_format *format)
{
    if (report_format_by_name(name, format))
        return EXIT_CLEAN;
    const char *names[REPORT_FORMAT_COUNT];
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        names[f] = report_format_name((report_format)f);
    const char *near = nearest_name(name, REPORT_FORMAT_COUNT, names);
    return session_complain(
        s, "%s: '%s' is not a format; %s", option, name,
        near ? tr_arena_printf(s->arena, "did you mean '%s'?", near)
             : tr_arena_printf(s->arena, "there are %s", format_names(s->arena)));
}

/* FORMAT=FILE; a file whose own name has a '=' is written ./NAME. The file; NULL: no format. */
static const char *behind_format(const char *word)
{
    size_t length = strcspn(word, "=/");
    return word[length] == '=' ? word + length + 1 : NULL;
}

/* As far as its folder is there: another name of one file is found. */
static const char *real_name(tr_arena *arena, const char *path)
{
    char *whole = realpath(path, NULL);
    const char *slash = strrchr(path, '/');
    char *folder = NULL;
    if (!whole)
        folder = realpath(slash == path ? "/"
                          : slash       ? tr_arena_strndup(arena, path, (size_t)(slash - path))
                                        : ".",
                          NULL);
    const char *name = whole    ? tr_arena_strdup(arena, whole)
                       : folder ? tr_arena_printf(arena, "%s/%s", folder, slash ? slash + 1 : path)
                                : path;
    free(whole);
    free(folder);
    return name;
}

static bool is_regular_or_new(const char *path)
{
    struct stat info;
    return stat(path, &info) != 0 || S_ISREG(info.st_mode);
}

static int check_twice(session *s, const outputs *all)
{
    for (size_t i = 0; i < all->n; i++)
        for (size_t k = i + 1; k < all->n; k++)
            if (all->items[i].path && all->items[k].path && is_regular_or_new(all->items[k].path) &&
                strcmp(real_name(s->arena, all->items[i].path),
                       real_name(s->arena, all->items[k].path)) == 0)
                return session_complain(s, "--output: %s is named twice", all->items[k].path);
    return EXIT_CLEAN;
}

int outputs_read(session *s, outputs *all)
{
    const driver_options *o = s->options;
    report_format format = REPORT_TEXT;
    if (o->format && read_format(s, "--format", o->format, &format) != EXIT_CLEAN)
        return EXIT_BAD;
    *all = (outputs){.n = 1, .items = TR_NEW_ARRAY(s->arena, output, o->output.n + 1)};
    output *main_one = &all->items[0];
    main_one->format = format;
    for (size_t i = 0; i < o->output.n; i++) {
        const char *word = o->output.items[i], *path = behind_format(word);
        const char *name = path ? tr_arena_strndup(s->arena, word, (size_t)(path - 1 - word)) : "";
        if (path && read_format(s, "--output", name, &format) != EXIT_CLEAN)
            return EXIT_BAD;
        if (!(path ? path : word)[0])
            return session_complain(s, "--output: '%s' names no file", word);
        if (path)
            all->items[all->n++] = (output){format, path};
        else if (main_one->path)
            return session_complain(s,
                                    "--output names two files, %s and %s; a file in another format "
                                    "is --output FORMAT=FILE",
                                    main_one->path, word);
        else
            main_one->path = word;
    }
    return check_twice(s, all);
}

int outputs_spare(session *s, size_t n_read, const char *const *read)
{
    const option_list *words = &s->options->output;
    bool has_formats = options_write_reports(s->options->command);
    for (size_t i = 0; i < words->n; i++) {
        const char *path = has_formats ? behind_format(words->items[i]) : NULL;
        struct stat written, given;
        path = path ? path : words->items[i];
        if (stat(path, &written) != 0 || !S_ISREG(written.st_mode))
            continue;
        for (size_t k = 0; k < n_read; k++)
            if (read[k] && stat(read[k], &given) == 0 && given.st_dev == written.st_dev &&
                given.st_ino == written.st_ino)
                return session_complain(s, "--output: %s is an input, and stays as it is", path);
    }
    return EXIT_CLEAN;
}

int outputs_write(session *s, const outputs *all, const full_report *report)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = 0;
    tr_text *texts = TR_NEW_ARRAY(s->arena, tr_text, all->n);
    tr_new_file *files = TR_NEW_ARRAY(s->arena, tr_new_file, all->n);
    size_t n_files = 0;
    for (size_t i = 0; i < all->n; i++) {
        const output *to = &all->items[i];
        report_options options = {.color = !to->path && session_color(s, s->out),
                                  .links = !to->path && session_links(s, s->out),
                                  .host = host,
                                  .verbose = s->options->verbose,
                                  .quiet = s->options->quiet,
                                  .brief = s->options->command == COMMAND_HOOK,
                                  .unsaved = s->unsaved,
                                  .folder = s->working_folder};
        report_write(&texts[i], report, to->format, &options);
        if (to->path)
            files[n_files++] = (tr_new_file){to->path, &texts[i]};
    }
    const char *why = NULL;
    int code = EXIT_CLEAN;
    if (!tr_write_files(s->arena, n_files, files, &why))
        code = session_complain(s, "%s", why);
    if (!all->items[0].path && session_print(s, &texts[0]) != EXIT_CLEAN)
        code = EXIT_BAD;
    for (size_t i = 0; i < all->n; i++)
        tr_text_free(&texts[i]);
    return code;
}

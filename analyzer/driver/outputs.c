#include "driver/outputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/real_path.h"
#include "driver/results.h"
#include "session/session.h"
#include "settings/options.h"

static int read_format(session *s, const char *option, const char *name, report_format *format)
{
    if (report_format_by_name(name, format))
        return EXIT_CLEAN;
    const char *names[REPORT_FORMAT_COUNT];
    for (int f = 0; f < REPORT_FORMAT_COUNT; f++)
        names[f] = report_format_name((report_format)f);
    const char *near = nearest_name(name, REPORT_FORMAT_COUNT, names);
    return session_complain(s, "%s: '%s' is not a format; %s", option, name,
                            near
                                ? tr_arena_printf(s->arena, "did you mean '%s'?", near)
                                : tr_arena_printf(s->arena, "it is one of %s",
                                                  report_format_names(s->arena, REPORT_OF_CHECKS)));
}

/* FORMAT=FILE; a file whose own name has a '=' is written ./NAME. The file; NULL: no format. */
static const char *behind_format(const char *word)
{
    size_t length = strcspn(word, "=/");
    return word[length] == '=' ? word + length + 1 : NULL;
}

/* Follows links as far as the folder exists: another name of one file is found. */
static const char *real_name(tr_arena *arena, const char *path)
{
    char *whole = tr_real_path(path);
    const char *slash = strrchr(path, '/');
    char *folder = NULL;
    if (!whole)
        folder = tr_real_path(slash == path ? "/"
                              : slash       ? tr_arena_strndup(arena, path, (size_t)(slash - path))
                                            : ".");
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

/* A report on its way: what is written of it leaves memory as it comes. */
typedef struct leaving {
    session *s;
    FILE *part; /* of a file: what has left; NULL: nothing yet */
    bool has_failed;
    bool is_torn; /* nobody knows what `part` holds */
    tr_text text; /* what has not */
} leaving;

static void print_piece(void *user, tr_text *out)
{
    leaving *l = user;
    l->has_failed = l->has_failed || session_print(l->s, out) != EXIT_CLEAN;
    tr_text_clear(out);
}

/* Moves the text to a temporary file. It stays in memory where the file has no room for it. */
static void put_aside(void *user, tr_text *out)
{
    leaving *l = user;
    if (!l->part) {
        int file = results_open_file();
        l->part = file >= 0 ? fdopen(file, "w+") : NULL;
        if (file >= 0 && !l->part)
            close(file);
    }
    if (!l->part || l->has_failed)
        return;
    off_t before = ftello(l->part);
    if (fwrite(tr_text_get(out), 1, out->length, l->part) == out->length && fflush(l->part) == 0) {
        tr_text_clear(out);
        return;
    }
    l->has_failed = true; /* what came of it is taken off again */
    if (before < 0 || ftruncate(fileno(l->part), before) != 0)
        l->is_torn = true;
}

int outputs_write(session *s, const outputs *all, const full_report *report)
{
    char host[256] = "";
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = 0;
    leaving *on_way = TR_NEW_ARRAY(s->arena, leaving, all->n);
    tr_new_file *files = TR_NEW_ARRAY(s->arena, tr_new_file, all->n);
    size_t n_files = 0;
    int code = EXIT_CLEAN;
    const char *why = NULL;
    for (size_t i = all->n; i-- > 0;) { /* what is printed, the first one, comes last */
        const output *to = &all->items[i];
        leaving *l = &on_way[i];
        *l = (leaving){.s = s};
        if (!to->path && n_files > 0 && !tr_write_files(s->arena, n_files, files, &why))
            code = session_complain(s, "%s", why);
        report_options options = {.color = !to->path && session_color(s, s->out),
                                  .links = !to->path && session_links(s, s->out),
                                  .host = host,
                                  .verbose = s->options->verbose,
                                  .quiet = s->options->quiet,
                                  .brief = s->options->command == COMMAND_HOOK,
                                  .unsaved = s->unsaved,
                                  .take = to->path ? put_aside : print_piece,
                                  .user = l,
                                  .folder = s->working_folder};
        report_write(&l->text, report, to->format, &options);
        if (l->is_torn)
            code = session_complain(s, "%s cannot be written: no temporary file is to be had",
                                    to->path);
        else if (to->path)
            files[n_files++] = (tr_new_file){to->path, &l->text, l->part};
        else if (l->has_failed || session_print(s, &l->text) != EXIT_CLEAN)
            code = EXIT_BAD;
    }
    if (all->items[0].path && !tr_write_files(s->arena, n_files, files, &why))
        code = session_complain(s, "%s", why);
    for (size_t i = 0; i < all->n; i++) {
        tr_text_free(&on_way[i].text);
        if (on_way[i].part)
            fclose(on_way[i].part);
    }
    return code;
}

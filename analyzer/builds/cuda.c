/* CUDA Tile C++: a source, by nvcc. */
#include "builds/cuda.h"

#include <string.h>

#include "builds/compile_db.h"
#include "builds/job.h"

typedef struct word_list {
    size_t n;
    const char **words;
} word_list;

/* Options that say what a source means, as nvcc takes them; of others nothing is known to be
 * harmless. */
static void add_known(tr_arena *arena, word_list *to, size_t n, const char *const *words)
{
    static const char *const known[] = {"-isystem", "-include", "-I", "-D", "-U", "-std="};
    const char **all = TR_NEW_ARRAY(arena, const char *, to->n + n + 1);
    if (to->n > 0)
        memcpy(all, to->words, to->n * sizeof *all);
    to->words = all;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < TR_COUNT(known); k++) {
            size_t length = strlen(known[k]);
            if (strncmp(words[i], known[k], length) != 0)
                continue;
            to->words[to->n++] = words[i];
            if (!words[i][length] && known[k][length - 1] != '=' && i + 1 < n)
                to->words[to->n++] = words[++i];
            break;
        }
}

/* Adds the options of compile_commands.json, then those of the command line. False, with an error.
 */
static bool options_of(build_job *j, word_list *to)
{
    const session *s = j->s;
    const char *path = NULL, *why = NULL;
    const char *const *words = NULL;
    const build_db *db = s->commands;
    if (!db && s->found_commands)
        db = build_dbs_find(s->found_commands, j->arena, j->source->file, &path, &why);
    size_t n = db ? build_db_options(j->arena, db, j->source->file, &words, &why) : 0;
    if (why)
        build_job_refuse(j, "its compiler options cannot be had: %s", why);
    add_known(j->arena, to, n, words);
    dialect_admitted given =
        dialect_admit_options(j->arena, s->options->n_behind, s->options->behind, NULL);
    for (size_t i = 0; i < given.n_refused; i++)
        build_job_refuse(j, "'%s' is not an option for reading kernels", given.refused[i]);
    add_known(j->arena, to, given.n_taken, given.taken);
    return !why && given.n_refused == 0;
}

void build_cuda(const session *s, const build_source *source, const char *program, build_result *to)
{
    static const char *const begins[] = {"--tilebc", "--tile-only", "-lineinfo", "-arch=sm_90",
                                         "-std=c++20"};
    build_job j;
    build_end end;
    word_list all = {0};
    if (!build_job_begin(&j, s, source, program, to))
        return;
    const char *output = build_job_path(&j, "0.tilebc");
    const char *const ends[] = {"-o", output, build_job_absolute(&j, source->file), NULL};
    if (options_of(&j, &all)) {
        const char **argv =
            TR_NEW_ARRAY(to->arena, const char *, all.n + TR_COUNT(begins) + TR_COUNT(ends) + 2);
        size_t n = 0;
        argv[n++] = program;
        bool has_standard = false;
        for (size_t i = 0; i < all.n; i++)
            has_standard = has_standard || strncmp(all.words[i], "-std=", 5) == 0;
        for (size_t i = 0; i < TR_COUNT(begins) - has_standard; i++)
            argv[n++] = begins[i];
        for (size_t i = 0; i < all.n; i++)
            argv[n++] = all.words[i];
        for (size_t i = 0; i < TR_COUNT(ends); i++)
            argv[n++] = ends[i];
        if (build_job_run(&j, argv, s->working_folder, build_job_variables(&j), true, &end))
            build_job_take(&j, output, "");
        else
            build_job_refuse_end(&j, &end);
    }
    build_job_end(&j);
}

#include "builds/build.h"

#include <errno.h>
#include <string.h>

#include "base/ds.h"
#include "base/process.h"
#include "builds/cuda.h"
#include "builds/python.h"
#include "builds/rust.h"
#include "processes/pool.h"
#include "session/progress.h"
#include "session/session.h"
#include "settings/configs.h"

/* ---- Section: Languages ---- */

typedef void build_compiler(const session *s, const build_source *source, const char *program,
                            build_result *to);

enum { PYTHON, CUDA, RUST, LANGUAGES };

static const struct {
    const char *suffix, *program, *about;
} languages[LANGUAGES] = {
#define BUILD_LANGUAGE(id, suffix, program, about) [id] = {suffix, program, about},
#include "builds/languages.def"
};

static build_compiler *const compilers[LANGUAGES] = {
    [PYTHON] = build_python, [CUDA] = build_cuda, [RUST] = build_rust};

static int language_of(const char *file)
{
    for (int i = 0; i < LANGUAGES; i++)
        if (strlen(file) > strlen(languages[i].suffix) && tr_ends_in(file, languages[i].suffix))
            return i;
    return LANGUAGES;
}

bool build_compiles(const char *file)
{
    return language_of(file) < LANGUAGES;
}

/* Returns what --build-with names for the language; NULL: nothing. */
static const char *named_program(const session *s, int language)
{
    const char *name = languages[language].program, *found = NULL;
    const option_list *list = &s->options->build_with;
    for (size_t i = 0; i < list->n; i++) {
        size_t length = strlen(name);
        if (strncmp(list->items[i], name, length) == 0 && list->items[i][length] == '=')
            found = list->items[i] + length + 1;
    }
    return found;
}

int build_check_options(session *s)
{
    const option_list *list = &s->options->build_with;
    for (size_t i = 0; i < list->n; i++) {
        const char *is = strchr(list->items[i], '=');
        bool known = false;
        for (int k = 0; is && is[1] && k < LANGUAGES; k++)
            known = known ||
                    (strlen(languages[k].program) == (size_t)(is - list->items[i]) &&
                     !memcmp(languages[k].program, list->items[i], (size_t)(is - list->items[i])));
        if (!known)
            return session_complain(s,
                                    "--build-with takes python3=PROGRAM, nvcc=PROGRAM or "
                                    "cargo=PROGRAM, not '%s'",
                                    list->items[i]);
    }
    if (list->n > 0 && !s->options->build)
        return session_complain(s, "--build-with says what --build compiles with; --build is not "
                                   "given");
    return EXIT_CLEAN;
}

/* A folder that PATH names from the working folder on may be the repository's. */
static bool is_absolute(const char *path)
{
    return path[0] == '/';
}

/* NULL: an error of the source was added. */
static const char *find_program(const session *s, const build_source *source, build_result *to)
{
    int language = source->language;
    const char *named = named_program(s, language), *name = languages[language].program;
    const char *path = named && strchr(named, '/')
                           ? named
                           : tr_find_program(to->arena, named ? named : name, is_absolute);
    tr_place place = {.file = source->file};
    if (path && tr_is_program(path))
        return path[0] == '/' ? path : tr_arena_printf(to->arena, "%s/%s", s->working_folder, path);
    if (named)
        tr_errors_add(&to->errors, &place, "is not compiled: --build-with names '%s' for %s: %s",
                      named, name, strerror(path ? errno : ENOENT));
    else
        tr_errors_add_hint(
            &to->errors, &place,
            tr_arena_printf(to->arena, "--build-with %s=PROGRAM names one that is elsewhere.",
                            name),
            "is not compiled: %s is not on PATH (%s)", name, languages[language].about);
    return NULL;
}

/* ---- Section: What is wanted ---- */

bool build_want(session *s, const char *file, bool is_named, const char **why)
{
    build_source source = {
        .file = file, .at = s->n_files, .is_named = is_named, .language = language_of(file)};
    if (source.language == RUST) {
        source.file = build_manifest_of(s->arena, file);
        if (!source.file) {
            *why = "is not compiled: there is no Cargo.toml in its folder or one above it";
            return false;
        }
    }
    for (size_t i = 0; i < arrlenu(s->sources); i++)
        if (strcmp(s->sources[i].file, source.file) == 0)
            return true; /* of its crate, or the file itself */
    source.file = tr_arena_strdup(s->arena, source.file);
    source.settings = configs_for(s->configs, source.file);
    arrput(s->sources, source);
    return true;
}

/* ---- Section: Compiling ---- */

static void build_one(void *user, size_t i)
{
    session *s = user;
    build_source *source = &s->sources[i];
    tr_arena *arena = tr_arena_new();
    build_result *to = TR_NEW(arena, build_result);
    *to = (build_result){.arena = arena, .errors = tr_errors_make(arena)};
    source->built = to;
    int64_t began = tr_now_ms();
    const char *program = find_program(s, source, to);
    const atomic_bool *stop = progress_stop_flag(s->progress);
    const tr_place place = {.file = source->file};
    if (stop && atomic_load(stop))
        tr_errors_add(&to->errors, &place, "is not compiled: the run was interrupted");
    else if (program)
        compilers[source->language](s, source, program, to);
    if (s->options->verbose)
        tr_say(s->err, "tilerace: %s: %zu module%s by %s in %.1f s\n", source->file, to->n,
               to->n == 1 ? "" : "s", program ? program : "nothing",
               (double)(tr_now_ms() - began) / 1e3);
}

/* ---- Section: Modules among the files ---- */

typedef struct places { /* the session's arrays, as they become: stb_ds arrays */
    const char **files;
    const recorded_module **recorded;
    const settings **settings;
    const bytecode_image **images;
    const build_module **built;
} places;

static void put(places *to, const char *file, const recorded_module *recorded, const settings *st,
                const build_module *made)
{
    arrput(to->files, file);
    arrput(to->recorded, recorded);
    arrput(to->settings, st);
    arrput(to->images, made && made->n_errors == 0 ? &made->image : NULL);
    arrput(to->built, made);
}

static void put_built(session *s, places *to, const build_source *source)
{
    build_result *b = source->built;
    const settings *st = source->settings;
    tr_place place = {.file = source->file};
    size_t n_errors = arrlenu(b->errors.items);
    if (b->n == 0 && n_errors == 0 && source->is_named)
        tr_errors_add(&b->errors, &place, "holds no kernel");
    else if (b->n == 0 && n_errors == 0)
        arrput(s->skipped, ((skipped_file){SKIPPED_NO_KERNEL, source->file}));
    for (size_t i = 0; i < b->n; i++) {
        b->modules[i].is_alone = b->n == 1;
        put(to, source->file, &b->modules[i].recorded, st, &b->modules[i]);
    }
    if (arrlenu(b->errors.items) > 0) {
        build_module *wrong = TR_NEW(s->arena, build_module);
        wrong->errors = b->errors.items;
        wrong->n_errors = arrlenu(b->errors.items);
        put(to, source->file, NULL, st, wrong);
    }
}

void build_all(session *s)
{
    size_t n = arrlenu(s->sources), next = 0;
    if (n == 0)
        return;
    size_t jobs = s->options->jobs ? s->options->jobs : pool_processors();
    places to = {0};
    progress_heed(s->progress, true);
    pool_run(jobs, n, build_one, s);
    progress_heed(s->progress, false);
    for (size_t i = 0; i <= s->n_files; i++) {
        for (; next < n && s->sources[next].at == i; next++)
            put_built(s, &to, &s->sources[next]);
        if (i < s->n_files)
            put(&to, s->files[i], s->recorded[i], s->settings[i], NULL);
    }
    arrfree(s->files);
    arrfree(s->recorded);
    arrfree(s->settings);
    s->files = to.files;
    s->recorded = to.recorded;
    s->settings = to.settings;
    s->images = to.images;
    s->built = to.built;
    s->n_files = arrlenu(to.files);
}

void build_release(session *s)
{
    for (size_t i = 0; i < arrlenu(s->sources); i++)
        if (s->sources[i].built) {
            tr_errors_free(&s->sources[i].built->errors);
            tr_arena_free(s->sources[i].built->arena);
        }
    arrfree(s->sources);
    if (s->built) {
        arrfree(s->images);
        arrfree(s->built);
    }
}

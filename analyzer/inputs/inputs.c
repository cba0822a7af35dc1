#include "inputs/inputs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "builds/build.h"
#include "folders/folder.h"
#include "folders/ignore.h"
#include "inputs/kinds.h"
#include "inputs/load.h"
#include "settings/configs.h"

#define RECORDING ".tilerace"

struct inputs {
    session *s;
    tr_arena *arena;
    size_t n_wrong;
    struct {
        char *key;
        bool value;
    } *seen; /* stb_ds map: real paths of what was found in folders and recordings */
    struct {
        char *key;
        const recorded_folder *value;
    } *recordings; /* stb_ds map: by path */
    headers *headers;
};

tr_give inputs *inputs_open(session *s)
{
    inputs *in = calloc(1, sizeof *in);
    if (!in)
        tr_no_memory();
    in->s = s;
    in->arena = s->arena;
    sh_new_strdup(in->seen);
    sh_new_strdup(in->recordings);
    in->headers = headers_new();
    return in;
}

size_t inputs_close(tr_take inputs *in)
{
    size_t n_wrong = in->n_wrong;
    shfree(in->seen);
    shfree(in->recordings);
    headers_free(in->headers);
    free(in);
    return n_wrong;
}

void inputs_release(session *s)
{
    arrfree(s->files);
    arrfree(s->recorded);
    arrfree(s->settings);
    arrfree(s->skipped);
    build_release(s);
    s->n_files = 0;
}

static void say(const inputs *in, const char *level, const char *file, const char *sentence)
{
    tr_say(in->s->err, "%s: %s: %s\n", file, level, sentence);
}

/* Recordings name their sources by whole paths; here they are named as folders name them. */
static void skip(inputs *in, skip_reason reason, const char *path)
{
    const char *here = in->s->working_folder;
    size_t length = here ? strlen(here) : 0;
    if (length > 1 && strncmp(path, here, length) == 0 && path[length] == '/')
        path += length + 1;
    const skipped_file skipped = {reason, tr_arena_strdup(in->arena, path)};
    arrput(in->s->skipped, skipped);
}

/* False: it was there before. */
static bool is_new(inputs *in, const char *path)
{
    char *real = tr_real_path(path);
    const char *key = real ? real : path;
    bool is = shgeti(in->seen, key) < 0;
    if (is)
        shput(in->seen, key, true);
    free(real);
    return is;
}

/* `of`: the file whose configuration holds. */
static void add(inputs *in, const char *file, const recorded_module *recorded, const char *of)
{
    session *s = in->s;
    arrput(s->files, tr_arena_strdup(in->arena, file));
    arrput(s->recorded, recorded);
    arrput(s->settings, configs_for(s->configs, of));
    s->n_files = arrlenu(s->files);
}

/* ---- Section: Files that are excluded ---- */

/* The path from a folder on; NULL: it does not lie in there. Both are real. */
static const char *path_within(const char *path, const char *folder)
{
    size_t length = folder ? strlen(folder) : 0;
    if (length == 1)
        return path + 1; /* of "/" */
    bool is = length > 0 && strncmp(path, folder, length) == 0 && path[length] == '/';
    return is ? path + length + 1 : NULL;
}

static bool is_excluded(inputs *in, const char *real_folder, const char *real, bool is_folder)
{
    const settings *st = configs_for_folder(in->s->configs, real_folder);
    const char *path = path_within(real, st->excluded_folder);
    const pattern *found = path ? patterns_find(&st->excluded, path, is_folder) : NULL;
    return found && !found->negated;
}

/* Itself, or a folder above it. */
static bool excludes(inputs *in, const char *file, bool is_folder)
{
    char *real = configs_name_of(in->arena, file);
    bool is = is_excluded(in, tr_folder_of(in->arena, real), real, is_folder);
    for (char *end = strrchr(real, '/'); !is && end && end > real; end = strrchr(real, '/')) {
        *end = 0;
        is = is_excluded(in, tr_folder_of(in->arena, real), real, true);
    }
    return is;
}

bool inputs_excludes(inputs *in, const char *file)
{
    bool is = excludes(in, file, false);
    if (is)
        skip(in, SKIPPED_EXCLUDED, file);
    return is;
}

/* ---- Section: Recordings ---- */

/* NULL: nothing of it can be read. */
static const recorded_folder *read_recording(inputs *in, const char *folder)
{
    ptrdiff_t at = shgeti(in->recordings, folder);
    if (at >= 0)
        return in->recordings[at].value;
    loaded holder = {.errors = tr_errors_make(in->arena)};
    const recorded_folder *r = recording_read(in->arena, folder, &holder.errors);
    in->n_wrong += tr_errors_count(&holder.errors);
    load_complain(in->s, &holder);
    tr_errors_free(&holder.errors);
    shput(in->recordings, folder, r);
    return r;
}

/* Modules of one file are found from it, and from the recording as a whole. */
static void add_module(inputs *in, const recorded_module *m, const char *of)
{
    if (is_new(in, m->path))
        add(in, m->path, m, of);
}

/* Adds what the recording has of the file: what it was made of the file as it is now, else what it
 * was made of an earlier one, and says so. False: it has nothing. */
static bool add_modules_of(inputs *in, const recorded_folder *r, const char *folder,
                           const char *file)
{
    tr_arena *arena = in->arena;
    size_t n[2] = {0}; /* as it is now, and of an earlier one */
    for (size_t i = 0; i < r->n; i++)
        if (recording_is_of(arena, &r->modules[i], file))
            n[recording_has_changed(arena, &r->modules[i], file)]++;
    bool is_stale = n[0] == 0;
    if (is_stale && in->s->options->build && build_compiles(file))
        return true; /* it is compiled as it is now */
    for (size_t i = 0; i < r->n; i++)
        if (recording_is_of(arena, &r->modules[i], file) &&
            recording_has_changed(arena, &r->modules[i], file) == is_stale)
            add_module(in, &r->modules[i], file);
    if (is_stale && n[1] > 0 && is_new(in, file)) {
        skip(in, SKIPPED_STALE, file);
        say(in, "warning", file,
            tr_arena_printf(
                arena,
                "has changed since it was recorded in %s: what was recorded is checked; "
                "run it again under 'tilerace exec'",
                folder));
    }
    return n[0] + n[1] > 0;
}

void inputs_add_recording(inputs *in, const char *folder)
{
    const recorded_folder *r = read_recording(in, folder);
    for (size_t i = 0; r && i < r->n; i++) {
        const recorded_module *m = &r->modules[i];
        bool is_first = true;
        for (size_t k = 0; k < i && m->source && is_first; k++)
            is_first = !r->modules[k].source || strcmp(r->modules[k].source, m->source) != 0;
        if (!m->source || access(m->source, F_OK) != 0)
            add_module(in, m, folder);
        else if (is_first)
            add_modules_of(in, r, folder, m->source);
    }
}

/* The recording in the folder of the file, or the nearest one above it, up to the working folder;
 * NULL: there is none. */
static const char *recording_beside(inputs *in, const char *file)
{
    char *folder = tr_arena_strdup(in->arena, file);
    for (char *slash = strrchr(folder, '/'); slash; slash = strrchr(folder, '/')) {
        *slash = 0;
        const char *path = tr_arena_printf(in->arena, "%s/" RECORDING, folder);
        if (recording_is(path) && !excludes(in, path, true))
            return path;
        if (in->s->working_folder && strcmp(folder, in->s->working_folder) == 0)
            return NULL;
    }
    bool is = file[0] != '/' && recording_is(RECORDING) && !excludes(in, RECORDING, true);
    return is ? RECORDING : NULL;
}

/* Compiles the source, with --build. False: this is not asked for, or not done for such files. */
static bool compile(inputs *in, const char *file, bool is_named)
{
    const char *why = NULL;
    if (!in->s->options->build)
        return false;
    if (tr_ends_in(file, ".cuh")) {
        skip(in, SKIPPED_HEADER, file);
        return true;
    }
    if (!build_compiles(file))
        return false;
    if (!is_new(in, file))
        return true;
    if (!build_want(in->s, file, is_named, &why)) {
        say(in, "error", file, why);
        in->n_wrong++;
    }
    return true;
}

void inputs_add_recorded(inputs *in, const char *file, bool says)
{
    const char *folder = recording_beside(in, file);
    const recorded_folder *r = folder ? read_recording(in, folder) : NULL;
    if (kind_may_hold_kernels(file) && compile(in, file, false)) {
        if (r)
            add_modules_of(in, r, folder, file);
        return;
    }
    if ((r && add_modules_of(in, r, folder, file)) || !kind_may_hold_kernels(file))
        return;
    skip(in, SKIPPED_UNRECORDED, file);
    if (says)
        say(in, "warning", file,
            folder ? tr_arena_printf(
                         in->arena,
                         "is not checked: the recording %s has nothing of it; run it under "
                         "'tilerace exec'",
                         folder)
                   : "is not checked: there is no recording of it; 'tilerace exec --dry-run -- "
                     "COMMAND' makes one");
}

static void add_file(inputs *in, const char *file)
{
    if (kind_is_foreign(file) && compile(in, file, true))
        return;
    is_new(in, file); /* a folder that is named as well does not bring it again */
    add(in, file, NULL, file);
}

void inputs_add_changed(inputs *in, const char *file)
{
    if (!kind_is_other_c(in->headers, file))
        add_file(in, file);
}

/* ---- Section: Folders ---- */

typedef struct folder_search {
    inputs *in;
    ignore_stack *ignores;
    tr_errors warnings;
    const char *word; /* as the folder is named, without slashes at its end */
    const char *real;
    const char **folders; /* stb_ds array: real paths of those that are gone into */
    const char **later;   /* stb_ds array: sources that recordings may know */
} folder_search;

/* Returns the path as it is shown: without a dot at its beginning, but where it would look like an
 * option. */
static const char *shown(const char *path)
{
    while (strncmp(path, "./", 2) == 0 && path[2] && path[2] != '-')
        path += 2 + strspn(path + 2, "/");
    return path;
}

static const char *real_path(const folder_search *f, const char *path)
{
    const char *rest = path + strlen(f->word);
    rest += strspn(rest, "/");
    const char *real = strcmp(f->real, "/") == 0 ? "" : f->real;
    return *rest ? tr_arena_printf(f->in->arena, "%s/%s", real, rest) : f->real;
}

static bool is_skipped(folder_search *f, const char *path, const char *name, bool is_folder)
{
    const char *folder = arrlast(f->folders);
    if (is_excluded(f->in, folder, real_path(f, path), is_folder))
        skip(f->in, SKIPPED_EXCLUDED, shown(path));
    else if (ignore_has(f->ignores, name, is_folder))
        skip(f->in, SKIPPED_IGNORED, shown(path));
    else
        return false;
    return true;
}

static bool enter_folder(void *user, const char *path, const char *name, size_t depth)
{
    folder_search *f = user;
    const char *real = real_path(f, path);
    if (depth > 0 && strcmp(name, ".git") == 0)
        return false;
    /* Git is told to ignore recordings, and they are there to be checked. */
    if (depth > 0 && strcmp(name, RECORDING) == 0 && recording_is(path)) {
        if (is_excluded(f->in, arrlast(f->folders), real, true))
            skip(f->in, SKIPPED_EXCLUDED, shown(path));
        else
            inputs_add_recording(f->in, shown(path));
        return false;
    }
    if (depth > 0 && is_skipped(f, path, name, true))
        return false;
    ignore_enter(f->ignores, real, &f->warnings);
    arrput(f->folders, real);
    return true;
}

static void leave_folder(void *user)
{
    folder_search *f = user;
    ignore_leave(f->ignores);
    (void)arrpop(f->folders);
}

static void find_file(void *user, const char *path, const char *name, size_t size)
{
    folder_search *f = user;
    file_kind kind = kind_of(f->in->headers, path);
    (void)size;
    if (kind == KIND_OTHER || is_skipped(f, path, name, false))
        return;
    path = shown(path);
    if (kind == KIND_UNREADABLE) {
        skip(f->in, SKIPPED_UNREADABLE, path);
        f->in->n_wrong++;
    } else if (kind == KIND_HEADER) {
        skip(f->in, SKIPPED_HEADER, path);
    } else if (kind == KIND_RECORDED) {
        arrput(f->later, tr_arena_strdup(f->in->arena, path));
    } else if (is_new(f->in, path)) {
        add(f->in, path, NULL, path);
    }
}

/* A file that a link in the folder leads to is found by itself. */
static void find_link(void *user, const char *path)
{
    folder_search *f = user;
    char *real = tr_real_path(path);
    const char *name = strrchr(path, '/');
    struct stat info;
    bool leads_out = real && strcmp(real, f->real) != 0 && !path_within(real, f->real);
    bool is_folder = real && stat(real, &info) == 0 && S_ISDIR(info.st_mode);
    bool matters =
        leads_out && (is_folder || (S_ISREG(info.st_mode) && kind_of(f->in->headers, path)));
    free(real);
    if (matters && !is_skipped(f, path, name ? name + 1 : path, is_folder))
        skip(f->in, SKIPPED_LINK, shown(path));
}

static void cannot_list(void *user, const char *path, const char *why)
{
    folder_search *f = user;
    skip(f->in, SKIPPED_UNREADABLE, shown(path));
    say(f->in, "error", shown(path), tr_arena_printf(f->in->arena, "cannot be read: %s", why));
    f->in->n_wrong++;
}

static const char *without_slashes(tr_arena *arena, const char *path)
{
    size_t length = strlen(path);
    while (length > 1 && path[length - 1] == '/')
        length--;
    return tr_arena_strndup(arena, path, length);
}

/* Adds all files of the folder that kinds.h knows. */
static void add_folder(inputs *in, const char *folder)
{
    static const folder_visitor visitor = {.enter = enter_folder,
                                           .leave = leave_folder,
                                           .file = find_file,
                                           .link = find_link,
                                           .complain = cannot_list};
    char *real = tr_real_path(folder);
    folder_search f = {.in = in,
                       .ignores = ignore_open(),
                       .warnings = tr_errors_make(in->arena),
                       .word = without_slashes(in->arena, folder),
                       .real = tr_arena_strdup(in->arena, real ? real : folder)};
    free(real);
    size_t n_before = in->s->n_files + arrlenu(in->s->sources);
    ignore_enter_above(f.ignores, f.real, &f.warnings);
    folder_walk(f.word, &visitor, &f);
    for (size_t i = 0; i < arrlenu(f.later); i++)
        inputs_add_recorded(in, f.later[i], false);
    for (size_t i = 0; i < arrlenu(f.warnings.items); i++)
        say(in, "warning", configs_shown(in->s->configs, f.warnings.items[i].place.file),
            f.warnings.items[i].text);
    if (in->s->n_files + arrlenu(in->s->sources) == n_before)
        tr_say(in->s->err, "tilerace: warning: no kernels were found in %s\n", folder);
    tr_errors_free(&f.warnings);
    ignore_close(f.ignores);
    arrfree(f.folders);
    arrfree(f.later);
}

/* ---- Section: The words of the command line ---- */

static void warn_if_stale(inputs *in, const recorded_module *m)
{
    if (m->is_stale)
        tr_say(in->s->err, "tilerace: warning: %s has changed since %s was recorded of it\n",
               m->source, m->path);
}

static void add_all_modules(inputs *in, const char *folder)
{
    const recorded_folder *r = read_recording(in, folder);
    for (size_t i = 0; r && i < r->n; i++) {
        warn_if_stale(in, &r->modules[i]);
        is_new(in, r->modules[i].path);
        add(in, r->modules[i].path, &r->modules[i], folder);
    }
}

void inputs_add_named(inputs *in, const char *word)
{
    struct stat info;
    if (recording_is(word))
        add_all_modules(in, word);
    else if (stat(word, &info) == 0 && S_ISDIR(info.st_mode))
        add_folder(in, word);
    else
        add_file(in, word);
}

void inputs_add_standard(inputs *in, const char *name)
{
    enum { MOST_BYTES = 64 << 20 };
    tr_text text = {0};
    char piece[16 * 1024];
    size_t got;
    while (text.length <= MOST_BYTES && (got = fread(piece, 1, sizeof piece, stdin)) > 0)
        tr_text_addn(&text, piece, got);
    if (ferror(stdin) || text.length > MOST_BYTES) {
        say(in, "error", name,
            ferror(stdin) ? "standard input cannot be read" : "is larger than 64 MiB");
        in->n_wrong++;
    } else {
        tr_unsaved_file *file = TR_NEW(in->arena, tr_unsaved_file);
        tr_unsaved *unsaved = TR_NEW(in->arena, tr_unsaved);
        *file =
            (tr_unsaved_file){.path = name,
                              .text = tr_arena_strndup(in->arena, tr_text_get(&text), text.length),
                              .length = text.length};
        *unsaved = (tr_unsaved){1, file};
        in->s->unsaved = unsaved;
        add_file(in, name);
    }
    tr_text_free(&text);
}

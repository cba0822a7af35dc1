#include "settings/configs.h"

#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "folders/repository.h"
#include "settings/read.h"
#include "settings/settings.h"
#include "settings/shown.h"

struct configs {
    tr_arena *arena;
    const driver_options *options;
    const char *working_folder; /* a real path */
    settings *alone;            /* without a file */
    settings *named;            /* of --config; or NULL */
    struct {
        char *key;
        settings *value;
    } *folders;     /* stb_ds map: by real path */
    settings **all; /* stb_ds array */
};

const char *configs_shown(const configs *c, const char *path)
{
    size_t length = strlen(c->working_folder);
    if (strncmp(path, c->working_folder, length) == 0 && path[length] == '/')
        path += length + 1;
    return shown_text(c->arena, path, strlen(path));
}

/* ---- Section: One file ---- */

static settings *new_settings(configs *c, const char *file, const char *folder)
{
    settings *st = TR_NEW(c->arena, settings);
    st->file = file;
    st->folder = folder;
    st->wrong = tr_errors_make(c->arena);
    arrput(c->all, st);
    return st;
}

/* Adds what the command line says; that it is well-formed was checked when it was opened. that it
 * says it rightly was looked at when it was opened. */
static settings *finished(configs *c, settings *st)
{
    const char *why;
    settings_take_options(c->arena, st, c->options, c->working_folder, &why);
    settings_finish(c->arena, st, c->options);
    return st;
}

/* Marks a file that is wrong: nothing of it holds. */
static settings *spoiled(configs *c, settings *st)
{
    settings *bare = new_settings(c, st->file, st->folder);
    tr_errors_free(&bare->wrong);
    bare->wrong = st->wrong;
    st->wrong = tr_errors_make(c->arena);
    return finished(c, bare);
}

static void complain(settings *st, const char *why)
{
    const tr_place place = {.file = st->file};
    tr_errors_add(&st->wrong, &place, "%s", why);
}

/* Does the path, with all links followed, lie in the folder? */
static bool stays_in(const char *path, const char *folder)
{
    char *real = tr_real_path(path);
    size_t length = strlen(folder);
    bool stays = real && strncmp(real, folder, length) == 0 &&
                 (real[length] == '/' || (length > 0 && folder[length - 1] == '/'));
    free(real);
    return stays;
}

/* NULL: a project's file has none, or what it has is an error. */
static const toml_value *own_table(settings *st, const toml_value *root, bool is_project)
{
    const toml_value *tool = is_project ? toml_member(root, "tool") : NULL;
    if (!is_project)
        return root;
    const toml_value *own = tool && tool->kind == TOML_TABLE ? toml_member(tool, "tilerace") : NULL;
    if (!own || own->kind == TOML_TABLE)
        return own;
    const tr_place place = {.file = st->file, .line = own->line, .column = own->column};
    tr_errors_add(&st->wrong, &place, "'tool.tilerace' is a table, not %s",
                  toml_kind_name(own->kind));
    return NULL;
}

/* A project's file without the word has nothing for us, and is not read further: it may be a
 * template and no TOML at all. */
static bool may_have_table(const char *text, size_t length)
{
    return memmem(text, length, "tilerace", 8) != NULL;
}

/* NULL: there is none, or a project's file that says nothing to us. `root`: where links of it may
 * not lead out of; NULL: anywhere. */
static settings *read_file(configs *c, const char *path, const char *folder, const char *root,
                           bool is_project)
{
    size_t length;
    const char *why;
    struct stat info;
    if (lstat(path, &info) != 0)
        return NULL;
    settings *st = new_settings(c, configs_shown(c, path), folder);
    if (root && S_ISLNK(info.st_mode) && !stays_in(path, root)) {
        complain(st, "it is a link that leads out of the repository");
        return spoiled(c, st);
    }
    const char *text = tr_read_file(c->arena, TR_FILE_CONFIGURATION, path, &length, &why);
    if (!text) {
        complain(st, why);
        return spoiled(c, st);
    }
    if (is_project && !may_have_table(text, length))
        return NULL;
    const toml_value *table = toml_read(c->arena, st->file, text, length, &st->wrong);
    const toml_value *own = table ? own_table(st, table, is_project) : NULL;
    if (own)
        settings_take_file(c->arena, st, own, !is_project, st->file);
    if (tr_errors_count(&st->wrong) > 0)
        return spoiled(c, st);
    return own ? finished(c, st) : NULL;
}

static settings *read_folder(configs *c, const char *folder, const char *root)
{
    static const struct {
        const char *name;
        bool is_project;
    } files[] = {{"tilerace.toml", false}, {"pyproject.toml", true}};
    const char *slash = folder[strlen(folder) - 1] == '/' ? "" : "/";
    for (size_t i = 0; i < TR_COUNT(files); i++) {
        const char *path = tr_arena_printf(c->arena, "%s%s%s", folder, slash, files[i].name);
        settings *st = read_file(c, path, folder, root, files[i].is_project);
        if (st)
            return st;
    }
    return NULL;
}

/* ---- Section: The search ---- */

static settings *search(configs *c, const char *folder)
{
    ptrdiff_t at = shgeti(c->folders, folder);
    if (at >= 0)
        return c->folders[at].value;
    const char *root = repository_around(c->arena, folder);
    settings *st = root || repository_trusts(folder, NULL) ? read_folder(c, folder, root) : NULL;
    const char *up = st ? NULL : repository_above(c->arena, root, folder);
    if (up)
        st = search(c, up);
    st = st ? st : c->alone;
    shput(c->folders, folder, st);
    return st;
}

const char *configs_folder_of(tr_arena *arena, const char *file)
{
    const char *folder = tr_folder_of(arena, file);
    char *real = tr_real_path(folder);
    if (!real)
        return strchr(file, '/') ? configs_folder_of(arena, folder) : "/";
    const char *kept = tr_arena_strdup(arena, real);
    free(real);
    return kept;
}

char *configs_name_of(tr_arena *arena, const char *file)
{
    const char *folder = configs_folder_of(arena, file), *slash = strrchr(file, '/');
    return tr_arena_printf(arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder,
                           slash ? slash + 1 : file);
}

const settings *configs_without_file(const configs *c)
{
    return c->alone;
}

const settings *configs_named(const configs *c)
{
    return c->named;
}

const settings *configs_for_folder(configs *c, const char *folder)
{
    if (c->named)
        return c->named;
    return c->options->isolated ? c->alone : search(c, folder);
}

const settings *configs_for(configs *c, const char *file)
{
    if (c->named || c->options->isolated)
        return c->named ? c->named : c->alone;
    return search(c, configs_folder_of(c->arena, file));
}

/* ---- Section: Opening ---- */

static settings *read_named(configs *c, const char *file, const char **why)
{
    const char *name = strrchr(file, '/');
    bool is_project = strcmp(name ? name + 1 : file, "pyproject.toml") == 0;
    settings *st = read_file(c, file, c->working_folder, NULL, is_project);
    if (!st && access(file, F_OK) != 0)
        *why = tr_arena_printf(c->arena, "--config: there is no %s", file);
    else if (!st)
        *why = tr_arena_printf(c->arena, "--config: %s has no table [tool.tilerace]", file);
    return st;
}

tr_give configs *configs_open(tr_arena *arena, const driver_options *options,
                              const char *working_folder, const char **why)
{
    configs *c = calloc(1, sizeof *c);
    if (!c)
        tr_no_memory();
    *c = (configs){.arena = arena,
                   .options = options,
                   .working_folder = working_folder ? working_folder : "/"};
    sh_new_strdup(c->folders);
    c->alone = new_settings(c, NULL, NULL);
    bool good = settings_take_options(arena, c->alone, options, c->working_folder, why);
    if (good && options->config && options->isolated) {
        *why = "--config and --isolated exclude each other";
        good = false;
    }
    if (good)
        settings_finish(arena, c->alone, options);
    if (good && options->config)
        c->named = read_named(c, options->config, why);
    if (good && (!options->config || c->named))
        return c;
    configs_close(c);
    return NULL;
}

void configs_close(tr_take configs *c)
{
    if (!c)
        return;
    for (size_t i = 0; i < arrlenu(c->all); i++)
        tr_errors_free(&c->all[i]->wrong);
    arrfree(c->all);
    shfree(c->folders);
    free(c);
}

#include "checking/affected.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/real_path.h"
#include "checking/changes.h"
#include "checking/checking.h"
#include "checking/kernel_identity.h"
#include "folders/ignore.h"
#include "folders/repository.h"
#include "inputs/load.h"
#include "lookups/lookups.h"
#include "session/session.h"

struct affected {
    revision *then;
    changes *changes;
    bool everything;
};

/* ---- Section: What holds for many inputs ---- */

/* Files that say how sources are compiled, where compile_commands.json is not tracked itself. */
static bool is_build_description(const char *path)
{
    static const char *const names[] = {
        "CMakeLists.txt", "CMakePresets.json", "Makefile",    "GNUmakefile",  "makefile",
        "meson.build",    "meson.options",     "BUILD",       "BUILD.bazel",  "MODULE.bazel",
        "WORKSPACE",      "SConstruct",        "configure",   "configure.ac", "meson_options.txt",
        "build.ninja",    "xmake.lua",         "Makefile.am", "SConscript",   "premake5.lua"};
    static const char *const ends[] = {".cmake", ".cmake.in", ".mk", ".bzl", ".ninja"};
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    for (size_t i = 0; i < TR_COUNT(names); i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    for (size_t i = 0; i < TR_COUNT(ends); i++)
        if (tr_ends_in(name, ends[i]))
            return true;
    return false;
}

static bool build_has_changed(affected *a)
{
    tr_arena *arena = tr_arena_new();
    bool has = false;
    const char *path;
    for (size_t i = 0; !has && (path = revision_path(a->then, i)); i++)
        has = is_build_description(path) && changes_of_name(a->changes, arena, path) != CHANGE_NONE;
    tr_arena_free(arena);
    return has;
}

/* compile_commands.json is made by a build and mostly not tracked: then it stands for what it was
 * made from. */
static bool is_untracked_commands(affected *a, tr_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
    if (strcmp(name, "compile_commands.json") != 0)
        return false;
    const char *in_root = repository_name(arena, changes_root(a->changes), path);
    return revision_find(a->then, in_root) == REVISION_NONE;
}

/* Returns whether the answer to a question that a check asked has changed since the revision.
 * *name: the changed file, or NULL. What the revision does not record counts as unchanged if it
 * belongs to the machine, and else as unknown. */
static change_state state_of_lookup(affected *a, tr_arena *arena, const lookup *l,
                                    const char **name)
{
    *name = NULL;
    switch (l->kind) {
    case LOOKUP_VARIABLE:
    case LOOKUP_LARGE:
        return CHANGE_NONE; /* of the machine */
    case LOOKUP_CONTENT:
    case LOOKUP_STATUS:
    case LOOKUP_LINK_STATUS:
    case LOOKUP_ACCESS:
    case LOOKUP_LINK:
    case LOOKUP_REAL:
        break;
    case LOOKUP_NAMES:
    case LOOKUP_KIND_COUNT:
        return repository_holds(repository_name(arena, changes_root(a->changes), l->name))
                   ? CHANGE_UNKNOWN
                   : CHANGE_NONE;
    }
    if (is_untracked_commands(a, arena, l->name))
        return build_has_changed(a) ? CHANGE_UNKNOWN : CHANGE_NONE;
    return changes_of(a->changes, arena, l->name, l->kind == LOOKUP_CONTENT, name);
}

static bool has_changed(affected *a, tr_arena *arena, const char *path)
{
    const char *ignored;
    return path && changes_of(a->changes, arena, path, true, &ignored) != CHANGE_NONE;
}

/* The options that name files: --launch and -p as they were read, --baseline, --config. */
static bool options_have_changed(affected *a, const session *s)
{
    tr_arena *arena = tr_arena_new();
    const driver_options *o = s->options;
    const char *ignored;
    bool has = has_changed(a, arena, o->baseline) || has_changed(a, arena, o->config);
    for (size_t i = 0; !has && s->prepared && i < lookups_count(s->prepared); i++)
        has = state_of_lookup(a, arena, lookups_at(s->prepared, i), &ignored) != CHANGE_NONE;
    tr_arena_free(arena);
    return has || !s->prepared || !lookups_are_seen();
}

tr_give affected *affected_open(session *s, const char **why)
{
    const char *root = repository_root(s->arena, s->working_folder);
    char *real = tr_real_path(root);
    if (!real || !ignore_is_root(real)) {
        free(real);
        *why = tr_arena_printf(s->arena, "%s is in no git repository", s->working_folder);
        return NULL;
    }
    root = tr_arena_strdup(s->arena, real);
    free(real);
    revision *then = revision_open(s->arena, root, s->options->diff_base, why);
    if (!then)
        return NULL;
    affected *a = TR_NEW(s->arena, affected);
    *a = (affected){.then = then, .changes = changes_open(then, root, s->unsaved)};
    a->everything = options_have_changed(a, s);
    return a;
}

const char *affected_git(const affected *a)
{
    return a ? revision_program(a->then) : NULL;
}

void affected_close(tr_take affected *a)
{
    if (!a)
        return;
    changes_close(a->changes);
    revision_close(a->then);
}

/* ---- Section: Configuration and patterns above an input ---- */

static const char *text_now(affected *a, tr_arena *arena, const char *name, size_t *length)
{
    const char *why;
    const char *path = tr_arena_printf(arena, "%s/%s", changes_root(a->changes), name);
    return tr_read_file(arena, TR_FILE_CONFIGURATION, path, length, &why);
}

/* Did a project's file say something to us, or does it? */
static bool project_matters(affected *a, tr_arena *arena, const char *name)
{
    size_t now = 0, then = 0;
    const char *text = text_now(a, arena, name, &now);
    const char *was = revision_read(a->then, arena, name, &then);
    return (text && memmem(text, now, "tilerace", 8)) || (was && memmem(was, then, "tilerace", 8));
}

/* Can the change of a .gitignore bring files that were ignored? Not where lines were only added,
 * and none of them takes back what another one ignores. */
static bool ignore_matters(affected *a, tr_arena *arena, const char *name)
{
    size_t now = 0, then = 0;
    const char *text = text_now(a, arena, name, &now);
    const char *was = revision_read(a->then, arena, name, &then);
    if (!was)
        was = "";
    if (!text || strlen(text) != now)
        return true;
    while (*text) {
        size_t length = strcspn(text, "\n");
        bool is_old = *was && strcspn(was, "\n") == length && strncmp(was, text, length) == 0;
        if (is_old)
            was += length + (was[length] == '\n');
        else if (text[0] == '!')
            return true;
        text += length + (text[length] == '\n');
    }
    return *was != 0;
}

static bool folder_has_changed(affected *a, tr_arena *arena, const char *folder)
{
    static const struct {
        const char *name;
        bool (*matters)(affected *a, tr_arena *arena, const char *name);
    } files[] = {{"tilerace.toml", NULL},
                 {"pyproject.toml", project_matters},
                 {".gitignore", ignore_matters}};
    for (size_t i = 0; i < TR_COUNT(files); i++) {
        const char *name =
            tr_arena_printf(arena, "%s%s%s", folder, *folder ? "/" : "", files[i].name);
        if (changes_of_name(a->changes, arena, name) != CHANGE_NONE &&
            (!files[i].matters || files[i].matters(a, arena, name)))
            return true;
    }
    return false;
}

/* Looks at the configuration in all folders from the input's up to the root. */
static bool settings_have_changed(affected *a, tr_arena *arena, const char *file)
{
    const char *root = changes_root(a->changes);
    char *folder = tr_arena_strdup(arena, repository_name(arena, root, file));
    if (!repository_holds(folder))
        return true;
    for (bool goes_on = true; goes_on;) {
        char *slash = strrchr(folder, '/');
        goes_on = slash != NULL;
        if (folder_has_changed(a, arena, slash ? (*slash = 0, folder) : ""))
            return true;
    }
    return false;
}

/* ---- Section: One input, now and then ---- */

typedef struct reading {
    affected *a;
    const session *s;
    size_t number;
    tr_arena *arena;
    loaded now, then;
    lookup_list *seen_now, *seen_then;
    tr_unsaved_file *old; /* stb_ds array: files with other contents, as they were */
    bool is_in_doubt;
} reading;

static void read_input(const session *s, size_t number, lookup_list *seen, loaded *input)
{
    session without = *s;
    without.solver = NULL; /* nothing is proved of it */
    lookup_list *before = lookups_watch(seen);
    load_file(&without, number, input);
    lookups_watch(before);
}

static bool has_old(const reading *r, const char *path)
{
    const tr_unsaved old = {arrlenu(r->old), r->old};
    return tr_unsaved_find(&old, path) != NULL;
}

/* Comments that allow findings are no part of what is compared. */
static bool may_allow(const char *text, size_t length)
{
    return memmem(text, length, "tilerace", 8) || memmem(text, length, "NOLINT", 6);
}

static bool allows_now(const reading *r, const char *path)
{
    size_t length = 0;
    const char *why;
    const tr_unsaved_file *unsaved = tr_unsaved_find(r->s->unsaved, path);
    const char *text =
        unsaved ? unsaved->text : tr_read_file(r->arena, TR_FILE_KERNELS, path, &length, &why);
    return !text || may_allow(text, unsaved ? unsaved->length : length);
}

static void take_state(reading *r, change_state state, const char *name)
{
    if (state == CHANGE_UNKNOWN)
        r->is_in_doubt = true;
    if (state != CHANGE_CONTENT)
        return;
    const char *path = tr_arena_printf(r->arena, "%s/%s", changes_root(r->a->changes), name);
    if (has_old(r, path))
        return;
    tr_unsaved_file old = {.path = path};
    old.text = revision_read(r->a->then, r->arena, name, &old.length);
    r->is_in_doubt |= !old.text || may_allow(old.text, old.length) || allows_now(r, path);
    arrput(r->old, old);
}

static void take_lookups(reading *r, const lookup_list *seen)
{
    const char *name;
    r->is_in_doubt |= !lookups_are_whole(seen);
    for (size_t i = 0; !r->is_in_doubt && i < lookups_count(seen); i++) {
        change_state state = state_of_lookup(r->a, r->arena, lookups_at(seen, i), &name);
        take_state(r, state, name);
    }
}

static void take_file(reading *r, const char *path)
{
    const char *name = NULL;
    change_state state = changes_of(r->a->changes, r->arena, path, true, &name);
    take_state(r, state, name);
}

/* Sources that a module names: the comments of those may allow findings. */
static void take_place(reading *r, const tr_place *place, const tr_place **last)
{
    if (place == *last)
        return;
    *last = place;
    for (; place; place = place->inlined_at)
        if (place->file)
            take_file(r, place->file);
}

static void take_places(reading *r, const loaded *input)
{
    const tr_place *last = NULL;
    for (const ir_function *f = input->unit.module->functions; f; f = f->next) {
        take_place(r, f->place, &last);
        for (const ir_op *op = ir_first_op(f); op && !r->is_in_doubt; op = ir_next_op(op))
            take_place(r, op->place, &last);
    }
}

/* Texts of an editor are read instead of what is on the disk. */
static void take_unsaved(reading *r)
{
    const tr_unsaved *unsaved = r->s->unsaved;
    for (size_t i = 0; unsaved && i < unsaved->n; i++) {
        if (access(unsaved->files[i].path, F_OK) == 0)
            take_file(r, unsaved->files[i].path);
        else
            r->is_in_doubt = true;
    }
}

/* Reads the input as it was. What is looked at then and was not looked at now must be as it was, or
 * stand among the old texts already. */
static void read_then(reading *r)
{
    session old = *r->s;
    const tr_unsaved *unsaved = r->s->unsaved;
    for (size_t i = 0; unsaved && i < unsaved->n; i++)
        if (!has_old(r, unsaved->files[i].path))
            arrput(r->old, unsaved->files[i]);
    const tr_unsaved texts = {arrlenu(r->old), r->old};
    size_t n = arrlenu(r->old);
    old.unsaved = &texts;
    read_input(&old, r->number, r->seen_then, &r->then);
    take_lookups(r, r->seen_then);
    r->is_in_doubt |= r->then.cut || tr_errors_count(&r->then.errors) > 0 || arrlenu(r->old) != n;
}

static bool is_same_kernel(const loaded *now, size_t i, const loaded *then, size_t k)
{
    tr_text a = {0}, b = {0};
    checking_write_identity(&a, now, &now->kernels[i]);
    checking_write_identity(&b, then, &then->kernels[k]);
    bool same = a.length == b.length && memcmp(a.data, b.data, a.length) == 0;
    tr_text_free(&a);
    tr_text_free(&b);
    return same;
}

/* The launch of the same kernel with the same number among those; -1: there is none. */
static ptrdiff_t counterpart(const reading *r, size_t i)
{
    const char *name = r->now.kernels[i].function->name;
    size_t number = 0;
    for (size_t k = 0; k < i; k++)
        number += strcmp(r->now.kernels[k].function->name, name) == 0;
    for (size_t k = 0; k < arrlenu(r->then.kernels); k++)
        if (strcmp(r->then.kernels[k].function->name, name) == 0 && number-- == 0)
            return (ptrdiff_t)k;
    return -1;
}

/* Fills of each kernel of `now` whether the change can affect it. */
static void decide(reading *r, bool *is_affected)
{
    size_t n = arrlenu(r->now.kernels);
    const recorded_module *recorded = r->s->recorded ? r->s->recorded[r->number] : NULL;
    take_unsaved(r);
    r->is_in_doubt |= recorded || r->now.cut || r->a->everything ||
                      settings_have_changed(r->a, r->arena, r->s->files[r->number]);
    if (!r->is_in_doubt)
        take_lookups(r, r->seen_now);
    if (!r->is_in_doubt)
        take_places(r, &r->now);
    if (!r->is_in_doubt && arrlenu(r->old) > 0)
        read_then(r);
    for (size_t i = 0; i < n; i++) {
        ptrdiff_t other = arrlenu(r->old) > 0 && !r->is_in_doubt ? counterpart(r, i) : -1;
        is_affected[i] = r->is_in_doubt ||
                         (arrlenu(r->old) > 0 &&
                          !(other >= 0 && is_same_kernel(&r->now, i, &r->then, (size_t)other)));
    }
}

/* ---- Section: The result ---- */

static bool is_any(const bool *of, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (of[i])
            return true;
    return false;
}

/* Fills what no other command needs of an input that is not checked: the names that launches may
 * give. */
static void name_kernels(reading *r, checked_input *to)
{
    to->n_kernels = r->now.shapes ? r->now.unit.n_kernels : 0;
    to->kernels = TR_NEW_ARRAY(r->arena, checked_kernel, to->n_kernels + 1);
    for (size_t i = 0; i < to->n_kernels; i++) {
        const launch_kernel *shape = &r->now.shapes[i];
        to->kernels[i] = (checked_kernel){shape->symbol, shape->shown, shape->is_only_entry};
    }
}

static void leave_out(reading *r, const bool *is_affected, input_report *report)
{
    bool was_read = tr_errors_count(&r->now.errors) == 0;
    size_t n = was_read ? arrlenu(r->now.kernels) : 0;
    report->left_out = TR_NEW_ARRAY(r->arena, left_out_kernel, n + 1);
    for (size_t i = 0; i < n; i++) {
        const ir_function *f = r->now.kernels[i].function;
        if (!is_affected[i])
            report->left_out[report->n_left_out++] =
                (left_out_kernel){.kernel = f->shown, .place = f->place, .number = i};
    }
}

/* The input is checked whole, so that its comments can be judged; what is left out is noted before
 * that, as a part of its own. */
static void check(reading *r, const bool *is_affected, const checking_told *told, tr_text *packed)
{
    checked_input part = {.report = {.file = r->s->files[r->number]}};
    leave_out(r, is_affected, &part.report);
    if (part.report.n_left_out > 0 && told->part)
        told->part(told->user, &part);
    else if (part.report.n_left_out > 0)
        packed_write(packed, &part);
    if (!checking_recall(r->s, r->number, packed))
        checking_run(r->s, r->number, 0, told, packed);
}

/* Checks an input unless none of its kernels is affected by the changes since the revision. An
 * input that cannot be read is always checked. */
static void decide_and_check(const session *s, size_t number, const checking_told *told,
                             tr_text *packed)
{
    reading r = {.a = s->affected,
                 .s = s,
                 .number = number,
                 .arena = tr_arena_new(),
                 .seen_now = lookups_new(),
                 .seen_then = lookups_new()};
    if (tr_errors_count(&session_settings(s, number)->wrong) == 0)
        read_input(s, number, r.seen_now, &r.now);
    size_t n = arrlenu(r.now.kernels);
    bool *is_affected = TR_NEW_ARRAY(r.arena, bool, n + 1);
    bool was_read = r.now.unit.module && tr_errors_count(&r.now.errors) == 0;
    if (was_read)
        decide(&r, is_affected);
    if (!was_read || is_any(is_affected, n)) {
        check(&r, is_affected, told, packed);
    } else {
        checked_input result = {.report = {.file = s->files[number]}};
        leave_out(&r, is_affected, &result.report);
        name_kernels(&r, &result);
        packed_write(packed, &result);
    }
    load_free(&r.now);
    load_free(&r.then);
    lookups_free(r.seen_now);
    lookups_free(r.seen_then);
    arrfree(r.old);
    tr_arena_free(r.arena);
}

void affected_run(const session *s, size_t number, size_t from, const checking_told *told,
                  tr_text *packed)
{
    if (s->affected && from == 0)
        decide_and_check(s, number, told, packed);
    else
        checking_run(s, number, from, told, packed);
}

void affected_take_out(input_report *report)
{
    size_t n = 0, next = 0;
    for (size_t i = 0; i < report->n_kernels; i++) {
        if (next < report->n_left_out && report->left_out[next].number == i)
            next++;
        else
            report->kernels[n++] = report->kernels[i];
    }
    report->n_kernels = n;
}

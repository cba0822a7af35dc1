#include "bytecode/rust_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "bytecode/arrays.h"
#include "bytecode/rust_signature.h"

typedef struct search {
    tr_arena *arena;
    const ir_function *function;
    const char *name;
    const rust_kernel *found;
    bool several; /* that differ */
    unsigned files;
    size_t bytes;
} search;

/* Limits for the sources of a folder. */
enum { MOST_FILES = 2000, MOST_BYTES = 32 << 20, MOST_DEPTH = 12 };

/* ---- Section: Parameters of the kernel ---- */

typedef struct flattening {
    tr_arena *arena;
    const ir_function *function;
    const char **names;
    size_t n;
} flattening;

static bool is_next(const flattening *f, bool pointer)
{
    if (f->n >= f->function->body->n_args)
        return false;
    const ir_type *type = f->function->body->args[f->n]->type;
    const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
    return (elem->kind == IR_POINTER) == pointer;
}

/* The rank of the view that the entry makes of the tensor first of all; -1: there is none. */
static int rank_of(const flattening *f)
{
    for (const ir_op *op = ir_first_op(f->function); op; op = ir_next_op(op))
        if (op->code == IR_OP_MAKE_TENSOR_VIEW &&
            arrays_parameter(f->function, ir_operand(op, IR_MAKE_TENSOR_VIEW_base)) == f->n)
            return op->results[0].type->rank;
    return -1;
}

static bool add_parts(flattening *f, const char *name, const char *part, int rank)
{
    for (int d = 0; d < rank; d++) {
        if (!is_next(f, false) || !ir_type_is_tile_of_int(f->function->body->args[f->n]->type))
            return false;
        f->names[f->n++] = tr_arena_printf(f->arena, "%s.%s[%d]", name, part, d);
    }
    return true;
}

/* cuTile Rust passes a pointer, extents and strides of a tensor, and those of its partition where
 * the kernel may write it. */
static bool add_tensor(flattening *f, const rust_parameter *p)
{
    bool fits = is_next(f, true);
    int rank = fits ? rank_of(f) : -1;
    if (rank < 0)
        return false;
    f->names[f->n++] = p->name;
    fits = add_parts(f, p->name, "shape", rank) && add_parts(f, p->name, "strides", rank);
    if (p->type == RUST_TENSOR_WRITTEN)
        fits = fits && add_parts(f, p->name, "partition_shape", rank) &&
               add_parts(f, p->name, "partition_strides", rank);
    return fits;
}

static bool add_parameter(flattening *f, const rust_parameter *p)
{
    if (p->type == RUST_TENSOR || p->type == RUST_TENSOR_WRITTEN)
        return add_tensor(f, p);
    if (!is_next(f, p->type == RUST_POINTER))
        return false;
    f->names[f->n++] = p->name;
    return true;
}

/* Contracts have no other names, and `grid` is one of their own. */
static bool is_usable(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_";
    return strspn(name, letters) == strlen(name) && strcmp(name, "grid") != 0;
}

static bool are_usable(const rust_signature *s)
{
    for (size_t i = 0; i < s->n; i++) {
        if (!is_usable(s->parameters[i].name))
            return false;
        for (size_t k = 0; k < i; k++)
            if (strcmp(s->parameters[i].name, s->parameters[k].name) == 0)
                return false;
    }
    return true;
}

static const char *const *flatten(tr_arena *arena, const ir_function *function,
                                  const rust_signature *s)
{
    flattening f = {.arena = arena, .function = function};
    f.names = TR_NEW_ARRAY(arena, const char *, function->body->n_args + 1);
    if (!are_usable(s))
        return NULL;
    for (size_t i = 0; i < s->n; i++)
        if (!add_parameter(&f, &s->parameters[i]))
            return NULL;
    return f.n == function->body->n_args ? f.names : NULL;
}

/* ---- Section: Sources ---- */

static bool is_same(const rust_kernel *a, const char *const *names)
{
    for (size_t i = 0; i < a->n; i++)
        if (strcmp(a->parameters[i], names[i]) != 0)
            return false;
    return true;
}

static void add_found(search *s, const char *file, const rust_signature *signature)
{
    const char *const *names = flatten(s->arena, s->function, signature);
    if (!names)
        return;
    s->several |= s->found && !is_same(s->found, names);
    rust_kernel *kernel = TR_NEW(s->arena, rust_kernel);
    *kernel = (rust_kernel){.name = s->name, .n = s->function->body->n_args, .parameters = names};
    if (!s->found) {
        kernel->place = (tr_place){.file = tr_arena_strdup(s->arena, file),
                                   .function = s->name,
                                   .line = signature->line,
                                   .column = signature->column,
                                   .end_line = signature->line,
                                   .end_column = signature->column};
        s->found = kernel;
    }
}

/* `line`: of the function; 0: wherever it is, if it is an entry. */
static void look_in(search *s, const char *file, uint32_t line)
{
    size_t length, n;
    const rust_signature *list;
    tr_arena *scratch = tr_arena_new();
    const char *text = tr_read_source(scratch, file, &length);
    s->bytes += text ? length : 0;
    bool may = text && memmem(text, length, s->name, strlen(s->name));
    n = may ? rust_signatures_read(s->arena, text, length, s->name, line == 0, &list) : 0;
    for (size_t i = 0; i < n; i++)
        if (line == 0 || list[i].line == line)
            add_found(s, file, &list[i]);
    tr_arena_free(scratch);
}

static bool is_source(const char *name)
{
    size_t length = strlen(name);
    return length > 3 && strcmp(name + length - 3, ".rs") == 0;
}

static bool is_full(const search *s)
{
    return s->several || s->files >= MOST_FILES || s->bytes >= MOST_BYTES;
}

static void look_below(search *s, const char *folder, unsigned depth)
{
    DIR *open = depth < MOST_DEPTH ? opendir(folder) : NULL;
    const struct dirent *entry;
    struct stat about;
    while (open && !is_full(s) && (entry = readdir(open))) {
        bool hidden = entry->d_name[0] == '.' || strcmp(entry->d_name, "target") == 0;
        if (hidden || fstatat(dirfd(open), entry->d_name, &about, AT_SYMLINK_NOFOLLOW) != 0)
            continue;
        bool here = strcmp(folder, ".") == 0;
        const char *path =
            tr_arena_printf(s->arena, "%s%s%s", here ? "" : folder, here ? "" : "/", entry->d_name);
        if (S_ISDIR(about.st_mode)) {
            look_below(s, path, depth + 1);
        } else if (S_ISREG(about.st_mode) && is_source(entry->d_name)) {
            s->files++;
            look_in(s, path, 0);
        }
    }
    if (open)
        closedir(open);
}

/* The outermost folder of up to four above this one that has a Cargo.toml; NULL: none has. */
static const char *workspace_of(tr_arena *arena, const char *folder)
{
    const char *above = folder, *found = NULL;
    for (int i = 0; i < 4; i++) {
        above = tr_arena_printf(arena, "%s/..", above);
        if (access(tr_arena_printf(arena, "%s/Cargo.toml", above), F_OK) == 0)
            found = above;
    }
    return found ? realpath(found, tr_arena_alloc(arena, PATH_MAX)) : NULL;
}

/* Searches the sources of the package, and if they have no such kernel, those of its workspace. */
static void look_in_package(search *s, const char *folder)
{
    look_below(s, folder, 0);
    const char *workspace = s->found || is_full(s) ? NULL : workspace_of(s->arena, folder);
    if (workspace)
        look_below(s, workspace, 0);
}

/* ---- Section: All ---- */

/* Returns the symbol without "_entry"; NULL: it is another symbol. */
static const char *function_of(tr_arena *arena, const char *symbol)
{
    static const char end[] = "_entry";
    size_t length = strlen(symbol), behind = sizeof end - 1;
    bool is_entry = length > behind && strcmp(symbol + length - behind, end) == 0;
    return is_entry ? tr_arena_strndup(arena, symbol, length - behind) : NULL;
}

const rust_kernel *rust_names_find(tr_arena *arena, const ir_function *function, const char *folder)
{
    const tr_place *place = function->place;
    search s = {.arena = arena, .function = function, .name = function_of(arena, function->name)};
    if (!s.name || !ir_is_made_by(function->module, "cutile-rs", "cutile-ir"))
        return NULL;
    while (place && place->inlined_at)
        place = place->inlined_at;
    if (place && place->file && place->line > 0)
        look_in(&s, place->file, place->line);
    else if (folder)
        look_in_package(&s, folder);
    return s.several || is_full(&s) ? NULL : s.found;
}

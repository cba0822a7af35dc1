#include "bytecode/frames.h"

#include <string.h>
#include <unistd.h>

#include "base/ds.h"

/* The owner of the source that a frame lies in, the nearest to the user first. */
typedef enum owner {
    OWNER_USER,
    OWNER_LIBRARY,    /* an installed package */
    OWNER_TOOL_CHAIN, /* what a compiler brings along */
    OWNER_NOBODY,     /* no file or no line */
} owner;

typedef struct known_place { /* stb_ds map entry */
    const tr_place *key;
    const tr_place *value;
} known_place;

static bool has_part(const char *file, const char *part)
{
    size_t length = strlen(part);
    for (const char *at = strstr(file, part); at; at = strstr(at + 1, part))
        if ((at == file || at[-1] == '/') && (at[length] == '/' || at[length] == '\0'))
            return true;
    return false;
}

static owner owner_of(const tr_place *frame)
{
    /* nvcc's headers, the functions of cuTile Python and cuTile.jl, and Julia's own. */
    static const char *const tool_chain[] = {
        "cuda_tile.h",     "include/crt",        "include/cuda",
        "include/cccl",    "cuda/include",       "site-packages/cuda/tile",
        "<built-in>",      "cuda/tile/_stub.py", "<frozen importlib>",
        "packages/cuTile", "cuTile/src",         "share/julia",
    };
    if (!frame->file || !*frame->file || frame->line == 0)
        return OWNER_NOBODY;
    for (size_t i = 0; i < TR_COUNT(tool_chain); i++)
        if (has_part(frame->file, tool_chain[i]))
            return OWNER_TOOL_CHAIN;
    if (tr_ends_in(frame->file, ".jl") && frame->file[0] != '/')
        return OWNER_TOOL_CHAIN; /* Julia's own "int.jl"; files that are loaded have whole paths */
    bool installed = has_part(frame->file, "site-packages") ||
                     has_part(frame->file, "dist-packages") ||
                     has_part(frame->file, ".julia/packages");
    return installed ? OWNER_LIBRARY : OWNER_USER;
}

/* cuTile Python and cuTile Rust count what lies before a place, everybody else starts at 1. */
static uint32_t column_of(const tr_place *frame)
{
    bool from_0 = tr_ends_in(frame->file, ".py") || tr_ends_in(frame->file, ".rs");
    return from_0 && frame->column < UINT32_MAX ? frame->column + 1 : frame->column;
}

/* cuTile Rust inlines the author's function into an entry of its own, and calls it at the function
 * itself: a call site that tells nothing. */
static bool is_entry_of_rust(const tr_place *frame, const tr_place *function)
{
    return function && !frame->inlined_at && frame->line == function->line &&
           frame->column == function->column && strcmp(frame->file, function->file) == 0;
}

/* `function`: where it stands, as the module says it; or NULL. */
static const tr_place *frames_of(tr_arena *arena, const tr_place *place, const tr_place *function)
{
    owner best = OWNER_NOBODY;
    for (const tr_place *at = place; at; at = at->inlined_at)
        if (owner_of(at) < best)
            best = owner_of(at);
    tr_place *first = NULL, *last = NULL;
    for (const tr_place *at = place; at && best < OWNER_NOBODY; at = at->inlined_at) {
        owner whose = owner_of(at);
        bool is_kept = first ? whose == best || whose < OWNER_TOOL_CHAIN : whose == best;
        if (!is_kept || (first && is_entry_of_rust(at, function)))
            continue;
        tr_place *copy = tr_arena_copy(arena, at, sizeof *at);
        copy->column = copy->end_column = column_of(at);
        copy->inlined_at = NULL;
        if (last)
            last->inlined_at = copy;
        else
            first = copy;
        last = copy;
    }
    return first;
}

static const tr_place *kept_frames(tr_arena *arena, known_place **known, const tr_place *place,
                                   const tr_place *function)
{
    if (!place)
        return NULL;
    ptrdiff_t at = hmgeti(*known, place);
    if (at >= 0)
        return (*known)[at].value;
    const tr_place *kept = frames_of(arena, place, function);
    hmput(*known, place, kept);
    return kept;
}

/* The file's name from one of the folders; NULL: it is in none. */
static const char *file_from(tr_arena *arena, const char *folder, const char *file)
{
    enum { MOST_FOLDERS = 64 };
    for (int i = 0; i < MOST_FOLDERS; i++) {
        bool is_here = strcmp(folder, ".") == 0;
        const char *path = is_here ? file : tr_arena_printf(arena, "%s/%s", folder, file);
        if (access(path, F_OK) == 0)
            return path;
        if (access(tr_arena_printf(arena, "%s/.git", folder), F_OK) == 0)
            return NULL;
        folder = tr_arena_printf(arena, is_here ? ".." : "%s/..", folder);
    }
    return NULL;
}

typedef struct origin {
    tr_arena *arena;
    const char *working_folder, *folder;
} origin;

static const char *named_from(const origin *from, const char *file)
{
    size_t length = strlen(from->working_folder);
    if (file[0] != '/') {
        const char *found = from->folder ? file_from(from->arena, from->folder, file) : NULL;
        return found ? found : file;
    }
    bool is_within = length > 1 && strncmp(file, from->working_folder, length) == 0 &&
                     file[length] == '/' && file[length + 1];
    return is_within ? file + length + 1 : file;
}

static const tr_place *place_from(const origin *from, const tr_place *place)
{
    if (!place)
        return NULL;
    tr_place *copy = tr_arena_copy(from->arena, place, sizeof *place);
    copy->inlined_at = place_from(from, place->inlined_at);
    copy->file = copy->file ? named_from(from, copy->file) : NULL;
    return copy;
}

void bc_frames_start_from(ir_module *module, const char *working_folder, const char *folder)
{
    const origin from = {module->arena, working_folder, folder};
    for (ir_function *function = module->functions; function; function = function->next) {
        for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op))
            op->place = place_from(&from, op->place);
        function->place = place_from(&from, function->place);
    }
}

void bc_frames_keep_of_user(ir_module *module)
{
    known_place *known = NULL;
    for (ir_function *function = module->functions; function; function = function->next) {
        const tr_place *own = function->place;
        bool has_own = own && own->file && !own->inlined_at;
        for (ir_op *op = ir_first_op(function); op; op = ir_next_op(op))
            op->place = kept_frames(module->arena, &known, op->place, has_own ? own : NULL);
        function->place = kept_frames(module->arena, &known, own, NULL);
    }
    hmfree(known);
}

/* Makes a unit of a file: Clang's parse, its errors, the kernels. */
#include "dialect/dialect.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/installed.h"
#include "base/real_path.h"
#include "dialect/depth.h"
#include "dialect/includes.h"
#include "dialect/lower.h"
#include "dialect/record.h"

/* ---- Where tile.h is ---- */

static bool has_header(tr_arena *arena, const char *folder)
{
    return access(tr_arena_printf(arena, "%s/tile.h", folder), R_OK) == 0;
}

/* Finds the header beside the source or in an `include` folder of a folder above it. NULL when
 * there is none: the user's own -I may still find it. */
static const char *header_folder(tr_arena *arena, const char *source)
{
    const char *folder = source;
    for (int up = 0; up < 6 && source[0]; up++) {
        folder = tr_folder_of(arena, folder);
        const char *include = tr_arena_printf(arena, "%s/include", folder);
        if (has_header(arena, folder))
            return folder;
        if (has_header(arena, include))
            return include;
        if (strcmp(folder, ".") == 0) {
            /* A relative path ends here; go on from where that is. */
            char *here = tr_real_path(".");
            folder = here ? tr_arena_strdup(arena, here) : "/";
            free(here);
        }
        if (strcmp(folder, "/") == 0)
            break;
    }
    return NULL;
}

/* A libclang of Python's package index comes without its headers; those that a kernel may want are
 * ours then. Looked at last, where Clang has its own. */
static const char *compiler_headers(tr_arena *arena)
{
    static const char *const places[] = {"lib/tilerace/include/stdbool.h",
                                         "../../analyzer/dialect/include/stdbool.h", NULL};
    const char *header = tr_find_installed(arena, places);
    return header ? tr_folder_of(arena, header) : NULL;
}

/* ---- Parsing ---- */

typedef struct source {
    CXIndex index;
    CXTranslationUnit unit;
} source;

static bool is_parsable(tr_arena *arena, const char *path, const dl_include_search *search,
                        tr_errors *errors)
{
    tr_place place = {.file = path};
    const tr_unsaved_file *own = tr_unsaved_find(search->unsaved, path);
    size_t length = own ? own->length : 0;
    const char *why = NULL;
    const char *text = own ? own->text : tr_read_file(arena, TR_FILE_KERNELS, path, &length, &why);
    if (!text) {
        tr_errors_add(errors, &place, "%s", why);
        return false;
    }
    if (dl_nests_too_deep(text, length, &place.line)) {
        place.column = place.end_column = 1;
        place.end_line = place.line;
        tr_errors_add_hint(
            errors, &place,
            "Compute parts of it into variables first, or move them to helper functions.",
            "this nests too deep");
        return false;
    }
    return dl_includes_are_files(arena, path, text, length, search, errors);
}

/* Has Clang parse the file into *out, whose index and unit the caller disposes of. The flags are
 * those that fix the language, the user's, and the folders of our headers and of the compiler's,
 * last. False: it could not be parsed at all; errors in the source are diagnostics of the unit
 * instead. */
static bool parse(tr_arena *arena, const char *path, const dialect_options *options,
                  tr_errors *errors, source *out)
{
    /* The triple fixes the sizes of C's types; but for a compiler, warnings are not ours to give.
     */
    static const char *const fixed[] = {"-x", "c", "-std=c23", "--target=x86_64-unknown-linux-gnu",
                                        "-w"};
    bool tells = options && options->record;
    size_t n_user = options ? options->n_clang_args : 0, n = 0, n_fixed = TR_COUNT(fixed) - tells;
    const char *folder =
        options && options->include_folder ? options->include_folder : header_folder(arena, path);
    const char *own_headers = compiler_headers(arena);
    const char **args = TR_NEW_ARRAY(arena, const char *, TR_COUNT(fixed) + n_user + 4);
    for (size_t i = 0; i < n_fixed; i++)
        args[n++] = fixed[i];
    for (size_t i = 0; i < n_user; i++)
        args[n++] = options->clang_args[i];
    if (folder) /* a header of ours is no file of the user's */
        args[n++] = tr_arena_printf(arena, "%s%s", tells ? "-isystem" : "-I", folder);
    if (own_headers)
        args[n++] = tr_arena_printf(arena, "-idirafter%s", own_headers);
    const tr_unsaved *unsaved = options ? options->unsaved : NULL;
    const dl_include_search search = {n_user, options ? options->clang_args : NULL, unsaved};
    if (!is_parsable(arena, path, &search, errors))
        return false;
    size_t n_unsaved = unsaved ? unsaved->n : 0;
    struct CXUnsavedFile *texts = TR_NEW_ARRAY(arena, struct CXUnsavedFile, n_unsaved + 1);
    for (size_t i = 0; i < n_unsaved; i++)
        texts[i] = (struct CXUnsavedFile){unsaved->files[i].path, unsaved->files[i].text,
                                          unsaved->files[i].length};
    tr_place place = {.file = path};
    out->index = clang_createIndex(0, 0);
    if (options && options->crashes)
        clang_toggleCrashRecovery(false);
    unsigned how = tells ? CXTranslationUnit_DetailedPreprocessingRecord : CXTranslationUnit_None;
    enum CXErrorCode code = clang_parseTranslationUnit2(out->index, path, args, (int)n, texts,
                                                        (unsigned)n_unsaved, how, &out->unit);
    if (code == CXError_Success)
        return true;
    tr_errors_add_hint(errors, &place, "Look at the flags that are passed to Clang.",
                       code == CXError_Crashed ? "Clang crashed on %s" : "Clang could not read %s",
                       path);
    clang_disposeIndex(out->index);
    return false;
}

static void dispose(source *s)
{
    clang_disposeTranslationUnit(s->unit);
    clang_disposeIndex(s->index);
}

/* ---- Clang's errors ---- */

static bool report_diagnostics(tr_arena *arena, CXTranslationUnit unit, const char *path,
                               tr_errors *errors)
{
    bool clean = true;
    for (unsigned i = 0, n = clang_getNumDiagnostics(unit); i < n; i++) {
        CXDiagnostic diagnostic = clang_getDiagnostic(unit, i);
        if (clang_getDiagnosticSeverity(diagnostic) >= CXDiagnostic_Error) {
            tr_place place = dialect_place_of(arena, diagnostic);
            if (!place.file)
                place.file = path;
            CXString string = clang_getDiagnosticSpelling(diagnostic);
            const char *text = clang_getCString(string);
            bool header = text && strstr(text, "'tile.h' file not found");
            tr_errors_add_hint(errors, &place,
                               header ? "Pass `-- -I FOLDER` with the folder that holds tile.h."
                                      : NULL,
                               "%s", text ? text : "Clang gave an error without a text");
            clang_disposeString(string);
            clean = false;
        }
        clang_disposeDiagnostic(diagnostic);
    }
    return clean;
}

/* ---- Kernels ---- */

typedef struct kernels {
    dl *L;
    CXCursor *found; /* stb_ds */
} kernels;

static enum CXChildVisitResult find_kernel(CXCursor cursor, CXCursor parent, CXClientData data)
{
    (void)parent;
    kernels *k = data;
    if (clang_getCursorKind(cursor) == CXCursor_FunctionDecl && clang_Cursor_hasAttrs(cursor) &&
        clang_isCursorDefinition(cursor) && ast_has_annotation(k->L, cursor, "tile_kernel"))
        arrput(k->found, cursor);
    return CXChildVisit_Continue;
}

static bool lower_all(dl *L, const char *path, dialect_record *record, dialect_unit *unit)
{
    kernels k = {.L = L};
    clang_visitChildren(clang_getTranslationUnitCursor(L->unit), find_kernel, &k);
    size_t n = arrlenu(k.found);
    if (record)
        record->has_kernels = n > 0;
    if (n == 0) {
        tr_place place = {.file = path};
        tr_errors_add_hint(L->errors, &place,
                           "Mark a function: `tile_kernel void name(...) { ... }`.",
                           "there is no kernel in %s", path);
    }
    unit->kernels = TR_NEW_ARRAY(L->arena, const ir_function *, n + 1);
    unit->contracts = TR_NEW_ARRAY(L->arena, contract *, n + 1);
    bool ok = n > 0;
    for (size_t i = 0; i < n; i++)
        ok &= dl_kernel(L, k.found[i], &unit->contracts[i], &unit->kernels[i]);
    unit->n_kernels = n;
    arrfree(k.found);
    return ok;
}

/* The first version that has every op of the module. */
static uint8_t version_of(const ir_module *module)
{
    uint8_t version = 3;
    for (const ir_function *f = module->functions; f; f = f->next)
        for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
            if (ir_op_info_of(op->code)->since_minor > version)
                version = ir_op_info_of(op->code)->since_minor;
    return version;
}

static const char *module_name(tr_arena *arena, const char *path)
{
    const char *slash = strrchr(path, '/'), *start = slash ? slash + 1 : path;
    const char *dot = strrchr(start, '.');
    return dot && dot > start ? tr_arena_strndup(arena, start, (size_t)(dot - start)) : start;
}

static void release(dl *L)
{
    arrfree(L->files);
    arrfree(L->vars);
    hmfree(L->var_of);
    arrfree(L->trail);
    arrfree(L->forward);
    for (size_t i = 0; i < arrlenu(L->orders); i++)
        arrfree(L->orders[i].loads);
    arrfree(L->orders);
    arrfree(L->globals);
    shfree(L->builtins);
    tr_arena_free(L->scratch);
}

bool dialect_read(tr_arena *arena, smt_ctx *ctx, const char *path, const dialect_options *options,
                  dialect_unit *unit, tr_errors *errors)
{
    *unit = (dialect_unit){0};
    path = tr_arena_strdup(errors->arena, path); /* places of errors name it */
    source s;
    const char *why;
    if (!libclang_open(&why)) {
        if (options && options->crashes && libclang_lacks_memory())
            tr_no_memory();
        tr_errors_add(errors, NULL, "C sources cannot be read: %s", why);
        return false;
    }
    if (!parse(arena, path, options, errors, &s))
        return false;
    dialect_record *record = options ? options->record : NULL;
    if (record)
        dialect_record_take(errors->arena, s.unit, path, record);
    bool ok = report_diagnostics(errors->arena, s.unit, path, errors);
    if (ok) {
        dl L = {.arena = arena, .errors = errors, .ctx = ctx, .unit = s.unit};
        L.scratch = tr_arena_new();
        L.module = unit->module = ir_module_new(module_name(arena, path));
        L.keep = L.module->arena;
        L.module->producer = "tilerace C tile dialect";
        ok = lower_all(&L, path, record, unit);
        release(&L);
        if (ok)
            unit->module->version_minor = version_of(unit->module);
    }
    dispose(&s);
    if (!ok) {
        for (size_t i = 0; i < unit->n_kernels; i++)
            contract_free(unit->contracts[i]);
        ir_module_free(unit->module);
        *unit = (dialect_unit){0};
    }
    return ok;
}

bool dialect_can_read(const char **why)
{
    return libclang_open(why);
}

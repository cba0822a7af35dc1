/* cuTile Rust: a crate, by the kernels that its tests hand to the assembler. */
#include "builds/rust.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/ds.h"
#include "base/installed.h"
#include "builds/job.h"
#include "bytecode/bytecode.h"
#include "folders/folder.h"
#include "folders/repository.h"
#include "report/comments.h"
#include "settings/configs.h"

const char *build_manifest_of(tr_arena *arena, const char *file)
{
    const char *prefix = strncmp(file, "./", 2) == 0 ? file + 2 : file;
    const char *real = configs_folder_of(arena, file), *root = repository_around(arena, real);
    /* The folder as it is named, as long as that can be told. */
    const char *shown = strchr(prefix, '/') ? tr_folder_of(arena, prefix) : ".";
    for (const char *at = real; at; at = repository_above(arena, root, at)) {
        const char *path = tr_arena_printf(arena, "%s/Cargo.toml", at);
        if (access(path, F_OK) == 0)
            return !shown                    ? path
                   : strcmp(shown, ".") == 0 ? "Cargo.toml"
                                             : tr_arena_printf(arena, "%s/Cargo.toml", shown);
        if (shown && (strcmp(shown, ".") == 0 || tr_ends_in(shown, "..")))
            shown = NULL;
        shown = shown ? tr_folder_of(arena, shown) : NULL;
    }
    return NULL;
}

/* Folders of the installation. */
static const char *installed(tr_arena *arena, const char *const *places)
{
    const char *file = tr_find_installed(arena, places);
    return file ? tr_arena_strndup(arena, file, (size_t)(strrchr(file, '/') - file)) : NULL;
}

static const char *const *rust_variables(const build_job *j, const char *assembler,
                                         const char *stand_in)
{
    const char *libraries = getenv("LD_LIBRARY_PATH");
    const char **all = TR_NEW_ARRAY(j->arena, const char *, 8);
    size_t n = 0;
    all[n++] = tr_arena_printf(j->arena, "TMPDIR=%s", j->folder);
    all[n++] = tr_arena_printf(j->arena, "CUTILE_TILEIRAS_PATH=%s/tileiras", assembler);
    all[n++] = tr_arena_printf(j->arena, "TILERACE_COLLECT=%s/modules", j->folder);
    all[n++] = tr_arena_printf(j->arena, "LD_LIBRARY_PATH=%s%s%s", stand_in, libraries ? ":" : "",
                               libraries ? libraries : "");
    all[n++] = "CARGO_TERM_COLOR=never";
    return all;
}

static void complain_of_folder(void *user, const char *path, const char *why)
{
    (void)path;
    build_job_refuse(user, "what was compiled of it cannot be read: %s", why);
}

static int by_name(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* Adds the kernels to those of the crate. False: it is one by which cuTile Rust asks what the
 * assembler can do. */
static bool note_kernels(build_job *j, build_module *made)
{
    bool is_probe = true;
    size_t n_before = arrlenu(j->kernels);
    tr_errors errors = tr_errors_make(j->arena);
    ir_module *module =
        bytecode_read_known(made->image.bytes, made->image.size, j->source->file, &errors);
    for (const ir_function *f = module ? module->functions : NULL; f; f = f->next)
        if (f->is_entry && f->name) {
            is_probe = is_probe && strcmp(f->name, "__cutile_probe_entry") == 0;
            arrput(j->kernels, tr_arena_strdup(j->arena, f->name));
        }
    is_probe = is_probe && module;
    made->kernel = arrlenu(j->kernels) == n_before + 1 ? arrlast(j->kernels) : NULL;
    if (module)
        ir_module_free(module);
    tr_errors_free(&errors);
    return !is_probe;
}

static void take_collected(build_job *j)
{
    const char **files =
        folder_files(j->arena, build_job_path(j, "modules"), complain_of_folder, j);
    size_t n = arrlenu(files);
    if (n > 1)
        qsort(files, n, sizeof *files, by_name);
    for (size_t i = 0; i < n && i < BUILD_MOST_MODULES; i++)
        if (tr_ends_in(files[i], ".tilebc") && build_job_take(j, files[i], "") &&
            !note_kernels(j, &j->to->modules[j->to->n - 1]))
            j->to->n--;
    arrfree(files);
}

/* Tests compile one kernel for several types and constants. Nothing that cuTile Rust hands over
 * names them, so its compilations are numbered. */
static void number_compilations(build_result *of)
{
    for (size_t i = 0; i < of->n; i++) {
        kernel_signature *s = &of->modules[i].signature;
        const char *kernel = of->modules[i].kernel;
        for (size_t k = 0; k < of->n && kernel; k++) {
            bool is_same = of->modules[k].kernel && strcmp(of->modules[k].kernel, kernel) == 0;
            s->of += is_same;
            s->which += is_same && k <= i;
        }
    }
}

/* ---- Section: Kernels that no test compiles ---- */

static bool was_compiled(const build_job *j, const char *kernel)
{
    size_t length = strlen(kernel);
    for (size_t i = 0; i < arrlenu(j->kernels); i++) {
        const char *symbol = j->kernels[i];
        if (strncmp(symbol, kernel, length) == 0 &&
            (!symbol[length] || strcmp(symbol + length, "_entry") == 0))
            return true;
    }
    return false;
}

/* The name of the function behind an attribute `entry`; NULL: there is none. */
static const char *function_behind(tr_arena *arena, const char *code)
{
    const char *fn = strstr(code, "fn ");
    if (!fn || strcspn(code, ";{") < (size_t)(fn - code))
        return NULL;
    fn += strspn(fn + 3, " \t\n") + 3;
    size_t length = 0;
    while (isalnum((unsigned char)fn[length]) || fn[length] == '_')
        length++;
    return length > 0 ? tr_arena_strndup(arena, fn, length) : NULL;
}

static uint32_t line_at(const char *text, const char *at)
{
    uint32_t line = 1;
    for (; text < at; text++)
        line += *text == '\n';
    return line;
}

/* Kernels are functions with the attribute `entry` or `cutile::entry`. */
static void refuse_uncompiled(build_job *j, const char *path)
{
    size_t length;
    const char *why, *text = tr_read_file(j->arena, TR_FILE_SOURCE, path, &length, &why);
    if (!text || strlen(text) != length || !strstr(text, "entry"))
        return;
    commented read = comments_read(j->arena, comment_language_of(path), text, length);
    for (const char *at = strstr(read.code, "entry"); at; at = strstr(at + 1, "entry")) {
        const char *before = at;
        while (before > read.code &&
               (isalnum((unsigned char)before[-1]) || before[-1] == '_' || before[-1] == ':'))
            before--;
        bool is_attribute = before > read.code + 1 && before[-1] == '[' && before[-2] == '#' &&
                            (at == before || at[-1] == ':') && strchr("(]", at[5]) && at[5];
        const char *close = is_attribute ? strchr(at, ']') : NULL;
        const char *kernel = close ? function_behind(j->arena, close + 1) : NULL;
        if (kernel && !was_compiled(j, kernel)) {
            tr_place place = {.file = tr_arena_strdup(j->arena, path),
                              .line = line_at(read.code, at),
                              .column = 1};
            tr_errors_add(&j->to->errors, &place,
                          "'%s' is not compiled: no test of the crate compiles it", kernel);
        }
    }
    comments_free(&read);
}

static bool enter_source_folder(void *user, const char *path, const char *name, size_t depth)
{
    (void)user, (void)path;
    return depth == 0 || (name[0] != '.' && strcmp(name, "target") != 0);
}

static void see_source(void *user, const char *path, const char *name, size_t size)
{
    (void)size;
    if (tr_ends_in(name, ".rs"))
        refuse_uncompiled(user, strncmp(path, "./", 2) == 0 ? path + 2 : path);
}

void build_rust(const session *s, const build_source *source, const char *program, build_result *to)
{
    static const char *const assembler[] = {TILERACE_LIBDIR "/tilerace/assembler/tileiras",
                                            "assembler/tileiras", NULL};
    static const char *const stand_in[] = {TILERACE_LIBDIR "/tilerace/stand_in/libcuda.so.1",
                                           "capture/stand_in/libcuda.so.1", NULL};
    const char *const compiling[] = {program, "test", "--no-run", "--quiet", NULL};
    const char *const running[] = {program, "test", "--no-fail-fast", "--quiet", NULL};
    static const folder_visitor visitor = {.enter = enter_source_folder, .file = see_source};
    build_job j;
    build_end end;
    if (!build_job_begin(&j, s, source, program, to))
        return;
    const char *ours = installed(to->arena, assembler), *driver = installed(to->arena, stand_in);
    const char *crate = tr_folder_of(to->arena, source->file);
    const char *const *variables = ours && driver ? rust_variables(&j, ours, driver) : NULL;
    mkdir(build_job_path(&j, "modules"), 0700);
    if (!variables) {
        build_job_refuse(&j, "is not compiled: %s is not installed beside the program",
                         ours ? "the stand-in CUDA driver" : "the place of the assembler");
    } else if (!build_job_run(&j, compiling, build_job_absolute(&j, crate), variables, false,
                              &end)) {
        build_job_refuse_end(&j, &end);
    } else {
        /* Tests of values fail on a driver that computes nothing; that tells nothing. */
        if (!build_job_run(&j, running, build_job_absolute(&j, crate), variables, false, &end) &&
            (end.why || end.is_late || end.is_stopped || end.signal))
            build_job_refuse_end(&j, &end);
        take_collected(&j);
        number_compilations(to);
        for (size_t i = 0; i < to->n; i++)
            to->modules[i].places_from = crate;
        folder_walk(crate, &visitor, &j);
        if (to->n == 0 && tr_errors_count(&to->errors) == 0)
            build_job_refuse(&j, "cannot be compiled: no test of the crate compiles a kernel");
    }
    build_job_end(&j);
}

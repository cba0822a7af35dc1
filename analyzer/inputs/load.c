#include "inputs/load.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"
#include "base/process.h"
#include "builds/build.h"
#include "builds/compile_db.h"
#include "bytecode/bytecode.h"
#include "bytecode/frames.h"
#include "bytecode/julia.h"
#include "bytecode/rust_names.h"
#include "bytecode/symbol.h"
#include "inputs/launch.h"
#include "inputs/recorded.h"
#include "rules/rules.h"
#include "session/progress.h"
#include "session/session.h"

/* Whether the file can be read at all; if not, says why. */
static bool file_is_readable(loaded *input)
{
    tr_place place = {.file = input->file};
    struct stat info;
    if (stat(input->file, &info) != 0) {
        tr_errors_add(&input->errors, &place, "cannot be read: %s", strerror(errno));
        return false;
    }
    if (!S_ISREG(info.st_mode)) {
        if (S_ISDIR(info.st_mode))
            tr_errors_add_hint(&input->errors, &place,
                               "`tilerace scan` checks the modules in a folder.",
                               "is a folder, not a file");
        else
            tr_errors_add(&input->errors, &place, "is a device or a pipe, not a file");
        return false;
    }
    if ((uint64_t)info.st_size > tr_file_most(TR_FILE_KERNELS)) {
        tr_errors_add(&input->errors, &place, "is larger than %lld MiB",
                      (long long)(tr_file_most(TR_FILE_KERNELS) >> 20));
        return false;
    }
    return true;
}

/* The options of a compiler's own command line (s->record) are Clang's whole. Others are admitted
 * one by one; false, with an error, where one of them is not. */
static bool admit(const session *s, loaded *input, size_t *n, const char *const **options)
{
    const driver_options *o = s->options;
    *n = o->n_behind;
    *options = o->behind;
    if (s->record)
        return true;
    dialect_admitted admitted = dialect_admit_options(input->arena, o->n_behind, o->behind, NULL);
    tr_place place = {.file = input->file};
    for (size_t i = 0; i < admitted.n_refused; i++)
        tr_errors_add_hint(&input->errors, &place,
                           "Those are -I, -isystem, -iquote, -idirafter, -include, -D, -U, -std=, "
                           "-W and such -f as say what C means.",
                           "'%s' is not an option for reading kernels", admitted.refused[i]);
    *n = admitted.n_taken;
    *options = admitted.taken;
    return admitted.n_refused == 0;
}

/* Takes the options of -p, else those of the nearest compile_commands.json. False, with an error,
 * if it is wrong. */
static bool options_of_build(const session *s, loaded *input, size_t *n,
                             const char *const **options)
{
    const char *path = NULL, *why = NULL;
    const build_db *db = s->commands;
    if (!db && s->found_commands && !s->record)
        db = build_dbs_find(s->found_commands, input->arena, input->file, &path, &why);
    *n = db ? build_db_options(input->arena, db, input->file, options, &why) : 0;
    tr_place place = {.file = input->file};
    if (why)
        tr_errors_add_hint(&input->errors, &place,
                           "Name another one with -p, or none with --isolated.",
                           "its compiler options cannot be had: %s", why);
    return !why;
}

static void read_source(const session *s, loaded *input)
{
    const char *const *from_build = NULL, *const *given = NULL;
    size_t n_given, n_build;
    if (!options_of_build(s, input, &n_build, &from_build) || !admit(s, input, &n_given, &given))
        return;
    const char **args = TR_NEW_ARRAY(input->arena, const char *, n_build + n_given + 1);
    for (size_t i = 0; i < n_build; i++)
        args[i] = from_build[i];
    for (size_t i = 0; i < n_given; i++)
        args[n_build + i] = given[i];
    dialect_options options = {.n_clang_args = n_build + n_given,
                               .clang_args = args,
                               .include_folder = s->include_folder,
                               .unsaved = s->unsaved,
                               .record = s->record,
                               .crashes = s->is_worker};
    bool read =
        dialect_read(input->arena, input->ctx, input->file, &options, &input->unit, &input->errors);
    tr_place place = {.file = input->file};
    if (!read && tr_errors_count(&input->errors) == 0)
        tr_errors_add(&input->errors, &place, "cannot be read");
}

/* Files that are given by mistake, told by their first bytes. */
static const struct {
    const char *bytes;
    size_t length;
    const char *what;
} foreign[] = {
    {"\177ELF", 4, "machine code (ELF)"},
    {"\120\355\125\272", 4, "machine code (a CUDA fat binary)"},
    {"BC\300\336", 4, "LLVM bitcode"},
    {"PK\3\4", 4, "a ZIP archive"},
    {"\37\213", 2, "a gzip archive"},
    {"!<arch>\n", 8, "a library of objects"},
};

static bool is_binary(const char *data, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        unsigned char c = (unsigned char)data[i];
        if (c < ' ' && !(c >= '\t' && c <= '\r'))
            return true;
    }
    return false;
}

static bool looks_like_json(const char *data, size_t size)
{
    size_t i = 0;
    while (i < size && strchr(" \t\r\n", data[i]) && data[i])
        i++;
    return i < size && (data[i] == '{' || data[i] == '[');
}

/* Why this cannot be a C source; NULL: it may be one. */
static const char *why_no_source(tr_arena *arena, const char *data, size_t size)
{
    if (size == 0)
        return "the file is empty: there is no kernel in it";
    if (bytecode_begins((const unsigned char *)data, size))
        return tr_arena_printf(arena, "this is Tile IR bytecode that ends after %zu bytes", size);
    for (size_t i = 0; i < TR_COUNT(foreign); i++)
        if (size >= foreign[i].length && !memcmp(data, foreign[i].bytes, foreign[i].length))
            return tr_arena_printf(arena, "this is %s, neither C nor Tile IR bytecode",
                                   foreign[i].what);
    if (is_binary(data, size))
        return "this is neither C nor Tile IR bytecode";
    if (looks_like_json(data, size))
        return "this is JSON, no kernel; a launch contract goes behind --launch";
    return NULL;
}

/* A source that another compiler reads: clang's errors about it would only confuse. */
static const char *compiler_of(const char *file)
{
    static const char *const table[][2] = {{".cu", "nvcc --tilebc"},
                                           {".py", "cuTile Python"},
                                           {".rs", "cuTile Rust"},
                                           {".jl", "cuTile.jl"}};
    const char *dot = strrchr(file, '.');
    for (size_t i = 0; dot && i < TR_COUNT(table); i++)
        if (strcmp(dot, table[i][0]) == 0)
            return table[i][1];
    return NULL;
}

static void read_source_or_refuse(const session *s, loaded *input, const char *data, size_t size)
{
    tr_place place = {.file = input->file};
    const char *why = why_no_source(input->arena, data, size);
    const char *compiler = why ? NULL : compiler_of(input->file);
    if (compiler)
        tr_errors_add_hint(
            &input->errors, &place,
            tr_arena_printf(input->arena,
                            build_compiles(input->file)
                                ? "Check the bytecode that %s makes of it; --build makes it."
                                : "Check the bytecode that %s makes of it.",
                            compiler),
            "this is neither a C source nor Tile IR bytecode");
    else if (why)
        tr_errors_add(&input->errors, &place, "%s", why);
    else
        read_source(s, input);
}

/* Does the command write a module, for which all of it must be understood? */
static bool makes_something(command_id command)
{
    return command == COMMAND_DUMP || command == COMMAND_COMPILE || command == COMMAND_RUN;
}

/* Takes what the source that a module of cuTile Rust was made from says of its kernel. */
static void take_source(const session *s, loaded *input, size_t kernel, ir_function *f)
{
    const char *package = input->built ? input->built->places_from : s->rust_folder;
    const rust_kernel *source = rust_names_find(input->arena, f, package);
    input->rust[kernel] = source;
    if (!source)
        return;
    f->shown = source->name;
}

/* A module without places gets those of its kernels: the users' own, which no frame leads to. */
static void place_kernels(loaded *input)
{
    size_t n = 0;
    for (ir_function *f = input->unit.module->functions; f; f = f->next) {
        const rust_kernel *source = f->is_entry ? input->rust[n++] : NULL;
        if (source && !f->place)
            f->place = &source->place;
    }
}

/* Every entry of the module is a kernel; what the host guarantees is in no bytecode. */
static void read_module(const session *s, loaded *input, const char *data, size_t size)
{
    dialect_unit *unit = &input->unit;
    unit->module =
        makes_something(s->options->command)
            ? bytecode_read((const unsigned char *)data, size, input->file, &input->errors)
            : bytecode_read_known((const unsigned char *)data, size, input->file, &input->errors);
    if (!unit->module)
        return;
    for (const ir_function *f = unit->module->functions; f; f = f->next)
        unit->n_kernels += f->is_entry;
    if (input->built)
        bc_frames_start_from(unit->module, s->working_folder, input->built->places_from);
    unit->kernels = TR_NEW_ARRAY(input->arena, const ir_function *, unit->n_kernels + 1);
    unit->contracts = TR_NEW_ARRAY(input->arena, contract *, unit->n_kernels + 1);
    input->rust = TR_NEW_ARRAY(input->arena, const rust_kernel *, unit->n_kernels + 1);
    size_t n = 0;
    for (ir_function *f = unit->module->functions; f; f = f->next) {
        if (!f->is_entry)
            continue;
        symbol_name_kernel(unit->module, f);
        if (!makes_something(s->options->command))
            take_source(s, input, n, f);
        unit->kernels[n++] = f;
    }
    if (s->options->command != COMMAND_DUMP && s->options->command != COMMAND_COMPILE) {
        bc_frames_keep_of_user(unit->module);
        julia_describe(unit->module, input->file);
    }
    place_kernels(input);
    tr_place place = {.file = input->file};
    if (n == 0)
        tr_errors_add(&input->errors, &place, "holds no kernel");
}

static void verify_and_apply(const session *s, loaded *input)
{
    if (tr_errors_count(&input->errors) == 0)
        ir_verify(input->unit.module, &input->errors);
    if (tr_errors_count(&input->errors) == 0)
        inputs_apply_launch(s, input);
}

static void read_input(const session *s, loaded *input)
{
    size_t size;
    const char *why;
    tr_place place = {.file = input->file};
    const tr_unsaved_file *unsaved = tr_unsaved_find(s->unsaved, input->file);
    const char *data = unsaved ? unsaved->text : NULL;
    if (unsaved)
        size = unsaved->length;
    else
        data = tr_read_file(input->arena, TR_FILE_KERNELS, input->file, &size, &why);
    if (!data) {
        tr_errors_add(&input->errors, &place, "%s", why);
    } else if (bytecode_is((const unsigned char *)data, size)) { /* never by the file's name */
        read_module(s, input, data, size);
        if (tr_errors_count(&input->errors) == 0 && input->recorded)
            inputs_take_recorded(s, input);
        else if (tr_errors_count(&input->errors) == 0)
            inputs_find_launch_beside(s, input);
    } else {
        read_source_or_refuse(s, input, data, size);
    }
    verify_and_apply(s, input);
}

static tr_budget budget_of(const session *s, int64_t ms)
{
    tr_budget budget = tr_budget_start(ms);
    budget.stop = progress_stop_flag(s->progress);
    return budget;
}

/* The engines of an input, and its budget. */
static void begin(const session *s, const char *file, loaded *input)
{
    *input = (loaded){.arena = tr_arena_new(), .ctx = smt_ctx_new(), .file = file};
    input->errors = tr_errors_make(input->arena);
    input->budget = budget_of(s, s->options->budget);
    smt_set_budget(input->ctx, &input->budget);
}

static void start_prover(const session *s, size_t number, loaded *input)
{
    const char *name = strrchr(input->file, '/');
    smt_options options = {.solver = s->solver,
                           .keep_folder = s->options->keep_obligations,
                           .keep_prefix = tr_arena_printf(input->arena, "%zu-%s", number + 1,
                                                          name ? name + 1 : input->file)};
    if (s->solver)
        input->prover = smt_prover_new(input->ctx, &options);
}

static void end_of_reading(loaded *input, int64_t began)
{
    input->read_ms = tr_now_ms() - began;
    input->cut = input->budget.spent; /* of no kernel all is known */
}

static void load(const session *s, const char *file, size_t number, const recorded_module *recorded,
                 loaded *input)
{
    int64_t began = tr_now_ms();
    begin(s, file, input);
    input->recorded = recorded;
    if (!tr_unsaved_find(s->unsaved, file) && !file_is_readable(input))
        return;
    start_prover(s, number, input);
    read_input(s, input);
    end_of_reading(input, began);
}

void load_input(const session *s, const char *file, size_t number, loaded *input)
{
    load(s, file, number, NULL, input);
}

/* Loads a module. `built` is what --build knows of it, and may be NULL. */
static void load_image(const session *s, const char *name, const void *bytes, size_t size,
                       const recorded_module *recorded, const build_module *built, loaded *input)
{
    int64_t began = tr_now_ms();
    tr_place place = {.file = name};
    begin(s, name, input);
    input->recorded = recorded;
    input->built = built;
    start_prover(s, 0, input);
    if (size > tr_file_most(TR_FILE_KERNELS))
        tr_errors_add(&input->errors, &place, "is larger than %lld MiB",
                      (long long)(tr_file_most(TR_FILE_KERNELS) >> 20));
    else if (bytecode_is(bytes, size))
        read_module(s, input, bytes, size);
    else
        tr_errors_add(&input->errors, &place, "this is not Tile IR bytecode");
    if (built && tr_errors_count(&input->errors) == 0)
        inputs_find_launch_beside(s, input);
    if (recorded && tr_errors_count(&input->errors) == 0 && !input->launches)
        inputs_take_recorded(s, input);
    verify_and_apply(s, input);
    end_of_reading(input, began);
}

void load_module(const session *s, const char *name, const void *bytes, size_t size, loaded *input)
{
    load_image(s, name, bytes, size, NULL, NULL, input);
}

void load_file(const session *s, size_t number, loaded *input)
{
    const bytecode_image *image = s->images ? s->images[number] : NULL;
    const recorded_module *recorded = s->recorded ? s->recorded[number] : NULL;
    if (image)
        load_image(s, s->files[number], image->bytes, image->size, recorded,
                   s->built ? s->built[number] : NULL, input);
    else
        load(s, s->files[number], number, recorded, input);
}

kernel_report *load_check(const session *s, loaded *input, const loaded_kernel *kernel,
                          const rules_options *options)
{
    int64_t own = s->options->budget;
    if (own > 0 && !input->cut) { /* what reading the file took is taken off the budgets of its
                                     kernels in turn */
        int64_t off = input->read_ms < own ? input->read_ms : own - 1;
        input->read_ms -= off;
        input->budget = budget_of(s, own - off);
    }
    if (input->prover)
        smt_prover_forget(input->prover);
    kernel_report *report = rules_check(input->arena, input->ctx, input->prover, kernel->function,
                                        kernel->contract, options);
    input->was_cut |= input->budget.spent;
    report->origin = kernel->contract->origin;
    report->n_observed = kernel->contract->n_observed;
    report->observed = kernel->contract->observed;
    return report;
}

void load_stop_solver(loaded *input)
{
    if (input->prover)
        smt_prover_free(input->prover);
    input->prover = NULL;
}

void load_free(loaded *input)
{
    load_stop_solver(input);
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        contract_free(input->kernels[i].contract);
    arrfree(input->kernels);
    recorded_free_seen(input);
    if (input->launches)
        launch_file_free(input->launches);
    if (input->unit.module)
        ir_module_free(input->unit.module);
    tr_errors_free(&input->errors);
    if (input->ctx)
        smt_ctx_free(input->ctx);
    if (input->arena)
        tr_arena_free(input->arena);
    *input = (loaded){0};
}

void load_complain(session *s, const loaded *input)
{
    report_options options = {.color = session_color(s, s->err), .folder = s->working_folder};
    tr_text text = {0};
    for (size_t i = 0; i < arrlenu(input->errors.items); i++)
        report_write_error(&text, input->file, &input->errors.items[i], &options);
    fputs(tr_text_get(&text), s->err);
    tr_text_free(&text);
}

#include "driver/session.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/ds.h"

#define MAX_FILE_BYTES ((off_t)64 << 20)

static const char bytecode_magic[8] = {0x7f, 'T', 'i', 'l', 'e', 'I', 'R', 0};

/* Whether the file can be given to a reader; if not, says why. */
static bool file_is_readable(loaded *input)
{
    tr_place place = {.file = input->file};
    struct stat info;
    if (stat(input->file, &info) != 0) {
        tr_errors_add(&input->errors, &place, "cannot be read: %s", strerror(errno));
        return false;
    }
    if (!S_ISREG(info.st_mode)) {
        tr_errors_add(&input->errors, &place, "is %s, not a file",
                      S_ISDIR(info.st_mode) ? "a folder" : "a device or a pipe");
        return false;
    }
    if (info.st_size > MAX_FILE_BYTES) {
        tr_errors_add(&input->errors, &place, "is larger than %lld MiB",
                      (long long)(MAX_FILE_BYTES >> 20));
        return false;
    }
    FILE *file = fopen(input->file, "rb");
    if (!file) {
        tr_errors_add(&input->errors, &place, "cannot be read: %s", strerror(errno));
        return false;
    }
    char head[sizeof bytecode_magic];
    size_t got = fread(head, 1, sizeof head, file);
    fclose(file);
    if (got == sizeof head && memcmp(head, bytecode_magic, sizeof head) == 0) {
        tr_errors_add_hint(&input->errors, &place, "Give it the C source of the kernel.",
                           "is Tile IR bytecode, which this version cannot read yet");
        return false;
    }
    return true;
}

static void read_source(const session *s, loaded *input)
{
    const driver_options *o = s->options;
    const char *const *from_build = NULL;
    size_t n_build =
        s->commands ? compile_db_options(input->arena, s->commands, input->file, &from_build) : 0;
    const char **args = TR_NEW_ARRAY(input->arena, const char *, n_build + o->n_clang_args + 1);
    for (size_t i = 0; i < n_build; i++)
        args[i] = from_build[i];
    for (size_t i = 0; i < o->n_clang_args; i++)
        args[n_build + i] = o->clang_args[i];
    dialect_options options = {.n_clang_args = n_build + o->n_clang_args,
                               .clang_args = args,
                               .include_folder = s->include_folder};
    bool read =
        dialect_read(input->arena, input->ctx, input->file, &options, &input->unit, &input->errors);
    tr_place place = {.file = input->file};
    if (!read && tr_errors_count(&input->errors) == 0)
        tr_errors_add(&input->errors, &place, "cannot be read");
    if (tr_errors_count(&input->errors) == 0)
        launch_apply(s, input);
}

void load_input(const session *s, const char *file, size_t number, loaded *input)
{
    *input = (loaded){.arena = tr_arena_new(), .ctx = smt_ctx_new(), .file = file};
    input->errors = tr_errors_make(input->arena);
    if (!file_is_readable(input))
        return;
    const char *name = strrchr(file, '/');
    smt_options options = {
        .solver = s->solver,
        .keep_folder = s->options->keep_obligations,
        .keep_prefix = tr_arena_printf(input->arena, "%zu-%s", number + 1, name ? name + 1 : file)};
    if (s->solver)
        input->prover = smt_prover_new(input->ctx, &options);
    read_source(s, input);
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

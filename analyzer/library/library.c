/* A file or a module to a result. */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "driver/pool.h"

int tilerace_api_version(void)
{
    return TILERACE_API_VERSION;
}

const char *tilerace_version(void)
{
    return TILERACE_VERSION;
}

/* The options as a caller has them who may know fewer of them. */
static tilerace_options options_of(const tilerace_options *given)
{
    tilerace_options options = TILERACE_OPTIONS;
    if (given)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    return options;
}

/* ---- Section: Errors ---- */

static void add_error(tilerace_result *r, const char *text)
{
    arrput(r->errors, tr_arena_strdup(r->arena, text));
}

/* What the session complains of, a line each. */
static void add_complaints(tilerace_result *r, char *complaints)
{
    char *rest = NULL;
    for (char *line = strtok_r(complaints, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        static const char prefix[] = "tilerace: error: ";
        bool has = strncmp(line, prefix, sizeof prefix - 1) == 0;
        add_error(r, has ? line + sizeof prefix - 1 : line);
    }
}

static void add_input_errors(tilerace_result *r)
{
    for (size_t i = 0; i < arrlenu(r->input.errors.items); i++) {
        const tr_error *e = &r->input.errors.items[i];
        const char *file = e->place.file ? e->place.file : r->input.file;
        add_error(r, e->place.line ? tr_arena_printf(r->arena, "%s:%u:%u: %s", file, e->place.line,
                                                     e->place.column, e->text)
                                   : tr_arena_printf(r->arena, "%s: %s", file, e->text));
    }
}

/* ---- Section: Checking ---- */

typedef struct checking {
    session s;
    driver_options words;
    tilerace_options options;
    tilerace_result *result;
    const char *name;
    const void *bytes; /* of a module; NULL: `name` is a file */
    size_t size;
    bool reaches; /* library_check_reaching() */
} checking;

static bool read_launches(checking *c)
{
    const char *text = c->options.launch_text;
    if (!text)
        return true;
    tr_errors errors = tr_errors_make(c->result->arena);
    c->s.launches = launch_file_parse(c->s.arena, "launch contract", text, strlen(text), &errors);
    for (size_t i = 0; i < arrlenu(errors.items); i++)
        add_error(c->result, tr_arena_printf(c->result->arena, "the launch contract: %s",
                                             errors.items[i].text));
    tr_errors_free(&errors);
    return c->s.launches != NULL;
}

static void check_input(checking *c)
{
    tilerace_result *r = c->result;
    session *s = &c->s;
    if (session_find_solver(s) != EXIT_CLEAN)
        return;
    if (c->bytes)
        load_module(s, c->name, c->bytes, c->size, &r->input);
    else
        load_input(s, c->name, 0, &r->input);
    bool fine =
        arrlenu(r->input.errors.items) == 0 && launch_check_names(s, 1, &r->input) == EXIT_CLEAN;
    size_t n = fine ? arrlenu(r->input.kernels) : 0;
    s->rules.reaches = c->reaches;
    r->of_input = (input_report){.file = r->input.file,
                                 .errors = r->input.errors.items,
                                 .n_errors = arrlenu(r->input.errors.items),
                                 .kernels = TR_NEW_ARRAY(r->arena, kernel_report, n + 1)};
    r->kernels = TR_NEW_ARRAY(r->arena, const library_kernel *, n + 1);
    for (size_t i = 0; i < n; i++) {
        const loaded_kernel *kernel = &r->input.kernels[i];
        kernel_report *report = &r->of_input.kernels[r->of_input.n_kernels++];
        *report = *load_check(s, &r->input, kernel, &s->rules);
        r->kernels[i] = library_kernel_of(r->arena, r->input.ctx, kernel, report);
    }
    if (r->input.prover && smt_prover_statistics(r->input.prover).solver_calls > 0)
        r->report.solver = tr_arena_strdup(r->arena, smt_prover_solver(r->input.prover));
    add_input_errors(r);
}

/* On a thread of its own, for the stack: sources may nest deeply. */
static void run(void *user, size_t i)
{
    (void)i;
    checking *c = user;
    tilerace_result *r = c->result;
    if (session_prepare(&c->s) == EXIT_CLEAN && read_launches(c))
        check_input(c);
    load_stop_solver(&r->input);
    r->report.n_inputs = r->of_input.file ? 1 : 0;
    r->report.inputs = &r->of_input;
    r->working_folder = c->s.working_folder;
    session_release(&c->s);
}

static tilerace_result *check(const char *name, const void *bytes, size_t size,
                              const tilerace_options *given, bool reaches)
{
    tr_arena *arena = tr_arena_new();
    tilerace_result *r = TR_NEW(arena, tilerace_result);
    r->arena = arena;
    checking *c = TR_NEW(arena, checking);
    *c = (checking){.options = options_of(given),
                    .result = r,
                    .name = tr_arena_strdup(arena, name),
                    .bytes = bytes,
                    .size = size,
                    .reaches = reaches};
    c->words = (driver_options){
        .command = COMMAND_CHECK,
        .launch = c->options.launch_file,
        .solver = c->options.solver,
        .compile_commands = c->options.build_folder,
        .steps = (long long)c->options.steps,
        .budget = c->options.budget_ms,
        .strict = c->options.strict,
        .notes = c->options.notes,
        .loop_tokens = c->options.per_name_tokens ? "per-name" : NULL,
        .color = "never",
        .n_behind = c->options.n_clang_args,
        .behind = c->options.clang_args,
    };
    char *complaints = NULL;
    size_t length;
    c->s = (session){
        .arena = arena, .options = &c->words, .err = open_memstream(&complaints, &length)};
    if (!c->s.err)
        abort(); /* no memory */
    pool_run(1, 1, run, c);
    fclose(c->s.err);
    add_complaints(r, complaints);
    free(complaints);
    return r;
}

tilerace_result *tilerace_check_file(const char *file, const tilerace_options *options)
{
    return check(file, NULL, 0, options, false);
}

tilerace_result *tilerace_check_module(const void *bytes, size_t size, const char *name,
                                       const tilerace_options *options)
{
    return check(name, bytes ? bytes : "", size, options, false);
}

tilerace_result *library_check_reaching(const void *bytes, size_t size, const char *name,
                                        const tilerace_options *options)
{
    return check(name, bytes, size, options, true);
}

void tilerace_free(tilerace_result *r)
{
    if (!r)
        return;
    if (r->input.ctx) /* else nothing was loaded */
        load_free(&r->input);
    arrfree(r->errors);
    tr_arena_free(r->arena);
}

/* ---- Section: Reading a result ---- */

size_t tilerace_error_count(const tilerace_result *r)
{
    return arrlenu(r->errors);
}

const char *tilerace_error(const tilerace_result *r, size_t i)
{
    TR_ASSERT(i < arrlenu(r->errors));
    return r->errors[i];
}

size_t tilerace_kernel_count(const tilerace_result *r)
{
    return r->of_input.n_kernels;
}

const tilerace_kernel *tilerace_kernel_at(const tilerace_result *r, size_t i)
{
    TR_ASSERT(i < r->of_input.n_kernels);
    return &r->kernels[i]->view;
}

char *tilerace_report(const tilerace_result *r, const char *format)
{
    report_format which;
    if (!report_format_by_name(format, &which))
        return NULL;
    tr_text text = {0};
    report_options options = {.folder = r->working_folder};
    report_write(&text, &r->report, which, &options);
    char *copy = strdup(tr_text_get(&text));
    tr_text_free(&text);
    return copy;
}

void tilerace_free_text(char *text)
{
    free(text);
}

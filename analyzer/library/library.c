/* A file or a module to a result. */
#include "library/library.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/ds.h"
#include "checking/guards.h"
#include "driver/prepare.h"
#include "inputs/launch.h"
#include "inputs/load.h"
#include "library/isolated.h"
#include "processes/pool.h"
#include "session/session.h"

int tilerace_api_version(void)
{
    return TILERACE_API_VERSION;
}

const char *tilerace_version(void)
{
    return TILERACE_VERSION;
}

tilerace_options library_options(const tilerace_options *given)
{
    tilerace_options options = TILERACE_OPTIONS;
    if (given)
        memcpy(&options, given, given->size < sizeof options ? given->size : sizeof options);
    return options;
}

driver_options library_words(const tilerace_options *options)
{
    return (driver_options){
        .command = COMMAND_CHECK,
        .solver = options->solver,
        .compile_commands = options->build_folder,
        .steps = (long long)options->steps,
        .budget = options->budget_ms,
        .strict = options->strict,
        .notes = options->notes,
        .loop_tokens = options->per_name_tokens ? "per-name" : NULL,
        .color = "never",
        .isolated = true, /* what holds is what the caller says */
        .n_behind = options->n_clang_args,
        .behind = options->clang_args,
    };
}

/* ---- Section: Errors ---- */

/* `file` stands where the error has none of its own; NULL: it is about no file. */
static void add_error(tilerace_result *r, const char *file, const tr_error *e)
{
    tilerace_input_error *copy = TR_NEW(r->arena, tilerace_input_error);
    const char *named = e->place.file ? e->place.file : file;
    *copy = (tilerace_input_error){
        .file = named ? tr_arena_strdup(r->arena, named) : NULL,
        .line = (int)e->place.line,
        .column = (int)e->place.column,
        .text = tr_arena_strdup(r->arena, e->text),
        .hint = e->hint ? tr_arena_strdup(r->arena, e->hint) : NULL,
    };
    arrput(r->errors, copy);
    arrput(r->error_texts, !named ? copy->text
                           : copy->line
                               ? tr_arena_printf(r->arena, "%s:%d:%d: %s", copy->file, copy->line,
                                                 copy->column, copy->text)
                               : tr_arena_printf(r->arena, "%s: %s", copy->file, copy->text));
}

/* Errors from number `from` on that have no file are of this one. */
static void name_file(tr_errors *errors, size_t from, const char *file)
{
    for (size_t i = from; i < tr_errors_count(errors); i++)
        if (!errors->items[i].place.file)
            errors->items[i].place.file = file;
}

static void add_errors(tilerace_result *r, const char *file, const tr_errors *errors)
{
    for (size_t i = 0; i < arrlenu(errors->items); i++)
        add_error(r, file, &errors->items[i]);
}

const char *library_complaint(const char *line)
{
    static const char error[] = "tilerace: error: ", warning[] = "tilerace: warning: ";
    if (strncmp(line, warning, sizeof warning - 1) == 0)
        return NULL;
    return strncmp(line, error, sizeof error - 1) == 0 ? line + sizeof error - 1 : line;
}

void library_add_complaints(tr_errors *errors, char *complaints)
{
    const tr_place nowhere = {0};
    char *rest = NULL;
    for (char *line = strtok_r(complaints, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *text = library_complaint(line);
        if (text)
            tr_errors_add(errors, &nowhere, "%s", text);
    }
}

/* ---- Section: Checking ---- */

typedef struct checking {
    session s;
    driver_options words;
    tilerace_options options;
    tilerace_result *result;
    library_inputs inputs;
    bytecode_image image; /* of a module */
    library_what what;
} checking;

#define CONTRACT "launch contract" /* what stands for the file of options.launch_text */

static const char *contract_file(const tilerace_options *o)
{
    return o->launch_text ? CONTRACT : o->launch_file;
}

bool library_read_launches(session *s, const tilerace_options *o, tr_errors *errors)
{
    const char *text = o->launch_text;
    if (!text && !o->launch_file)
        return true;
    size_t before = tr_errors_count(errors);
    s->launches = text ? launch_file_parse(s->arena, CONTRACT, text, strlen(text), errors)
                       : launch_file_read(s->arena, o->launch_file, errors);
    name_file(errors, before, contract_file(o));
    return s->launches != NULL;
}

void library_find_files(session *s, const library_inputs *in, tr_errors *errors)
{
    const recorded_folder *folder = NULL;
    bool is_recording = !in->image && recording_is(in->name);
    size_t before = tr_errors_count(errors);
    if (is_recording)
        folder = recording_read(s->arena, in->name, errors);
    name_file(errors, before, in->name);
    size_t n = is_recording ? (folder ? folder->n : 0) : 1;
    s->files = TR_NEW_ARRAY(s->arena, const char *, n + 1);
    s->recorded = TR_NEW_ARRAY(s->arena, const recorded_module *, n + 1);
    s->images = TR_NEW_ARRAY(s->arena, const bytecode_image *, n + 1);
    s->n_files = n;
    for (size_t i = 0; i < n; i++) {
        s->files[i] = folder ? folder->modules[i].path : in->name;
        s->recorded[i] = folder ? &folder->modules[i] : in->about.about ? &in->about : NULL;
        s->images[i] = in->image;
    }
}

static bool read_launches(checking *c)
{
    tr_errors errors = tr_errors_make(c->result->arena);
    bool good = library_read_launches(&c->s, &c->options, &errors);
    add_errors(c->result, NULL, &errors);
    tr_errors_free(&errors);
    return good;
}

static void find_files(checking *c)
{
    tr_errors errors = tr_errors_make(c->result->arena);
    library_find_files(&c->s, &c->inputs, &errors);
    add_errors(c->result, NULL, &errors);
    tr_errors_free(&errors);
}

/* Does every launch of the contract name a kernel of these inputs? */
static bool launches_are_of_kernels(checking *c)
{
    tilerace_result *r = c->result;
    tr_errors errors = tr_errors_make(r->arena);
    bool good = inputs_find_strangers(&c->s, r->n_inputs, r->inputs, &errors);
    add_errors(r, contract_file(&c->options), &errors);
    tr_errors_free(&errors);
    return good;
}

/* Marks the findings that comments of the sources allow. Those of a source that has changed since
 * its kernels were recorded stand in other lines. */
static void mark_allowed(checking *c, bool is_stale, input_report *report)
{
    if (c->what == LIBRARY_OF_SOURCES && !is_stale)
        report_mark_allowed(c->result->arena, NULL, report);
}

static library_source source_of(const loaded *input, const loaded_kernel *kernel,
                                const kernel_report *report)
{
    return (library_source){.ctx = input->ctx,
                            .contract = kernel->contract,
                            .elements = guards_elements(input->arena, kernel, report),
                            .guard = guards_of_all(input->ctx, kernel, report),
                            .inside = guards_of_reaches(input->ctx, kernel, report),
                            .symbol = kernel->function->name,
                            .file = input->file,
                            .about = input->recorded ? input->recorded->about : NULL};
}

/* The verdicts of an input's kernels; its solver is no longer needed then. */
static void check_kernels(checking *c, size_t which, bool is_fine)
{
    tilerace_result *r = c->result;
    loaded *input = &r->inputs[which];
    size_t n = is_fine ? arrlenu(input->kernels) : 0;
    input_report *report = &r->of_inputs[which];
    *report = (input_report){.file = input->file,
                             .errors = input->errors.items,
                             .n_errors = arrlenu(input->errors.items),
                             .kernels = TR_NEW_ARRAY(r->arena, kernel_report, n + 1)};
    for (size_t i = 0; i < n; i++)
        report->kernels[report->n_kernels++] =
            *load_check(&c->s, input, &input->kernels[i], &c->s.rules);
    mark_allowed(c, input->recorded && input->recorded->is_stale, report);
    for (size_t i = 0; i < n; i++) {
        const library_source from = source_of(input, &input->kernels[i], &report->kernels[i]);
        arrput(r->kernels, library_kernel_of(r->arena, &from, &report->kernels[i]));
    }
    if (!r->report.solver && input->prover && smt_prover_statistics(input->prover).solver_calls > 0)
        r->report.solver = tr_arena_strdup(r->arena, smt_prover_solver(input->prover));
    load_stop_solver(input);
}

static void check_inputs(checking *c)
{
    tilerace_result *r = c->result;
    session *s = &c->s;
    if (session_find_solver(s) != EXIT_CLEAN)
        return;
    find_files(c);
    r->inputs = TR_NEW_ARRAY(r->arena, loaded, s->n_files + 1);
    r->of_inputs = TR_NEW_ARRAY(r->arena, input_report, s->n_files + 1);
    for (size_t i = 0; i < s->n_files; i++) {
        load_file(s, i, &r->inputs[i]);
        r->n_inputs++;
        add_errors(r, r->inputs[i].file, &r->inputs[i].errors);
    }
    bool is_fine = arrlenu(r->errors) == 0 && launches_are_of_kernels(c);
    s->rules.reaches = c->what == LIBRARY_REACHING;
    for (size_t i = 0; i < r->n_inputs; i++)
        check_kernels(c, i, is_fine);
}

/* Runs on a thread of its own with a large stack, since sources may nest deeply. */
static void run(void *user, size_t i)
{
    (void)i;
    checking *c = user;
    tilerace_result *r = c->result;
    if (prepare_session(&c->s) == EXIT_CLEAN && read_launches(c))
        check_inputs(c);
    r->report.n_inputs = r->n_inputs;
    r->report.inputs = r->of_inputs;
    r->working_folder = c->s.working_folder;
    prepare_release(&c->s);
}

static void check_here(checking *c)
{
    char *complaints = NULL;
    size_t length;
    tr_errors errors = tr_errors_make(c->result->arena);
    c->words = library_words(&c->options);
    c->s = (session){.arena = c->result->arena,
                     .options = &c->words,
                     .err = open_memstream(&complaints, &length)};
    if (!c->s.err)
        tr_no_memory();
    pool_run(1, 1, run, c);
    fclose(c->s.err);
    library_add_complaints(&errors, complaints);
    add_errors(c->result, NULL, &errors);
    tr_errors_free(&errors);
    free(complaints);
}

/* ---- Section: In another process ---- */

static void take_input(checking *c, library_answered *input, input_report *report)
{
    tilerace_result *r = c->result;
    *report = input->report;
    mark_allowed(c, input->is_stale, report);
    for (size_t k = 0; k < report->n_kernels; k++) {
        guard_carried *g = input->guards[k];
        const library_source from = {.ctx = g->ctx,
                                     .contract = g->contract,
                                     .elements = g->elements,
                                     .guard = g->guard,
                                     .symbol = g->symbol,
                                     .file = input->file,
                                     .about = input->about};
        arrput(r->guards, g);
        arrput(r->kernels, library_kernel_of(r->arena, &from, &report->kernels[k]));
    }
}

static void take_answer(checking *c, library_answer *a)
{
    tilerace_result *r = c->result;
    for (size_t i = 0; i < a->n_errors; i++)
        add_error(r, NULL, &a->errors[i]);
    r->of_inputs = TR_NEW_ARRAY(r->arena, input_report, a->n + 1);
    for (size_t i = 0; i < a->n; i++) {
        const input_report *report = &a->inputs[i].report;
        for (size_t e = 0; e < report->n_errors; e++)
            add_error(r, a->inputs[i].file, &report->errors[e]);
        if (a->n_errors > 0)
            a->inputs[i].report.n_kernels = 0; /* the question was none */
        take_input(c, &a->inputs[i], &r->of_inputs[i]);
    }
    r->report = (full_report){.n_inputs = a->n, .inputs = r->of_inputs, .solver = a->solver};
}

static void check_isolated(checking *c)
{
    const library_question question = {c->options, c->inputs.name,
                                       c->inputs.image ? c->image.bytes : NULL, c->image.size};
    const char *why = NULL;
    char folder[PATH_MAX];
    library_answer *a = library_ask(c->result->arena, &question, &why);
    if (getcwd(folder, sizeof folder))
        c->result->working_folder = tr_arena_strdup(c->result->arena, folder);
    if (a)
        take_answer(c, a);
    else
        add_error(c->result, c->inputs.name, &(tr_error){.text = why});
}

static tilerace_result *check(const char *name, const void *bytes, size_t size,
                              const tilerace_options *given, library_what what)
{
    tr_arena *arena = tr_arena_new();
    tilerace_result *r = TR_NEW(arena, tilerace_result);
    r->arena = arena;
    checking *c = TR_NEW(arena, checking);
    const char *own_name = tr_arena_strdup(arena, name);
    *c = (checking){.options = library_options(given),
                    .result = r,
                    .image = {.bytes = bytes, .size = size},
                    .what = what};
    c->inputs = (library_inputs){.name = own_name,
                                 .image = bytes ? &c->image : NULL,
                                 .about = {.path = own_name, .about = c->options.names}};
    if (c->options.isolate)
        check_isolated(c);
    else
        check_here(c);
    return r;
}

tilerace_result *tilerace_check_file(const char *file, const tilerace_options *options)
{
    return check(file, NULL, 0, options, LIBRARY_OF_SOURCES);
}

tilerace_result *tilerace_check_module(const void *bytes, size_t size, const char *name,
                                       const tilerace_options *options)
{
    return check(name, bytes ? bytes : "", size, options, LIBRARY_OF_SOURCES);
}

tilerace_result *library_check(const void *bytes, size_t size, const char *name,
                               const tilerace_options *options, library_what what)
{
    return check(name, bytes, size, options, what);
}

void tilerace_free(tilerace_result *r)
{
    if (!r)
        return;
    for (size_t i = 0; i < r->n_inputs; i++)
        load_free(&r->inputs[i]);
    arrfree(r->errors);
    arrfree(r->error_texts);
    arrfree(r->kernels);
    for (size_t i = 0; i < arrlenu(r->guards); i++)
        guard_carried_free(r->guards[i]);
    arrfree(r->guards);
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
    return r->error_texts[i];
}

const tilerace_input_error *tilerace_input_error_at(const tilerace_result *r, size_t i)
{
    TR_ASSERT(i < arrlenu(r->errors));
    return r->errors[i];
}

size_t tilerace_kernel_count(const tilerace_result *r)
{
    return arrlenu(r->kernels);
}

const tilerace_kernel *tilerace_kernel_at(const tilerace_result *r, size_t i)
{
    TR_ASSERT(i < arrlenu(r->kernels));
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

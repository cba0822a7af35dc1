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

/* What the session complains of, a line each. */
static void add_complaints(tilerace_result *r, char *complaints)
{
    char *rest = NULL;
    for (char *line = strtok_r(complaints, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest)) {
        const char *text = library_complaint(line);
        if (text)
            add_error(r, NULL, &(tr_error){.text = text});
    }
}

/* ---- Section: Checking ---- */

typedef struct checking {
    session s;
    driver_options words;
    tilerace_options options;
    tilerace_result *result;
    const char *name;
    const void *bytes;     /* of a module; NULL: `name` is a file */
    bytecode_image image;  /* ... the same */
    recorded_module about; /* what options.names tell */
    library_what what;
} checking;

#define CONTRACT "launch contract" /* what stands for the file of options.launch_text */

static bool read_launches(checking *c)
{
    const char *text = c->options.launch_text, *file = c->options.launch_file;
    if (!text && !file)
        return true;
    tr_errors errors = tr_errors_make(c->result->arena);
    c->s.launches = text ? launch_file_parse(c->s.arena, CONTRACT, text, strlen(text), &errors)
                         : launch_file_read(c->s.arena, file, &errors);
    add_errors(c->result, text ? CONTRACT : file, &errors);
    tr_errors_free(&errors);
    return c->s.launches != NULL;
}

/* Does every launch of the contract name a kernel of these inputs? */
static bool launches_are_of_kernels(checking *c)
{
    tilerace_result *r = c->result;
    tr_errors errors = tr_errors_make(r->arena);
    bool good = launch_find_strangers(&c->s, r->n_inputs, r->inputs, &errors);
    add_errors(r, c->options.launch_text ? CONTRACT : c->options.launch_file, &errors);
    tr_errors_free(&errors);
    return good;
}

static void find_files(checking *c)
{
    session *s = &c->s;
    tr_errors errors = tr_errors_make(c->result->arena);
    const recorded_folder *folder = NULL;
    bool is_recording = !c->bytes && recording_is(c->name);
    if (is_recording)
        folder = recording_read(s->arena, c->name, &errors);
    size_t n = is_recording ? (folder ? folder->n : 0) : 1;
    s->files = TR_NEW_ARRAY(s->arena, const char *, n + 1);
    s->recorded = TR_NEW_ARRAY(s->arena, const recorded_module *, n + 1);
    s->images = TR_NEW_ARRAY(s->arena, const bytecode_image *, n + 1);
    s->n_files = n;
    for (size_t i = 0; i < n; i++) {
        s->files[i] = folder ? folder->modules[i].path : c->name;
        s->recorded[i] = folder ? &folder->modules[i] : c->options.names ? &c->about : NULL;
        s->images[i] = c->bytes ? &c->image : NULL;
    }
    add_errors(c->result, c->name, &errors);
    tr_errors_free(&errors);
}

/* What comments of the sources allow. Those of a source that has changed since its kernels were
 * recorded stand in other lines. */
static void mark_allowed(checking *c, const loaded *input, input_report *report)
{
    if (c->what != LIBRARY_OF_SOURCES || (input->recorded && input->recorded->is_stale))
        return;
    report_mark_allowed(c->result->arena, NULL, report);
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
    mark_allowed(c, input, report);
    for (size_t i = 0; i < n; i++)
        arrput(r->kernels,
               library_kernel_of(r->arena, input, &input->kernels[i], &report->kernels[i]));
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

/* On a thread of its own, for the stack: sources may nest deeply. */
static void run(void *user, size_t i)
{
    (void)i;
    checking *c = user;
    tilerace_result *r = c->result;
    if (session_prepare(&c->s) == EXIT_CLEAN && read_launches(c))
        check_inputs(c);
    r->report.n_inputs = r->n_inputs;
    r->report.inputs = r->of_inputs;
    r->working_folder = c->s.working_folder;
    session_release(&c->s);
}

static tilerace_result *check(const char *name, const void *bytes, size_t size,
                              const tilerace_options *given, library_what what)
{
    tr_arena *arena = tr_arena_new();
    tilerace_result *r = TR_NEW(arena, tilerace_result);
    r->arena = arena;
    checking *c = TR_NEW(arena, checking);
    *c = (checking){.options = library_options(given),
                    .result = r,
                    .name = tr_arena_strdup(arena, name),
                    .bytes = bytes,
                    .image = {.bytes = bytes, .size = size},
                    .what = what};
    c->about = (recorded_module){.path = c->name, .about = c->options.names};
    c->words = library_words(&c->options);
    char *complaints = NULL;
    size_t length;
    c->s = (session){
        .arena = arena, .options = &c->words, .err = open_memstream(&complaints, &length)};
    if (!c->s.err)
        tr_no_memory();
    pool_run(1, 1, run, c);
    fclose(c->s.err);
    add_complaints(r, complaints);
    free(complaints);
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

#include "judge/judge.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "base/process.h"
#include "inputs/kinds.h"
#include "inputs/load.h"
#include "judge/built.h"
#include "judge/private.h"
#include "judge/samples.h"

/* The limit of a proof if the command line gives none: all kernels of this repository need fewer
 * steps, and a kernel that needs more is mostly wrong and ends undecided. */
#define MOST_STEPS ((smt_steps)5000000)

/* ---- Section: Stages ---- */

/* Every stage from there on is taken to hold until something is found. */
static void begin_from(judging *j, judge_stage first)
{
    for (int i = first; i < JUDGE_STAGE_COUNT; i++)
        j->into->stages[i] = (judge_result){.state = JUDGE_HELD};
}

static void end_after(judging *j, judge_stage stage)
{
    for (int i = stage + 1; i < JUDGE_STAGE_COUNT; i++)
        if (j->into->stages[i].state != JUDGE_NOT_ASKED)
            j->into->stages[i] = (judge_result){.state = JUDGE_NOT_REACHED};
}

static void fail_whole(judging *j, judge_stage stage, judge_class class_, const tr_place *place,
                       const char *what, const char *help)
{
    judge_add_fault(
        j, (judge_fault){
               .stage = stage, .class_ = class_, .place = place, .what = what, .help = help});
    end_after(j, stage);
}

/* Finds a message of Clang's that is no fault of the source: a header that is there, and that the
 * system has no room to open. NULL: nothing. A source can word an #error as it likes, which is not
 * fatal.
 */
static const char *fault_of_system(const dialect_record *record)
{
    static const int errors[] = {EMFILE, ENFILE, ENOMEM};
    static const char opened[] = "cannot open file '";
    for (size_t i = 0; i < record->n_messages; i++) {
        const dialect_message *m = &record->messages[i];
        if (m->severity != DIALECT_FATAL_ERROR || strncmp(m->text, opened, strlen(opened)) != 0)
            continue;
        for (size_t e = 0; e < TR_COUNT(errors); e++) {
            const char *end = strrchr(m->text, ':');
            if (end && strcmp(end + 1 + strspn(end + 1, " "), strerror(errors[e])) == 0)
                return m->text;
        }
    }
    return NULL;
}

/* The errors of an input: Clang's own mean that the source is no C, all others that it is no kernel
 * of this launch. */
static void take_errors(judging *j, const loaded *input, const dialect_record *record)
{
    const tr_error *e = &input->errors.items[0];
    const char *why = fault_of_system(record);
    bool by_clang = false;
    if (why) {
        judge_leave_open(j, JUDGE_STAGE_COMPILES, why);
        end_after(j, JUDGE_STAGE_COMPILES);
        return;
    }
    for (size_t i = 0; i < record->n_messages; i++)
        by_clang |= record->messages[i].severity >= DIALECT_ERROR;
    fail_whole(j, by_clang ? JUDGE_STAGE_COMPILES : JUDGE_STAGE_WELL_FORMED,
               by_clang ? JUDGE_DOES_NOT_COMPILE : JUDGE_MALFORMED, &e->place, e->text, e->hint);
}

static double ms_since(double began)
{
    return tr_now_fine_ms() - began;
}

static void leave_runs_open(judging *j, const char *why)
{
    for (int i = JUDGE_STAGE_WRITTEN; i <= JUDGE_STAGE_SCHEDULES; i++)
        judge_leave_open(j, (judge_stage)i, why);
}

static void try_launches(judging *j, const judged_kernel *k, const judge_outputs *outputs)
{
    const char *why = judge_begin(j, JUDGE_AT_RUNNING);
    if (why) {
        leave_runs_open(j, why);
        return;
    }
    bool is_open = judge_is_silent(j, k->kernel->contract) && !j->context->reference;
    if (!judge_asks_runs(j))
        return;
    if (j->context->trials)
        judge_take_trials(j, k, outputs);
    if (!is_open)
        judge_take_samples(j, k, outputs);
    for (int i = JUDGE_STAGE_WRITTEN; i <= JUDGE_STAGE_SCHEDULES && is_open; i++)
        if (j->into->stages[i].state == JUDGE_HELD && j->into->stages[i].n_tried == 0)
            judge_not_asked(j, (judge_stage)i, "nothing is stated of the kernel's launches");
}

/* The report of a kernel whose proof is passed over: nothing is known. */
static kernel_report *no_report(const loaded *input, const loaded_kernel *kernel, const char *why)
{
    kernel_report *report = TR_NEW(input->arena, kernel_report);
    *report = (kernel_report){.kernel = kernel->function->shown,
                              .place = kernel->function->place,
                              .verdict = VERDICT_UNKNOWN,
                              .reason = {REASON_WORKER_ENDED, why, kernel->function->place}};
    return report;
}

/* An output that the candidate does not have is written at no launch: said here, where it is known
 * why. */
static void look_for_outputs(judging *j, const loaded_kernel *kernel, const judge_outputs *outputs)
{
    const contract *c = kernel->contract;
    for (size_t o = 0; o < outputs->n; o++) {
        size_t i = 0;
        while (i < c->n_args && strcmp(c->args[i].name, outputs->items[o].name) != 0 &&
               strcmp(contract_buffer_of(&c->args[i]), outputs->items[o].name) != 0)
            i++;
        if (i < c->n_args)
            continue;
        const char *why = tr_arena_printf(j->s->arena,
                                          "the kernel has no parameter '%s', which is "
                                          "an output",
                                          outputs->items[o].name);
        judge_leave_open(j, JUDGE_STAGE_WRITTEN, why);
        judge_leave_open(j, JUDGE_STAGE_AGREES, why);
    }
}

/* Launches at which a mistake would show, while the solver is there; not where none is tried. */
static void find_worst(judging *j, const judged_kernel *k)
{
    bool is_open = judge_is_silent(j, k->kernel->contract) && !j->context->reference;
    const run_target target = {
        .s = j->s, .input = k->input, .kernel = k->kernel, .report = k->report};
    if (judge_asks_runs(j) && !is_open)
        j->worst = judge_worst(&target);
}

static void exec_judge_kernel(judging *j, loaded *input, const loaded_kernel *kernel,
                              const judge_outputs *outputs)
{
    rules_options options = j->s->rules;
    double began = tr_now_fine_ms();
    const char *why = judge_begin(j, JUDGE_AT_PROVING);
    judged_kernel k = {input, kernel,
                       why ? no_report(input, kernel, why)
                           : load_check(j->s, input, kernel, &options)};
    judge_take_proof(j, &k);
    if (!why)
        judge_compare_statements(j, &k);
    if (!why)
        find_worst(j, &k);
    if (input->prover)
        smt_prover_forget(input->prover); /* its process takes none of the time of what follows */
    j->into->stages[JUDGE_STAGE_RACES].ms += ms_since(began);
    look_for_outputs(j, kernel, outputs);
    began = tr_now_fine_ms() - j->into->stages[JUDGE_STAGE_GPU].ms; /* which has its own */
    try_launches(j, &k, outputs);
    j->into->stages[JUDGE_STAGE_AGREES].ms += ms_since(began) - j->into->stages[JUDGE_STAGE_GPU].ms;
    j->into->n_kernels++;
    arrfree(j->worst);
}

static bool is_meant(const judging *j, const loaded_kernel *kernel)
{
    return !j->context->kernel || strcmp(kernel->function->shown, j->context->kernel) == 0;
}

/* Gives, in place of a judgement, the launches at which it would be worth to hold one. */
static void give_launches(judging *j, loaded *input)
{
    const char *why = judge_begin(j, JUDGE_AT_PROVING);
    if (why)
        leave_runs_open(j, why);
    for (size_t i = 0; i < arrlenu(input->kernels) && !why; i++) {
        const judged_kernel k = {.input = input, .kernel = &input->kernels[i]};
        if (!is_meant(j, k.kernel))
            continue;
        find_worst(j, &k);
        samples all = judge_worst_samples(j, &k);
        for (size_t l = 0; l < all.n; l++)
            arrput(j->into->launches, judge_launch_of(j, &k, all.launches[l]));
        arrfree(j->worst);
    }
}

static void judge_kernels(judging *j, loaded *input)
{
    judge_outputs outputs = {0};
    const char *why = judge_begin(j, JUDGE_AT_REFERENCE);
    if (why || !judge_find_outputs(j, &outputs, &why))
        judge_leave_open(j, JUDGE_STAGE_AGREES, why);
    if (outputs.n == 0 && !j->context->trials)
        judge_not_asked(j, JUDGE_STAGE_WRITTEN,
                        "neither a reference nor `outputs` says what is to be written");
    if (!j->context->reference && !j->context->trials)
        judge_not_asked(j, JUDGE_STAGE_AGREES, "there is no reference");
    size_t before = j->into->n_kernels;
    for (size_t i = 0; i < arrlenu(input->kernels); i++)
        if (is_meant(j, &input->kernels[i]))
            exec_judge_kernel(j, input, &input->kernels[i], &outputs);
    if (j->into->n_kernels == before)
        fail_whole(j, JUDGE_STAGE_WELL_FORMED, JUDGE_MALFORMED, NULL,
                   j->context->kernel
                       ? tr_arena_printf(j->s->arena, "there is no kernel '%s'", j->context->kernel)
                       : "there is no kernel",
                   NULL);
}

/* ---- Section: The whole ---- */

/* A launch whose run ended before says nothing of what comes after: that the others are right does
 * not make the stage one that holds. Nor does a kernel that stores nothing, which cannot race. */
static void close_stages(judging *j)
{
    judge_result *gpu = &j->into->stages[JUDGE_STAGE_GPU];
    if (gpu->state == JUDGE_HELD && gpu->n_tried == 0 && arrlenu(j->into->faults) > 0)
        gpu->state = JUDGE_NOT_REACHED;
    else if (gpu->state == JUDGE_HELD && gpu->n_tried == 0)
        judge_not_asked(j, JUDGE_STAGE_GPU, "no launch is tried");
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        judge_result *r = &j->into->stages[i];
        bool is_empty = j->into->stores_nothing && i >= JUDGE_STAGE_BOUNDS;
        if (r->state == JUDGE_HELD && (is_empty || r->n_reached < r->n_tried))
            r->state = JUDGE_NOT_REACHED;
    }
}

/* The class of the first stage that failed; unknown where one is undecided. */
static judge_class class_of(const judgement *j)
{
    if (arrlenu(j->faults) > 0)
        return j->faults[0].class_;
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        if (j->stages[i].state == JUDGE_UNDECIDED)
            return JUDGE_UNKNOWN;
    return JUDGE_PASSED;
}

/* The text that stands for a file; NULL: none does. */
static const tr_unsaved *text_of(tr_arena *arena, const char *path, const char *text, size_t length)
{
    tr_unsaved *unsaved = TR_NEW(arena, tr_unsaved);
    tr_unsaved_file *file = TR_NEW(arena, tr_unsaved_file);
    *file = (tr_unsaved_file){.path = path, .text = text, .length = length};
    *unsaved = (tr_unsaved){1, file};
    return text ? unsaved : NULL;
}

/* The session sees this candidate alone: its text, its macros, the context's launches. */
static session *alone(session *s, const judge_context *c, const int64_t *values,
                      dialect_record *record)
{
    session *own = tr_arena_copy(s->arena, s, sizeof *s);
    driver_options *options = judge_options_with(s, c, values);
    options->seed = c->seed;
    if (own->rules.steps == 0)
        own->rules.steps = MOST_STEPS;
    options->device = "cpu";
    if (c->path)
        options->launch = c->path; /* files that the launch names lie beside it */
    own->options = options;
    own->record = record;
    own->found_commands = NULL; /* the context says what the candidate is compiled with */
    if (c->launches)
        own->launches = c->launches;
    own->unsaved = text_of(s->arena, c->file, c->source, c->source_length);
    if (c->reference_source)
        own->unsaved_reference =
            text_of(s->arena, c->reference, c->reference_source, strlen(c->reference_source));
    return own;
}

/* Is it nothing that this program can read? A sentence of what it is, or NULL. What has the name of
 * a C source, or of bytecode, is read as that, and what is wrong with it is the candidate's fault.
 */
static const char *foreign(const judge_context *c)
{
    static const char python[] =
        "cuTile Python is judged by `python3 -m tilerace judge CONTEXT`, which compiles it; the "
        "context says what it is launched with";
    if (c->source) {
        if (strstr(c->source, "tile.h") || strstr(c->source, "tile_kernel"))
            return NULL;
        return strstr(c->source, "cuda.tile") || strstr(c->source, "cuda import tile")
                   ? python
                   : "its language is not known: it includes no tile.h, and imports no cuda.tile";
    }
    if (tr_ends_in(c->file, ".py"))
        return python;
    return kind_is_foreign(c->file) ? "sources of other compilers are judged by what those make of "
                                      "them: bytecode, or a recording"
                                    : NULL;
}

/* Nothing can be said of it. */
static void leave_whole(judging *j, const char *why)
{
    judge_leave_open(j, JUDGE_STAGE_READS, why);
    for (int i = JUDGE_STAGE_READS + 1; i < JUDGE_STAGE_COUNT; i++)
        if (j->into->stages[i].state != JUDGE_NOT_ASKED)
            j->into->stages[i] = (judge_result){.state = JUDGE_NOT_REACHED};
}

/* Compiling it ended a process before: by what it took, which is the candidate's fault, or by a
 * mistake of ours or of the compiler. */
static void take_death(judging *j, const char *why)
{
    const judge_death *death = j->watch->deaths;
    while (death->phase != JUDGE_AT_READING || death->combination != j->combination)
        death++;
    if (death->kind == JUDGE_DEATH_SIGNAL)
        leave_whole(j, why);
    else
        fail_whole(j, JUDGE_STAGE_COMPILES, JUDGE_LIMIT, NULL, why, NULL);
}

/* A recording's module brings its launches along, unless the context states others. */
static void load_candidate(const judging *j, loaded *input)
{
    session own = *j->s;
    const char *files[] = {j->context->file};
    const recorded_module *recorded[] = {j->recorded};
    own.files = files;
    own.n_files = 1;
    own.recorded = recorded;
    own.images = NULL;
    load_file(&own, 0, input);
}

/* Reads the candidate with these tuning values and judges its kernels. A candidate that does not
 * compile fails at that stage. */
static void judge_input(judging *j, const int64_t *values)
{
    const char *other = j->is_built ? NULL : foreign(j->context), *why = NULL;
    if (other) {
        leave_whole(j, other);
        return;
    }
    if ((why = judge_begin(j, JUDGE_AT_READING))) {
        take_death(j, why);
        return;
    }
    session *s = j->s;
    dialect_record record = {0};
    double began = tr_now_fine_ms();
    loaded input;
    j->s = alone(s, j->context, values, &record);
    load_candidate(j, &input);
    j->s->record = NULL; /* it is of this reading */
    if (j->s->launches && tr_errors_count(&input.errors) == 0)
        launch_file_check_kernels(j->s->launches, input.unit.n_kernels, input.shapes,
                                  &input.errors);
    j->into->stages[JUDGE_STAGE_COMPILES].ms += ms_since(began);
    if (tr_errors_count(&input.errors) > 0)
        take_errors(j, &input, &record);
    else if (j->s->options->worst_launches)
        give_launches(j, &input);
    else
        judge_kernels(j, &input);
    judge_close_reference(j);
    load_free(&input);
    dialect_record_free(&record);
    j->s = s;
}

/* Every module that a compiler made of the candidate. */
static void judge_modules(judging *j, judge_context *own, const int64_t *values)
{
    const char *why;
    const build_result *built = judge_built_result(j->context->built, j->combination, &why);
    for (size_t i = 0; i < built->n && !why; i++) {
        own->source = (const char *)built->modules[i].image.bytes;
        own->source_length = built->modules[i].image.size;
        j->is_built = true;
        judge_input(j, values);
    }
    const tr_error *e = tr_errors_count(&built->errors) > 0 ? &built->errors.items[0] : NULL;
    if (why)
        leave_whole(j, why);
    else if (e)
        fail_whole(j, JUDGE_STAGE_COMPILES, built->is_late ? JUDGE_LIMIT : JUDGE_DOES_NOT_COMPILE,
                   &e->place, e->text, e->hint);
    else if (built->n == 0)
        fail_whole(j, JUDGE_STAGE_WELL_FORMED, JUDGE_MALFORMED, NULL, "there is no kernel", NULL);
}

/* Every module of a recording, at the launches that were recorded. */
static void judge_recording(judging *j, judge_context *own, const int64_t *values)
{
    tr_errors errors = tr_errors_make(j->s->arena);
    const char *folder = own->file;
    const recorded_folder *all = recording_read(j->s->arena, folder, &errors);
    own->has_launch = true;
    for (size_t i = 0; all && i < all->n && tr_errors_count(&errors) == 0; i++) {
        j->recorded = &all->modules[i];
        own->file = j->recorded->path;
        judge_input(j, values);
    }
    if (tr_errors_count(&errors) > 0)
        leave_whole(j, tr_arena_printf(j->s->arena, "%s %s", errors.items[0].place.file,
                                       errors.items[0].text));
    else if (!all || all->n == 0)
        leave_whole(j, "the recording has no kernels");
    tr_errors_free(&errors);
}

judgement judge_candidate(session *s, const judge_context *context, const judge_watch *watch,
                          size_t combination, const int64_t *values)
{
    judgement result = {.file = context->file};
    judge_context own = *context;
    judging j = {s, &own, &result, watch, combination};
    begin_from(&j, JUDGE_STAGE_READS);
    if (context->doubt)
        judge_leave_open(&j, JUDGE_STAGE_COMPILES, context->doubt);
    const char *lacks = judge_lacks_gpu(s);
    if (lacks)
        judge_not_asked(&j, JUDGE_STAGE_GPU, lacks);
    for (size_t i = 0; i < context->n_variants; i++) {
        own.file = context->variants[i].file;
        own.launches = context->variants[i].launches;
        own.trials = context->variants[i].trials;
        judge_input(&j, values);
    }
    if (context->refused.is_ours)
        leave_whole(&j, context->refused.what);
    else if (context->refused.what)
        fail_whole(&j, JUDGE_STAGE_COMPILES,
                   context->refused.is_limit ? JUDGE_LIMIT : JUDGE_DOES_NOT_COMPILE,
                   &context->refused.place, context->refused.what, NULL);
    else if (context->built)
        judge_modules(&j, &own, values);
    else if (context->n_variants == 0 && !context->source && recording_is(context->file))
        judge_recording(&j, &own, values);
    else if (context->n_variants == 0)
        judge_input(&j, values);
    close_stages(&j);
    judge_keep_asked(&j);
    result.class_ = class_of(&result);
    return result;
}

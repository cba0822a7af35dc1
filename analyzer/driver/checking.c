#include "driver/checking.h"

#include "base/ds.h"
#include "driver/cache.h"
#include "driver/hide.h"
#include "driver/picture.h"
#include "driver/progress.h"

typedef struct watched_file {
    progress *progress;
    size_t number;
} watched_file;

static void tell_step(void *user, rules_step step)
{
    static const progress_step steps[] = {[RULES_SUMMARY] = PROGRESS_SUMMARY,
                                          [RULES_PROVING] = PROGRESS_PROVING,
                                          [RULES_PRECONDITIONS] = PROGRESS_PRECONDITIONS,
                                          [RULES_WITNESS] = PROGRESS_WITNESS};
    const watched_file *file = user;
    progress_phase(file->progress, file->number, steps[step]);
}

rules_options checking_options(const session *s, size_t number)
{
    const settings *st = session_settings(s, number);
    rules_options options = s->rules;
    options.strict = st->of[SETTING_strict].truth;
    options.notes = hide_asks_for_notes(st);
    options.steps = (smt_steps)st->of[SETTING_steps].number;
    return options;
}

static void check_kernels(const session *s, size_t number, loaded *input, input_report *report)
{
    size_t n = arrlenu(input->kernels);
    watched_file watched = {s->progress, number};
    rules_options options = checking_options(s, number);
    options.watch = (rules_watch){tell_step, &watched};
    report->kernels = TR_NEW_ARRAY(input->arena, kernel_report, n + 1);
    for (size_t i = 0; i < n; i++) {
        progress_kernel(s->progress, number, input->kernels[i].function->shown);
        report->kernels[report->n_kernels++] = *load_check(s, input, &input->kernels[i], &options);
    }
    for (size_t i = 0; s->pictures && i < n; i++)
        report->kernels[i].picture =
            picture_make(s, input, &input->kernels[i], &report->kernels[i]);
}

static void name_kernels(loaded *input, checked_input *to)
{
    if (!input->shapes)
        return;
    to->n_kernels = input->unit.n_kernels;
    to->kernels = TR_NEW_ARRAY(input->arena, checked_kernel, to->n_kernels + 1);
    for (size_t i = 0; i < to->n_kernels; i++) {
        const launch_kernel *shape = &input->shapes[i];
        to->kernels[i] = (checked_kernel){shape->symbol, shape->shown, shape->is_only_entry};
    }
}

void checking_failed(const char *file, const char *why, tr_text *packed)
{
    const tr_error error = {.place = {.file = file}, .text = why};
    const checked_input result = {.report = {.file = file, .errors = &error, .n_errors = 1}};
    packed_write(packed, &result);
}

/* Nothing that a wrong configuration would hold for is checked: it might have asked for more. The
 * first such input has its errors, the others name it. */
static void refuse_configured(const session *s, size_t number, tr_text *packed)
{
    const settings *st = session_settings(s, number);
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    const tr_place place = {.file = s->files[number]};
    bool is_first = true;
    for (size_t k = 0; k < number && is_first; k++)
        is_first = session_settings(s, k) != st;
    for (size_t e = 0; is_first && e < arrlenu(st->wrong.items); e++)
        tr_errors_add_hint(&errors, &st->wrong.items[e].place, st->wrong.items[e].hint, "%s",
                           st->wrong.items[e].text);
    tr_errors_add(&errors, &place, "is not checked, since its configuration %s is wrong", st->file);
    const checked_input result = {.report = {.file = s->files[number],
                                             .errors = errors.items,
                                             .n_errors = arrlenu(errors.items)}};
    packed_write(packed, &result);
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

void checking_run(const session *s, size_t number, tr_text *packed)
{
    loaded input;
    digest key;
    if (tr_errors_count(&session_settings(s, number)->wrong) > 0) {
        refuse_configured(s, number, packed);
        return;
    }
    if (s->cache && cache_find(s->cache, s, number, &key, packed))
        return;
    lookup_list *seen = s->cache ? lookups_new() : NULL, *before = lookups_watch(seen);
    load_file(s, number, &input);
    checked_input result = {.report = {.file = input.file,
                                       .errors = input.errors.items,
                                       .n_errors = arrlenu(input.errors.items)}};
    if (result.report.n_errors == 0)
        check_kernels(s, number, &input, &result.report);
    name_kernels(&input, &result);
    /* A solver that nobody asked is not waited for. */
    if (input.prover && smt_prover_statistics(input.prover).solver_calls > 0)
        result.solver = smt_prover_solver(input.prover);
    result.failure = input.prover ? smt_prover_failure(input.prover) : NULL;
    lookups_watch(before);
    if (!packed_write(packed, &result))
        checking_failed(input.file, "what was found of it is too large to be kept", packed);
    else if (seen)
        cache_keep(s->cache, s, &key, seen, &input, &result, packed);
    lookups_free(seen);
    load_free(&input);
}

checked_input checking_result(const session *s, size_t number, const tr_text *packed)
{
    checked_input result;
    if (packed_read(s->arena, packed->data, packed->length, &result))
        return result;
    tr_text failed = {0};
    checking_failed(s->files[number], "its result was lost", &failed);
    packed_read(s->arena, failed.data, failed.length, &result);
    tr_text_free(&failed);
    return result;
}

/* ---- Section: What all inputs together say ---- */

static bool all_were_read(size_t n, const checked_input *inputs)
{
    for (size_t i = 0; i < n; i++)
        if (inputs[i].report.n_errors > 0)
            return false; /* the kernel may be in a file that was not read */
    return true;
}

int checking_names(session *s, size_t n, const checked_input *inputs)
{
    if (!s->launches || !all_were_read(n, inputs))
        return EXIT_CLEAN;
    launch_kernel *all = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < inputs[i].n_kernels; k++)
            arrput(all, ((launch_kernel){.symbol = inputs[i].kernels[k].symbol,
                                         .shown = inputs[i].kernels[k].shown,
                                         .is_only_entry = inputs[i].kernels[k].is_only_entry}));
    loaded holder = {.file = s->options->launch, .errors = tr_errors_make(s->arena)};
    bool good = launch_file_check_kernels(s->launches, arrlenu(all), all, &holder.errors);
    if (!good)
        load_complain(s, &holder);
    tr_errors_free(&holder.errors);
    arrfree(all);
    return good ? EXIT_CLEAN : EXIT_BAD;
}

void checking_complain(session *s, const checked_input *input)
{
    report_options options = {.color = session_color(s, s->err), .folder = s->working_folder};
    tr_text text = {0};
    for (size_t i = 0; i < input->report.n_errors; i++)
        report_write_error(&text, input->report.file, &input->report.errors[i], &options);
    fputs(tr_text_get(&text), s->err);
    tr_text_free(&text);
}

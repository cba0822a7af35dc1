#include "checking/checking.h"

#include <string.h>

#include "base/ds.h"
#include "builds/build.h"
#include "cache/cache.h"
#include "checking/guards.h"
#include "checking/hide.h"
#include "checking/picture.h"
#include "inputs/load.h"
#include "lookups/lookups.h"
#include "session/session.h"

static void tell_step(void *user, rules_step step)
{
    static const progress_step steps[] = {[RULES_SUMMARY] = PROGRESS_SUMMARY,
                                          [RULES_PROVING] = PROGRESS_PROVING,
                                          [RULES_PRECONDITIONS] = PROGRESS_PRECONDITIONS,
                                          [RULES_WITNESS] = PROGRESS_WITNESS};
    const checking_told *told = user;
    told->step(told->user, steps[step]);
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

static void tell_roster(const session *s, const checking_told *told, loaded *input)
{
    size_t n = arrlenu(input->kernels);
    bool per_name = s->rules.model.loop_tokens == MODEL_PER_NAME;
    checked_input all = {.report = {.file = input->file,
                                    .n_kernels = n,
                                    .kernels = TR_NEW_ARRAY(input->arena, kernel_report, n + 1)}};
    for (size_t i = 0; i < n; i++) {
        const loaded_kernel *kernel = &input->kernels[i];
        all.report.kernels[i] = (kernel_report){.kernel = kernel->function->shown,
                                                .place = kernel->function->place,
                                                .verdict = VERDICT_UNKNOWN,
                                                .contract = kernel->contract->source,
                                                .origin = kernel->contract->origin,
                                                .n_observed = kernel->contract->n_observed,
                                                .observed = kernel->contract->observed,
                                                .tokens_per_name = per_name};
        if (s->guards)
            all.report.kernels[i].guard =
                guards_carried(input->arena, input->ctx, kernel, &all.report.kernels[i]);
    }
    name_kernels(input, &all);
    told->roster(told->user, &all);
}

/* Checks the kernels from number `from` on, and tells of each one before and after its check. */
static void check_kernels(const session *s, size_t number, size_t from, const checking_told *told,
                          loaded *input, input_report *report)
{
    size_t n = arrlenu(input->kernels);
    rules_options options = session_rules(s, number);
    if (told->step)
        options.watch = (rules_watch){tell_step, (void *)(uintptr_t)told};
    report->kernels = TR_NEW_ARRAY(input->arena, kernel_report, n + 1);
    for (size_t i = from; i < n; i++) {
        const loaded_kernel *kernel = &input->kernels[i];
        kernel_report *one = &report->kernels[report->n_kernels];
        if (told->kernel)
            told->kernel(told->user, i, kernel->function->shown);
        *one = *load_check(s, input, kernel, &options);
        if (s->pictures)
            one->picture = picture_make(s, input, kernel, one);
        if (s->guards)
            one->guard = guards_carried(input->arena, input->ctx, kernel, one);
        report->n_kernels++;
        if (told->part) {
            const checked_input part = {
                .report = {.file = input->file, .n_kernels = 1, .kernels = one}};
            told->part(told->user, &part);
        }
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
    tr_errors_add(&errors, &place, "not checked, because its configuration %s has an error",
                  st->file);
    const checked_input result = {.report = {.file = s->files[number],
                                             .errors = errors.items,
                                             .n_errors = arrlenu(errors.items)}};
    packed_write(packed, &result);
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

/* Reports an input that --build could not compile. */
static bool refuse_unbuilt(const session *s, size_t number, tr_text *packed)
{
    const build_module *module = s->built ? s->built[number] : NULL;
    if (!module || module->n_errors == 0)
        return false;
    const checked_input result = {.report = {.file = s->files[number],
                                             .errors = module->errors,
                                             .n_errors = module->n_errors}};
    packed_write(packed, &result);
    return true;
}

bool checking_recall(const session *s, size_t number, tr_text *packed)
{
    if (tr_errors_count(&session_settings(s, number)->wrong) > 0) {
        refuse_configured(s, number, packed);
        return true;
    }
    if (refuse_unbuilt(s, number, packed))
        return true;
    return s->cache && cache_find(s->cache, s, number, packed);
}

/* Keeps a result whose kernels are all there and all complete. */
static void keep(const session *s, size_t number, const checking_told *told, lookup_list *seen,
                 const loaded *input, const checked_input *result)
{
    tr_text entry = {0};
    if (cache_entry_make(s, seen, input, result, &entry)) {
        if (told->keep)
            told->keep(told->user, &entry);
        else
            cache_keep(s->cache, s, number, tr_text_get(&entry), entry.length);
    }
    tr_text_free(&entry);
}

/* Checks what was read, the kernels from number `from` on; with `seen`, keeps the result. */
static void check_read(const session *s, size_t number, size_t from, const checking_told *told,
                       loaded *input, lookup_list *seen, tr_text *packed)
{
    lookup_list *before = lookups_watch(seen);
    checked_input result = {.report = {.file = input->file,
                                       .errors = input->errors.items,
                                       .n_errors = arrlenu(input->errors.items)}};
    if (result.report.n_errors == 0 && told->roster)
        tell_roster(s, told, input);
    if (result.report.n_errors == 0)
        check_kernels(s, number, from, told, input, &result.report);
    name_kernels(input, &result);
    /* A solver that nobody asked is not waited for. */
    if (input->prover && smt_prover_statistics(input->prover).solver_calls > 0)
        result.solver = smt_prover_solver(input->prover);
    result.failure = input->prover ? smt_prover_failure(input->prover) : NULL;
    lookups_watch(before);
    if (seen)
        keep(s, number, told, seen, input, &result);
    if (told->part)
        result.report.n_kernels = 0;
    if (!packed_write(packed, &result))
        checking_failed(input->file, "what was found of it is too large to be kept", packed);
}

void checking_run(const session *s, size_t number, size_t from, const checking_told *told,
                  tr_text *packed)
{
    loaded input;
    lookup_list *seen = s->cache && from == 0 ? lookups_new() : NULL, *before = lookups_watch(seen);
    load_file(s, number, &input);
    lookups_watch(before);
    check_read(s, number, from, told, &input, seen, packed);
    lookups_free(seen);
    load_free(&input);
}

/* Takes the kept result, if it belongs to the files as they were read. */
static bool take_kept(const session *s, size_t number, const lookup_list *seen, tr_text *packed)
{
    tr_text kept = {0};
    bool good = cache_find(s->cache, s, number, &kept) && cache_is_current(s->cache, seen);
    if (good)
        tr_text_addn(packed, kept.data, kept.length);
    tr_text_free(&kept);
    return good;
}

void checking_loaded(const session *s, size_t number, loaded *input, lookup_list *seen,
                     tr_text *packed)
{
    const checking_told nobody = {0};
    lookup_list *list = s->cache ? seen : NULL;
    if (tr_errors_count(&session_settings(s, number)->wrong) > 0)
        refuse_configured(s, number, packed);
    else if (!list || !take_kept(s, number, list, packed))
        check_read(s, number, 0, &nobody, input, list, packed);
}

/* Puts n more elements behind those that are there. */
static void *joined(tr_arena *arena, const void *had, size_t n_had, const void *more, size_t n,
                    size_t each)
{
    char *all = tr_arena_alloc(arena, (n_had + n + 1) * each);
    if (n_had > 0)
        memcpy(all, had, n_had * each);
    if (n > 0)
        memcpy(all + n_had * each, more, n * each);
    return all;
}

static void join(tr_arena *arena, checked_input *whole, const checked_input *part)
{
    input_report *to = &whole->report;
    const input_report *from = &part->report;
    if (!to->file)
        *whole = *part;
    if (to->file == from->file)
        return;
    to->kernels = joined(arena, to->kernels, to->n_kernels, from->kernels, from->n_kernels,
                         sizeof *to->kernels);
    to->errors =
        joined(arena, to->errors, to->n_errors, from->errors, from->n_errors, sizeof *to->errors);
    to->n_kernels += from->n_kernels;
    to->n_errors += from->n_errors;
    whole->solver = whole->solver ? whole->solver : part->solver;
    whole->failure = whole->failure ? whole->failure : part->failure;
    if (part->n_kernels > 0) {
        whole->kernels = part->kernels;
        whole->n_kernels = part->n_kernels;
    }
}

checked_input checking_result(const session *s, size_t number, const tr_text *packed,
                              tr_arena *arena)
{
    checked_input whole = {0}, part;
    size_t at = 0;
    for (size_t length; at < packed->length; at += length) {
        length = packed_length(packed->data + at, packed->length - at);
        if (length == 0 || !packed_read(arena, packed->data + at, length, &part))
            break;
        join(arena, &whole, &part);
    }
    if (at == packed->length && whole.report.file)
        return whole;
    tr_text failed = {0};
    checking_failed(s->files[number], "its result was lost", &failed);
    packed_read(arena, failed.data, failed.length, &whole);
    tr_text_free(&failed);
    return whole;
}

/* ---- Section: What all inputs together say ---- */

static bool all_were_read(size_t n, const checked_input *inputs)
{
    for (size_t i = 0; i < n; i++)
        if (inputs[i].report.n_errors > 0)
            return false; /* the kernel may be in a file that was not read */
    return true;
}

bool checking_find_strangers(const session *s, size_t n, const checked_input *inputs,
                             tr_errors *errors)
{
    if (!s->launches || !all_were_read(n, inputs))
        return true;
    launch_kernel *all = NULL;
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < inputs[i].n_kernels; k++)
            arrput(all, ((launch_kernel){.symbol = inputs[i].kernels[k].symbol,
                                         .shown = inputs[i].kernels[k].shown,
                                         .is_only_entry = inputs[i].kernels[k].is_only_entry}));
    bool good = launch_file_check_kernels(s->launches, arrlenu(all), all, errors);
    arrfree(all);
    return good;
}

int checking_names(session *s, size_t n, const checked_input *inputs)
{
    loaded holder = {.file = s->options->launch, .errors = tr_errors_make(s->arena)};
    bool good = checking_find_strangers(s, n, inputs, &holder.errors);
    if (!good)
        load_complain(s, &holder);
    tr_errors_free(&holder.errors);
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

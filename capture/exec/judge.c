#include "exec/judge_private.h"

#include <string.h>

enum {
    MOST_LOOKED_AT = 256 << 20, /* bytes of one argument that a guard may look at */
    MOST_STATED = 4 << 20,      /* bytes of one argument whose elements a contract may state */
    MOST_IN_VAIN = 8,           /* of a kernel in a row that were no wiser for it */
    MOST_TOLD = 3,              /* launches of a kernel that are told of in words */
    MOST_RECORDED = 1000,       /* launches of a module */
};

/* ---- Section: The proof ---- */

tr_give judge *exec_judge_new(const void *bytes, size_t size, const char *front_end_names,
                              const judge_options *options)
{
    tr_arena *arena = tr_arena_new();
    judge *j = TR_NEW(arena, judge);
    *j = (judge){.arena = arena, .options = *options, .bytes = bytes, .size = size};
    exec_judge_begin_alone(j);
    j->front_end_names = tr_arena_strdup(arena, front_end_names);
    j->names = names_read(arena, front_end_names);
    j->shown = j->names && j->names->file ? j->names->file : "module";
    j->entries = entries_read(arena, bytes, size, &j->error);
    for (size_t i = 0; j->entries && j->names && i < j->entries->n; i++)
        if (!names_fit(j->names, &j->entries->items[i]))
            j->names = NULL;
    return j;
}

void exec_judge_free(tr_take judge *j)
{
    if (!j)
        return;
    exec_judge_free_others(j);
    exec_judge_free_alone(j);
    tilerace_free(j->result);
    tr_arena_free(j->arena);
}

static tilerace_options options_of(const judge *j, const char *stated)
{
    tilerace_options options = TILERACE_OPTIONS;
    options.solver = j->options.solver;
    options.steps = j->options.steps;
    options.strict = j->options.strict;
    options.launch_text = stated;
    return options;
}

tilerace_result *exec_judge_check_stated(const judge *j, const char *stated)
{
    tilerace_options options = options_of(j, stated);
    return library_check(j->bytes, j->size, j->shown, &options, LIBRARY_OF_LAUNCHES);
}

void exec_judge_take_program(judge *j, const char *program)
{
    j->options.program = tr_arena_strdup(j->arena, program);
}

const char *exec_judge_first_error(const tilerace_result *result)
{
    return tilerace_error_count(result) > 0 ? tilerace_error(result, 0) : NULL;
}

void exec_judge_check(judge *j)
{
    if (j->error)
        return;
    /* Arrays of a front end are stated with their ends. Of a driver's pointers no more is known
     * than a launch tells. */
    tilerace_options options = options_of(j, names_contract(j->arena, j->names, j->entries));
    j->result = library_check(j->bytes, j->size, j->shown, &options,
                              j->names && names_have_arrays(j->names) ? LIBRARY_OF_LAUNCHES
                                                                      : LIBRARY_REACHING);
    j->error = exec_judge_first_error(j->result);
    j->told = TR_NEW_ARRAY(j->arena, size_t, exec_judge_n_kernels(j) + 1);
    j->in_vain = TR_NEW_ARRAY(j->arena, size_t, exec_judge_n_kernels(j) + 1);
}

const module_entries *exec_judge_entries(const judge *j)
{
    return j->entries;
}

const char *exec_judge_error(const judge *j)
{
    return j->error;
}

size_t exec_judge_n_kernels(const judge *j)
{
    return j->error || !j->result ? 0 : tilerace_kernel_count(j->result);
}

const tilerace_kernel *exec_judge_kernel(const judge *j, size_t kernel)
{
    return tilerace_kernel_at(j->result, kernel);
}

void exec_judge_write_result(const judge *j, const tilerace_result *result, size_t kernel,
                             bool verdict, tr_text *out)
{
    report_write_kernel(out, &result->of_inputs[0], &result->of_inputs[0].kernels[kernel], verdict,
                        &j->options.report);
}

void exec_judge_write(const judge *j, size_t kernel, bool verdict, tr_text *out)
{
    exec_judge_write_result(j, j->result, kernel, verdict, out);
}

size_t exec_judge_find_in(const tilerace_result *result, const char *symbol)
{
    size_t n = tilerace_kernel_count(result), i = 0;
    while (i < n && strcmp(result->inputs[0].kernels[i].function->name, symbol) != 0)
        i++;
    return i;
}

size_t exec_judge_find_kernel(const judge *j, const char *symbol)
{
    return exec_judge_n_kernels(j) ? exec_judge_find_in(j->result, symbol) : 0;
}

const ir_function *exec_judge_function(const judge *j, size_t kernel)
{
    return j->result->inputs[0].kernels[kernel].function;
}

const seen_names *exec_judge_names(const judge *j)
{
    return j->names;
}

/* ---- Section: Contents that would tell more ---- */

static void want(asking *a, size_t argument, uint64_t most)
{
    const seen_argument *seen = &a->launch->arguments[argument];
    uint64_t bytes;
    judgement *answer = a->answer;
    if (a->asked_before || seen->contents || !(seen->readable || a->j->options.check_contents) ||
        !seen_bytes(a->launch, a->kernel, a->j->names, argument, &bytes) || bytes > most)
        return;
    for (size_t i = 0; i < answer->n_wanted; i++)
        if (answer->wanted[i].argument == argument)
            return;
    if (!answer->wanted)
        answer->wanted = TR_NEW_ARRAY(a->arena, struct judge_wanted, a->launch->n_arguments + 1);
    answer->wanted[answer->n_wanted++] =
        (struct judge_wanted){(uint32_t)argument, seen_address(seen), bytes};
}

void exec_judge_want(asking *a, size_t argument)
{
    want(a, argument, MOST_STATED);
}

/* The library asks for what a precondition speaks of. */
static const void *not_at_hand(void *user, size_t argument, uint64_t *bytes)
{
    *bytes = 0;
    want(user, argument, MOST_LOOKED_AT);
    return NULL;
}

/* The elements that kernels compute addresses from are integers. */
void exec_judge_want_integers(asking *a)
{
    for (size_t i = 0; i < a->kernel->n_parameters; i++)
        if (a->kernel->parameters[i]->kind == TILERACE_POINTER && a->kernel->parameters[i]->bits)
            want(a, i, MOST_STATED);
}

/* ---- Section: One launch ---- */

void exec_judge_say_where(asking *a)
{
    tr_text *about = &a->answer->about;
    if (a->launch->file)
        tr_text_addf(about, "%s:%u: ", a->launch->file, a->launch->line);
    else if (a->j->options.program)
        tr_text_addf(about, "%s: ", a->j->options.program);
}

void exec_judge_say_launched_here(asking *a)
{
    const uint64_t *grid = a->launch->grid;
    exec_judge_say_where(a);
    tr_text_addf(&a->answer->about, "note: launched here with grid (%llu, %llu, %llu)\n",
                 (unsigned long long)grid[0], (unsigned long long)grid[1],
                 (unsigned long long)grid[2]);
}

void exec_judge_take_rules(asking *a, const kernel_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (f->level == LEVEL_ERROR && !f->is_example)
            a->answer->rules |= UINT64_C(1) << f->rule;
    }
}

bool exec_judge_is_allowed(tilerace_result *result, size_t kernel)
{
    const kernel_report *report = &result->of_inputs[0].kernels[kernel];
    size_t n_allowed = 0;
    report_mark_allowed(result->arena, NULL, &result->of_inputs[0]);
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (f->level != LEVEL_ERROR || f->is_example)
            continue;
        if (!f->hidden.by)
            return false;
        n_allowed++;
    }
    return n_allowed > 0;
}

void exec_judge_say_sentence(asking *a, const char *level, const tilerace_launch *launch,
                             const tilerace_answer *answer)
{
    const rule_info *rule = answer->race ? rule_by_code(answer->race->rule) : NULL;
    a->answer->rules = rule ? UINT64_C(1) << rule->id : 0;
    size_t length = tilerace_describe(a->kernel, launch, answer, NULL, 0);
    char *sentence = tr_arena_alloc(a->arena, length + 1);
    tilerace_describe(a->kernel, launch, answer, sentence, length + 1);
    exec_judge_say_where(a);
    tr_text_addf(&a->answer->about, "%s: %s\n", level, sentence);
}

/* The launch as it is held against a proof; what the proof asks for is wanted. */
tilerace_launch exec_judge_held_launch(asking *a)
{
    tilerace_launch launch = seen_as_launch(a->arena, a->launch, a->kernel, a->j->names);
    launch.contents = not_at_hand;
    launch.user = a;
    return launch;
}

bool exec_judge_allows_kernel(judge *j, size_t kernel)
{
    return exec_judge_is_allowed(j->result, kernel);
}

bool exec_judge_has_error(const tilerace_kernel *kernel)
{
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (kernel->findings[i]->level == TILERACE_ERROR && kernel->findings[i]->precondition < 0)
            return true;
    return false;
}

static bool is_decided(judgement_kind kind)
{
    return kind != JUDGED_UNDECIDED && kind != JUDGED_NOT_CHECKED;
}

/* A launch that breaks what the proof needs. By itself it may be right all the same: a duplicate
 * that no tile block reads, views of one array that share no element. Or it has a proof of its own,
 * of which something is left open. Where it is too large to be decided, no race is claimed. */
static judgement_kind judge_broken(asking *a, const tilerace_launch *launch,
                                   const tilerace_answer *answer)
{
    judgement_kind alone = exec_judge_alone(a);
    if (alone == JUDGED_UNDECIDED) {
        tilerace_answer broken = *answer;
        broken.race = NULL;
        exec_judge_say_sentence(a, "note", launch, &broken);
    }
    if (alone != JUDGED_NOT_CHECKED || a->is_open)
        return alone;
    tr_text_free(&a->answer->about);
    exec_judge_say_sentence(a, "error", launch, answer);
    return JUDGED_BROKE;
}

/* A launch that leaves open what the proof needs. By itself it may be decided: its sizes say where
 * tiles end. */
static judgement_kind judge_open(asking *a, const tilerace_launch *launch,
                                 const tilerace_answer *answer)
{
    size_t *in_vain = &a->j->in_vain[a->answer->kernel];
    if (a->answer->n_wanted > 0)
        return JUDGED_NOT_CHECKED; /* it is asked again */
    if (*in_vain < MOST_IN_VAIN) {
        judgement_kind alone = exec_judge_alone(a);
        if (a->answer->n_wanted > 0)
            return alone; /* it is asked again */
        *in_vain = is_decided(alone) ? 0 : *in_vain + 1;
        if (is_decided(alone) || (alone == JUDGED_NOT_CHECKED && a->answer->about.length))
            return alone;
        tr_text_free(&a->answer->about);
    }
    exec_judge_say_sentence(a, "note", launch, answer);
    return JUDGED_NOT_CHECKED;
}

judgement_kind exec_judge_it(asking *a)
{
    tilerace_launch launch;
    tilerace_answer answer;
    const uint64_t *grid = a->launch->grid;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return JUDGED_HELD; /* no tile block runs */
    if (!seen_fits(a->launch, a->kernel))
        return JUDGED_NOT_CHECKED;
    launch = exec_judge_held_launch(a);
    switch (tilerace_check_launch(a->kernel, &launch, &answer)) {
    case TILERACE_HOLDS:
        return exec_judge_has_error(a->kernel) || !library_stays_inside(a->kernel, &launch)
                   ? exec_judge_alone(a)
                   : JUDGED_HELD;
    case TILERACE_BROKEN:
        return judge_broken(a, &launch, &answer);
    case TILERACE_UNPROVED:
        return exec_judge_alone(a);
    default:
        return judge_open(a, &launch, &answer);
    }
}

size_t exec_judge_written_by(const judge *j, tr_arena *arena, const seen_launch *launch,
                             size_t kernel, const judge_written **written)
{
    const kernel_report *report = &j->result->of_inputs[0].kernels[kernel];
    const tilerace_kernel *of = exec_judge_kernel(j, kernel);
    judge_written *list = TR_NEW_ARRAY(arena, judge_written, launch->n_arguments + 1);
    size_t n = 0;
    for (size_t i = 0; seen_fits(launch, of) && i < launch->n_arguments; i++) {
        judge_written memory = {seen_address(&launch->arguments[i]), UINT64_MAX};
        if (of->parameters[i]->kind != TILERACE_POINTER ||
            (report->only_read && report->only_read[i]))
            continue;
        seen_bytes(launch, of, j->names, i, &memory.bytes);
        list[n++] = memory;
    }
    *written = list;
    return n;
}

judgement exec_judge_launch(judge *j, tr_arena *arena, const seen_launch *launch, bool asked_before)
{
    judgement answer = {.kind = JUDGED_NOT_CHECKED};
    size_t n = exec_judge_n_kernels(j);
    answer.kernel = exec_judge_find_kernel(j, launch->symbol);
    if (answer.kernel >= n)
        return answer;
    asking a = {.j = j,
                .arena = arena,
                .launch = launch,
                .asked_before = asked_before,
                .kernel = exec_judge_kernel(j, answer.kernel),
                .answer = &answer};
    bool color = j->options.report.color;
    j->options.report.color = color && !launch->takes_finding;
    answer.kind = launch->is_pdl ? exec_judge_dependent(&a) : exec_judge_it(&a);
    j->options.report.color = color;
    answer.n_written = exec_judge_written_by(j, arena, launch, answer.kernel, &answer.written);
    /* A program that has words of its own must have something to say of each launch. */
    bool is_told = answer.about.length && !launch->takes_finding;
    if (answer.n_wanted > 0 || (is_told && j->told[answer.kernel]++ >= MOST_TOLD))
        tr_text_free(&answer.about);
    return answer;
}

/* ---- Section: The recording ---- */

const char *exec_judge_record_module(judge *j, tr_arena *arena)
{
    const char *why = NULL;
    if (j->options.recording)
        j->record = recording_add_module(j->options.recording, j->arena, j->bytes, j->size,
                                         j->front_end_names, &why);
    return why ? tr_arena_strdup(arena, why) : NULL;
}

typedef struct keeping {
    recording *recording;
    const char *why;
} keeping;

static const char *keep(void *user, tr_arena *arena, const void *bytes, size_t size)
{
    keeping *k = user;
    return recording_add_contents(k->recording, arena, bytes, size, &k->why);
}

const char *exec_judge_record_launch(judge *j, tr_arena *arena, const seen_launch *launch,
                                     size_t kernel)
{
    keeping k = {.recording = j->options.recording};
    seen_files files = {.keep = keep, .user = &k};
    if (!j->record || kernel >= exec_judge_n_kernels(j) ||
        !seen_fits(launch, exec_judge_kernel(j, kernel)))
        return NULL;
    if (j->recorded++ >= MOST_RECORDED)
        return "a module has more launches than a recording takes";
    const char *stated = seen_as_contract(arena, launch, exec_judge_kernel(j, kernel), j->names,
                                          j->options.program, &files);
    if (stated)
        recording_add_launch(k.recording, arena, j->record, stated, &k.why);
    return k.why;
}

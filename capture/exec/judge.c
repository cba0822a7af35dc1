#include "exec/judge_private.h"

#include <string.h>

#include "base/ds.h"

enum {
    MOST_LOOKED_AT = 256 << 20, /* bytes of one argument that a guard may look at */
    MOST_STATED = 4 << 20,      /* bytes of one argument whose elements a contract may state */
    MOST_IN_VAIN = 8,           /* of a kernel in a row that were no wiser for it */
    MOST_TOLD = 3,              /* launches of a kernel that are told of in words */
    MOST_RECORDED = 1000,       /* launches of a module */
};

/* ---- Section: The proof ---- */

tr_give judge *judge_new(const void *bytes, size_t size, const char *front_end_names,
                         const judge_options *options)
{
    tr_arena *arena = tr_arena_new();
    judge *j = TR_NEW(arena, judge);
    *j = (judge){.arena = arena, .options = *options, .bytes = bytes, .size = size};
    sh_new_strdup(j->alone);
    j->front_end_names = tr_arena_strdup(arena, front_end_names);
    j->names = names_read(arena, front_end_names);
    j->shown = j->names && j->names->file ? j->names->file : "module";
    j->entries = entries_read(arena, bytes, size, &j->error);
    for (size_t i = 0; j->entries && j->names && i < j->entries->n; i++)
        if (!names_fit(j->names, &j->entries->items[i]))
            j->names = NULL;
    return j;
}

void judge_free(tr_take judge *j)
{
    if (!j)
        return;
    judge_free_others(j);
    shfree(j->alone);
    tilerace_free(j->result);
    tr_arena_free(j->arena);
}

tilerace_result *judge_check_stated(const judge *j, const char *stated)
{
    tilerace_options options = TILERACE_OPTIONS;
    options.solver = j->options.solver;
    options.steps = j->options.steps;
    options.strict = j->options.strict;
    options.budget_ms = JUDGE_BUDGET_MS;
    options.launch_text = stated;
    return tilerace_check_module(j->bytes, j->size, j->shown, &options);
}

void judge_take_program(judge *j, const char *program)
{
    j->options.program = tr_arena_strdup(j->arena, program);
}

const char *judge_first_error(const tilerace_result *result)
{
    return tilerace_error_count(result) > 0 ? tilerace_error(result, 0) : NULL;
}

void judge_check(judge *j)
{
    if (j->error)
        return;
    j->result = judge_check_stated(j, names_contract(j->arena, j->names, j->entries));
    j->error = judge_first_error(j->result);
    j->told = TR_NEW_ARRAY(j->arena, size_t, judge_n_kernels(j) + 1);
    j->in_vain = TR_NEW_ARRAY(j->arena, size_t, judge_n_kernels(j) + 1);
}

const module_entries *judge_entries(const judge *j)
{
    return j->entries;
}

const char *judge_error(const judge *j)
{
    return j->error;
}

size_t judge_n_kernels(const judge *j)
{
    return j->error || !j->result ? 0 : tilerace_kernel_count(j->result);
}

const tilerace_kernel *judge_kernel(const judge *j, size_t kernel)
{
    return tilerace_kernel_at(j->result, kernel);
}

void judge_write_result(const judge *j, const tilerace_result *result, size_t kernel, bool verdict,
                        tr_text *out)
{
    report_write_kernel(out, &result->of_input, &result->of_input.kernels[kernel], verdict,
                        &j->options.report);
}

void judge_write(const judge *j, size_t kernel, bool verdict, tr_text *out)
{
    judge_write_result(j, j->result, kernel, verdict, out);
}

size_t judge_find_in(const tilerace_result *result, const char *symbol)
{
    size_t n = tilerace_kernel_count(result), i = 0;
    while (i < n && strcmp(result->input.kernels[i].function->name, symbol) != 0)
        i++;
    return i;
}

size_t judge_find_kernel(const judge *j, const char *symbol)
{
    return judge_n_kernels(j) ? judge_find_in(j->result, symbol) : 0;
}

const ir_function *judge_function(const judge *j, size_t kernel)
{
    return j->result->input.kernels[kernel].function;
}

const seen_names *judge_names(const judge *j)
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

/* The library asks for what a precondition speaks of. */
static const void *not_at_hand(void *user, size_t argument, uint64_t *bytes)
{
    *bytes = 0;
    want(user, argument, MOST_LOOKED_AT);
    return NULL;
}

/* What kernels compute addresses from are integers. */
static void want_integers(asking *a)
{
    for (size_t i = 0; i < a->kernel->n_parameters; i++)
        if (a->kernel->parameters[i]->kind == TILERACE_POINTER && a->kernel->parameters[i]->bits)
            want(a, i, MOST_STATED);
}

/* ---- Section: One launch ---- */

void judge_say_where(asking *a)
{
    tr_text *about = &a->answer->about;
    if (a->launch->file)
        tr_text_addf(about, "%s:%u: ", a->launch->file, a->launch->line);
    else if (a->j->options.program)
        tr_text_addf(about, "%s: ", a->j->options.program);
}

void judge_say_launched_here(asking *a)
{
    const uint64_t *grid = a->launch->grid;
    judge_say_where(a);
    tr_text_addf(&a->answer->about, "note: launched here with grid (%llu, %llu, %llu)\n",
                 (unsigned long long)grid[0], (unsigned long long)grid[1],
                 (unsigned long long)grid[2]);
}

static void say_sentence(asking *a, const char *level, const tilerace_launch *launch,
                         const tilerace_answer *answer)
{
    size_t length = tilerace_describe(a->kernel, launch, answer, NULL, 0);
    char *sentence = tr_arena_alloc(a->arena, length + 1);
    tilerace_describe(a->kernel, launch, answer, sentence, length + 1);
    judge_say_where(a);
    tr_text_addf(&a->answer->about, "%s: %s\n", level, sentence);
}

/* The launch as it is held against a proof; what the proof asks for is wanted. */
static tilerace_launch held_launch(asking *a)
{
    tilerace_launch launch = seen_as_launch(a->arena, a->launch, a->kernel, a->j->names);
    launch.contents = not_at_hand;
    launch.user = a;
    return launch;
}

bool judge_has_error(const tilerace_kernel *kernel)
{
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (kernel->findings[i]->level == TILERACE_ERROR && kernel->findings[i]->precondition < 0)
            return true;
    return false;
}

static bool depends_on_contents(const tilerace_kernel *kernel)
{
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (kernel->findings[i]->witness && kernel->findings[i]->witness->n_contents > 0)
            return true;
    return false;
}

/* Is it known what the launch passes for the parameter of that name? */
static bool has_contents(const asking *a, const char *name)
{
    for (size_t i = 0; i < a->kernel->n_parameters; i++)
        if (strcmp(a->kernel->parameters[i]->name, name) == 0)
            return a->launch->arguments[i].contents;
    return true;
}

/* A table whose elements are not known although they lead to what was found: to the addresses of a
 * race, or to an error in any way. NULL: none. */
static const char *invented_table(const asking *a, const finding *f)
{
    bool is_race = rule_is_race(f->rule);
    for (size_t e = 0; f->witness && e < f->witness->n_events; e++) {
        const witness_event *event = &f->witness->events[e];
        size_t n = is_race ? event->n_lookups : event->n_tables;
        for (size_t i = 0; i < n; i++) {
            const char *table = is_race ? event->lookups[i].buffer : event->tables[i];
            if (!has_contents(a, table))
                return table;
        }
    }
    return NULL;
}

/* Does it make the launch one that races, or one that breaks what the proof needs? */
static bool decides(const asking *a, const finding *f)
{
    if (a->kernel->verdict == TILERACE_RACE)
        return rule_is_race(f->rule) && f->confidence == CONFIDENCE_CONFIRMED;
    return f->level == LEVEL_ERROR && !f->is_example;
}

static void say_invented(asking *a, const char *table, const finding *f)
{
    bool is_race = rule_is_race(f->rule);
    const tr_place *place = f->n_locations ? f->locations[0].place : NULL;
    if (is_race)
        judge_say_where(a);
    else if (place && place->line) /* the message says "this store" */
        tr_text_addf(&a->answer->about, "%s:%u:%u: ", place->file, place->line, place->column);
    tr_text_addf(&a->answer->about,
                 "note: the contents of '%s', which were not looked at, tell whether %s\n", table,
                 f->message);
    if (!is_race)
        judge_say_launched_here(a);
}

/* Was everything that decides found with invented elements? Says so, and leaves the launch open.
 * Otherwise it is what was found. */
static bool only_invented(asking *a, const kernel_report *report)
{
    const char *first_table = NULL;
    const finding *first = NULL;
    if (depends_on_contents(a->kernel))
        want_integers(a);
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (!decides(a, f))
            continue;
        const char *table = invented_table(a, f);
        if (!table)
            return false;
        first_table = first_table ? first_table : table;
        first = first ? first : f;
    }
    a->is_open = first;
    if (first)
        say_invented(a, first_table, first);
    return first;
}

/* The first race whose accesses go through two arguments. The order in a kernel's source says
 * nothing of those, which an author who passes one array twice does not expect. */
static const finding *race_of_two_arguments(const kernel_report *report)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (rule_is_race(f->rule) && f->confidence == CONFIDENCE_CONFIRMED && f->witness &&
            f->witness->n_events == 2 && f->witness->events[0].buffer &&
            f->witness->events[1].buffer &&
            strcmp(f->witness->events[0].buffer, f->witness->events[1].buffer) != 0)
            return f;
    }
    return NULL;
}

static void say_overlap(asking *a, const kernel_report *report)
{
    const finding *f = race_of_two_arguments(report);
    if (!f)
        return;
    const witness_event *events = f->witness->events;
    judge_say_where(a);
    tr_text_addf(&a->answer->about, "note: '%s' and '%s' overlap in this launch", events[0].buffer,
                 events[1].buffer);
    if (f->rule == RULE_UNORDERED_IN_BLOCK)
        tr_text_addf(&a->answer->about,
                     ": no token orders accesses through the one after those through the other, "
                     "so the compiler may move them past each other; a kernel that works in place "
                     "takes the array as one argument");
    tr_text_addf(&a->answer->about, "\n");
}

/* The verdict on this very launch, whose kernel is a->kernel. */
static judgement_kind judge_verdict(asking *a, const tilerace_result *result, size_t kernel)
{
    tilerace_launch launch;
    tilerace_answer answer;
    tr_text *about = &a->answer->about;
    switch (a->kernel->verdict) {
    case TILERACE_RACE:
        if (only_invented(a, &result->of_input.kernels[kernel]))
            return JUDGED_NOT_CHECKED;
        judge_write_result(a->j, result, kernel, false, about);
        judge_say_launched_here(a);
        say_overlap(a, &result->of_input.kernels[kernel]);
        return JUDGED_RACED;
    case TILERACE_UNKNOWN:
        want_integers(a);
        judge_write_result(a->j, result, kernel, true, about);
        judge_say_launched_here(a);
        return JUDGED_UNDECIDED;
    case TILERACE_RACE_FREE:
    case TILERACE_CONDITIONAL:
        break;
    }
    if (judge_has_error(a->kernel)) {
        if (only_invented(a, &result->of_input.kernels[kernel]))
            return JUDGED_NOT_CHECKED;
        judge_write_result(a->j, result, kernel, false, about);
        judge_say_launched_here(a);
        return JUDGED_BROKE;
    }
    launch = held_launch(a);
    switch (library_check_stated(a->kernel, &launch, &answer)) {
    case TILERACE_HOLDS:
        return JUDGED_HELD;
    case TILERACE_BROKEN:
        say_sentence(a, "error", &launch, &answer);
        return JUDGED_BROKE;
    default:
        want_integers(a);
        a->is_open = true;
        say_sentence(a, "note", &launch, &answer);
        return JUDGED_NOT_CHECKED;
    }
}

/* Checks the launch as a contract that states it and no other. */
static judgement_kind judge_alone(asking *a)
{
    judge *j = a->j;
    const char *stated =
        seen_as_contract(a->arena, a->launch, a->kernel, j->names, j->options.program, NULL);
    ptrdiff_t known = shgeti(j->alone, stated);
    if (known >= 0) {
        a->is_open = j->alone[known].is_open;
        return j->alone[known].value;
    }
    if (shlenu(j->alone) >= MOST_ALONE)
        return JUDGED_NOT_CHECKED;

    judgement_kind kind = JUDGED_NOT_CHECKED;
    tilerace_result *result = judge_check_stated(j, stated);
    size_t kernel = judge_find_in(result, a->launch->symbol);
    if (judge_first_error(result)) {
        judge_say_where(a);
        tr_text_addf(&a->answer->about, "note: this launch cannot be checked: %s\n",
                     judge_first_error(result));
    } else if (kernel < tilerace_kernel_count(result)) {
        const tilerace_kernel *of_module = a->kernel;
        a->kernel = tilerace_kernel_at(result, kernel);
        kind = judge_verdict(a, result, kernel);
        a->kernel = of_module;
    }
    tilerace_free(result);
    if (a->answer->n_wanted == 0) /* else it is not the last word */
        shputs(j->alone, ((struct judged_alone){(char *)stated, kind, a->is_open}));
    return kind;
}

static bool is_decided(judgement_kind kind)
{
    return kind != JUDGED_UNDECIDED && kind != JUDGED_NOT_CHECKED;
}

/* A launch that breaks what the proof needs. By itself it may be right all the same: a duplicate
 * that no tile block reads, views of one array that share no element. Or it has a proof of its own,
 * of which something is left open. */
static judgement_kind judge_broken(asking *a, const tilerace_launch *launch,
                                   const tilerace_answer *answer)
{
    judgement_kind alone = judge_alone(a);
    if (is_decided(alone) || a->is_open)
        return alone;
    tr_text_free(&a->answer->about);
    say_sentence(a, "error", launch, answer);
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
        judgement_kind alone = judge_alone(a);
        if (a->answer->n_wanted > 0)
            return alone; /* it is asked again */
        *in_vain = is_decided(alone) ? 0 : *in_vain + 1;
        if (is_decided(alone))
            return alone;
        tr_text_free(&a->answer->about);
    }
    say_sentence(a, "note", launch, answer);
    return JUDGED_NOT_CHECKED;
}

judgement_kind judge_it(asking *a)
{
    tilerace_launch launch;
    tilerace_answer answer;
    const uint64_t *grid = a->launch->grid;
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return JUDGED_HELD; /* no tile block runs */
    if (!seen_fits(a->launch, a->kernel))
        return JUDGED_NOT_CHECKED;
    launch = held_launch(a);
    switch (tilerace_check_launch(a->kernel, &launch, &answer)) {
    case TILERACE_HOLDS:
        return judge_has_error(a->kernel) ? judge_alone(a) : JUDGED_HELD;
    case TILERACE_BROKEN:
        return judge_broken(a, &launch, &answer);
    case TILERACE_UNPROVED:
        return judge_alone(a);
    default:
        return judge_open(a, &launch, &answer);
    }
}

size_t judge_written_by(const judge *j, tr_arena *arena, const seen_launch *launch, size_t kernel,
                        const judge_written **written)
{
    const kernel_report *report = &j->result->of_input.kernels[kernel];
    const tilerace_kernel *of = judge_kernel(j, kernel);
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

judgement judge_launch(judge *j, tr_arena *arena, const seen_launch *launch, bool asked_before)
{
    judgement answer = {.kind = JUDGED_NOT_CHECKED};
    size_t n = judge_n_kernels(j);
    answer.kernel = judge_find_kernel(j, launch->symbol);
    if (answer.kernel >= n)
        return answer;
    asking a = {.j = j,
                .arena = arena,
                .launch = launch,
                .asked_before = asked_before,
                .kernel = judge_kernel(j, answer.kernel),
                .answer = &answer};
    answer.kind = launch->is_pdl ? judge_dependent(&a) : judge_it(&a);
    answer.n_written = judge_written_by(j, arena, launch, answer.kernel, &answer.written);
    if (answer.n_wanted > 0 || (answer.about.length && j->told[answer.kernel]++ >= MOST_TOLD))
        tr_text_free(&answer.about);
    return answer;
}

/* ---- Section: The recording ---- */

const char *judge_record_module(judge *j, tr_arena *arena)
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

const char *judge_record_launch(judge *j, tr_arena *arena, const seen_launch *launch, size_t kernel)
{
    keeping k = {.recording = j->options.recording};
    seen_files files = {.keep = keep, .user = &k};
    if (!j->record || kernel >= judge_n_kernels(j) || !seen_fits(launch, judge_kernel(j, kernel)))
        return NULL;
    if (j->recorded++ >= MOST_RECORDED)
        return "a module has more launches than a recording takes";
    const char *stated = seen_as_contract(arena, launch, judge_kernel(j, kernel), j->names,
                                          j->options.program, &files);
    if (stated)
        recording_add_launch(k.recording, arena, j->record, stated, &k.why);
    return k.why;
}

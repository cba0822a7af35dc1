/* Launches that are checked by themselves: as a contract that states the launch and no other.
 *
 * A long table makes that hard: what is asked of its elements is asked of each of them. So such
 * tables are at first left open. The proof then asks something of their contents, which a look at
 * the elements decides, and that proof serves all launches which differ in these tables alone.
 * Where it does not hold, or there is none, the elements are stated one by one. */
#include "exec/judge_private.h"

#include <string.h>

#include "base/ds.h"

enum {
    MOST_ALONE = 4096, /* launches of a module that are checked by themselves */
    MOST_OPENED = 8,   /* proofs of a module with tables left open that are kept */
    FEW_ELEMENTS = 64, /* that are always stated */
};

/* ---- Section: Answers, by the contract that was checked ---- */

struct judged_alone {
    char *key;
    judgement_kind value;
    bool is_open;
    size_t n_wanted; /* contents that would tell more, without which this is not the last word */
    const uint32_t *wanted; /* their arguments */
    const char *found;      /* said again to a program that takes what is found; or NULL */
    uint64_t rules;
};

struct opened { /* the tables left open */
    char *key;
    tilerace_result *value; /* NULL: no proof */
};

void exec_judge_begin_alone(judge *j)
{
    sh_new_strdup(j->alone);
    sh_new_strdup(j->opened);
}

void exec_judge_free_alone(judge *j)
{
    for (size_t i = 0; i < shlenu(j->opened); i++)
        tilerace_free(j->opened[i].value);
    shfree(j->opened);
    shfree(j->alone);
}

/* Takes the answer of an equal launch; false: there is none, or it is not the last word, and the
 * contents that it wants are not to be had. */
static bool take_known(asking *a, const struct judged_alone *known)
{
    if (!known)
        return false;
    for (size_t i = 0; i < known->n_wanted; i++)
        exec_judge_want(a, known->wanted[i]);
    a->is_open = known->is_open;
    a->answer->rules = known->rules;
    if (known->found)
        tr_text_add(&a->answer->about, known->found);
    return known->n_wanted == 0 || a->answer->n_wanted > 0;
}

/* `found`: the text from there on is what was said of it. */
static void keep(asking *a, const char *stated, judgement_kind kind, size_t found)
{
    const judgement *answer = a->answer;
    bool says_again = a->launch->takes_finding && (kind == JUDGED_RACED || kind == JUDGED_BROKE);
    const char *said = says_again ? tr_text_get(&answer->about) + found : NULL;
    uint32_t *wanted = TR_NEW_ARRAY(a->j->arena, uint32_t, answer->n_wanted + 1);
    for (size_t i = 0; i < answer->n_wanted; i++)
        wanted[i] = answer->wanted[i].argument;
    shputs(a->j->alone,
           ((struct judged_alone){.key = (char *)stated,
                                  .value = kind,
                                  .is_open = a->is_open,
                                  .n_wanted = answer->n_wanted,
                                  .wanted = wanted,
                                  .rules = answer->rules,
                                  .found = said ? tr_arena_strdup(a->j->arena, said) : NULL}));
}

judgement_kind exec_judge_stated(asking *a, const char *stated, judge_how *how)
{
    judge *j = a->j;
    const char *key =
        a->launch->takes_finding ? tr_arena_printf(a->arena, "taken %s", stated) : stated;
    const struct judged_alone *known = shgetp_null(j->alone, key);
    if (take_known(a, known))
        return known->value;
    if (shlenu(j->alone) >= MOST_ALONE) {
        a->is_open = true;
        exec_judge_say_where(a);
        tr_text_addf(&a->answer->about,
                     "note: this launch is not checked: %d of its module were checked by "
                     "themselves before\n",
                     MOST_ALONE);
        return JUDGED_NOT_CHECKED;
    }
    size_t before = a->answer->about.length;
    judgement_kind kind = how(a, stated);
    keep(a, key, kind, before);
    return kind;
}

/* ---- Section: What the check of the launch says ---- */

static bool depends_on_contents(const tilerace_kernel *kernel)
{
    for (size_t i = 0; i < kernel->n_findings; i++)
        if (kernel->findings[i]->witness && kernel->findings[i]->witness->n_contents > 0)
            return true;
    return false;
}

/* A table whose elements are not known although they lead to what was found: to the addresses of a
 * race, or to an error in any way. NULL: none. */
static const char *invented_table(const finding *f)
{
    bool is_race = rule_is_race(f->rule);
    for (size_t e = 0; f->witness && e < f->witness->n_events; e++) {
        const witness_event *event = &f->witness->events[e];
        if (event->n_sources)
            return event->sources[0];
        if (!is_race && event->n_tables)
            return event->tables[0];
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
        exec_judge_say_where(a);
    else if (place && place->line) /* the message says "this store" */
        tr_text_addf(&a->answer->about, place->column ? "%s:%u:%u: " : "%s:%u: ", place->file,
                     place->line, place->column);
    tr_text_addf(&a->answer->about,
                 "note: the contents of '%s', which were not looked at, tell whether %s\n", table,
                 f->message);
    if (!is_race)
        exec_judge_say_launched_here(a);
}

/* Was everything that decides found with invented elements? Says so, and leaves the launch open.
 * Otherwise it is what was found. */
static bool only_invented(asking *a, const kernel_report *report)
{
    const char *first_table = NULL;
    const finding *first = NULL;
    if (depends_on_contents(a->kernel))
        exec_judge_want_integers(a);
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (!decides(a, f))
            continue;
        const char *table = invented_table(f);
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
    exec_judge_say_where(a);
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
static judgement_kind judge_verdict(asking *a, tilerace_result *result, size_t kernel)
{
    bool is_allowed = exec_judge_is_allowed(result, kernel);
    tilerace_launch launch;
    tilerace_answer answer;
    tr_text *about = &a->answer->about;
    switch (a->kernel->verdict) {
    case TILERACE_RACE:
        if (only_invented(a, &result->of_inputs[0].kernels[kernel]))
            return JUDGED_NOT_CHECKED;
        exec_judge_take_rules(a, &result->of_inputs[0].kernels[kernel]);
        exec_judge_write_result(a->j, result, kernel, false, about);
        exec_judge_say_launched_here(a);
        say_overlap(a, &result->of_inputs[0].kernels[kernel]);
        return is_allowed ? JUDGED_ALLOWED : JUDGED_RACED;
    case TILERACE_UNKNOWN:
        exec_judge_want_integers(a);
        exec_judge_write_result(a->j, result, kernel, true, about);
        exec_judge_say_launched_here(a);
        return JUDGED_UNDECIDED;
    case TILERACE_RACE_FREE:
    case TILERACE_CONDITIONAL:
        break;
    }
    if (exec_judge_has_error(a->kernel)) {
        if (only_invented(a, &result->of_inputs[0].kernels[kernel]))
            return JUDGED_NOT_CHECKED;
        exec_judge_take_rules(a, &result->of_inputs[0].kernels[kernel]);
        exec_judge_write_result(a->j, result, kernel, false, about);
        exec_judge_say_launched_here(a);
        if (!is_allowed)
            return JUDGED_BROKE;
    }
    launch = exec_judge_held_launch(a);
    switch (library_check_stated(a->kernel, &launch, &answer)) {
    case TILERACE_HOLDS:
        return is_allowed ? JUDGED_ALLOWED : JUDGED_HELD;
    case TILERACE_BROKEN:
        exec_judge_say_sentence(a, "error", &launch, &answer);
        return JUDGED_BROKE;
    default:
        exec_judge_want_integers(a);
        a->is_open = true;
        exec_judge_say_sentence(a, "note", &launch, &answer);
        return JUDGED_NOT_CHECKED;
    }
}

/* ---- Section: Long tables left open ---- */

static bool is_long_table(const asking *a, size_t i)
{
    const tilerace_parameter *p = a->kernel->parameters[i];
    const seen_argument *argument = &a->launch->arguments[i];
    uint64_t rows;
    return p->kind == TILERACE_POINTER && p->bits && p->element_bytes && argument->contents &&
           argument->contents_bytes / p->element_bytes > FEW_ELEMENTS &&
           !seen_rows(a->launch, a->kernel, a->j->names, i, &rows);
}

/* Returns the launch as a contract; NULL: the launch has no long table. */
static const char *without_long_tables(asking *a)
{
    seen_launch open = *a->launch;
    bool any = false;
    open.arguments = TR_NEW_ARRAY(a->arena, seen_argument, open.n_arguments + 1);
    for (size_t i = 0; i < open.n_arguments; i++) {
        open.arguments[i] = a->launch->arguments[i];
        if (!is_long_table(a, i))
            continue;
        open.arguments[i].contents = NULL;
        open.arguments[i].contents_bytes = 0;
        any = true;
    }
    return any ? seen_as_contract(a->arena, &open, a->kernel, a->j->names, NULL, NULL) : NULL;
}

/* Is the kernel proved, and nothing undefined that a look at the tables cannot exclude? */
static bool is_proved(const tilerace_result *result, const char *symbol)
{
    size_t kernel = exec_judge_find_in(result, symbol);
    if (exec_judge_first_error(result) || kernel >= tilerace_kernel_count(result))
        return false;
    const tilerace_kernel *k = tilerace_kernel_at(result, kernel);
    return (k->verdict == TILERACE_RACE_FREE || k->verdict == TILERACE_CONDITIONAL) &&
           !exec_judge_has_error(k);
}

/* NULL: no proof. *mine: the caller frees it. */
static tilerace_result *proof_of_opened(asking *a, const char *stated, bool *mine)
{
    judge *j = a->j;
    ptrdiff_t known = shgeti(j->opened, stated);
    *mine = false;
    if (known >= 0)
        return j->opened[known].value;
    tilerace_result *result = exec_judge_check_stated(j, stated);
    if (!is_proved(result, a->launch->symbol)) {
        tilerace_free(result);
        result = NULL;
    }
    *mine = result && j->n_opened >= MOST_OPENED;
    if (*mine)
        return result;
    j->n_opened += result != NULL;
    shput(j->opened, stated, result);
    return result;
}

/* Is the launch proved with its long tables left open, and do they keep what that proof asks? */
static bool holds_opened(asking *a)
{
    const char *stated = without_long_tables(a);
    bool mine, holds = false;
    tilerace_result *proof = stated ? proof_of_opened(a, stated, &mine) : NULL;
    if (!proof)
        return false;
    const tilerace_kernel *kernel =
        tilerace_kernel_at(proof, exec_judge_find_in(proof, a->launch->symbol));
    tilerace_launch launch = seen_as_launch(a->arena, a->launch, kernel, a->j->names);
    holds = library_check_stated(kernel, &launch, NULL) == TILERACE_HOLDS;
    if (mine)
        tilerace_free(proof);
    return holds;
}

/* ---- Section: The launch ---- */

static judgement_kind check_alone(asking *a, const char *stated)
{
    if (holds_opened(a))
        return JUDGED_HELD;
    judgement_kind kind = JUDGED_NOT_CHECKED;
    tilerace_result *result = exec_judge_check_stated(a->j, stated);
    size_t kernel = exec_judge_find_in(result, a->launch->symbol);
    if (exec_judge_first_error(result)) {
        exec_judge_say_where(a);
        tr_text_addf(&a->answer->about, "note: this launch cannot be checked: %s\n",
                     exec_judge_first_error(result));
    } else if (kernel < tilerace_kernel_count(result)) {
        const tilerace_kernel *of_module = a->kernel;
        a->kernel = tilerace_kernel_at(result, kernel);
        kind = judge_verdict(a, result, kernel);
        a->kernel = of_module;
    }
    tilerace_free(result);
    return kind;
}

judgement_kind exec_judge_alone(asking *a)
{
    const char *stated =
        seen_as_contract(a->arena, a->launch, a->kernel, a->j->names, a->j->options.program, NULL);
    return exec_judge_stated(a, stated, check_alone);
}

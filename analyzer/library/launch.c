/* A launch against the preconditions of a verdict. */
#include "library/library.h"

#include <stdlib.h>
#include <string.h>

enum { FEW = 64 };

typedef struct asking { /* a launch in the form that the guard reads */
    const tilerace_launch *launch;
    int64_t *scalars;
    guard_buffer *buffers;
    guard_result *results;
} asking;

static const void *contents_of(void *user, size_t arg, uint64_t *bytes)
{
    const tilerace_launch *launch = user;
    const tilerace_argument *a = launch->arguments[arg];
    if (a->contents) {
        *bytes = a->contents_bytes;
        return a->contents;
    }
    return launch->contents ? launch->contents(launch->user, arg, bytes) : NULL;
}

static tilerace_outcome outcome_of(guard_answer answer)
{
    static const tilerace_outcome outcomes[] = {
        [GUARD_HOLDS] = TILERACE_HOLDS,
        [GUARD_NOT_CHECKED] = TILERACE_NOT_CHECKED,
        [GUARD_NEEDS_CONTENTS] = TILERACE_NEEDS_CONTENTS,
        [GUARD_BROKEN] = TILERACE_BROKEN,
    };
    return outcomes[answer];
}

/* If several preconditions are broken, a race is reported first, then undefined behaviour. */
static bool is_worse(const library_kernel *k, size_t i, tilerace_outcome outcome,
                     const tilerace_answer *told)
{
    if (told->precondition < 0 || outcome != told->outcome)
        return outcome > told->outcome;
    return k->view.preconditions[i]->class_ > k->view.preconditions[told->precondition]->class_;
}

/* A launch that is none of the contract's is not covered, even if it keeps every precondition. */
static void tell_stated(const guard_stated *stated, tilerace_answer *answer)
{
    tilerace_outcome outcome = outcome_of(stated->result.answer);
    answer->not_checked += outcome == TILERACE_NOT_CHECKED || outcome == TILERACE_NEEDS_CONTENTS;
    if (outcome <= answer->outcome)
        return;
    answer->outcome = outcome;
    answer->precondition = -1;
    if (outcome != TILERACE_BROKEN)
        return;
    memcpy(answer->arguments, stated->result.args, sizeof answer->arguments);
    memcpy(answer->elements, stated->result.elements, sizeof answer->elements);
    answer->has_arguments = stated->result.has_args;
    answer->has_elements = stated->result.has_elements;
}

static void tell_preconditions(const library_kernel *k, const guard_result *results,
                               tilerace_answer *answer)
{
    *answer = (tilerace_answer){.outcome = TILERACE_HOLDS, .precondition = -1};
    for (size_t i = 0; i < k->view.n_preconditions; i++) {
        tilerace_outcome outcome = outcome_of(results[i].answer);
        answer->not_checked +=
            outcome == TILERACE_NOT_CHECKED || outcome == TILERACE_NEEDS_CONTENTS;
        if (!is_worse(k, i, outcome, answer))
            continue;
        answer->outcome = outcome;
        answer->precondition = (int)i;
    }
    if (answer->outcome != TILERACE_BROKEN)
        return;
    const guard_result *broken = &results[answer->precondition];
    int race = k->race_of[answer->precondition];
    memcpy(answer->arguments, broken->args, sizeof answer->arguments);
    memcpy(answer->elements, broken->elements, sizeof answer->elements);
    answer->has_arguments = broken->has_args;
    answer->has_elements = broken->has_elements;
    answer->race = race >= 0 ? k->view.findings[race] : NULL;
}

static guard_answer ask(const guard *g, const asking *a, guard_stated *stated)
{
    const tilerace_launch *launch = a->launch;
    for (size_t i = 0; i < launch->n_arguments; i++) {
        const tilerace_argument *arg = launch->arguments[i];
        a->scalars[i] = arg->integer;
        a->buffers[i] = (guard_buffer){
            .address = arg->address, .bytes_known = arg->bytes_known, .bytes = arg->bytes};
    }
    guard_launch guarded = {
        .grid = {launch->grid[0], launch->grid[1], launch->grid[2]},
        .n_args = launch->n_arguments,
        .scalars = a->scalars,
        .buffers = a->buffers,
        .contents = contents_of,
        .user = (void *)launch,
    };
    return guard_check(g, &guarded, a->results, stated);
}

typedef struct few_of_each { /* on the stack: most launches need no more */
    int64_t scalars[FEW];
    guard_buffer buffers[FEW];
    guard_result results[FEW];
} few_of_each;

/* Room for the launch's arguments and for so many results: in `few`, or allocated, which
 * leave_room() gives back. False: no memory. */
static bool make_room(asking *a, few_of_each *few, size_t n_results)
{
    size_t n = a->launch->n_arguments;
    bool many = n > FEW || n_results > FEW;
    a->scalars = many ? calloc(n + 1, sizeof *a->scalars) : few->scalars;
    a->buffers = many ? calloc(n + 1, sizeof *a->buffers) : few->buffers;
    a->results = many ? calloc(n_results + 1, sizeof *a->results) : few->results;
    return a->scalars && a->buffers && a->results;
}

static void leave_room(asking *a, const few_of_each *few)
{
    if (a->scalars == few->scalars)
        return;
    free(a->scalars);
    free(a->buffers);
    free(a->results);
}

static void check(const library_kernel *k, const tilerace_launch *launch, bool is_stated,
                  tilerace_answer *answer, guard_stated *stated)
{
    few_of_each few;
    asking a = {.launch = launch};
    if (make_room(&a, &few, k->view.n_preconditions)) {
        ask(k->guard, &a, stated);
        tell_preconditions(k, a.results, answer);
        if (!is_stated)
            tell_stated(stated, answer);
    } else {
        answer->outcome = TILERACE_NOT_CHECKED; /* no memory */
    }
    leave_room(&a, &few);
}

static tilerace_outcome check_launch(const tilerace_kernel *kernel, const tilerace_launch *launch,
                                     bool is_stated, tilerace_answer *answer)
{
    tilerace_answer unused;
    guard_stated stated;
    answer = answer ? answer : &unused;
    *answer = (tilerace_answer){.outcome = TILERACE_UNPROVED, .precondition = -1};
    if (launch->n_arguments != kernel->n_parameters)
        answer->outcome = TILERACE_BAD_LAUNCH;
    else if (kernel->verdict == TILERACE_RACE_FREE || kernel->verdict == TILERACE_CONDITIONAL)
        check((const library_kernel *)kernel, launch, is_stated, answer, &stated);
    return answer->outcome;
}

tilerace_outcome tilerace_check_launch(const tilerace_kernel *kernel, const tilerace_launch *launch,
                                       tilerace_answer *answer)
{
    return check_launch(kernel, launch, false, answer);
}

tilerace_outcome library_check_stated(const tilerace_kernel *kernel, const tilerace_launch *launch,
                                      tilerace_answer *answer)
{
    return check_launch(kernel, launch, true, answer);
}

bool library_stays_inside(const tilerace_kernel *kernel, const tilerace_launch *launch)
{
    const library_kernel *k = (const library_kernel *)kernel;
    if (!k->inside || launch->n_arguments != kernel->n_parameters)
        return true;
    few_of_each few;
    asking a = {.launch = launch};
    guard_answer answer = GUARD_NOT_CHECKED;
    if (make_room(&a, &few, kernel->n_parameters)) /* one for each buffer, at most */
        answer = ask(k->inside, &a, NULL);
    leave_room(&a, &few);
    return answer != GUARD_BROKEN;
}

/* ---- Section: Words ---- */

static void add_elements(tr_text *text, const tilerace_answer *answer, const char *name)
{
    if (answer->elements[0] != answer->elements[1])
        tr_text_addf(text, "; elements %lld and %lld of '%s' do not",
                     (long long)answer->elements[0], (long long)answer->elements[1], name);
    else
        tr_text_addf(text, "; element %lld of '%s' does not", (long long)answer->elements[0], name);
}

/* A launch that is none of those that the contract states. */
static void add_not_stated(tr_text *text, const tilerace_kernel *kernel,
                           const tilerace_launch *launch, const tilerace_answer *answer,
                           const char *stated)
{
    size_t i = answer->arguments[0], k = answer->arguments[1];
    tr_text_addf(text,
                 "the launch with grid (%lld, %lld, %lld) is not what the contract of '%s' states: "
                 "%s",
                 (long long)launch->grid[0], (long long)launch->grid[1], (long long)launch->grid[2],
                 kernel->name, stated);
    if (answer->has_elements)
        add_elements(text, answer, kernel->parameters[i]->name);
    else if (answer->has_arguments && i != k)
        tr_text_addf(text, "; '%s' and '%s' do not", kernel->parameters[i]->name,
                     kernel->parameters[k]->name);
    else if (answer->has_arguments && kernel->parameters[i]->kind == TILERACE_INTEGER)
        tr_text_addf(text, "; here %s = %lld", kernel->parameters[i]->name,
                     (long long)launch->arguments[i]->integer);
}

static void add_broken(tr_text *text, const tilerace_kernel *kernel, const tilerace_launch *launch,
                       const tilerace_answer *answer)
{
    const tilerace_precondition *p = kernel->preconditions[answer->precondition];
    const char *first = kernel->parameters[answer->arguments[0]]->name;
    tr_text_addf(text,
                 "the launch with grid (%lld, %lld, %lld) breaks what the proof of '%s' "
                 "needs: %s",
                 (long long)launch->grid[0], (long long)launch->grid[1], (long long)launch->grid[2],
                 kernel->name, p->text);
    if (answer->has_elements)
        add_elements(text, answer, first);
    else if (answer->has_arguments && answer->arguments[0] != answer->arguments[1])
        tr_text_addf(text, "; '%s' and '%s' overlap", first,
                     kernel->parameters[answer->arguments[1]]->name);
    else if (answer->has_arguments)
        tr_text_addf(text, "; '%s' has %llu bytes", first,
                     (unsigned long long)launch->arguments[answer->arguments[0]]->bytes);
    for (size_t i = 0; i < p->n_parameters; i++)
        tr_text_addf(text, "%s%s = %lld", i ? ", " : "; here ",
                     kernel->parameters[p->parameters[i]]->name,
                     (long long)launch->arguments[p->parameters[i]]->integer);
    if (answer->race)
        tr_text_addf(text, "; then %s [%s]", answer->race->message, answer->race->rule);
}

/* The fact of the contract that the answer is about, looked up anew: an answer has no room for it.
 */
static const char *stated_of(const tilerace_kernel *kernel, const tilerace_launch *launch,
                             const tilerace_answer *answer)
{
    tilerace_answer again;
    guard_stated stated = {.what = NULL};
    if (answer->outcome == TILERACE_NOT_CHECKED || answer->outcome == TILERACE_NEEDS_CONTENTS ||
        answer->outcome == TILERACE_BROKEN)
        check((const library_kernel *)kernel, launch, false, &again, &stated);
    return stated.what ? stated.what : "what its contract states holds";
}

size_t tilerace_describe(const tilerace_kernel *kernel, const tilerace_launch *launch,
                         const tilerace_answer *answer, char *buffer, size_t size)
{
    tr_text text = {0};
    const char *asked = answer->precondition >= 0
                            ? kernel->preconditions[answer->precondition]->text
                            : stated_of(kernel, launch, answer);
    switch (answer->outcome) {
    case TILERACE_HOLDS:
        tr_text_addf(&text, "the launch keeps all that the proof of '%s' needs", kernel->name);
        break;
    case TILERACE_NOT_CHECKED:
        tr_text_addf(&text, "what the launch tells leaves open whether %s", asked);
        break;
    case TILERACE_NEEDS_CONTENTS:
        tr_text_addf(&text, "the contents of buffers, which were not looked at, tell whether %s",
                     asked);
        break;
    case TILERACE_BROKEN:
        if (answer->precondition >= 0)
            add_broken(&text, kernel, launch, answer);
        else
            add_not_stated(&text, kernel, launch, answer, asked);
        break;
    case TILERACE_UNPROVED:
        tr_text_addf(&text,
                     "'%s' is not proved race-free, so there is nothing for a launch to keep",
                     kernel->name);
        break;
    case TILERACE_BAD_LAUNCH:
        tr_text_addf(&text, "'%s' has %zu parameters, and the launch passes %zu", kernel->name,
                     kernel->n_parameters, launch->n_arguments);
        break;
    }
    size_t length = text.length;
    if (size > 0) {
        size_t kept = length < size ? length : size - 1;
        memcpy(buffer, tr_text_get(&text), kept);
        buffer[kept] = 0;
    }
    tr_text_free(&text);
    return length;
}

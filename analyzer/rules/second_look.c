/* Single events that the solver has said to be defined at every launch, looked at again by runs.
 *
 * An event that is not is an error, or a precondition; and as the terms go on with exact values
 * where the machine's wrap, and leave out what undefined behaviour excludes, an answer that is
 * wrong about an event can hide a race of two others, which strategies then prove. So where any
 * event rests on the solver, a few short runs of launches that are certain to meet all that is
 * required are looked at: none of them may begin its undefined behaviour at such an event, and none
 * may show a race. Pairs that the solver has proved are looked at by pair.c. */
#include "rules/second_look.h"

#include "question/checker.h"
#include "question/decided.h"
#include "witness/enumerate.h"
#include "witness/launches.h"

#include "base/ds.h"

typedef struct leaned_event {
    const ir_op *op;
    bool index_space;
} leaned_event;

void note_leaned_event(checker *k, const ir_op *op, bool index_space)
{
    arrput(k->undefined.leaned, ((leaned_event){op, index_space}));
}

void note_proved_event(checker *k, const ir_op *op, bool index_space)
{
    if (solver_was_needed(k))
        note_leaned_event(k, op, index_space);
    count_proved(k);
}

static bool rests_on_solver(const checker *k, const enumerated_first *first)
{
    for (size_t i = 0; i < arrlenu(k->undefined.leaned); i++)
        if (k->undefined.leaned[i].op == first->op &&
            k->undefined.leaned[i].index_space == first->index_space)
            return true;
    return false;
}

/* Are there preconditions in words? It is not known whether a launch meets these. */
static bool has_words(const checker *k)
{
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        if (!k->requires_[i].fact)
            return true;
    return false;
}

static const ir_op *shown_undefined(checker *k)
{
    const enumerated_first *first;
    size_t n = enumerate_first_undefined(k, &first);
    for (size_t i = 0; i < n; i++)
        if (rests_on_solver(k, &first[i]) && witness_launch_surely_holds(k, first[i].launch))
            return first[i].op;
    return NULL;
}

void second_look_at_events(checker *k)
{
    if (arrlenu(k->undefined.leaned) == 0 || k->wraps.by_runs || k->wraps.machine_values ||
        k->undefined.open || has_words(k))
        return;
    const ir_op *op = shown_undefined(k);
    if (op)
        count_unknown(k, REASON_SOLVER_CONTRADICTION, op->place,
                      "The solver contradicts a run: it said that this is always defined, and the "
                      "run shows undefined behaviour here.");
    else if (enumerate_shows_race(k))
        count_unknown(k, REASON_SOLVER_CONTRADICTION, k->kernel->place,
                      "The solver contradicts a run: what follows from its answers is race-free, "
                      "and the run shows a race.");
}

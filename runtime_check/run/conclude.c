/* Decides what the runs of a launch mean beside what the checker says of the kernel.
 *
 * The runs come first. A pair of accesses that happens-before of a run leaves unordered is a race,
 * whatever the prover says; it denies a race-free verdict where the launch meets the contract and
 * every precondition of the verdict. Differences without such a pair depend on the order in which
 * tile blocks synchronise. */
#include "run/conclude.h"

#include "run/report.h"
#include "run/target.h"

#include <string.h>

static bool says(const run_report *r, const char *verdict)
{
    return r->checker && strncmp(r->checker, verdict, strlen(verdict)) == 0;
}

/* Is the kernel proved for every launch that meets its preconditions? */
static bool is_proved(const run_report *r)
{
    return says(r, "race-free") || says(r, "conditional");
}

static uint64_t elements_that_differ(const run_report *r)
{
    uint64_t sum = 0;
    for (size_t i = 0; i < r->n_outputs; i++)
        sum += r->outputs[i].output.differing;
    return sum;
}

/* ---- Section: Races ---- */

/* The race that denies the verdict; else NULL. */
static const run_race *denying(const run_report *r)
{
    for (size_t i = 0; i < r->n_races && is_proved(r); i++)
        if (r->races[i].n_broken == 0 && !r->races[i].undecided)
            return &r->races[i];
    return NULL;
}

static const char *seen(tr_arena *arena, const run_report *r)
{
    const char *races = r->n_races == 1 ? "a race is seen"
                                        : tr_arena_printf(arena, "%zu races are seen", r->n_races);
    uint64_t differing = elements_that_differ(r);
    if (differing)
        return tr_arena_printf(arena, "%s, and %llu element%s over %u runs", races,
                               (unsigned long long)differing,
                               differing == 1 ? " differs" : "s differ", r->runs);
    return tr_arena_printf(arena, "%s, though no output differs in %u runs", races, r->runs);
}

static void conclude_races(const run_target *t, run_report *r)
{
    tr_arena *arena = t->s->arena;
    const run_race *race = denying(r);
    r->order_dependent = false;
    if (race) {
        run_contradiction *c = TR_NEW(arena, run_contradiction);
        *c = (run_contradiction){.verdict = says(r, "conditional") ? "conditional" : "race-free",
                                 .race = race};
        r->contradiction = c;
        r->words = tr_arena_printf(
            arena,
            "contradiction: the checker says that the kernel is %s, but %s; the launch meets the "
            "contract and every precondition, so one of the two is wrong",
            c->verdict, seen(arena, r));
    } else if (is_proved(r) && r->races[0].n_broken) {
        r->words = tr_arena_printf(
            arena,
            r->races[0].broken[0].reported
                ? "%s; the launch has undefined behaviour that the checker reports: %s"
                : "%s; the launch breaks a precondition of the checker's verdict: %s",
            seen(arena, r), r->races[0].broken[0].text);
    } else if (is_proved(r)) {
        r->words = tr_arena_printf(arena,
                                   "%s; whether the launch meets this precondition of the "
                                   "checker's verdict is not known: %s",
                                   seen(arena, r), r->races[0].undecided);
    } else if (!r->nondeterministic) {
        r->words = seen(arena, r);
    }
}

/* ---- Section: Differences without a race ---- */

static const char *unless_cut_short(const run_report *r)
{
    return r->races_cut_short ? "no race is seen in them (the search for one was cut short)"
                              : "happens-before orders all conflicting accesses of these runs";
}

/* The launch itself may show nothing where a smaller one, or that of a reported race, does. */
static void conclude_differences(const run_target *t, run_report *r)
{
    tr_arena *arena = t->s->arena;
    const run_difference *d = r->difference;
    bool proved = is_proved(r), racy = says(r, "race:");
    if (proved && r->nondeterministic) {
        r->nondeterministic = false;
        r->order_dependent = true;
        r->words = tr_arena_printf(
            arena,
            "%llu elements differ over %u runs, and %s: the results depend on the order in which "
            "tile blocks synchronise, which is no race",
            (unsigned long long)elements_that_differ(r), r->runs, unless_cut_short(r));
    } else if (proved && d && !r->order_dependent) {
        r->order_dependent = true;
        r->words = tr_arena_printf(
            arena,
            "no difference in %u schedules; in a small launch two schedules differ, and %s: the "
            "results depend on the order in which tile blocks synchronise, which is no race",
            r->runs, unless_cut_short(r));
    } else if (d && d->rounds && !racy && !r->nondeterministic && !r->order_dependent) {
        r->order_dependent = true;
        r->words = tr_arena_printf(arena,
                                   "no difference in %u schedules; in a small launch two "
                                   "schedules differ by as little as float additions in another "
                                   "order do",
                                   r->runs);
    } else if (!proved && d && !r->nondeterministic &&
               (!r->order_dependent || (racy && !d->rounds))) {
        r->words = tr_arena_printf(
            arena, "nondeterminism confirmed: two schedules of a small launch end differently%s",
            r->order_dependent
                ? ""
                : tr_arena_printf(arena, "; no difference in %u schedules of the launch below",
                                  r->runs));
        r->nondeterministic = true;
        r->order_dependent = false;
    }
}

void run_conclude(const run_target *t, run_report *r)
{
    r->checker = t->checker;
    if (r->error)
        return;
    bool cpu = strcmp(r->device, "cpu") == 0;
    if (cpu && (r->n_races == 0 || !is_proved(r)))
        conclude_differences(t, r);
    if (r->n_races > 0)
        conclude_races(t, r);
    else if (r->judged && is_proved(r))
        r->words = tr_arena_printf(t->s->arena,
                                   "%s; %u runs of the interpreter on this launch show no race",
                                   r->words, r->judged);
}

int run_exit_code(const run_report *r)
{
    if (r->error || r->hang || r->contradiction)
        return EXIT_BAD;
    return r->nondeterministic || r->missed || r->n_races || r->n_undefined ? EXIT_FINDINGS
                                                                            : EXIT_CLEAN;
}

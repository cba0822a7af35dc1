/* Every question to the prover passes here: facts on buffer contents are added for the elements
 * that the question speaks of, the time that is left is kept, and answers are counted. */
#include "question/ask.h"

#include "question/checker.h"
#include "question/contents.h"
#include "solver/kept.h"

#include "base/ds.h"

#include <string.h>

smt_steps ask_taken(const checker *k)
{
    return smt_steps_taken(k->ctx) - k->effort.began;
}

smt_steps ask_left(const checker *k)
{
    smt_steps taken = ask_taken(k);
    return tr_budget_is_spent(smt_budget(k->ctx)) || taken >= k->effort.steps
               ? 0
               : k->effort.steps - taken;
}

/* Units of the interpreter's work in one step: elements computed or moved, and pairs of accesses
 * compared. An access costs as much as a step, however few its elements: blocks take turns there.
 */
enum { RUN_STEPS_A_STEP = 32 };

/* A kernel that was not at its end after so many accesses, in a run that was given many steps, has
 * a loop without one, or a very long one, most often at other launches too. What races is met in
 * the first iterations, so its later runs are short. One of large tiles has few accesses, and the
 * race may be in the last; and what waits by a schedule may only wait for its turn. */
enum {
    ENDLESS = 1 << 14,
    LONG_RUN = 4 * 1000 * 1000,
    BRIEF_RUN = 300 * 1000,
    BRIEFEST_RUN = 60 * 1000,
    FEW_ENDLESS = 2,
    MANY_ENDLESS = 6
};

static uint64_t unscheduled_steps(const checker *k, uint64_t most)
{
    uint64_t brief = k->effort.endless_runs >= MANY_ENDLESS ? BRIEFEST_RUN : BRIEF_RUN;
    return k->effort.endless_runs >= FEW_ENDLESS && most > brief ? brief : most;
}

static interp_run *take_run(checker *k, interp_run *run, uint64_t steps, bool scheduled)
{
    bool was_long = k->effort.endless_runs >= FEW_ENDLESS || steps >= LONG_RUN;
    k->effort.endless_runs += was_long && !scheduled && interp_run_status(run) == INTERP_LIMIT &&
                              interp_instances(run) >= ENDLESS;
    smt_take_steps(k->ctx, interp_work(run) / RUN_STEPS_A_STEP + interp_instances(run));
    return run;
}

interp_run *ask_run(checker *k, const concrete_launch *launch, uint64_t steps, uint64_t events,
                    const interp_schedule *schedule)
{
    interp_limits limits = {.steps = schedule ? steps : unscheduled_steps(k, steps),
                            .events = events,
                            .budget = smt_budget(k->ctx)};
    const model_choices *model = &k->options->model;
    interp_run *run =
        schedule ? interp_execute_scheduled(k->kernel, launch, model, &limits, 0, NULL, schedule)
                 : interp_execute(k->kernel, launch, model, &limits, NULL);
    return take_run(k, run, limits.steps, schedule != NULL);
}

interp_run *ask_run_blocks(checker *k, const concrete_launch *launch, uint64_t steps, size_t n,
                           const uint32_t *blocks)
{
    enum { EVENTS = 4000000 };
    interp_limits limits = {
        .steps = unscheduled_steps(k, steps), .events = EVENTS, .budget = smt_budget(k->ctx)};
    const model_choices *model = &k->options->model;
    interp_run *run = interp_execute_blocks(k->kernel, launch, model, &limits, n, blocks);
    return take_run(k, run, limits.steps, false);
}

size_t ask_races(checker *k, const interp_run *run, size_t limit, interp_race *races)
{
    bool elsewhere; /* another schedule may show more: the caller tries them */
    uint64_t most = (uint64_t)400 * 1000 * 1000, left = most;
    size_t n = interp_find_races_within(run, false, races, limit, &elsewhere, &left);
    smt_take_steps(k->ctx, (most - left) / RUN_STEPS_A_STEP);
    return n < limit ? n : limit;
}

/* A question as it is put to the prover. */
typedef struct asked {
    size_t n;
    const smt_t *terms;
} asked;

static void keep_text(checker *k, const asked *all, const char *name)
{
    if (!k->options->obligations)
        return;
    tr_text_addf(k->options->obligations, "; obligation: %s\n", name);
    smt_print_query(k->options->obligations, k->ctx, all->n, all->terms);
}

smt_answer ask_refusal(const checker *k)
{
    if (smt_is_cut(k->ctx))
        return (smt_answer){.verdict = SMT_UNKNOWN,
                            .why = SMT_WHY_BUDGET,
                            .why_text = "the time limit of --budget is used up"};
    return (smt_answer){.verdict = SMT_UNKNOWN,
                        .why = SMT_WHY_STEPS,
                        .why_text = "the steps for this kernel are used up"};
}

/* The query with the facts that it calls for, in the arena. */
static asked question(checker *k, tr_arena *arena, query q, const char *name)
{
    query all = contents_with_facts(k, arena, q);
    const asked question = {all.n, query_terms(arena, all)};
    keep_text(k, &question, name);
    return question;
}

smt_answer ask_for(checker *k, query q, const char *name, smt_steps most)
{
    smt_steps left = ask_left(k);
    if (left == 0)
        return ask_refusal(k);
    tr_arena *arena = tr_arena_new(); /* of facts that no other question needs */
    asked all = question(k, arena, q, name);
    most = left < most ? left : most;
    smt_answer answer = most ? smt_check(k->prover, all.n, all.terms, most, name) : ask_refusal(k);
    tr_arena_free(arena);
    return answer;
}

smt_verdict ask_verdict(checker *k, query q, const char *name, smt_steps most)
{
    smt_steps left = ask_left(k);
    if (left == 0)
        return SMT_UNKNOWN;
    tr_arena *arena = tr_arena_new();
    asked all = question(k, arena, q, name);
    most = left < most ? left : most;
    smt_verdict verdict =
        most ? smt_check_verdict(k->prover, all.n, all.terms, most, name) : SMT_UNKNOWN;
    tr_arena_free(arena);
    return verdict;
}

bool ask_never(checker *k, smt_t condition, const char *name, smt_steps most)
{
    smt_steps left = ask_left(k);
    if (left == 0)
        return false;
    const smt_t terms[] = {k->known.launch, condition};
    const asked all = {TR_COUNT(terms), terms};
    keep_text(k, &all, name);
    return smt_check_verdict(k->prover, all.n, all.terms, left < most ? left : most, name) ==
           SMT_UNSAT;
}

/* The share of a kernel's steps for one question: one part in so many. A question that takes longer
 * is hardly ever decided, and later questions would lack the steps. If the contract states all
 * sizes and contents, no precondition could decide it sooner, and a question may take all steps. */
enum { QUESTION_SHARE = 20, EVENT_SHARE = 80 };

static smt_steps share_of_steps(const checker *k, int share)
{
    return contract_is_silent(k->contract) ? k->effort.steps / share : k->effort.steps;
}

smt_answer ask(checker *k, query q, const char *name)
{
    return ask_for(k, q, name, share_of_steps(k, QUESTION_SHARE));
}

smt_verdict ask_briefly(checker *k, query q, const char *name)
{
    return ask_verdict(k, q, name, ASK_BRIEF);
}

/* A launch that is easy to read is found in a tenth of this, or another one is shown. */
enum { SMALL = 1000 * 1000 };

smt_answer ask_small(checker *k, query q, const smt_t *small, const char *name)
{
    smt_steps left = ask_left(k);
    if (left == 0)
        return ask_refusal(k);
    tr_arena *arena = tr_arena_new();
    asked all = question(k, arena, q, name);
    smt_answer answer = smt_check_small(k->prover, all.n, all.terms, arrlenu(small), small,
                                        left < SMALL ? left : SMALL, name);
    tr_arena_free(arena);
    return answer;
}

smt_answer ask_event(checker *k, query q, const char *name)
{
    return ask_for(k, q, name, share_of_steps(k, EVENT_SHARE));
}

bool ask_is_unsat(checker *k, query q, const char *name)
{
    return ask_verdict(k, q, name, share_of_steps(k, QUESTION_SHARE)) == SMT_UNSAT;
}

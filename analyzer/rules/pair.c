/* One obligation about two events: ask, and if it fails, replay the witness. */
#include "rules/pair.h"

#include "order/orders.h"
#include "precondition/added.h"
#include "precondition/hope.h"
#include "precondition/natural.h"
#include "precondition/pairs.h"
#include "precondition/search.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/two_events.h"
#include "rules/wraps_meet.h"
#include "witness/enumerate.h"
#include "witness/equal_elements.h"
#include "witness/replay.h"
#include "witness/schedules.h"

#include "base/ds.h"

#include <string.h>

static model_access access_kind(const ix_access *a)
{
    return (model_access)((a->reads ? MODEL_READ : 0) | (a->writes ? MODEL_WRITE : 0));
}

/* Are the two morally strong if they both touch all of one location (D6)? */
static bool strong_in_full(const ix_access *a, const ix_access *b, bool same_block)
{
    return a->width == b->width &&
           model_mutual_scope(a->ordering, a->scope, b->ordering, b->scope, same_block, true);
}

/* May accesses of one width be at addresses whose distance is no multiple of it? An unknown address
 * counts as aligned. */
static bool may_overlap_in_part(checker *k, const ix_access *a, const ix_access *b)
{
    if (a->unknown || b->unknown || a->width == 1)
        return false;
    smt_t first = copy_term(k, a->bytes, COPY_OTHER_BLOCK, 0);
    smt_t second = copy_term(k, b->bytes, COPY_OTHER_BLOCK, 1);
    smt_t apart = smt_sub(k->ctx, first, second);
    return smt_mod(k->ctx, apart, smt_int_const(k->ctx, a->width)) != smt_int_const(k->ctx, 0);
}

bool pair_may_conflict(checker *k, const ix_access *a, const ix_access *b, bool same_block)
{
    if (!model_conflict(access_kind(a), access_kind(b)))
        return false;
    if (a->allocation >= 0 && b->allocation >= 0 && a->allocation != b->allocation)
        return false;
    if (strong_in_full(a, b, same_block))
        return may_overlap_in_part(k, a, b);
    return !model_mutual_scope(a->ordering, a->scope, b->ordering, b->scope, same_block,
                               a->width == b->width);
}

/* The condition that the two events are on one location and not morally strong. */
smt_t pair_in_conflict(checker *k, const ix_access *a, const ix_access *b, copy_relation relation)
{
    smt_t same = copy_same_location(k, a, b, relation);
    if (!strong_in_full(a, b, relation != COPY_OTHER_BLOCK) || a->unknown || b->unknown)
        return same;
    smt_t first = copy_term(k, a->bytes, relation, 0), second = copy_term(k, b->bytes, relation, 1);
    return smt_and(k->ctx, same, smt_ne(k->ctx, first, second));
}

/* After this many pairs without a witness, only what takes few steps is tried for the others. */
enum { MANY_UNSHOWN = 8 };

/* Small launches tried one by one come first: which of them shows the race does not depend on how
 * fast the solver is. Then the model's launch, made small; then the model as it is. */
static witness *find_witness(checker *k, const ix_access *a, const ix_access *b,
                             copy_relation relation, query conjuncts, const smt_model *model,
                             const char *name, const char **why)
{
    witness *w = enumerate_witness(k, a, b, relation);
    if (!w && k->effort.unshown >= MANY_UNSHOWN)
        return witness_of_race(k, model, a, b, relation, why);
    if (!w)
        w = witness_in_schedules(k, a, b, relation, why);
    if (w)
        return w;
    /* Launches that a caller would make come first: they meet what ops need to be defined. */
    smt_t *small = NULL;
    copy_add_small(k, &small, a, relation, 0);
    copy_add_small(k, &small, b, relation, 1);
    for (int all = k->unenforced != NULL; all >= 0 && !w; all--) {
        query among = query_with(k, conjuncts, all ? k->unenforced : smt_bool_const(k->ctx, true));
        smt_answer answer = ask_small(k, among, small, tr_arena_printf(k->arena, "%s-small", name));
        if (answer.verdict == SMT_SAT)
            w = witness_of_race(k, answer.model, a, b, relation, why);
    }
    arrfree(small);
    return w ? w : witness_of_race(k, model, a, b, relation, why);
}

witness *pair_find_witness(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, query conjuncts, const smt_model *model,
                           const char *name, const char **why)
{
    witness *w = find_witness(k, a, b, relation, conjuncts, model, name, why);
    k->effort.unshown += w == NULL;
    return w;
}

typedef struct load_search {
    const checker *k;
    bool found;
} load_search;

static void look_for_load(void *user, smt_t term)
{
    load_search *s = user;
    s->found |= term->kind == SMT_APP && strncmp(term->name, "load.", 5) == 0 &&
                summary_contents_of(s->k->s, term, NULL) < 0;
}

/* Does the address depend on a value that was loaded from memory which the launch writes? */
static bool hangs_on_own_loads(const checker *k, const ix_access *a)
{
    load_search s = {k, false};
    smt_visit(k->ctx, a->bytes, look_for_load, &s);
    return s.found;
}

static void count_open(checker *k, const ix_access *a, const ix_access *b, const char *what,
                       const smt_answer *answer, const char *why)
{
    const char *buffer = buffer_name(k, a);
    if (solver_has_failed(k))
        count_unknown_answer(k, answer, a->op->place,
                             tr_arena_printf(k->arena, "%s of '%s' is not proved", what, buffer));
    else if (hangs_on_own_loads(k, a) || hangs_on_own_loads(k, b))
        count_unknown(
            k, REASON_DATA_DEPENDENT, a->op->place,
            "%s of '%s' is not proved: an address depends on data that this kernel also writes",
            what, buffer);
    else if (answer->verdict == SMT_SAT)
        count_unknown(k, REASON_UNREPLAYED_WITNESS, a->op->place,
                      "%s of '%s' is not proved, and the replay shows no race: %s", what, buffer,
                      why ? why : "no conflicting events met");
    else
        count_unknown_answer(k, answer, a->op->place,
                             tr_arena_printf(k->arena, "%s of '%s' is not proved", what, buffer));
}

/* A race that is shown, while the solver has failed in the search for a precondition: with it the
 * verdict may be conditional. */
static void count_unexcused(checker *k, const ix_access *a, const char *what)
{
    smt_answer none = {.verdict = SMT_UNKNOWN};
    count_unknown_answer(k, &none, a->op->place,
                         tr_arena_printf(k->arena,
                                         "%s of '%s' fails in a launch, and it is not known "
                                         "whether a precondition excludes that launch",
                                         what, buffer_name(k, a)));
}

enum { AFTER_SHARE = 8 };

/* Without an answer for this pair the kernel is unknown, if no other pair shows a race: that takes
 * a small share of the steps, and the rest would be spent on proofs that change nothing. */
static void save_steps(checker *k, const smt_answer *answer)
{
    if (answer->verdict == SMT_UNKNOWN && answer->why == SMT_WHY_STEPS)
        k->effort.steps = ask_taken(k) + ask_left(k) / AFTER_SHARE;
}

/* Nothing can be asked any more. A launch that races may be there; whether a precondition excludes
 * it cannot be known. Where runs alone are to show a race, all preconditions are. */
static pair_outcome leave_open(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, const char *what, witness **w)
{
    if (k->wraps.by_runs && (*w = enumerate_witness(k, a, b, relation))) {
        count_refuted(k);
        return PAIR_RACE;
    }
    smt_answer none = ask(k, (query){0}, "");
    count_unknown_answer(k, &none, a->op->place, what);
    return PAIR_OPEN;
}

/* No precondition was found, so the search is for a launch that a caller would make and that races.
 * It keeps what is hoped for (precondition/hope.h); none of that stays assumed. */
static pair_outcome look_for_race(checker *k, const ix_access *a, const ix_access *b,
                                  copy_relation relation, smt_t also, query conjuncts,
                                  const char *name, const char *what, smt_answer answer,
                                  witness **w)
{
    const char *why = NULL;
    const known_contents contents = k->known.contents;
    if (hope_is_left(k))
        k->known.contents = k->hoped.contents;
    answer = require_natural(k, a, b, relation, also, &conjuncts, name, answer);
    bool searched = !solver_has_failed(k);
    if (answer.verdict == SMT_UNSAT) {
        TR_ASSERT(!hope_is_left(k)); /* what is only hoped for proves nothing */
        count_proved(k);
        return PAIR_PROVED;
    }
    *w = answer.verdict == SMT_SAT
             ? pair_find_witness(k, a, b, relation, conjuncts, answer.model, name, &why)
             : enumerate_witness(k, a, b, relation);
    k->known.contents = contents;
    if (*w && searched) {
        count_refuted(k);
        return PAIR_RACE;
    }
    if (*w) {
        count_unexcused(k, a, what);
        return PAIR_POSSIBLE;
    }
    count_open(k, a, b, what, &answer, why);
    save_steps(k, &answer);
    return answer.verdict == SMT_SAT ? PAIR_POSSIBLE : PAIR_OPEN;
}

/* Can a and b race, or otherwise meet, as `relation` says? Cheap ways come first: a replayed run in
 * which values wrap, elements that are equal for certain, the solver without preconditions, the
 * lemmas of synchronisation. Then a precondition is looked for, and at last a race. */
static pair_outcome decide(checker *k, const ix_access *a, const ix_access *b,
                           copy_relation relation, smt_t also, const char *name, const char *what,
                           witness **w)
{
    *w = relation == COPY_OTHER_BLOCK ? wraps_witness(k, a, b) : NULL;
    if (*w) {
        count_refuted(k);
        return PAIR_RACE;
    }
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, b, relation);
    query_add(k, &conjuncts, also);
    query_add(k, &conjuncts, pair_in_conflict(k, a, b, relation));
    equal_outcome equal = equal_elements_decide(k, a, b, relation, conjuncts, name, w);
    if (equal != EQUAL_OPEN) {
        if (equal == EQUAL_NEVER)
            count_proved(k);
        else
            count_refuted(k);
        return equal == EQUAL_NEVER ? PAIR_PROVED : PAIR_RACE;
    }
    smt_answer answer = ask_for(k, conjuncts, name, ASK_BRIEF);
    if (answer.verdict != SMT_UNSAT && require_found_suffices(k, a, b, relation, also, conjuncts))
        answer = (smt_answer){.verdict = SMT_UNSAT};
    if (answer.verdict == SMT_UNKNOWN)
        answer = require_ask_again(k, a, b, relation, also, conjuncts, name);
    const ix_access *unknown = a->unknown ? a : b->unknown ? b : NULL;
    if (answer.verdict == SMT_UNSAT || (relation == COPY_OTHER_BLOCK && order_proves(k, a, b))) {
        count_proved(k);
        return PAIR_PROVED;
    }
    if (unknown && (*w = enumerate_witness(k, a, b, relation))) {
        count_refuted(k);
        return PAIR_RACE;
    }
    if (unknown) {
        count_unknown(k, REASON_DATA_DEPENDENT, unknown->op->place,
                      "the address of an access is not known: %s", unknown->unknown);
        return PAIR_OPEN;
    }
    if (require_search(k, a, b, relation, also, conjuncts)) {
        count_proved(k);
        return PAIR_PROVED;
    }
    return ask_left(k) == 0
               ? leave_open(k, a, b, relation, what, w)
               : look_for_race(k, a, b, relation, also, conjuncts, name, what, answer, w);
}

/* A pair that the solver has proved, and that a run shows to race, is a race: the run is one. */
static pair_outcome look_again(checker *k, const ix_access *a, const ix_access *b,
                               copy_relation relation, witness **w)
{
    *w = enumerate_second_look(k, a, b, relation);
    if (!*w)
        return PAIR_PROVED;
    k->report->proved--;
    k->report->proved_by_solver--;
    k->report->refuted++;
    return PAIR_RACE;
}

pair_outcome pair_decide(checker *k, const ix_access *a, const ix_access *b, copy_relation relation,
                         smt_t also, const char *name, const char *what, witness **w)
{
    step_begins(k, RULES_PROVING);
    *w = NULL;
    if (ask_left(k) == 0 || k->wraps.by_runs)
        return leave_open(k, a, b, relation, what, w);
    obligation_of before = k->deciding;
    k->deciding = (obligation_of){a, b, relation, also};
    solver_window(k);
    size_t answers_before = k->effort.leaned_at;
    require_enter_pair(k);
    pair_outcome outcome = decide(k, a, b, relation, also, name, what, w);
    require_basis(k);
    require_leave_pair(k);
    bool by_solver = k->effort.leaned_at > answers_before;
    if (outcome == PAIR_PROVED && by_solver)
        outcome = look_again(k, a, b, relation, w);
    k->deciding = before;
    return outcome;
}

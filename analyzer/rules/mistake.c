/* Finds the mistake by which two blocks' accesses race although something synchronises. The lemmas
 * are tried on copies of the summary in each of which one mistake is corrected (mistake_edits.c).
 * The first correction with which a lemma orders the accesses names the mistake, and is used for
 * nothing else. */
#include "rules/mistake.h"

#include "order/each.h"
#include "order/event.h"
#include "order/lock.h"
#include "order/state.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "rules/rule_front_end.h"
#include "rules/mistake_edits.h"

#include "base/ds.h"

#include <string.h>

typedef struct mistake {
    unsigned edits; /* 0: see `corrected` */
    /* Would the two be ordered then? */
    bool (*corrected)(checker *k, const ix_access *a, const ix_access *b, sync_ends *ends);
    rule_id rule;
    bool at_release; /* else at the acquire */
    const char *format;
} mistake;

static bool not_at_launch(checker *k, const ix_access *a, const ix_access *b, sync_ends *ends)
{
    return corrected_wait_would_order(k, SYNC_WAIT_INITIAL, a, b, ends);
}

static bool right_value(checker *k, const ix_access *a, const ix_access *b, sync_ends *ends)
{
    return corrected_wait_would_order(k, SYNC_WAIT_VALUE, a, b, ends) ||
           corrected_wait_would_order(k, SYNC_WAIT_COUNT, a, b, ends);
}

static bool right_element(checker *k, const ix_access *a, const ix_access *b, sync_ends *ends)
{
    return corrected_wait_would_order(k, SYNC_WAIT_ELEMENT, a, b, ends);
}

/* Is each of the two in a section of some lock? With one lock for both, they would be ordered. */
static bool one_lock(checker *k, const ix_access *a, const ix_access *b, sync_ends *ends)
{
    order_event of_a, of_b;
    order_pair p = order_pair_of(k, a, b);
    bool held =
        order_holds_lock(k, &p.a, p.both, &of_a) && order_holds_lock(k, &p.b, p.both, &of_b);
    *ends = (sync_ends){.acquire = held ? of_b.access : NULL};
    return held;
}

/* Ops without an order take no tokens by themselves, so what does not release is mostly not ordered
 * after the data either: those corrections come in twos, and are of such ops alone. */
static const mistake mistakes[] = {
    {SYNC_EDIT_SCOPE, NULL, RULE_NARROW_SCOPE, true,
     "the scope of %s does not include the other tile block"},
    {SYNC_EDIT_RELEASE, NULL, RULE_MISSING_RELEASE, true, "%s is not a release"},
    {SYNC_EDIT_ACQUIRE, NULL, RULE_MISSING_ACQUIRE, false, "%s is not an acquire"},
    {SYNC_EDIT_RELEASE | SYNC_EDIT_ACQUIRE, NULL, RULE_MISSING_RELEASE, true,
     "%s is not a release, and nothing acquires it"},
    {SYNC_EDIT_PER_NAME, NULL, RULE_TOKEN_BEFORE_RELEASE, true,
     "only the token of one iteration reaches %s"},
    {0, one_lock, RULE_DIFFERENT_LOCKS, false,
     "the lock that %s acquires is not the same for both"},
    {SYNC_EDIT_RELEASE | SYNC_EDIT_BEFORE, NULL, RULE_MISSING_RELEASE, true, "%s is not a release"},
    {SYNC_EDIT_ACQUIRE | SYNC_EDIT_AFTER, NULL, RULE_MISSING_ACQUIRE, false,
     "%s is not an acquire"},
    {SYNC_EDIT_RELEASE | SYNC_EDIT_BEFORE | SYNC_EDIT_AFTER, NULL, RULE_MISSING_RELEASE, true,
     "%s is not a release"},
    {SYNC_EDIT_RELEASE | SYNC_EDIT_ACQUIRE | SYNC_EDIT_BEFORE | SYNC_EDIT_AFTER, NULL,
     RULE_MISSING_RELEASE, true, "%s is not a release, and nothing acquires it"},
    {0, not_at_launch, RULE_UNGUARDED_ACQUIRE, false,
     "%s may proceed with the value that is there at launch"},
    {0, right_value, RULE_WRONG_COUNT, false,
     "%s proceeds with a value that is there before all is done"},
    {SYNC_EDIT_BEFORE, NULL, RULE_TOKEN_BEFORE_RELEASE, true, "no token orders it before %s"},
    {SYNC_EDIT_AFTER, NULL, RULE_TOKEN_AFTER_ACQUIRE, false, "no token orders it after %s"},
    {SYNC_EDIT_BEFORE | SYNC_EDIT_AFTER, NULL, RULE_TOKEN_BEFORE_RELEASE, true,
     "no token orders it before %s, nor after the acquire"},
    {0, right_element, RULE_WRONG_FLAG, false,
     "%s looks at an element that another tile block writes"},
};

/* A name is not worth all of the time. Counted, so that it does not depend on how busy the machine
 * is; the largest of our kernels needs a quarter of it. */
enum { MOST_QUESTIONS = 2500 };

static const char *noun(const ix_access *a)
{
    return a->atomic ? "the update" : a->writes ? "the store" : "the load";
}

static const char *describe(checker *k, const ix_access *a)
{
    if (!a)
        return "the operation that should synchronise";
    return tr_arena_printf(k->arena, "%s of '%s'", noun(a), buffer_name(k, a));
}

static void read_per_name(checker *k)
{
    if (k->tokens_per_name)
        return;
    model_choices choices = k->options->model;
    choices.loop_tokens = MODEL_PER_NAME;
    k->tokens_per_name = model_tokens_build(k->arena, k->kernel, &choices);
}

static bool is_named(checker *k, const mistake *by, const ix_access *a, const ix_access *b,
                     sync_ends *ends)
{
    if (by->corrected)
        return by->corrected(k, a, b, ends);
    if (by->edits & SYNC_EDIT_PER_NAME)
        read_per_name(k);
    return corrected_would_order(k, by->edits, a, b, ends);
}

static bool is_token_before(checker *k, const ix_access *first, const ix_access *second)
{
    return model_token_order(k->tokens, first->op, second->op).n_cases > 0;
}

/* Is it, without being one that takes something at once? */
static bool is_asked(checker *k, const ix_access *q, const ix_access *b)
{
    if (smt_is_false(q->mask) || q->change == IX_CHANGE_SWAP || q->change == IX_CHANGE_PUT)
        return false;
    order_event *values = order_values_behind(k, b, 0);
    bool asked = false;
    for (size_t i = 0; i < arrlenu(values); i++)
        asked |= values[i].access == q;
    arrfree(values);
    return asked || order_each_asks(k, q, b);
}

static bool is_told_by(checker *k, const ix_access *a, const ix_access *q)
{
    const summary *s = k->s;
    for (size_t j = 0; j < arrlenu(s->accesses); j++) {
        const ix_access *w = &s->accesses[j];
        if (w->writes && w->allocation == q->allocation && model_releases(w->op) &&
            is_token_before(k, a, w))
            return true;
    }
    return false;
}

/* b comes after an acquire of what a's block releases, but this does not order them. Rather one
 * whose value is asked. */
static const ix_access *futile_acquire(checker *k, const ix_access *a, const ix_access *b)
{
    const summary *s = k->s;
    const ix_access *found = NULL;
    for (size_t i = 0; i < arrlenu(s->accesses); i++) {
        const ix_access *q = &s->accesses[i];
        if (!ir_is_memory_op(q->op) || !model_acquires(q->op) || !is_token_before(k, q, b) ||
            !is_told_by(k, a, q))
            continue;
        if (is_asked(k, q, b))
            return q;
        found = found ? found : q;
    }
    return found;
}

bool mistake_of_order(checker *k, const ix_access *a, const ix_access *b, rule_id *rule,
                      const char **words, bool *only_per_iteration)
{
    order_state *state = order_state_of(k);
    size_t asked = state->questions;
    *only_per_iteration = false;
    if (!state->any_reads || a->ordering != IR_WEAK || b->ordering != IR_WEAK)
        return false;
    for (size_t i = 0; i < TR_COUNT(mistakes); i++) {
        sync_ends ends = {0};
        bool named = is_named(k, &mistakes[i], a, b, &ends);
        if (state->questions - asked > MOST_QUESTIONS || ask_left(k) == 0)
            return false; /* some went without an answer: no name is better than another's */
        if (!named)
            continue;
        *rule = mistakes[i].rule;
        if (mistakes[i].edits == (SYNC_EDIT_BEFORE | SYNC_EDIT_AFTER) && order_has_lock(k))
            *rule = RULE_LOCK_NOT_HELD;
        const ix_access *at = mistakes[i].at_release ? ends.release : ends.acquire;
        *words = tr_arena_printf(k->arena, mistakes[i].format, describe(k, at));
        if (mistakes[i].edits & SYNC_EDIT_PER_NAME) {
            const char *suspect;
            rule_id front_end = front_end_rule(k, a, b, true, &suspect);
            if (front_end != RULE_UNORDERED_IN_BLOCK)
                *rule = front_end;
            *only_per_iteration = true;
        }
        return true;
    }
    if (order_has_lock(k)) {
        *rule = RULE_LOCK_NOT_HELD;
        *words = "no lock is held over both accesses";
        return true;
    }
    const ix_access *later = b, *q = futile_acquire(k, a, b);
    if (!q) {
        later = a;
        q = futile_acquire(k, b, a);
    }
    if (!q)
        return false;
    if (is_asked(k, q, later)) {
        *rule = RULE_WRONG_COUNT;
        *words = tr_arena_printf(
            k->arena, "%s proceeds with a value that is there before all is done", describe(k, q));
        return true;
    }
    *rule = RULE_UNGUARDED_ACQUIRE;
    *words = tr_arena_printf(k->arena, "the value that %s has read is not tested", describe(k, q));
    return true;
}

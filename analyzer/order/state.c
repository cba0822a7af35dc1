/* Keeps what is known of the kernel's synchronisation from question to question. */
#include "order/state.h"

#include "question/basis.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

/* Makes room for what is known of each access. */
static signed char *by_access(checker *k)
{
    return TR_NEW_ARRAY(k->arena, signed char, arrlenu(k->s->accesses) + 1);
}

order_state *order_state_of(checker *k)
{
    if (k->known.sync)
        return k->known.sync;
    k->known.sync = TR_NEW(k->arena, order_state);
    *k->known.sync = (order_state){
        .tickets = by_access(k),
        .drawn = by_access(k),
        .claims = by_access(k),
        .phased = by_access(k),
        .shared = by_access(k),
    };
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        k->known.sync->any_reads |= a->reads && a->ordering != IR_WEAK;
    }
    return k->known.sync;
}

void order_ask_anew(checker *k)
{
    order_state *state = k->known.sync;
    signed char *known[] = {state->tickets, state->drawn, state->claims, state->phased,
                            state->shared};
    for (size_t i = 0; i < TR_COUNT(known); i++)
        memset(known[i], 0, arrlenu(k->s->accesses));
    state->n_locks = state->n_memos = 0;
}

void order_rests_on_choice(checker *k, trust_choice choice)
{
    basis_add(k, BASIS_CHOICE, (int)choice);
}

const order_memo *order_recall(checker *k, const order_memo *question)
{
    const order_state *state = order_state_of(k);
    for (size_t i = 0; i < state->n_memos && i < TR_COUNT(state->memos); i++) {
        const order_memo *m = &state->memos[i];
        if (m->a == question->a && m->b == question->b && m->at == question->at &&
            m->app == question->app && m->what == question->what && m->relayed == state->relaying)
            return m;
    }
    return NULL;
}

bool order_remember(checker *k, order_memo question, bool yes)
{
    order_state *state = order_state_of(k);
    if (state->busy && !yes)
        return yes; /* with all facts it may come out otherwise */
    question.yes = yes;
    question.relayed = state->relaying;
    state->memos[state->n_memos++ % TR_COUNT(state->memos)] = question;
    return yes;
}

bool order_global_is_cleared(checker *k, int allocation)
{
    const bool *globals = order_state_of(k)->globals;
    return globals && globals[allocation];
}

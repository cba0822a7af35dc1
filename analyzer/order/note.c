/* Explains a proof of order between two tile blocks to people: which ops synchronise, and why. */
#include "order/note.h"

#include "order/state.h"
#include "question/accesses.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

static const char *const why[] = {
#define LEMMA(id, file, axioms, kernels, words) [ORDER_LEMMA_##id] = words,
#include "order/lemmas.def"
};

static const char *op_words(checker *k, const ix_access *a)
{
    const tr_place *place = a->op->place;
    const char *noun = a->atomic ? "update" : a->writes ? "store" : "load";
    if (!place || !place->line)
        return tr_arena_printf(k->arena, "the %s of '%s' (op %u)", noun, buffer_name(k, a),
                               a->op->ordinal);
    return tr_arena_printf(k->arena, "the %s of '%s' (line %u)", noun, buffer_name(k, a),
                           place->line);
}

void order_note(checker *k, const ix_access *a, const ix_access *b, order_lemma lemma)
{
    const order_state *state = order_state_of(k);
    TR_ASSERT(why[lemma][0]); /* it orders */
    tr_text text = {0};
    tr_text_addf(&text, "%s and %s of another tile block: %s", op_words(k, a), op_words(k, b),
                 why[lemma]);
    if (state->release && state->acquire)
        tr_text_addf(&text, "; %s releases, %s acquires", op_words(k, state->release),
                     op_words(k, state->acquire));
    kernel_report *r = k->report;
    const char *words = tr_arena_strdup(k->arena, tr_text_get(&text));
    tr_text_free(&text);
    for (size_t i = 0; i < r->n_orders; i++)
        if (strcmp(r->orders[i], words) == 0)
            return;
    const char **more = TR_NEW_ARRAY(k->arena, const char *, r->n_orders + 1);
    for (size_t i = 0; i < r->n_orders; i++)
        more[i] = r->orders[i];
    more[r->n_orders++] = words;
    r->orders = more;
}

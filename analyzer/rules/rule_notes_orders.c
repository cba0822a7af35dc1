/* TR026 in kernels whose blocks synchronise: an order that is weakened, and the whole check done
 * once more; and scope sys where nobody beyond the GPU takes part.
 *
 * That the verdict stays race-free is not enough, for relaxed accesses to several elements could
 * then be seen in another order. So an order is spoken of only where each block has ordered
 * accesses to one element alone: what they see of each other depends on no order (A8), and all
 * else, being weak and race-free, has one value. */
#include "order/event.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "rules/add_finding.h"
#include "rules/notes.h"
#include "rules/rules.h"

#include "base/ds.h"

#include <string.h>

enum { MAX_CHECKS = 24, STEPS = 5000 * 1000 };

typedef struct order_notes {
    checker *k;
    size_t checks; /* done so far */
} order_notes;

static const char *const names[] = {[IR_RELAXED] = "relaxed",
                                    [IR_ACQUIRE] = "acquire",
                                    [IR_RELEASE] = "release",
                                    [IR_ACQ_REL] = "acq_rel"};

/* ---- One element a block ---- */

static bool touch_one_element(checker *k, const ix_access *a, const ix_access *b)
{
    if (a->unknown || b->unknown || a->allocation < 0 || a->allocation != b->allocation ||
        a->width != b->width)
        return false;
    order_event x = order_event_of(k, a, 0), y = order_event_of(k, b, 1);
    query conjuncts = order_of_events(k, &x, &y);
    query_add(k, &conjuncts, order_same_block(k, &x, &y));
    query_add(k, &conjuncts, smt_not(k->ctx, order_exactly(k, &x, &y)));
    return ask_briefly(k, conjuncts, "one word a block") == SMT_UNSAT;
}

static bool has_one_word(checker *k)
{
    const ix_access *accesses = k->s->accesses;
    for (size_t i = 0; i < arrlenu(accesses); i++)
        for (size_t j = i; accesses[i].ordering != IR_WEAK && j < arrlenu(accesses); j++)
            if (accesses[j].ordering != IR_WEAK &&
                !touch_one_element(k, &accesses[i], &accesses[j]))
                return false;
    return true;
}

/* ---- Weaker orders ---- */

static ir_attr *ordering_of(const ir_op *op)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned i = 0; i < info->n_attrs; i++)
        if (strcmp(info->attrs[i].name, "memory_ordering_semantics") == 0)
            return &op->attrs[i];
    return NULL;
}

static bool asks_for_more(const kernel_report *less, const checker *with)
{
    for (size_t i = 0; i < less->n_requires; i++) {
        bool known = false;
        for (size_t j = 0; j < arrlenu(with->requires_) && !known; j++)
            known = precondition_same(&less->requires_[i].what, &with->requires_[j].what);
        if (!known)
            return true;
    }
    return false;
}

/* Checks the whole kernel once more with the op as it would be; nothing else of the module changes.
 */
static bool does_with(order_notes *n, const ir_op *op, ir_ordering instead)
{
    checker *k = n->k;
    ir_attr *attr = ordering_of(op), was;
    if (!attr || n->checks++ >= MAX_CHECKS)
        return false;
    rules_options options = *k->options;
    options.notes = false;
    if (options.steps == 0 || options.steps > STEPS)
        options.steps = STEPS;
    was = *attr;
    attr->number = instead;
    const kernel_report *r =
        rules_check(k->arena, k->ctx, k->prover, k->kernel, k->contract, &options);
    *attr = was;
    return r->verdict == VERDICT_RACE_FREE && !asks_for_more(r, k);
}

static bool note_order(order_notes *n, const ix_access *a)
{
    static const ir_ordering weaker[] = {IR_RELAXED, IR_ACQUIRE, IR_RELEASE};
    for (size_t i = 0; i < TR_COUNT(weaker); i++) {
        if ((i && a->ordering != IR_ACQ_REL) || !does_with(n, a->op, weaker[i]))
            continue;
        finding_add_op(n->k, RULE_STRONGER_ORDER, CONFIDENCE_CONFIRMED, a->op, NULL,
                       "no access needs order %s on '%s': %s is enough", names[a->ordering],
                       buffer_name(n->k, a), names[weaker[i]]);
        return true;
    }
    return false;
}

/* ---- Scopes ---- */

static void note_scope(checker *k, const ix_access *a)
{
    if (a->scope == IR_SCOPE_SYS)
        finding_add_op(k, RULE_STRONGER_ORDER, CONFIDENCE_CONFIRMED, a->op, NULL,
                       "no access needs scope sys on '%s': the contract names no participant "
                       "beyond this GPU, so device is enough",
                       buffer_name(k, a));
}

void notes_orders(checker *k)
{
    order_notes n = {.k = k};
    bool one_word = has_one_word(k), alone = k->contract->source != CONTRACT_NONE;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->ordering <= IR_RELAXED)
            continue;
        if (!(one_word && note_order(&n, a)) && alone)
            note_scope(k, a);
    }
}

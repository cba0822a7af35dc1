/* Finds which inferred choices of the memory model a verdict rests on (docs/memory-model.md).
 *
 * A race rests on what each of its findings needs: one is enough for the verdict, so what only some
 * need does not count. All else rests on what the proofs used. A choice that could only have made a
 * proof easier, and was not taken, is not listed: a race-free verdict does not depend on D17 unless
 * the stronger order of the two was chosen. */
#include "rules/trust.h"

#include "question/checker.h"
#include "rules/pair.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: of one access ---- */

/* The view or the tile of pointers that a memory op goes through; NULL: an op of neither. */
static const ir_type *way_of(const ir_op *op)
{
    for (uint32_t i = 0; i < op->n_operands; i++) {
        const ir_type *type = op->operands[i]->type;
        if (ir_type_is_tile_view(type) || (type->kind == IR_TILE && type->elem->kind == IR_POINTER))
            return type;
    }
    return NULL;
}

static unsigned addresses_rest_on(const ix_access *a)
{
    const ir_type *way = way_of(a->op);
    if (!way)
        return 0;
    const ir_type *element = way->kind == IR_TILE ? way->elem->elem : way->tensor->elem;
    unsigned set = way->kind == IR_GATHER_SCATTER_VIEW ? TRUST_BIT(TRUST_GATHER) : 0;
    return element && ir_type_bits(element) == 4 ? set | TRUST_BIT(TRUST_HALF_BYTES) : set;
}

/* ---- Section: of a race ---- */

static const ix_access *access_at(const checker *k, uint32_t ordinal)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].op->ordinal == ordinal)
            return &k->s->accesses[i];
    return NULL;
}

static bool is_in_block(const finding *f)
{
    const witness *w = f->witness;
    return w && w->n_events == 2 &&
           memcmp(w->events[0].block, w->events[1].block, sizeof w->events[0].block) == 0;
}

static unsigned race_rests_on(const checker *k, const finding *f)
{
    unsigned set = TRUST_BIT(TRUST_HAPPENS_BEFORE); /* no other order than these */
    const ix_access *a = access_at(k, f->locations[0].op_ordinal);
    const ix_access *b = access_at(k, f->locations[f->n_locations - 1].op_ordinal);
    if (f->only_per_iteration)
        set |= TRUST_BIT(TRUST_LOOP_TOKENS);
    if (!a || !b)
        return set;
    set |= addresses_rest_on(a) | addresses_rest_on(b);
    bool in_block = is_in_block(f);
    bool two_ops = f->rule != RULE_SELF_OVERLAP; /* no token orders the elements of one */
    if (in_block && two_ops && (!ir_token_in(a->op) || !ir_token_in(b->op)))
        set |= TRUST_BIT(TRUST_NO_TOKEN);
    if (model_mutual_scope(a->ordering, a->scope, b->ordering, b->scope, in_block, true))
        set |= TRUST_BIT(TRUST_WIDTHS);
    return set;
}

static unsigned races_rest_on(const checker *k)
{
    unsigned set = ~0u;
    for (size_t i = 0; i < arrlenu(k->findings); i++) {
        const finding *f = &k->findings[i];
        if (rule_is_race(f->rule) && f->confidence == CONFIDENCE_CONFIRMED)
            set &= race_rests_on(k, f);
    }
    return set;
}

/* ---- Section: of proofs ---- */

static bool same_order(const model_order *x, const model_order *y)
{
    return x->n_cases == y->n_cases &&
           (!x->n_cases || memcmp(x->cases, y->cases, x->n_cases * sizeof *x->cases) == 0);
}

/* Does `token` hold `source` by joins and ops alone, whatever branches and loops do? */
static bool comes_straight_from(const ir_value *token, const ir_value *source, unsigned *steps)
{
    if (!token || !token->def || *steps == 0)
        return false;
    if (token == source)
        return true;
    --*steps;
    if (token->def->code == IR_OP_JOIN_TOKENS) {
        for (uint32_t i = 0; i < token->def->n_operands; i++)
            if (comes_straight_from(token->def->operands[i], source, steps))
                return true;
        return false;
    }
    return !(ir_op_info_of(token->def->code)->effects & IR_CONTROL) &&
           comes_straight_from(ir_token_in(token->def), source, steps);
}

enum { STRAIGHT_STEPS = 200 }; /* a longer way counts as one through control flow */

static unsigned order_rests_on(const checker *k, const model_tokens *weaker, const ix_access *first,
                               const ix_access *second)
{
    model_order order = model_token_order(k->tokens, first->op, second->op);
    if (!order.n_cases)
        return 0;
    unsigned set = 0, steps = STRAIGHT_STEPS;
    if (!comes_straight_from(ir_token_in(second->op), ir_token_out(first->op), &steps))
        set |= TRUST_BIT(TRUST_CONTROL);
    if (weaker) {
        model_order other = model_token_order(weaker, first->op, second->op);
        if (!same_order(&order, &other))
            set |= TRUST_BIT(TRUST_LOOP_TOKENS);
    }
    return set;
}

/* The tokens by the other reading, where the chosen one orders more; NULL: it does not. */
static const model_tokens *weaker_tokens(checker *k)
{
    if (k->options->model.loop_tokens != MODEL_PER_NAME)
        return NULL;
    model_choices choices = k->options->model;
    choices.loop_tokens = MODEL_PER_ITERATION;
    return model_tokens_build(k->arena, k->kernel, &choices);
}

static bool may_conflict(checker *k, const ix_access *a, const ix_access *b)
{
    return pair_may_conflict(k, a, b, false) || pair_may_conflict(k, a, b, true);
}

static unsigned access_rests_on(const ix_access *a)
{
    unsigned set = addresses_rest_on(a);
    if (!smt_is_true(a->mask))
        set |= TRUST_BIT(TRUST_MASKS);
    if (a->claimed && !smt_is_true(a->claimed))
        set |= TRUST_BIT(TRUST_INBOUNDS);
    return set;
}

static unsigned proofs_rest_on(checker *k)
{
    const model_tokens *weaker = weaker_tokens(k);
    /* The choices that a pair's order can add: once all of it is there, no more of millions of
     * pairs is asked.
     */
    unsigned of_orders = TRUST_BIT(TRUST_CONTROL) | (weaker ? TRUST_BIT(TRUST_LOOP_TOKENS) : 0),
             set = 0;
    size_t n = arrlenu(k->s->accesses);
    unsigned *of_access = TR_NEW_ARRAY(k->arena, unsigned, n);
    for (size_t i = 0; i < n; i++)
        of_access[i] = access_rests_on(&k->s->accesses[i]);
    for (size_t i = 0; i < n; i++)
        for (size_t j = i; j < n && !smt_is_cut(k->ctx); j++) {
            const ix_access *a = &k->s->accesses[i], *b = &k->s->accesses[j];
            unsigned of_both = of_access[i] | of_access[j], of_pair = of_both | of_orders;
            if ((set & of_pair) == of_pair || !may_conflict(k, a, b))
                continue;
            set |= of_both;
            if ((set & of_orders) != of_orders && pair_may_conflict(k, a, b, true) &&
                (i != j || a->n_loops))
                set |= order_rests_on(k, weaker, a, b) | order_rests_on(k, weaker, b, a);
        }
    return set;
}

/* Returns the choices that the lemmas on synchronisation have noted. */
static unsigned synchronisation_rests_on(const kernel_report *r)
{
    unsigned with_any = TRUST_BIT(TRUST_MORAL_STRENGTH) | TRUST_BIT(TRUST_HAPPENS_BEFORE);
    return r->rests_on ? r->rests_on | with_any : 0;
}

void conclude_trust(checker *k)
{
    kernel_report *r = k->report;
    r->rests_on = r->verdict == VERDICT_RACE ? races_rest_on(k)
                                             : proofs_rest_on(k) | synchronisation_rests_on(r);
    r->tokens_per_name = k->options->model.loop_tokens == MODEL_PER_NAME;
}

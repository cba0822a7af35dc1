/* Uses each fact inside the others: a part of a disjunction that another fact decides goes away. */
#include "smt/goal.h"

typedef struct truth {
    smt_t key;
    bool value;
} truth;

typedef struct form_range {
    smt_t key;
    smt_range value;
} form_range;

typedef struct knowledge {
    smt_ctx *ctx;
    truth *truths; /* stb_ds maps */
    form_range *forms;
    smt_t self; /* the fact that is being looked at: it must not decide itself */
} knowledge;

static void learn(knowledge *known, smt_t fact)
{
    smt_atom atom;
    hmput(known->truths, fact, true);
    hmput(known->truths, smt_not(known->ctx, fact), false);
    if (!smt_atom_of(known->ctx, fact, &atom) || atom.relation == SMT_IS_NE)
        return;
    ptrdiff_t at = hmgeti(known->forms, atom.form);
    smt_range range = at >= 0 ? known->forms[at].value : smt_range_of(atom.form);
    if (atom.relation != SMT_IS_LE && atom.number > range.low)
        range.low = atom.number;
    if (atom.relation != SMT_IS_GE && atom.number < range.high)
        range.high = atom.number;
    hmput(known->forms, atom.form, range);
}

/* What the known range of the atom's form says of it: 1, 0, or -1 for nothing. */
static int decide(const smt_atom *atom, smt_range range)
{
    bool below = range.high<atom->number, above = range.low> atom->number;
    bool same = range.low == atom->number && range.high == atom->number;
    switch (atom->relation) {
    case SMT_IS_LE:
        return range.high <= atom->number ? 1 : above ? 0 : -1;
    case SMT_IS_GE:
        return range.low >= atom->number ? 1 : below ? 0 : -1;
    case SMT_IS_EQ:
        return same ? 1 : below || above ? 0 : -1;
    case SMT_IS_NE:
        return same ? 0 : below || above ? 1 : -1;
    }
    return -1;
}

static smt_t decided_part(void *user, smt_t term)
{
    knowledge *known = user;
    bool own = term == known->self || term == smt_node_of(known->self)->negation;
    if (own || !smt_is_bool(term))
        return NULL;
    ptrdiff_t at = hmgeti(known->truths, term);
    if (at >= 0)
        return smt_bool_const(known->ctx, known->truths[at].value);
    if (term->kind != SMT_LE && term->kind != SMT_EQ)
        return NULL;
    smt_atom atom;
    if (!smt_atom_of(known->ctx, term, &atom))
        return NULL;
    at = hmgeti(known->forms, atom.form);
    int decision = at >= 0 ? decide(&atom, known->forms[at].value) : -1;
    return decision >= 0 ? smt_bool_const(known->ctx, decision) : NULL;
}

/* Has it boolean parts below its top? */
static bool has_parts(smt_t fact)
{
    return fact->kind == SMT_OR || smt_has(fact, SMT_HAS_ITE) ||
           (fact->kind == SMT_NOT && fact->args[0]->kind != SMT_EQ && fact->args[0]->n_args > 0);
}

bool smt_goal_use_facts(smt_ctx *ctx, smt_goal *goal)
{
    bool any = false, changed = false;
    for (size_t i = 0; i < arrlenu(goal->facts) && !any; i++)
        any = has_parts(goal->facts[i]);
    if (!any)
        return false;
    knowledge known = {.ctx = ctx};
    for (size_t i = 0; i < arrlenu(goal->facts); i++)
        learn(&known, goal->facts[i]);
    size_t n = arrlenu(goal->facts);
    for (size_t i = 0; i < n; i++) {
        smt_t fact = goal->facts[i];
        if (!has_parts(fact) || smt_has(fact, SMT_HAS_FORALL))
            continue;
        known.self = fact;
        smt_t shorter = smt_rewrite(ctx, fact, decided_part, &known);
        if (shorter == fact)
            continue;
        changed = true;
        goal->facts[i] = shorter;
        goal->is_false |= shorter->kind == SMT_FALSE;
    }
    hmfree(known.truths);
    hmfree(known.forms);
    return changed;
}

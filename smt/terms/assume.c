/* A term where facts are known to hold: its conditions that they decide go away. */
#include "terms/assume.h"

#include "terms/compare.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

void smt_known_learn(smt_known *known, smt_t fact)
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

void smt_known_free(smt_known *known)
{
    hmfree(known->truths);
    hmfree(known->forms);
}

/* Returns what the known range of the atom's form says of it: 1, 0, or -1 for nothing. */
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
    smt_known *known = user;
    bool own = known->self && (term == known->self || term == smt_node_of(known->self)->negation);
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

smt_t smt_known_use(smt_known *known, smt_t term)
{
    return smt_rewrite(known->ctx, term, decided_part, known);
}

bool smt_gives_range(smt_ctx *ctx, smt_t fact, smt_t *variable, smt_int *low, smt_int *high)
{
    smt_atom atom;
    if (!smt_atom_of(ctx, fact, &atom) || atom.relation == SMT_IS_NE ||
        (atom.form->kind != SMT_VAR && atom.form->kind != SMT_APP))
        return false;
    *variable = atom.form;
    *low = atom.relation == SMT_IS_LE ? atom.form->low : atom.number;
    *high = atom.relation == SMT_IS_GE ? atom.form->high : atom.number;
    return true;
}

/* Is it variable = number? */
static bool gives_value(smt_ctx *ctx, smt_t condition, smt_t *variable, smt_t *value)
{
    smt_atom atom;
    if (!smt_atom_of(ctx, condition, &atom) || atom.form->kind != SMT_VAR)
        return false;
    smt_t x = atom.form;
    bool is_least = atom.relation == SMT_IS_LE && atom.number == x->low;
    bool is_most = atom.relation == SMT_IS_GE && atom.number == x->high;
    if (atom.relation != SMT_IS_EQ && !is_least && !is_most)
        return false;
    *variable = x;
    *value = smt_int_const(ctx, atom.number);
    return true;
}

enum { MAX_ASSUMED_IN = 1000 }; /* nodes of a term; a larger one stays as it is */

smt_t smt_assume(smt_ctx *ctx, smt_t term, smt_t condition)
{
    smt_t variable, value;
    if (smt_is_larger(term, MAX_ASSUMED_IN))
        return term;
    if (gives_value(ctx, condition, &variable, &value))
        term = smt_substitute(ctx, term, 1, &variable, &value);
    if (!smt_is_bool(term) && !smt_has(term, SMT_HAS_ITE))
        return term;
    smt_known known = {.ctx = ctx};
    if (condition->kind != SMT_AND)
        smt_known_learn(&known, condition);
    for (uint32_t i = 0; condition->kind == SMT_AND && i < condition->n_args; i++)
        smt_known_learn(&known, condition->args[i]);
    smt_t result = smt_known_use(&known, term);
    smt_known_free(&known);
    return result;
}

smt_t smt_choice(smt_ctx *ctx, smt_t condition, smt_t yes, smt_t no)
{
    smt_t negation = smt_not(ctx, condition), variable, value;
    yes = smt_assume(ctx, yes, condition);
    no = smt_assume(ctx, no, negation);
    /* one branch says the other's too */
    if (gives_value(ctx, condition, &variable, &value) &&
        smt_substitute(ctx, no, 1, &variable, &value) == yes)
        return no;
    if (gives_value(ctx, negation, &variable, &value) &&
        smt_substitute(ctx, yes, 1, &variable, &value) == no)
        return yes;
    return smt_ite(ctx, condition, yes, no);
}

/* Finds which quantities the contract speaks of, and which it leaves open. Only facts about
 * quantities that are left open become preconditions for the host to keep. */
#include "precondition/stated.h"

#include "question/checker.h"

#include "base/ds.h"

typedef struct mention {
    const checker *k;
    smt_t *terms;  /* stb_ds array: parameters and extents that the contract mentions */
    bool stranger; /* a quantity that it does not */
} mention;

static void note(void *user, smt_t term)
{
    mention *m = user;
    if (term->kind == SMT_VAR)
        arrput(m->terms, term);
}

static void compare(void *user, smt_t term)
{
    mention *m = user;
    const checker *k = m->k;
    if (term->kind == SMT_APP || term->kind == SMT_BAPP) {
        int arg = summary_contents_arg(k->s, term);
        if (arg < 0 || !k->contract->args[arg].contents.min || !k->contract->args[arg].contents.max)
            m->stranger = true;
        return;
    }
    if (term->kind != SMT_VAR || summary_private(k->s, term))
        return;
    for (size_t i = 0; i < arrlenu(m->terms); i++)
        if (m->terms[i] == term)
            return;
    m->stranger = true;
}

/* Is the end of parameter i on that side that of its type, or one that is asked for? Then nothing
 * that is stated bounds it there. */
static bool is_unstated_end(const checker *k, size_t i, smt_t parameter, bool low)
{
    smt_int least, most;
    contract_unstated_range(&k->contract->args[i], &least, &most);
    return low ? parameter->low <= least || (k->sizes.open && k->sizes.open[i])
               : parameter->high >= most;
}

/* Is the parameter in a statement that became no range of it? */
static bool is_in_statement(const checker *k, smt_t parameter, smt_t term)
{
    mention m = {.k = k};
    bool others = false;
    smt_visit(k->ctx, term, note, &m);
    for (size_t i = 0; i < arrlenu(m.terms); i++)
        others |= m.terms[i] != parameter;
    arrfree(m.terms);
    return others && smt_contains(term, parameter);
}

/* Does nothing stated bound the parameter on that side, nor relate it to something else? That a
 * buffer has n elements says of n that there may be as many as its type has. */
static bool is_open_end(const checker *k, smt_t parameter, bool low)
{
    const contract *c = k->contract;
    bool open = false;
    for (size_t i = 0; i < c->n_args && !open; i++)
        open = c->args[i].kind == CONTRACT_SCALAR && contract_param(k->ctx, c, i) == parameter &&
               c->args[i].bits > 0 && c->args[i].bits <= 64 &&
               is_unstated_end(k, i, parameter, low);
    for (size_t i = 0; i < arrlenu(c->facts) && open; i++)
        open = !is_in_statement(k, parameter, c->facts[i].term);
    for (int axis = 0; axis < 3 && open; axis++)
        open = !c->grid[axis] || !smt_contains(c->grid[axis], parameter);
    return open;
}

bool require_leaves_end(const checker *k, smt_t parameter, bool low)
{
    const contract *c = k->contract;
    bool open = is_open_end(k, parameter, low);
    for (size_t i = 0; i < c->n_args && open; i++) {
        smt_t elements = contract_stated_elements(&c->args[i]);
        open = !elements || !smt_contains(elements, parameter);
    }
    return open;
}

/* Is it a bound of one parameter on a side that nothing stated speaks of? `s > 0` where `s <= 64`
 * and `s % 2 == 0` are stated. Of a divisor that is not 0 it is the lower side. */
static bool is_open_bound(const checker *k, smt_t term)
{
    bool differs = term->kind == SMT_NOT && term->args[0]->kind == SMT_EQ;
    smt_t sum = differs ? term->args[0]->args[0] : term->kind == SMT_LE ? term->args[0] : NULL;
    if (!sum || (sum->kind == SMT_SUM ? sum->n_args != 1 : sum->kind != SMT_VAR))
        return false;
    smt_t parameter = sum->kind == SMT_SUM ? sum->args[0] : sum;
    bool low = differs || (sum->kind == SMT_SUM && sum->coefs[0] < 0);
    return require_leaves_end(k, parameter, low);
}

bool require_contract_constrains(const checker *k, smt_t term)
{
    mention m = {.k = k};
    const contract *c = k->contract;
    if (contract_is_silent(c) || is_open_bound(k, term))
        return false; /* nobody stated anything */
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        smt_visit(k->ctx, c->facts[i].term, note, &m);
    for (size_t i = 0; i < c->n_args; i++) /* also by facts that became its range */
        if (c->args[i].kind == CONTRACT_SCALAR && c->args[i].constrained)
            arrput(m.terms, contract_param(k->ctx, c, i));
    for (int axis = 0; axis < 3; axis++) {
        if (c->grid[axis])
            smt_visit(k->ctx, c->grid[axis], note, &m);
        else if (smt_contains(term, k->s->block_id[axis]) &&
                 !smt_is_const(k->s->block_id[axis], NULL) && !smt_is_const(k->s->grid[axis], NULL))
            m.stranger = true; /* its extent is free */
    }
    for (size_t i = 0; i < c->n_args; i++)
        if (contract_stated_elements(&c->args[i]))
            smt_visit(k->ctx, c->args[i].elements, note, &m);
    smt_visit(k->ctx, term, compare, &m);
    arrfree(m.terms);
    return !m.stranger;
}

/* Does a parameter of the term have an end that the contract leaves open? */
static bool has_open_parameter(const checker *k, smt_t term)
{
    const contract *c = k->contract;
    bool open = false;
    for (size_t i = 0; i < c->n_args && !open; i++) {
        if (c->args[i].kind != CONTRACT_SCALAR)
            continue;
        smt_t parameter = contract_param(k->ctx, c, i);
        open = smt_contains(term, parameter) &&
               (is_open_end(k, parameter, true) || is_open_end(k, parameter, false));
    }
    return open;
}

/* The loops whose counters are in the term, or in what one of those counts to: a flag each, by walk
 * order, in which inner loops stand behind outer ones. */
static const bool *loops_behind(const checker *k, smt_t term)
{
    size_t n = arrlenu(k->s->loops);
    bool *behind = TR_NEW_ARRAY(k->arena, bool, n + 1);
    for (size_t i = n; i-- > 0;) {
        smt_t counter = k->s->loops[i]->counter;
        behind[i] = smt_contains(term, counter);
        for (size_t inner = i + 1; inner < n && !behind[i]; inner++)
            behind[i] = behind[inner] && k->s->loops[inner]->last &&
                        smt_contains(k->s->loops[inner]->last, counter);
    }
    return behind;
}

bool require_leaves_count(const checker *k, smt_t term)
{
    const bool *behind = loops_behind(k, term);
    bool open = false;
    for (size_t i = 0; i < arrlenu(k->s->loops) && !open; i++) {
        smt_t last = k->s->loops[i]->last;
        open = behind[i] &&
               (!last || !require_contract_constrains(k, last) || has_open_parameter(k, last));
    }
    return open;
}

/* Is the end open, of a parameter, or of a loop whose counter is as large as the end? */
static bool has_open_end(const checker *k, smt_t term)
{
    const bool *behind = loops_behind(k, term);
    bool open = has_open_parameter(k, term);
    for (size_t i = 0; i < arrlenu(k->s->loops) && !open; i++) {
        smt_t last = k->s->loops[i]->last;
        open = behind[i] && last && has_open_parameter(k, last);
    }
    return open;
}

bool require_contract_sizes(const checker *k, smt_t term)
{
    return require_contract_constrains(k, term) && !has_open_end(k, term);
}

/* Comparisons: one form each for =, != and <=, decided by ranges where they can be. */
#include "terms/compare.h"

#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"

#include "base/ds.h"

enum { MAX_ITE_DEPTH = 8 };

/* Greatest common divisor of the coefficients (not of the constant). */
static smt_int content(smt_t term)
{
    smt_int gcd = 0;
    for (size_t i = 0; i < smt_n_monos(term) && gcd != 1; i++)
        gcd = smt_gcd(gcd, smt_mono_at(term, i).coef);
    return gcd;
}

/* (term - its constant) / divisor + constant */
static smt_t divided(smt_ctx *ctx, smt_t term, smt_int divisor, smt_int constant)
{
    if (divisor == 1 && smt_constant_part(term) == constant)
        return term;
    smt_poly poly = {0};
    smt_poly_add_value(&poly, constant);
    for (size_t i = 0; i < smt_n_monos(term); i++) {
        smt_mono mono = smt_mono_at(term, i);
        smt_poly_add(&poly, mono.term, mono.coef / divisor);
    }
    return smt_poly_make(ctx, &poly);
}

static smt_t compare(smt_ctx *ctx, smt_kind kind, smt_t term, int depth);

/* coef * if-then-else of constants + constant: the comparison goes into the branches. */
static smt_t compare_branches(smt_ctx *ctx, smt_kind kind, smt_t term, int depth)
{
    if (depth >= MAX_ITE_DEPTH || smt_n_monos(term) != 1)
        return NULL;
    smt_mono mono = smt_mono_at(term, 0);
    if (mono.term->kind != SMT_ITE)
        return NULL;
    smt_t branches[2];
    for (int i = 0; i < 2; i++) {
        smt_t branch = mono.term->args[i + 1];
        if (branch->kind != SMT_INT && branch->kind != SMT_ITE)
            return NULL;
        smt_t value = smt_add(ctx, smt_scale(ctx, branch, mono.coef),
                              smt_int_const(ctx, smt_constant_part(term)));
        branches[i] = compare(ctx, kind, value, depth + 1);
        if (branch->kind == SMT_ITE && branches[i]->kind == kind)
            return NULL; /* not decided: nothing is won */
    }
    return smt_ite(ctx, mono.term->args[0], branches[0], branches[1]);
}

static smt_t atom_node(smt_ctx *ctx, smt_kind kind, smt_t term)
{
    return smt_intern(ctx, &(struct smt_term){.kind = kind, .n_args = 1, .args = &term});
}

/* The sum divided by a factor that all its summands share and that is known positive (or, with
 * any_sign, not 0): NULL when there is none. */
static smt_t without_common_factor(smt_ctx *ctx, smt_t term, bool any_sign)
{
    if (!smt_has(term, SMT_HAS_PRODUCT) || smt_constant_part(term) != 0)
        return NULL;
    smt_t first = smt_mono_at(term, 0).term;
    for (uint32_t i = 0; first->kind == SMT_PROD && i < first->n_args; i++) {
        smt_t factor = first->args[i];
        if (!(factor->low > 0 || (any_sign && factor->high < 0)))
            continue;
        smt_poly rest = {0};
        bool shared = true;
        for (size_t k = 0; k < smt_n_monos(term) && shared; k++) {
            smt_mono mono = smt_mono_at(term, k);
            smt_t left = smt_mono_divide(ctx, mono.term, factor);
            if (left)
                smt_poly_add(&rest, left, mono.coef);
            shared = left != NULL;
        }
        if (shared)
            return smt_poly_make(ctx, &rest);
        smt_poly_free(&rest);
    }
    return NULL;
}

static smt_t compare_le(smt_ctx *ctx, smt_t term, int depth)
{
    smt_t shorter = without_common_factor(ctx, term, false);
    if (shorter)
        return compare(ctx, SMT_LE, shorter, depth);
    smt_int divisor = content(term);
    if (divisor > 1) /* rounded up: sum <= -constant/divisor, an integer */
        term = divided(ctx, term, divisor, -smt_floor_div(-smt_constant_part(term), divisor));
    if (term->high <= 0)
        return ctx->true_term;
    if (term->low > 0)
        return ctx->false_term;
    if (term->low == 0)
        return compare(ctx, SMT_EQ, term, depth);
    smt_t branches = compare_branches(ctx, SMT_LE, term, depth);
    return branches ? branches : atom_node(ctx, SMT_LE, term);
}

static smt_t compare_eq(smt_ctx *ctx, smt_t term, int depth)
{
    smt_t shorter = without_common_factor(ctx, term, true);
    if (shorter)
        return compare(ctx, SMT_EQ, shorter, depth);
    if (term->low > 0 || term->high < 0)
        return ctx->false_term;
    if (term->low == 0 && term->high == 0)
        return ctx->true_term;
    smt_int divisor = content(term);
    if (divisor > 1) {
        if (smt_constant_part(term) % divisor != 0)
            return ctx->false_term;
        term = divided(ctx, term, divisor, smt_constant_part(term) / divisor);
    }
    if (smt_n_monos(term) > 0 && smt_mono_at(term, 0).coef < 0)
        term = smt_neg(ctx, term);
    smt_t branches = compare_branches(ctx, SMT_EQ, term, depth);
    return branches ? branches : atom_node(ctx, SMT_EQ, term);
}

static smt_t compare(smt_ctx *ctx, smt_kind kind, smt_t term, int depth)
{
    if (term->kind == SMT_INT)
        return smt_bool_const(ctx, kind == SMT_EQ ? term->value == 0 : term->value <= 0);
    return kind == SMT_EQ ? compare_eq(ctx, term, depth) : compare_le(ctx, term, depth);
}

smt_t smt_eq(smt_ctx *ctx, smt_t a, smt_t b)
{
    return a == b ? ctx->true_term : compare(ctx, SMT_EQ, smt_sub(ctx, a, b), 0);
}

smt_t smt_ne(smt_ctx *ctx, smt_t a, smt_t b)
{
    return smt_not(ctx, smt_eq(ctx, a, b));
}

smt_t smt_le(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(!smt_is_bool(a) && !smt_is_bool(b));
    return a == b ? ctx->true_term : compare(ctx, SMT_LE, smt_sub(ctx, a, b), 0);
}

smt_t smt_lt(smt_ctx *ctx, smt_t a, smt_t b)
{
    TR_ASSERT(!smt_is_bool(a) && !smt_is_bool(b));
    return smt_le(ctx, smt_add(ctx, a, smt_int_const(ctx, 1)), b);
}

smt_t smt_ge(smt_ctx *ctx, smt_t a, smt_t b)
{
    return smt_le(ctx, b, a);
}

smt_t smt_gt(smt_ctx *ctx, smt_t a, smt_t b)
{
    return smt_lt(ctx, b, a);
}

/* ---- Section: Comparisons of one form with numbers ---- */

bool smt_atom_of(smt_ctx *ctx, smt_t term, smt_atom *atom)
{
    smt_t inner = term->kind == SMT_NOT ? term->args[0] : term;
    if (inner->kind != SMT_EQ && term->kind != SMT_LE)
        return false;
    smt_t sum = inner->args[0];
    smt_int constant = smt_constant_part(sum);
    bool negative = smt_mono_at(sum, 0).coef < 0;
    smt_t form = divided(ctx, sum, negative ? -1 : 1, 0);
    if (inner->kind == SMT_EQ) /* its sign is canonical */
        *atom = (smt_atom){form, inner == term ? SMT_IS_EQ : SMT_IS_NE, -constant};
    else if (negative)
        *atom = (smt_atom){form, SMT_IS_GE, constant};
    else
        *atom = (smt_atom){form, SMT_IS_LE, -constant};
    return true;
}

static smt_t term_of_atom(smt_ctx *ctx, const smt_atom *atom)
{
    smt_t number = smt_int_const(ctx, atom->number);
    switch (atom->relation) {
    case SMT_IS_LE:
        return smt_le(ctx, atom->form, number);
    case SMT_IS_GE:
        return smt_ge(ctx, atom->form, number);
    case SMT_IS_EQ:
        return smt_eq(ctx, atom->form, number);
    case SMT_IS_NE:
        return smt_ne(ctx, atom->form, number);
    }
    return NULL;
}

/* All that is known of one form. */
typedef struct form_facts {
    smt_t form;
    smt_int low, high;
    smt_int *unequal; /* stb_ds array */
    size_t n_atoms;
    smt_t first; /* the first comparison, kept when it is the only one */
} form_facts;

static void note_atom(form_facts *facts, const smt_atom *atom)
{
    facts->n_atoms++;
    if (atom->relation == SMT_IS_NE) {
        arrput(facts->unequal, atom->number);
        return;
    }
    if (atom->relation != SMT_IS_GE && atom->number < facts->high)
        facts->high = atom->number;
    if (atom->relation != SMT_IS_LE && atom->number > facts->low)
        facts->low = atom->number;
}

/* The edges of the range move inwards over numbers that are excluded. */
static void shrink(form_facts *facts)
{
    for (bool moved = true; moved && facts->low <= facts->high;) {
        moved = false;
        for (size_t i = 0; i < arrlenu(facts->unequal);) {
            smt_int number = facts->unequal[i];
            if (number == facts->low)
                facts->low++, moved = true;
            else if (number == facts->high)
                facts->high--, moved = true;
            if (number < facts->low || number > facts->high)
                arrdelswap(facts->unequal, i);
            else
                i++;
        }
    }
}

static void emit(smt_ctx *ctx, const form_facts *facts, smt_t **out)
{
    smt_t form = facts->form;
    if (facts->n_atoms == 1) {
        arrput(*out, facts->first);
        return;
    }
    if (facts->low == facts->high) {
        arrput(*out, term_of_atom(ctx, &(smt_atom){form, SMT_IS_EQ, facts->low}));
        return;
    }
    /* A bound that the form's own range implies is left out. */
    if (facts->low > form->low)
        arrput(*out, term_of_atom(ctx, &(smt_atom){form, SMT_IS_GE, facts->low}));
    if (facts->high < form->high)
        arrput(*out, term_of_atom(ctx, &(smt_atom){form, SMT_IS_LE, facts->high}));
    for (size_t i = 0; i < arrlenu(facts->unequal); i++)
        arrput(*out, term_of_atom(ctx, &(smt_atom){form, SMT_IS_NE, facts->unequal[i]}));
}

/* The comparisons by their form, in the order in which the forms come first. Nodes are marked with
 * where the facts of their form are: no walk and no new term comes between. */
static form_facts *sort_by_form(smt_ctx *ctx, size_t n, const smt_atom *atoms, const smt_t *terms)
{
    form_facts *forms = NULL;
    uint32_t epoch = ++ctx->epoch;
    for (size_t i = 0; i < n; i++) {
        smt_node *node = (smt_node *)atoms[i].form; /* marks are no part of the term */
        if (node->mark != epoch) {
            node->mark = epoch;
            node->place = (uint32_t)arrlenu(forms);
            arrput(forms, ((form_facts){atoms[i].form, atoms[i].form->low, atoms[i].form->high,
                                        NULL, 0, terms[i]}));
        }
        note_atom(&forms[node->place], &atoms[i]);
    }
    return forms;
}

smt_t *smt_merge_atoms(smt_ctx *ctx, size_t n, const smt_t *terms, bool *is_false)
{
    smt_atom *atoms = NULL;
    smt_t *of = NULL, *out = NULL;
    *is_false = false;
    for (size_t i = 0; i < n; i++) {
        smt_atom atom;
        if (!smt_atom_of(ctx, terms[i], &atom))
            continue;
        arrput(atoms, atom);
        arrput(of, terms[i]);
    }
    form_facts *forms = sort_by_form(ctx, arrlenu(atoms), atoms, of);
    for (size_t i = 0; i < arrlenu(forms); i++) {
        shrink(&forms[i]);
        if (forms[i].low > forms[i].high)
            *is_false = true;
        else if (!*is_false)
            emit(ctx, &forms[i], &out);
        arrfree(forms[i].unequal);
    }
    arrfree(forms);
    arrfree(atoms);
    arrfree(of);
    if (*is_false)
        arrfree(out);
    return out;
}

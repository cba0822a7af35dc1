/* Turns the requires into what is shown: without those that the others imply, and in the words of a
 * launch contract.
 *
 * Facts are found one by one, the first ones before it is known what the later ones will say; so at
 * the end each is asked about again. One that the others imply is dropped, which changes nothing of
 * what is proved. */
#include "precondition/finish.h"

#include "contract/expression.h"
#include "precondition/natural.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/term_words.h"

#include "base/ds.h"

#include <string.h>

enum { ASK = 50 * 1000, SHARE = 8, MAX_CHOICES = 3 };

typedef struct atom { /* a part of a require's fact that stands for itself */
    size_t of;        /* number of the require */
    smt_t fact;
    bool dropped;
} atom;

typedef struct finish {
    checker *k;
    atom *atoms; /* stb_ds array */
    smt_steps until;
} finish;

static void split(finish *f, size_t of, smt_t fact)
{
    if (fact->kind == SMT_AND) {
        for (uint32_t i = 0; i < fact->n_args; i++)
            split(f, of, fact->args[i]);
        return;
    }
    arrput(f->atoms, ((atom){of, fact, false}));
}

/* May what becomes of `own` (NULL: of no atom) rest on the atom? A race precondition must not be
 * dropped because of one that no proof uses, since a launch that breaks the latter may be defined.
 * Nor may arithmetic that wraps by definition: launches in which it does are checked once more. A
 * launch precondition that proofs use may: a launch that breaks it is undefined. */
static bool counts_for(const finish *f, const atom *own, const atom *a)
{
    const required *r = own ? &f->k->requires_[own->of] : NULL;
    bool matters = r && !r->unenforced && (r->what.class_ == PRECONDITION_CLASS_RACE || r->of_wrap);
    return a != own && !a->dropped && !(matters && f->k->requires_[a->of].unenforced);
}

/* Is it proved that no launch which meets all requires but `except` meets the condition? */
static bool never(const finish *f, const atom *except, smt_t condition)
{
    checker *k = f->k;
    if (ask_taken(k) > f->until)
        return false;
    query conjuncts = query_with(k, (query){0}, k->s->launch);
    for (size_t i = 0; i < arrlenu(f->atoms); i++)
        if (counts_for(f, except, &f->atoms[i]))
            query_add(k, &conjuncts, f->atoms[i].fact);
    query_add(k, &conjuncts, condition);
    return ask_verdict(k, conjuncts, "require-minimal", ASK) == SMT_UNSAT;
}

/* The least natural go first. */
static const precondition_kind order[] = {
    PRECONDITION_NO_WRAP,        PRECONDITION_POSITIVE_DIVISOR, PRECONDITION_IN_BOUNDS,
    PRECONDITION_INDEX_IN_SPACE, PRECONDITION_GRID_BOUND,       PRECONDITION_STRIDE_RELATION,
    PRECONDITION_CONTENTS_RANGE, PRECONDITION_NO_SELF_OVERLAP,
};

/* Examples of what is left still keep to what a launch must not break. */
static void drop(finish *f, atom *a)
{
    checker *k = f->k;
    const required *r = &k->requires_[a->of];
    smt_t *kept = r->unenforced ? &k->implied_unenforced : &k->implied;
    a->dropped = true;
    if (r->what.class_ == PRECONDITION_CLASS_LAUNCH)
        *kept = *kept ? smt_and(k->ctx, *kept, a->fact) : a->fact;
}

static void drop_if_implied(finish *f, atom *a)
{
    if (!a->dropped && never(f, a, smt_not(f->k->ctx, a->fact)))
        drop(f, a);
}

/* Drops facts that the kernel asserts in a branch, say, where a pair needs the same of every
 * launch. */
static void drop_asserted(finish *f)
{
    for (size_t i = 0; i < arrlenu(f->atoms); i++)
        if (f->k->requires_[f->atoms[i].of].what.kind == PRECONDITION_KERNEL_ASSUME)
            drop_if_implied(f, &f->atoms[i]);
}

static void drop_implied(finish *f)
{
    checker *k = f->k;
    drop_asserted(f);
    for (size_t o = 0; o < TR_COUNT(order); o++)
        for (size_t i = 0; i < arrlenu(f->atoms); i++) {
            if (k->requires_[f->atoms[i].of].what.kind == order[o])
                drop_if_implied(f, &f->atoms[i]);
        }
}

/* ---- Section: what is undefined without a launch precondition ----
 *
 * A launch precondition is found for one op, before it is known what else the launch has to
 * guarantee: `n * grid.x` does not wrap in a loop of m rounds, say, which a sum in the same loop
 * asks for with m, too. */

enum { MOST_EVENTS = 100, LARGE = 2000 };

/* Something undefined happens, or arithmetic wraps. NULL: too much to ask. */
static smt_t something_fails(checker *k)
{
    smt_ctx *ctx = k->ctx;
    smt_t any = smt_bool_const(ctx, false);
    if (arrlenu(k->s->hazards) + arrlenu(k->s->accesses) > MOST_EVENTS)
        return NULL;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        smt_t when = smt_and(ctx, h->path, smt_and(ctx, h->facts, h->assumed));
        any = smt_or(ctx, any, smt_and(ctx, when, smt_not(ctx, h->safe)));
    }
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->unknown)
            return NULL;
        smt_t safe = require_in_space(k, a);
        if (a->claimed)
            safe = smt_and(ctx, safe, a->claimed);
        smt_t when = smt_and(ctx, a->path, smt_and(ctx, a->facts, a->assumed));
        any = smt_or(ctx, any, smt_and(ctx, when, smt_not(ctx, safe)));
    }
    return smt_is_larger(any, LARGE) ? NULL : any;
}

/* Is the end of a buffer stated or asked for? That the accesses lie before it may rest on all. */
static bool speaks_of_buffers(const checker *k)
{
    bool any = false;
    for (size_t i = 0; i < k->contract->n_args; i++)
        any |= k->contract->args[i].elements != NULL;
    for (size_t i = 0; i < arrlenu(k->requires_); i++)
        any |= k->requires_[i].what.bytes || k->requires_[i].what.elements;
    return any;
}

/* Does another precondition speak of the same quantities? A precondition that is alone was found to
 * be needed. */
static bool has_company(const finish *f, const atom *own)
{
    bool any = false;
    for (size_t i = 0; i < arrlenu(f->atoms); i++)
        any |= counts_for(f, own, &f->atoms[i]) && f->atoms[i].of != own->of &&
               smt_share_unknown(f->atoms[i].fact, own->fact);
    return any;
}

static void drop_needless(finish *f)
{
    checker *k = f->k;
    smt_t fails = speaks_of_buffers(k) ? NULL : something_fails(k);
    for (size_t i = 0; i < arrlenu(f->atoms) && fails; i++) {
        atom *a = &f->atoms[i];
        const required *r = &k->requires_[a->of];
        bool of_events =
            r->unenforced && r->what.kind == PRECONDITION_NO_WRAP && !r->of_wrap && !r->claimed;
        if (of_events && !a->dropped && has_company(f, a) &&
            never(f, a, smt_and(k->ctx, smt_not(k->ctx, a->fact), fails)))
            drop(f, a);
    }
}

/* ---- Section: as a contract says it ---- */

static smt_t rewrite(const finish *f, const atom *own, smt_t term);

static smt_t rewrite_choice(const finish *f, const atom *own, smt_t term)
{
    smt_ctx *ctx = f->k->ctx;
    smt_t yes = rewrite(f, own, term->args[1]), no = rewrite(f, own, term->args[2]);
    if (yes == no)
        return yes;
    smt_t differ = smt_is_bool(yes) ? smt_bool_const(ctx, true) : smt_ne(ctx, yes, no);
    if (never(f, own, smt_and(ctx, smt_not(ctx, term->args[0]), differ)))
        return yes;
    if (never(f, own, smt_and(ctx, term->args[0], differ)))
        return no;
    smt_t condition = rewrite(f, own, term->args[0]);
    return smt_ite(ctx, condition, yes, no);
}

/* Like rewrite_choice(), with every choice made that the other requires leave no doubt about. */
static smt_t rewrite(const finish *f, const atom *own, smt_t term)
{
    smt_ctx *ctx = f->k->ctx;
    smt_t total;
    switch (term->kind) {
    case SMT_SUM:
        total = smt_int_const(ctx, term->value);
        for (uint32_t i = 0; i < term->n_args; i++)
            total =
                smt_add(ctx, total, smt_scale(ctx, rewrite(f, own, term->args[i]), term->coefs[i]));
        return total;
    case SMT_PROD:
        total = smt_int_const(ctx, 1);
        for (uint32_t i = 0; i < term->n_args; i++)
            total = smt_mul(ctx, total, rewrite(f, own, term->args[i]));
        return total;
    case SMT_DIV:
        return smt_div(ctx, rewrite(f, own, term->args[0]), rewrite(f, own, term->args[1]));
    case SMT_MOD:
        return smt_mod(ctx, rewrite(f, own, term->args[0]), rewrite(f, own, term->args[1]));
    case SMT_ITE:
        return rewrite_choice(f, own, term);
    case SMT_LE:
        return smt_le(ctx, rewrite(f, own, term->args[0]), smt_int_const(ctx, 0));
    case SMT_EQ:
        return smt_eq(ctx, rewrite(f, own, term->args[0]), smt_int_const(ctx, 0));
    case SMT_NOT:
        return smt_not(ctx, rewrite(f, own, term->args[0]));
    case SMT_AND:
    case SMT_OR:
        total = rewrite(f, own, term->args[0]);
        for (uint32_t i = 1; i < term->n_args; i++) {
            smt_t part = rewrite(f, own, term->args[i]);
            total = term->kind == SMT_AND ? smt_and(ctx, total, part) : smt_or(ctx, total, part);
        }
        return total;
    default:
        return term;
    }
}

typedef struct choice_search {
    smt_ctx *ctx;
    smt_t found;
} choice_search;

static void look_for_choice(void *user, smt_t term)
{
    choice_search *s = user;
    if (term->kind == SMT_ITE && !smt_is_bool(term) &&
        smt_min(s->ctx, term->args[1], term->args[2]) != term &&
        smt_max(s->ctx, term->args[1], term->args[2]) != term)
        s->found = term;
}

/* (a + c) % m == r says of `a` what it leaves: `n % 64 == 0`, not `(n + 63) % 64 == 63`. */
static smt_t with_plain_remainder(smt_ctx *ctx, smt_t fact)
{
    smt_t sum = fact->kind == SMT_EQ ? fact->args[0] : NULL;
    bool is_sum = sum && sum->kind == SMT_SUM && sum->n_args == 1;
    smt_t remainder = is_sum ? sum->args[0] : sum; /* that is 0 where there is no sum */
    smt_int coef = is_sum ? sum->coefs[0] : 1, rest = is_sum ? -sum->value * coef : 0, size;
    if (!remainder || remainder->kind != SMT_MOD || (coef != 1 && coef != -1))
        return fact;
    smt_t of = remainder->args[0];
    if (!smt_is_const(remainder->args[1], &size) || of->kind != SMT_SUM || of->value == 0 ||
        rest < 0 || rest >= size)
        return fact;
    smt_t plain = smt_sub(ctx, of, smt_int_const(ctx, of->value));
    smt_int left = ((rest - of->value % size) % size + size) % size;
    return smt_eq(ctx, smt_mod(ctx, plain, smt_int_const(ctx, size)), smt_int_const(ctx, left));
}

static smt_t replace(smt_ctx *ctx, smt_t term, smt_t from, smt_t to)
{
    if (term == from)
        return to;
    smt_t total;
    switch (term->kind) {
    case SMT_SUM:
        total = smt_int_const(ctx, term->value);
        for (uint32_t i = 0; i < term->n_args; i++)
            total = smt_add(ctx, total,
                            smt_scale(ctx, replace(ctx, term->args[i], from, to), term->coefs[i]));
        return total;
    case SMT_PROD:
        total = smt_int_const(ctx, 1);
        for (uint32_t i = 0; i < term->n_args; i++)
            total = smt_mul(ctx, total, replace(ctx, term->args[i], from, to));
        return total;
    case SMT_DIV:
        return smt_div(ctx, replace(ctx, term->args[0], from, to),
                       replace(ctx, term->args[1], from, to));
    case SMT_MOD:
        return smt_mod(ctx, replace(ctx, term->args[0], from, to),
                       replace(ctx, term->args[1], from, to));
    case SMT_ITE:
        return smt_ite(ctx, replace(ctx, term->args[0], from, to),
                       replace(ctx, term->args[1], from, to),
                       replace(ctx, term->args[2], from, to));
    case SMT_LE:
        return smt_le(ctx, replace(ctx, term->args[0], from, to), smt_int_const(ctx, 0));
    case SMT_EQ:
        return smt_eq(ctx, replace(ctx, term->args[0], from, to), smt_int_const(ctx, 0));
    case SMT_NOT:
        return smt_not(ctx, replace(ctx, term->args[0], from, to));
    default:
        return term;
    }
}

/* Contracts have min and max, and no `?:`: `f(c ? x : y)` is `(c && f(x)) || (!c && f(y))`. */
static smt_t without_choices(smt_ctx *ctx, smt_t fact, int left)
{
    choice_search s = {.ctx = ctx};
    smt_visit(ctx, fact, look_for_choice, &s);
    if (!s.found || left == 0)
        return fact;
    smt_t condition = s.found->args[0];
    smt_t yes = replace(ctx, fact, s.found, s.found->args[1]);
    smt_t no = replace(ctx, fact, s.found, s.found->args[2]);
    return smt_or(ctx,
                  smt_and(ctx, without_choices(ctx, condition, left - 1),
                          without_choices(ctx, yes, left - 1)),
                  smt_and(ctx, without_choices(ctx, smt_not(ctx, condition), left - 1),
                          without_choices(ctx, no, left - 1)));
}

/* A division in a contract truncates, one of terms floors: they differ below 0 only, which a fact
 * about sizes hardly ever means. What is read back has to be enough. */
static bool reads_back(const finish *f, smt_t fact, const char *text)
{
    const char *why;
    contract_expression read =
        contract_expression_read(f->k->ctx, f->k->contract, text, false, &why);
    if (!read.term || !smt_is_bool(read.term))
        return false;
    smt_t both = smt_and(f->k->ctx, read.term, read.defined);
    return both == fact || never(f, NULL, smt_and(f->k->ctx, both, smt_not(f->k->ctx, fact)));
}

static void say(finish *f, precondition *what, smt_t fact)
{
    checker *k = f->k;
    what->term = without_choices(k->ctx, with_plain_remainder(k->ctx, fact), MAX_CHOICES);
    what->unspeakable = !reads_back(f, fact, term_words(k, what->term));
}

/* ---- Section: all of them ---- */

/* Facts anew from what is left of them; false when nothing is. */
static bool say_again(finish *f, size_t of)
{
    smt_t fact = smt_bool_const(f->k->ctx, true);
    bool any = false;
    for (size_t i = 0; i < arrlenu(f->atoms); i++)
        if (f->atoms[i].of == of && !f->atoms[i].dropped) {
            fact = smt_and(f->k->ctx, fact, f->atoms[i].fact);
            any = true;
        }
    if (any)
        say(f, &f->k->requires_[of].what, fact);
    return any;
}

/* Bounds of contents without choices that the facts on the launch leave no doubt about. */
static void say_bounds_again(const finish *f, precondition *what)
{
    if (what->contents.min)
        what->contents.min = rewrite(f, NULL, what->contents.min);
    if (what->contents.max)
        what->contents.max = rewrite(f, NULL, what->contents.max);
}

void require_finish(checker *k)
{
    size_t n = arrlenu(k->requires_), kept = 0;
    finish f = {.k = k, .until = ask_taken(k) + k->effort.steps / SHARE};
    for (size_t i = 0; i < n; i++)
        if (k->requires_[i].fact)
            split(&f, i, k->requires_[i].fact);
    drop_implied(&f);
    for (size_t i = 0; i < arrlenu(f.atoms); i++)
        if (!f.atoms[i].dropped)
            f.atoms[i].fact = rewrite(&f, &f.atoms[i], f.atoms[i].fact);
    drop_implied(&f); /* some are simpler now */
    drop_needless(&f);
    for (size_t i = 0; i < n; i++) {
        required *r = &k->requires_[i];
        if (r->what.of_contents)
            say_bounds_again(&f, &r->what);
        bool keep = r->fact ? say_again(&f, i) : r->fails ? !never(&f, NULL, r->fails) : true;
        for (size_t j = 0; j < kept && keep; j++) {
            precondition *same = &k->requires_[j].what;
            keep = !precondition_same(same, &r->what);
            if (!keep && r->what.class_ > same->class_)
                same->class_ = r->what.class_;
        }
        if (keep)
            k->requires_[kept++] = k->requires_[i];
    }
    arrsetlen(k->requires_, kept);
    arrfree(f.atoms);
}

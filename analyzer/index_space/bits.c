/* Bits as numbers: the number that a term is when its bits are read as signed or as unsigned, and
 * the number that is left when it is cut to fewer bits. */
#include "index_space/walk.h"

#include "base/ds.h"

#include <string.h>

static smt_t constant(ix_walk *walk, smt_int value)
{
    return smt_int_const(walk->ctx, value);
}

bool ix_is_natural(ix_walk *walk, smt_t term)
{
    smt_int low, high;
    ix_bounds(walk, term, &low, &high);
    return low >= 0;
}

/* f * (v mod m) + d with f * m = 2^bits reads as f * ((v + d / f) mod m) + d mod f: what ix_wrap
 * made of a number, from which the simplifier has taken a common factor f. Else NULL. */
static smt_t unsigned_remainder(ix_walk *walk, smt_t term, int bits)
{
    smt_ctx *ctx = walk->ctx;
    bool sum = term->kind == SMT_SUM && term->n_args == 1 && term->args[0]->kind == SMT_MOD;
    smt_t modulus = sum ? term->args[0]->args[1] : NULL;
    smt_int m, all = (smt_int)1 << bits;
    if (!sum || !smt_is_const(modulus, &m) || m <= 0 || all % m != 0 || term->coefs[0] != all / m)
        return NULL;
    smt_int factor = term->coefs[0], rest = term->value % factor;
    rest += rest < 0 ? factor : 0;
    smt_t v = smt_add(ctx, term->args[0]->args[0], constant(walk, (term->value - rest) / factor));
    return smt_add(ctx, smt_scale(ctx, smt_mod(ctx, v, modulus), factor), constant(walk, rest));
}

/* f * (v mod m) + d: the remainder; else NULL. */
static smt_t remainder_in(smt_t term)
{
    if (term->kind == SMT_SUM && term->n_args == 1)
        term = term->args[0];
    return term->kind == SMT_MOD ? term : NULL;
}

static void note_cut(ix_walk *walk, smt_t term)
{
    smt_t remainder = remainder_in(term);
    if (remainder && !summary_is_cut(walk->s, remainder))
        arrput(walk->s->cuts, remainder);
}

void ix_note_mask(ix_walk *walk, smt_t masked)
{
    smt_t remainder = remainder_in(masked), of = remainder ? remainder->args[0] : NULL;
    if (of && of->kind == SMT_SUM && of->n_args == 1)
        of = of->args[0];
    if (of && summary_contents_of(walk->s, of, NULL) >= 0)
        note_cut(walk, masked);
}

smt_t ix_as_unsigned(ix_walk *walk, smt_t term, int bits)
{
    if (ix_is_natural(walk, term))
        return term;
    smt_t remainder = unsigned_remainder(walk, term, bits);
    if (remainder) {
        if (remainder_in(term) && summary_is_cut(walk->s, remainder_in(term)))
            note_cut(walk, remainder);
        return remainder;
    }
    smt_t wrapped = smt_add(walk->ctx, term, constant(walk, (smt_int)1 << bits));
    return smt_ite(walk->ctx, smt_lt(walk->ctx, term, constant(walk, 0)), wrapped, term);
}

static bool fits(ix_walk *walk, smt_t term, int bits)
{
    smt_int low, high, half = (smt_int)1 << (bits - 1);
    ix_bounds(walk, term, &low, &high);
    return low >= -half && high < half;
}

smt_t ix_wrap(ix_walk *walk, smt_t term, int bits)
{
    if (fits(walk, term, bits))
        return term;
    smt_int half = (smt_int)1 << (bits - 1);
    smt_t shifted = smt_add(walk->ctx, term, constant(walk, half));
    smt_t modulus = constant(walk, half * 2);
    return smt_sub(walk->ctx, smt_mod(walk->ctx, shifted, modulus), constant(walk, half));
}

/* Is the term how often a loop ran? A program knows that as a sum that goes from 0 in steps of 1.
 */
static bool is_counted(const ix_walk *walk, smt_t term)
{
    return summary_private(walk->s, term) ||
           (term->kind == SMT_APP && strncmp(term->name, IX_EXIT, strlen(IX_EXIT)) == 0);
}

/* No op computes what a loop counts, so an op that reads it as a signed number leaves the hazard.
 */
static bool is_unsigned_count(ix_walk *walk, smt_t term, int bits)
{
    const summary *s = walk->s;
    smt_int half = (smt_int)1 << (bits - 1);
    for (size_t i = 0; i < arrlenu(s->loops); i++) {
        if (s->loops[i]->unsigned_value != term)
            continue;
        smt_t safe = smt_lt(walk->ctx, term, constant(walk, half));
        ix_hazard_add(walk, IX_WRAP, s->loops[i]->op, false, safe, term);
        return true;
    }
    return false;
}

enum { MAX_NESTED = 6 }; /* choices and divisions inside each other: then the whole is wrapped */

bool ix_is_number_of_table(const ix_walk *walk, smt_t term)
{
    const summary *s = walk->s;
    int allocation = summary_contents_of(s, term, NULL);
    for (size_t r = 0; r < s->n_allocations && allocation >= 0; r++)
        if (s->allocations[r].space == IX_REGIONS && s->allocations[r].table == allocation)
            return false;
    return allocation >= 0;
}

/* Sums, products, elements that are cut and what a loop counts leave the signed range only where a
 * hazard says so. A quotient is no greater than its numerator, a remainder less than its divisor:
 * by 0 is undefined, and a hazard. */
static bool is_guarded(ix_walk *walk, smt_t term, int bits, int nested)
{
    if (fits(walk, term, bits) || is_unsigned_count(walk, term, bits) || term->kind == SMT_SUM ||
        term->kind == SMT_PROD || term->kind == SMT_NAMED || is_counted(walk, term) ||
        ix_is_number_of_table(walk, term))
        return true;
    if (nested == 0)
        return false;
    if (term->kind == SMT_DIV)
        return is_guarded(walk, term->args[0], bits, nested - 1);
    if (term->kind == SMT_MOD)
        return is_guarded(walk, term->args[1], bits, nested - 1);
    return term->kind == SMT_ITE && is_guarded(walk, term->args[1], bits, nested - 1) &&
           is_guarded(walk, term->args[2], bits, nested - 1);
}

/* Others may hold an unsigned parameter as it is. */
static smt_t as_signed(ix_walk *walk, smt_t term, int bits, int nested)
{
    if (is_guarded(walk, term, bits, nested))
        return term;
    if (term->kind != SMT_ITE || nested == 0)
        return ix_wrap(walk, term, bits);
    return smt_ite(walk->ctx, term->args[0], as_signed(walk, term->args[1], bits, nested - 1),
                   as_signed(walk, term->args[2], bits, nested - 1));
}

smt_t ix_as_signed(ix_walk *walk, smt_t term, int bits)
{
    return as_signed(walk, term, bits, MAX_NESTED);
}

/* Does the contract say something of the contents that the application is of? */
static bool is_stated(const summary *s, smt_t term)
{
    int allocation = summary_contents_of(s, term, NULL);
    for (size_t i = 0; i < s->contract->n_args && allocation >= 0; i++) {
        const contract_arg *arg = &s->contract->args[i];
        const char *name = contract_buffer_of(arg);
        if (arg->kind == CONTRACT_POINTER &&
            (arg->contents.min || arg->contents.max || arg->contents.values) &&
            strcmp(name, s->allocations[allocation].name) == 0)
            return true;
    }
    return false;
}

enum { NARROW = 16 }; /* bits of types that nobody computes addresses in */

static smt_t narrowed(ix_walk *walk, smt_t term, int bits)
{
    smt_t low = ix_wrap(walk, term, bits);
    if (bits <= NARROW)
        note_cut(walk, low);
    return low;
}

/* Cuts a value. The lower bits of an unknown value are an unknown value too; a value that fits
 * stays as it is. */
smt_t ix_cut(ix_walk *walk, smt_t term, int bits, bool scalar)
{
    smt_ctx *ctx = walk->ctx;
    smt_bits_op unused;
    bool is_known = summary_contents_of(walk->s, term, NULL) >= 0 || smt_is_bits(term, &unused);
    if (term->kind != SMT_APP || fits(walk, term, bits) || !scalar || (bits <= NARROW && is_known))
        return narrowed(walk, term, bits);
    smt_int half = (smt_int)1 << (bits - 1);
    const char *name = tr_arena_printf(walk->arena, "low.i%d", bits);
    smt_t low = smt_app(ctx, name, 1, &term, -half, half - 1);
    if (!is_stated(walk->s, term))
        return low;
    smt_t fit = smt_and(ctx, smt_le(ctx, constant(walk, -half), term),
                        smt_lt(ctx, term, constant(walk, half)));
    walk->facts = smt_and(ctx, walk->facts, smt_implies(ctx, fit, smt_eq(ctx, low, term)));
    return low;
}

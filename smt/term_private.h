/* Inside of the term half of the room: nodes, polynomials and the order of a term's subterms. */
#ifndef SMT_TERM_PRIVATE_H
#define SMT_TERM_PRIVATE_H

#include "base/ds.h"
#include "smt/term.h"

enum {
    SMT_HAS_DIV = 1,       /* a division or remainder occurs */
    SMT_HAS_ITE = 2,       /* an integer if-then-else occurs */
    SMT_HAS_APP = 4,       /* a function or predicate is applied */
    SMT_HAS_PRODUCT = 8,   /* a product of non-constants occurs */
    SMT_HAS_FORALL = 16,   /* a quantified fact occurs */
    SMT_HAS_SYMBOLIC = 32, /* a division by something other than a constant occurs */
    SMT_HAS_NAMED = 64,    /* a named polynomial occurs */
};

/* The node that a smt_t points to; the public part comes first. */
typedef struct smt_node {
    struct smt_term term;
    struct smt_node *next; /* of the same bucket */
    uint64_t hash;
    uint32_t flags;       /* SMT_HAS_*, of it and of all below */
    uint32_t depth;       /* longest way down to a leaf */
    uint32_t bool_depth;  /* of AND and OR above the first literal */
    uint32_t mark, place; /* smt_order_make's: epoch of the last visit, index in its order */
    struct smt_ctx *ctx;  /* that it is a term of */
    smt_t negation;       /* once asked for */
} smt_node;

typedef struct smt_function {
    char *key; /* name/arity */
    struct smt_function_range {
        smt_int low, high;
        const char *name;
    } value;
} smt_function;

typedef struct smt_meter {
    uint64_t ticks; /* a step has TICKS_A_STEP of them */
    tr_budget *budget;
} smt_meter;

enum { SMT_TICKS_A_STEP = 32 };

struct smt_ctx {
    tr_arena *arena;
    smt_node **buckets;      /* n_buckets chains, by the low bits of the hash */
    size_t n_buckets;        /* a power of two */
    smt_function *functions; /* stb_ds string map */
    struct smt_name {
        char *key;
        const char *value;
    } *names; /* stb_ds string map: one pointer a name */
    uint32_t n_terms, epoch, n_fresh, n_scopes;
    smt_t true_term, false_term;
    struct smt_kept_order *orders; /* order.c */
    smt_meter own, *meter; /* what steps are counted with: its own, or that of another context */
};

static inline const smt_node *smt_node_of(smt_t term)
{
    return (const smt_node *)term;
}

static inline bool smt_has(smt_t term, uint32_t flags)
{
    return (smt_node_of(term)->flags & flags) != 0;
}

static inline bool smt_is_zero(smt_t term)
{
    return term->kind == SMT_INT && term->value == 0;
}

/* Counts n ticks: each is a term, an argument or a summand that is looked at, some 30 ns. */
static inline void smt_tick(smt_ctx *ctx, uint64_t n)
{
    enum { LOOK_EVERY = 4096 };
    smt_meter *meter = ctx->meter;
    uint64_t before = meter->ticks;
    meter->ticks = before + n;
    if (meter->budget && before / LOOK_EVERY != meter->ticks / LOOK_EVERY)
        tr_budget_is_spent(meter->budget);
}

/* Steps until that count of smt_steps_taken; none when the budget is spent. */
static inline smt_steps smt_steps_left(const smt_ctx *ctx, smt_steps until)
{
    smt_steps taken = ctx->meter->ticks / SMT_TICKS_A_STEP;
    return smt_is_cut(ctx) || taken >= until ? 0 : until - taken;
}

/* The one node of that shape. Copies args and coefs when it is new. Ranges: as given. */
smt_t smt_intern(smt_ctx *ctx, const struct smt_term *shape);
const char *smt_intern_name(smt_ctx *ctx, const char *name);
/* A term that nothing is known of, for what does not fit. */
smt_t smt_opaque(smt_ctx *ctx);

/* ---- Section: Ranges (range.c) ---- */

typedef struct smt_range {
    smt_int low, high;
} smt_range;

smt_range smt_range_of(smt_t term);
smt_range smt_range_add(smt_range a, smt_range b);
smt_range smt_range_scale(smt_range a, smt_int factor);
smt_range smt_range_mul(smt_range a, smt_range b);
smt_range smt_range_power(smt_range a, unsigned exponent);
smt_range smt_range_div(smt_range a, smt_range b); /* Euclidean; all when b may be 0 */
smt_range smt_range_mod(smt_range a, smt_range b);
/* Arithmetic that stays within 126 bits; false when it would not. Inline, and quick where numbers
 * have 64 bits, as nearly all have: every evaluation and every range is made of it. */
static inline bool smt_is_word(smt_int value)
{
    return value == (int64_t)value;
}

static inline bool smt_fits(smt_int value)
{
    return value > SMT_NO_LOW && value < SMT_NO_HIGH;
}

static inline bool smt_safe_add(smt_int a, smt_int b, smt_int *sum)
{
    /* Both are within 126 bits, so the 128-bit sum is exact. */
    *sum = a + b;
    return smt_fits(*sum);
}

static inline bool smt_safe_mul(smt_int a, smt_int b, smt_int *product)
{
    if (smt_is_word(a) && smt_is_word(b)) {
        *product = (smt_int)(int64_t)a * (int64_t)b;
        return smt_fits(*product);
    }
    if (__builtin_mul_overflow(a, b, product)) {
        *product = 0;
        return false;
    }
    return smt_fits(*product);
}

static inline smt_int smt_floor_div(smt_int a, smt_int b) /* b > 0 */
{
    if (smt_is_word(a) && smt_is_word(b)) {
        int64_t over = (int64_t)a, under = (int64_t)b;
        return over / under - (over % under < 0);
    }
    smt_int quotient = a / b;
    return a % b < 0 ? quotient - 1 : quotient;
}

/* ---- Section: Polynomials (poly.c) ---- */

/* One summand: coef * term; term is no SUM and no INT. */
typedef struct smt_mono {
    smt_t term;
    smt_int coef;
} smt_mono;

/* A sum while it is being made; not sorted, summands may repeat until smt_poly_settle. */
typedef struct smt_poly {
    smt_mono *items; /* stb_ds array */
    smt_int value;
    bool too_big; /* something left 126 bits: the whole is unknown */
} smt_poly;

void smt_poly_add(smt_poly *poly, smt_t term, smt_int factor); /* + factor * term */
void smt_poly_add_value(smt_poly *poly, smt_int value);
void smt_poly_settle(smt_poly *poly); /* sorted, merged, no zero coefficients */
void smt_poly_free(smt_poly *poly);
/* The term; frees the polynomial's memory. */
smt_t smt_poly_make(smt_ctx *ctx, smt_poly *poly);
size_t smt_n_monos(smt_t term); /* summands of an integer term, the constant not counted */
smt_mono smt_mono_at(smt_t term, size_t i); /* i-th summand */
smt_int smt_constant_part(smt_t term);
/* The polynomial as one factor or summand of another: named where it is a sum or a product. */
smt_t smt_name(smt_ctx *ctx, smt_t polynomial);
/* Like smt_name(), after its parts have changed: where it has become short it needs no name. */
smt_t smt_rename_polynomial(smt_ctx *ctx, smt_t polynomial);
/* Product of two non-sums without coefficient. */
smt_t smt_mono_mul(smt_ctx *ctx, smt_t a, smt_t b);
/* The other factors when `factor` (no sum, no product) is one of mono's; NULL when it is not.
 * The constant 1 when it is the only one. */
smt_t smt_mono_divide(smt_ctx *ctx, smt_t mono, smt_t factor);
/* Like smt_mono_divide(), for a product of factors. */
smt_t smt_mono_divide_all(smt_ctx *ctx, smt_t mono, smt_t factors);

/* ---- Section: Division (divide.c) ---- */

/* a = divisor * quotient + rest with as little as possible left in rest. */
void smt_split_multiple(smt_ctx *ctx, smt_t a, smt_t divisor, smt_t *quotient, smt_t *rest);
/* The factor in m = b * factor, where it is known positive; NULL: there is none. */
smt_t smt_positive_factor(smt_ctx *ctx, smt_t m, smt_t b);
/* term = g * multiple + rest, rest being all summands that g does not divide. */
void smt_split_factor(smt_ctx *ctx, smt_t term, smt_mono g, smt_t *multiple, smt_t *rest);
/* 0 <= a < limit whatever the variables are within their ranges? `limit` is known positive. */
bool smt_is_below(smt_ctx *ctx, smt_t a, smt_t limit);
/* A bound that is written in variables: a <= result (upper) or a >= result. */
smt_t smt_symbolic_bound(smt_ctx *ctx, smt_t a, bool upper);
/* x - d*(x div d) is x mod d, and d*(x div d) + x mod d is x: what that makes of a settled sum,
 * or NULL when it changes nothing. */
smt_t smt_fold_remainders(smt_ctx *ctx, const smt_poly *sum);

/* ---- Section: Bit operations (bits.c) ---- */

const char *smt_bits_symbol(smt_bits_op op); /* C's operator */
smt_int smt_bits_value(smt_bits_op op, smt_int a, smt_int b);
smt_t smt_bits_rebuild(smt_ctx *ctx, smt_t term, smt_bits_op op, const smt_t *args);

/* ---- Section: Comparisons and if-then-else ---- */

typedef enum smt_relation { SMT_IS_LE, SMT_IS_GE, SMT_IS_EQ, SMT_IS_NE } smt_relation;

/* A comparison as `form` (no constant, first coefficient > 0) against a number. */
typedef struct smt_atom {
    smt_t form;
    smt_relation relation;
    smt_int number;
} smt_atom;

/* False when the term is no comparison. */
bool smt_atom_of(smt_ctx *ctx, smt_t term, smt_atom *atom);
smt_t smt_atom_term(smt_ctx *ctx, const smt_atom *atom);
/* Comparisons that must all hold, merged: what they say together of each form. Returns a new stb_ds
 * array, or NULL and *is_false when they contradict each other. */
smt_t *smt_merge_atoms(smt_ctx *ctx, size_t n, const smt_t *atoms, bool *is_false);

/* Is `term` min(x, y) (+1) or max(x, y) (-1)? 0 otherwise. */
int smt_is_min_max(smt_t term, smt_t *x, smt_t *y);

/* ---- Section: Order (order.c) ---- */

/* The distinct subterms of some roots, children first, and where each one's children are. */
typedef struct smt_order {
    smt_t *terms;    /* stb_ds arrays */
    uint32_t *first; /* of terms[i]: children[first[i] .. first[i] + n_args) are indices */
    uint32_t *children;
    struct smt_kept_order *kept; /* they are its, not the order's own; or NULL */
} smt_order;

void smt_order_make(smt_order *order, size_t n_roots, const smt_t *roots);
void smt_order_free(smt_order *order);
void smt_orders_forget(smt_ctx *ctx); /* those that the context keeps */
size_t smt_order_count(const smt_order *order);
uint32_t smt_order_find(const smt_order *order, smt_t term); /* must occur */
void smt_sort_by_id(smt_t *terms, size_t n);                 /* rising */

/* Replacement in goals, where the range of `from` may be lost: a goal with fewer facts has more
 * models, so that what is refuted stays so, and a model is evaluated against the whole question. */
smt_t smt_replace(smt_ctx *ctx, smt_t term, size_t n, const smt_t *from, const smt_t *to);
/* The same node with other children: simplified anew. */
smt_t smt_rebuild(smt_ctx *ctx, smt_t term, const smt_t *args);

/* The same terms in another context: variables and functions are known by their names. A variable
 * that its range leaves one value is that number there. */
void smt_import(smt_ctx *to, size_t n, const smt_t *terms, smt_t *imported);

/* ---- Section: Values (eval.c) ---- */

/* Value of the term at that place, whose children have theirs; no variable and no application. */
smt_value smt_eval_at(const smt_order *order, size_t place, const smt_value *values);
/* Like smt_eval_at(), for any term; `room` is an stb_ds array, kept from one to the next and freed
 * at last. */
smt_value smt_eval_found(const smt_order *order, size_t place, const smt_value *values,
                         smt_lookup lookup, void *user, smt_int **room);
/* Values of all terms of the order, in its order. */
void smt_eval_order(const smt_order *order, smt_lookup lookup, void *user, smt_value *values);

#endif

/* The inner form of terms and of their context. */
#ifndef SMT_TERMS_NODE_H
#define SMT_TERMS_NODE_H

#include "terms/term.h"

enum {
    SMT_HAS_DIV = 1,       /* a division or remainder occurs */
    SMT_HAS_ITE = 2,       /* an integer if-then-else occurs */
    SMT_HAS_APP = 4,       /* a function or predicate is applied */
    SMT_HAS_PRODUCT = 8,   /* a product of non-constants occurs */
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
    uint32_t changed_in;  /* number of the replacement in several terms that `changed` is of */
    smt_t changed;        /* what it became there */
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
    uint32_t n_terms, epoch, n_fresh, n_scopes, n_replacements;
    smt_t true_term, false_term;
    struct smt_kept_order *orders; /* walk.c */
    smt_meter own, *meter; /* what steps are counted with: its own, or that of another context */
    smt_steps end;         /* at which count of steps simplifying ends early; 0: it does not */
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

/* Is it time to end, whatever is left to simplify? */
static inline bool smt_is_over(const smt_ctx *ctx)
{
    return smt_is_cut(ctx) || (ctx->end > 0 && ctx->meter->ticks / SMT_TICKS_A_STEP >= ctx->end);
}

/* Returns the only node of that shape. Copies args and coefs when it is new. Ranges: as given. */
smt_t smt_intern(smt_ctx *ctx, const struct smt_term *shape);
const char *smt_intern_name(smt_ctx *ctx, const char *name);
/* A term that nothing is known of, for what does not fit. */
smt_t smt_opaque(smt_ctx *ctx);

#endif

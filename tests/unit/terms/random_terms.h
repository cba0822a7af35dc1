/* Random expressions kept twice: as the term that the API makes, and as a plain tree whose value is
 * computed here, by nothing of the room under test. */
#ifndef TEST_RANDOM_TERMS_H
#define TEST_RANDOM_TERMS_H

#include "terms/term.h"

#include <stdlib.h>

typedef struct rng {
    uint64_t state;
} rng;

static inline uint32_t rng_next(rng *r)
{
    r->state ^= r->state << 13;
    r->state ^= r->state >> 7;
    r->state ^= r->state << 17;
    return (uint32_t)(r->state >> 16);
}

static inline int rng_below(rng *r, int n)
{
    return (int)(rng_next(r) % (uint32_t)n);
}

enum { N_VARS = 5 };

typedef struct test_var {
    const char *name;
    int low, high;
} test_var;

typedef enum tree_op {
    T_CONST,
    T_VAR,
    T_ADD,
    T_SUB,
    T_MUL,
    T_NEG,
    T_DIV,
    T_MOD,
    T_DIVT,
    T_REMT,
    T_DIVF,
    T_DIVC,
    T_MIN,
    T_MAX,
    T_ITE,
    N_INT_OPS,
    T_LT = N_INT_OPS,
    T_LE,
    T_EQ,
    T_NE,
    T_GE,
    T_GT,
    T_AND,
    T_OR,
    T_NOT,
    T_IMPLIES,
    T_IFF,
    T_BITE,
    N_OPS,
} tree_op;

typedef struct tree {
    tree_op op;
    int number; /* of a constant; of a variable */
    struct tree *args[3];
} tree;

typedef struct tree_value {
    long long number;
    int defined; /* 0: a division by zero was needed */
} tree_value;

static inline tree_value defined_value(long long number)
{
    return (tree_value){number, 1};
}

static inline long long floor_div_ll(long long a, long long b)
{
    long long q = a / b;
    return (a % b != 0 && ((a < 0) != (b < 0))) ? q - 1 : q;
}

static inline long long euclid_div_ll(long long a, long long b)
{
    return b > 0 ? floor_div_ll(a, b) : -floor_div_ll(a, -b);
}

/* Every part must be defined: a stricter reading than the room's, so that all it calls defined must
 * be equal. */
static inline tree_value tree_eval(const tree *t, const long long *vars)
{
    tree_value a = {0, 1}, b = {0, 1}, c = {0, 1}, none = {0, 0};
    if (t->args[0])
        a = tree_eval(t->args[0], vars);
    if (t->args[1])
        b = tree_eval(t->args[1], vars);
    if (t->args[2])
        c = tree_eval(t->args[2], vars);
    if (!a.defined || !b.defined || !c.defined)
        return none;
    long long x = a.number, y = b.number, z = c.number;
    if (t->op >= T_DIV && t->op <= T_DIVC && y == 0)
        return none;
    switch (t->op) {
    case T_CONST:
        return defined_value(t->number);
    case T_VAR:
        return defined_value(vars[t->number]);
    case T_ADD:
        return defined_value(x + y);
    case T_SUB:
        return defined_value(x - y);
    case T_MUL:
        return defined_value(x * y);
    case T_NEG:
        return defined_value(-x);
    case T_DIV:
        return defined_value(euclid_div_ll(x, y));
    case T_MOD:
        return defined_value(x - y * euclid_div_ll(x, y));
    case T_DIVT:
        return defined_value(x / y);
    case T_REMT:
        return defined_value(x % y);
    case T_DIVF:
        return defined_value(floor_div_ll(x, y));
    case T_DIVC:
        return defined_value(-floor_div_ll(-x, y));
    case T_MIN:
        return defined_value(x < y ? x : y);
    case T_MAX:
        return defined_value(x > y ? x : y);
    case T_ITE:
    case T_BITE:
        return defined_value(x ? y : z);
    case T_LT:
        return defined_value(x < y);
    case T_LE:
        return defined_value(x <= y);
    case T_EQ:
        return defined_value(x == y);
    case T_NE:
        return defined_value(x != y);
    case T_GE:
        return defined_value(x >= y);
    case T_GT:
        return defined_value(x > y);
    case T_AND:
        return defined_value(x && y);
    case T_OR:
        return defined_value(x || y);
    case T_NOT:
        return defined_value(!x);
    case T_IMPLIES:
        return defined_value(!x || y);
    case T_IFF:
        return defined_value(!x == !y);
    default:
        return none;
    }
}

static inline void tree_free(tree *t)
{
    if (!t)
        return;
    for (int i = 0; i < 3; i++)
        tree_free(t->args[i]);
    free(t);
}

static inline tree *tree_node(tree_op op, int number, tree *a, tree *b, tree *c)
{
    tree *t = calloc(1, sizeof *t);
    *t = (tree){op, number, {a, b, c}};
    return t;
}

static inline tree *random_bool(rng *r, int depth);

static inline tree *random_int(rng *r, int depth)
{
    if (depth <= 0 || rng_below(r, 8) == 0) {
        if (rng_below(r, 3) == 0) {
            static const int numbers[] = {0, 1, 2, 3, 4, 8, 12, -1, -2, -4, 5, 16};
            return tree_node(T_CONST, numbers[rng_below(r, (int)TR_COUNT(numbers))], 0, 0, 0);
        }
        return tree_node(T_VAR, rng_below(r, N_VARS), 0, 0, 0);
    }
    tree_op op = (tree_op)(T_ADD + rng_below(r, N_INT_OPS - T_ADD));
    if (rng_below(r, 3) == 0)
        op = T_ADD;
    if (op == T_ITE)
        return tree_node(op, 0, random_bool(r, depth - 1), random_int(r, depth - 1),
                         random_int(r, depth - 1));
    if (op == T_NEG)
        return tree_node(op, 0, random_int(r, depth - 1), 0, 0);
    return tree_node(op, 0, random_int(r, depth - 1), random_int(r, depth - 1), 0);
}

static inline tree *random_bool(rng *r, int depth)
{
    tree_op op = (tree_op)(T_LT + rng_below(r, N_OPS - T_LT));
    if (depth <= 0 && op > T_GT)
        op = T_LE;
    if (op <= T_GT)
        return tree_node(op, 0, random_int(r, depth - 1), random_int(r, depth - 1), 0);
    if (op == T_NOT)
        return tree_node(op, 0, random_bool(r, depth - 1), 0, 0);
    tree *a = random_bool(r, depth - 1), *b = random_bool(r, depth - 1);
    return tree_node(op, 0, a, b, op == T_BITE ? random_bool(r, depth - 1) : 0);
}

static inline smt_t tree_term(smt_ctx *ctx, const tree *t, const smt_t *vars)
{
    smt_t a = t->args[0] ? tree_term(ctx, t->args[0], vars) : NULL;
    smt_t b = t->args[1] ? tree_term(ctx, t->args[1], vars) : NULL;
    smt_t c = t->args[2] ? tree_term(ctx, t->args[2], vars) : NULL;
    switch (t->op) {
    case T_CONST:
        return smt_int_const(ctx, t->number);
    case T_VAR:
        return vars[t->number];
    case T_ADD:
        return smt_add(ctx, a, b);
    case T_SUB:
        return smt_sub(ctx, a, b);
    case T_MUL:
        return smt_mul(ctx, a, b);
    case T_NEG:
        return smt_neg(ctx, a);
    case T_DIV:
        return smt_div(ctx, a, b);
    case T_MOD:
        return smt_mod(ctx, a, b);
    case T_DIVT:
        return smt_div_trunc(ctx, a, b);
    case T_REMT:
        return smt_rem_trunc(ctx, a, b);
    case T_DIVF:
        return smt_div_floor(ctx, a, b);
    case T_DIVC:
        return smt_div_ceil(ctx, a, b);
    case T_MIN:
        return smt_min(ctx, a, b);
    case T_MAX:
        return smt_max(ctx, a, b);
    case T_ITE:
    case T_BITE:
        return a->id % 2 ? smt_ite(ctx, a, b, c) : smt_choice(ctx, a, b, c);
    case T_LT:
        return smt_lt(ctx, a, b);
    case T_LE:
        return smt_le(ctx, a, b);
    case T_EQ:
        return smt_eq(ctx, a, b);
    case T_NE:
        return smt_ne(ctx, a, b);
    case T_GE:
        return smt_ge(ctx, a, b);
    case T_GT:
        return smt_gt(ctx, a, b);
    case T_AND:
        return smt_and(ctx, a, b);
    case T_OR:
        return smt_or(ctx, a, b);
    case T_NOT:
        return smt_not(ctx, a);
    case T_IMPLIES:
        return smt_implies(ctx, a, b);
    case T_IFF:
        return smt_iff(ctx, a, b);
    default:
        return NULL;
    }
}

/* Variables of the term side, and values to look up. */
typedef struct assignment {
    smt_t vars[N_VARS];
    long long values[N_VARS];
} assignment;

static inline void random_vars(rng *r, smt_ctx *ctx, assignment *a, test_var *ranges)
{
    static const char *names[N_VARS] = {"a", "b", "c", "d", "e"};
    static const int lows[] = {0, 1, 0, -3, 1, 2};
    for (int i = 0; i < N_VARS; i++) {
        int low = lows[rng_below(r, (int)TR_COUNT(lows))];
        ranges[i] = (test_var){names[i], low, low + 1 + rng_below(r, 9)};
        a->vars[i] = smt_var(ctx, names[i], low, ranges[i].high);
    }
}

static inline void random_values(rng *r, assignment *a, const test_var *ranges)
{
    for (int i = 0; i < N_VARS; i++)
        a->values[i] = ranges[i].low + rng_below(r, ranges[i].high - ranges[i].low + 1);
}

static inline bool lookup_assignment(void *user, smt_t variable, size_t n_args, const smt_int *args,
                                     smt_int *value)
{
    const assignment *a = user;
    (void)n_args, (void)args;
    for (int i = 0; i < N_VARS; i++) {
        if (a->vars[i] == variable) {
            *value = a->values[i];
            return true;
        }
    }
    return false;
}

#endif

/* Queries that real kernels lead to and that a solver alone does not decide, built of terms. */
#ifndef TEST_HARD_QUERIES_H
#define TEST_HARD_QUERIES_H

#include "../terms/event_var.h"
#include "terms/term.h"

enum { MAX_FACTS = 40 };

typedef struct query {
    smt_ctx *c;
    size_t n;
    smt_t facts[MAX_FACTS];
} query;

static const smt_int word = (smt_int)1 << 31;

static inline void need(query *q, smt_t fact)
{
    q->facts[q->n++] = fact;
}

static inline smt_t size_of(query *q, const char *name) /* known positive only by facts */
{
    smt_t size = event_var(q->c, name, -word, word - 1);
    need(q, smt_gt(q->c, size, smt_int_const(q->c, 0)));
    return size;
}

static inline smt_t natural_of(query *q, const char *name)
{
    return event_var(q->c, name, 0, word - 1);
}

static inline smt_t number(query *q, smt_int value)
{
    return smt_int_const(q->c, value);
}

/* Which bound (or equation) is left out, to make the query satisfiable. */
typedef enum drop { NOTHING, A_BOUND } drop;

static inline void persistent(query *q, drop dropped)
{
    smt_t b1 = natural_of(q, "bid.x!1"), b2 = natural_of(q, "bid.x!2");
    smt_t k1 = natural_of(q, "k!1"), k2 = natural_of(q, "k!2"), p = size_of(q, "P");
    smt_t grid = natural_of(q, "grid.x");
    need(q, smt_lt(q->c, b1, grid));
    need(q, smt_lt(q->c, b2, grid));
    need(q, smt_ne(q->c, b1, b2));
    if (dropped == NOTHING)
        need(q, smt_le(q->c, grid, p));
    need(q, smt_eq(q->c, smt_add(q->c, b1, smt_mul(q->c, k1, p)),
                   smt_add(q->c, b2, smt_mul(q->c, k2, p))));
}

/* A tile of 128 elements a step: element offsets (bid + k*grid)*128 + e. */
static inline void persistent_tiles(query *q, drop dropped)
{
    smt_t b1 = natural_of(q, "bid.x!1"), b2 = natural_of(q, "bid.x!2");
    smt_t k1 = natural_of(q, "k!1"), k2 = natural_of(q, "k!2");
    smt_t grid = natural_of(q, "grid.x");
    smt_int last = dropped == NOTHING ? 127 : 128;
    smt_t e1 = event_var(q->c, "e!1", 0, last), e2 = event_var(q->c, "e!2", 0, last);
    smt_t step = smt_scale(q->c, grid, 128);
    need(q, smt_lt(q->c, b1, grid));
    need(q, smt_lt(q->c, b2, grid));
    need(q, smt_ne(q->c, b1, b2));
    smt_t at1 = smt_add(q->c, smt_scale(q->c, b1, 128), smt_mul(q->c, k1, step));
    smt_t at2 = smt_add(q->c, smt_scale(q->c, b2, 128), smt_mul(q->c, k2, step));
    need(q, smt_eq(q->c, smt_add(q->c, at1, e1), smt_add(q->c, at2, e2)));
}

static inline void row_stride(query *q, drop dropped)
{
    smt_t n = size_of(q, "n"), s = natural_of(q, "S");
    smt_t r1 = natural_of(q, "r!1"), r2 = natural_of(q, "r!2");
    smt_t c1 = natural_of(q, "c!1"), c2 = natural_of(q, "c!2");
    if (dropped == NOTHING)
        need(q, smt_ge(q->c, s, n));
    need(q, smt_ne(q->c, r1, r2));
    need(q, smt_lt(q->c, c1, n));
    need(q, smt_lt(q->c, c2, n));
    need(q, smt_eq(q->c, smt_add(q->c, smt_mul(q->c, r1, s), c1),
                   smt_add(q->c, smt_mul(q->c, r2, s), c2)));
}

static inline void row_head_column(query *q, drop dropped)
{
    smt_t n = size_of(q, "n"), s = natural_of(q, "S"), h = size_of(q, "H"), t = natural_of(q, "T");
    smt_t h1 = natural_of(q, "h!1"), h2 = natural_of(q, "h!2");
    smt_t r1 = natural_of(q, "r!1"), r2 = natural_of(q, "r!2");
    smt_t c1 = natural_of(q, "c!1"), c2 = natural_of(q, "c!2");
    need(q, smt_ge(q->c, s, n));
    if (dropped == NOTHING)
        need(q, smt_ge(q->c, t, smt_mul(q->c, h, s)));
    need(q, smt_lt(q->c, h1, h));
    need(q, smt_lt(q->c, h2, h));
    need(q, smt_or(q->c, smt_ne(q->c, r1, r2), smt_ne(q->c, h1, h2)));
    need(q, smt_lt(q->c, c1, n));
    need(q, smt_lt(q->c, c2, n));
    smt_t at1 = smt_add(q->c, smt_add(q->c, smt_mul(q->c, r1, t), smt_mul(q->c, h1, s)), c1);
    smt_t at2 = smt_add(q->c, smt_add(q->c, smt_mul(q->c, r2, t), smt_mul(q->c, h2, s)), c2);
    need(q, smt_eq(q->c, at1, at2));
}

/* Coordinates of a grouped ("swizzled") tile order. */
typedef struct tile_order {
    smt_t nm, nn, group;
    bool by_remainder; /* (p % (group*nn)) % size rather than p % size */
} tile_order;

static inline void swizzle_one(query *q, const tile_order *o, smt_t p, smt_t *m, smt_t *n)
{
    smt_t in_group = smt_mul(q->c, o->group, o->nn);
    smt_t group = smt_div_trunc(q->c, p, in_group);
    smt_t first = smt_mul(q->c, group, o->group);
    smt_t size = smt_min(q->c, smt_sub(q->c, o->nm, first), o->group);
    smt_t rest = smt_rem_trunc(q->c, p, in_group);
    *m = smt_add(q->c, first, smt_rem_trunc(q->c, o->by_remainder ? rest : p, size));
    *n = smt_div_trunc(q->c, rest, size);
}

static inline void same_tile(query *q, const tile_order *o, smt_t p1, smt_t p2, drop dropped)
{
    smt_t m1, n1, m2, n2, tiles = smt_mul(q->c, o->nm, o->nn);
    need(q, smt_lt(q->c, p1, tiles));
    need(q, smt_lt(q->c, p2, tiles));
    swizzle_one(q, o, p1, &m1, &n1);
    swizzle_one(q, o, p2, &m2, &n2);
    need(q, smt_eq(q->c, m1, m2));
    if (dropped == NOTHING)
        need(q, smt_eq(q->c, n1, n2));
}

static inline tile_order order_of(query *q, bool symbolic_group, bool by_remainder)
{
    tile_order o = {.nm = size_of(q, "nm"), .nn = size_of(q, "nn"), .by_remainder = by_remainder};
    o.group = symbolic_group ? size_of(q, "G") : number(q, 8);
    return o;
}

static inline void swizzle(query *q, bool symbolic_group, bool by_remainder, drop dropped)
{
    tile_order o = order_of(q, symbolic_group, by_remainder);
    smt_t p1 = natural_of(q, "bid.x!1"), p2 = natural_of(q, "bid.x!2");
    need(q, smt_ne(q->c, p1, p2));
    same_tile(q, &o, p1, p2, dropped);
}

static inline void swizzle_8_p(query *q, drop d)
{
    swizzle(q, false, false, d);
}

static inline void swizzle_8_rest(query *q, drop d)
{
    swizzle(q, false, true, d);
}

static inline void swizzle_any_p(query *q, drop d)
{
    swizzle(q, true, false, d);
}

static inline void swizzle_any_rest(query *q, drop d)
{
    swizzle(q, true, true, d);
}

static inline void swizzle_fixed(query *q, drop dropped)
{
    tile_order o = {number(q, 20), number(q, 24), number(q, 8), false};
    smt_t p1 = natural_of(q, "bid.x!1"), p2 = natural_of(q, "bid.x!2");
    need(q, smt_ne(q->c, p1, p2));
    same_tile(q, &o, p1, p2, dropped);
}

static inline void persistent_over(query *q, bool symbolic_group, bool by_remainder, drop dropped)
{
    tile_order o = order_of(q, symbolic_group, by_remainder);
    smt_t b1 = natural_of(q, "bid.x!1"), b2 = natural_of(q, "bid.x!2");
    smt_t k1 = natural_of(q, "k!1"), k2 = natural_of(q, "k!2"), p = size_of(q, "P");
    smt_t grid = natural_of(q, "grid.x");
    need(q, smt_lt(q->c, b1, grid));
    need(q, smt_lt(q->c, b2, grid));
    need(q, smt_ne(q->c, b1, b2));
    if (dropped == NOTHING)
        need(q, smt_le(q->c, grid, p));
    smt_t iv1 = smt_add(q->c, b1, smt_mul(q->c, k1, p));
    smt_t iv2 = smt_add(q->c, b2, smt_mul(q->c, k2, p));
    same_tile(q, &o, iv1, iv2, NOTHING);
}

static inline void persistent_swizzle_p(query *q, drop d)
{
    persistent_over(q, false, false, d);
}

static inline void persistent_swizzle_rest(query *q, drop d)
{
    persistent_over(q, false, true, d);
}

static inline void persistent_swizzle_any(query *q, drop d)
{
    persistent_over(q, true, false, d);
}

/* (p % A, p / A % B, p / (A*B)), with p < A*B*C: remainders by symbolic extents. */
static inline void mixed_radix(query *q, drop dropped)
{
    smt_t a = size_of(q, "A"), b = size_of(q, "B"), c = size_of(q, "C");
    smt_t p[2] = {natural_of(q, "bid.x!1"), natural_of(q, "bid.x!2")}, at[2][3];
    smt_t ab = smt_mul(q->c, a, b);
    need(q, smt_ne(q->c, p[0], p[1]));
    for (int i = 0; i < 2; i++) {
        if (dropped == NOTHING)
            need(q, smt_lt(q->c, p[i], smt_mul(q->c, ab, c)));
        at[i][0] = smt_rem_trunc(q->c, p[i], a);
        at[i][1] = smt_rem_trunc(q->c, smt_div_trunc(q->c, p[i], a), b);
        at[i][2] = smt_rem_trunc(q->c, smt_div_trunc(q->c, p[i], ab), c);
    }
    for (int i = 0; i < 3; i++)
        need(q, smt_eq(q->c, at[0][i], at[1][i]));
}

/* A block a head: b = bid / H, h = bid % H, element (b*S + m)*H + h, tiles of 64 along m. */
static inline void head_tiles(query *q, drop dropped)
{
    smt_t h = size_of(q, "H"), s = size_of(q, "S"), d = size_of(q, "D");
    smt_t p[2] = {natural_of(q, "bid.x!1"), natural_of(q, "bid.x!2")}, at[2];
    const char *m_names[2] = {"m!1", "m!2"}, *e_names[2] = {"e!1", "e!2"};
    need(q, smt_ne(q->c, p[0], p[1]));
    for (int i = 0; i < 2; i++) {
        smt_t m = natural_of(q, m_names[i]), e = natural_of(q, e_names[i]);
        need(q, smt_lt(q->c, m, s));
        if (dropped == NOTHING)
            need(q, smt_lt(q->c, e, d));
        smt_t row = smt_add(q->c, smt_mul(q->c, smt_div_trunc(q->c, p[i], h), s), m);
        smt_t cell = smt_add(q->c, smt_mul(q->c, row, h), smt_rem_trunc(q->c, p[i], h));
        at[i] = smt_add(q->c, smt_mul(q->c, cell, d), e);
    }
    need(q, smt_eq(q->c, at[0], at[1]));
}

/* y*c2 + x*c1 with grid.x <= c2/c1. */
static inline void two_axes(query *q, drop dropped)
{
    smt_t c1 = size_of(q, "c1"), c2 = size_of(q, "c2"), grid = natural_of(q, "grid.x");
    smt_t x1 = natural_of(q, "bid.x!1"), x2 = natural_of(q, "bid.x!2");
    smt_t y1 = natural_of(q, "bid.y!1"), y2 = natural_of(q, "bid.y!2");
    need(q, smt_lt(q->c, x1, grid));
    need(q, smt_lt(q->c, x2, grid));
    need(q, smt_or(q->c, smt_ne(q->c, x1, x2), smt_ne(q->c, y1, y2)));
    if (dropped == NOTHING)
        need(q, smt_le(q->c, grid, smt_div_trunc(q->c, c2, c1)));
    need(q, smt_eq(q->c, smt_add(q->c, smt_mul(q->c, y1, c2), smt_mul(q->c, x1, c1)),
                   smt_add(q->c, smt_mul(q->c, y2, c2), smt_mul(q->c, x2, c1))));
}

/* Python's floor division and remainder, as its compiler writes them. */
static inline smt_t python_mod(smt_ctx *c, smt_t a, smt_t b)
{
    smt_t r = smt_rem_trunc(c, a, b), zero = smt_int_const(c, 0);
    smt_t signs = smt_not(c, smt_iff(c, smt_lt(c, r, zero), smt_lt(c, b, zero)));
    return smt_ite(c, smt_and(c, smt_ne(c, r, zero), signs), smt_add(c, r, b), r);
}

static inline void python_swizzle(query *q, drop dropped)
{
    tile_order o = order_of(q, false, true);
    smt_t p[2] = {natural_of(q, "bid.x!1"), natural_of(q, "bid.x!2")}, m[2], n[2];
    need(q, smt_ne(q->c, p[0], p[1]));
    for (int i = 0; i < 2; i++) {
        need(q, smt_lt(q->c, p[i], smt_mul(q->c, o.nm, o.nn)));
        smt_t in_group = smt_mul(q->c, o.group, o.nn);
        smt_t first = smt_mul(q->c, smt_div_floor(q->c, p[i], in_group), o.group);
        smt_t size = smt_min(q->c, smt_sub(q->c, o.nm, first), o.group);
        m[i] = smt_add(q->c, first, python_mod(q->c, p[i], size));
        n[i] = smt_div_floor(q->c, python_mod(q->c, p[i], in_group), size);
    }
    need(q, smt_eq(q->c, m[0], m[1]));
    if (dropped == NOTHING)
        need(q, smt_eq(q->c, n[0], n[1]));
}

/* Element offsets of swizzled 128 x 64 tiles, masked, row stride S >= N. */
static inline void swizzled_elements(query *q, drop dropped)
{
    smt_t rows = size_of(q, "M"), columns = size_of(q, "N"), stride = natural_of(q, "S");
    tile_order o = {.nm = smt_div_ceil(q->c, rows, number(q, 128)),
                    .nn = smt_div_ceil(q->c, columns, number(q, 64)),
                    .group = number(q, 8),
                    .by_remainder = false};
    smt_t p[2] = {natural_of(q, "bid.x!1"), natural_of(q, "bid.x!2")}, at[2];
    const char *i_names[2] = {"i!1", "i!2"}, *j_names[2] = {"j!1", "j!2"};
    need(q, smt_ne(q->c, p[0], p[1]));
    if (dropped == NOTHING)
        need(q, smt_ge(q->c, stride, columns));
    for (int k = 0; k < 2; k++) {
        smt_t m, n;
        smt_t i = event_var(q->c, i_names[k], 0, 127), j = event_var(q->c, j_names[k], 0, 63);
        need(q, smt_lt(q->c, p[k], smt_mul(q->c, o.nm, o.nn)));
        swizzle_one(q, &o, p[k], &m, &n);
        smt_t row = smt_add(q->c, smt_scale(q->c, m, 128), i);
        smt_t column = smt_add(q->c, smt_scale(q->c, n, 64), j);
        need(q, smt_lt(q->c, row, rows));
        need(q, smt_lt(q->c, column, columns));
        at[k] = smt_add(q->c, smt_mul(q->c, row, stride), column);
    }
    need(q, smt_eq(q->c, at[0], at[1]));
}

/* Four coordinates by an array's own strides, each at least the next one times its extent. */
static inline void stride_chain(query *q, drop dropped)
{
    const char *extents[4] = {"B", "H", "M", "D"}, *strides[3] = {"sb", "sh", "sm"};
    const char *names[2][4] = {{"b!1", "h!1", "m!1", "d!1"}, {"b!2", "h!2", "m!2", "d!2"}};
    smt_t extent[4], stride[4], at[2][4], differ[4], sum[2];
    for (int i = 0; i < 4; i++)
        extent[i] = size_of(q, extents[i]);
    for (int i = 0; i < 3; i++)
        stride[i] = natural_of(q, strides[i]);
    stride[3] = number(q, 1);
    for (int i = 0; i < 3; i++) {
        if (dropped == NOTHING || i != 1)
            need(q, smt_ge(q->c, stride[i], smt_mul(q->c, stride[i + 1], extent[i + 1])));
    }
    for (int k = 0; k < 2; k++) {
        sum[k] = number(q, 0);
        for (int i = 0; i < 4; i++) {
            at[k][i] = natural_of(q, names[k][i]);
            need(q, smt_lt(q->c, at[k][i], extent[i]));
            sum[k] = smt_add(q->c, sum[k], smt_mul(q->c, at[k][i], stride[i]));
        }
    }
    for (int i = 0; i < 4; i++)
        differ[i] = smt_ne(q->c, at[0][i], at[1][i]);
    need(q, smt_or_n(q->c, 4, differ));
    need(q, smt_eq(q->c, sum[0], sum[1]));
}

/* One block, two iterations of a persistent loop over the swizzle. */
static inline void iterations(query *q, drop dropped)
{
    tile_order o = order_of(q, true, false);
    smt_t b = natural_of(q, "bid.x"), p = size_of(q, "P");
    smt_t k1 = natural_of(q, "k!1"), k2 = natural_of(q, "k!2");
    need(q, smt_ne(q->c, k1, k2));
    same_tile(q, &o, smt_add(q->c, b, smt_mul(q->c, k1, p)), smt_add(q->c, b, smt_mul(q->c, k2, p)),
              dropped);
}

typedef struct hard_query {
    const char *name;
    void (*make)(query *q, drop dropped);
} hard_query;

static const hard_query hard_queries[] = {
    {"persistent", persistent},
    {"persistent tiles", persistent_tiles},
    {"row stride", row_stride},
    {"row, head, column", row_head_column},
    {"mixed radix", mixed_radix},
    {"head tiles", head_tiles},
    {"swizzle p%g, all fixed", swizzle_fixed},
    {"swizzle p%n%g, group 8", swizzle_8_rest},
    {"swizzle p%g, group 8", swizzle_8_p},
    {"swizzle p%n%g, symbolic", swizzle_any_rest},
    {"swizzle p%g, symbolic", swizzle_any_p},
    {"persistent swizzle p%n%g", persistent_swizzle_rest},
    {"persistent swizzle p%g", persistent_swizzle_p},
    {"persistent swizzle, symbolic", persistent_swizzle_any},
    {"two axes, grid <= c2/c1", two_axes},
    {"swizzle as Python writes it", python_swizzle},
    {"elements of swizzled tiles", swizzled_elements},
    {"chain of strides", stride_chain},
    {"iterations of one block", iterations},
};

#endif

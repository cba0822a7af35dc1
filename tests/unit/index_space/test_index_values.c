/* What the summary says of an index is its value, and what it calls undefined
 * is: C expressions over the block's number and two parameters, each kept
 * twice, as source of a kernel and as code.
 */
#include "../dialect/reading.h"
#include "index_space/walk.h"

#include "base/ds.h"

typedef long long number;

/* X(name, expression, defined): of b from 0 to 5 and of n and m, any of 32
 * bits. */
#define EXPRESSIONS(X)                                                                             \
    X(e1, b * 3 + n, fits(b * 3 + n))                                                              \
    X(e2, n - m, fits(n - m))                                                                      \
    X(e3, n *m, fits(n *m))                                                                        \
    X(e4, -n, fits(-n))                                                                            \
    X(e5, n * 5 - m * 3 + 7,                                                                       \
      fits(n * 5) && fits(m * 3) && fits(n * 5 - m * 3) && fits(n * 5 - m * 3 + 7))                \
    X(e6, n / m, m != 0 && fits(n / (m ? m : 1)))                                                  \
    X(e7, n % m, m != 0 && fits(n / (m ? m : 1)))                                                  \
    X(e8, n / 3, true)                                                                             \
    X(e9, n % 3, true)                                                                             \
    X(e10, n / -3, true)                                                                           \
    X(e11, n % -3, true)                                                                           \
    X(e12, n / -1, fits(-n))                                                                       \
    X(e13, b / 2 * 4 + b % 2, true)                                                                \
    X(e14, (b - 3) / 2, true)                                                                      \
    X(e15, (b - 3) % 2, true)                                                                      \
    X(e16, n & 7, true)                                                                            \
    X(e17, n | 8, true)                                                                            \
    X(e18, n ^ 5, true)                                                                            \
    X(e19, n &m, true)                                                                             \
    X(e20, n ^ m, true)                                                                            \
    X(e21, ~n, true)                                                                               \
    X(e22, b << 2, true)                                                                           \
    X(e23, (b << 1) + (b << 3), true)                                                              \
    X(e24, n >> 1, true)                                                                           \
    X(e25, n >> 4, true)                                                                           \
    X(e27, n > m ? n : m, true)                                                                    \
    X(e90, n < 0 ? -3 : n, true)                                                                   \
    X(e29, (signed char)n, true)                                                                   \
    X(e30, (unsigned char)n, true)                                                                 \
    X(e31, (short)n, true)                                                                         \
    X(e32, (unsigned short)n, true)                                                                \
    X(e33, (signed char)(b * 70), true)                                                            \
    X(e34, (unsigned char)(b * 70), true)                                                          \
    X(e35, (unsigned)n / 3u, true)                                                                 \
    X(e36, (unsigned)n % 7u, true)                                                                 \
    X(e37, (unsigned)n >> 3, true)                                                                 \
    X(e38, (signed char)n / 2, true)                                                               \
    X(e39, (unsigned char)n % 5 + (signed char)m, true)                                            \
    X(e40, (long)n *m, true)                                                                       \
    X(e41, (long)n + m, true)                                                                      \
    X(e42, b == 3 ? 100 : b, true)                                                                 \
    X(e43, n % 2 == 0 ? n / 2 : b, true)                                                           \
    X(e44, (unsigned char)(n / 256 - 128), fits(n / 256 - 128))                                    \
    X(e45, (unsigned char)(signed char)(n / 256 - 128), fits(n / 256 - 128))                       \
    X(e46, (unsigned char)(n / 256 - 128) / 3u, fits(n / 256 - 128))                               \
    X(e47, (unsigned char)(signed char)(n % 256 - 128), true)                                      \
    X(e48, (unsigned char)((n > m ? n : m) % 256 - 128), true)                                     \
    X(e49, (unsigned char)(signed char)((unsigned char)n - 128), true)                             \
    X(e50, (unsigned short)(signed char)((unsigned char)n - 128), true)                            \
    X(e51, (unsigned char)((unsigned char)n / 2 - 128), true)                                      \
    X(e52, (unsigned short)((unsigned short)n / 65536 - 32768), true)                              \
    X(e53, (unsigned)(n / 65536 - 32768) / 5u, true)                                               \
    X(e54, (n > m) == (n > b), true)                                                               \
    X(e55, (n > m) < (n > b), true)                                                                \
    X(e56, (n > m) <= (n > b), true)                                                               \
    X(e57, (n > m) != (n > b), true)                                                               \
    X(e58, !(n > m), true)                                                                         \
    X(e59, (unsigned)n < (unsigned)m, true)                                                        \
    X(e60, (unsigned)n <= 5u, true)                                                                \
    X(e61, (signed char)n < (unsigned char)m, true)                                                \
    X(e62, (unsigned char)n == (unsigned char)m, true)                                             \
    X(e63, (signed char)n != (signed char)m, true)                                                 \
    X(e64, (unsigned)n == (unsigned)b - 1u, true)                                                  \
    X(e65, (unsigned char)(signed char)((unsigned short)n / 256 - 128), true)                      \
    X(e66, (unsigned char)(signed char)((unsigned short)n % 256 - 128), true)                      \
    X(e67, (unsigned char)(signed char)((unsigned short)n / 256 - 127), true)                      \
    X(e68, (unsigned char)(signed char)((unsigned short)n / 256 - 128) / 3u, true)                 \
    X(e69, (unsigned)(int)((long)n * n / 4294967296l - 2147483648l) / 3u, true)                    \
    X(e70, (unsigned)(int)((long)n * n / 4294967296l - 2147483648l) < 2147483649u, true)           \
    X(e71, (unsigned)(int)((long)n * n % 4294967296l - 2147483648l) / 3u, true)                    \
    X(e72, (unsigned char)(b * 96 - 6), true)                                                      \
    X(e73, (unsigned short)((unsigned char)n * 600 - 7), true)                                     \
    X(e74, n >> (m > 0 ? 3 : 1), true)                                                             \
    X(e75, (unsigned)n >> (m > 0 ? 3 : m < -5 ? 7 : 1), true)                                      \
    X(e76, b << (n > m ? 4 : 0), true)                                                             \
    X(e77, (long)((unsigned long)n << (m > 0 ? 20 : 2)), true)

static bool fits(number value)
{
    return value >= INT32_MIN && value <= INT32_MAX;
}

typedef struct expression {
    const char *text;
    number (*value)(number b, number n, number m);
    bool (*defined)(number b, number n, number m);
} expression;

enum { LEAST = INT32_MIN, MOST = INT32_MAX };

static const number samples[] = {LEAST, LEAST + 1, -32769, -129, -128, -7,  -3,  -2,  -1,    0,
                                 1,     2,         3,      7,    127,  128, 255, 256, 32768, MOST};

typedef struct values {
    const summary *s;
    smt_t n, m;
    number b, n_value, m_value;
} values;

static bool look_up(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    const values *v = user;
    (void)n_args, (void)args;
    bool known = term == v->s->block_id[0] || term == v->n || term == v->m;
    *value = term == v->n ? v->n_value : term == v->m ? v->m_value : v->b;
    return known;
}

/* The value is asked for where nothing undefined happens; where something does,
 * a hazard says so.
 */
static bool is_right(const values *v, const ix_access *store, const expression *e)
{
    smt_int truth, at;
    bool safe = true;
    for (size_t i = 0; i < arrlenu(v->s->hazards); i++)
        safe &= !smt_eval(v->s->hazards[i].path, look_up, (void *)v, &truth) || !truth ||
                (smt_eval(v->s->hazards[i].safe, look_up, (void *)v, &truth) && truth);
    bool defined = e->defined(v->b, v->n_value, v->m_value);
    if (safe != defined)
        return false;
    number want = defined ? e->value(v->b, v->n_value, v->m_value) : 0;
    return !defined || (smt_eval(store->bytes, look_up, (void *)v, &at) && at == want);
}

static size_t count_wrong(const expression *e)
{
    tr_text text = {0};
    tr_text_addf(&text,
                 "tile_kernel void k(signed char *y, int n, int m)\n{\n    tile_grid(6);\n"
                 "    int b = tile_bid(0);\n    y[%s] = 1;\n}\n",
                 e->text);
    reading r = read_text(tr_text_get(&text));
    tr_text_free(&text);
    show_errors(&r);
    assert_true(r.ok);
    const contract *c = r.unit.contracts[0];
    summary *s = summary_build(r.arena, r.ctx, r.unit.kernels[0], c);
    assert_int_equal(arrlenu(s->accesses), 1);
    values v = {.s = s, .n = contract_param(r.ctx, c, 1), .m = contract_param(r.ctx, c, 2)};
    size_t wrong = 0;
    for (size_t i = 0; i < TR_COUNT(samples) * TR_COUNT(samples) * 6; i++) {
        v.b = (number)(i % 6);
        v.n_value = samples[i / 6 % TR_COUNT(samples)];
        v.m_value = samples[i / 6 / TR_COUNT(samples)];
        if (!is_right(&v, &s->accesses[0], e) && wrong++ == 0)
            print_message("%s at b = %lld, n = %lld, m = %lld\n", e->text, v.b, v.n_value,
                          v.m_value);
    }
    summary_free(s);
    reading_free(&r);
    return wrong;
}

#define X(name, expression, condition)                                                             \
    static number name##_value(number b, number n, number m)                                       \
    {                                                                                              \
        (void)b, (void)n, (void)m;                                                                 \
        return (number)(expression);                                                               \
    }                                                                                              \
    static bool name##_defined(number b, number n, number m)                                       \
    {                                                                                              \
        (void)b, (void)n, (void)m;                                                                 \
        return condition;                                                                          \
    }
EXPRESSIONS(X)
#undef X

static const expression expressions[] = {
#define X(name, expression, condition) {#expression, name##_value, name##_defined},
    EXPRESSIONS(X)
#undef X
};

static void test_values(void **state)
{
    (void)state;
    size_t wrong = 0;
    for (size_t i = 0; i < TR_COUNT(expressions); i++)
        wrong += count_wrong(&expressions[i]);
    assert_int_equal(wrong, 0);
}

/* y0[0] = 1, or y1[0], ..., by the number of the block */
static void write_choice(tr_text *text, int buffers)
{
    tr_text_addf(text, "tile_kernel void k(");
    for (int i = 0; i < buffers; i++)
        tr_text_addf(text, "%sint *y%d", i ? ", " : "", i);
    tr_text_addf(text, ")\n{\n    tile_grid(20);\n    int b = tile_bid(0);\n    int *p = ");
    for (int i = 0; i + 1 < buffers; i++)
        tr_text_addf(text, "b == %d ? y%d : ", i, i);
    tr_text_addf(text, "y%d;\n    p[0] = 1;\n}\n", buffers - 1);
}

/* A pointer that is one of several buffers' is all of them, or it is not known which. */
static void test_chosen_buffers(void **state)
{
    (void)state;
    for (int buffers = 2; buffers <= 12; buffers++) {
        tr_text text = {0};
        write_choice(&text, buffers);
        reading r = read_text(tr_text_get(&text));
        tr_text_free(&text);
        assert_true(r.ok);
        summary *s = summary_build(r.arena, r.ctx, r.unit.kernels[0], r.unit.contracts[0]);
        size_t n = arrlenu(s->accesses), unknown = 0;
        for (size_t i = 0; i < n; i++)
            unknown += s->accesses[i].unknown != NULL;
        assert_int_equal(unknown, buffers > IX_MAX_CHOICES);
        assert_int_equal(n, unknown ? 1 : buffers);
        summary_free(s);
        reading_free(&r);
    }
}

/* ---- Section: Reductions and scans ---- */

typedef enum fold_kind {
    FOLD_SUM,
    FOLD_LEAST,
    FOLD_MOST,
    FOLD_KINDS,
    FOLD_PRODUCT = FOLD_KINDS
} fold_kind;

typedef struct fold_range {
    smt_int low, high;
} fold_range;

static void widen(fold_range *range, smt_int value)
{
    range->low = value < range->low ? value : range->low;
    range->high = value > range->high ? value : range->high;
}

/* Of all tiles of n elements from least to least + n - 1; of a scan every prefix counts. */
static fold_range fold_all(fold_kind kind, int n, smt_int least, smt_int identity, bool scan)
{
    fold_range range = {INT64_MAX, INT64_MIN};
    int tiles = 1;
    for (int i = 0; i < n; i++)
        tiles *= n;
    for (int tile = 0; tile < tiles; tile++) {
        smt_int value = identity;
        for (int i = 0, rest = tile; i < n; i++, rest /= n) {
            smt_int element = least + rest % n;
            if (kind == FOLD_SUM)
                value += element;
            else if (kind == FOLD_LEAST ? element < value : element > value)
                value = element;
            if (scan || i == n - 1)
                widen(&range, value);
        }
    }
    return range;
}

static fold_range fold_stated(fold_kind kind, int n, int least, int identity, bool scan)
{
    static const char *const names[] = {"tile_add", "tile_minimum", "tile_maximum", "tile_mul"};
    tr_text text = {0};
    tr_text_addf(&text,
                 "static tile f(tile a, tile b)\n{\n    return %s(a, b);\n}\n"
                 "tile_kernel void k(signed char *y)\n{\n    tile_grid(6);\n"
                 "    tile t = tile_add(tile_iota(%d), %d);\n",
                 names[kind], n, least);
    if (scan)
        tr_text_addf(&text,
                     "    tile_store_ptr(tile_pointers(y, tile_scan(t, 0, %s, %d, f)), 1);\n}\n",
                     identity % 2 ? "true" : "false", identity);
    else
        tr_text_addf(&text, "    y[tile_to_int(tile_reduce(t, 0, %d, f))] = 1;\n}\n", identity);
    reading r = read_text(tr_text_get(&text));
    tr_text_free(&text);
    show_errors(&r);
    assert_true(r.ok);
    summary *s = summary_build(r.arena, r.ctx, r.unit.kernels[0], r.unit.contracts[0]);
    assert_int_equal(arrlenu(s->accesses), 1);
    fold_range range;
    smt_bounds(s->accesses[0].bytes, &range.low, &range.high);
    summary_free(s);
    reading_free(&r);
    return range;
}

/* The range that is stated holds every value; that of a sum has both ends, and that of an extreme
 * has the end of its own side, and on the other one no more than the elements. Of products nothing
 * is known but the type. */
static void test_folded(void **state)
{
    (void)state;
    for (int scan = 0; scan < 2; scan++) {
        fold_range product = fold_stated(FOLD_PRODUCT, 4, -2, 1, scan);
        assert_true(product.low <= INT32_MIN && product.high >= INT32_MAX);
    }
    for (int i = 0; i < FOLD_KINDS * 2 * 2 * 9 * 9; i++) {
        fold_kind kind = (fold_kind)(i % FOLD_KINDS);
        bool scan = i / FOLD_KINDS % 2;
        int rest = i / FOLD_KINDS / 2, n = rest % 2 ? 4 : 2, least = rest / 2 % 9 - 6,
            identity = rest / 18 - 4;
        fold_range all = fold_all(kind, n, least, identity, scan),
                   is = fold_stated(kind, n, least, identity, scan);
        if (kind == FOLD_LEAST)
            all.high = least + n - 1;
        else if (kind == FOLD_MOST)
            all.low = least;
        if (is.low != all.low || is.high != all.high)
            fail_msg("kind %d of %d elements from %d, identity %d: %lld to %lld, not %lld to %lld",
                     (int)kind, n, least, identity, (long long)is.low, (long long)is.high,
                     (long long)all.low, (long long)all.high);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_values),
        cmocka_unit_test(test_chosen_buffers),
        cmocka_unit_test(test_folded),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

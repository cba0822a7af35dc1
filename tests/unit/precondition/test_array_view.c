/* Is an access to an array of two dimensions seen as one through a view of the array? Each kernel
 * whose store is stands beside three that differ in one detail and whose stores are not. */
#include "../question/checker_kit.h"
#include "order/unique_ticket.h"
#include "precondition/array_view.h"

/* The array's extents are n and m and its strides s and t; `p` belongs to nothing. */
#define PARAMETERS "int *restrict x, int n, int m, int s, int t, int p"

typedef struct array_case {
    const char *what, *right, *wrong[3];
} array_case;

#define COLUMNS(from, to) "for (int j = " from "; j < " to "; j++) "
#define SLICE(from, shape, strides)                                                                \
    "tile_view v = tile_partition(tile_tensor_strided(" from ", tile_shape(" shape                 \
    "), tile_strides(" strides ")), 1, 4); tile_store(v, tile_full(1, 1, 4), b % 2, 0);"

static const array_case cases[] = {
    {"rows",
     COLUMNS("0", "m") "x[b * s + j] = 1;",
     {COLUMNS("0", "m + 1") "x[b * s + j] = 1;", COLUMNS("-1", "m") "x[b * s + j] = 1;",
      COLUMNS("0", "n") "x[b * s + j] = 1;"}},
    {"rows, from the second column",
     COLUMNS("1", "m") "x[b * s + j] = 1;",
     {COLUMNS("1", "m") "x[b * s + j + 1] = 1;", COLUMNS("1", "m") "x[b * s + j - 2] = 1;",
      COLUMNS("1", "m") "x[b * s + 2 * j] = 1;"}},
    {"rows, one column before",
     COLUMNS("1", "m + 1") "x[b * s + j - 1] = 1;",
     {COLUMNS("1", "m + 1") "x[b * s + j] = 1;", COLUMNS("1", "m + 1") "x[b * s + j - 2] = 1;",
      COLUMNS("0", "m + 1") "x[b * s + j - 1] = 1;"}},
    {"every second row",
     COLUMNS("0", "m") "x[(2 * b + 1) * s + j] = 1;",
     {COLUMNS("0", "m") "x[(2 * b + 1) * p + s + j] = 1;",
      COLUMNS("0", "m") "x[(2 * b + 1) * s * s + j] = 1;",
      COLUMNS("0", "m") "x[(2 * b + 1) * s + j - m] = 1;"}},
    {"columns of a stride",
     COLUMNS("0", "m") "x[b * s + j * t] = 1;",
     {COLUMNS("0", "m") "x[b * s + j * t + 1] = 1;", COLUMNS("0", "m") "x[b * s * t + j] = 1;",
      COLUMNS("0", "m") "x[b * s + j * t + p] = 1;"}},
    {"a slice",
     SLICE("x + b / 2 * (2 * s)", "2, m", "s, 1"),
     {SLICE("x + b / 2 * (2 * s)", "2, m", "p, 1"), SLICE("x + b / 2 * (2 * s)", "2, m", "1, s"),
      SLICE("x + b / 2 * (2 * s)", "2, m + 1", "s, 1")}},
    {"a slice of rows and columns of strides",
     SLICE("x + b / 2 * (2 * s)", "2, m", "s, t"),
     {SLICE("x + b / 2 * (2 * s)", "2, m", "t, s"), SLICE("x + b / 2 * (2 * s)", "2, m", "s, p"),
      SLICE("x + b / 2 * (2 * s) + t", "2, m", "s, t")}},
    {"no columns",
     NULL,
     {"x[n * b] = 1;", "if (n > 0 && m > 0) x[0] = 1;", COLUMNS("0", "m") "x[b + j] = 1;"}},
};

static bool is_seen(const char *body)
{
    static const contract_role roles[] = {CONTRACT_ARRAY_START, CONTRACT_ARRAY_EXTENT,
                                          CONTRACT_ARRAY_EXTENT, CONTRACT_ARRAY_STRIDE,
                                          CONTRACT_ARRAY_STRIDE};
    static const uint32_t dimensions[] = {0, 0, 1, 0, 1};
    tr_text text = {0};
    checker_kit t;
    tr_text_addf(&text,
                 "tile_kernel void k(" PARAMETERS ")\n{\n    tile_grid(n);\n"
                 "    int b = tile_bid(0);\n    %s\n}\n",
                 body);
    checker_kit_open(&t, tr_text_get(&text), order_add_tickets, true);
    tr_text_free(&text);
    bool used[6];
    for (size_t i = 0; i < TR_COUNT(used); i++)
        used[i] = ir_is_used(t.k.kernel, t.k.kernel->body->args[i]);
    t.k.args_used = used;
    for (size_t i = 0; i < TR_COUNT(roles); i++)
        t.r.unit.contracts[0]->args[i].member = (contract_member){roles[i], 0, dimensions[i]};
    const ix_access *last = &arrlast(t.k.s->accesses);
    bool seen = require_as_view(&t.k, last) != last;
    checker_kit_close(&t);
    return seen;
}

static bool is_as_stated(const array_case *c, const char *body, bool stated)
{
    bool seen = is_seen(body);
    if (seen != stated)
        print_message("%s, \"%s\": %s\n", c->what, body, seen ? "seen" : "not seen");
    return seen == stated;
}

static void test_layout_array(void **state)
{
    size_t failed = 0;
    (void)state;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        const array_case *c = &cases[i];
        failed += c->right && !is_as_stated(c, c->right, true);
        for (int w = 0; w < 3; w++)
            failed += !is_as_stated(c, c->wrong[w], false);
    }
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_layout_array)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Contract statements: what each leaves in the contract. */
#include "reading.h"

#include "base/ds.h"

static const char *term_text(reading *r, smt_t term)
{
    tr_text text = {0};
    smt_print_c(&text, term);
    const char *copy = tr_arena_strdup(r->arena, tr_text_get(&text));
    tr_text_free(&text);
    return copy;
}

static const contract *first(reading *r)
{
    if (!r->ok)
        show_errors(r);
    assert_true(r->ok);
    contract *c = r->unit.contracts[0];
    assert_true(contract_settle_ranges(r->ctx, c, &r->errors));
    return c;
}

static void test_parameters(void **state)
{
    (void)state;
    reading r = read_text("tile_kernel void k(const float *restrict a, int *b, unsigned short n,\n"
                          "                   long l, float s, bool on)\n{\n    b[0] = n;\n}\n");
    const contract *c = first(&r);
    assert_string_equal(c->kernel, "k");
    assert_int_equal(c->source, CONTRACT_NONE);
    assert_int_equal(c->n_args, 6);
    assert_int_equal(c->args[0].kind, CONTRACT_POINTER);
    assert_string_equal(c->args[0].buffer, "a");
    assert_true(c->args[0].buffer_stated); /* restrict */
    assert_false(c->args[1].buffer_stated);
    assert_int_equal(c->args[2].kind, CONTRACT_SCALAR);
    assert_int_equal(c->args[2].bits, 16);
    assert_false(c->args[2].is_signed);
    assert_int_equal(c->args[3].bits, 64);
    assert_true(c->args[3].is_signed);
    assert_int_equal(c->args[4].kind, CONTRACT_FLOAT);
    assert_int_equal(c->args[5].bits, 1);
    reading_free(&r);
}

static void test_grid_and_facts(void **state)
{
    (void)state;
    reading r = read_text("enum { T = 64 };\n"
                          "static int tiles(int n) { return tile_cdiv(n, T); }\n"
                          "tile_kernel void k(float *p, int B, int n)\n{\n"
                          "    const int rows = B * n;\n"
                          "    tile_grid(tiles(n), rows);\n"
                          "    tile_assume(B > 0 && n % T == 0);\n"
                          "    tile_assume(tile_grid_extent(0) <= tile_min(n, 100));\n"
                          "    tile_extent(p, (long)rows * 2);\n"
                          "    p[0] = B;\n}\n");
    const contract *c = first(&r);
    assert_int_equal(c->source, CONTRACT_SOURCE);
    assert_string_equal(term_text(&r, c->grid[0]), "cdiv(n, 64)");
    assert_string_equal(term_text(&r, c->grid[1]), "B * n");
    assert_string_equal(term_text(&r, c->grid[2]), "1");
    assert_string_equal(term_text(&r, c->args[0].elements), "B * n * 2");
    assert_int_equal(c->args[0].place->line, 10);
    assert_int_equal(arrlen(c->facts), 3);
    assert_string_equal(c->facts[0].text, "B > 0");
    assert_string_equal(c->facts[1].text, "n % T == 0");
    assert_int_equal(c->facts[1].place->line, 8);
    assert_int_equal(c->facts[1].place->column, 26);
    reading_free(&r);
}

/* Products of ints do not wrap in a contract. */
static void test_mathematical(void **state)
{
    (void)state;
    reading r = read_text("tile_kernel void k(float *p, int n)\n{\n"
                          "    tile_extent(p, n * 1000000 * 1000000);\n"
                          "    tile_assume(-n / 2 < (n & 7) && (n << 3) >= (n >> 2));\n"
                          "    tile_assume(n ? n != 3 : true);\n"
                          "    p[0] = 1;\n}\n");
    const contract *c = first(&r);
    assert_string_equal(term_text(&r, c->args[0].elements), "n * 1000000000000");
    assert_int_equal(arrlen(c->facts), 3);
    reading_free(&r);
}

static void test_aliasing(void **state)
{
    (void)state;
    reading r =
        read_text("tile_kernel void k(float *a, float *b, float *c, float *d, float *e)\n{\n"
                  "    tile_may_alias(a, b);\n    tile_may_alias(b, c);\n"
                  "    tile_distinct(d);\n    tile_alias_offset(b, 64);\n"
                  "    a[0] = 1;\n}\n");
    const contract *c = first(&r);
    assert_string_equal(c->args[1].buffer, c->args[0].buffer);
    assert_string_equal(c->args[2].buffer, c->args[0].buffer);
    assert_true(c->args[2].buffer_stated);
    assert_string_equal(c->args[3].buffer, "d");
    assert_true(c->args[3].buffer_stated);
    assert_false(c->args[4].buffer_stated);
    assert_string_equal(term_text(&r, c->args[1].offset), "64");
    assert_null(c->args[0].offset);
    reading_free(&r);
}

static void test_contents(void **state)
{
    (void)state;
    reading r = read_text(
        "tile_kernel void k(float *p, const int *ids, const int *offsets, const int *lengths,\n"
        "                   const long *table, int n)\n{\n"
        "    tile_unique_when(ids, tile_value() < n);\n    tile_contents(ids, 0, tile_index());\n"
        "    tile_increasing(offsets);\n    tile_prefix_sum(offsets, lengths);\n"
        "    tile_regions(table, 4096);\n    tile_unique(lengths);\n"
        "    tile_covered_once(p);\n    p[0] = 1;\n}\n");
    const contract *c = first(&r);
    const contract_contents *ids = &c->args[1].contents;
    assert_true(ids->unique);
    assert_true(smt_contains(ids->unique_when, contract_value(r.ctx)));
    assert_true(smt_contains(ids->max, contract_index(r.ctx)));
    assert_true(c->args[2].contents.increasing);
    assert_int_equal(c->args[2].contents.prefix_sum_of, 3);
    assert_null(c->args[3].contents.unique_when);
    assert_string_equal(term_text(&r, c->args[4].contents.regions), "4096");
    assert_int_equal(c->args[0].covered, CONTRACT_COVERED_ONCE);
    reading_free(&r);
}

static void test_others(void **state)
{
    (void)state;
    reading r = read_text("tile_kernel void k(float *a, float *b)\n{\n"
                          "    tile_predecessor_writes(a, b);\n    tile_predecessor_reads(b);\n"
                          "    tile_peers(TILE_SYS);\n    a[0] = 1;\n}\n"
                          "tile_kernel void late(float *a)\n{\n    tile_dependent_launch();\n"
                          "    a[0] = 1;\n}\n");
    const contract *c = first(&r);
    assert_true(c->pdl);
    assert_int_equal(c->predecessor.n_writes, 2);
    assert_string_equal(c->predecessor.writes[1], "b");
    assert_int_equal(c->predecessor.n_reads, 1);
    assert_int_equal(c->peers, CONTRACT_PEERS_SYS);
    assert_int_equal(r.unit.n_kernels, 2);
    assert_true(r.unit.contracts[1]->pdl);
    reading_free(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_parameters),   cmocka_unit_test(test_grid_and_facts),
        cmocka_unit_test(test_mathematical), cmocka_unit_test(test_aliasing),
        cmocka_unit_test(test_contents),     cmocka_unit_test(test_others),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

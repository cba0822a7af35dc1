/* Do different tile blocks access different elements? The addresses are computed from tables of
 * prefix sums, or their pointers are chosen between buffers. Each kernel whose blocks are kept
 * apart stands beside three that differ in one detail and whose blocks meet. */
#include "../question/checker_kit.h"
#include "order/unique_ticket.h"
#include "question/ask.h"
#include "question/two_events.h"
#include "rules/pair.h"

typedef struct apart_case {
    const char *what, *facts, *right, *wrong[3];
} apart_case;

#define LENGTHS "tile_grid(n); tile_prefix_sum(o, l); tile_extent(l, n); tile_extent(o, n + 1L); "
#define SUMS    LENGTHS "tile_contents(l, 0, 1000);"
#define FILLED  LENGTHS "tile_contents(l, 1, 1000);"
#define EACH(j) "for (int j = 0; j < " j "; j++) "

static const apart_case cases[] = {
    {"segments",
     SUMS,
     EACH("l[b]") "x[o[b] + j] = 1;",
     {EACH("l[b] + 1") "x[o[b] + j] = 1;", EACH("l[b]") "x[o[b] + 2 * j] = 1;",
      EACH("l[b]") "x[o[b] / 2 + j] = 1;"}},
    {"segments from their ends",
     SUMS,
     EACH("l[b]") "x[o[b + 1] - 1 - j] = 1;",
     {EACH("l[b]") "x[o[b + 1] - 1 - j + (b == 0)] = 1;",
      EACH("l[b] + 1") "x[o[b + 1] - 1 - j] = 1;", EACH("l[b]") "x[o[b] - 1 - j] = 1;"}},
    {"segments one further",
     SUMS,
     EACH("l[b]") "x[o[b] + j + 1] = 1;",
     {EACH("l[b]") "x[o[b] + j + (b == 0)] = 1;", EACH("l[b]") "x[o[b] + j + b % 2] = 1;",
      EACH("l[b]") "x[o[b] + j + l[b] - 1] = 1;"}},
    {"twice as long",
     SUMS,
     EACH("2 * l[b]") "x[2 * o[b] + j] = 1;",
     {EACH("2 * l[b] + 1") "x[2 * o[b] + j] = 1;", EACH("2 * l[b]") "x[o[b] + j] = 1;",
      EACH("3 * l[b]") "x[2 * o[b] + j] = 1;"}},
    {"from the last block",
     SUMS,
     EACH("l[n - 1 - b]") "x[o[n - 1 - b] + j] = 1;",
     {EACH("l[b]") "x[o[n - 1 - b] + j] = 1;", EACH("l[n - 1 - b]") "x[o[b] + j] = 1;",
      EACH("l[n - 1 - b]") "x[o[n - 1 - b] - j] = 1;"}},
    {"another block's length",
     SUMS,
     EACH("l[b]") "x[o[b] + j] = 1;",
     {EACH("l[0]") "x[o[b] + j] = 1;", EACH("l[b / 2]") "x[o[b] + j] = 1;",
      EACH("l[b]") "x[o[b / 2] + j] = 1;"}},
    {"a segment and the end of all",
     FILLED,
     "if (b < n - 1) x[o[b] + l[b] - 1] = 1; else x[o[n]] = 1;",
     {"if (b < n - 1) x[o[b] + l[b] - 1] = 1; else x[o[n + 1]] = 1;",
      "if (b < n - 1) x[o[b] + l[b] - 1] = 1; else x[o[n + 5]] = 1;",
      "if (b < n - 1) x[o[b] + l[b]] = 1; else x[o[n]] = 1;"}},
    {"a segment and the beginning of all",
     FILLED,
     "if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[0] + l[0] - 1] = 1;",
     {"if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[-1] + l[-1] - 1] = 1;",
      "if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[-4] + l[-4]] = 1;",
      "if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[1] + l[1] - 1] = 1;"}},
    {"an end of offsets that are not counted",
     "tile_grid(n); tile_prefix_sum(o, l); tile_extent(l, n); tile_contents(l, 1, 1000);",
     "if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[n]] = 1;",
     {"if (b > 0) x[o[n] + l[n] - 1] = 1; else x[o[n + 1]] = 1;",
      "if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[n - 1]] = 1;",
      "if (b > 0) x[o[n + 2] + l[n + 2] - 1] = 1; else x[o[n + 4]] = 1;"}},
    {"an end of lengths that are not counted",
     "tile_grid(n); tile_prefix_sum(o, l); tile_extent(o, n + 1L); tile_contents(l, 1, 1000);",
     "if (b > 0) x[o[b] + l[b] - 1] = 1; else x[o[n]] = 1;",
     {"if (b > 0) x[o[n] + l[n] - 1] = 1; else x[o[n + 1]] = 1;",
      "if (b > 0) x[o[-1] + l[-1] - 1] = 1; else x[o[0]] = 1;",
      "if (b > 0) x[o[n + 2] + l[n + 2] - 1] = 1; else x[o[n + 4]] = 1;"}},
    {"where nothing is empty",
     FILLED,
     "x[o[b] + l[b] - 1] = 1;",
     {"x[o[b] / 2] = 1;", "x[o[b] * b] = 1;", "x[o[b / 2]] = 1;"}},
    {"ends, where nothing is empty",
     FILLED,
     "x[o[b] + l[b]] = 1;",
     {"x[o[b + 1] - l[b / 2]] = 1;", "x[o[b] + l[n - 1 - b]] = 1;", "x[o[b] + l[b] * 2] = 1;"}},
    {"where a segment may be empty",
     SUMS,
     "if (l[b] > 0) x[o[b]] = 1;",
     {"x[o[b]] = 1;", "if (l[b] >= 0) x[o[b]] = 1;", "x[o[b + 1]] = 1;"}},
    {"of others beside the own",
     SUMS,
     EACH("l[b]") "x[o[b] + j] = 1;",
     {EACH("l[b]") "x[o[b] + j] = 1; x[0] = 1;", EACH("l[b]") "x[o[b] + j] = 1; x[o[1]] = 1;",
      EACH("l[b]") "x[o[b] + j] = 1; x[o[b] + l[b]] = 1;"}},
    {"the lengths may be negative",
     LENGTHS "tile_contents(l, -1, 1000);",
     NULL,
     {EACH("l[b]") "x[o[b] + j] = 1;", "if (l[b] != 0) x[o[b]] = 1;",
      EACH("l[b]") "x[o[b + 1] - 1 - j] = 1;"}},
    {"nothing is said of the lengths",
     LENGTHS,
     NULL,
     {EACH("l[b]") "x[o[b] + j] = 1;", "if (l[b] > 0) x[o[b]] = 1;", "x[o[b]] = 1;"}},
    {"no sums are stated",
     "tile_grid(n); tile_contents(l, 0, 1000);",
     NULL,
     {EACH("l[b]") "x[o[b] + j] = 1;", "if (l[b] > 0) x[o[b]] = 1;",
      EACH("l[b]") "x[o[b + 1] - 1 - j] = 1;"}},
    {"the sums of the other table",
     "tile_grid(n); tile_prefix_sum(l, o); tile_contents(l, 0, 9); "
     "tile_contents(o, 0, 9);",
     NULL,
     {EACH("l[b]") "x[o[b] + j] = 1;", "if (l[b] > 0) x[o[b]] = 1;", "x[o[b]] = 1;"}},
    {"one of two buffers",
     "tile_grid(n);",
     "int *p = b % 2 ? x : y; p[b / 2] = 1;",
     {"int *p = b % 2 ? x : y; p[b / 4] = 1;", "int *p = b % 3 ? x : y; p[b / 2] = 1;",
      "int *p = b / 2 ? x : y; p[b / 2] = 1;"}},
    {"the same for all",
     "tile_grid(n);",
     "int *p = n > 3 ? x : y; p[b] = 1;",
     {"int *p = n > 3 ? x : y; p[b / 2] = 1;", "int *p = n > 3 ? x : y; p[n] = 1;",
      "int *p = n > 3 ? x : y; p[b % 4] = 1;"}},
    {"one buffer, two places",
     "tile_grid(n);",
     "int *p = b > 3 ? x : x + n; p[b] = 1;",
     {"int *p = b > 3 ? x : x + 1; p[b] = 1;", "int *p = b > 3 ? x : x + 4; p[b] = 1;",
      "int *p = b > 3 ? x + n : x + n; p[b / 2] = 1;"}},
    {"a gap",
     "tile_grid(n);",
     "int *p = b > 3 ? x + 1 : x; p[b] = 1;",
     {"int *p = b > 3 ? x - 1 : x; p[b] = 1;", "int *p = b > 3 ? x + 1 : x; p[b - b % 2] = 1;",
      "int *p = b % 2 ? x + 1 : x; p[b] = 1; p[b + 1] = 1;"}},
    {"three candidates",
     "tile_grid(n);",
     "int *p = b == 0 ? x : b == 1 ? y : x + n; p[b] = 1;",
     {"int *p = b == 0 ? x : b == 1 ? y : x + n; p[0] = 1;",
      "int *p = b == 0 ? x : b == 1 ? y : x - 2; p[b] = 1;",
      "int *p = b == 0 ? y : b == 1 ? y - 1 : x; p[b] = 1;"}},
    {"eight candidates, and nine that are too many",
     "tile_grid(n);",
     "int *p = b == 0 ? x : b == 1 ? x + 1 : b == 2 ? x + 2 : b == 3 ? x + 3 : b == 4 ? x + 4 : "
     "b == 5 ? x + 5 : b == 6 ? x + 6 : x + b; p[0] = 1;",
     {"int *p = b == 0 ? x : b == 1 ? x + 1 : b == 2 ? x + 2 : b == 3 ? x + 3 : b == 4 ? x + 4 : "
      "b == 5 ? x + 5 : b == 6 ? x + 6 : b == 7 ? x + 7 : x; p[0] = 1;",
      "int *p = b == 0 ? x : b == 1 ? x + 1 : b == 2 ? x + 2 : b == 3 ? x + 3 : b == 4 ? x + 4 : "
      "b == 5 ? x + 5 : b == 6 ? x + 6 : b == 7 ? x + 7 : x + 5; p[0] = 1;",
      "int *p = b == 0 ? x : b == 1 ? x + 1 : b == 2 ? x + 2 : b == 3 ? x + 3 : b == 4 ? x + 4 : "
      "b == 5 ? x + 5 : b == 6 ? x + 6 : x + (b - 1); p[0] = 1;"}},
    {"assigned in a branch",
     "tile_grid(n);",
     "int *p = x; if (b == 1) p = y; p[b ? b - 1 : 0] = 1;",
     {"int *p = x; if (b == 2) p = y; p[b ? b - 1 : 0] = 1;",
      "int *p = x; if (b <= 1) p = y; p[b ? b - 1 : 0] = 1;",
      "int *p = x; if (n == 1) p = y; p[b ? b - 1 : 0] = 1;"}},
    {"exchanged",
     "tile_grid(n);",
     "int *p = n % 2 ? x : y, *q = n % 2 ? y : x; p[b] = 1; q[b] = 1;",
     {"int *p = b % 2 ? x : y, *q = b % 2 ? y : x; p[b / 2] = 1; q[b / 2] = 1;",
      "int *p = n % 2 ? x : y, *q = n % 2 ? x : y; p[b] = 1; q[b + 1] = 1;",
      "int *p = n % 2 ? x : y, *q = n % 3 ? y : x; p[b] = 1; q[b + 1] = 1;"}},
    {"chosen by the counter",
     "tile_grid(n);",
     "for (int i = 0; i < 2; i++) { int *p = i ? x + n : x; p[b] = 1; }",
     {"for (int i = 0; i < 2; i++) { int *p = i ? x + 1 : x; p[b] = 1; }",
      "for (int i = 0; i < 3; i++) { int *p = i ? x + n : x; p[b + i / 2] = 1; }",
      "for (int i = 0; i < 2; i++) { int *p = i ? y : x; p[b / 2] = 1; }"}},
    {"read and written",
     "tile_grid(n);",
     "int *p = n % 2 ? x : y; const int *q = n % 2 ? y : x; p[b] = q[b + 1];",
     {"int *p = n % 2 ? x : y; const int *q = n % 2 ? x : y; p[b] = q[b + 1];",
      "int *p = n % 2 ? x : y; const int *q = n % 4 ? y : x; p[b] = q[b + 1];",
      "int *p = b % 2 ? x : y; const int *q = b % 2 ? y : x; p[b] = q[b + 1];"}},
};

/* Every two accesses, of which one writes, by two tile blocks. */
static bool keeps_apart(const char *facts, const char *body)
{
    tr_text text = {0};
    checker_kit t;
    bool apart = true;
    tr_text_addf(&text,
                 "tile_kernel void k(int *restrict x, int *restrict y, const int *restrict o, "
                 "const int *restrict l, int n)\n{\n    %s\n    int b = tile_bid(0);\n    %s\n}\n",
                 facts, body);
    checker_kit_open(&t, tr_text_get(&text), order_add_tickets, true);
    tr_text_free(&text);
    for (size_t i = 0; i < arrlenu(t.k.s->accesses); i++)
        for (size_t j = i; j < arrlenu(t.k.s->accesses) && apart; j++) {
            const ix_access *a = &t.k.s->accesses[i], *b = &t.k.s->accesses[j];
            if (!pair_may_conflict(&t.k, a, b, false))
                continue;
            query conjuncts = {0};
            copy_add_pair(&t.k, &conjuncts, a, b, COPY_OTHER_BLOCK);
            query_add(&t.k, &conjuncts, copy_blocks_differ(&t.k));
            query_add(&t.k, &conjuncts, copy_same_location(&t.k, a, b, COPY_OTHER_BLOCK));
            apart = ask(&t.k, conjuncts, "apart").verdict == SMT_UNSAT;
        }
    checker_kit_close(&t);
    return apart;
}

static bool is_as_stated(const apart_case *c, const char *body, bool apart)
{
    bool found = keeps_apart(c->facts, body);
    if (found != apart)
        print_message("%s, \"%s\": %s\n", c->what, body, found ? "apart" : "not apart");
    return found == apart;
}

static void test_apart(void **state)
{
    size_t right = 0, wrong = 0, failed = 0;
    (void)state;
    for (size_t i = 0; i < TR_COUNT(cases); i++) {
        const apart_case *c = &cases[i];
        right += c->right != NULL;
        failed += c->right && !is_as_stated(c, c->right, true);
        for (int w = 0; w < 3; w++, wrong++)
            failed += !is_as_stated(c, c->wrong[w], false);
    }
    assert_int_equal(failed, 0);
    assert_true(wrong >= 3 * right);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_apart)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

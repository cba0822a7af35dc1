/* Do arrays share bytes? Against all their elements, one by one, and at the ends of the numbers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <string.h>

#include "contract/boxes.h"

static uint32_t state_of_random = 1;

static int below(int n)
{
    state_of_random = state_of_random * 1664525u + 1013904223u;
    return (int)((state_of_random >> 8) % (uint32_t)n);
}

enum { SPACE = 800 };

static byte_box random_box(void)
{
    static const unsigned widths[] = {1, 2, 4};
    byte_box b = {.width = widths[below(3)], .rank = (size_t)below(4), .start = 300 + below(100)};
    for (size_t d = 0; d < b.rank; d++) {
        b.extents[d] = below(5);
        b.strides[d] = (below(12) - 3) * (below(2) ? (int)b.width : 1);
    }
    return b;
}

/* How many elements of it lie over each byte. */
static void mark(const byte_box *b, size_t d, int64_t at, int *marks)
{
    if (d == b->rank) {
        for (unsigned i = 0; i < b->width; i++)
            marks[at + i]++;
        return;
    }
    for (int64_t i = 0; i < b->extents[d]; i++)
        mark(b, d + 1, at + i * (int64_t)b->strides[d], marks);
}

static void test_all_elements(void **state)
{
    int met = 0, alone = 0;
    (void)state;
    for (int n = 0; n < 20000; n++) {
        byte_box a = random_box(), b = random_box();
        int of_a[SPACE] = {0}, of_b[SPACE] = {0};
        bool meet = false, twice = false;
        mark(&a, 0, (int64_t)a.start, of_a);
        mark(&b, 0, (int64_t)b.start, of_b);
        for (int i = 0; i < SPACE; i++) {
            meet = meet || (of_a[i] && of_b[i]);
            twice = twice || of_a[i] > 1;
        }
        assert_int_equal(boxes_meet(&a, &b), meet ? BOX_MEET : BOX_APART);
        assert_int_equal(boxes_meet(&b, &a), meet ? BOX_MEET : BOX_APART);
        assert_int_equal(box_meets_itself(&a), twice ? BOX_MEET : BOX_APART);
        met += meet;
        alone += twice;
    }
    assert_true(met > 1000 && met < 19000 && alone > 1000 && alone < 19000);
}

static byte_box rows(smt_int start, int64_t n, int64_t columns, int64_t stride)
{
    return (byte_box){.start = start,
                      .width = 4,
                      .rank = 2,
                      .extents = {n, columns},
                      .strides = {(smt_int)stride * 4, 4}};
}

static void test_large_arrays(void **state)
{
    (void)state;
    byte_box left = rows(1 << 20, 1 << 20, 64, 128),
             right = rows((1 << 20) + 256, 1 << 20, 64, 128);
    assert_int_equal(boxes_meet(&left, &right), BOX_APART); /* halves of each row */
    right.start -= 1;
    assert_int_equal(boxes_meet(&left, &right), BOX_MEET); /* by one byte */
    right.start += 1;
    left.extents[1] = 65;
    assert_int_equal(boxes_meet(&left, &right), BOX_MEET);
    left = rows(0, INT64_MAX, INT64_MAX, INT64_MAX);
    assert_int_equal(boxes_meet(&left, &right), BOX_OPEN);
    assert_int_equal(box_meets_itself(&left), BOX_OPEN);
    left = rows(((smt_int)1 << 64) - 8, 1, 3, 3); /* over the end of all addresses */
    assert_int_equal(boxes_meet(&left, &left), BOX_OPEN);
    left = rows(64, 2, 8, -8); /* below the first one */
    left.start = 16;
    assert_int_equal(boxes_meet(&left, &left), BOX_OPEN);
    left.extents[0] = 0;
    assert_int_equal(boxes_meet(&left, &left), BOX_APART); /* none of it */
}

static boxed one(size_t id, bool is_written, smt_int start, int64_t n, int64_t stride)
{
    return (boxed){.box = rows(start, 1, n, 0),
                   .is_written = is_written,
                   .is_asked = true,
                   .checks_itself = is_written && stride == 0,
                   .id = id};
}

static void test_many(void **state)
{
    size_t pair[2];
    boxed list[] = {one(1, false, 1000, 10, 1), one(2, false, 1000, 10, 1),
                    one(3, true, 1040, 10, 1), one(4, true, 1080, 0, 1)};
    (void)state;
    assert_int_equal(boxes_among(list, 4, pair), BOX_APART);
    list[1].box.extents[1] = 11;
    assert_int_equal(boxes_among(list, 4, pair), BOX_MEET);
    assert_true(pair[0] == 1 && pair[1] == 2);
    list[1].is_asked = list[2].is_asked = false;
    assert_int_equal(boxes_among(list, 4, pair), BOX_APART); /* not what is asked about */
    list[1].is_asked = list[2].is_asked = true;
    list[2].id = 2;
    assert_int_equal(boxes_among(list, 4, pair), BOX_APART); /* compared elsewhere */
    list[3] = one(4, true, 5000, 2, 0);
    list[3].box.strides[1] = 0;
    assert_int_equal(boxes_among(list, 4, pair), BOX_MEET);
    assert_true(pair[0] == 3 && pair[1] == 3);
    list[3].checks_itself = false;
    list[3].box.extents[1] = INT64_MAX;
    list[3].box.strides[1] = 4;
    assert_int_equal(boxes_among(list, 4, pair), BOX_OPEN);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_all_elements),
        cmocka_unit_test(test_large_arrays),
        cmocka_unit_test(test_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Every job once, on stacks that hold deep recursion. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <stdatomic.h>

#include "processes/pool.h"

enum { JOBS = 1000 };

typedef struct counts {
    atomic_int done[JOBS];
} counts;

static void count(void *user, size_t i)
{
    atomic_fetch_add(&((counts *)user)->done[i], 1);
}

static void test_each_once(void **state)
{
    (void)state;
    static const size_t workers[] = {1, 2, 7, 5000};
    for (size_t w = 0; w < sizeof workers / sizeof workers[0]; w++) {
        static counts c;
        for (size_t i = 0; i < JOBS; i++)
            atomic_store(&c.done[i], 0);
        pool_run(workers[w], JOBS, count, &c);
        for (size_t i = 0; i < JOBS; i++)
            assert_int_equal(atomic_load(&c.done[i]), 1);
    }
    pool_run(4, 0, count, NULL);
    assert_true(pool_processors() >= 1);
}

static size_t dive(size_t depth)
{
    volatile char frame[1024];
    frame[0] = (char)depth;
    return depth == 0 ? 0 : dive(depth - 1) + 1 + (size_t)(frame[0] - (char)depth);
}

static void deep(void *user, size_t i)
{
    (void)i;
    *(size_t *)user = dive(50000); /* 50 MB */
}

static void test_deep_stack(void **state)
{
    (void)state;
    size_t reached = 0;
    pool_run(1, 1, deep, &reached);
    assert_int_equal(reached, 50000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_each_once),
                                       cmocka_unit_test(test_deep_stack)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

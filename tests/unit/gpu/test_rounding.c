/* Which differences the order of float additions may explain, by type, size and what is no number.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "gpu/rounding.h"

/* Is it small where the run's values are these and one run is `spread` away? */
static bool is_small(gpu_element element, const void *contents, uint64_t elements, double spread,
                     bool order_dependent)
{
    gpu_buffer buffer = {.name = "out",
                         .bytes = elements * (uint64_t)plan_element_bytes(element),
                         .element = element,
                         .output = true,
                         .order_dependent = order_dependent};
    gpu_plan plan = {.kernel = "k", .n_buffers = 1, .buffers = &buffer};
    gpu_output output = {
        .elements = elements, .differing = 1, .spread = spread, .contents = contents};
    gpu_result result = {.outputs = &output};
    return gpu_is_small_difference(&plan, &result);
}

static void test_size(void **state)
{
    (void)state;
    static const float singles[] = {1, -100, 3};
    assert_true(is_small(GPU_F32, singles, 3, 0.09, false)); /* 1e-3 of 100 */
    assert_false(is_small(GPU_F32, singles, 3, 0.11, false));
    assert_false(is_small(GPU_F32, singles, 1, 0.09, false)); /* of 1 */
    static const double doubles[] = {1000};
    assert_true(is_small(GPU_F64, doubles, 1, 9e-4, false));
    assert_false(is_small(GPU_F64, doubles, 1, 2e-3, false));
    static const uint16_t halves[] = {0x4900}; /* 10 */
    assert_true(is_small(GPU_F16, halves, 1, 0.19, false));
    assert_false(is_small(GPU_F16, halves, 1, 0.21, false));
}

static void test_no_float(void **state)
{
    (void)state;
    static const int32_t integers[] = {1000000};
    assert_false(is_small(GPU_I32, integers, 1, 0, false));
    assert_true(is_small(GPU_I32, integers, 1, 0, true)); /* is not looked at */
}

static void test_no_number(void **state)
{
    (void)state;
    const float values[] = {100, INFINITY};
    assert_false(is_small(GPU_F32, values, 2, INFINITY, false));
    assert_false(is_small(GPU_F32, values, 2, NAN, false));
    assert_true(is_small(GPU_F32, values, 2, 0.09, false)); /* the infinity is no largest value */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_size),
        cmocka_unit_test(test_no_float),
        cmocka_unit_test(test_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

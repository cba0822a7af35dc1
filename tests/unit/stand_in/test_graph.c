/* Graphs of the stand-in driver: made node by node, and captured from streams. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "driver.h"

static void test_graph(void **state)
{
    (void)state;
    cu_handle graph, other, one, two, host, alloc, exec, cyclic;
    unsigned hundred = 100;
    cu_address a = allocate(8);
    cu_memset_node fill = {a, 0, 1, 4, 2, 1}, again = {a, 0, 2, 4, 1, 1};
    cu_host_node call_host = {call, &hundred};
    cu_alloc_node memory = {.bytes = 64};
    OK(cuGraphCreate(&graph, 0));
    OK(cuGraphCreate(&other, 0));
    /* Added in the wrong order, and put right by a dependency. */
    OK(cuGraphAddMemsetNode(&two, graph, NULL, 0, &again, NULL));
    OK(cuGraphAddMemsetNode(&one, graph, NULL, 0, &fill, NULL));
    OK(cuGraphAddDependencies(graph, &one, &two, 1));
    OK(cuGraphAddHostNode(&host, graph, &two, 1, &call_host));
    OK(cuGraphAddMemAllocNode(&alloc, graph, &host, 1, &memory));
    FAILS(cuGraphAddEmptyNode(&host, other, &one, 1), CU_INVALID_VALUE); /* of another graph */
    FAILS(cuGraphAddEmptyNode(&host, one, NULL, 0), CU_INVALID_VALUE);
    OK(cuMemsetD8_v2(memory.address, 3, 64));
    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));

    n_called = 0;
    OK(cuGraphLaunch(exec, NULL));
    int *values = (int *)(uintptr_t)a;
    assert_true(values[0] == 2 && values[1] == 1);
    OK(cuGraphDestroy(graph)); /* what was made from it lives on */
    values[0] = 0;
    OK(cuGraphLaunch(exec, CU_STREAM_PER_THREAD));
    assert_int_equal(values[0], 2);
    assert_int_equal(n_called, 200);
    OK(cuMemsetD8_v2(memory.address, 3, 64));
    OK(cuGraphExecDestroy(exec));
    FAILS(cuGraphLaunch(exec, NULL), CU_INVALID_HANDLE);
    FAILS(cuMemsetD8_v2(memory.address, 3, 64), CU_INVALID_VALUE); /* freed with its node */

    OK(cuGraphAddEmptyNode(&one, other, NULL, 0));
    OK(cuGraphAddEmptyNode(&two, other, &one, 1));
    OK(cuGraphAddDependencies(other, &two, &one, 1));
    FAILS(cuGraphInstantiateWithFlags(&cyclic, other, 0), CU_INVALID_VALUE);
    OK(cuGraphDestroy(other));
    OK(cuMemFree_v2(a));
}

/* Two streams: the second forks from the first by an event, and joins it by another. */
static void test_capture(void **state)
{
    (void)state;
    cu_handle a, b, fork, join, graph, told, exec;
    unsigned ten = 10;
    uint64_t id = 0;
    int status = 9, source[2] = {5, 6}, result[2] = {0};
    cu_address x = allocate(8), y = 0;
    int *values = (int *)(uintptr_t)x;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&b, 1));
    OK(cuEventCreate(&fork, 0));
    OK(cuEventCreate(&join, 0));
    OK(cuMemsetD32_v2(x, 1, 2));

    n_called = 0;
    OK(cuStreamBeginCapture_v2(a, 0));
    OK(cuMemsetD32Async(x, 7, 2, a));
    OK(cuEventRecord(fork, a));
    OK(cuStreamWaitEvent(b, fork, 0));
    OK(cuStreamGetCaptureInfo_v2(b, &status, &id, &told, NULL, NULL));
    assert_true(status == 1 && id);
    OK(cuMemcpyHtoDAsync_v2(x + 4, source, 4, b));
    OK(cuLaunchHostFunc(b, call, &ten));
    OK(cuMemAllocAsync(&y, 8, b));
    OK(cuMemcpyDtoDAsync_v2(y, x, 8, b));
    OK(cuMemcpyDtoHAsync_v2(result, y, 8, b));
    OK(cuMemFreeAsync(y, b));
    OK(cuEventRecord(join, b));
    OK(cuStreamWaitEvent(a, join, 0));
    FAILS(cuStreamEndCapture(b, &graph), CU_STREAM_CAPTURE_UNMATCHED);
    OK(cuStreamEndCapture(a, &graph));
    assert_ptr_equal(graph, told);
    OK(cuStreamIsCapturing(b, &status));
    assert_int_equal(status, 0);
    assert_true(values[0] == 1 && values[1] == 1 && n_called == 0); /* nothing was done yet */

    OK(cuGraphInstantiateWithFlags(&exec, graph, 0));
    OK(cuGraphLaunch(exec, a));
    assert_true(values[0] == 7 && values[1] == 5 && n_called == 10);
    assert_true(result[0] == 7 && result[1] == 5);
    source[0] = 9; /* read when the graph is launched */
    OK(cuGraphLaunch(exec, b));
    assert_true(result[1] == 9 && n_called == 20);
    OK(cuMemsetD32Async(x, 3, 1, b));
    assert_int_equal(values[0], 3);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(graph));
    OK(cuStreamDestroy_v2(a));
    OK(cuStreamDestroy_v2(b));
    OK(cuEventDestroy_v2(fork));
    OK(cuEventDestroy_v2(join));
    OK(cuMemFree_v2(x));
}

static void test_captures_that_fail(void **state)
{
    (void)state;
    cu_handle a, b, event, before, graph = primary, empty, exec;
    int status = 9;
    OK(cuStreamCreate(&a, 0));
    OK(cuStreamCreate(&b, 0));
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&before, 0));
    FAILS(cuStreamEndCapture(a, &graph), CU_ILLEGAL_STATE);
    assert_null(graph);
    FAILS(cuStreamBeginCapture_v2(a, 3), CU_INVALID_VALUE);
    FAILS(cuStreamBeginCapture_v2(NULL, 0), CU_STREAM_CAPTURE_UNSUPPORTED);
    FAILS(cuStreamBeginCapture_v2(event, 0), CU_INVALID_HANDLE);

    OK(cuStreamBeginCapture_v2(a, 0));
    FAILS(cuStreamBeginCapture_v2(a, 0), CU_ILLEGAL_STATE);
    FAILS(cuStreamSynchronize(a), CU_STREAM_CAPTURE_UNSUPPORTED);
    OK(cuStreamIsCapturing(a, &status));
    assert_int_equal(status, 2);
    FAILS(cuStreamEndCapture(a, &graph), CU_STREAM_CAPTURE_INVALIDATED);

    OK(cuEventRecord(before, b));
    OK(cuStreamBeginCapture_v2(a, 1));
    FAILS(cuStreamWaitEvent(a, before, 0), CU_STREAM_CAPTURE_ISOLATION);
    FAILS(cuStreamEndCapture(a, &graph), CU_STREAM_CAPTURE_INVALIDATED);

    OK(cuStreamBeginCapture_v2(a, 2));
    OK(cuEventRecord(event, a));
    OK(cuStreamBeginCapture_v2(b, 0));
    FAILS(cuStreamWaitEvent(b, event, 0), CU_STREAM_CAPTURE_MERGE);
    FAILS(cuStreamWaitEvent(NULL, event, 0), CU_STREAM_CAPTURE_UNSUPPORTED);
    FAILS(cuStreamEndCapture(b, &graph), CU_STREAM_CAPTURE_INVALIDATED);
    OK(cuStreamEndCapture(a, &empty));

    OK(cuGraphInstantiateWithFlags(&exec, empty, 0));
    OK(cuStreamBeginCapture_v2(a, 0));
    FAILS(cuGraphLaunch(exec, a), CU_NOT_SUPPORTED);
    FAILS(cuStreamEndCapture(a, &graph), CU_STREAM_CAPTURE_INVALIDATED);
    OK(cuGraphLaunch(exec, a));
    OK(cuStreamBeginCapture_v2(a, 0));
    OK(cuStreamDestroy_v2(a));
    FAILS(cuStreamEndCapture(a, &graph), CU_INVALID_HANDLE);
    OK(cuGraphExecDestroy(exec));
    OK(cuGraphDestroy(empty));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_graph),
        cmocka_unit_test(test_capture),
        cmocka_unit_test(test_captures_that_fail),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}

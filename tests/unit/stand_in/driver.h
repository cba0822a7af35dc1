/* What the tests of the stand-in driver share: each is a program with one context of its own. */
#ifndef STAND_IN_TESTS_DRIVER_H
#define STAND_IN_TESTS_DRIVER_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "stand_in/functions.h"

#define OK(call)          assert_int_equal(call, CU_SUCCESS)
#define FAILS(call, with) assert_int_equal(call, with)

static cu_handle primary;

static int begin(void **state)
{
    (void)state;
    size_t bytes;
    /* Before cuInit() nothing works. */
    if (cuMemGetInfo_v2(&bytes, &bytes) != CU_NOT_INITIALIZED || cuInit(1) != CU_INVALID_VALUE)
        return 1;
    return cuInit(0) || cuDevicePrimaryCtxRetain(&primary, 0) || cuCtxSetCurrent(primary);
}

static cu_address allocate(size_t bytes)
{
    cu_address address;
    OK(cuMemAlloc_v2(&address, bytes));
    return address;
}

/* Counts what a host function is handed. */
static unsigned n_called;

static void call(void *user)
{
    n_called += *(unsigned *)user;
}

#endif

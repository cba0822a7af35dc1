/* The stand-in driver as programs use it, without a checker: what right calls do, and that wrong
 * ones are errors. */
#include <limits.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include <dlfcn.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "driver.h"

static const char image[] = "\177TileIR\0\15\1\0\0"; /* nobody says what is in it */

/* ---- Section: Functions by name ---- */

static void *proc(const char *name, int version, int *found)
{
    void *function = (void *)1;
    OK(cuGetProcAddress_v2(name, &function, version, 0, found));
    return function;
}

static void test_names(void **state)
{
    (void)state;
    int found;
    assert_ptr_equal(proc("cuMemAlloc", 13000, &found), (void *)(uintptr_t)cuMemAlloc_v2);
    assert_int_equal(found, 0);
    assert_null(proc("cuMemAlloc", 3000, &found)); /* the first version took 32-bit addresses */
    assert_int_equal(found, 2);
    assert_null(proc("cuNoSuchThing", 13000, &found));
    assert_int_equal(found, 1);
    assert_ptr_equal(proc("cuCtxGetDevice", 12000, &found), (void *)(uintptr_t)cuCtxGetDevice);
    assert_ptr_equal(proc("cuCtxGetDevice", 13000, &found), (void *)(uintptr_t)cuCtxGetDevice_v2);
    assert_ptr_equal(proc("cuGraphInstantiate", 12000, &found),
                     (void *)(uintptr_t)cuGraphInstantiateWithFlags);
    void *function;
    FAILS(cuGetProcAddress("cuNoSuchThing", &function, 13000, 0), CU_NOT_FOUND);
    FAILS(cuGetProcAddress_v2(NULL, &function, 13000, 0, NULL), CU_INVALID_VALUE);
}

/* Every row is a symbol of the library, and of a program linked with it. */
static void test_symbols(void **state)
{
    (void)state;
    static const char *const symbols[] = {
#define ROW(symbol, suffix, name, since, parameters) #symbol, #symbol #suffix,
#include "stand_in/functions.def"
#undef ROW
    };
    void *library = dlopen(STAND_IN, RTLD_NOW | RTLD_LOCAL);
    assert_non_null(library);
    for (size_t i = 0; i < sizeof symbols / sizeof *symbols; i++) {
        if (!dlsym(library, symbols[i]))
            fail_msg("%s is not there", symbols[i]);
    }
    dlclose(library);
}

/* docs/exec-driver.md lists every function. */
static void test_page(void **state)
{
    (void)state;
    static const char *const names[] = {
#define ROW(symbol, suffix, name, since, parameters) "`" name "`",
#include "stand_in/functions.def"
#undef ROW
    };
    static char page[1 << 16];
    FILE *file = fopen(TILERACE_SOURCE_DIR "/docs/exec-driver.md", "r");
    assert_non_null(file);
    assert_true(fread(page, 1, sizeof page - 1, file) > 0);
    fclose(file);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        if (!strstr(page, names[i]))
            fail_msg("%s is not on the page", names[i]);
    }
}

static void test_errors(void **state)
{
    (void)state;
    const char *text;
    OK(cuGetErrorName(CU_INVALID_VALUE, &text));
    assert_string_equal(text, "CUDA_ERROR_INVALID_VALUE");
    OK(cuGetErrorName(CU_SUCCESS, &text));
    assert_string_equal(text, "CUDA_SUCCESS");
    OK(cuGetErrorString(CU_LAUNCH_FAILED, &text));
    assert_string_equal(text, "unspecified launch failure");
    FAILS(cuGetErrorString(12345, &text), CU_INVALID_VALUE);
    const void *table = &text;
    FAILS(cuGetExportTable(&table, &(cu_uuid){{0}}), CU_NOT_FOUND);
    assert_null(table);
    assert_null(text);
}

/* ---- Section: Device and contexts ---- */

static void test_device(void **state)
{
    (void)state;
    int n, major, minor;
    cu_device device;
    char name[16];
    size_t bytes, left;
    OK(cuDeviceGetCount(&n));
    assert_int_equal(n, 1);
    OK(cuDeviceGet(&device, 0));
    FAILS(cuDeviceGet(&device, 1), CU_INVALID_DEVICE);
    OK(cuDeviceGetAttribute(&major, 75, device));
    OK(cuDeviceGetAttribute(&minor, 76, device));
    assert_int_equal(10 * major + minor, 90);
    OK(cuDeviceGetAttribute(&n, 102, device)); /* virtual memory management */
    assert_int_equal(n, 0);
    FAILS(cuDeviceGetAttribute(&n, 0, device), CU_INVALID_VALUE);
    OK(cuDeviceGetName(name, sizeof name, device));
    assert_string_equal(name, "tilerace stand-"); /* as much as there is room for */
    OK(cuDeviceTotalMem_v2(&bytes, device));
    OK(cuMemGetInfo_v2(&left, &bytes));
    assert_true(left <= bytes && bytes > 0);
    FAILS(cuDeviceTotalMem_v2(&bytes, 7), CU_INVALID_DEVICE);
}

static void test_contexts(void **state)
{
    (void)state;
    cu_handle other, is;
    uint64_t id, other_id;
    OK(cuCtxCreate_v2(&other, 0, 0));
    OK(cuCtxGetCurrent(&is));
    assert_ptr_equal(is, other);
    OK(cuCtxGetId(NULL, &other_id));
    OK(cuCtxGetId(primary, &id));
    assert_int_not_equal(id, other_id);
    OK(cuCtxPushCurrent_v2(primary));
    OK(cuCtxPopCurrent_v2(&is));
    assert_ptr_equal(is, primary);
    OK(cuCtxDestroy_v2(other));
    FAILS(cuCtxDestroy_v2(other), CU_INVALID_CONTEXT);
    FAILS(cuCtxDestroy_v2(primary), CU_INVALID_CONTEXT);
    FAILS(cuCtxPushCurrent_v2(other), CU_INVALID_CONTEXT);
    OK(cuCtxGetCurrent(&is));
    assert_ptr_equal(is, primary);
}

static void *has_no_context(void *user)
{
    (void)user;
    cu_handle is = primary;
    cu_address address;
    OK(cuCtxGetCurrent(&is));
    assert_null(is);
    FAILS(cuMemAlloc_v2(&address, 16), CU_INVALID_CONTEXT);
    FAILS(cuStreamCreate(&is, 0), CU_INVALID_CONTEXT);
    FAILS(cuModuleLoadData(&is, image), CU_INVALID_CONTEXT);
    FAILS(cuCtxSynchronize(), CU_INVALID_CONTEXT);
    FAILS(cuCtxPopCurrent_v2(&is), CU_INVALID_CONTEXT);
    OK(cuLibraryLoadData(&is, image, NULL, NULL, 0, NULL, NULL, 0)); /* belongs to none */
    OK(cuLibraryUnload(is));
    return NULL;
}

static void test_contexts_of_threads(void **state)
{
    (void)state;
    pthread_t thread;
    pthread_create(&thread, NULL, has_no_context, NULL);
    pthread_join(thread, NULL);
}

/* ---- Section: Memory ---- */

static void test_memory(void **state)
{
    (void)state;
    cu_address a = allocate(1000), b = allocate(3 << 20), start;
    size_t bytes, left, left_after, total;
    assert_int_equal(a % 256, 0);
    OK(cuMemGetAddressRange_v2(&start, &bytes, a + 999));
    assert_true(start == a && bytes == 1000);
    FAILS(cuMemGetAddressRange_v2(&start, &bytes, a + 1000), CU_NOT_FOUND);
    OK(cuMemGetAddressRange_v2(NULL, &bytes, b + (3 << 20) - 1));
    assert_int_equal(bytes, 3 << 20);

    OK(cuMemGetInfo_v2(&left, &total));
    FAILS(cuMemFree_v2(a + 8), CU_INVALID_VALUE);
    OK(cuMemFree_v2(b));
    FAILS(cuMemFree_v2(b), CU_INVALID_VALUE);
    OK(cuMemGetInfo_v2(&left_after, &total));
    assert_int_equal(left_after - left, 3 << 20);
    FAILS(cuMemAlloc_v2(&b, total + 1), CU_OUT_OF_MEMORY);
    FAILS(cuMemAlloc_v2(&b, SIZE_MAX), CU_OUT_OF_MEMORY);
    FAILS(cuMemAlloc_v2(&b, 0), CU_INVALID_VALUE);
    FAILS(cuMemAlloc_v2(NULL, 1), CU_INVALID_VALUE);
    OK(cuMemFree_v2(0));
    OK(cuMemFree_v2(a));
}

/* Many, in a mixed order: each address still finds its allocation. */
static void test_many_allocations(void **state)
{
    (void)state;
    enum { N = 500 };
    cu_address a[N], start;
    size_t bytes;
    for (size_t i = 0; i < N; i++)
        a[i] = allocate(i + 1);
    for (size_t i = 0; i < N; i += 2)
        OK(cuMemFree_v2(a[i]));
    for (size_t i = 1; i < N; i += 2) {
        OK(cuMemGetAddressRange_v2(&start, &bytes, a[i] + i));
        assert_true(start == a[i] && bytes == i + 1);
    }
    for (size_t i = 1; i < N; i += 2)
        OK(cuMemFree_v2(a[i]));
}

static void test_pointers(void **state)
{
    (void)state;
    cu_address a = allocate(64);
    void *host;
    OK(cuMemAllocHost_v2(&host, 64));
    unsigned type = 0;
    uint64_t start = 0, bytes = 0;
    bool is_managed = true;
    OK(cuPointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE, a + 8));
    assert_int_equal(type, CU_DEVICE_MEMORY);
    OK(cuPointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE, (uintptr_t)host));
    assert_int_equal(type, CU_HOST_MEMORY);
    FAILS(cuPointerGetAttribute(&type, CU_POINTER_MEMORY_TYPE, (uintptr_t)&type), CU_INVALID_VALUE);
    FAILS(cuPointerGetAttribute(&type, 99, a), CU_INVALID_VALUE);
    int names[] = {CU_POINTER_RANGE_START, CU_POINTER_RANGE_SIZE, CU_POINTER_IS_MANAGED};
    void *values[] = {&start, &bytes, &is_managed};
    OK(cuPointerGetAttributes(3, names, values, a + 63));
    assert_true(start == a && bytes == 64 && !is_managed);
    OK(cuPointerGetAttributes(3, names, values, (uintptr_t)&type)); /* all is 0 */
    assert_true(start == 0 && bytes == 0);
    FAILS(cuMemFree_v2((uintptr_t)host), CU_INVALID_VALUE);
    FAILS(cuMemFreeHost((void *)(uintptr_t)a), CU_INVALID_VALUE);
    OK(cuMemFreeHost(host));
    OK(cuMemFree_v2(a));

    static char memory[200], *mine = memory + 50;
    OK(cuMemHostRegister_v2(mine, 100, 0));
    FAILS(cuMemHostRegister_v2(mine + 50, 100, 0), CU_HOST_MEMORY_ALREADY_REGISTERED);
    FAILS(cuMemHostRegister_v2(memory, 100, 0), CU_HOST_MEMORY_ALREADY_REGISTERED);
    OK(cuMemHostGetDevicePointer_v2(&a, mine, 0));
    OK(cuMemHostUnregister(mine));
    FAILS(cuMemHostUnregister(mine), CU_HOST_MEMORY_NOT_REGISTERED);
}

static void test_pools(void **state)
{
    (void)state;
    cu_handle pool, own, of_address = NULL;
    cu_pool_props props = {0};
    cu_address a;
    OK(cuDeviceGetDefaultMemPool(&pool, 0));
    OK(cuMemPoolCreate(&own, &props));
    OK(cuMemAllocFromPoolAsync(&a, 32, own, NULL));
    OK(cuPointerGetAttribute(&of_address, CU_POINTER_POOL, a));
    assert_ptr_equal(of_address, own);
    FAILS(cuMemFreeAsync(a, (cu_handle)99), CU_INVALID_HANDLE);
    OK(cuMemFreeAsync(a, NULL));
    OK(cuMemPoolDestroy(own));
    FAILS(cuMemAllocFromPoolAsync(&a, 32, own, NULL), CU_INVALID_HANDLE);
    OK(cuMemAllocAsync(&a, 32, CU_STREAM_PER_THREAD));
    OK(cuMemFree_v2(a));
}

/* ---- Section: Copying ---- */

static void test_copies(void **state)
{
    (void)state;
    cu_address a = allocate(16), b = allocate(16);
    char text[16] = "fifteen letters", back[16] = "";
    OK(cuMemcpyHtoD_v2(a, text, 16));
    OK(cuMemcpyDtoDAsync_v2(b, a, 16, NULL));
    OK(cuMemcpyDtoH_v2(back, b, 16));
    assert_string_equal(back, text);
    OK(cuMemcpy(b, (uintptr_t)"other", 6)); /* either side may be the host's */
    assert_string_equal((char *)(uintptr_t)b, "other");
    FAILS(cuMemcpyHtoD_v2(a + 1, text, 16), CU_INVALID_VALUE);
    FAILS(cuMemcpyDtoH_v2(back, (uintptr_t)text, 1), CU_INVALID_VALUE);
    FAILS(cuMemcpyHtoDAsync_v2(a, text, 16, (cu_handle)77), CU_INVALID_HANDLE);
    OK(cuMemcpyHtoD_v2(a + 16, text, 0));
    FAILS(cuMemsetD32_v2(a + 2, 1, 1), CU_INVALID_VALUE); /* not aligned */
    FAILS(cuMemsetD32_v2(a, 1, 5), CU_INVALID_VALUE);
    OK(cuMemsetD16_v2(a, 0x4142, 8));
    assert_memory_equal((char *)(uintptr_t)a, "BABABABABABABABA", 16);
    OK(cuMemFree_v2(a));
    OK(cuMemFree_v2(b));
}

static void test_boxes(void **state)
{
    (void)state;
    cu_address a;
    size_t pitch;
    OK(cuMemAllocPitch_v2(&a, &pitch, 3, 4, 4));
    assert_true(pitch >= 3);
    char rows[] = "abcdefghijkl", back[13] = "";
    cu_copy_2d up = {.from_type = CU_HOST_MEMORY,
                     .from_host = rows,
                     .from_pitch = 3,
                     .to_type = CU_DEVICE_MEMORY,
                     .to_device = a,
                     .to_pitch = pitch,
                     .width = 3,
                     .height = 4};
    OK(cuMemcpy2D_v2(&up));
    cu_copy_2d down = {.from_type = CU_DEVICE_MEMORY,
                       .from_device = a,
                       .from_pitch = pitch,
                       .from_x = 1,
                       .from_y = 2,
                       .to_type = CU_HOST_MEMORY,
                       .to_host = back,
                       .to_pitch = 2,
                       .width = 2,
                       .height = 2};
    OK(cuMemcpy2DAsync_v2(&down, NULL));
    assert_string_equal(back, "hikl");
    down.height = 3;
    FAILS(cuMemcpy2D_v2(&down), CU_INVALID_VALUE);
    down.from_type = CU_ARRAY_MEMORY;
    FAILS(cuMemcpy2D_v2(&down), CU_NOT_SUPPORTED);
    OK(cuMemsetD2D8_v2(a, pitch, 'x', 2, 4));
    assert_memory_equal((char *)(uintptr_t)(a + 3 * pitch), "xxl", 3);
    FAILS(cuMemsetD2D8_v2(a, pitch, 'x', pitch, 5), CU_INVALID_VALUE);
    FAILS(cuMemsetD2D8_v2(a, SIZE_MAX, 'x', 1, SIZE_MAX), CU_INVALID_VALUE);
    OK(cuMemFree_v2(a));

    cu_address box = allocate(2 * 3 * 4);
    cu_copy_3d cube = {.from_type = CU_HOST_MEMORY,
                       .from_host = "abcdefghijklmnopqrstuvwx",
                       .from_pitch = 4,
                       .from_height = 3,
                       .from_x = 1,
                       .from_z = 1,
                       .to_type = CU_UNIFIED_MEMORY,
                       .to_device = box,
                       .to_pitch = 4,
                       .to_height = 3,
                       .width = 2,
                       .height = 2,
                       .depth = 1};
    OK(cuMemcpy3D_v2(&cube));
    assert_memory_equal((char *)(uintptr_t)box, "no\0\0rs", 6);
    cube.to_z = SIZE_MAX;
    FAILS(cuMemcpy3D_v2(&cube), CU_INVALID_VALUE);
    OK(cuMemFree_v2(box));
}

/* ---- Section: Streams and events ---- */

static void test_streams(void **state)
{
    (void)state;
    cu_handle stream, context, event, late;
    uint64_t id, legacy;
    unsigned one = 1;
    int status = 9;
    float ms = -1;
    OK(cuStreamCreateWithPriority(&stream, 1, -2));
    OK(cuStreamGetCtx(stream, &context));
    assert_ptr_equal(context, primary);
    OK(cuStreamGetCtx(NULL, &context));
    assert_ptr_equal(context, primary);
    OK(cuStreamGetId(stream, &id));
    OK(cuStreamGetId(CU_STREAM_LEGACY, &legacy));
    assert_int_not_equal(id, legacy);
    OK(cuStreamIsCapturing(stream, &status));
    assert_int_equal(status, 0);
    OK(cuLaunchHostFunc(stream, call, &one));
    assert_int_equal(n_called, 1);
    OK(cuEventCreate(&event, 0));
    OK(cuEventCreate(&late, 2)); /* without time */
    FAILS(cuEventElapsedTime(&ms, event, event), CU_INVALID_HANDLE);
    OK(cuEventRecord(event, stream));
    OK(cuEventRecord(late, stream));
    OK(cuStreamWaitEvent(stream, event, 0));
    OK(cuEventElapsedTime(&ms, event, event));
    assert_true(ms == 0);
    FAILS(cuEventElapsedTime(&ms, event, late), CU_INVALID_HANDLE);
    OK(cuStreamDestroy_v2(stream));
    FAILS(cuStreamDestroy_v2(stream), CU_INVALID_HANDLE);
    FAILS(cuStreamSynchronize(stream), CU_INVALID_HANDLE);
    FAILS(cuEventRecord(event, stream), CU_INVALID_HANDLE);
    OK(cuEventDestroy_v2(event));
    FAILS(cuEventQuery(event), CU_INVALID_HANDLE);
    OK(cuEventDestroy_v2(late));
}

/* ---- Section: Modules and launches ---- */

static cu_result launch(cu_handle function, unsigned x, unsigned y, unsigned threads)
{
    return cuLaunchKernel(function, x, y, 1, threads, 1, 1, 0, NULL, NULL, NULL);
}

static void test_modules(void **state)
{
    (void)state;
    cu_handle module, function, again;
    cu_address address;
    size_t bytes;
    const char *name;
    OK(cuModuleLoadData(&module, image));
    OK(cuModuleGetFunction(&function, module, "any"));
    OK(cuModuleGetFunction(&again, module, "any"));
    assert_ptr_equal(function, again);
    OK(cuFuncGetName(&name, function));
    assert_string_equal(name, "any");
    FAILS(cuModuleGetFunction(&again, module, ""), CU_NOT_FOUND);
    FAILS(cuModuleGetFunction(&again, module, NULL), CU_INVALID_VALUE);
    FAILS(cuModuleGetGlobal_v2(&address, &bytes, module, "x"), CU_NOT_FOUND);
    OK(launch(function, 1, 1, 1));
    OK(launch(function, INT_MAX, 65535, 1024));
    FAILS(launch(function, 1, 65536, 1), CU_INVALID_VALUE);
    FAILS(launch(function, 0, 1, 1), CU_INVALID_VALUE);
    FAILS(launch(function, 1, 1, 1025), CU_INVALID_VALUE);
    FAILS(launch(module, 1, 1, 1), CU_INVALID_HANDLE);
    FAILS(launch(NULL, 1, 1, 1), CU_INVALID_HANDLE);
    FAILS(cuLaunchKernelEx(NULL, function, NULL, NULL), CU_INVALID_VALUE);
    cu_launch_attribute cluster = {.id = CU_LAUNCH_CLUSTER_DIMENSION, .value.cluster = {2, 1, 1}};
    cu_launch_config config = {
        .grid = {3, 1, 1}, .block = {1, 1, 1}, .attributes = &cluster, .n_attributes = 1};
    FAILS(cuLaunchKernelEx(&config, function, NULL, NULL), CU_INVALID_CLUSTER_SIZE);
    config.grid[0] = 4;
    OK(cuLaunchKernelEx(&config, function, NULL, NULL));
    OK(cuModuleUnload(module));
    FAILS(cuModuleUnload(module), CU_INVALID_HANDLE);
    FAILS(launch(function, 1, 1, 1), CU_INVALID_HANDLE);
    FAILS(cuFuncGetName(&name, function), CU_INVALID_HANDLE);
    assert_string_equal(name, "any"); /* stays readable */
}

static void test_images(void **state)
{
    (void)state;
    cu_handle module, function;
    FAILS(cuModuleLoadData(&module, NULL), CU_INVALID_VALUE);
    FAILS(cuModuleLoadData(&module, "\1\2\3"), CU_INVALID_IMAGE);
    /* Tile IR whose first section is aligned to 3 bytes: it is no text either. */
    FAILS(cuModuleLoadData(&module, "\177TileIR\0\15\1\0\0\201\1\3"), CU_INVALID_IMAGE);
    FAILS(cuModuleLoad(&module, "/no/such/file"), CU_FILE_NOT_FOUND);
    OK(cuModuleLoadData(&module, ".version 8.0\n.target sm_90\n"));
    OK(cuModuleUnload(module));

    /* An ELF file of 64 + 32 bytes: its names are those between zero bytes. */
    static char code[256] = "\177ELF\2\1\1";
    code[32] = 32; /* program headers, one of 56 bytes, end where the names do */
    code[54] = 56;
    code[56] = 1;
    memcpy(code + 64, "\0main_kernel\0other", 18);
    char path[] = "/tmp/tilerace-image-XXXXXX";
    int fd = mkstemp(path);
    assert_int_equal(write(fd, code, sizeof code), sizeof code);
    close(fd);
    OK(cuModuleLoad(&module, path));
    OK(cuModuleGetFunction(&function, module, "main_kernel"));
    FAILS(cuModuleGetFunction(&function, module, "kernel"), CU_NOT_FOUND);
    FAILS(cuModuleGetFunction(&function, module, "main"), CU_NOT_FOUND);
    OK(cuModuleUnload(module));
    unlink(path);
}

/* Handles of all kinds, and numbers that are none, for each other. */
static void test_wrong_handles(void **state)
{
    (void)state;
    cu_handle handles[8] = {NULL, (cu_handle)3, (cu_handle)-1, primary, &handles}, out;
    const char *name;
    int value;
    OK(cuStreamCreate(&handles[5], 0));
    OK(cuEventCreate(&handles[6], 0));
    OK(cuModuleLoadData(&handles[7], image));
    for (int i = 0; i < 8; i++) {
        if (i != 7)
            FAILS(cuModuleGetFunction(&out, handles[i], "k"), CU_INVALID_HANDLE);
        if (i != 6)
            FAILS(cuEventQuery(handles[i]), CU_INVALID_HANDLE);
        if (i != 5 && i != 0)
            FAILS(cuStreamQuery(handles[i]), CU_INVALID_HANDLE);
        FAILS(cuFuncGetName(&name, handles[i]), CU_INVALID_HANDLE);
        FAILS(cuFuncGetAttribute(&value, 0, handles[i]), CU_INVALID_HANDLE);
        FAILS(cuKernelGetFunction(&out, handles[i]), CU_INVALID_HANDLE);
        FAILS(cuGraphLaunch(handles[i], NULL), CU_INVALID_HANDLE);
        FAILS(cuGraphDestroy(handles[i]), CU_INVALID_HANDLE);
        FAILS(cuMemPoolDestroy(handles[i]), CU_INVALID_HANDLE);
        FAILS(cuMemFree_v2((uintptr_t)handles[i] | 1), CU_INVALID_VALUE);
    }
    OK(cuStreamDestroy_v2(handles[5]));
    OK(cuEventDestroy_v2(handles[6]));
    OK(cuModuleUnload(handles[7]));
}

/* The place of an object is used again, its handle is not. */
static void test_old_handle(void **state)
{
    (void)state;
    cu_handle old, new;
    OK(cuStreamCreate(&old, 0));
    OK(cuStreamDestroy_v2(old));
    OK(cuStreamCreate(&new, 0));
    FAILS(cuStreamQuery(old), CU_INVALID_HANDLE);
    FAILS(cuStreamDestroy_v2(old), CU_INVALID_HANDLE);
    OK(cuStreamDestroy_v2(new));
}

/* ---- Section: Tensor maps ---- */

static void test_tensor_map(void **state)
{
    (void)state;
    _Alignas(64) char map[CU_TENSOR_MAP_BYTES];
    cu_address a = allocate(4096);
    uint64_t extents[] = {32, 32}, strides[] = {128};
    uint32_t box[] = {16, 16}, steps[] = {1, 1};
    OK(cuTensorMapEncodeTiled(map, 7, 2, (void *)(uintptr_t)a, extents, strides, box, steps, 0, 0,
                              0, 0));
    box[1] = 257;
    FAILS(cuTensorMapEncodeTiled(map, 7, 2, (void *)(uintptr_t)a, extents, strides, box, steps, 0,
                                 0, 0, 0),
          CU_INVALID_VALUE);
    FAILS(cuTensorMapReplaceAddress(map, (void *)(uintptr_t)(a + 1)), CU_INVALID_VALUE);
    OK(cuMemFree_v2(a));
}

/* ---- Section: Threads ---- */

static void *works(void *user)
{
    (void)user;
    OK(cuCtxSetCurrent(primary));
    for (int i = 0; i < 300; i++) {
        cu_handle stream, module, function;
        cu_address a = allocate(128);
        OK(cuStreamCreate(&stream, 0));
        OK(cuModuleLoadData(&module, image));
        OK(cuModuleGetFunction(&function, module, "k"));
        OK(launch(function, 1, 1, 1));
        OK(cuMemsetD32Async(a, 5, 32, stream));
        OK(cuModuleUnload(module));
        OK(cuStreamDestroy_v2(stream));
        OK(cuMemFree_v2(a));
    }
    return NULL;
}

static void test_threads(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, works, NULL);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),
        cmocka_unit_test(test_symbols),
        cmocka_unit_test(test_errors),
        cmocka_unit_test(test_page),
        cmocka_unit_test(test_device),
        cmocka_unit_test(test_contexts),
        cmocka_unit_test(test_contexts_of_threads),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_many_allocations),
        cmocka_unit_test(test_pointers),
        cmocka_unit_test(test_pools),
        cmocka_unit_test(test_copies),
        cmocka_unit_test(test_boxes),
        cmocka_unit_test(test_streams),
        cmocka_unit_test(test_modules),
        cmocka_unit_test(test_images),
        cmocka_unit_test(test_wrong_handles),
        cmocka_unit_test(test_tensor_map),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_old_handle),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}

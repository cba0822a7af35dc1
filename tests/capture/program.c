/* A program on the driver API: it loads a module with the kernel "kernel" of a pointer and a count,
 * and launches it in the way that its argument names. Linked with a driver, or (HAS_NO_DRIVER)
 * opening one. Exit code 0: everything was as a driver does it; 3: a launch was refused. */
#include "stand_in/functions.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char image[] = "\177TileIR\0\15\1\0\0";
enum { IMAGE_BYTES = 13, LAUNCH_REFUSED = 3, ELEMENTS = 64 };

/* ---- Section: The driver's functions ---- */

typedef cu_result get_proc(const char *, void **, int, uint64_t, int *);

#ifdef HAS_NO_DRIVER
static void *driver;

static void *symbol_of(const char *symbol)
{
    if (!driver)
        driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
    return driver ? dlsym(driver, symbol) : NULL;
}
#else
/* Linked: named here, so that the linker keeps them. */
static void *symbol_of(const char *symbol)
{
#define ROW(function, suffix, base, since, parameters)                                             \
    if (strcmp(symbol, #function) == 0)                                                            \
        return (void *)(uintptr_t)(function);                                                      \
    if (strcmp(symbol, #function #suffix) == 0)                                                    \
        return dlsym(RTLD_DEFAULT, symbol);
#include "stand_in/functions.def"
#undef ROW
    return NULL;
}
#endif

static bool by_proc; /* by cuGetProcAddress, for the thread's own default stream */

static void *function_of_driver(const char *symbol, const char *name)
{
    void *function = NULL;
    if (!by_proc)
        return symbol_of(symbol);
    get_proc *get = (get_proc *)(uintptr_t)symbol_of("cuGetProcAddress_v2");
    int found = -1;
    if (!get || get(name, &function, CU_DRIVER_VERSION, 2, &found) != CU_SUCCESS || found)
        return NULL;
    return function;
}

#define MUST(condition)                                                                            \
    ((condition) ? (void)0                                                                         \
                 : (fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)))

/* Calls the driver's function `symbol`, which cuGetProcAddress knows as `name`. */
#define CU_AS(symbol, name, ...)                                                                   \
    ((__typeof__(symbol) *)(uintptr_t)function_of_driver(#symbol, name))(__VA_ARGS__)
#define CU(symbol, ...) MUST(CU_AS(symbol, #symbol, __VA_ARGS__) == CU_SUCCESS)

/* ---- Section: The program ---- */

static cu_handle function;
static cu_address array;

/* Of the handles of all kernels the one of a name: the driver's own order is none. */
static cu_handle enumerated(cu_handle library)
{
    cu_handle kernels[2] = {NULL};
    unsigned n = 0;
    const char *name;
    CU(cuLibraryGetKernelCount, &n, library);
    CU(cuLibraryEnumerateKernels, kernels, 2, library);
    MUST(n == 1 && kernels[0] && !kernels[1]);
    CU(cuKernelGetName, &name, kernels[0]);
    MUST(strcmp(name, "kernel") == 0);
    return kernels[0];
}

enum loading { AS_MODULE, AS_LIBRARY, ENUMERATED };

static void begin(enum loading how)
{
    cu_handle context, module, kernel;
    cu_device device;
    CU(cuInit, 0);
    CU(cuDeviceGet, &device, 0);
    CU(cuDevicePrimaryCtxRetain, &context, device);
    CU(cuCtxSetCurrent, context);
    if (how != AS_MODULE) {
        CU(cuLibraryLoadData, &module, image, NULL, NULL, 0, NULL, NULL, 0);
        if (how == ENUMERATED)
            kernel = enumerated(module);
        else
            CU(cuLibraryGetKernel, &kernel, module, "kernel");
        CU(cuKernelGetFunction, &function, kernel);
    } else {
        CU(cuModuleLoadData, &module, image);
        CU(cuModuleGetFunction, &function, module, "kernel");
    }
    MUST(CU_AS(cuMemAlloc_v2, "cuMemAlloc", &array, ELEMENTS * sizeof(int)) == CU_SUCCESS);
    MUST(CU_AS(cuMemsetD32_v2, "cuMemsetD32", array, 7, ELEMENTS) == CU_SUCCESS);
}

static cu_result launch(cu_address pointer, int64_t count)
{
    void *parameters[] = {&pointer, &count};
    return CU_AS(cuLaunchKernel, "cuLaunchKernel", function, 2, 3, 4, 32, 1, 1, 0, NULL, parameters,
                 NULL);
}

static cu_result launch_buffer(cu_address pointer, int64_t count)
{
    struct {
        cu_address pointer;
        int64_t count;
    } buffer = {pointer, count};
    size_t bytes = sizeof buffer;
    void *extra[] = {(void *)1, &buffer, (void *)2, &bytes, NULL};
    return CU_AS(cuLaunchKernel, "cuLaunchKernel", function, 2, 3, 4, 32, 1, 1, 0, NULL, NULL,
                 extra);
}

static cu_result launch_together(cu_address pointer, int64_t count)
{
    void *parameters[] = {&pointer, &count};
    return CU_AS(cuLaunchCooperativeKernel, "cuLaunchCooperativeKernel", function, 2, 3, 4, 32, 1,
                 1, 0, NULL, parameters);
}

static cu_result launch_ex(cu_address pointer, int64_t count)
{
    void *parameters[] = {&pointer, &count};
    cu_launch_attribute pdl = {.id = CU_LAUNCH_PROGRAMMATIC_SERIALIZATION,
                               .value.programmatic_serialization = 1};
    cu_launch_config config = {
        .grid = {2, 3, 4}, .block = {32, 1, 1}, .attributes = &pdl, .n_attributes = 1};
    return CU_AS(cuLaunchKernelEx, "cuLaunchKernelEx", &config, function, parameters, NULL);
}

/* Copies numbers from 10 on in the launch's stream; then `between` is done. */
static cu_result launch_copied(cu_address pointer, int64_t count, void (*between)(void))
{
    int numbers[ELEMENTS];
    for (int i = 0; i < ELEMENTS; i++)
        numbers[i] = 10 + i;
    MUST(CU_AS(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync", array, numbers, sizeof numbers, NULL) ==
         CU_SUCCESS);
    memset(numbers, 0, sizeof numbers); /* the device has its own */
    if (between)
        between();
    return launch(pointer, count);
}

static void fill(void)
{
    MUST(CU_AS(cuMemsetD32Async, "cuMemsetD32Async", array, 1, 1, NULL) == CU_SUCCESS);
}

static void copy_into_another_stream(void)
{
    static const int zero;
    cu_handle stream;
    CU(cuStreamCreate, &stream, 0);
    MUST(CU_AS(cuMemcpyHtoDAsync_v2, "cuMemcpyHtoDAsync", array + 12, &zero, 4, stream) ==
         CU_SUCCESS);
}

static cu_result launch_just_copied(cu_address pointer, int64_t count)
{
    return launch_copied(pointer, count, NULL);
}

static cu_result launch_copied_and_filled(cu_address pointer, int64_t count)
{
    return launch_copied(pointer, count, fill);
}

static cu_result launch_copied_twice(cu_address pointer, int64_t count)
{
    return launch_copied(pointer, count, copy_into_another_stream);
}

/* A function that no module which was seen has; the driver refuses it. */
static cu_result launch_unseen(unsigned block)
{
    static char nothing[1024];
    void *parameters[] = {NULL};
    cu_result result = CU_AS(cuLaunchKernel, "cuLaunchKernel", nothing, 2, 3, 4, block, 1, 1, 0,
                             NULL, parameters, NULL);
    return result == CU_INVALID_HANDLE ? CU_SUCCESS : result;
}

static cu_result launch_unseen_of_one(cu_address pointer, int64_t count)
{
    (void)pointer, (void)count;
    return launch_unseen(1);
}

static cu_result launch_unseen_of_many(cu_address pointer, int64_t count)
{
    (void)pointer, (void)count;
    return launch_unseen(32);
}

/* A graph of a captured stream; the launch is one of the graph's. */
static cu_result launch_captured(cu_address pointer, int64_t count)
{
    void *parameters[] = {&pointer, &count};
    cu_handle stream, graph, exec;
    CU(cuStreamCreate, &stream, 0);
    CU(cuStreamBeginCapture_v2, stream, 0);
    cu_result result = CU_AS(cuLaunchKernel, "cuLaunchKernel", function, 2, 3, 4, 32, 1, 1, 0,
                             stream, parameters, NULL);
    CU(cuStreamEndCapture, stream, &graph);
    CU(cuGraphInstantiateWithFlags, &exec, graph, 0);
    return result == CU_SUCCESS ? CU_AS(cuGraphLaunch, "cuGraphLaunch", exec, stream) : result;
}

static cu_result launch_of_graph(cu_address pointer, int64_t count, bool is_first_version)
{
    cu_handle graph, fill, node, exec;
    void *parameters[] = {&pointer, &count};
    cu_memset_node zero = {array, 0, 0, 4, ELEMENTS, 1};
    cu_kernel_node k = {
        .function = function, .grid = {2, 3, 4}, .block = {32, 1, 1}, .parameters = parameters};
    CU(cuGraphCreate, &graph, 0);
    CU(cuGraphAddMemsetNode, &fill, graph, NULL, 0, &zero, NULL);
    cu_result added =
        is_first_version
            ? CU_AS(cuGraphAddKernelNode, "cuGraphAddKernelNode", &node, graph, &fill, 1, &k)
            : CU_AS(cuGraphAddKernelNode_v2, "cuGraphAddKernelNode", &node, graph, &fill, 1, &k);
    if (added == CU_LAUNCH_FAILED)
        return added;
    MUST(added == CU_SUCCESS);
    pointer = 0; /* the node has a copy */
    MUST(CU_AS(cuGraphInstantiateWithFlags, "cuGraphInstantiate", &exec, graph, 0) == CU_SUCCESS);
    cu_result result = CU_AS(cuGraphLaunch, "cuGraphLaunch", exec, NULL);
    MUST(*(int *)(uintptr_t)array == 0);
    CU(cuGraphExecDestroy, exec);
    CU(cuGraphDestroy, graph);
    return result;
}

static cu_result launch_graph(cu_address pointer, int64_t count)
{
    return launch_of_graph(pointer, count, false);
}

static cu_result launch_graph_first(cu_address pointer, int64_t count)
{
    return launch_of_graph(pointer, count, true);
}

/* A parent and a child that launch alike. */
static cu_result launch_forked(cu_address pointer, int64_t count)
{
    cu_result result = launch(pointer, count);
    pid_t child = fork();
    if (child == 0)
        exit(launch(pointer, count) == CU_SUCCESS ? 0 : 1);
    int status;
    waitpid(child, &status, 0);
    MUST(status == 0);
    return result;
}

static atomic_bool is_over;

static void *uses_modules(void *user)
{
    (void)user;
    while (!is_over) {
        cu_handle module, kernel;
        CU(cuLibraryLoadData, &module, image, NULL, NULL, 0, NULL, NULL, 0);
        CU(cuLibraryGetKernel, &kernel, module, "kernel");
        CU(cuLibraryUnload, module);
    }
    return NULL;
}

/* Forks while other threads are inside the driver: no child finds a lock that is held. */
static cu_result launch_beside_forks(cu_address pointer, int64_t count)
{
    enum { THREADS = 2, FORKS = 20 };
    pthread_t threads[THREADS];
    is_over = false;
    for (int i = 0; i < THREADS; i++)
        MUST(pthread_create(&threads[i], NULL, uses_modules, NULL) == 0);
    for (int i = 0; i < FORKS; i++) {
        pid_t child = fork();
        if (child == 0)
            _exit(launch(pointer, count) == CU_SUCCESS ? 0 : 1);
        int status;
        waitpid(child, &status, 0);
        MUST(status == 0);
    }
    is_over = true;
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    return launch(pointer, count);
}

/* At the very end, when what the library has to say goodbye with is gone. */
static void launch_late(void)
{
    MUST(launch(array, 99) == CU_SUCCESS);
}

static cu_result launch_at_exit(cu_address pointer, int64_t count)
{
    atexit(launch_late);
    return launch(pointer, count);
}

int main(int argc, char **argv)
{
    static const struct way {
        const char *name;
        cu_result (*launch)(cu_address, int64_t);
        bool by_proc;
        enum loading how;
    } ways[] = {
#define WAY(name, launch, by_proc, how, launches, connections, flags) {name, launch, by_proc, how},
#include "ways.def"
        {"forks", launch_beside_forks},       {"copied", launch_just_copied},
        {"filled", launch_copied_and_filled}, {"copied_twice", launch_copied_twice},
        {"unseen", launch_unseen_of_one},     {"unseen_wide", launch_unseen_of_many},
    };
    for (size_t i = 0; argc == 2 && i < sizeof ways / sizeof *ways; i++) {
        if (strcmp(argv[1], ways[i].name) != 0)
            continue;
        by_proc = ways[i].by_proc;
        begin(ways[i].how);
        cu_result first = ways[i].launch(array + 8, 5), second = ways[i].launch(array + 8, 5);
        MUST(first == second);
        return first == CU_SUCCESS ? 0 : LAUNCH_REFUSED;
    }
    return 2;
}

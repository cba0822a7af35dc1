/* A CUDA driver without a GPU, for the tests of what surrounds one: memory is the host's, and a
 * launch writes its number into the first FAKE_BYTES bytes of pointer argument FAKE_ARGUMENT (none
 * where that is not set), or what goes wrong is named by FAKE_FAULT: "no-device", "wrong-code"
 * (made for another GPU), "memory" (4096 bytes an allocation), "refused" (the launch), "fault" (in
 * the kernel), "crash" and "exit" (of the process),
 * "hang". */
/* With FAKE_STEP, every second launch writes floats 1 + FAKE_STEP, all others 1, and all 1 where
 * pointer argument 0 holds whole numbers: as sums that are rounded. */
#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned long long address;
#define API __attribute__((visibility("default"))) int

static int is_fault(const char *name)
{
    const char *fault = getenv("FAKE_FAULT");
    return fault && strcmp(fault, name) == 0;
}

#define NOTHING(name, ...)                                                                         \
    API name(__VA_ARGS__);                                                                         \
    API name(__VA_ARGS__)                                                                          \
    {                                                                                              \
        return 0;                                                                                  \
    }
#define GIVES(name, type, value, ...)                                                              \
    API name(type *out, ##__VA_ARGS__);                                                            \
    API name(type *out, ##__VA_ARGS__)                                                             \
    {                                                                                              \
        *out = (type)(value);                                                                      \
        return 0;                                                                                  \
    }

NOTHING(cuInit, unsigned flags __attribute__((unused)))
GIVES(cuDriverGetVersion, int, 13000)
GIVES(cuDeviceGetCount, int, !is_fault("no-device"))
GIVES(cuDeviceGet, int, 0, int ordinal __attribute__((unused)))
GIVES(cuDevicePrimaryCtxRetain, void *, 1, int device __attribute__((unused)))
NOTHING(cuCtxSetCurrent, void *context __attribute__((unused)))
NOTHING(cuModuleUnload, void *module __attribute__((unused)))
GIVES(cuModuleGetFunction, void *, 1, void *module __attribute__((unused)),
      const char *name __attribute__((unused)))
GIVES(cuStreamCreate, void *, 1, unsigned flags __attribute__((unused)))
NOTHING(cuStreamSynchronize, void *stream __attribute__((unused)))
GIVES(cuEventCreate, void *, 1, unsigned flags __attribute__((unused)))
NOTHING(cuEventRecord, void *event __attribute__((unused)), void *stream __attribute__((unused)))
GIVES(cuEventElapsedTime, float, 1, void *from __attribute__((unused)),
      void *to __attribute__((unused)))

API cuModuleLoadData(void **out, const void *image);
API cuModuleLoadData(void **out, const void *image)
{
    (void)image;
    *out = (void *)1;
    return is_fault("wrong-code") ? 209 : 0;
}

API cuCtxSynchronize(void);
API cuCtxSynchronize(void)
{
    return is_fault("fault") ? 700 : 0;
}

API cuGetErrorName(int error, const char **name);
API cuGetErrorName(int error, const char **name)
{
    *name = error == 209   ? "CUDA_ERROR_NO_BINARY_FOR_GPU"
            : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
            : error == 719 ? "CUDA_ERROR_LAUNCH_FAILED"
                           : "CUDA_ERROR";
    return 0;
}

API cuGetErrorString(int error, const char **text);
API cuGetErrorString(int error, const char **text)
{
    (void)error;
    *text = "an error";
    return 0;
}

API cuDeviceGetName(char *name, int length, int device);
API cuDeviceGetName(char *name, int length, int device)
{
    (void)device;
    strncpy(name, "a made-up GPU", (size_t)length);
    return 0;
}

API cuDeviceGetAttribute(int *value, int attribute, int device);
API cuDeviceGetAttribute(int *value, int attribute, int device)
{
    (void)device;
    *value = attribute == 75 ? 9 : 0;
    return 0;
}

API cuMemGetInfo_v2(size_t *available, size_t *total);
API cuMemGetInfo_v2(size_t *available, size_t *total)
{
    *total = (size_t)1 << 40;
    *available = is_fault("memory") ? 4096 : *total;
    return 0;
}

API cuMemAlloc_v2(address *at, size_t bytes);
API cuMemAlloc_v2(address *at, size_t bytes)
{
    if (bytes >= (size_t)1 << 27 || /* what caches are flushed with: not here */
        (bytes > 4096 && is_fault("memory")))
        return 2;
    *at = (address)(uintptr_t)calloc(bytes, 1);
    return 0;
}

API cuMemcpyHtoD_v2(address to, const void *from, size_t bytes);
API cuMemcpyHtoD_v2(address to, const void *from, size_t bytes)
{
    memcpy((void *)(uintptr_t)to, from, bytes);
    return 0;
}

API cuMemcpyDtoH_v2(void *to, address from, size_t bytes);
API cuMemcpyDtoH_v2(void *to, address from, size_t bytes)
{
    memcpy(to, (void *)(uintptr_t)from, bytes);
    return 0;
}

API cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, void *stream);
API cuMemcpyDtoDAsync_v2(address to, address from, size_t bytes, void *stream)
{
    (void)stream;
    memcpy((void *)(uintptr_t)to, (void *)(uintptr_t)from, bytes);
    return 0;
}

API cuMemsetD8Async(address to, unsigned char value, size_t bytes, void *stream);
API cuMemsetD8Async(address to, unsigned char value, size_t bytes, void *stream)
{
    (void)stream;
    memset((void *)(uintptr_t)to, value, bytes);
    return 0;
}

API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra);
API cuLaunchKernel(void *function, unsigned gx, unsigned gy, unsigned gz, unsigned bx, unsigned by,
                   unsigned bz, unsigned shared, void *stream, void **arguments, void **extra)
{
    static int launches;
    const char *argument = getenv("FAKE_ARGUMENT"), *bytes = getenv("FAKE_BYTES");
    (void)function, (void)gx, (void)gy, (void)gz, (void)bx, (void)by, (void)bz, (void)shared;
    (void)stream, (void)extra;
    launches++;
    while (is_fault("hang"))
        pause();
    if (is_fault("crash"))
        raise(SIGKILL);
    if (is_fault("exit"))
        _exit(3);
    if (is_fault("refused"))
        return 719;
    usleep(20000); /* long enough for a progress bar */
    if (argument && bytes && getenv("FAKE_STEP")) {
        const float *input;
        float *at, step = strtof(getenv("FAKE_STEP"), NULL);
        memcpy(&input, arguments[0], sizeof input);
        memcpy(&at, arguments[atoi(argument)], sizeof at);
        bool whole = input[0] == (float)(int)input[0] && input[1] == (float)(int)input[1];
        for (unsigned long i = 0; i < strtoul(bytes, NULL, 10) / sizeof(float); i++)
            at[i] = 1 + (whole || launches % 2 ? 0 : step);
    } else if (argument && bytes) {
        address at;
        memcpy(&at, arguments[atoi(argument)], sizeof at);
        memset((void *)(uintptr_t)at, launches, strtoul(bytes, NULL, 10));
    }
    return 0;
}

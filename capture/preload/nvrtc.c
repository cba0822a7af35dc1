/* NVRTC, the compiler that programs call while they run: it is told which Tile IR it gives them.
 * What they do with it is theirs: the driver loads it as it is, or machine code that they made of
 * it. */
#include "preload/private.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdatomic.h>
#include <string.h>

enum { NVRTC_SUCCESS = 0, NVRTC_INTERNAL_ERROR = 11 };

typedef int get_tile_ir(void *program, char *tile_ir);
typedef int get_size(void *program, size_t *size);

__attribute__((visibility("default"))) int nvrtcGetTileIR(void *program, char *tile_ir);

/* The function of that name in the library that has the other one. */
static void *beside(void *address, const char *symbol)
{
    Dl_info info;
    void *library = dladdr(address, &info) && info.dli_fname
                        ? dlopen(info.dli_fname, RTLD_LAZY | RTLD_NOLOAD)
                        : NULL;
    void *found = library ? real_dlsym(library, symbol) : NULL;
    if (library)
        dlclose(library); /* it is open as long as the program has it so */
    return found;
}

static int give(void *address, void *program, char *tile_ir)
{
    get_tile_ir *get;
    get_size *get_bytes;
    memcpy(&get, &address, sizeof get);
    if (!get)
        return NVRTC_INTERNAL_ERROR;
    int result = get(program, tile_ir), saved = errno;
    size_t bytes = 0;
    void *of_size =
        result == NVRTC_SUCCESS && recorder_is_on() ? beside(address, "nvrtcGetTileIRSize") : NULL;
    memcpy(&get_bytes, &of_size, sizeof get_bytes);
    if (get_bytes && get_bytes(program, &bytes) == NVRTC_SUCCESS)
        recorder_compiled(tile_ir, bytes, "nvrtc");
    errno = saved;
    return result;
}

/* A program that is linked with NVRTC. */
int nvrtcGetTileIR(void *program, char *tile_ir)
{
    return give(real_dlsym(RTLD_NEXT, "nvrtcGetTileIR"), program, tile_ir);
}

/* Libraries that were opened, of which a program may have several: a program of one is nothing to
 * the others, so each has a wrapper of its own, until there are none left. */
static _Atomic(void *) opened[4];

#define WRAPPER(i)                                                                                 \
    static int get_from_##i(void *program, char *tile_ir)                                          \
    {                                                                                              \
        return give(atomic_load(&opened[i]), program, tile_ir);                                    \
    }
WRAPPER(0)
WRAPPER(1)
WRAPPER(2)
WRAPPER(3)

void *nvrtc_wrapper(void *address)
{
    static get_tile_ir *const wrappers[COUNT(opened)] = {get_from_0, get_from_1, get_from_2,
                                                         get_from_3};
    Dl_info info;
    const char *slash = dladdr(address, &info) ? strrchr(info.dli_fname, '/') : NULL;
    if (!slash || strncmp(slash + 1, "libnvrtc", strlen("libnvrtc")) != 0)
        return address;
    for (size_t i = 0; i < COUNT(opened); i++) {
        void *there = NULL;
        if (atomic_compare_exchange_strong(&opened[i], &there, address) || there == address) {
            void *wrapper;
            memcpy(&wrapper, &wrappers[i], sizeof wrapper);
            return wrapper;
        }
    }
    return address;
}

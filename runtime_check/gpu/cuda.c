#include "gpu/cuda.h"

#include <dlfcn.h>
#include <string.h>

static const struct {
    const char *symbol;
    size_t offset;
} functions[] = {
#define FUNCTION(field, symbol, parameters) {#symbol, offsetof(cuda_api, field)},
#include "gpu/cuda_api.def"
};

bool cuda_open(tr_arena *arena, cuda_api *api, const char **why)
{
    *api = (cuda_api){.library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_LOCAL)};
    if (!api->library) {
        *why = tr_arena_printf(arena,
                               "no GPU can be used: the NVIDIA driver's library cannot be opened "
                               "(%s); --device cpu runs the kernel on the interpreter",
                               dlerror());
        return false;
    }
    for (size_t i = 0; i < TR_COUNT(functions); i++) {
        void *found = dlsym(api->library, functions[i].symbol);
        if (!found) {
            *why = tr_arena_printf(arena,
                                   "the NVIDIA driver is too old: its library lacks %s (Tile IR "
                                   "needs a driver of CUDA 13 or newer)",
                                   functions[i].symbol);
            return false;
        }
        memcpy((char *)api + functions[i].offset, &found, sizeof found);
    }
    return true;
}

const char *cuda_error(tr_arena *arena, const cuda_api *api, int error)
{
    const char *name = NULL, *text = NULL;
    if (api->error_name(error, &name) != CUDA_OK || !name)
        return tr_arena_printf(arena, "driver error %d", error);
    if (api->error_text(error, &text) != CUDA_OK || !text)
        text = "no description";
    return tr_arena_printf(arena, "%s (%s)", name, text);
}

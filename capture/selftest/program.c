#include "selftest/program.h"

#include <string.h>

#include "gpu/cuda.h"

enum { TILE_BLOCKS = 4, ELEMENTS = 4096 };

static bool is_good(int error, const char *what, const char **why)
{
    if (error != CUDA_OK)
        *why = what;
    return error == CUDA_OK;
}

static bool launch(const cuda_api *api, const void *module_bytes, const char *entry,
                   const char **why)
{
    int device = 0, n = ELEMENTS;
    cuda_context context;
    cuda_module module;
    cuda_function kernel;
    cuda_address out = 0;
    void *arguments[] = {&out, &n};
    return is_good(api->init(0), "cuInit fails", why) &&
           is_good(api->device_get(&device, 0), "the driver finds no GPU", why) &&
           is_good(api->context_retain(&context, device), "the GPU gives no context", why) &&
           is_good(api->context_set(context), "the GPU gives no context", why) &&
           is_good(api->module_load(&module, module_bytes), "the driver takes no Tile IR", why) &&
           is_good(api->module_function(&kernel, module, entry), "the driver finds no kernel",
                   why) &&
           is_good(api->memory_alloc(&out, ELEMENTS * sizeof(float)), "the GPU gives no memory",
                   why) &&
           is_good(api->launch(kernel, TILE_BLOCKS, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL),
                   "the launch fails", why) &&
           is_good(api->context_synchronize(), "the kernel fails", why);
}

int selftest_program(const char *file_and_entry, const char **why)
{
    tr_arena *arena = tr_arena_new();
    const char *entry = strrchr(file_and_entry, ':');
    cuda_api api;
    size_t length;
    bool done = false;
    const char *file =
        entry ? tr_arena_strndup(arena, file_and_entry, (size_t)(entry - file_and_entry)) : NULL;
    const char *bytes = file ? tr_read_file(arena, file, &length, why) : NULL;
    *why = "no module is named";
    if (bytes && cuda_open(arena, &api, why)) {
        done = launch(&api, bytes, entry + 1, why);
    }
    tr_arena_free(arena);
    return done ? SELFTEST_LAUNCHED : SELFTEST_CANNOT_LAUNCH;
}

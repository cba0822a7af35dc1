#include "selftest/program.h"

#include <dlfcn.h>
#include <string.h>

#include "driver/toolchain.h"
#include "gpu/cuda.h"

enum { TILE_BLOCKS = 4, ELEMENTS = 4096, PATIENCE_MS = 60000 };

static bool is_good(int error, const char *what, const char **why)
{
    if (error != CUDA_OK)
        *why = what;
    return error == CUDA_OK;
}

typedef struct image {
    const char *bytes;
    size_t size;
} image;

/* A checker beside this program knows machine code by the Tile IR that it was made of. */
static void tell(image tile_ir, image code)
{
    void (*told)(const void *, size_t, const void *, size_t, const char *, const char *);
    void *address = dlsym(RTLD_DEFAULT, "tilerace_recorder_module");
    memcpy(&told, &address, sizeof told);
    if (told)
        told(tile_ir.bytes, tile_ir.size, code.bytes, code.size, "selftest", NULL);
}

static bool load_code(tr_arena *arena, const cuda_api *api, int device, image tile_ir,
                      cuda_module *module, const char **why)
{
    int major = 0, minor = 0;
    const char *reason = NULL, *tileiras = toolchain_find_tileiras(arena, &reason);
    api->device_attribute(&major, CUDA_ATTRIBUTE_MAJOR, device);
    api->device_attribute(&minor, CUDA_ATTRIBUTE_MINOR, device);
    toolchain_assembly what = {
        .gpu_name = tr_arena_printf(arena, "sm_%d%d", major, minor),
        .bytecode = (const unsigned char *)tile_ir.bytes,
        .size = tile_ir.size,
        .timeout_ms = PATIENCE_MS,
    };
    tr_text code = {0}, said = {0};
    bool good = tileiras && toolchain_assemble(arena, tileiras, &what, &code, &said, &reason);
    if (good) {
        tell(tile_ir, (image){code.data, code.length});
        good = is_good(api->module_load(module, code.data), "the driver takes no code of tileiras",
                       &reason);
    }
    tr_text_free(&code);
    tr_text_free(&said);
    if (!good)
        *why = tr_arena_printf(arena, "the driver takes no Tile IR, and of code: %s", reason);
    return good;
}

/* Drivers before CUDA 13.1 take machine code alone. */
static bool load(tr_arena *arena, const cuda_api *api, int device, image tile_ir,
                 cuda_module *module, const char **why)
{
    return api->module_load(module, tile_ir.bytes) == CUDA_OK ||
           load_code(arena, api, device, tile_ir, module, why);
}

static bool launch(tr_arena *arena, const cuda_api *api, image tile_ir, const char *entry,
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
           load(arena, api, device, tile_ir, &module, why) &&
           is_good(api->module_function(&kernel, module, entry), "the driver finds no kernel",
                   why) &&
           is_good(api->memory_alloc(&out, ELEMENTS * sizeof(float)), "the GPU gives no memory",
                   why) &&
           is_good(api->launch(kernel, TILE_BLOCKS, 1, 1, 1, 1, 1, 0, NULL, arguments, NULL),
                   "the launch fails", why) &&
           is_good(api->context_synchronize(), "the kernel fails", why);
}

int selftest_program(tr_arena *arena, const char *file_and_entry, const char **why)
{
    const char *entry = strrchr(file_and_entry, ':');
    cuda_api api;
    image tile_ir = {0};
    bool done = false;
    const char *file =
        entry ? tr_arena_strndup(arena, file_and_entry, (size_t)(entry - file_and_entry)) : NULL;
    *why = "no module is named";
    if (file)
        tile_ir.bytes = tr_read_file(arena, TR_FILE_KERNELS, file, &tile_ir.size, why);
    if (!tile_ir.bytes)
        return SELFTEST_NO_MODULE; /* which is no reason to skip a step */
    if (cuda_open(arena, &api, why))
        done = launch(arena, &api, tile_ir, entry + 1, why);
    return done ? SELFTEST_LAUNCHED : SELFTEST_CANNOT_LAUNCH;
}

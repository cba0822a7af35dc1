#include "dialect/libclang.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

libclang_functions libclang;

/* Where it was found when this program was built comes last: the machine may be another. */
static const char *const libraries[] = {"libclang-19.so.19", "libclang-19.so", TILERACE_LIBCLANG};

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define CLANG(name) {"clang_" #name, offsetof(libclang_functions, name)},
#include "dialect/libclang.def"
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static const char *problem; /* set by open_once, static text; NULL: it is open */

static void open_once(void)
{
    void *library = NULL;
    for (size_t i = 0; i < TR_COUNT(libraries) && !library; i++)
        library = dlopen(libraries[i], RTLD_LAZY | RTLD_LOCAL);
    if (!library) {
        problem = "libclang 19 was not found; Debian has it in libclang1-19";
        return;
    }
    for (size_t i = 0; i < TR_COUNT(functions); i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            problem = "this libclang lacks functions of libclang 19";
            return;
        }
        memcpy((char *)&libclang + functions[i].offset, &function, sizeof function);
    }
}

bool libclang_open(const char **why)
{
    pthread_once(&once, open_once);
    *why = problem;
    return problem == NULL;
}

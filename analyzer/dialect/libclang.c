#include "dialect/libclang.h"

#include <dlfcn.h>
#include <glob.h>
#include <pthread.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/installed.h"
#include "dialect/dialect.h"

libclang_functions libclang;

/* Debian's versions in the order in which they are tried: the one that tests use, then newer ones,
 * then the oldest that has all functions. */
static const int versions[] = {19, 20, 21, 22, 23, 24, 18};
enum { OLDEST = 18 };

static const char *const debian_names[] = {"libclang-%d.so.%d", "libclang-%d.so.1"};
static const char *const other_names[] = {"libclang.so.%d", "libclang.so.%d.1"};

static const struct {
    const char *name;
    size_t offset;
} functions[] = {
#define CLANG(name) {"clang_" #name, offsetof(libclang_functions, name)},
#include "dialect/libclang.def"
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static char problem[400]; /* set by open_once; empty: it is open */
static char version[128];
static bool lacks_memory; /* set by open_once: that is the problem */

/* The loader says what it could not do, and not that memory was why. What libclang and what it
 * is linked to map is about as much as this; where that is not to be had, nothing else was the
 * cause. */
static bool is_there_room(void)
{
    const size_t size = (size_t)160 << 20;
    void *room = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool is_there = room != MAP_FAILED;
    if (is_there)
        munmap(room, size);
    return is_there;
}

/* Did mapping fail, for a library that is there? */
static bool failed_to_map(const char *said)
{
    return strstr(said, "cannot map") || strstr(said, "failed to map") ||
           strstr(said, "annot allocate memory") || strstr(said, "cannot create");
}

static void *open_named(const char *path)
{
    void *library = dlopen(path, RTLD_LAZY | RTLD_LOCAL);
    const char *said = library ? NULL : dlerror();
    char absent[300]; /* how the system says that there is no such file */
    snprintf(absent, sizeof absent, "%s: cannot open shared object file: No such file", path);
    if (said && !problem[0] && strncmp(said, absent, strlen(absent)) != 0)
        lacks_memory = failed_to_map(said) && !is_there_room();
    if (said && !problem[0] && strncmp(said, absent, strlen(absent)) != 0)
        snprintf(problem, sizeof problem, "libclang cannot be loaded%s: %s",
                 lacks_memory ? ", since there is too little memory" : "", said);
    return library;
}

/* The package `libclang` of Python's index, in the environment that this program is in. */
static void *open_beside(void)
{
    tr_arena *arena = tr_arena_new();
    const char *root = tr_installation_root(arena);
    glob_t found = {0};
    void *library = NULL;
    if (root &&
        glob(tr_arena_printf(arena, "%s/lib/python3*/site-packages/clang/native/libclang.so", root),
             0, NULL, &found) == 0) {
        for (size_t i = 0; i < found.gl_pathc && !library; i++)
            library = open_named(found.gl_pathv[i]);
        globfree(&found);
    }
    tr_arena_free(arena);
    return library;
}

static void *open_of_system(void)
{
    for (size_t i = 0; i < TR_COUNT(versions); i++) {
        for (size_t k = 0; k < TR_COUNT(debian_names) + TR_COUNT(other_names); k++) {
            char name[64];
            if (k < TR_COUNT(debian_names))
                snprintf(name, sizeof name, debian_names[k], versions[i], versions[i]);
            else
                snprintf(name, sizeof name, other_names[k - TR_COUNT(debian_names)], versions[i]);
            void *library = open_named(name);
            if (library)
                return library;
        }
    }
    return open_named("libclang.so");
}

/* Returns the library's version as a number, from a text such as "Debian clang version 19.1.7 (3)";
 * 0: it has none. */
static int version_of(void *library)
{
    CXString (*get)(void) = NULL;
    const char *(*text_of)(CXString) = NULL;
    void (*dispose)(CXString) = NULL;
    *(void **)&get = dlsym(library, "clang_getClangVersion");
    *(void **)&text_of = dlsym(library, "clang_getCString");
    *(void **)&dispose = dlsym(library, "clang_disposeString");
    if (!get || !text_of || !dispose)
        return 0;
    CXString string = get();
    const char *text = text_of(string), *number = text ? strstr(text, "version ") : NULL;
    snprintf(version, sizeof version, "%s", text ? text : "");
    int major = number ? atoi(number + strlen("version ")) : 0;
    dispose(string);
    return major;
}

/* Loads libclang, the one beside us before that of the system, and looks up all functions.
 * `problem` is
 * "" afterwards, or says why there is none. */
static void open_once(void)
{
    void *library = open_beside();
    if (!library)
        library = open_of_system();
    if (library)
        problem[0] = 0; /* of another one */
    if (!library && problem[0])
        return;
    if (!library) {
        snprintf(
            problem, sizeof problem,
            "libclang %d or newer was not found; pip install 'tilerace[dialect]' or, on Debian, "
            "apt-get install libclang1-19",
            OLDEST);
        return;
    }
    int major = version_of(library);
    if (major < OLDEST) {
        snprintf(problem, sizeof problem, "this libclang is of version %d; %d or newer is needed",
                 major, OLDEST);
        return;
    }
    for (size_t i = 0; i < TR_COUNT(functions); i++) {
        void *function = dlsym(library, functions[i].name);
        if (!function) {
            snprintf(problem, sizeof problem, "this libclang, of version %d, lacks clang_%s", major,
                     functions[i].name + strlen("clang_"));
            return;
        }
        memcpy((char *)&libclang + functions[i].offset, &function, sizeof function);
    }
}

bool libclang_lacks_memory(void)
{
    return lacks_memory && problem[0];
}

bool libclang_open(const char **why)
{
    pthread_once(&once, open_once);
    *why = problem[0] ? problem : NULL;
    return !problem[0];
}

const char *dialect_libclang(const char **why)
{
    return libclang_open(why) ? version : NULL;
}

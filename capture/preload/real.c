/* Finding the real driver behind the shim, in whichever way a program got hold of it. */
#include "preload/private.h"

#include <dlfcn.h>
#include <stdatomic.h>
#include <string.h>

enum { PER_THREAD_FLAG = 2 }; /* of cuGetProcAddress */

typedef void (*any_function)(void);

/* Called by dlsym() below, which is written in assembly. */
__attribute__((used, visibility("hidden"))) void *preload_next_dlsym(void);
__attribute__((used, visibility("hidden"))) void *preload_symbol(void *handle, const char *symbol);

static const struct row {
    const char *symbol, *name;
    int since;
    bool is_per_thread;
    any_function wrapper;
} rows[] = {
#define ROW(symbol, name, since, per_thread, parameters)                                           \
    {#symbol, name, since, per_thread, (any_function)(symbol)},
#include "preload/wrapped.def"
#undef ROW
};

/* The functions that were found; written more than once only with the same value. */
static struct {
    _Atomic(void *) functions[N_WRAPPED];
    _Atomic(void *) library; /* a handle of dlopen, never closed */
} found;

static void *address_of(any_function function)
{
    void *address;
    memcpy(&address, &function, sizeof address);
    return address;
}

/* ---- Section: dlsym ---- */

/* The version that dlsym() has in the C library since its first for this machine. */
#if defined(__x86_64__)
#define OLDEST_VERSION "GLIBC_2.2.5"
#else
#define OLDEST_VERSION "GLIBC_2.17"
#endif

/* May be called as early as by another library's constructor, or by an allocator. */
void *preload_next_dlsym(void)
{
    static _Atomic(void *) next;
    void *address = atomic_load(&next);
    if (!address)
        address = dlvsym(RTLD_NEXT, "dlsym", OLDEST_VERSION);
    atomic_store(&next, address);
    return address;
}

void *real_dlsym(void *handle, const char *symbol)
{
    void *(*next)(void *, const char *);
    void *address = preload_next_dlsym();
    memcpy(&next, &address, sizeof next);
    return next ? next(handle, symbol) : NULL;
}

static void *wrap(size_t i, void *address);

/* Returns what a program gets in the place of a symbol; NULL: what it would get without the
 * shim. */
void *preload_symbol(void *handle, const char *symbol)
{
    if (handle == RTLD_NEXT || handle == RTLD_DEFAULT || !symbol)
        return NULL;
    if (symbol[0] == 'n' && strcmp(symbol, "nvrtcGetTileIR") == 0) {
        void *address = real_dlsym(handle, symbol);
        return address ? nvrtc_wrapper(address) : NULL;
    }
    if (symbol[0] != 'c' || symbol[1] != 'u')
        return NULL;
    for (size_t i = 0; i < COUNT(rows); i++) {
        if (strcmp(rows[i].symbol, symbol) == 0) {
            void *address = real_dlsym(handle, symbol);
            return address ? wrap(i, address) : NULL;
        }
    }
    return NULL;
}

/* dlsym() finds out its caller, from which RTLD_NEXT counts, by its return address. So the real one
 * is jumped to, with the stack as it was. */
#if defined(__x86_64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, @function\n"
        "dlsym:\n"
        "    .cfi_startproc\n"
        "    endbr64\n"
        "    push %rdi\n"
        "    push %rsi\n"
        "    sub $8, %rsp\n"
        "    .cfi_def_cfa_offset 32\n"
        "    call preload_symbol\n"
        "    test %rax, %rax\n"
        "    jnz 1f\n"
        "    call preload_next_dlsym\n"
        "    add $8, %rsp\n"
        "    pop %rsi\n"
        "    pop %rdi\n"
        "    .cfi_def_cfa_offset 8\n"
        "    jmp *%rax\n"
        "    .cfi_def_cfa_offset 32\n"
        "1:  add $24, %rsp\n"
        "    .cfi_def_cfa_offset 8\n"
        "    ret\n"
        "    .cfi_endproc\n"
        ".size dlsym, . - dlsym\n");
#elif defined(__aarch64__)
__asm__(".text\n"
        ".globl dlsym\n"
        ".type dlsym, %function\n"
        "dlsym:\n"
        "    stp x29, x30, [sp, #-32]!\n"
        "    stp x0, x1, [sp, #16]\n"
        "    bl preload_symbol\n"
        "    cbnz x0, 1f\n"
        "    bl preload_next_dlsym\n"
        "    mov x16, x0\n"
        "    ldp x0, x1, [sp, #16]\n"
        "    ldp x29, x30, [sp], #32\n"
        "    br x16\n"
        "1:  ldp x29, x30, [sp], #32\n"
        "    ret\n"
        ".size dlsym, . - dlsym\n");
#endif

/* ---- Section: The driver ---- */

/* Whether an address lies in a CUDA driver, and not in another library that has such functions. */
static bool is_in_driver(void *address, const char **path)
{
    Dl_info info;
    if (!dladdr(address, &info) || !info.dli_fname)
        return false;
    *path = info.dli_fname;
    const char *slash = strrchr(info.dli_fname, '/');
    const char *file = slash ? slash + 1 : info.dli_fname;
    return strncmp(file, "libcuda.so", strlen("libcuda.so")) == 0;
}

static void *library(void)
{
    void *handle = atomic_load(&found.library);
    if (!handle) {
        handle = dlopen("libcuda.so.1", RTLD_LAZY | RTLD_NOLOAD);
        atomic_store(&found.library, handle);
    }
    return handle;
}

/* Opens once more the driver that a function was found in. */
static void found_driver(const char *path)
{
    if (!atomic_load(&found.library))
        atomic_store(&found.library, dlopen(path, RTLD_LAZY | RTLD_NOLOAD));
}

static void *search(const char *symbol)
{
    const char *path;
    void *address = library() ? real_dlsym(library(), symbol) : real_dlsym(RTLD_NEXT, symbol);
    return address && is_in_driver(address, &path) ? address : NULL;
}

void *real_symbol(const char *symbol)
{
    return search(symbol);
}

void *real_function(wrapped which)
{
    void *address = atomic_load(&found.functions[which]);
    if (!address) {
        address = search(rows[which].symbol);
        atomic_store(&found.functions[which], address);
    }
    return address;
}

bool is_recording(void)
{
    enum { NOT_ASKED, NO, YES };
    static atomic_int answer;
    int is = atomic_load(&answer);
    if (is == NOT_ASKED) {
        int (*of_driver)(void);
        void *address = real_symbol("tilerace_recorder_on");
        memcpy(&of_driver, &address, sizeof of_driver);
        is = of_driver && of_driver() ? NO : YES;
        atomic_store(&answer, is);
    }
    return is == YES && recorder_is_on();
}

/* ---- Section: Wrappers ---- */

/* The address to give a program in place of the one that the driver gave it for row i. */
static void *wrap(size_t i, void *address)
{
    const char *path;
    void *wrapper = address_of(rows[i].wrapper);
    if (address == wrapper || !is_in_driver(address, &path))
        return address;
    found_driver(path);
    atomic_store(&found.functions[i], address);
    return wrapper;
}

void *wrapper_of_name(const char *name, int version, uint64_t flags, void *address)
{
    bool per_thread = flags & PER_THREAD_FLAG;
    const struct row *best = NULL;
    for (size_t i = 0; i < COUNT(rows); i++) {
        const struct row *r = &rows[i];
        if (strcmp(r->name, name) == 0 && r->since <= version &&
            (per_thread || !r->is_per_thread) &&
            (!best || r->since > best->since || (r->since == best->since && r->is_per_thread)))
            best = r;
    }
    return best ? wrap((size_t)(best - rows), address) : address;
}

/* A library that wraps a function of the C library, as profilers do. */
#include <dlfcn.h>

__attribute__((visibility("default"))) int ffs(int bits);

/* The next definition is the C library's; counted from the shim it would be this one. */
int ffs(int bits)
{
    int (*next)(int) = (int (*)(int))dlsym(RTLD_NEXT, "ffs");
    return next && next != ffs ? next(bits) : -1;
}

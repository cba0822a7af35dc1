/* Asks for definitions that are there and that are not. */
#include <dlfcn.h>
#include <strings.h>

int main(int argc, char **argv)
{
    (void)argv;
    if (ffs(4 * argc) != 3)
        return 1;
    if (dlsym(RTLD_DEFAULT, "cuNoSuchFunction") || !dlerror() || dlerror())
        return 2;
    return dlsym(RTLD_NEXT, "main") ? 3 : 0;
}

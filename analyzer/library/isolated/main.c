/* tilerace-isolated LIBRARY: checks what it reads of standard input, with that libtilerace, and
 * writes the result to standard output (library/isolated.h). It is started by the library alone. */
#include <dlfcn.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NO_LIBRARY = 126 };

/* A host may ignore signals, which a program that it starts inherits. */
static void forget_signals(void)
{
    sigset_t none;
    sigemptyset(&none);
    for (int number = 1; number < NSIG; number++)
        signal(number, SIG_DFL); /* fails for those that cannot have a handler */
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_IGN);
}

int main(int argc, char **argv)
{
    int (*serve)(int from, int to) = NULL;
    if (argc != 2)
        return NO_LIBRARY;
    forget_signals();
    setenv("LIBCLANG_NOTHREADS", "1", 0);
    void *library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
    void *found = library ? dlsym(library, "tilerace_serve_isolated") : NULL;
    if (!found) {
        fprintf(stderr, "%s\n", dlerror());
        return NO_LIBRARY;
    }
    memcpy(&serve, &found, sizeof serve);
    return serve(0, 1);
}

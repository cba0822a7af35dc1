/* Allocation that cannot fail: the process ends with a message where no memory is left. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"
#include "base/real_path.h"

_Noreturn void tr_no_memory(void)
{
    static const char words[] = "tilerace: no memory is left\n";
    ssize_t ignored = write(STDERR_FILENO, words, sizeof words - 1);
    (void)ignored;
    abort();
}

void *tr_allocate(size_t size)
{
    return tr_reallocate(NULL, size ? size : 1);
}

void *tr_allocate_zeroed(size_t n, size_t size)
{
    void *memory = calloc(n ? n : 1, size ? size : 1);
    if (!memory)
        tr_no_memory();
    return memory;
}

char *tr_duplicate(const char *text)
{
    char *copy = strdup(text);
    if (!copy)
        tr_no_memory();
    return copy;
}

void *tr_reallocate(void *memory, size_t size)
{
    void *larger = realloc(memory, size);
    if (!larger)
        tr_no_memory();
    return larger;
}

char *tr_real_path(const char *path)
{
    char *real = realpath(path, NULL);
    if (!real && errno == ENOMEM)
        tr_no_memory();
    return real;
}

/* Where no memory is left, nothing more can be done, but it can be said. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/base.h"

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

void *tr_reallocate(void *memory, size_t size)
{
    void *larger = realloc(memory, size);
    if (!larger)
        tr_no_memory();
    return larger;
}

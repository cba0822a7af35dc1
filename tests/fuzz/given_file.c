/* Bytes as a file (given_file.h). */
#include "given_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

given_file given_file_make(const void *bytes, size_t size)
{
    given_file given = {.file = memfd_create("given", MFD_CLOEXEC)};
    if (given.file < 0 || write(given.file, bytes, size) != (ssize_t)size)
        abort();
    snprintf(given.path, sizeof given.path, "/proc/self/fd/%d", given.file);
    return given;
}

void given_file_close(given_file *given)
{
    close(given->file);
}

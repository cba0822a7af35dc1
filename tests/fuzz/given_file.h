/* Of fuzz targets: bytes as a file, for readers that are given a path. */
#ifndef FUZZ_GIVEN_FILE_H
#define FUZZ_GIVEN_FILE_H

#include <stddef.h>

typedef struct given_file {
    int file;
    char path[48];
} given_file;

/* In memory, without a name in any folder. Aborts where there can be none. */
given_file given_file_make(const void *bytes, size_t size);
void given_file_close(given_file *given);

#endif

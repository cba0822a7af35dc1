/* The kind of a file to the checker, from its contents. */
#ifndef INPUTS_KINDS_H
#define INPUTS_KINDS_H

#include "inputs/headers.h"

typedef enum file_kind {
    KIND_OTHER,
    KIND_SOURCE,    /* of the C dialect */
    KIND_HEADER,    /* of such sources, with kernels in it */
    KIND_MODULE,    /* Tile IR bytecode, or what by its name should be */
    KIND_RECORDED,  /* a source that another compiler reads, with words of kernels: recordings may
                       have something of it */
    KIND_UNREADABLE /* nobody knows */
} file_kind;

/* The kind of a regular file. A file with the name of a source that cannot be read, or is no text,
 * counts as a source: the check says what is wrong with it. */
file_kind kind_of(headers *h, const char *file);
/* Is it a C source by its name and, as far as one can see, without kernels, also those that headers
 * bring in? */
bool kind_is_other_c(headers *h, const char *file);
/* Is it, by its name, a source that another compiler reads? */
bool kind_is_foreign(const char *file);
/* Does such a source have words without which it holds no tile kernel? */
bool kind_may_hold_kernels(const char *file);

#endif

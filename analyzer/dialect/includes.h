/* A look at what a source includes before Clang reads it: Clang waits for ever for a pipe, and
 * reads a device that has no end until no memory is left. */
#ifndef DIALECT_INCLUDES_H
#define DIALECT_INCLUDES_H

#include "base/base.h"

typedef struct dl_include_search {
    size_t n_args; /* Clang's options, as dialect_admit_options gives them */
    const char *const *args;
    const tr_unsaved *unsaved; /* or NULL */
} dl_include_search;

/* False, with an error at the directive, where a header that is named in `text`, by an option, or
 * by a header, is there and is no regular file, or is larger than a file of kernels may be. Names
 * that only macros make are not known here. */
bool dl_includes_are_files(tr_arena *arena, const char *path, const char *text, size_t length,
                           const dl_include_search *search, tr_errors *errors);

#endif

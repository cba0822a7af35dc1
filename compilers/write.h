/* Outputs of a compiler: whole or not there at all. */
#ifndef COMPILERS_WRITE_H
#define COMPILERS_WRITE_H

#include "base/base.h"

/* Writes the file under a name of its own beside it and renames it, so that whoever reads it, or
 * compiles it at the same time, finds all of it. What is no file, a device, is written as it is.
 * False, with *why. */
bool write_whole(tr_arena *arena, const char *path, const void *data, size_t size,
                 const char **why);

#endif

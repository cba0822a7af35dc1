/* The digest of a large file. */
#ifndef LOOKUPS_DIGEST_FILE_H
#define LOOKUPS_DIGEST_FILE_H

#include "lookups/digest.h"

/* Digests a regular file of that size, in pieces, on several threads. False: not all of it can be
 * read. */
bool digest_of_file(int fd, uint64_t size, digest *of);

#endif

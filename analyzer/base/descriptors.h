/* Descriptors: written to the end, and left behind. */
#ifndef TR_BASE_DESCRIPTORS_H
#define TR_BASE_DESCRIPTORS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* Writes all of it, whatever signals interrupt. False, with errno: not all of it was written. */
bool tr_write_all(int fd, const void *bytes, size_t length);

/* Reads that many bytes, whatever signals interrupt, from the offset `at` or, if that is -1, from
 * where the descriptor stands. False: there are fewer, or reading failed. */
bool tr_read_all(int fd, void *bytes, size_t length, off_t at);

/* Closes all descriptors from `first` on. For a child of fork: other threads would lose theirs. */
void tr_close_from(int first);

/* kept[i] becomes descriptor 3 + i, closed on exec, and of all others only the standard streams
 * stay. For a child of fork, too. False: one of them is none. */
bool tr_keep_descriptors(size_t n, const int *kept);

#endif

/* Follows a path to the file that it names. */
#ifndef TR_BASE_REAL_PATH_H
#define TR_BASE_REAL_PATH_H

/* Works as realpath(path, NULL) does: the caller frees what it gets; NULL where nothing is there,
 * with errno. Never for want of memory, which ends the program: a path that cannot be followed for
 * that reason is not one that leads nowhere. */
char *tr_real_path(const char *path);

#endif

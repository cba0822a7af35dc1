/* Finds the other files of this installation: programs, headers and libraries that came with the
 * code that asks, wherever that was put. No path of the machine that built it is kept. */
#ifndef TR_BASE_INSTALLED_H
#define TR_BASE_INSTALLED_H

#include "base/base.h"

/* The root of the installation, or NULL where the system does not tell:
 *
 *   ROOT/bin/tilerace, ROOT/lib/libtilerace.so, ROOT/lib/ARCHITECTURE/libtilerace.so
 *
 * In a build it is the build folder. The code that asks may be a program or a library that a
 * foreign program has loaded. */
const char *tr_installation_root(tr_arena *arena);

/* The real path of the file that this code was loaded from, a program or a library; NULL where the
 * system does not tell. */
const char *tr_own_file(tr_arena *arena);

/* The real path of the first of `places`, relative to the root and ended by NULL, that can be
 * read. NULL: none. Nothing outside the places that are named is looked at, as folders above an
 * installation may belong to somebody else. */
const char *tr_find_installed(tr_arena *arena, const char *const *places);

#endif

/* Shared by the two ways to scan: once, and as folders fill. */
#ifndef COMPILERS_SCAN_H
#define COMPILERS_SCAN_H

#include "session/session.h"

/* "libk.a(k.o)", and where one object has several modules, their number. */
const char *scan_name(tr_arena *arena, const char *file, const bytecode_image *images,
                      size_t which);
/* --follow: until interrupted; the exit code. */
int scan_follow(session *s);

#endif

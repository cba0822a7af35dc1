/* What a source says of its kernels in `EXPECT` lines (tests/README.md), as far as runs can tell.
 */
#ifndef TESTS_SCHEDULES_EXPECTATIONS_H
#define TESTS_SCHEDULES_EXPECTATIONS_H

#include "base/base.h"

typedef enum observable { OBSERVABLE_UNSAID, OBSERVABLE_YES, OBSERVABLE_NO } observable;

typedef struct expectation {
    const char *kernel; /* NULL: every kernel of the file */
    observable observable;
    bool open; /* verdict unknown: nothing is said of runs */
} expectation;

typedef struct expectations {
    const char *checked; /* the file that the checker reads: the source or the module beside it */
    size_t n;
    expectation *items;
} expectations;

/* In the arena. A file that cannot be read expects nothing. */
expectations *expectations_read(tr_arena *arena, const char *file);
/* Of the kernel of either name. */
expectation expectations_of(const expectations *e, const char *name, const char *shown);

#endif

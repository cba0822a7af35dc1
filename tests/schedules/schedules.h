/* What schedules of small launches showed of one kernel. */
#ifndef TESTS_SCHEDULES_SCHEDULES_H
#define TESTS_SCHEDULES_SCHEDULES_H

#include "expectations.h"

typedef struct seen { /* of one kernel, over its launches */
    size_t launches;
    int64_t least_blocks, most_blocks;
    uint64_t schedules;
    bool differs, only_sums, unordered, ended;
    uint32_t lines[2];  /* of the unordered events */
    const char *launch; /* that shows the difference */
    uint64_t elements;  /* that differ */
    bool adjacent, weak;
    uint64_t explored; /* all schedules of `launch`, which end alike; 0: not all were tried */
    bool two_blocks;   /* ... of two blocks of it */
} seen;

typedef struct row {
    const char *file, *kernel;
    expectation wants;
    seen saw;
    bool required; /* it states no contract: launches meet what the checker requires */
    bool fits;
} row;

/* "differs", "no difference", ... */
const char *row_words(const row *r);
/* Replaces what stands between the two marks of the page by tables; false when that cannot be. */
bool page_write(tr_arena *arena, const char *path, size_t n, const row *rows);

#endif

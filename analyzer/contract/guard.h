/* Launch guards: the preconditions of one verdict, and what the contract states beside them, looked
 * at for one launch after the other.
 *
 * A guard is made once for a kernel and its verdict, and does not change: any number of threads may
 * ask it at once. Most preconditions are comparisons of integers, which are compiled into one
 * program. Contents of buffers are looked at only where a precondition speaks of them, and only
 * where the caller has them at hand. */
#ifndef CONTRACT_GUARD_H
#define CONTRACT_GUARD_H

#include "contract/precondition.h"

typedef enum guard_answer {
    GUARD_HOLDS,
    GUARD_BROKEN,
    GUARD_NEEDS_CONTENTS, /* it depends on contents that are not at hand */
    GUARD_NOT_CHECKED,    /* nothing that a host knows of a launch tells */
} guard_answer;

typedef struct guard_elements { /* what a pointer argument's elements are */
    unsigned bytes;             /* of one; 0: not known, or no pointer */
    bool are_integers;          /* addresses of a table among them */
    bool only_read;             /* the kernel writes none: two such buffers may overlap */
} guard_elements;

typedef struct guard_buffer { /* what a pointer argument addresses */
    uint64_t address;         /* where the launch has it; only compared, never read */
    bool bytes_known;
    uint64_t bytes; /* of the allocation, or of what the array spans, from the address on */
} guard_buffer;

typedef struct guard_launch {
    int64_t grid[3];
    size_t n_args;               /* the kernel's parameters */
    const int64_t *scalars;      /* n_args; those of pointers and floats are ignored */
    const guard_buffer *buffers; /* n_args; those of scalars are ignored */
    /* The elements of a buffer that the host can read, from its address on: *bytes of them, in the
     * kernel's element type. NULL: they are not at hand. Asked once for each fact on contents. May
     * be NULL. */
    const void *(*contents)(void *user, size_t arg, uint64_t *bytes);
    void *user;
} guard_launch;

typedef struct guard_result { /* of one precondition */
    guard_answer answer;
    /* Broken: what breaks it. Two arguments that overlap; a buffer that is too small; an element;
     * two elements that are equal, or of which the second is the smaller one. */
    size_t args[2];
    int64_t elements[2];
    bool has_args, has_elements;
} guard_result;

typedef struct guard_stated { /* what the contract states, without which no verdict holds */
    guard_result result;      /* the worst */
    const char *what;         /* the fact that has it, in words; NULL: all hold */
} guard_stated;

typedef struct guard guard;

/* Makes the guard of a settled contract and its verdict's preconditions; `elements` has one entry
 * for each argument. In the arena of `ctx`, which must outlive it, as must the preconditions. */
const guard *guard_new(smt_ctx *ctx, const contract *c, const guard_elements *elements, size_t n,
                       const precondition *const *preconditions);

/* The worst answer: broken, then needs contents, then not checked, then holds. `results` gets one
 * for each precondition. Both may be NULL. A launch of no tile block keeps everything. */
guard_answer guard_check(const guard *g, const guard_launch *launch, guard_result *results,
                         guard_stated *stated);

#endif

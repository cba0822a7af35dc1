/* A launch as a program under `tilerace exec` told it, and what can be said of it: to the guard of
 * a verdict, and as a launch contract that states it and no other. */
#ifndef LAUNCHES_SEEN_H
#define LAUNCHES_SEEN_H

#include "base/base.h"
#include "launches/names.h"
#include "tilerace.h"
#include "wire/wire.h"

typedef struct seen_argument {
    const uint8_t *value; /* as the driver takes it */
    size_t bytes;
    uint64_t allocation, allocation_bytes; /* that a pointer points into; 0: unknown */
    bool readable;                         /* by the program's host code */
    const uint8_t *contents; /* from the pointer on, where the checker asked for them; or NULL */
    size_t contents_bytes;
} seen_argument;

/* Memory that a launch before touches. */
typedef struct seen_touched {
    uint64_t from, to; /* addresses; `to` UINT64_MAX: its end is not known */
    bool writes;       /* else it reads */
    const char *by;    /* which launch, for people */
    bool is_bound;     /* nothing else is touched, but not all of it for certain */
    bool is_unwaited;  /* a launch between the two did not wait for it */
} seen_touched;

typedef struct seen_launch {
    uint32_t module; /* 0: nothing is known of the kernel */
    const char *symbol;
    uint64_t grid[3];
    const char *file; /* of the line that launched; NULL: unknown */
    unsigned line;
    bool is_pdl;         /* the predecessor in its stream may still run */
    bool takes_finding;  /* what is found of it is for its program to say */
    bool stops;          /* it must not happen if it races or broke */
    bool written_wholly; /* every element of an array that it stores to has to be stored */
    /* Set for one of `launches_before`: whether it may still run is not known; it ends before the
     * first of them does. */
    bool is_unclear, is_early;
    bool after_any; /* stated as if that kernel wrote and read all that this one may touch */
    size_t n_arguments;
    seen_argument *arguments;
    wire_before before;
    size_t n_before;
    struct seen_launch *launches_before; /* the latest one first; or NULL */
    size_t n_touched;
    const seen_touched *touched; /* what they touch; NULL: it was not looked at */
} seen_launch;

/* The fields of LAUNCH; `r` stands at their start. What is read points into the frame or lies in
 * the arena. False: they are none. */
bool seen_read(tr_arena *arena, wire_reader *r, seen_launch *launch);
/* The fields of CONTENTS, put into the launch that they belong to. */
bool seen_read_contents(wire_reader *r, seen_launch *launch);

/* Does the launch pass what the kernel takes: as many arguments, of that size? */
bool seen_fits(const seen_launch *launch, const tilerace_kernel *kernel);

uint64_t seen_address(const seen_argument *pointer);
int64_t seen_integer(const seen_argument *a, unsigned bits); /* sign-extended from so many bits */
/* Bytes that a pointer stands for, from its address on: those of its array where the names tell
 * extents and strides, else up to the end of its allocation. False: unknown. `n` may be NULL: no
 * names. */
bool seen_bytes(const seen_launch *launch, const tilerace_kernel *kernel, const seen_names *n,
                size_t argument, uint64_t *bytes);

/* A row of a table, which is a list of arrays: the address of an array, its extents, its strides,
 * in words of the launch. */
enum { SEEN_WORD = 8 /* bytes */ };
static inline uint64_t seen_row_bytes(const seen_name *table)
{
    return SEEN_WORD * (1 + 2 * (uint64_t)table->rank);
}
/* The rows of a table; false: not known, or no table. */
bool seen_rows(const seen_launch *launch, const tilerace_kernel *kernel, const seen_names *n,
               size_t argument, uint64_t *rows);

/* Makes the argument of tilerace_check_launch(); it points into `launch`. In the arena. */
tilerace_launch seen_as_launch(tr_arena *arena, const seen_launch *launch,
                               const tilerace_kernel *kernel, const seen_names *n);

/* Keeps elements beside the contract that states them; the plain name of their file, in the arena,
 * or NULL where it cannot. */
typedef struct seen_files {
    const char *(*keep)(void *user, tr_arena *arena, const void *bytes, size_t size);
    void *user;
} seen_files;

/* The launch as a contract file of version 2 that states it and no other, with the contents that
 * are at hand; `files` NULL: all of them in the text. In the arena; NULL where `files` failed. */
const char *seen_as_contract(tr_arena *arena, const seen_launch *launch,
                             const tilerace_kernel *kernel, const seen_names *n,
                             const char *program, const seen_files *files);

#endif

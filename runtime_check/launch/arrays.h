/* Launches whose arguments are lists of arrays. */
#ifndef LAUNCH_ARRAYS_H
#define LAUNCH_ARRAYS_H

#include "launch/launch.h"

#define INTERP_MOST_RANK 4

/* An argument that is a list of arrays: a table of records, each a pointer, `rank` extents and as
 * many strides, in numbers of 64 bits. */
typedef struct interp_array_table {
    size_t arg;
    int rank;
    int records;
    int64_t extent; /* of every dimension; rows lie one behind the other */
    bool one_array; /* all records name one array; else each has an array of its own */
    int same_as;    /* they name the first array of that table, an earlier one; -1: they do not */
} interp_array_table;

/* The launch with these tables filled, and their arrays as buffers behind its own. In the arena. */
const concrete_launch *concrete_with_arrays(tr_arena *arena, const concrete_launch *launch,
                                            size_t n, const interp_array_table *tables);

#endif

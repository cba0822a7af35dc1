/* One concrete launch of a kernel: its grid, its arguments, and what its buffers hold. The rooms
 * behind this one run it. */
#ifndef LAUNCH_LAUNCH_H
#define LAUNCH_LAUNCH_H

#include "contract/contract.h"
#include "ir/ir.h"

typedef struct interp_poke { /* one known element far behind what `data` holds */
    int64_t address;
    int width; /* bytes */
    uint64_t value;
} interp_poke;

typedef struct interp_buffer {
    const char *name;
    int64_t bytes;       /* size; accesses outside it are events that lie `out_of_buffer` */
    unsigned char *data; /* contents at launch, `bytes` long; NULL: zero */
    bool *known;         /* per byte: contents known exactly; NULL: all known */
    int64_t data_bytes;  /* length of data and known; what lies behind is unknown; 0: all of it */
    bool opaque;         /* no byte of the contents is known (float buffers); data is ignored */
    bool unbounded;      /* its size is not known: nothing behind address 0 lies outside */
    size_t n_pokes;
    const interp_poke *pokes; /* contents at launch, over `data` */
    /* The number that a pointer to its first byte is, below 2^60, so that pointers in memory lead
     * to the buffer that lies there; buffers with one share no byte. 0: a number of its own. */
    uint64_t place;
} interp_buffer;

typedef struct interp_arg {
    int64_t value; /* scalar: its value, sign-extended; pointer: byte offset into buffer */
    int buffer;    /* pointer: index into buffers; -1: a scalar */
    bool exact;    /* float scalar: `value` is its bit pattern; else it is unknown */
} interp_arg;

/* A kernel launched before, in the same stream, that may still run (programmatic dependent launch,
 * D23). Its tile blocks are numbered behind those of the launch. */
typedef struct interp_before {
    const ir_function *kernel;
    int64_t grid[3];
    size_t n_args;
    interp_arg *args; /* into the buffers of the launch */
} interp_before;

typedef struct concrete_launch {
    int64_t grid[3];
    size_t n_args;
    interp_arg *args; /* one per kernel parameter */
    size_t n_buffers;
    interp_buffer *buffers;
    const interp_before *before; /* or NULL. Runs by a schedule alone run it (schedule.h) */
} concrete_launch;

/* Tile blocks of its grid, whose extents were bounded before: the product must not overflow. */
int64_t concrete_launch_blocks(const concrete_launch *launch);

/* Bytes of the buffers whose size is stated; INT64_MAX: more than that. */
int64_t concrete_stated_bytes(const concrete_launch *launch);
/* The number that so many bytes at that address of the buffer are at launch, signed; false: that is
 * not given, and 0 stands for it. */
bool concrete_number_at(const interp_buffer *buffer, int64_t address, int64_t width,
                        int64_t *value);

/* A pointer into a buffer is a number too (ptr_to_int, tables of pointers). In a launch that gives
 * no places, buffer k lies in a window of 2^LAUNCH_WINDOW_SHIFT bytes of its own. */
#define LAUNCH_WINDOW_SHIFT 44
uint64_t concrete_pointer(int32_t buffer, int64_t address);

#endif

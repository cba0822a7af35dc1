/* Messages between a program under `tilerace exec` and the checker beside it.
 *
 * They go over a Unix stream socket whose path is in the program's environment. A frame is a u32
 * length of what follows, a u32 kind and the fields that messages.def tells. The program's side is
 * in libraries that are loaded into foreign programs, so this room uses libc alone, prints nothing
 * and keeps nothing.
 *
 * What a front end knows of a module's parameters, as JSON in the field `names` of MODULE:
 *
 *   {"function": "matmul", "file": "/src/matmul.py", "line": 12,
 *    "parameters": [
 *      {"name": "a", "part": "pointer", "dtype": "f32", "shape": [null, 64], "strides": [null, 1]},
 *      {"name": "a", "part": "extent", "axis": 0},
 *      {"name": "a", "part": "stride", "axis": 0},
 *      {"name": "n"},
 *      {"name": "list", "part": "table", "rank": 2, "dtype": "f16"},
 *      {"name": "list", "part": "length"}
 *    ]}
 *
 * One object for each parameter of the entry, in its order; all entries of a module have the same.
 * `shape` and `strides` hold what the front end fixed at compilation, in elements, null where the
 * array of each launch says it. `function`, `file` and `line` are where the author wrote the
 * kernel. The checker takes it as hints: what does not fit the module is left out. */
#ifndef WIRE_WIRE_H
#define WIRE_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum {
    WIRE_VERSION = 8,
    WIRE_LONGEST = 1 << 30, /* bytes of a frame; a longer one ends the conversation */
};

#define WIRE_SOCKET_VARIABLE "TILERACE_CAPTURE" /* path of the socket */

/* A value of the field `finding` of LAUNCHED. */
#define WIRE_NOT_LOOKED_AT "unchecked"
#define WIRE_END_OF_RULES  "\x1f"

typedef enum wire_kind {
#define ROW(name, from_program, fields) WIRE_##name,
#include "wire/messages.def"
#undef ROW
    WIRE_N_KINDS,
} wire_kind;

typedef enum wire_flags {
    WIRE_CHECK_CONTENTS = 1, /* contents may be copied from a GPU */
    WIRE_INTERPRET = 2,      /* the checker runs the kernels: EXECUTE after LAUNCH */
    WIRE_STOP_AT_RACE = 4,   /* an answer may be WIRE_STOP: all launches wait for theirs */
} wire_flags;

typedef enum wire_parameter {
    WIRE_INTEGER,
    WIRE_FLOAT,
    WIRE_POINTER,
    WIRE_OTHER,
    WIRE_POINTER_TO_FLOATS, /* whose contents the checker never asks for */
} wire_parameter;

typedef enum wire_waits { /* how a kernel waits for the launch before its own */
                          WIRE_WAITS_NEVER,
                          WIRE_WAITS_PERHAPS, /* not every tile block, as far as is known */
                          WIRE_WAITS,         /* every tile block */
                          WIRE_WAITS_FIRST,   /* every tile block, before it lets the next launch
                                                 start: none starts before the launch before this one
                                                 has ended */
} wire_waits;

typedef enum wire_launch_flags {
    WIRE_PDL = 1, /* the predecessor in its stream may still run */
    /* Flags of a launch before this one: */
    WIRE_UNCLEAR = 2, /* whether it may still run is not known */
    WIRE_EARLY = 4,   /* it ends before the one just before the dependent launch does, so only what
                         does not wait for that one may meet it */
    /* Set in LAUNCH if the program takes what is found, since it has words of its own for it. */
    WIRE_TAKES_FINDING = 8,
    WIRE_STOPS = 16, /* it must not happen if it races or broke, as all with WIRE_STOP_AT_RACE */
    WIRE_WRITTEN_WHOLLY = 32, /* EXECUTE: every element of an array that the kernel stores to has to
                                 be stored */
} wire_launch_flags;

typedef enum wire_before { /* which launches may still run when a dependent one starts */
                           WIRE_BEFORE_NOT_TOLD, /* not known, as in a graph */
                           WIRE_BEFORE_TOLD,
} wire_before;

typedef enum wire_outcome {
    WIRE_GO_ON, /* nothing that the program could do anything about */
    WIRE_STOP,  /* `--stop-at-race`: the launch must not happen */
} wire_outcome;

typedef enum wire_executed {
    WIRE_NOT_EXECUTED, /* it cannot be: memory is as it was */
    WIRE_DONE,
    WIRE_REFUSED, /* what was found keeps it from happening: memory is as it was */
    WIRE_N_EXECUTED,
} wire_executed;

typedef enum wire_remark {
    WIRE_TOKENS_OFF, /* a front end leaves out token order; about: the variable that says so */
    WIRE_ASSEMBLER_FAILED, /* of the last MODULE; about: what the assembler said */
    WIRE_STAND_IN,         /* the stand-in driver is in use; about: "" */
    WIRE_FRONT_END_LOST,   /* a front end cannot be seen into; about: why */
    WIRE_LOST,             /* something was not told; about: what */
    WIRE_NOT_RUN,          /* a kernel that is no tile kernel was launched on the stand-in driver,
                              which did not run it; about: its name */
    WIRE_N_REMARKS,
} wire_remark;

/* ---- Section: Writing ---- */

typedef struct wire_writer { /* all zero: empty */
    uint8_t *data;           /* of malloc; freed by wire_free */
    size_t length, room;
    bool failed; /* no memory, or too long: what is there is no message */
} wire_writer;

void wire_begin(wire_writer *w, wire_kind kind); /* forgets what was there, keeps the memory */
void wire_u8(wire_writer *w, uint8_t value);
void wire_u32(wire_writer *w, uint32_t value);
void wire_u64(wire_writer *w, uint64_t value);
void wire_bytes(wire_writer *w, const void *data, size_t length);
void wire_text(wire_writer *w, const char *text); /* NULL is "" */
/* Room for bytes that are then written in place, until the next call: as wire_bytes. NULL: failed.
 */
uint8_t *wire_room(wire_writer *w, size_t length);
void wire_drop_room(wire_writer *w, size_t length); /* that room was the last: "" in its place */
/* A number that is not known yet, and later is: `at` is what the first call gives. */
size_t wire_later(wire_writer *w);
void wire_now(wire_writer *w, size_t at, uint32_t value);
void wire_fields(wire_writer *w, const void *data, size_t length); /* written by another writer */
/* Completes the frame. False if it failed. */
bool wire_end(wire_writer *w);
void wire_free(wire_writer *w);

/* ---- Section: Reading ---- */

typedef struct wire_reader {
    const uint8_t *at, *end;
    bool failed; /* more was read than is there; what is read from then on is 0 and empty */
} wire_reader;

/* Number of bytes that the first frame in `data` takes, with its length and kind; 0: it is not
 * complete yet. *bad: what is there can be no frame. */
size_t wire_frame(const uint8_t *data, size_t length, bool *bad);
/* Opens a complete frame: its kind, and a reader of its fields. */
wire_kind wire_open(const uint8_t *frame, size_t length, wire_reader *r);
uint8_t wire_read_u8(wire_reader *r);
uint32_t wire_read_u32(wire_reader *r);
uint64_t wire_read_u64(wire_reader *r);
/* Points into the frame. */
const uint8_t *wire_read_bytes(wire_reader *r, size_t *length);
/* A copy, of malloc, without what follows a zero byte; NULL: no memory. */
char *wire_read_text(wire_reader *r);
/* A number of things that take at least `least` bytes each: 0, and failed, if so many cannot
 * follow. */
uint32_t wire_read_count(wire_reader *r, size_t least);
/* Everything was read, and nothing beyond. */
bool wire_read_all(const wire_reader *r);

#endif

/* The recorder: the part of tilerace that runs inside a program under `tilerace exec`.
 *
 * It is told of Tile IR, of machine code made from it and of launches, and tells the checker, which
 * is another process (wire/wire.h). It must harm no program: it uses libc alone, installs no signal
 * handlers, prints nothing and keeps the program's errno. After the first error of the conversation
 * everything passes, and the checker reports that launches were lost. All functions may be called
 * from any thread; a fork's child opens a connection of its own.
 *
 * Without TILERACE_CAPTURE in the environment all functions do nothing. */
#ifndef RECORDER_RECORDER_H
#define RECORDER_RECORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "wire/wire.h"

/* A checker listens and has answered the greeting. The first call opens the connection. */
bool recorder_is_on(void);
uint32_t recorder_flags(void); /* wire_flags; 0 while the recorder is off */

/* ---- Section: Told by front ends and by the driver ---- */

/* Tile IR, and the machine code that a front end made from it: a later load of the same code is a
 * load of this module. `code` may be NULL. `front_end` and `names` are fields of MODULE (wire.h)
 * and may be NULL. Telling the same bytes again costs a look-up. */
void recorder_module(const void *tile_ir, size_t size, const void *code, size_t code_size,
                     const char *front_end, const char *names);
/* Tile IR that a compiler gave the program, which may load it as it is, or as machine code that it
 * has assembled itself. Machine code of which nothing else is known is taken for that of the one
 * such module that has the kernels it names. */
void recorder_compiled(const void *tile_ir, size_t size, const char *front_end);
/* The source line at which this thread's next launches are made; NULL: it is unknown. */
void recorder_place(const char *file, unsigned line);
void recorder_remark(wire_remark remark, const char *about);
/* From this call on, findings about this thread's launches are kept for recorder_finding(), and the
 * checker does not print them. `asks`: WIRE_STOPS, WIRE_WRITTEN_WHOLLY. */
void recorder_take_findings(unsigned asks);
/* The first finding about the launches since then; NULL: none. It lives as long as the process.
 * Findings are no longer taken. */
const char *recorder_finding(void);
/* Why the last of these launches was not executed though WIRE_INTERPRET asks for it; NULL: it was,
 * or none was launched. Until the thread takes findings again. */
const char *recorder_not_executed(void);
/* Nothing has written this memory yet, of elements of so many bytes: fills it with numbers of the
 * recorder's own. Until it is freed. False: there is no memory to remember it. */
bool recorder_undefined(uint64_t address, uint64_t bytes, unsigned element_bytes);
void recorder_freed(uint64_t address);
/* A launch of this thread that would write there is not executed, until it takes findings again. */
void recorder_read_only(uint64_t address, uint64_t bytes);
/* A kernel of this name was to be made of Tile IR, and is compiled in another way instead: its
 * launches are of a tile kernel that was never seen. */
void recorder_missed(const char *symbol);
bool recorder_is_missed(const char *symbol);

/* ---- Section: Told by the driver ---- */

/* The image itself, where a driver is given what the CUDA runtime wraps around one. */
const void *recorder_image_start(const void *image);
/* Bytes of an image that is given without a size, as cuModuleLoadData takes it. 0: the format is
 * unknown. */
size_t recorder_tile_ir_size(const void *image); /* Tile IR; reads the magic number first */
size_t recorder_image_size(const void *image);   /* Tile IR, an ELF file or a fat binary */

/* Whether an image holds tile kernels: it is Tile IR, or code that the assembler made of some.
 * Launches of an image that has none need not be told. */
bool recorder_is_tile(const void *image, size_t size);
/* For tests: the number of a loaded image, which stays valid while the process lives. Of a fat
 * binary the Tile IR for the device's architecture is taken (90 for compute capability 9.0; 0: it
 * is unknown, and the first will do). 0: the image is neither Tile IR nor known code, and holds no
 * Tile IR. */
uint32_t recorder_image(const void *image, size_t size, unsigned architecture);
/* Like recorder_image(), for an image that a driver loads, also where another process told of its
 * code, and whether it holds tile kernels. */
uint32_t recorder_load(const void *image, size_t size, unsigned architecture, bool *is_tile);

typedef struct recorder_parameters { /* of an entry of an image */
    size_t n;
    const struct recorder_parameter {
        uint8_t kind; /* wire_parameter */
        uint8_t bytes;
    } *items; /* lives as long as the process */
} recorder_parameters;
/* False: the image has no such entry. */
bool recorder_entry(uint32_t image, const char *symbol, recorder_parameters *parameters);
/* Returns where a parameter lies in a buffer that holds the arguments of a launch. */
size_t recorder_offset(const recorder_parameters *parameters, size_t index);
/* Points to each argument of a launch, as cuLaunchKernel takes them: in a list, or by `extra` in a
 * buffer. False: one is missing. */
bool recorder_arguments(const recorder_parameters *parameters, void **list, void **extra,
                        const void **arguments);
/* Whether the checker could read the image: only then are its entries known, and how many. */
bool recorder_has_entries(uint32_t image);
size_t recorder_entries(uint32_t image);
/* The symbol of one of them; it lives as long as the process. */
const char *recorder_symbol(uint32_t image, size_t entry);

/* A copy of a text, the same for the same text, that lives as long as the process. NULL: no memory.
 */
const char *recorder_keep(const char *text);

typedef struct recorder_pointer {          /* what a driver knows of a pointer that is passed */
    uint64_t allocation, allocation_bytes; /* 0: unknown */
    bool readable;                         /* by the host */
    /* The contents that the kernel will read there, as far as the program has just copied them;
     * NULL: not known. Read before the next question to the driver. */
    const void *copied;
    uint64_t copied_bytes;
} recorder_pointer;

typedef struct recorder_driver { /* asked by the recorder, on the launching thread */
    void (*pointer)(void *user, uint64_t address, recorder_pointer *is);
    /* Whether all work before the launch is done, so that memory which the host can read holds what
     * the kernel will read. NULL: always. */
    bool (*settled)(void *user);
    /* Copies device memory that the host cannot read; false: it cannot. May be NULL. */
    bool (*copy)(void *user, void *to, uint64_t address, uint64_t bytes);
    void *user;
} recorder_driver;

typedef enum recorder_stream_kind {
    RECORDER_NO_STREAM, /* none that is told, as of a graph's kernels */
    RECORDER_LEGACY,    /* the default stream, which waits for the blocking ones and they for it */
    RECORDER_BLOCKING,
    RECORDER_NON_BLOCKING,
} recorder_stream_kind;

typedef struct recorder_stream {
    uint64_t id; /* of all contexts */
    recorder_stream_kind kind;
} recorder_stream;

/* Other work in a stream, or by the host about it. */
typedef enum recorder_work {
    RECORDER_ORDERED, /* starts when all before it has ended, and ends before what comes next */
    RECORDER_WAITED,  /* the host has waited for all that is in the stream */
    RECORDER_UNCLEAR, /* whether what comes next waits for what is before is not known */
} recorder_work;
bool recorder_has_streams(void); /* in which something was launched */
void recorder_stream_work(const recorder_stream *stream, recorder_work work);
void recorder_stream_ended(const recorder_stream *stream);
/* The host has waited for all streams. Not certainly: it may have. */
void recorder_streams_waited(bool certainly);
/* An event was recorded in a stream; the host has waited for it. */
void recorder_event(uint64_t event, const recorder_stream *stream);
void recorder_event_waited(uint64_t event, bool certainly);
/* A kernel that is launched and not told, being no tile kernel. */
void recorder_kernel(const recorder_stream *stream, const char *name, bool is_pdl);

typedef struct recorder_launch {
    uint32_t image; /* 0: nothing is known of the kernel */
    const char *symbol;
    uint64_t grid[3];
    bool is_pdl;
    recorder_stream stream;
    /* There are as many as the entry has parameters; none if the image is 0. */
    const void *const *arguments;
} recorder_launch;

/* Tells of a launch, unless an equal one was told before. True: go on; false: the checker asks that
 * the launch does not happen. With WIRE_INTERPRET each launch is executed, and *executed says that
 * memory now holds what the kernel left; `driver` then has to give memory of the host.
 * `executed` may be NULL. */
bool recorder_launched(const recorder_launch *launch, const recorder_driver *driver,
                       bool *executed);

#endif

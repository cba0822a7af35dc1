/* Shared by the parts of a picture. */
#ifndef CHECKING_PICTURE_PRIVATE_H
#define CHECKING_PICTURE_PRIVATE_H

#include "checking/picture.h"
#include "interp/interp.h"

enum {
    PICTURE_STEPS = 20 * 1000 * 1000,   /* of the run that is drawn */
    PICTURE_EVENTS = 4 * 1000 * 1000,   /* of the run that is drawn */
    PICTURE_ELEMENTS = 2 * 1000 * 1000, /* of all buffers that are written */
    PICTURE_CELLS = 4096,               /* of one buffer, after tiles were merged */
    PICTURE_OWNERS = 65536,             /* of all cells together */
    PICTURE_BUFFERS = 8,
};

typedef struct picture_task {
    const session *s;
    loaded *input;
    const loaded_kernel *kernel;
    const kernel_report *report;
} picture_task;

/* ---- picture_launch.c: which launch is drawn ---- */

typedef struct picture_launch {
    const concrete_launch *launch; /* NULL: `why` */
    const char *why;               /* a sentence */
    const finding *shown;          /* whose witness it is; NULL: it was searched for */
} picture_launch;

picture_launch picture_choose(const picture_task *t);
/* A run of the launch that came to its end; NULL, and *why: it did not. *limit: it was too long. */
tr_give interp_run *picture_run(const picture_task *t, const concrete_launch *launch, bool *limit,
                                const char **why);

/* ---- picture_trace.c: who writes what ---- */

typedef struct picture_buffer {
    int number; /* of the launch's */
    const char *name;
    bool flat; /* its shape is not known */
    int rank;
    int64_t start; /* element at which the tensor begins */
    int64_t shape[IR_MAX_RANK], stride[IR_MAX_RANK];
    int64_t tile[IR_MAX_RANK];
    int64_t merged[IR_MAX_RANK]; /* tiles that one cell stands for */
    int64_t counts[IR_MAX_RANK]; /* cells */
    int width;                   /* bytes of an element */
    size_t n_cells;
    uint32_t **owners;                           /* for each cell an stb_ds array, ascending */
    uint32_t *twice, *race, *unwritten, *atomic; /* elements of each cell */
} picture_buffer;

typedef struct picture_trace {
    size_t n;
    picture_buffer buffers[PICTURE_BUFFERS];
    size_t more;     /* buffers that are written and not among them */
    size_t n_owners; /* of all cells */
    const char *why; /* NULL, or why nothing can be drawn */
} picture_trace;

/* `whole`: all tile blocks were run, so that what nobody writes is known. */
picture_trace picture_follow(const picture_task *t, const concrete_launch *launch,
                             const interp_run *run, bool whole);
void picture_trace_free(picture_trace *trace);
/* The cell of an element of the buffer, counted from its start; -1: it lies in none. */
int64_t picture_cell(const picture_buffer *b, int64_t element);

#endif

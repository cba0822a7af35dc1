/* The kernels of a translation unit, checked and told of in a compiler's messages. */
#ifndef COMPILERS_KERNELS_H
#define COMPILERS_KERNELS_H

#include "inputs/load.h"
#include "session/session.h"

typedef struct kernels_check {
    session *s;
    report_options how; /* messages are written */
    /* Returns what the findings of the kernel at that place are, which may be NULL.
     * REPORT_NO_MESSAGE for races: nobody would hear of any, and the kernel is not checked. */
    report_grading (*grading_of)(const void *user, const tr_place *kernel);
    const void *user;
    const char *file; /* that messages name where no line is known; NULL: the kernel's own name, or
                         its place */
    bool is_configured; /* the configuration that is nearest to `file` says which findings count */
    struct kernels_hiding *hiding; /* set by kernels_write */
} kernels_check;

typedef struct kernels_input {
    loaded *loaded;    /* a source that was read; NULL: a module in memory */
    lookup_list *seen; /* what was asked while it was read; or NULL */
    const char *name;
    const void *bytes;
    size_t size;
} kernels_input;

/* Checks the kernels and appends the messages. NULL; or why not all of them were checked: the
 * module or its configuration cannot be read, or the solver fails. *places, which may be NULL: does
 * the input have source lines? */
const char *kernels_write(const kernels_check *c, const kernels_input *in, tr_text *out,
                          report_tally *tally, bool *places);
/* Like kernels_write(), in a process of its own, whose death is a reason. */
const char *kernels_write_apart(const kernels_check *c, const kernels_input *in, tr_text *out,
                                report_tally *tally, bool *places);

/* Like kernels_write_apart(), in two halves: what the first appends to `packed`, which is empty,
 * the second takes apart. */
void kernels_pack_apart(const kernels_check *c, const kernels_input *in, tr_text *packed);
const char *kernels_unpack(tr_arena *arena, const tr_text *packed, tr_text *out,
                           report_tally *tally, bool *places);

/* Called by recorded.c: hides the findings that comments in the kernel's source allow, and those
 * that are not selected: they are remarks then. */
void kernels_hide(const kernels_check *c, kernel_report *checked);

#endif

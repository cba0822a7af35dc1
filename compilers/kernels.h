/* The kernels of a translation unit, checked and told of in a compiler's messages. */
#ifndef COMPILERS_KERNELS_H
#define COMPILERS_KERNELS_H

#include "driver/session.h"

typedef struct kernels_check {
    session *s;
    report_options how; /* messages are written */
    /* What the findings of a kernel are. REPORT_NO_MESSAGE for races: nobody would hear of any, and
     * the kernel is not checked. */
    report_grading (*grading_of)(const void *user, const loaded_kernel *kernel);
    const void *user;
    const char *file; /* that messages name where no line is known; NULL: the kernel's own name, or
                         its place */
} kernels_check;

typedef struct kernels_input {
    loaded *loaded; /* a source that was read; NULL: a module in memory */
    const char *name;
    const void *bytes;
    size_t size;
} kernels_input;

/* Hides the findings that comments in the kernel's source allow: they are remarks then. */
void kernels_hide(const session *s, kernel_report *checked);
/* Checks the kernels of an input that was read, and appends the messages. */
void kernels_write(const kernels_check *c, loaded *input, tr_text *out, report_tally *tally);

/* Checks the kernels in a process of its own, and appends the messages. NULL; or why they were not
 * checked: the module cannot be read, or the checker died. *places, which may be NULL: does the
 * input have source lines? */
const char *kernels_write_warnings(const kernels_check *c, const kernels_input *in, tr_text *out,
                                   report_tally *tally, bool *places);

#endif

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
    const char *file; /* that messages name where no line is known; NULL: the kernel's own name */
} kernels_check;

/* Checks the kernels of an input that was read; appends the messages. */
void kernels_write_warnings(const kernels_check *c, loaded *input, tr_text *out,
                            report_tally *tally);

#endif

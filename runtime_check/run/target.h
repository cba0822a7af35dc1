/* Shared by the parts of `tilerace run`: one launch of one kernel. */
#ifndef RUN_TARGET_H
#define RUN_TARGET_H

#include "inputs/load.h"
#include "launch/launch.h"
#include "plan/plan.h"
#include "session/session.h"

typedef struct run_target { /* one launch of one kernel, made concrete */
    session *s;
    loaded *input;
    const loaded_kernel *kernel;
    bool races; /* the checker says so: a launch in which it shows is wanted */
    const concrete_launch *launch;
    const char *checker; /* what it says: "race: TR001 at line 21"; NULL: it was not asked */
    const kernel_report *report; /* the same whole, and what it is about; NULL: not asked */
    const loaded *checked;
    const loaded_kernel *checked_kernel;
    const struct run_reference *reference; /* one that is open already (expect.h); or NULL */
} run_target;

#define RUN_FLOAT 1.0 /* what a float parameter is where nobody says so */

#endif

/* Shared by the files of the library: include/tilerace.h over the session of the commands. */
#ifndef LIBRARY_H
#define LIBRARY_H

#include "contract/guard.h"
#include "inputs/load.h"
#include "launches/names.h"
#include "session/session.h"
#include "tilerace.h"

typedef struct library_kernel { /* what a `tilerace_kernel *` really points to */
    tilerace_kernel view;       /* first */
    const char *symbol;         /* as the module has it */
    const seen_names *names;    /* that its front end gave its parameters; or NULL */
    const guard *guard;         /* of all its preconditions */
    const guard *inside;        /* of how far it goes in its buffers; NULL: not asked for */
    const int *race_of;         /* of each: the finding that follows when it is broken; or -1 */
} library_kernel;

struct tilerace_result {
    tr_arena *arena; /* owns everything but the inputs' */
    size_t n_inputs; /* 1, but of a recording any number */
    loaded *inputs;  /* n_inputs */
    full_report report;
    input_report *of_inputs; /* n_inputs */
    const char *working_folder;
    const tilerace_input_error **errors; /* stb_ds arrays */
    const char **error_texts;
    const library_kernel **kernels; /* stb_ds array */
    struct guard_carried **guards;  /* stb_ds array: of kernels that another process has checked */
};

typedef struct library_source { /* what a kernel's view is made of, beside its report */
    smt_ctx *ctx;
    const contract *contract;
    const guard_elements *elements; /* of each parameter */
    const guard *guard, *inside;    /* of library_kernel */
    const char *symbol, *file;
    const char *about; /* what a front end says of its parameters; or NULL */
} library_source;

/* The public view of a kernel's report. In the arena. */
const library_kernel *library_kernel_of(tr_arena *arena, const library_source *from,
                                        const kernel_report *report);

/* Checks, as tilerace_check_launch() does, a launch that the contract states and no other: what it
 * states is not asked for. */
tilerace_outcome library_check_stated(const tilerace_kernel *kernel, const tilerace_launch *launch,
                                      tilerace_answer *answer);

typedef enum library_what {
    LIBRARY_OF_SOURCES,  /* with what comments of the sources allow */
    LIBRARY_OF_LAUNCHES, /* a launch is judged whatever a comment allows */
    LIBRARY_REACHING, /* as above, and find how far kernels that are proved go in their buffers */
} library_what;

/* The options as a caller has them who may know fewer of them; NULL: the defaults. */
tilerace_options library_options(const tilerace_options *given);
/* The options of the library as a session that checks takes them. */
driver_options library_words(const tilerace_options *options);
/* Returns what a line of a session's complaints says, without the name in front of it. NULL: the
 * line is no complaint. */
const char *library_complaint(const char *line);

/* Reads the launch contract that the options name or hold. False, with errors: it is none. */
bool library_read_launches(session *s, const tilerace_options *options, tr_errors *errors);

typedef struct library_inputs { /* what a caller asks for */
    const char *name;
    const bytecode_image *image; /* of a module; NULL: `name` is a file */
    recorded_module about; /* what options.names tell: `about` NULL where they are not given */
} library_inputs;

/* The files of the session: the module, the file, or the modules of the recording. */
void library_find_files(session *s, const library_inputs *inputs, tr_errors *errors);
/* Adds what the session complains of, a line each; the text is changed. */
void library_add_complaints(tr_errors *errors, char *complaints);

/* Checks as tilerace_check_module() does. */
tilerace_result *library_check(const void *bytes, size_t size, const char *name,
                               const tilerace_options *options, library_what what);
/* Does the launch pass buffers that hold all that a kernel of such a result may touch, as far as
 * both are known? False says no more than that a look at this launch is worth while. */
bool library_stays_inside(const tilerace_kernel *kernel, const tilerace_launch *launch);

#endif

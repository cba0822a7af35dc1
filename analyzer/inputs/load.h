/* One input: a file, its kernels, and the engines that check them. */
#ifndef INPUTS_LOAD_H
#define INPUTS_LOAD_H

#include "dialect/dialect.h"
#include "session/session.h"
#include "solver/prover.h"

typedef struct loaded_kernel { /* one launch of a kernel: what is checked */
    const ir_function *function;
    contract *contract; /* settled; owned */
    /* JSON of the launch where a file alone says what the host guarantees; or NULL. */
    const char *launch_json;
} loaded_kernel;

typedef struct loaded_seen { /* what a recording has of one kernel */
    loaded_kernel *launches; /* stb_ds array */
    launch_file **files;     /* stb_ds array: which they were read from */
    const char *unfit; /* why one of its launches cannot be one of this kernel; NULL: all may be */
    size_t n_stale;    /* launches of a kernel of this name that was another one */
} loaded_seen;

typedef struct loaded { /* one input file, its kernels and the engines that check them */
    tr_arena *arena;    /* owns everything of this input but the module */
    smt_ctx *ctx;
    smt_prover *prover;
    const char *file;
    const recorded_module *recorded;  /* where it is of a recording; or NULL */
    const struct build_module *built; /* where --build made it; or NULL */
    dialect_unit unit;                /* module NULL when errors were found */
    const struct rust_kernel *
        *rust;              /* of a module, each kernel's source in Rust or NULL; or NULL */
    loaded_kernel *kernels; /* stb_ds array: module order, alternative launches in file order */
    launch_kernel *shapes;  /* unit.n_kernels: what a launch contract is read against */
    launch_file *launches;  /* found beside the module; or NULL */
    loaded_seen *seen;      /* unit.n_kernels, where the session has recorded launches; or NULL */
    tr_errors errors;
    int64_t read_ms;  /* what reading took of the first kernels' budgets */
    bool cut;         /* reading was cut short by the budget */
    bool was_cut;     /* a kernel of it was */
    tr_budget budget; /* of the kernel in hand, or of reading */
} loaded;

/* Starts a solver for the file (where one was found), then reads it. Each input has engines of its
 * own, so that what is found does not depend on what was checked before. `number` tells kept
 * obligations apart. */
void load_input(const session *s, const char *file, size_t number, loaded *input);
/* The file of that number among s->files. */
void load_file(const session *s, size_t number, loaded *input);
/* Like load_file(), for a module in memory, which need not outlive the call; `name` stands for its
 * file. */
void load_module(const session *s, const char *name, const void *bytes, size_t size, loaded *input);
/* Checks one kernel of the input: with its own share of --budget, and as if none had been checked
 * before it. */
kernel_report *load_check(const session *s, loaded *input, const loaded_kernel *kernel,
                          const rules_options *options);
/* Ends the solver; terms and reports stay valid. */
void load_stop_solver(loaded *input);
void load_free(loaded *input);
/* Writes the errors of an input as text to the error stream. */
void load_complain(session *s, const loaded *input);

#endif

/* Shared by the commands: one run of the program. */
#ifndef DRIVER_SESSION_H
#define DRIVER_SESSION_H

#include "base/base.h"
#include "contract/launch_file.h"
#include "dialect/dialect.h"
#include "bytecode/images.h"
#include "driver/compile_db.h"
#include "driver/configs.h"
#include "driver/driver.h"
#include "driver/options.h"
#include "recordings/recordings.h"
#include "report/report.h"
#include "rules/rules.h"
#include "smt/prove.h"

typedef struct recorded_launches recorded_launches;

typedef struct cache cache;
typedef struct lookup_list lookup_list;
typedef struct affected affected;

typedef struct session {
    tr_arena *arena;
    const driver_options *options;
    FILE *out, *err;
    compile_db *commands;        /* of -p; or NULL */
    compile_dbs *found_commands; /* those beside inputs and above them; NULL: none are looked for */
    launch_file *launches;       /* of --launch; or NULL */
    recorded_launches *seen;     /* launches of kernels, seen before they were compiled; or NULL */
    const char *include_folder;  /* where tile.h is */
    rules_options rules;
    const char *working_folder;          /* absolute */
    const char *solver;                  /* its command; NULL until session_find_solver */
    lookup_list *prepared;               /* what session_prepare asked the file system; or NULL */
    cache *cache;                        /* of results; or NULL */
    affected *affected;                  /* by the change since --diff-base; or NULL */
    struct interp_blas *blas;            /* of --blas; or NULL */
    const tr_unsaved *unsaved;           /* texts that stand for files; or NULL */
    const tr_unsaved *unsaved_reference; /* ... for files of reference kernels; or NULL */
    dialect_record *record;              /* where what Clang says of a source is kept; or NULL */
    size_t n_files; /* of the command line, with those of recordings in their place */
    const char **files;
    const recorded_module **recorded;  /* for each: what its recording says of it; or NULL */
    const bytecode_image **images;     /* NULL, or for each the module itself, in memory */
    const struct build_module **built; /* NULL, or for each what --build made of it; or NULL */
    struct build_source *sources;      /* stb_ds array: what --build compiles */
    bool complained;                   /* session_complain has said something */
    bool pictures;                     /* a report as HTML is asked for: kernel_report.picture */
    bool guards;                       /* of each kernel as well: kernel_report.guard */
    struct progress *progress;         /* of commands that check files; or NULL */
    bool is_worker;                    /* this process may die: its parent says so (worker.h) */
    const settings *
        *settings;         /* for each: what its configuration and the command line say; or NULL */
    skipped_file *skipped; /* stb_ds array: what was found in folders and is not checked */
    configs *configs;      /* while files are checked; or NULL */
    const char *rust_folder; /* where sources of modules without places may be; or NULL */
} session;

#define COMMAND(id, name, arguments, min, max, function, about) int function(session *s);
#include "driver/commands.def"

/* Applies the options that every command that checks has; EXIT_BAD after a complaint. Whatever it
 * returns, session_release comes after it. */
int session_prepare(session *s);
void session_release(session *s);
/* The settings of input `number`, from the configuration and the command line. */
const settings *session_settings(const session *s, size_t number);
/* Finds the solver, once for all inputs; EXIT_BAD after a complaint. */
int session_find_solver(session *s);
/* "tilerace: error: ..." on the error stream; returns EXIT_BAD. */
int session_complain(session *s, const char *format, ...) TR_PRINTF(2, 3);
/* Writes the text to --output or to the output stream; EXIT_CLEAN or EXIT_BAD. */
int session_emit(session *s, const tr_text *text);
/* Writes it to the output stream; EXIT_CLEAN or EXIT_BAD. */
int session_print(session *s, const tr_text *text);
/* Whether to colour what goes to `stream`: --color, NO_COLOR, FORCE_COLOR, the terminal. */
bool session_color(const session *s, FILE *stream);
/* Whether places and rules that go there are links (OSC 8): FORCE_HYPERLINK, the terminal. */
bool session_links(const session *s, FILE *stream);

/* Checks all files that `find` finds, with the options of `check`, and writes the report.
 * s->configs is there while it does. */
int check_files(session *s, void (*find)(session *s, size_t *n_wrong, void *user), void *user);

/* ---- One input (load.c, launch.c) ---- */

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

/* Reads NAME.launch.json beside a module NAME.tilebc, where there is one, no --launch was given and
 * the command asks what the host guarantees. It speaks of this module alone, so a launch of a
 * kernel that is not in it is an error of the input. */
void launch_find_beside(const session *s, loaded *input);
/* The launches of a recorded module; of one that was not launched, the names of its parameters. */
void launch_take_recorded(const session *s, loaded *input);
/* Gives every kernel of a module its contracts: what the source states, and the launches that the
 * file of --launch, or the one found beside the module, adds. Errors go to the input's. */
void launch_apply(const session *s, loaded *input);

/* ---- Launches that were recorded, for kernels that are compiled (launch_recorded.c) ---- */

/* Reads the recording in a folder. NULL, with an error for each thing that is wrong: the folder is
 * none, or not whole. Everything of it lies in the arena but what recorded_launches_free releases.
 */
tr_give recorded_launches *recorded_launches_read(tr_arena *arena, const char *folder,
                                                  tr_errors *errors);
void recorded_launches_free(tr_take recorded_launches *r);
const char *recorded_launches_folder(const recorded_launches *r);
/* Takes those of kernel number `which` from the session's recording, where the kernel is what it
 * was. `stated`: what its source states, not settled; or NULL. */
void launch_take_seen(const session *s, loaded *input, size_t which, const contract *stated);
void launch_free_seen(loaded *input);

/* A launch-contract file with one launch of the kernel: what its contract states, and what the
 * report asks for beyond it as far as a contract can say it. In the input's arena. */
const char *contract_as_required(const loaded *input, const loaded_kernel *kernel,
                                 const kernel_report *report);
/* Does every launch of the file name a kernel of these inputs? Each that names none is an error. */
bool launch_find_strangers(const session *s, size_t n, const loaded *inputs, tr_errors *errors);

#endif

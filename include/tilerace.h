/* libtilerace: the checker as a library, version 2.
 *
 * A check takes a file, or the bytes of a module, and returns a result: the kernels with verdicts,
 * preconditions, findings and witnesses as data. A launch of a kernel can then be compared with the
 * preconditions of its verdict, which takes about a microsecond.
 *
 * - The library prints nothing, never ends the process, and installs no signal handler. Solvers run
 *   in processes of their own, which end before tilerace_check_file() returns.
 * - All functions may be called from several threads at once. A result does not change once it is
 *   made, so any number of threads may read it and check launches with it.
 * - Some functions return an object that the caller has to free; their comments name the function
 *   that frees it. Everything that a result points to lives as long as the result. No
 *   `const char *` is NULL unless its comment says so.
 * - Within version 2 structures only grow at their ends, and enumerations only gain values. Lists
 *   are arrays of pointers, so a program that was compiled against an older header still works. */
#ifndef TILERACE_H
#define TILERACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILERACE_API_VERSION 2

#if defined(__GNUC__)
#define TILERACE_EXPORT __attribute__((visibility("default")))
#else
#define TILERACE_EXPORT
#endif

/* The version of the loaded library: the TILERACE_API_VERSION of its header, and a version number
 * such as "0.2.0". */
TILERACE_EXPORT int tilerace_api_version(void);
TILERACE_EXPORT const char *tilerace_version(void);

/* ---- Section: Checking ---- */

typedef struct tilerace_options { /* TILERACE_OPTIONS, or all zero but the size: the defaults */
    size_t size;                  /* sizeof(tilerace_options): which members the caller knows */
    const char *solver;           /* SMT-LIB 2 solver's command; NULL: Z3, beside us or on PATH */
    const char *launch_file;      /* launch contract to add to what the sources state; or NULL */
    const char *launch_text;      /* the same as JSON in memory; or NULL */
    const char *build_folder;     /* folder of a compile_commands.json; or NULL */
    uint64_t steps;               /* work limit for one kernel; 0: the default */
    unsigned budget_ms;           /* limit of wall time for one kernel; 0: none */
    bool strict;                  /* facts that no contract states make a verdict unknown */
    bool per_name_tokens;         /* read loop tokens per name instead of per iteration */
    bool notes;                   /* also findings that are not races but worth knowing */
    size_t n_clang_args;
    const char *const *clang_args; /* -I, -D, ...; for C sources */
    const char *names; /* what a front end knows of a module's parameters: JSON, as recordings keep
                          it in modules/MODULE.json; or NULL */
    bool isolate;      /* check in processes of their own (below) */
    unsigned isolate_memory_mb; /* for one check there; 0: 4096 */
    unsigned isolate_time_ms;   /* for reading, and for each kernel; 0: 300000 */
} tilerace_options;

#define TILERACE_OPTIONS                                                                           \
    {sizeof(tilerace_options), 0, 0, 0, 0, 0, 0, false, false, false, 0, 0, 0, false, 0, 0}

/* With `isolate`, a check that crashes or exceeds its limits of memory or time does not affect the
 * caller: its kernel is unknown, with reason_kind "worker-ended", "memory" or "budget". If this
 * happens while a file is read, the result has an error; if the input is a recording, the kernels
 * of its other modules are in the result as well. The processes are started without fork(), so the
 * caller may have threads. They inherit none of the caller's descriptors, and end when the caller
 * ends, for whatever reason. They need the program tilerace-isolated, which is installed beside
 * this library. The caller may ignore SIGCHLD or wait for any child. */

typedef struct tilerace_result tilerace_result;

/* Checks a C source of the dialect or a Tile IR module, which are told apart by their first bytes.
 * If `file` is a folder, it is a recording, and its modules are checked under their recorded
 * launches. The result is never NULL: if the input cannot be read, it has an error. The caller
 * frees the result by tilerace_free(). `options` may be NULL. */
TILERACE_EXPORT tilerace_result *tilerace_check_file(const char *file,
                                                     const tilerace_options *options);
/* Like tilerace_check_file(), for the bytes of a Tile IR module, which need not outlive the call.
 * Messages call the module `name`. */
TILERACE_EXPORT tilerace_result *tilerace_check_module(const void *bytes, size_t size,
                                                       const char *name,
                                                       const tilerace_options *options);
TILERACE_EXPORT void tilerace_free(tilerace_result *result); /* NULL: nothing to do */

/* Only for the program tilerace-isolated, which `isolate` starts: reads requests from one
 * descriptor and writes the results to the other. Returns the exit status. */
TILERACE_EXPORT int tilerace_serve_isolated(int from, int to);

/* ---- Section: What a result holds ---- */

typedef enum tilerace_verdict {
    TILERACE_RACE_FREE,
    TILERACE_CONDITIONAL, /* race-free under preconditions whose violation is a race */
    TILERACE_RACE,
    TILERACE_UNKNOWN,
} tilerace_verdict;

typedef enum tilerace_class {                    /* what a launch that breaks a precondition does */
                              TILERACE_STANDING, /* something that callers do not do */
                              TILERACE_LAUNCH,   /* undefined behaviour or an error in itself */
                              TILERACE_RACES,    /* it races */
} tilerace_class;

typedef enum tilerace_level { TILERACE_NOTE, TILERACE_WARNING, TILERACE_ERROR } tilerace_level;

typedef enum tilerace_parameter_kind {
    TILERACE_INTEGER,
    TILERACE_FLOAT,
    TILERACE_POINTER,
} tilerace_parameter_kind;

typedef enum tilerace_part { /* of an array, if the module says which parameters form one */
                             TILERACE_NO_ARRAY,
                             TILERACE_ARRAY_POINTER,
                             TILERACE_ARRAY_EXTENT,
                             TILERACE_ARRAY_STRIDE,
} tilerace_part;

typedef struct tilerace_parameter { /* of the kernel, in order */
    const char *name;
    tilerace_parameter_kind kind;
    unsigned bits; /* of an integer, or of the integers that a pointer addresses; else 0 */
    tilerace_part part;
    size_t array;           /* number of the parameter that is the array's pointer */
    unsigned dimension;     /* of an extent or stride */
    unsigned element_bytes; /* of what a pointer addresses; 0: unknown, or less than a byte */
} tilerace_parameter;

typedef struct tilerace_location {
    const char *role; /* "first access", "second access", "access" */
    const char *file; /* NULL: the module has no place; `op` names the operation */
    int line, column, end_line, end_column;
    uint32_t op_ordinal;
    const char *op;
} tilerace_location;

typedef struct tilerace_value {
    const char *name;
    int64_t value; /* of an unsigned 64-bit parameter: its bits, negative from 2^63 on */
} tilerace_value;

typedef struct tilerace_event { /* one access of a witness */
    int64_t block[3];
    size_t n_iterations;
    const int64_t *iterations; /* counters of the loops around it, outermost first */
    const char *access;        /* "load", "store", "atomic" */
    const char *buffer;        /* NULL: none */
    int64_t element;           /* number of the element in the buffer */
    const char *order;         /* "weak", "relaxed", ...; NULL: none */
    const char *scope;         /* "tl_blk", "device", "sys"; NULL: none */
    size_t n_coordinates, n_in_tile, n_lookups;
    const int64_t *coordinates; /* of the element in the tensor; none for a tile of pointers */
    const int64_t *in_tile;     /* of the element in its tile */
    const struct tilerace_lookup *const *lookups;
} tilerace_event;

typedef struct tilerace_lookup { /* an element of a table from which the address is computed */
    const char *buffer;
    int64_t element, value;
} tilerace_lookup;

typedef struct tilerace_contents { /* of a buffer, if the race depends on them */
    const char *buffer;
    size_t n;
    const int64_t *elements; /* for floats: bit patterns */
    const double *floats;    /* the same as numbers; NULL: the elements are integers */
} tilerace_contents;

typedef struct tilerace_witness { /* a launch that shows the finding, replayed */
    int64_t grid[3];
    size_t n_parameters, n_contents, n_events;
    const tilerace_value *const *parameters;
    const tilerace_contents *const *contents;
    const tilerace_event *const *events; /* 2 for a race */
} tilerace_witness;

typedef struct tilerace_finding {
    const char *rule; /* "TR001" */
    const char *name; /* "inter-block-write-write" */
    tilerace_level level;
    bool confirmed; /* its witness was replayed */
    const char *message;
    const char *words; /* the witness in words, lines separated by '\n'; NULL: none */
    size_t n_locations, n_fixes;
    const tilerace_location *const *locations; /* it is reported at the first */
    const char *const *fixes;                  /* sentences */
    const tilerace_witness *witness;           /* NULL: none */
    int precondition; /* number of the precondition that the witness breaks; -1: none */
    const char *fingerprint;
    const struct tilerace_repair *const *repairs; /* n_fixes of them: the fixes as data */
    const char
        *allowed;   /* the reason in a comment that allows the finding; NULL: no comment does */
    bool by_solver; /* it was found with an answer of the SMT solver */
} tilerace_finding;

typedef struct tilerace_repair {
    const char *text; /* a sentence */
    const char *with; /* replaces the range below, in the file of the first location; or NULL */
    int line, column, end_line, end_column;
    bool verified; /* the repaired kernel was proved race-free */
} tilerace_repair;

typedef struct tilerace_precondition {
    const char *kind; /* "unique-contents": docs/preconditions.md lists them */
    tilerace_class class_;
    const char *text;     /* a sentence */
    const char *term;     /* in the expression syntax of launch contracts; NULL: it has none */
    const char *contract; /* a fragment of a launch contract, as JSON; NULL: it has none */
    const char *subject;  /* the parameter that it is about; NULL: no single one */
    const char *part;     /* "shape[0]" of it, or "grid.x"; NULL */
    const char *reason;   /* the finding that it excludes; NULL: none is known */
    bool of_contents;     /* it is about the contents of buffers */
    size_t n_parameters;
    const size_t *parameters; /* numbers of the parameters in its term */
    bool by_solver;           /* the SMT solver showed that it is needed, or that it is enough */
} tilerace_precondition;

typedef struct tilerace_kernel { /* a kernel, checked for one of the launches of its contract */
    const char *name;
    tilerace_verdict verdict;
    const char *reason_kind; /* why it is unknown: "steps", "data-dependent", ...; else NULL */
    const char *reason;      /* the same as a sentence; else NULL */
    size_t n_parameters, n_preconditions, n_findings;
    const tilerace_parameter *const *parameters;
    const tilerace_precondition *const *preconditions;
    const tilerace_finding *const *findings;
    double time_ms;
    const char *file;                      /* the file that was checked */
    const tilerace_location *place;        /* of the kernel in its source; NULL: not known */
    const tilerace_location *reason_place; /* why it is unknown; NULL: no single place */
    const tilerace_location *launched_at;  /* of a recorded launch; NULL: none, or not known */
    bool by_solver;                        /* the verdict depends on answers of the SMT solver */
} tilerace_kernel;

/* The errors because of which the input was not checked, each with its place. There are no kernels
 * then. */
TILERACE_EXPORT size_t tilerace_error_count(const tilerace_result *result);
TILERACE_EXPORT const char *tilerace_error(const tilerace_result *result, size_t i);

typedef struct tilerace_input_error { /* the same in its parts */
    const char *file;                 /* NULL: it is about no file */
    int line, column;                 /* 0: not known */
    const char *text;                 /* a sentence */
    const char *hint;                 /* a sentence; NULL: none */
} tilerace_input_error;

TILERACE_EXPORT const tilerace_input_error *tilerace_input_error_at(const tilerace_result *result,
                                                                    size_t i);
TILERACE_EXPORT size_t tilerace_kernel_count(const tilerace_result *result);
TILERACE_EXPORT const tilerace_kernel *tilerace_kernel_at(const tilerace_result *result, size_t i);

/* The result as `tilerace check --format FORMAT` prints it; `tilerace check --help` lists the
 * formats. The caller frees the text by tilerace_free_text(). Returns NULL if there is no such
 * format. */
TILERACE_EXPORT char *tilerace_report(const tilerace_result *result, const char *format);
TILERACE_EXPORT void tilerace_free_text(char *text);

/* ---- Section: What the words of a result mean ---- */

typedef struct tilerace_explanation {
    const char *kind;     /* "rule", "verdict", "precondition" */
    const char *code;     /* of a rule: "TR001"; else NULL */
    const char *name;     /* "inter-block-write-write" */
    tilerace_level level; /* of a rule */
    const char *summary;  /* a sentence, or the part of one that follows "TR001:" */
    const char *help;     /* a paragraph */
    const char *page;     /* URL of its page, with an example */
} tilerace_explanation;

/* Explains a rule by its code or name, a verdict or a precondition by its name. The caller frees
 * the explanation by tilerace_free_explanation(). Returns NULL if there is no such word. */
TILERACE_EXPORT tilerace_explanation *tilerace_explain(const char *word);
TILERACE_EXPORT void tilerace_free_explanation(tilerace_explanation *explanation);

/* ---- Section: Launches ---- */

typedef struct tilerace_argument { /* the value of one parameter */
    int64_t integer;               /* an integer; of an unsigned 64-bit one its bits */
    uint64_t address;              /* a pointer, as the launch passes it; compared, never read */
    uint64_t bytes;                /* size of the array or allocation, from the address on */
    bool bytes_known;              /* false: overlaps and sizes are not checked */
    const void *contents;          /* a copy of the memory that the host can read; or NULL */
    uint64_t contents_bytes;
    double number; /* a float; only tilerace_state_launch() reads it */
} tilerace_argument;

typedef struct tilerace_launch {
    int64_t grid[3];
    size_t n_arguments; /* one for each parameter of the kernel, in order */
    const tilerace_argument *const *arguments;
    /* Called if a precondition is about the contents of an argument that has none. Returns the
     * contents and sets *bytes, or returns NULL if they cannot be read. May itself be NULL. */
    const void *(*contents)(void *user, size_t argument, uint64_t *bytes);
    void *user;
} tilerace_launch;

typedef enum tilerace_outcome {                 /* worse ones have larger numbers */
                                TILERACE_HOLDS, /* the launch meets every precondition, and the
                                                   contract: the verdict covers it */
                                TILERACE_NOT_CHECKED,    /* a precondition cannot be evaluated from
                                                            the arguments */
                                TILERACE_NEEDS_CONTENTS, /* a precondition is about contents that
                                                            cannot be read */
                                TILERACE_BROKEN,         /* a precondition is broken */
                                TILERACE_UNPROVED, /* the kernel has a race or is unknown: there is
                                                      no proof */
                                TILERACE_BAD_LAUNCH, /* the kernel has another number of parameters
                                                      */
} tilerace_outcome;

typedef struct tilerace_answer { /* about the precondition with the worst outcome */
    tilerace_outcome outcome;
    int precondition;    /* its number in the kernel's list; -1: none, or a fact of the contract */
    size_t arguments[2]; /* an overlap: of these two; a wrong size or contents: of the first */
    int64_t elements[2]; /* contents: these elements break it; they may be the same */
    bool has_arguments, has_elements;
    const tilerace_finding *race; /* the race that follows, if the result shows it; or NULL */
    size_t not_checked;           /* how many preconditions could not be evaluated */
} tilerace_answer;

/* Compares a launch with the preconditions of the kernel's verdict, and with the contract that the
 * kernel was checked with, from its source and from `launch_file` or `launch_text`. Two pointers
 * may overlap if the kernel writes through neither, and a grid without tile blocks meets
 * everything. Allocates memory only if it reads contents, or if a verdict has hundreds of
 * preconditions. */
TILERACE_EXPORT tilerace_outcome tilerace_check_launch(const tilerace_kernel *kernel,
                                                       const tilerace_launch *launch,
                                                       tilerace_answer *answer);
/* The answer as a sentence, with the values that break the precondition. Writes at most `size`
 * bytes, including the 0 at the end, and returns the length of the whole sentence. `buffer` may be
 * NULL if `size` is 0. */
TILERACE_EXPORT size_t tilerace_describe(const tilerace_kernel *kernel,
                                         const tilerace_launch *launch,
                                         const tilerace_answer *answer, char *buffer, size_t size);
/* The launch as a launch contract, in JSON. With it as `launch_text` the kernel is checked for this
 * launch only. Arguments whose byte ranges overlap share a buffer. Contents are stated if an
 * argument has them and its elements are integers. `file` and `line` say where the launch is made;
 * `file` may be NULL. The caller frees the text by tilerace_free_text(). Returns NULL if the kernel
 * has another number of parameters. */
TILERACE_EXPORT char *tilerace_state_launch(const tilerace_kernel *kernel,
                                            const tilerace_launch *launch, const char *file,
                                            unsigned line);
/* Adds a launch of a Tile IR module to a recording, which tilerace_check_file() can check. Creates
 * the folder if it does not exist. `names` is as in tilerace_options, `contract` comes from
 * tilerace_state_launch(). A launch that is added twice is kept once. Returns NULL on success, or
 * else a sentence that says what failed, which the caller frees by tilerace_free_text(). */
TILERACE_EXPORT char *tilerace_record_launch(const char *folder, const void *bytes, size_t size,
                                             const char *names, const char *contract);

/* ---- Section: As a compiler's messages ---- */

typedef enum tilerace_severity {
    TILERACE_SAY_NOTE, /* belongs to the preceding message */
    TILERACE_SAY_REMARK,
    TILERACE_SAY_WARNING,
    TILERACE_SAY_ERROR,
} tilerace_severity;

typedef struct tilerace_message {
    tilerace_severity severity;
    const char *text;
    const char *rule; /* of a finding: "TR001"; else NULL */
    const char *file; /* NULL: it is about no file */
    int line, column; /* 0: not known */
} tilerace_message;

typedef struct tilerace_messages {
    const char *unchecked; /* why kernels were not checked; NULL: they were */
    size_t n;
    const tilerace_message *const *items;
} tilerace_messages;

typedef struct tilerace_message_options {
    size_t size;           /* sizeof(tilerace_message_options) */
    bool errors;           /* races are errors, not warnings */
    bool strict;           /* conditional verdicts are errors, too */
    const char *recording; /* folder with launches that were recorded; or NULL */
} tilerace_message_options;

/* Checks a C source and returns the messages of `tilerace cc` about races and unknown verdicts, for
 * a compiler to show. The check runs in a child process. If that dies, runs out of memory or takes
 * longer than 300 seconds (or TILERACE_TIME_LIMIT in the environment), the caller goes on, and
 * `unchecked` says what happened. The caller frees the result by tilerace_free_messages(). */
TILERACE_EXPORT tilerace_messages *tilerace_messages_of_file(const char *file,
                                                             const tilerace_options *options,
                                                             const tilerace_message_options *how);
TILERACE_EXPORT void tilerace_free_messages(tilerace_messages *messages); /* NULL: nothing to do */

#ifdef __cplusplus
}
#endif

#endif

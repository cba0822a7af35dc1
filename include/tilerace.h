/* libtilerace: the checker as a library, version 2.
 *
 * A file, or the bytes of a module, goes in; a result comes out: its kernels with verdicts,
 * preconditions, findings and witnesses as data. A launch of a kernel is then held against the
 * preconditions of its verdict, which takes a microsecond or so.
 *
 * - Nothing is printed, nothing exits, no signal handler is installed. Solvers run in processes of
 *   their own, which end before tilerace_check_file() returns.
 * - All functions may be called from several threads at once. A result does not change once it is
 *   made, so any number of threads may read one and check launches with it.
 * - Whoever gets a `tilerace_result *` or a `char *` gives it back by the function that is named
 *   there. What a result points to lives as long as the result. No `const char *` is NULL unless
 *   its comment says so.
 * - Within version 2 structures only grow at their ends, and enumerations only gain values. Lists
 *   are arrays of pointers, so a program that was compiled against an older header reads them. */
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

/* The version of the loaded library: TILERACE_API_VERSION of its header, and "0.1.0". */
TILERACE_EXPORT int tilerace_api_version(void);
TILERACE_EXPORT const char *tilerace_version(void);

/* ---- Section: Checking ---- */

typedef struct tilerace_options { /* TILERACE_OPTIONS, or all zero but the size: the defaults */
    size_t size;                  /* sizeof(tilerace_options): which members there are */
    const char *solver;           /* SMT-LIB 2 solver's command; NULL: the build's, Z3 on PATH */
    const char *launch_file;      /* launch contract to add to what the sources state; or NULL */
    const char *launch_text;      /* the same as JSON in memory; or NULL */
    const char *build_folder;     /* where a compile_commands.json is; or NULL */
    uint64_t steps;               /* limit for one kernel; 0: the default */
    unsigned budget_ms;           /* wall time for one kernel; 0: none */
    bool strict;                  /* facts that no contract states make a verdict unknown */
    bool per_name_tokens;         /* read loop tokens per name instead of per iteration */
    bool notes;                   /* also findings that are no race but worth knowing */
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

/* With `isolate` a check that crashes, or needs more memory or time than it is given, costs one
 * kernel and never the process that asks: the kernel is unknown, reason_kind "worker-ended",
 * "memory" or "budget". Where a file could not even be read, that is an error, and kernels of other
 * modules of a recording are there beside it. The processes are started without fork(), whatever
 * threads there are; they have none of the caller's descriptors, end when the caller ends, however
 * that comes, and need tilerace-isolated, which is installed beside this library. A caller that
 * ignores SIGCHLD, or waits for any child, loses nothing. */

typedef struct tilerace_result tilerace_result;

/* Checks a C source of the dialect or a Tile IR module, told apart by their first bytes, or the
 * modules of a recording, which is a folder, under the launches that it has of them. Never NULL:
 * what cannot be read is an error of the result. The caller gives the result back by
 * tilerace_free(). `options` may be NULL. */
TILERACE_EXPORT tilerace_result *tilerace_check_file(const char *file,
                                                     const tilerace_options *options);
/* Like tilerace_check_file(), for the bytes of a Tile IR module, which need not outlive the call;
 * `name` stands for the file in what is said of it. */
TILERACE_EXPORT tilerace_result *tilerace_check_module(const void *bytes, size_t size,
                                                       const char *name,
                                                       const tilerace_options *options);
TILERACE_EXPORT void tilerace_free(tilerace_result *result); /* NULL: nothing to do */

/* For the program tilerace-isolated alone, which `isolate` starts: reads what is to be checked from
 * one descriptor and writes what is found to the other. The exit status. */
TILERACE_EXPORT int tilerace_serve_isolated(int from, int to);

/* ---- Section: What a result holds ---- */

typedef enum tilerace_verdict {
    TILERACE_RACE_FREE,
    TILERACE_CONDITIONAL, /* race-free under preconditions whose violation is a race */
    TILERACE_RACE,
    TILERACE_UNKNOWN,
} tilerace_verdict;

typedef enum tilerace_class {                    /* what the violation of a precondition is */
                              TILERACE_STANDING, /* nothing that a caller does */
                              TILERACE_LAUNCH,   /* undefined behaviour or an error in itself */
                              TILERACE_RACES,    /* a race */
} tilerace_class;

typedef enum tilerace_level { TILERACE_NOTE, TILERACE_WARNING, TILERACE_ERROR } tilerace_level;

typedef enum tilerace_parameter_kind {
    TILERACE_INTEGER,
    TILERACE_FLOAT,
    TILERACE_POINTER,
} tilerace_parameter_kind;

typedef enum tilerace_part { /* of an array, where the module tells which parameters form one */
                             TILERACE_NO_ARRAY,
                             TILERACE_ARRAY_POINTER,
                             TILERACE_ARRAY_EXTENT,
                             TILERACE_ARRAY_STRIDE,
} tilerace_part;

typedef struct tilerace_parameter { /* of the kernel's entry, in its order */
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
    const char *file; /* NULL: the module does not say where; then `op` does */
    int line, column, end_line, end_column;
    uint32_t op_ordinal;
    const char *op;
} tilerace_location;

typedef struct tilerace_value {
    const char *name;
    int64_t value; /* of an unsigned parameter of 64 bits: its word, negative from 2^63 on */
} tilerace_value;

typedef struct tilerace_event { /* one access of a witness */
    int64_t block[3];
    size_t n_iterations;
    const int64_t *iterations; /* counters of the loops around it, outermost first */
    const char *access;        /* "load", "store", "atomic" */
    const char *buffer;        /* NULL: none */
    int64_t element;           /* its number in the buffer */
    const char *order;         /* "weak", "relaxed", ...; NULL: none */
    const char *scope;         /* "tl_blk", "device", "sys"; NULL: none */
    size_t n_coordinates, n_in_tile, n_lookups;
    const int64_t *coordinates; /* of the element in the tensor; none of a tile of pointers */
    const int64_t *in_tile;     /* of the element in its tile */
    const struct tilerace_lookup *const *lookups;
} tilerace_event;

typedef struct tilerace_lookup { /* an element of a table that says where the access goes */
    const char *buffer;
    int64_t element, value;
} tilerace_lookup;

typedef struct tilerace_contents { /* of a buffer, where the race depends on them */
    const char *buffer;
    size_t n;
    const int64_t *elements; /* of floats: bit patterns */
    const double *floats;    /* the same as numbers; NULL: the elements are integers */
} tilerace_contents;

typedef struct tilerace_witness { /* a launch that shows the finding, replayed */
    int64_t grid[3];
    size_t n_parameters, n_contents, n_events;
    const tilerace_value *const *parameters;
    const tilerace_contents *const *contents;
    const tilerace_event *const *events; /* 2 of a race */
} tilerace_witness;

typedef struct tilerace_finding {
    const char *rule; /* "TR001" */
    const char *name; /* "inter-block-write-write" */
    tilerace_level level;
    bool confirmed; /* its witness was replayed */
    const char *message;
    const char *words; /* the witness in words, lines separated by '\n'; NULL: none */
    size_t n_locations, n_fixes;
    const tilerace_location *const *locations; /* the first is where it is reported */
    const char *const *fixes;                  /* sentences */
    const tilerace_witness *witness;           /* NULL: none */
    int precondition; /* the race follows when this precondition is broken; -1: it needs none */
    const char *fingerprint;
    const struct tilerace_repair *const *repairs; /* n_fixes: the fixes as data */
    const char *allowed; /* why a comment in the source allows it; NULL: none does */
    bool by_solver;      /* an answer of the SMT solver led to it, and no strategy alone */
} tilerace_finding;

typedef struct tilerace_repair {
    const char *text; /* a sentence */
    const char *with; /* what to put in that range of the file of the first location; or NULL */
    int line, column, end_line, end_column;
    bool verified; /* the kernel so repaired was proved race-free */
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
    bool of_contents;     /* it is about what buffers hold */
    size_t n_parameters;
    const size_t *parameters; /* numbers of the parameters that its term speaks of */
    bool by_solver;           /* that it is needed, or that it is enough, the SMT solver said */
} tilerace_precondition;

typedef struct tilerace_kernel { /* one launch of a kernel: what was checked */
    const char *name;
    tilerace_verdict verdict;
    const char *reason_kind; /* of unknown: "steps", "data-dependent", ...; else NULL */
    const char *reason;      /* of unknown: a sentence; else NULL */
    size_t n_parameters, n_preconditions, n_findings;
    const tilerace_parameter *const *parameters;
    const tilerace_precondition *const *preconditions;
    const tilerace_finding *const *findings;
    double time_ms;
    const char *file;                      /* that was checked */
    const tilerace_location *place;        /* of the kernel in its source; NULL: not known */
    const tilerace_location *reason_place; /* of unknown; NULL: no single one */
    const tilerace_location *launched_at;  /* of a recorded launch; NULL: none, or not known */
    bool by_solver; /* answers of the SMT solver were used on the way to the verdict */
} tilerace_kernel;

/* The errors that kept the input from being checked, each with its place; then there are no
 * kernels. */
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

/* The result as `tilerace check --format FORMAT` prints it: "text", "json", "sarif", "github",
 * "html", "markdown", "junit", "gitlab". The caller gives the text back by tilerace_free_text().
 * NULL: there is no such format. */
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
    const char *page;     /* URL of what is written of it, with an example */
} tilerace_explanation;

/* Explains a rule by its code or name, a verdict or a precondition by its name; NULL: there is no
 * such word. The caller gives it back by tilerace_free_explanation(). */
TILERACE_EXPORT tilerace_explanation *tilerace_explain(const char *word);
TILERACE_EXPORT void tilerace_free_explanation(tilerace_explanation *explanation);

/* ---- Section: Launches ---- */

typedef struct tilerace_argument { /* the value of one parameter */
    int64_t integer;               /* of an integer; of an unsigned one of 64 bits its word */
    uint64_t address;              /* of a pointer, as the launch passes it; compared, never read */
    uint64_t bytes;                /* from there to the end of what the pointer stands for */
    bool bytes_known;              /* false: overlaps and sizes are not checked */
    const void *contents; /* what a pointer addresses, where the host can read it; or NULL */
    uint64_t contents_bytes;
    double number; /* of a float; read by tilerace_state_launch() alone */
} tilerace_argument;

typedef struct tilerace_launch {
    int64_t grid[3];
    size_t n_arguments; /* the kernel's parameters, in their order */
    const tilerace_argument *const *arguments;
    /* Asked for the contents of an argument that has none, and only where a precondition speaks of
     * them; sets *bytes. NULL: they are not at hand. May itself be NULL. */
    const void *(*contents)(void *user, size_t argument, uint64_t *bytes);
    void *user;
} tilerace_launch;

typedef enum tilerace_outcome {                 /* worse ones have larger numbers */
                                TILERACE_HOLDS, /* the launch keeps every precondition, and what
                                                   the contract states: the verdict covers it */
                                TILERACE_NOT_CHECKED,    /* a precondition is left open by what the
                                                            launch tells */
                                TILERACE_NEEDS_CONTENTS, /* a precondition is about contents that
                                                            are not at hand */
                                TILERACE_BROKEN,         /* a precondition is broken */
                                TILERACE_UNPROVED, /* the kernel has a race, or is unknown: there is
                                                      nothing to keep */
                                TILERACE_BAD_LAUNCH, /* not the number of arguments that the kernel
                                                        has */
} tilerace_outcome;

typedef struct tilerace_answer { /* what is told of the precondition with the worst outcome */
    tilerace_outcome outcome;
    int precondition; /* its number in the kernel's list; -1: none, or what the contract states */
    size_t arguments[2]; /* broken by an overlap: these two; by a size or contents: the first */
    int64_t elements[2]; /* broken by contents: by these elements, which may be the same */
    bool has_arguments, has_elements;
    const tilerace_finding *race; /* what follows, where the result shows it; or NULL */
    size_t not_checked;           /* how many preconditions were left open */
} tilerace_answer;

/* Holds a launch against the preconditions of the kernel's verdict and against the contract that it
 * was checked with, of its source and of `launch_file` or `launch_text`. Two pointers may overlap
 * where the kernel writes through neither, and a grid without tile blocks keeps all. Allocates
 * nothing but where contents are looked at, or where a verdict has hundreds of preconditions. */
TILERACE_EXPORT tilerace_outcome tilerace_check_launch(const tilerace_kernel *kernel,
                                                       const tilerace_launch *launch,
                                                       tilerace_answer *answer);
/* The answer as a sentence, with the values that break it. Writes at most `size` bytes, the 0 at
 * the end among them; returns the length of the whole sentence. `buffer` may be NULL if `size` is
 * 0. */
TILERACE_EXPORT size_t tilerace_describe(const tilerace_kernel *kernel,
                                         const tilerace_launch *launch,
                                         const tilerace_answer *answer, char *buffer, size_t size);
/* The launch as a launch contract, in JSON: with it as `launch_text` the kernel is checked for this
 * launch and no other. Buffers are those byte ranges that share bytes; contents are stated where
 * arguments have them and their elements are integers. `file` and `line` say where the launch is
 * made; NULL: that is not told. The caller gives it back by tilerace_free_text(). NULL: not the
 * number of arguments that the kernel has. */
TILERACE_EXPORT char *tilerace_state_launch(const tilerace_kernel *kernel,
                                            const tilerace_launch *launch, const char *file,
                                            unsigned line);
/* Adds a launch of a Tile IR module to a recording, which tilerace_check_file() checks. The folder
 * is made where it is not there. `names` as in tilerace_options, `contract` by
 * tilerace_state_launch(). What is added twice is there once. NULL: it was added; else a sentence
 * that says why not, which the caller gives back by tilerace_free_text(). */
TILERACE_EXPORT char *tilerace_record_launch(const char *folder, const void *bytes, size_t size,
                                             const char *names, const char *contract);

/* ---- Section: As a compiler's messages ---- */

typedef enum tilerace_severity {
    TILERACE_SAY_NOTE, /* belongs to what was said last */
    TILERACE_SAY_REMARK,
    TILERACE_SAY_WARNING,
    TILERACE_SAY_ERROR,
} tilerace_severity;

typedef struct tilerace_message {
    tilerace_severity severity;
    const char *text;
    const char *rule; /* of a finding, "TR001"; or NULL */
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
    bool strict;           /* verdicts that depend on a promise of the caller are errors, too */
    const char *recording; /* folder with launches that were recorded; or NULL */
} tilerace_message_options;

/* Checks a C source for a compiler that shows the messages: those of `tilerace cc`, of races and
 * what is not decided. The check is made in a child process. Where that dies, runs out of memory or
 * does not end (TILERACE_TIME_LIMIT in the environment: seconds; 300), this process goes on, and
 * `unchecked` says what happened. The caller gives the result back by tilerace_free_messages(). */
TILERACE_EXPORT tilerace_messages *tilerace_messages_of_file(const char *file,
                                                             const tilerace_options *options,
                                                             const tilerace_message_options *how);
TILERACE_EXPORT void tilerace_free_messages(tilerace_messages *messages); /* NULL: nothing to do */

#ifdef __cplusplus
}
#endif

#endif

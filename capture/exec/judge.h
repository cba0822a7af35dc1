/* Judges one specialisation: the proof of a module's kernels, and every launch of them that is
 * seen.
 *
 * A launch is first held against what the proof needs. Where that is broken, or there is no proof,
 * the launch itself is checked: as a contract that states this launch and no other. So a kernel
 * that races at some launch costs a program nothing whose own launches are right, and a race that
 * is reported is one that this very launch has. */
#ifndef EXEC_JUDGE_H
#define EXEC_JUDGE_H

#include "launches/names.h"
#include "launches/seen.h"
#include "library/library.h"
#include "recordings/recordings.h"

typedef enum judgement_kind {
#define JUDGEMENT(id, counted, name) JUDGED_##id,
#include "exec/judgements.def"
    JUDGEMENT_COUNT,
} judgement_kind;

typedef struct judge_options {
    const char *solver; /* command */
    uint64_t steps;     /* limit for one kernel; 0: the default */
    bool strict;
    bool check_contents;  /* contents may be copied from a GPU */
    const char *program;  /* the command, for people, until a launch's program is known; or NULL */
    recording *recording; /* to which all is added; NULL: none */
    uint64_t interpret_steps; /* for one launch that is executed */
    report_options report;
} judge_options;

typedef struct judge judge;

/* Reads the module, which has to outlive the judge. `names`: field of MODULE. Never NULL. */
tr_give judge *exec_judge_new(const void *bytes, size_t size, const char *names,
                              const judge_options *options);
void exec_judge_free(tr_take judge *j);
/* Returns the module's entries; NULL: it cannot be read. */
const module_entries *exec_judge_entries(const judge *j);

/* A module of launches that may still run when one of this module starts. The bytes are copied. */
void exec_judge_add_other(judge *j, uint32_t number, const void *bytes, size_t size,
                          const char *names);

/* The program of the launches that come next, for people. It is copied. */
void exec_judge_take_program(judge *j, const char *program);

/* Checks its kernels; before any launch is judged. */
void exec_judge_check(judge *j);
/* The reason why the module could not be read or checked; NULL: none. */
const char *exec_judge_error(const judge *j);
/* Called after exec_judge_check(): the kernels, which are in the order of the entries; 0 after an
 * error.
 */
size_t exec_judge_n_kernels(const judge *j);
const tilerace_kernel *exec_judge_kernel(const judge *j, size_t kernel);
/* Returns the number of the kernel with this symbol; exec_judge_n_kernels(): there is none. */
size_t exec_judge_find_kernel(const judge *j, const char *symbol);
const ir_function *exec_judge_function(const judge *j, size_t kernel);
/* Returns what the front end told of the names of the parameters; or NULL. */
const seen_names *exec_judge_names(const judge *j);
/* Returns whether comments of the source allow everything that is wrong with the kernel. */
bool exec_judge_allows_kernel(judge *j, size_t kernel);
/* Returns whether the kernel has an error that does not follow from a broken precondition. */
bool exec_judge_has_error(const tilerace_kernel *kernel);
/* The kernel's findings, then its verdict if it is asked for, as text. */
void exec_judge_write(const judge *j, size_t kernel, bool verdict, tr_text *out);

/* Memory that a launch may write; bytes UINT64_MAX: to an end that is not known. */
typedef struct judge_written {
    uint64_t address, bytes;
} judge_written;

typedef struct judgement {
    judgement_kind kind;
    size_t kernel;
    tr_text about;  /* for people; empty: nothing to say. The caller frees it */
    uint64_t rules; /* of what is wrong with a launch that raced or broke: bit i is rule_id i */
    /* Contents that would tell more, with which the caller may ask again. */
    size_t n_wanted;
    struct judge_wanted {
        uint32_t argument;
        uint64_t address, bytes;
    } *wanted; /* in the arena */
    size_t n_written;
    const judge_written *written; /* in the arena */
    size_t n_touched;
    const seen_touched *touched; /* what launches that may still run touch; NULL: not looked at */
} judgement;

/* Adds the module, or the launch once it is judged, to the recording if there is one. A sentence
 * where it cannot be added, in the arena; else NULL. */
const char *exec_judge_record_module(judge *j, tr_arena *arena);
const char *exec_judge_record_launch(judge *j, tr_arena *arena, const seen_launch *launch,
                                     size_t kernel);

/* The memory that the launch may write, in the arena; how many. */
size_t exec_judge_written_by(const judge *j, tr_arena *arena, const seen_launch *launch,
                             size_t kernel, const judge_written **written);

/* `asked_before`: contents that were wanted are in the launch, as far as they can be had. */
judgement exec_judge_launch(judge *j, tr_arena *arena, const seen_launch *launch,
                            bool asked_before);

#endif

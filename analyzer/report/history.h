/* Compares what was found at another time with what is found now: for `check --baseline` and for
 * `tilerace diff`.
 *
 * A finding is the same where its fingerprint is (rules/fingerprint.c) and its kernel stands in the
 * same file. Where the file is gone, or the kernel is gone from it, the finding may be in another
 * file, or in a kernel of another name that was not there before. n equal findings are n: they
 * stand for n others and no more. A launch more of the same kernel makes none. */
#ifndef REPORT_HISTORY_H
#define REPORT_HISTORY_H

#include "report/report.h"

/* The strength of a finding: a stronger one is another finding. */
typedef enum history_strength {
    HISTORY_POSSIBLE,
    HISTORY_CONDITIONAL, /* of a launch that breaks a precondition */
    HISTORY_CONFIRMED,
    HISTORY_STRENGTHS
} history_strength;

const char *history_strength_name(history_strength strength); /* "confirmed" */

typedef enum history_how {
    HISTORY_SAME,
    HISTORY_FILE_RENAMED,   /* or the kernel is in another file */
    HISTORY_KERNEL_RENAMED, /* in the same file or another one */
} history_how;

typedef struct history_finding {
    const char *rule, *file, *kernel, *fingerprint;
    history_strength strength;
    const char *message;
    const char *compiled_for; /* where its kernel is compiled several times, what for; or NULL */
    const char *level;        /* "error"; or NULL: not known */
    const char *place;        /* "k.c:3:5" for people; or NULL */
    bool hidden;              /* by somebody, in each launch that has it */
    bool is_note;
    size_t group; /* its kernel */
    /* Set by history_match: */
    bool has_other;
    size_t other; /* which of the other side */
    history_how how;
} history_finding;

typedef enum history_state {                        /* of a kernel, on one side */
                             HISTORY_NOT_LOOKED_AT, /* its file is none of those that were checked
                                                     */
                             HISTORY_UNCHECKED,     /* its file could not be checked */
                             HISTORY_UNDECIDED,     /* something of it is not decided */
                             HISTORY_DECIDED,
                             HISTORY_KERNEL_GONE, /* its file was checked and has none of that name
                                                   */
                             HISTORY_FILE_GONE,
} history_state;

typedef struct history_kernel { /* all launches of one kernel */
    const char *file, *kernel;
    bool undecided;
} history_kernel;

typedef struct history_index history_index; /* stb_ds map entry */

typedef struct history {
    tr_arena *arena;
    history_finding *findings; /* stb_ds arrays */
    history_kernel *kernels;
    /* Is that file there, of those that nobody looked at? NULL: not known. */
    bool (*is_there)(void *user, const char *file);
    void *user;
    history_index *index; /* files, kernels and findings by what they are called */
    size_t n_launches;
} history;

history history_make(tr_arena *arena);
void history_free(history *h);

/* A file that was looked at; not checked: it could not be. */
void history_add_file(history *h, const char *file, bool checked);
/* A launch of a kernel; `line` and `column` tell kernels of one name in one file apart. Returns its
 * group. */
size_t history_add_launch(history *h, const char *file, const char *kernel, uint32_t line,
                          uint32_t column, bool undecided);
/* A finding of the launch that was added last. Returns which one it is: the same number for the
 * same finding of another launch. */
size_t history_add_finding(history *h, const history_finding *found);

history_state history_state_of(const history *h, const char *file, const char *kernel);

/* Finds which findings of `then` are findings of `now`. */
void history_match(history *then, history *now);

/* The findings of a report; of each, in `which`, the number that history_add_finding gave, kernels
 * and findings in the report's order. `name` says how files are called. */
void history_of_report(history *h, const full_report *report,
                       const char *(*name)(void *user, const char *file), void *user,
                       size_t **which);
/* Like history_of_report(), for a report in JSON; false, with errors, where it is none that can be
 * compared. */
bool history_read_report(history *h, const char *path, tr_errors *errors);

/* ---- baseline.c ---- */

/* Findings that are known: history_match hides none that is not in there. False, with errors, where
 * the file cannot be read as a baseline. `is_old`: it is one of another version. */
bool baseline_read(history *h, const char *path, bool *is_old, tr_errors *errors);
/* The findings of `now` that are not hidden and, of `then`, those of kernels that could not be
 * looked at or decided now. Returns how many there are. */
size_t baseline_write(tr_text *out, const history *then, const history *now);

/* A copy of a name for the maps of a history, for lines and for JSON: UTF-8, and its control
 * characters are "\x0a". */
const char *history_shown(tr_arena *arena, const char *text);

#endif

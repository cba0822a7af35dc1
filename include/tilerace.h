/* The checker as a library: files in, a report out. The command `tilerace check` does the same.
 *
 * Nothing is printed and nothing exits; files that cannot be read are part of the report. Functions
 * may be called from several threads at once. */
#ifndef TILERACE_H
#define TILERACE_H

#include <stdbool.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define TILERACE_API_VERSION 1

typedef struct tilerace_options { /* all zero: the defaults */
    const char *format;           /* "json" (default), "text", "sarif", "github", "html" */
    const char *launch_file;      /* launch contract to add to what the sources state; or NULL */
    const char *solver;           /* SMT-LIB 2 solver's command; NULL: the build's, Z3 on PATH */
    const char *build_folder;     /* where a compile_commands.json is; or NULL */
    unsigned jobs;                /* files at once; 0: one a processor */
    unsigned budget_ms;           /* wall time for one kernel; 0: the default */
    bool strict;                  /* facts that no contract states make a verdict unknown */
    bool per_name_tokens;         /* read loop tokens per name instead of per iteration */
    bool notes;                   /* also report what is no race but worth knowing */
    size_t n_clang_args;          /* -I, -D, ... */
    const char *const *clang_args;
} tilerace_options;

typedef enum tilerace_result {
    TILERACE_CLEAN = 0,    /* no error-level finding; kernels may still be undecided: see report */
    TILERACE_FINDINGS = 1, /* a race, or another error-level finding */
    TILERACE_BAD = 2, /* an input or an option is bad; *report holds what was checked, if any */
} tilerace_result;

/* Checks files. *report is a text of the chosen format (docs/report.schema.json describes "json"),
 * *complaints sentences about what is bad, one a line. Both are never NULL, maybe "", and owned by
 * the caller: tilerace_free. `options` may be NULL. */
tilerace_result tilerace_check(size_t n_files, const char *const *files,
                               const tilerace_options *options, char **report, char **complaints);
void tilerace_free(char *text);

/* "0.1.0" */
const char *tilerace_version(void);

#ifdef __cplusplus
}
#endif

#endif

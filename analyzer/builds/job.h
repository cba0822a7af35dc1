/* Shared by the compilers of build.c: one source, and the folder in which it is compiled. */
#ifndef BUILDS_JOB_H
#define BUILDS_JOB_H

#include "builds/build.h"
#include "builds/compiler_process.h"

enum { BUILD_MOST_MODULES = 4096, BUILD_MOST_ERRORS = 200 }; /* of one source */
enum { BUILD_MOST_PARAMETERS = 1024 };                       /* of a signature */

typedef struct build_job {
    const session *s;
    const build_source *source;
    const char *program;
    build_result *to;
    tr_arena *arena;      /* of the result */
    const char *folder;   /* for what is written; absolute */
    const char **kernels; /* stb_ds array, of a crate: symbols of its kernels */
} build_job;

/* Makes the folder. False, with an error. Else build_job_end removes it. */
bool build_job_begin(build_job *j, const session *s, const build_source *source,
                     const char *program, build_result *to);
void build_job_end(build_job *j);

/* Adds an error of the source as a whole. */
void build_job_refuse(build_job *j, const char *format, ...) TR_PRINTF(2, 3);
/* Adds an error that says why the compiler made nothing of the source. */
void build_job_refuse_end(build_job *j, const build_end *end);
/* Words of a stranger as part of a sentence: one line, of bounded length. */
const char *build_job_words(const build_job *j, const char *text, size_t length);

const char *build_job_absolute(const build_job *j, const char *file);
const char *build_job_path(const build_job *j, const char *name); /* in the folder */
/* Environment variables for a compiler that may write in the folder only. */
const char *const *build_job_variables(const build_job *j);
/* Runs a compiler. `fenced`: it may write in the job's folder only. */
bool build_job_run(const build_job *j, const char *const *argv, const char *folder,
                   const char *const *variables, bool fenced, build_end *end);
/* Adds the module in a file. False, with an error: there is no such file, or it is no module. */
bool build_job_take(build_job *j, const char *path, const char *about);

#endif

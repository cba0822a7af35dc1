/* check --build: sources that other compilers read, compiled and checked as the modules that these
 * make. It runs code of what is checked, so the command line alone asks for it.
 *
 * Each source is an input of its own, and each module of it as well, under the source's name: a
 * source of which something cannot be compiled has an input with the errors besides. */
#ifndef BUILDS_BUILD_H
#define BUILDS_BUILD_H

#include "session/session.h"

typedef struct build_module {
    bytecode_image image;
    recorded_module recorded; /* what its front end knows */
    /* Folder that relative places start from, or one below it; NULL: they are as they should be. */
    const char *places_from;
    bool is_alone;              /* the only one of its source */
    const char *kernel;         /* the symbol of its one kernel, of a crate; or NULL */
    kernel_signature signature; /* of that kernel; `of` 0: nothing is known */
    size_t n_errors;
    const tr_error *errors; /* then it is no module, but what could not be compiled */
} build_module;

typedef struct build_source {
    const char *file; /* a source, or the Cargo.toml of a crate; as it is shown */
    size_t at;        /* its place among the session's files */
    bool is_named;    /* on the command line */
    int language;
    const settings *settings; /* what its configuration says */
    struct build_result *built;
} build_source;

/* Does --build compile the file, by its name? */
bool build_compiles(const char *file);
/* Adds the source, or its crate, to what is compiled, at the end of the session's files. False,
 * with *why: there is nothing to compile it with. */
bool build_want(session *s, const char *file, bool is_named, const char **why);
/* Checks --build-with. EXIT_BAD after a complaint. */
int build_check_options(session *s);
/* Compiles all that is wanted, several at once, and puts the modules among the session's files. */
void build_all(session *s);
void build_release(session *s);

typedef struct build_result { /* of one source, in an arena of its own */
    tr_arena *arena;
    tr_errors errors;
    size_t n;
    build_module *modules;
    bool is_refused; /* its compiler ran, and did not take it */
    bool is_late;    /* its compiler did not end in time */
} build_result;

#endif

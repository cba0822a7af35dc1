/* tilerace cc: the C compiler of dialect sources. */
#ifndef COMPILERS_CC_H
#define COMPILERS_CC_H

#include "base/base.h"

typedef enum cc_output {
    CC_NOTHING,  /* -fsyntax-only, or -o /dev/null */
    CC_BYTECODE, /* NAME.tilebc */
    CC_CUBIN,    /* NAME.cubin */
    CC_OBJECT,   /* NAME.o: bytecode as data of the host's program */
    CC_UNKNOWN,  /* a name that says nothing */
} cc_output;

typedef enum cc_depend { CC_NO_DEPENDENCIES, CC_ALL_FILES, CC_USER_FILES } cc_depend;

typedef struct cc_command { /* one command line; all in its arena or in argv */
    size_t n_sources, n_clang, n_passed;
    const char **sources; /* C sources */
    const char **clang;   /* options for libclang */
    const char **passed;  /* the command line without what is ours, for the C compiler itself */
    const char *output;   /* of -o; or NULL */
    const char *launch, *recording; /* --race-launch=, a file and a folder; or NULL */
    const char *gpu_name, *bytecode_version, *color;
    bool delegates; /* only the C compiler itself can do it */
    bool compiles, syntax_only;
    bool warns, strict; /* -Wrace, -Wrace=strict */
    bool all_errors;    /* -Werror */
    bool race_errors;   /* of -Werror=race, or of -Werror */
    bool no_warnings;   /* -w */
    cc_depend depend;
    bool depend_phony;
    const char *depend_file;
    const char **depend_targets; /* as they are written */
    size_t n_depend_targets;
} cc_command;

/* Reads the words behind `cc`, with the words of response files in their place. False, with *why (a
 * sentence), where one lacks its value or a file cannot be read. */
bool cc_parse(tr_arena *arena, size_t n, const char *const *words, cc_command *command,
              const char **why);
/* The file that is made of a source: that of -o, or NAME.tilebc in the working folder. */
const char *cc_output_of(tr_arena *arena, const cc_command *command, const char *source);
cc_output cc_kind_of(const cc_command *command, const char *output);

#endif

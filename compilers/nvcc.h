/* tilerace-nvcc: runs nvcc and checks the tile kernels of what it made. */
#ifndef COMPILERS_NVCC_H
#define COMPILERS_NVCC_H

#include "base/base.h"

typedef enum nvcc_making {
    NVCC_PROGRAM,  /* by default: everything up to a program */
    NVCC_OBJECT,   /* -c, -dc, -dw */
    NVCC_BYTECODE, /* --tilebc */
    NVCC_FATBIN,
    NVCC_CUBIN, /* holds no Tile IR */
    NVCC_NONE,  /* nothing with kernels in it */
} nvcc_making;

typedef struct nvcc_command { /* one command line; all in its arena or in argv */
    /* Ours: */
    bool warns, strict, errors;     /* -Wrace, -Wrace=strict, -Werror=race */
    const char *launch, *recording; /* --race-launch=, a file and a folder; or NULL */
    const char *color;
    /* The compiler's, as they are: */
    const char *program; /* as it is named; or NULL: `nvcc` */
    size_t n_words;
    const char **words;
    /* The meaning of the words, response files included: */
    nvcc_making making;
    const char *output, *folder; /* -o, -odir; or NULL */
    size_t n_sources;
    const char **sources; /* CUDA sources */
    size_t n_beside;
    const char **beside; /* the words without what names an output, or says what is made or for
                            which GPU */
    size_t n_target;
    const char **target; /* those that say for which GPU */
    bool tiles;          /* it makes tile kernels */
} nvcc_command;

/* Reads the words, before them those of $TILERACE_NVCC_FLAGS. False, with *why. */
bool nvcc_parse(tr_arena *arena, size_t n, const char *const *words, nvcc_command *command,
                const char **why);
/* The output for source number i, or for all of them. */
const char *nvcc_output_of(tr_arena *arena, const nvcc_command *command, size_t i);

#endif

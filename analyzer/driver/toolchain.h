/* NVIDIA's assembler for Tile IR bytecode: finding it and running it. */
#ifndef DRIVER_TOOLCHAIN_H
#define DRIVER_TOOLCHAIN_H

#include "base/base.h"

/* The path of tileiras, or NULL and *why (a sentence with the remedy), in the arena's memory. The
 * order is $TILERACE_TILEIRAS, then that of the programs that compile such kernels themselves:
 * $CUTILE_TILEIRAS_PATH (the program or its folder), the Python package beside python3 where it is
 * whole, PATH, $CUDA_HOME/bin, $CUDA_TOOLKIT_PATH/bin, /usr/local/cuda and then the newest
 * /usr/local/cuda-VERSION. */
const char *toolchain_find_tileiras(tr_arena *arena, const char **why);

#define TOOLCHAIN_DEFAULT_GPU        "sm_90"
#define TOOLCHAIN_DEFAULT_TIMEOUT_MS 300000

typedef struct toolchain_assembly {
    const char *gpu_name; /* "sm_90" */
    const unsigned char *bytecode;
    size_t size;
    int64_t timeout_ms; /* for the assembler */
} toolchain_assembly;

/* Machine code of a module, with line numbers where it has debug records and the assembler can
 * write them; appended to `cubin`.
 * `said` gets what the assembler itself wrote, also when all went well. False, with *why (a
 * sentence), when it refuses, dies or takes longer than its time. Its files live in a folder of
 * their own under $TMPDIR or /tmp, which is gone afterwards. */
bool toolchain_assemble(tr_arena *arena, const char *tileiras, const toolchain_assembly *what,
                        tr_text *cubin, tr_text *said, const char **why);

#endif

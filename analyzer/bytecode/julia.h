/* Modules of cuTile.jl: what of the author's source can be told of them. */
#ifndef BYTECODE_JULIA_H
#define BYTECODE_JULIA_H

#include "ir/ir.h"

/* Recognises a module of cuTile.jl by the places of its kernels, which lie in files *.jl, or by the
 * name of its file, *.cutile. Then the module counts from 1, kernels and parameters get the names
 * that the source has for them, where it can be read and leaves no doubt, and of a module without
 * places FILE.lnN.cutile says in which line of FILE.jl the kernel begins. After
 * bc_frames_keep_of_user. */
void julia_describe(ir_module *module, const char *path);

#endif

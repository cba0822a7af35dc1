/* Chooses the frame of a place that is the user's. */
#ifndef BYTECODE_FRAMES_H
#define BYTECODE_FRAMES_H

#include "ir/ir.h"

/* Gives every op and function of the module the place that people want to be pointed to: the
 * innermost frame that lies in a file of theirs, with the call sites outside of it; inner frames,
 * and call sites in headers of a tool chain or without a line, are left out. Only where no frame is
 * theirs is it the innermost of an installed package, or else of the tool chain; NULL where no
 * frame has a line. Columns count from 1.
 *
 * For findings: a module so changed is not what its file says, so it must not be printed with
 * locations or written. */
void bc_frames_keep_of_user(ir_module *module);

/* Names files as they are found from the working folder on: those with whole names that lie in
 * there, and those with relative names that are found from `folder` on or from the nearest folder
 * above it that has them, up to where a repository ends (cuTile Rust names files from the root of
 * its workspace). Others stay. `folder`: NULL: relative names are right. Before
 * bc_frames_keep_of_user, and for findings alone. */
void bc_frames_start_from(ir_module *module, const char *working_folder, const char *folder);

#endif

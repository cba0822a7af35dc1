/* Crates of Rust, by cargo. */
#ifndef BUILDS_RUST_H
#define BUILDS_RUST_H

#include "builds/build.h"

/* `program`: the path of the compiler. From any thread. */
void build_rust(const session *s, const build_source *source, const char *program,
                build_result *to);
/* The manifest of the source's crate, in its folder or one above it, up to the root of the
 * repository; NULL: there is none. */
const char *build_manifest_of(tr_arena *arena, const char *file);

#endif

/* A look at a source before Clang parses it. Clang bounds the nesting of brackets; operators,
 * casts, `else if` and statements without braces it parses by recursion without a bound, and
 * overflowing its stack would end the whole program. */
#ifndef DIALECT_DEPTH_H
#define DIALECT_DEPTH_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* True when something nests deeper than Clang can safely parse; *line is where it does. Macros are
 * not expanded. */
bool dl_nests_too_deep(const char *text, size_t length, uint32_t *line);

#endif

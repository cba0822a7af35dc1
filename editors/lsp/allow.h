/* The comment by which the author of a source allows a finding. */
#ifndef LSP_ALLOW_H
#define LSP_ALLOW_H

#include "base/base.h"

/* A line to be put in before `line`, of a file with that name; NULL: none can stand there, as
 * `before` goes on in it. Its reason is for its author to write: until then it allows nothing. */
const char *allow_comment(tr_arena *arena, const char *file, const char *line, const char *before,
                          const char *code);

#endif

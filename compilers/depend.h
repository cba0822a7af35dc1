/* Dependency files, as make and ninja read them. */
#ifndef COMPILERS_DEPEND_H
#define COMPILERS_DEPEND_H

#include "compilers/cc.h"
#include "dialect/dialect.h"

/* Appends `targets: files`; with -MP an empty rule for each file but the source. `configuration`
 * says which races are errors; or NULL. */
void depend_write(tr_text *out, const cc_command *command, const char *output,
                  const dialect_record *record, const char *configuration);
/* The file they go to: that of -MF, or the output's name ending in .d. */
const char *depend_file_of(tr_arena *arena, const cc_command *command, const char *output);

#endif

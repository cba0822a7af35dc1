/* The words of a solver's command line, as a user gives it. */
#ifndef SMT_SOLVER_COMMAND_H
#define SMT_SOLVER_COMMAND_H

#include "base/base.h"

/* Words of a command line: blanks separate, '...' and "..." group. What is, as a whole, the path of
 * a program is one word, blanks or not. NULL-terminated, in the arena. */
const char *const *smt_split_command(tr_arena *arena, const char *command);
/* The words, and for a command that is only the path of Z3 the options with which it is asked. A
 * command line with options is taken as it is. NULL-terminated, in the arena. */
const char *const *smt_complete_command(tr_arena *arena, const char *command);

#endif

/* The compiler itself, as a program that is run in our place. */
#ifndef COMPILERS_REAL_H
#define COMPILERS_REAL_H

#include <sys/types.h>

#include "base/base.h"

/* The C compiler: the words of $TILERACE_CC, else the newest Clang on PATH, else `cc`; NULL-ended,
 * or NULL and *why. Never this program itself. */
const char *const *real_find_cc(tr_arena *arena, const char **why);

/* The words of the program with others behind them, NULL-ended. */
const char *const *real_command(tr_arena *arena, const char *const *program, size_t n,
                                const char *const *words);

/* Runs the command with our standard input, output and error stream and waits for its end. Returns
 * its exit code; 128 and the signal's number where a signal ended it, as a shell does; 127 and
 * *why, a sentence, where it cannot be started. It ends with this process. */
int real_run(tr_arena *arena, const char *const *command, const char **why);
/* Like real_run(), in two steps, for who has something to do meanwhile; -1 and *why. */
pid_t real_start(tr_arena *arena, const char *const *command, const char **why);
int real_wait(pid_t child);
/* Runs as real_run does, with nothing to read, and throws away what the program writes. */
int real_run_quietly(tr_arena *arena, const char *const *command, const char **why);

#endif

/* The command line: words in, exit code out. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include <stdio.h>

/* Runs the command of argv[1]; its exit code is a driver_exit. Findings go to `out`, complaints to
 * `err`. */
int command_main(FILE *out, FILE *err, int argc, const char *const *argv);

#endif

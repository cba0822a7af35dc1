/* The command line: words in, exit code out. */
#ifndef DRIVER_H
#define DRIVER_H

#include <stdio.h>

/* Exit codes, the highest applicable wins: bad input or options, or a failure of our own, before
 * findings before what is not decided. */
typedef enum driver_exit {
    EXIT_CLEAN = 0,
    EXIT_FINDINGS = 1, /* an error-level finding; what --fail-on names */
    EXIT_BAD = 2,
    EXIT_UNDECIDED = 3, /* an unknown, where --fail-on names it */
} driver_exit;

/* Runs the command of argv[1]. Findings go to `out`, complaints to `err`. */
int driver_main(FILE *out, FILE *err, int argc, const char *const *argv);

#endif

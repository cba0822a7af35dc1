/* Exit codes of every command. */
#ifndef SETTINGS_EXITS_H
#define SETTINGS_EXITS_H

/* Exit codes, the highest applicable wins: bad input or options, or a failure of our own, before
 * findings before what is not decided. */
typedef enum driver_exit {
    EXIT_CLEAN = 0,
    EXIT_FINDINGS = 1, /* an error-level finding; what --fail-on names */
    EXIT_BAD = 2,
    EXIT_UNDECIDED = 3, /* an unknown, where --fail-on names it */
} driver_exit;

#endif

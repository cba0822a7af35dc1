/* Reasons for which the program exits with a code other than 0. */
#ifndef SETTINGS_FAIL_ON_H
#define SETTINGS_FAIL_ON_H

#include "report/report.h"
#include "settings/exits.h"
#include "settings/options.h"

typedef enum fail_on { /* bits */
#define FAIL_ON(id, name, about) FAIL_ON_##id##_NUMBER,
#include "settings/fail_on.def"
                       FAIL_ON_COUNT,
#define FAIL_ON(id, name, about) FAIL_ON_##id = 1 << FAIL_ON_##id##_NUMBER,
#include "settings/fail_on.def"
} fail_on;

/* The set that --fail-on LIST and its aliases --werror and --fail-on-unknown name. An error-level
 * finding is always in it. False, with *why, where a word of the list is none. */
bool fail_on_read(tr_arena *arena, const driver_options *options, unsigned *set, const char **why);
/* Adds what one word stands for. False, with *why. */
bool fail_on_add(tr_arena *arena, const char *word, unsigned *set, const char **why);
/* The exit code that a report asks for. */
int fail_on_exit(unsigned set, const report_totals *totals);
/* Like fail_on_exit(), for a report that says which kernels fail. */
report_failing fail_on_report(unsigned set);
/* The table of the words, for docs/options.md. */
void fail_on_markdown(tr_text *out);

/* Word number i of --fail-on and what it stands for; NULL: there are no more. */
const char *fail_on_name(size_t i, const char **about);

#endif

/* Plain assignments. */
#ifndef SMT_STRATEGIES_GUESS_H
#define SMT_STRATEGIES_GUESS_H

/* 1 or 2: which of two copies a variable is of, by its name; 0: of none. */
int smt_copy_of(const char *name);

#endif

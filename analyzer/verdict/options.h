/* The options of a check of a kernel. */
#ifndef VERDICT_OPTIONS_H
#define VERDICT_OPTIONS_H

#include "tileir_memory/model.h"

enum { RULES_STEPS = 20 * 1000 * 1000 }; /* about 20 seconds' work */
/* Races between accesses that differ in constants alone: further ones would say the same again. */
enum { RULES_MOST_ALIKE = 16 };

typedef enum rules_step { /* what is done with a kernel, for those who watch */
                          RULES_SUMMARY,
                          RULES_PROVING,
                          RULES_PRECONDITIONS, /* facts are looked for under which a proof succeeds
                                                */
                          RULES_WITNESS,       /* a launch that races is made small and replayed */
} rules_step;

typedef struct rules_watch { /* called when a step begins; nothing else follows from it */
    void (*begins)(void *user, rules_step step);
    void *user;
} rules_watch;

typedef struct rules_options {
    model_choices model;
    uint64_t
        steps;    /* for one kernel; 0: RULES_STEPS. A --budget is the context's: smt_set_budget */
    bool strict;  /* requires that are not in the contract make the verdict unknown */
    bool notes;   /* also report what is no race but worth knowing */
    bool reaches; /* also say how far a kernel that is proved goes in its buffers */
    tr_text
        *obligations; /* not NULL: every obligation's SMT-LIB is appended (dump --obligations) */
    rules_watch watch;
} rules_options;

#endif

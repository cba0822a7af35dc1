/* Races that not every order of blocks shows. */
#ifndef WITNESS_SCHEDULES_H
#define WITNESS_SCHEDULES_H

#include "question/checker.h"
#include "question/two_events.h"

/* A race of the two accesses in a small launch, by the first schedule that shows one; NULL, and
 * *why: none is seen. */
witness *witness_in_schedules(checker *k, const ix_access *a, const ix_access *b,
                              copy_relation relation, const char **why);

#endif

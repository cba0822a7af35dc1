/* Values that an access takes from tables. */
#ifndef WITNESS_TABLES_H
#define WITNESS_TABLES_H

#include "question/checker.h"

/* Where the contract states the list of arrays that the event's pointer came from, sets *name to
 * the array that the event touched, "target[2]", and *start to where it begins in its buffer; else
 * leaves both as they are. */
void witness_array(checker *k, const concrete_launch *launch, const interp_run *run,
                   const interp_event *event, const char **name, int64_t *start);
/* The number, counted from the buffer's start, of the element that the event's access looked up by
 * this application; false: numbers of the launch alone do not tell. */
bool witness_looked_up(checker *k, const concrete_launch *launch, const ix_access *a,
                       const witness_event *event, smt_t app, int64_t *element);

#endif

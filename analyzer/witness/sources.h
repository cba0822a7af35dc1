/* Sources of an access's address that the contract does not state. */
#ifndef WITNESS_SOURCES_H
#define WITNESS_SOURCES_H

#include "question/checker.h"

/* Does the contract state these bytes of the buffer as they are at launch? */
bool witness_is_stated(const checker *k, const concrete_launch *launch, int buffer, int64_t address,
                       int64_t width);
/* An argument through which the kernel reads the buffer and whose elements the contract does not
 * state; NULL: none. */
const char *witness_open_table(const checker *k, const concrete_launch *launch, int buffer);
/* Adds to *out the elements at launch that lead the event to its address and that the contract does
 * not state. */
void witness_sources(checker *k, const concrete_launch *launch, const interp_run *run,
                     const interp_event *event, const ix_access *a, witness_event *out);
/* Adds this read as one of these elements. */
void witness_add_source(const checker *k, const concrete_launch *launch, const interp_run *run,
                        const interp_event *read, witness_event *out);

#endif

/* Preconditions that keep one event defined. */
#ifndef PRECONDITION_OF_EVENT_H
#define PRECONDITION_OF_EVENT_H

#include "question/checker.h"

/* Asks the launch for facts under which `safe` holds wherever the event happens (`path`, `facts`)
 * and nothing before it was undefined (`assumed`); adds them, under what the launch alone decides
 * of the path. False where some part of it has no such fact: then words have to do. */
bool require_of_event(checker *k, precondition_kind kind, const ir_op *op, smt_t safe, smt_t path,
                      smt_t facts, smt_t assumed);

#endif

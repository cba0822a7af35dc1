/* Single events that the solver alone has proved to be defined. */
#ifndef RULES_SECOND_LOOK_H
#define RULES_SECOND_LOOK_H

#include "question/checker.h"

/* Counts an event as proved to be defined, and notes it where the solver was needed. */
void note_proved_event(checker *k, const ir_op *op, bool index_space);
/* Notes an event that the solver has proved to be defined and that is counted elsewhere. */
void note_leaned_event(checker *k, const ir_op *op, bool index_space);
/* To be called once all is proved. Looks whether short runs agree with the noted events; if not,
 * the verdict is unknown. */
void second_look_at_events(checker *k);

#endif

/* Single events that the solver alone has proved to be defined. */
#ifndef RULES_SECOND_LOOK_H
#define RULES_SECOND_LOOK_H

#include "question/checker.h"

/* Counts one as proved, and notes it where the solver was needed. */
void note_proved_event(checker *k, const ir_op *op, bool index_space);
/* Notes one that is counted elsewhere. */
void note_leaned_event(checker *k, const ir_op *op, bool index_space);
/* Once all is proved: do short runs agree with it? If not, it is unknown. */
void second_look_at_events(checker *k);

#endif

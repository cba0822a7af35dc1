/* The preconditions as they are shown. */
#ifndef PRECONDITION_FINISH_H
#define PRECONDITION_FINISH_H

#include "question/checker.h"

/* Drops what the others imply and writes the rest as contracts say it. */
void require_finish(checker *k);

#endif

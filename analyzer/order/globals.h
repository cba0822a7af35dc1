/* Globals of the module that a kernel synchronises by. */
#ifndef ORDER_GLOBALS_H
#define ORDER_GLOBALS_H

#include "question/checker.h"

/* Finds out which globals hold 0 at every launch. To be called before any proof of order. */
void order_settle_globals(checker *k);

#endif

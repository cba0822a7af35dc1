/* The identity of a finding, from run to run. */
#ifndef RULES_FINGERPRINT_H
#define RULES_FINGERPRINT_H

#include "question/checker.h"

/* The part of a fingerprint that comes from one operation: its name, its buffer, its index. */
const char *fingerprint_op(const checker *k, const ir_op *op);
/* Sets the finding's fingerprint; to be called when its locations are known. */
void fingerprint_set(const ir_function *kernel, finding *f);

#endif

/* What a finding is known by, from run to run. */
#ifndef RULES_FINGERPRINT_H
#define RULES_FINGERPRINT_H

#include "question/checker.h"

/* What the fingerprint of a finding knows of one of its ops: its name, its buffer, its index. */
const char *fingerprint_op(const checker *k, const ir_op *op);
void fingerprint_set(const ir_function *kernel, finding *f);

#endif

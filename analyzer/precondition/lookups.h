/* Numbers that are looked up to address by. */
#ifndef PRECONDITION_LOOKUPS_H
#define PRECONDITION_LOOKUPS_H

#include "precondition/propose.h"

/* Proposes facts on the numbers that the access's address looks up. */
void require_look_at_lookups(candidate_search *s, const ix_access *a);

#endif

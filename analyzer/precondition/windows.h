/* Elements that pick one of a block's own places. */
#ifndef PRECONDITION_WINDOWS_H
#define PRECONDITION_WINDOWS_H

#include "precondition/propose.h"

/* Proposes that elements that are looked up keep to a block's own places. */
void require_look_at_windows(candidate_search *s, const ix_access *a);

#endif

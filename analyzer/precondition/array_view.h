/* An access by pointers, as one through a view of its array. */
#ifndef PRECONDITION_ARRAY_VIEW_H
#define PRECONDITION_ARRAY_VIEW_H

#include "question/checker.h"

/* The access as one through a view of its array, with a tensor and coordinates; the access itself
 * where it is one already or cannot be seen so. */
const ix_access *require_as_view(checker *k, const ix_access *a);

#endif

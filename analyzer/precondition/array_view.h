/* An access by pointers, as one through a view of its array. */
#ifndef PRECONDITION_ARRAY_VIEW_H
#define PRECONDITION_ARRAY_VIEW_H

#include "question/checker.h"

/* Returns the access as one through a view of its array, with a tensor and coordinates. Where the
 * access goes through a view already, or cannot be described so, the result is the access itself.
 */
const ix_access *require_as_view(checker *k, const ix_access *a);

#endif

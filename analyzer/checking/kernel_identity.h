/* Everything that a verdict on a kernel depends on, as text: the same text, the same verdict. */
#ifndef CHECKING_KERNEL_IDENTITY_H
#define CHECKING_KERNEL_IDENTITY_H

#include "inputs/load.h"

/* Appends the kernel's ops without places, what the module says of its front end, and all that its
 * contract states. */
void checking_write_identity(tr_text *out, const loaded *input, const loaded_kernel *kernel);

#endif

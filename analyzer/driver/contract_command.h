/* The output of `contract` for one launch. */
#ifndef DRIVER_CONTRACT_COMMAND_H
#define DRIVER_CONTRACT_COMMAND_H

#include "inputs/load.h"

/* A launch-contract file with one launch of the kernel: what its contract states, and what the
 * report asks for beyond it as far as a contract can say it. In the input's arena. */
const char *driver_contract_as_required(const loaded *input, const loaded_kernel *kernel,
                                        const kernel_report *report);

#endif

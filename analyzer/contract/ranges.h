/* Private to the room: the variables of a contract's parameters. */
#ifndef CONTRACT_RANGES_H
#define CONTRACT_RANGES_H

#include "contract/contract.h"

typedef struct contract_range {
    smt_t provisional; /* NULL until asked for */
    smt_t final;       /* NULL until settled */
} contract_range;

struct contract_ranges {
    bool settled;
    contract_range *params;
};

struct contract_ranges *contract_ranges_new(tr_arena *arena, size_t n);

#endif

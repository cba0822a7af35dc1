/* Small launches that meet a contract, by the dozen. In the arena given. */
#ifndef LAUNCH_SEARCH_H
#define LAUNCH_SEARCH_H

#include "launch/launch.h"

typedef struct interp_search { /* 0: the default */
    size_t wanted;             /* launches; 16 */
    int64_t max_blocks;        /* of a launch; 512 */
    int64_t max_elements;      /* of all buffers together; 4 million */
    int64_t most_filled;       /* as of interp_filling */
    bool near_zero;            /* as of interp_filling */
    uint64_t seed;
    const concrete_launch *near; /* or NULL: launches like this one, a number or two changed */
} interp_search;

/* Small launches that meet the contract, all different, sizes varied: parameter values from the
 * constants of the contract and of the kernel, their multiples and neighbours, and small primes;
 * what is too large is made smaller where few are found. Fewer than wanted where the search finds
 * no more. *launches: arena memory. */
size_t concrete_enumerate_launches(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                   const contract *contract, const interp_search *search,
                                   concrete_launch ***launches);

/* Like concrete_enumerate_launches(); where there is none of so few elements, because extents are
 * stated in large numbers, of any number of them: memory is there only where it is touched. */
size_t concrete_enumerate_of_any_size(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                      const contract *contract, interp_search search,
                                      concrete_launch ***launches);

#endif

/* The default choices. Each field stands for a rule that is inferred rather than published. */
#include "tileir_memory/model.h"

model_choices model_default_choices(void)
{
    return (model_choices){
        /* D17: the dynamic reading is what every front end but one emits for, and the weaker
         * order: a race that it finds and the other reading does not is still reported, apart. */
        .loop_tokens = MODEL_PER_ITERATION,
        /* D20: PTX's release pattern, and counters over more than two blocks need it. */
        .rmw_chains = true,
        /* D20: PTX has it for all that comes later in the block; here a token has to order the two,
         * as everything inside a block. */
        .release_then_write = true,
        /* D6: PTX asks for complete overlap. */
        .partial_overlap_strong = false,
        /* A1: nothing published says that a failed compare-and-swap does not write. It leaves no
         * value either way. */
        .failed_cas_writes = true,
        /* A6, A7, A8: PTX's axioms, with rpo in the place of program order. */
        .before_implies_coherence = true,
        .causality = true,
        /* A7: PTX counts observation as causality. The published prose of Tile IR, which calls
         * itself weaker than PTX, names happens-before only; more executions are allowed so. */
        .observation_is_causal = false,
        .coherence_per_location = true,
        /* A9: promised in words. Cycles of dependency and reads-from are the usual reading. */
        .no_thin_air = true,
    };
}

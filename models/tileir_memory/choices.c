/* What is inferred rather than published: D17 and D20. */
#include "tileir_memory/model.h"

/* D17: the dynamic reading is what every front end but one emits for, and the weaker order: a race
 * that it finds and the other reading does not is still reported, apart. D20: chains of RMWs are
 * PTX's release pattern, and counters over more than two blocks need them. */
model_choices model_default_choices(void)
{
    return (model_choices){.loop_tokens = MODEL_PER_ITERATION, .rmw_chains = true};
}

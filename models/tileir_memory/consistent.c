/* Is an execution one that the model allows? The axioms one after the other. */
#include "tileir_memory/execution.h"

model_axiom model_reads_consistent(const model_execution *x, const model_orders *orders)
{
    if (!model_thin_air_holds(x))
        return MODEL_THIN_AIR;
    /* An order in which something comes before itself is none. */
    if (!model_relation_irreflexive(&orders->before))
        return MODEL_CAUSALITY;
    return MODEL_HOLDS;
}

model_axiom model_consistent(const model_execution *x, const model_orders *orders)
{
    static const struct {
        bool (*holds)(const model_execution *x, const model_orders *orders);
        model_axiom axiom;
    } axioms[] = {
        {model_coherence_holds, MODEL_COHERENCE},
        {model_atomicity_holds, MODEL_ATOMICITY},
        {model_causality_holds, MODEL_CAUSALITY},
        {model_per_location_holds, MODEL_PER_LOCATION},
    };
    model_axiom broken = model_reads_consistent(x, orders);
    for (size_t i = 0; i < TR_COUNT(axioms) && broken == MODEL_HOLDS; i++)
        if (!axioms[i].holds(x, orders))
            broken = axioms[i].axiom;
    return broken;
}

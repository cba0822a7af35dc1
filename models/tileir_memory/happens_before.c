/* D21: happens-before is the transitive closure of rpo (D16), synchronisation (D18) and the order
 * of launches (D23). */
#include "tileir_memory/execution.h"

void model_happens_before(const model_orders *orders, model_relation *before)
{
    model_relation_copy(before, &orders->rpo);
    model_relation_unite(before, &orders->synchronises);
    model_relation_unite(before, &orders->launch);
    model_relation_close(before);
}

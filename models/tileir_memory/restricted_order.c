/* D16: restricted program order is program order where the later event waits for the earlier one
 * (D15). Both are relations of op instances; the elements of one instance have no order (D1). */
#include "tileir_memory/execution.h"

void model_rpo(const model_execution *x, model_relation *rpo)
{
    model_relation_copy(rpo, &x->waits_for);
    model_relation_close(rpo);
    model_relation_intersect(rpo, &x->program_order);
}

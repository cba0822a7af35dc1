/* PHASES: one counter for all steps of a loop. */
#ifndef ORDER_PHASE_H
#define ORDER_PHASE_H

#include "order/event.h"

/* Is it proved that a comes before b by one counter for all steps of a loop, with a barrier at each
 * step? False: not by this lemma. */
bool order_by_phase(order_pair *p);

#endif

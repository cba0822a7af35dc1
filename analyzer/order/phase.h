/* PHASES: one counter for all steps of a loop. */
#ifndef ORDER_PHASE_H
#define ORDER_PHASE_H

#include "order/event.h"

/* One counter for all steps of a loop, a barrier at each. */
bool order_by_phase(order_pair *p);

#endif

/* The headers of the room `launch` under the name that they had as one: analyzer/rules still
 * includes it. */
#ifndef INTERP_LAUNCH_H
#define INTERP_LAUNCH_H

#include "interp/interp.h"
#include "launch/arrays.h"
#include "launch/from_contract.h"
#include "launch/invent.h"
#include "launch/meets.h"
#include "launch/overlap.h"
#include "launch/predecessor.h"
#include "launch/search.h"

#endif

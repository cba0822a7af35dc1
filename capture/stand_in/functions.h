/* The functions of the stand-in driver, as programs link with them. */
#ifndef STAND_IN_FUNCTIONS_H
#define STAND_IN_FUNCTIONS_H

#include "stand_in/abi.h"

#define ROW(symbol, suffix, name, since, parameters)                                               \
    __attribute__((visibility("default"))) cu_result symbol parameters;
#include "stand_in/functions.def"
#undef ROW

#endif

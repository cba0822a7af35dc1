#include "run/ub.h"

run_ub run_ub_of(interp_ub_kind kind)
{
    static const run_ub of[] = {
#define UNDEFINED(kind, rule, words) [INTERP_UB_##kind] = {rule, words},
#include "run/ub.def"
    };
    return of[kind];
}

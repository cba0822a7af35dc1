/* Variables of the two events of a pair, by short names. */
#ifndef TESTS_EVENT_VAR_H
#define TESTS_EVENT_VAR_H

#include "terms/term.h"

#include <stdlib.h>
#include <string.h>

/* `x!2` is what the second event has for its x; `x` is of the launch. */
static inline smt_t event_var(smt_ctx *ctx, const char *name, smt_int low, smt_int high)
{
    const char *mark = strchr(name, '!');
    if (!mark)
        return smt_var(ctx, name, low, high);
    const char *own = tr_arena_strndup(smt_arena(ctx), name, (size_t)(mark - name));
    return smt_copy(ctx, smt_private_var(ctx, own, low, high), (unsigned)atoi(mark + 1));
}

#endif

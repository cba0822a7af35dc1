/* Two reports, compared (diff.c). */
#ifndef DRIVER_DIFF_H
#define DRIVER_DIFF_H

#include "report/history.h"

typedef enum diff_state {
#define DIFF_STATE(id, name, words) DIFF_##id,
#include "driver/diff.def"
    DIFF_STATES
} diff_state;

typedef struct diff_item {
    diff_state state;
    const history_finding *of;  /* of the second report where that has it */
    const history_finding *was; /* what it was in the first; or NULL */
    const char *why;            /* a clause; or NULL */
} diff_item;

const char *diff_state_name(diff_state state); /* "new" */
/* docs/diff.schema.json says what is in it. */
void diff_write_json(tr_text *out, const diff_item *items, const size_t counts[DIFF_STATES]);

#endif

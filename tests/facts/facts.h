/* True facts about one concrete launch: made from it, stated in a contract, and checked against a
 * witness. The check reads the witness's numbers alone and uses no term. */
#ifndef FACTS_H
#define FACTS_H

#include "launch/launch.h"
#include "verdict/findings.h"

typedef enum fact_kind {
    FACT_VALUE,       /* a == value */
    FACT_MIN,         /* a >= value */
    FACT_MAX,         /* a <= value */
    FACT_MULTIPLE,    /* a % value == 0 */
    FACT_EQUAL,       /* a == b */
    FACT_ORDER,       /* a <= b */
    FACT_GRID,        /* the extent of grid axis a */
    FACT_EXTENT,      /* a's buffer has that many elements */
    FACT_CONTENT_MIN, /* every element of a's buffer is at least that */
    FACT_CONTENT_MAX,
    FACT_UNIQUE,
    FACT_INCREASING,
} fact_kind;

typedef struct fact {
    fact_kind kind;
    size_t a, b; /* argument numbers, or a grid axis */
    int64_t value;
} fact;

/* What this launch fulfils and the contract (settled) leaves open, up to `most`; an stb_ds array.
 */
fact *facts_of(const ir_function *kernel, const contract *c, const concrete_launch *launch,
               size_t most);
/* Says it in a contract that is not settled yet. */
void fact_state(smt_ctx *ctx, contract *c, const fact *f);
bool fact_holds(const contract *c, const fact *f, const witness *w);
void fact_print(tr_text *out, const contract *c, const fact *f);

#endif

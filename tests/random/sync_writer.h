/* What the idioms of synchronising kernels are written with. */
#ifndef RANDOM_SYNC_WRITER_H
#define RANDOM_SYNC_WRITER_H

#include "build.h"
#include "generate.h"

typedef struct writer {
    choices *c;
    smt_ctx *ctx;
    ir_builder b;
    val data, flag, out, n, id, zero, one;
    unsigned slips; /* percent of details that go wrong */
    uint32_t traits;
    int64_t start; /* what the contract says of flags and counters at launch */
} writer;

typedef struct branch {
    ir_op *op;
    ir_block *outer;
} branch;

/* The wait of a spin loop: gives the token that whoever goes on takes. */
typedef val (*attempt)(writer *w, val index, val token, val *done);

extern const how w_plain; /* weak */

bool w_slip(writer *w);
/* The same, and says that the sample has it. */
bool w_has(writer *w, bool yes, trait which);
how w_order(writer *w, ir_ordering meant, bool reads, bool writes);
val w_after(writer *w, val token);
val w_shifted(writer *w, val index);
val w_at(writer *w, val pointer, val index);
val w_number_of(writer *w, int64_t value);
val w_store(writer *w, how h, val pointer, val index, val value, val token);
ir_op *w_load(writer *w, how h, val pointer, val index, val token);
ir_op *w_add(writer *w, how h, val pointer, val index, val value, val token);
val w_is(writer *w, ir_predicate predicate, val a, val b);
branch w_begin_if(writer *w, val condition, bool gives_token);
void w_begin_else(writer *w, branch b, val token);
val w_end_if(writer *w, branch b, val token);
val w_spin(writer *w, attempt try, val index, val before);
ir_op *w_look(writer *w, val index, val wanted, val token);
val w_try_flag(writer *w, val index, val token, val *done);
val w_raise(writer *w, val index, val token);

/* ---- generate_waits.c: idioms ---- */

void wait_for_some(writer *w, val token);
void wait_for_lanes(writer *w, val token);
void wait_for_count(writer *w, val token);

#endif

/* Carries values as characters from one process to another: numbers and texts one after the other,
 * without any NUL. Reading never trusts what was written: after the first mistake all that is read
 * is 0 or NULL, and `good` says so. */
#ifndef TR_CARRIED_H
#define TR_CARRIED_H

#include "base/base.h"

__extension__ typedef __int128 tr_wide;

void tr_carry_number(tr_text *out, tr_wide number);
void tr_carry_text(tr_text *out, const char *text); /* NULL is not "" */
/* Any bytes, as characters. */
void tr_carry_bytes(tr_text *out, const void *bytes, size_t length);

typedef struct tr_carried {
    tr_arena *arena; /* of the texts */
    const char *at, *end;
    bool good;
} tr_carried;

tr_wide tr_carried_number(tr_carried *c);
/* A number from 0 to `most`. */
size_t tr_carried_count(tr_carried *c, size_t most);
const char *tr_carried_text(tr_carried *c);
/* *length bytes and a NUL behind them. */
const char *tr_carried_bytes(tr_carried *c, size_t *length);

#endif

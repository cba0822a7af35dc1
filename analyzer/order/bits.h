/* BITS: flags that are the bits of one word. */
#ifndef ORDER_BITS_H
#define ORDER_BITS_H

#include "order/bits_terms.h"
#include "order/event.h"
#include "question/checker.h"

/* Flags that are the bits of one word. */
bool sync_by_bits(sync_pair *p, const sync_event *read);
/* Like sync_by_bits(), for events that happen as the premises say. */
bool sync_bits_order(checker *k, const sync_event *a, const sync_event *b, const sync_event *read,
                     smt_t *premises);
/* With which value of the variable does the statement look at a bit that the write sets? A guess;
 * NULL: none is seen. */
smt_t sync_bits_meeting(checker *k, smt_t statement, smt_t variable, const ix_access *write,
                        const ix_access *read);
/* Numbers of bits that the operand sets, only guesses, added to an stb_ds array. */
void sync_add_bit_numbers(const sync_bit *q, smt_t put, smt_t **numbers);

#endif

/* BITS: flags that are the bits of one word. */
#ifndef ORDER_BITS_H
#define ORDER_BITS_H

#include "order/bits_terms.h"
#include "order/event.h"
#include "question/checker.h"

/* Is it proved that a comes before b, since the read has seen a bit that a's block sets? False: not
 * by this lemma. */
bool order_by_bits(order_pair *p, const order_event *read);
/* Like order_by_bits(), for events that happen as the premises say. */
bool order_bits_prove(checker *k, const order_event *a, const order_event *b,
                      const order_event *read, query premises);
/* Guesses the value of the variable with which the statement looks at a bit that the write sets;
 * NULL: no such value is seen. */
smt_t order_bits_meeting(checker *k, smt_t statement, smt_t variable, const ix_access *write,
                         const ix_access *read);
/* Adds guesses for the numbers of the bits that the operand sets to an stb_ds array. */
void order_add_bit_numbers(const order_bit *q, smt_t put, smt_t **numbers);

#endif

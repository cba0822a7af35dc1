/* A prover that is broken on purpose: it takes every two tile blocks to be ordered. Linked in the
 * place of sync_orders into a program that only a test runs (--wrap). */
#include "order/orders.h"

bool __wrap_sync_orders(checker *k, const ix_access *a, const ix_access *b);

bool __wrap_sync_orders(checker *k, const ix_access *a, const ix_access *b)
{
    (void)k;
    (void)a;
    (void)b;
    return true;
}

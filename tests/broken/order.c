/* A prover that is broken on purpose: it takes every two tile blocks to be ordered. Linked in the
 * place of order_proves into a program that only a test runs (--wrap). */
#include "order/orders.h"

bool __wrap_order_proves(checker *k, const ix_access *a, const ix_access *b);

bool __wrap_order_proves(checker *k, const ix_access *a, const ix_access *b)
{
    (void)k;
    (void)a;
    (void)b;
    return true;
}

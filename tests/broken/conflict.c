/* A prover that is broken on purpose: no two accesses conflict. Linked in the place of
 * pair_may_conflict into a program that only a test runs (--wrap). */
#include "rules/pair.h"

bool __wrap_pair_may_conflict(checker *k, const ix_access *a, const ix_access *b, bool same_block);

bool __wrap_pair_may_conflict(checker *k, const ix_access *a, const ix_access *b, bool same_block)
{
    (void)k;
    (void)a;
    (void)b;
    (void)same_block;
    return false;
}

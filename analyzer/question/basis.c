/* The notes are a list that is searched from its start: it stays short, since a kernel has few
 * buffers to synchronise by. */
#include "question/basis.h"

void basis_add(checker *k, basis_kind kind, int which)
{
    known_basis *b = &k->basis;
    for (size_t i = 0; i < b->n; i++)
        if (b->items[i].kind == kind && b->items[i].which == which)
            return;
    basis_item *more = TR_NEW_ARRAY(k->arena, basis_item, b->n + 1);
    for (size_t i = 0; i < b->n; i++)
        more[i] = b->items[i];
    more[b->n++] = (basis_item){kind, which};
    b->items = more;
}

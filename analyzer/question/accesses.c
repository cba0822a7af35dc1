/* The kernel's accesses and arguments, looked up. */
#include "question/accesses.h"

#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

const char *buffer_name(const checker *k, const ix_access *access)
{
    if (access->arg >= 0)
        return k->contract->args[access->arg].name;
    return access->allocation < 0 ? "memory" : k->s->allocations[access->allocation].name;
}

bool arg_is_used(const checker *k, size_t argument)
{
    return k->args_used[argument];
}

const ix_access *access_of_op(const checker *k, const ir_op *op)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++)
        if (k->s->accesses[i].op == op)
            return &k->s->accesses[i];
    return NULL;
}

const ix_access *access_of_buffer(const checker *k, const ir_op *op, const char *buffer)
{
    const ix_access *first = NULL;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->op != op)
            continue;
        first = first ? first : a;
        if (a->allocation >= 0 && strcmp(k->s->allocations[a->allocation].name, buffer) == 0)
            return a;
    }
    return first;
}

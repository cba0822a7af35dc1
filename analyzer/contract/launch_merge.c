/* A launch-contract file may only add to what the kernel's source states. */
#include "contract/launch_private.h"

#include <string.h>

/* Two statements of one quantity hold together: the first stays, their equality becomes a fact. */
bool launch_merge_term(smt_ctx *ctx, contract *c, smt_t *stated, smt_t added, const char *text)
{
    if (!*stated) {
        *stated = added;
        return true;
    }
    smt_t equal = smt_eq(ctx, *stated, added);
    if (smt_is_false(equal))
        return false;
    if (!smt_is_true(equal))
        contract_add_fact(c, equal, text, NULL);
    return true;
}

/* Buffers are names of classes, so the names may differ; which arguments share one may not. An
 * argument whose buffer only the file gives joins the class that the file puts it in. */
bool launch_merge_buffers(tr_arena *arena, contract *c, const char *const *file_names,
                          const char **why)
{
    for (size_t i = 0; i < c->n_args; i++)
        for (size_t k = i + 1; k < c->n_args; k++) {
            const contract_arg *a = &c->args[i], *b = &c->args[k];
            if (!file_names[i] || !file_names[k] || !a->buffer_stated || !b->buffer_stated)
                continue;
            if (!strcmp(a->buffer, b->buffer) != !strcmp(file_names[i], file_names[k])) {
                *why = tr_arena_printf(
                    arena, "the kernel's source says that `%s` and `%s` %s a buffer.", a->name,
                    b->name, strcmp(a->buffer, b->buffer) ? "do not share" : "share");
                return false;
            }
        }
    const char **joined = TR_NEW_ARRAY(arena, const char *, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++) {
        joined[i] = file_names[i];
        for (size_t k = 0; file_names[i] && k < c->n_args; k++)
            if (file_names[k] && c->args[k].buffer_stated && !strcmp(file_names[i], file_names[k]))
                joined[i] = c->args[k].buffer;
    }
    for (size_t i = 0; i < c->n_args; i++) {
        if (!joined[i] || c->args[i].buffer_stated)
            continue;
        c->args[i].buffer = joined[i];
        c->args[i].buffer_stated = true;
    }
    return true;
}

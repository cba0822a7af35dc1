#include "checking/guards.h"

#include "contract/guard_carry.h"
#include "inputs/load.h"

static guard_elements elements_of(const ir_function *f, size_t arg)
{
    const ir_type *type = f->body->args[arg]->type;
    const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
    const ir_type *pointee = elem->kind == IR_POINTER ? elem->elem : NULL;
    if (!pointee)
        return (guard_elements){0};
    if (pointee->kind == IR_POINTER)
        return (guard_elements){.bytes = 8, .are_integers = true}; /* a table of addresses */
    return (guard_elements){.bytes = (unsigned)ir_type_bytes(pointee),
                            .are_integers = ir_type_is_int(pointee)};
}

guard_elements *guards_elements(tr_arena *arena, const loaded_kernel *kernel,
                                const kernel_report *report)
{
    size_t n = kernel->contract->n_args;
    guard_elements *elements = TR_NEW_ARRAY(arena, guard_elements, n + 1);
    for (size_t i = 0; i < n; i++) {
        elements[i] = elements_of(kernel->function, i);
        elements[i].only_read = report && report->only_read && report->only_read[i];
    }
    return elements;
}

static const guard *guard_of(smt_ctx *ctx, const loaded_kernel *kernel, const kernel_report *report,
                             size_t n_what, const precondition *const *what)
{
    return guard_new(ctx, kernel->contract, guards_elements(smt_arena(ctx), kernel, report), n_what,
                     what);
}

const guard *guards_of_all(smt_ctx *ctx, const loaded_kernel *kernel, const kernel_report *report)
{
    const precondition **what =
        TR_NEW_ARRAY(smt_arena(ctx), const precondition *, report->n_requires + 1);
    for (size_t i = 0; i < report->n_requires; i++)
        what[i] = &report->requires_[i].what;
    return guard_of(ctx, kernel, report, report->n_requires, what);
}

const guard *guards_of_reaches(smt_ctx *ctx, const loaded_kernel *kernel,
                               const kernel_report *report)
{
    if (report->n_reaches == 0)
        return NULL;
    const precondition **what =
        TR_NEW_ARRAY(smt_arena(ctx), const precondition *, report->n_reaches);
    for (size_t i = 0; i < report->n_reaches; i++)
        what[i] = &report->reaches[i];
    return guard_of(ctx, kernel, report, report->n_reaches, what);
}

const char *guards_carried(tr_arena *arena, smt_ctx *ctx, const loaded_kernel *kernel,
                           const kernel_report *report)
{
    tr_text text = {0};
    guard_carry(&text, guards_of_all(ctx, kernel, report), kernel->function->name);
    const char *copy = tr_arena_strdup(arena, tr_text_get(&text));
    tr_text_free(&text);
    return copy;
}

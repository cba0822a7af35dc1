/* Plans the buffers of a launch: which pointer points into which one, from where on, and how long
 * each has to be. */
#include "launch/private.h"

const ir_type *concrete_pointee(const ir_value *parameter)
{
    const ir_type *type = parameter->type;
    return type->kind == IR_TILE && type->elem->kind == IR_POINTER ? type->elem->elem : NULL;
}

const char *concrete_parameter_name(tr_arena *arena, const ir_function *kernel, const contract *c,
                                    size_t i)
{
    if (c && c->args[i].name)
        return c->args[i].name;
    const char *name = kernel->body->args[i]->name;
    return name ? name : tr_arena_printf(arena, "arg%zu", i);
}

/* Returns whether the contract says anything about the contents. */
static bool has_facts(const contract_contents *c)
{
    return c->unique || c->unique_when || c->increasing || c->min || c->max ||
           c->prefix_sum_of >= 0 || c->regions || c->n_tuple > 0 || c->values;
}

/* Returns the plan of the buffer of that name, which is added if it is not there. *number: its
 * index in `plans`. The pointer holds until the next plan is added. */
static buffer_plan *plan_of(buffer_plan **plans, const char *name, size_t *number)
{
    for (*number = 0; *number < arrlenu(*plans); (*number)++)
        if (!strcmp((*plans)[*number].name, name))
            return &(*plans)[*number];
    buffer_plan fresh = {.name = name, .elements = 0, .facts_of = -1};
    arrput(*plans, fresh);
    return &arrlast(*plans);
}

/* Element offset of parameter i into its buffer. */
static bool offset_of(const binding *b, size_t i, const interp_filling *filling, int64_t *offset)
{
    *offset = 0;
    if (b->contract && b->contract->args[i].offset)
        return binding_eval(b, b->contract->args[i].offset, offset);
    if (filling && filling->offsets)
        *offset = filling->offsets[i];
    return true;
}

/* Finds where pointer i begins in its buffer, and how many elements it reaches from there on; -1:
 * the contract does not say. Elements of 4 bits lie two to a byte, so for them both are in bytes.
 */
static bool find_extent(tr_arena *arena, const binding *b, size_t i, const char *name,
                        const ir_type *elem, const interp_filling *filling, int64_t *offset,
                        int64_t *elements, const char **why)
{
    const contract_arg *stated = b->contract ? &b->contract->args[i] : NULL;
    *elements = -1;
    if (!offset_of(b, i, filling, offset)) {
        *why = tr_arena_printf(arena, "the offset of '%s' has no value", name);
        return false;
    }
    if (stated && stated->elements &&
        (!binding_eval(b, stated->elements, elements) || *elements < 0)) {
        *why = tr_arena_printf(arena, "the extent of '%s' is negative or has no value", name);
        return false;
    }
    if (ir_type_bits(elem) != 4)
        return true;
    if (*offset % 2 || (stated && has_facts(&stated->contents))) {
        *why =
            tr_arena_printf(arena, "'%s' has elements of 4 bits: contents or an odd offset", name);
        return false;
    }
    *offset /= 2;
    *elements = *elements < 0 ? -1 : *elements / 2 + *elements % 2;
    return true;
}

/* Makes a buffer long enough for a pointer to `elements` elements of a type, whose byte offset into
 * the buffer goes to *address. False: the end of the pointer's elements does not fit 63 bits. */
static bool extend_plan(buffer_plan *plan, const ir_type *elem, int64_t offset, int64_t elements,
                        int64_t *address)
{
    int64_t width = ir_type_bytes(elem), bytes, end;
    if (!plan->width) {
        plan->elem = elem;
        plan->width = (int)width;
    } else if (plan->elem != elem) {
        plan->elem = NULL;
    }
    if (__builtin_mul_overflow(offset, width, address))
        return false;
    if (elements < 0) {
        plan->elements = -1;
        return true;
    }
    if (__builtin_mul_overflow(elements, width, &bytes) ||
        __builtin_add_overflow(*address, bytes, &end))
        return false;
    int64_t needed = (end + plan->width - 1) / plan->width;
    if (plan->elements >= 0 && plan->elements < needed)
        plan->elements = needed;
    return true;
}

/* Notes that the contract states contents for pointer i. Of several pointers into one buffer it may
 * do so only where it states each element. */
static bool note_facts(const contract *c, buffer_plan *plan, size_t i, int64_t offset)
{
    bool is_first = plan->facts_of < 0;
    if (!is_first && (!c->args[i].contents.values || !c->args[plan->facts_of].contents.values))
        return false;
    plan->facts_of = (int)i;
    plan->base = offset;
    plan->n_facts++;
    return true;
}

bool concrete_plan_parameter(tr_arena *arena, const ir_function *kernel, const binding *b, size_t i,
                             const interp_filling *filling, buffer_plan **plans, interp_arg *arg,
                             const char **why)
{
    const contract_arg *stated = b->contract ? &b->contract->args[i] : NULL;
    const ir_type *elem = concrete_pointee(kernel->body->args[i]);
    const char *name = concrete_parameter_name(arena, kernel, b->contract, i);
    size_t number;
    buffer_plan *plan = plan_of(plans, stated && stated->buffer ? stated->buffer : name, &number);
    int64_t offset, elements;
    if (!find_extent(arena, b, i, name, elem, filling, &offset, &elements, why))
        return false;
    if (!extend_plan(plan, elem, offset, elements, &arg->value)) {
        *why = tr_arena_printf(arena, "the extent of '%s' does not fit 63 bits", name);
        return false;
    }
    if (stated && has_facts(&stated->contents) && !note_facts(b->contract, plan, i, offset)) {
        *why = tr_arena_printf(arena, "two arguments state contents of '%s'", plan->name);
        return false;
    }
    arg->buffer = (int)number;
    return true;
}

/* Guards: preconditions as one compiled program, and what is asked of buffers beside it. */
#include "contract/guard_private.h"

#include <stdlib.h>
#include <string.h>

/* What one precondition asks, and where the program has its value. */
typedef struct guarded {
    const precondition *what;
    int32_t term;     /* of the program's values: its truth; or NONE */
    int32_t size;     /* of the program's values: the bytes or elements that it asks for; or NONE */
    smt_int per_size; /* bytes of one of these */
} guarded;

struct guard {
    smt_ctx *ctx;
    const contract *contract;
    const guard_elements *elements;
    size_t n, n_values;
    const guarded *items;
    const smt_compiled *program;     /* over the parameters, then the grid's extents */
    const guard_contents **contents; /* of each item; NULL: it is not about contents */
};

enum { NONE = -1, FEW_VALUES = 256 };

/* ---- Section: Making one ---- */

const guard *guard_new(smt_ctx *ctx, const contract *c, const guard_elements *elements, size_t n,
                       const precondition *const *preconditions)
{
    tr_arena *arena = smt_arena(ctx);
    guard *g = TR_NEW(arena, guard);
    guarded *items = TR_NEW_ARRAY(arena, guarded, n + 1);
    smt_t *terms = TR_NEW_ARRAY(arena, smt_t, n + 1);
    smt_t *inputs = TR_NEW_ARRAY(arena, smt_t, c->n_args + 3);
    for (size_t i = 0; i < c->n_args; i++)
        inputs[i] = c->args[i].kind == CONTRACT_SCALAR ? contract_param(ctx, c, i) : NULL;
    for (int axis = 0; axis < 3; axis++)
        inputs[c->n_args + (size_t)axis] = contract_grid(ctx, axis);
    *g = (guard){.ctx = ctx,
                 .contract = c,
                 .elements = tr_arena_copy(arena, elements, c->n_args * sizeof *elements),
                 .n = n,
                 .items = items,
                 .contents = TR_NEW_ARRAY(arena, const guard_contents *, n + 1)};
    for (size_t i = 0; i < n; i++) {
        const precondition *p = preconditions[i];
        smt_t size = p->elements ? p->elements : p->bytes;
        items[i] = (guarded){.what = p, .term = NONE, .size = NONE, .per_size = 1};
        if (p->kind == PRECONDITION_DISTINCT_BUFFERS)
            continue;
        if (p->term) {
            items[i].term = (int32_t)g->n_values;
            terms[g->n_values++] = p->term;
        } else if (p->of_contents) {
            g->contents[i] = guard_contents_new(ctx, c, g->elements, p);
        } else if (size) {
            items[i].size = (int32_t)g->n_values;
            if (p->elements)
                items[i].per_size = elements[p->subject.arg].bytes;
            terms[g->n_values++] = size;
        }
    }
    g->program = smt_compile(ctx, c->n_args + 3, inputs, g->n_values, terms);
    return g;
}

/* ---- Section: Asking it ---- */

static bool meet(const guard_buffer *a, const guard_buffer *b, guard_answer *answer)
{
    if (a->bytes_known && b->bytes_known) /* an empty one meets nothing */
        return a->bytes > 0 && b->bytes > 0 && a->address < b->address + b->bytes &&
               b->address < a->address + a->bytes;
    if (a->address == b->address)
        return true;
    *answer = GUARD_NOT_CHECKED;
    return false;
}

static bool shares(const contract *c, size_t a, size_t b)
{
    return strcmp(contract_buffer_of(&c->args[a]), contract_buffer_of(&c->args[b])) == 0;
}

/* The pointers of the precondition overlap no other pointer, but where the contract says so. */
static guard_result are_distinct(const guard *g, const guard_launch *launch, const precondition *p)
{
    guard_result result = {.answer = GUARD_HOLDS};
    for (size_t i = 0; i < p->n_args; i++)
        for (size_t k = 0; k < launch->n_args; k++) {
            size_t arg = p->args[i];
            if (k == arg || g->contract->args[k].kind != CONTRACT_POINTER ||
                shares(g->contract, arg, k) || !launch->buffers[arg].address ||
                !launch->buffers[k].address)
                continue;
            if (meet(&launch->buffers[arg], &launch->buffers[k], &result.answer))
                return (guard_result){.answer = GUARD_BROKEN, .args = {arg, k}, .has_args = true};
        }
    return result;
}

static guard_result is_as_large(const guarded *item, const guard_launch *launch, smt_value wanted)
{
    size_t arg = item->what->subject.arg;
    const guard_buffer *buffer = &launch->buffers[arg];
    smt_int bytes;
    if (!wanted.known || !buffer->bytes_known || item->per_size == 0 ||
        __builtin_mul_overflow(wanted.number, item->per_size, &bytes))
        return (guard_result){.answer = GUARD_NOT_CHECKED};
    return (guard_result){.answer = bytes <= (smt_int)buffer->bytes ? GUARD_HOLDS : GUARD_BROKEN,
                          .args = {arg, arg},
                          .has_args = true};
}

static guard_answer worse(guard_answer a, guard_answer b)
{
    static const int rank[] = {
        [GUARD_HOLDS] = 0, [GUARD_NOT_CHECKED] = 1, [GUARD_NEEDS_CONTENTS] = 2, [GUARD_BROKEN] = 3};
    return rank[a] >= rank[b] ? a : b;
}

typedef struct reading { /* elements that a term of the program speaks of */
    const guard *guard;
    const guard_launch *launch;
    bool missed; /* one was not at hand */
} reading;

static bool look_up(void *user, smt_t element, size_t n_args, const smt_int *args, smt_int *value)
{
    reading *r = user;
    bool found = n_args == 1 && guard_element(r->guard->contract, r->guard->elements, r->launch,
                                              element, args[0], value);
    r->missed |= !found;
    return found;
}

static guard_result check_item(const guard *g, size_t i, const guard_launch *launch,
                               const smt_value *values, bool missed)
{
    const guarded *item = &g->items[i];
    if (item->what->kind == PRECONDITION_DISTINCT_BUFFERS)
        return are_distinct(g, launch, item->what);
    if (item->term != NONE) {
        smt_value truth = values[item->term];
        return (guard_result){.answer = truth.known ? truth.number ? GUARD_HOLDS : GUARD_BROKEN
                                        : missed    ? GUARD_NEEDS_CONTENTS
                                                    : GUARD_NOT_CHECKED};
    }
    if (item->size != NONE)
        return is_as_large(item, launch, values[item->size]);
    if (g->contents[i])
        return guard_contents_check(g->contents[i], launch);
    return (guard_result){.answer = GUARD_NOT_CHECKED};
}

guard_answer guard_check(const guard *g, const guard_launch *launch, guard_result *results)
{
    TR_ASSERT(launch->n_args == g->contract->n_args);
    size_t n_inputs = launch->n_args + 3, size = smt_compiled_size(g->program);
    size_t n = n_inputs + size + g->n_values;
    smt_value few[FEW_VALUES];
    smt_value *inputs = n <= FEW_VALUES ? few : malloc(n * sizeof *inputs);
    if (!inputs)
        return GUARD_NOT_CHECKED;
    for (size_t i = 0; i < launch->n_args; i++)
        inputs[i] = (smt_value){launch->scalars[i], g->contract->args[i].kind == CONTRACT_SCALAR};
    for (size_t axis = 0; axis < 3; axis++)
        inputs[launch->n_args + axis] = (smt_value){launch->grid[axis], true};
    smt_value *room = inputs + n_inputs, *values = room + size;
    reading r = {.guard = g, .launch = launch};
    smt_compiled_run(g->program, inputs, look_up, &r, room, values);
    guard_answer answer = GUARD_HOLDS;
    for (size_t i = 0; i < g->n; i++) {
        guard_result result = check_item(g, i, launch, values, r.missed);
        answer = worse(answer, result.answer);
        if (results)
            results[i] = result;
    }
    if (inputs != few)
        free(inputs);
    return answer;
}

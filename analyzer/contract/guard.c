/* Guards: preconditions as one compiled program, and what is asked of buffers beside it. */
#include "contract/guard_private.h"

#include "base/ds.h"

#include <stdlib.h>

/* One precondition, and where the program has the value that it speaks of. */
typedef struct guarded {
    const precondition *what;
    const guard_fact *stated; /* it is a fact of the contract; or NULL */
    int32_t term;             /* of the program's values: its truth; or NONE */
    int32_t size; /* of the program's values: bytes or elements that it asks for, or a distance */
    smt_int per_size; /* bytes of one of these */
} guarded;

struct guard {
    smt_ctx *ctx;
    const contract *contract;
    const guard_elements *elements;
    size_t n, n_stated, n_values;
    const guarded *items; /* n preconditions, then n_stated facts */
    guard_ranges ranges;
    const smt_compiled *program;     /* over the parameters, then the grid's extents */
    const guard_contents **contents; /* of each item; NULL: it is not about contents */
};

enum { NONE = -1, FEW_VALUES = 256 };

/* ---- Section: Making one ---- */

static guarded item_of(guard *g, const precondition *p, const guard_fact *stated, smt_t *terms)
{
    guarded item = {.what = p, .stated = stated, .term = NONE, .size = NONE, .per_size = 1};
    smt_t size = stated && stated->distance ? stated->distance
                 : p->elements              ? p->elements
                                            : p->bytes;
    if (p->kind == PRECONDITION_DISTINCT_BUFFERS)
        return item;
    if (p->term) {
        item.term = (int32_t)g->n_values;
        terms[g->n_values++] = p->term;
    } else if (size && !p->of_contents) {
        item.size = (int32_t)g->n_values;
        if (p->elements)
            item.per_size = g->elements[p->subject.arg].bytes;
        terms[g->n_values++] = size;
    }
    return item;
}

const guard *guard_new(smt_ctx *ctx, const contract *c, const guard_elements *elements, size_t n,
                       const precondition *const *preconditions)
{
    tr_arena *arena = smt_arena(ctx);
    guard *g = TR_NEW(arena, guard);
    guard_fact *facts = guard_stated_facts(ctx, c, elements);
    size_t n_stated = arrlenu(facts), n_all = n + n_stated;
    const guard_fact *stated =
        n_stated ? tr_arena_copy(arena, facts, n_stated * sizeof *facts) : NULL;
    guarded *items = TR_NEW_ARRAY(arena, guarded, n_all + 1);
    smt_t *terms = TR_NEW_ARRAY(arena, smt_t, n_all + 1);
    smt_t *inputs = TR_NEW_ARRAY(arena, smt_t, c->n_args + 3);
    arrfree(facts);
    for (size_t i = 0; i < c->n_args; i++)
        inputs[i] = c->args[i].kind == CONTRACT_SCALAR ? contract_param(ctx, c, i) : NULL;
    for (int axis = 0; axis < 3; axis++)
        inputs[c->n_args + (size_t)axis] = contract_grid(ctx, axis);
    *g = (guard){.ctx = ctx,
                 .contract = c,
                 .elements = tr_arena_copy(arena, elements, c->n_args * sizeof *elements),
                 .n = n,
                 .n_stated = n_stated,
                 .items = items,
                 .ranges = guard_ranges_of(ctx, c),
                 .contents = TR_NEW_ARRAY(arena, const guard_contents *, n_all + 1)};
    for (size_t i = 0; i < n_all; i++) {
        const guard_fact *fact = i < n ? NULL : &stated[i - n];
        const precondition *p = fact ? &fact->what : preconditions[i];
        items[i] = item_of(g, p, fact, terms);
        if (p->of_contents && !p->term)
            g->contents[i] = guard_contents_new(ctx, c, g->elements, p);
    }
    g->program = smt_compile(ctx, c->n_args + 3, inputs, g->n_values, terms);
    return g;
}

guard_parts guard_parts_of(const guard *g)
{
    const precondition **what = TR_NEW_ARRAY(smt_arena(g->ctx), const precondition *, g->n + 1);
    for (size_t i = 0; i < g->n; i++)
        what[i] = g->items[i].what;
    return (guard_parts){g->ctx, g->contract, g->elements, g->n, what};
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

/* The pointers of the precondition overlap no other pointer, but where the contract says so, or
 * where the kernel writes neither. */
static guard_result are_distinct(const guard *g, const guard_launch *launch, const precondition *p)
{
    guard_result result = {.answer = GUARD_HOLDS};
    for (size_t i = 0; i < p->n_args; i++)
        for (size_t k = 0; k < launch->n_args; k++) {
            size_t arg = p->args[i];
            if (k == arg || g->contract->args[k].kind != CONTRACT_POINTER ||
                (g->elements[arg].only_read && g->elements[k].only_read) ||
                contract_share_buffer(&g->contract->args[arg], &g->contract->args[k]) ||
                !launch->buffers[arg].address || !launch->buffers[k].address)
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

static guard_result is_as_far(const guard_fact *fact, const guard_launch *launch,
                              smt_value distance)
{
    uint64_t from = launch->buffers[fact->from].address, to = launch->buffers[fact->to].address;
    if (!distance.known || !from || !to)
        return (guard_result){.answer = GUARD_NOT_CHECKED};
    return (guard_result){.answer = (smt_int)to - (smt_int)from == distance.number ? GUARD_HOLDS
                                                                                   : GUARD_BROKEN,
                          .args = {fact->from, fact->to},
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
    if (item->stated && item->stated->distance)
        return is_as_far(item->stated, launch, values[item->size]);
    if (item->size != NONE)
        return is_as_large(item, launch, values[item->size]);
    if (g->contents[i])
        return guard_contents_check(g->contents[i], launch);
    return (guard_result){.answer = GUARD_NOT_CHECKED};
}

static void keep_worst(guard_stated *stated, guard_result result, const char *what)
{
    if (worse(stated->result.answer, result.answer) == stated->result.answer)
        return;
    stated->result = result;
    stated->what = what;
}

/* Checks what the terms take for granted: each parameter and extent is in its range. */
static void check_ranges(const guard *g, const guard_launch *launch, guard_stated *stated)
{
    for (size_t i = 0; i < launch->n_args; i++) {
        const guard_range *range = &g->ranges.of[i];
        smt_int number = contract_number_of(&g->contract->args[i], launch->scalars[i]);
        if (g->contract->args[i].kind == CONTRACT_SCALAR &&
            (number < range->low || number > range->high))
            keep_worst(stated,
                       (guard_result){.answer = GUARD_BROKEN, .args = {i, i}, .has_args = true},
                       range->text);
    }
    for (int axis = 0; axis < 3; axis++)
        if (launch->grid[axis] < g->ranges.least_grid || launch->grid[axis] > g->ranges.most_grid)
            keep_worst(stated, (guard_result){.answer = GUARD_BROKEN},
                       "an axis of the grid has 1 to 2^24 - 1 tile blocks");
}

static bool is_empty(const guard_launch *launch)
{
    const int64_t *grid = launch->grid;
    return grid[0] >= 0 && grid[1] >= 0 && grid[2] >= 0 && (!grid[0] || !grid[1] || !grid[2]);
}

static guard_answer check_items(const guard *g, const guard_launch *launch, const smt_value *values,
                                bool missed, guard_result *results, guard_stated *stated)
{
    guard_answer answer = GUARD_HOLDS;
    bool empty = is_empty(launch);
    if (!empty)
        check_ranges(g, launch, stated);
    for (size_t i = 0; i < g->n + g->n_stated; i++) {
        guard_result result = {.answer = GUARD_HOLDS};
        if (!empty)
            result = check_item(g, i, launch, values, missed);
        if (i >= g->n)
            keep_worst(stated, result, g->items[i].stated->text);
        else if (results)
            results[i] = result;
        answer = worse(answer, result.answer);
    }
    return worse(answer, stated->result.answer);
}

guard_answer guard_check(const guard *g, const guard_launch *launch, guard_result *results,
                         guard_stated *stated)
{
    TR_ASSERT(launch->n_args == g->contract->n_args);
    size_t n_inputs = launch->n_args + 3, size = smt_compiled_size(g->program);
    size_t n = n_inputs + size + g->n_values;
    smt_value few[FEW_VALUES];
    guard_stated unasked;
    stated = stated ? stated : &unasked;
    *stated = (guard_stated){.result = {.answer = GUARD_HOLDS}};
    smt_value *inputs = n <= FEW_VALUES ? few : malloc(n * sizeof *inputs);
    if (!inputs) {
        for (size_t i = 0; results && i < g->n; i++)
            results[i] = (guard_result){.answer = GUARD_NOT_CHECKED};
        return GUARD_NOT_CHECKED;
    }
    for (size_t i = 0; i < launch->n_args; i++)
        inputs[i] = (smt_value){contract_number_of(&g->contract->args[i], launch->scalars[i]),
                                g->contract->args[i].kind == CONTRACT_SCALAR};
    for (size_t axis = 0; axis < 3; axis++)
        inputs[launch->n_args + axis] = (smt_value){launch->grid[axis], true};
    smt_value *room = inputs + n_inputs, *values = room + size;
    reading r = {.guard = g, .launch = launch};
    smt_compiled_run(g->program, inputs, look_up, &r, room, values);
    guard_answer answer = check_items(g, launch, values, r.missed, results, stated);
    if (inputs != few)
        free(inputs);
    return answer;
}

/* Turns what a contract states of a launch into preconditions: a verdict covers only the launches
 * that meet it, so a guard asks for it as it asks for what the proof needs besides. */
#include "contract/guard_private.h"

#include "base/ds.h"
#include "contract/contract_json.h"

static const char *const axes[3] = {"grid.x", "grid.y", "grid.z"};

static void add(guard_fact **list, precondition what, const char *text)
{
    arrput(*list, ((guard_fact){.what = what, .text = text}));
}

static void add_facts(smt_ctx *ctx, const contract *c, guard_fact **list)
{
    for (size_t i = 0; i < arrlenu(c->facts); i++) {
        const contract_fact *fact = &c->facts[i];
        if (smt_is_true(fact->term)) /* its parameter's range says so */
            continue;
        add(list, precondition_of_term(PRECONDITION_KERNEL_ASSUME, fact->term),
            fact->text ? fact->text : contract_term_text(ctx, fact->term));
    }
}

static void add_grid(smt_ctx *ctx, const contract *c, guard_fact **list)
{
    for (int axis = 0; axis < 3; axis++) {
        smt_t extent = contract_grid(ctx, axis), stated = c->grid[axis];
        if (!stated || stated == extent)
            continue;
        add(list, precondition_of_term(PRECONDITION_GRID_BOUND, smt_eq(ctx, extent, stated)),
            tr_arena_printf(smt_arena(ctx), "%s == %s", axes[axis],
                            contract_term_text(ctx, stated)));
    }
}

static bool says_something(const contract_contents *facts)
{
    return facts->unique || facts->unique_when || facts->increasing || facts->min || facts->max ||
           facts->prefix_sum_of >= 0 || facts->regions || facts->values;
}

/* No two indices have equal elements in this buffer and in those of the tuple. */
static precondition tuples_of(tr_arena *arena, size_t arg, const contract_contents *facts)
{
    precondition p = precondition_of_contents(PRECONDITION_UNIQUE_CONTENTS, arg);
    size_t *args = TR_NEW_ARRAY(arena, size_t, facts->n_tuple + 1);
    args[p.n_args++] = arg;
    for (size_t i = 0; i < facts->n_tuple; i++)
        args[p.n_args++] = (size_t)facts->tuple[i];
    p.contents.unique = true;
    p.args = args;
    return p;
}

static void add_buffer(smt_ctx *ctx, const contract *c, size_t i, guard_fact **list)
{
    const contract_arg *arg = &c->args[i];
    const precondition_subject subject = {.kind = PRECONDITION_OF_BUFFER, .arg = i};
    if (contract_stated_elements(arg)) {
        precondition size = precondition_of(PRECONDITION_IN_BOUNDS);
        size.subject = subject;
        size.elements = arg->elements;
        add(list, size, precondition_text(ctx, c, &size));
    }
    if (says_something(&arg->contents)) {
        precondition contents = precondition_of_contents(PRECONDITION_CONTENTS_RANGE, i);
        contents.contents = arg->contents;
        contents.contents.n_tuple = 0;
        add(list, contents,
            arg->contents.values
                ? tr_arena_printf(smt_arena(ctx), "'%s' holds the elements that are stated",
                                  arg->name)
                : precondition_text(ctx, c, &contents));
    }
    if (arg->contents.n_tuple) {
        precondition tuples = tuples_of(smt_arena(ctx), i, &arg->contents);
        add(list, tuples, precondition_text(ctx, c, &tuples));
    }
}

/* Pointers that are stated to have an allocation of their own, or to share one. */
static void add_distinct(smt_ctx *ctx, const contract *c, guard_fact **list)
{
    precondition distinct = precondition_of(PRECONDITION_DISTINCT_BUFFERS);
    size_t *args = TR_NEW_ARRAY(smt_arena(ctx), size_t, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_POINTER && c->args[i].buffer_stated)
            args[distinct.n_args++] = i;
    distinct.args = args;
    if (distinct.n_args)
        add(list, distinct, "pointers that are stated to address buffers of their own do");
}

/* Bytes from the buffer's start to the pointer; NULL: not stated. */
static smt_t bytes_before(smt_ctx *ctx, const contract_arg *arg, const guard_elements *elements)
{
    return arg->offset ? smt_scale(ctx, arg->offset, elements->bytes) : NULL;
}

/* How far pointers into one buffer are apart. */
static void add_offsets(smt_ctx *ctx, const contract *c, const guard_elements *elements,
                        guard_fact **list)
{
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        smt_t bytes = bytes_before(ctx, arg, &elements[i]);
        if (arg->kind != CONTRACT_POINTER || !bytes)
            continue;
        for (size_t k = 0; k < i; k++) {
            const contract_arg *other = &c->args[k];
            smt_t first = bytes_before(ctx, other, &elements[k]);
            if (!first || !contract_share_buffer(arg, other))
                continue;
            guard_fact fact = {.what = precondition_of(PRECONDITION_IN_BOUNDS),
                               .text = tr_arena_printf(smt_arena(ctx),
                                                       "'%s' and '%s' are as far apart as stated",
                                                       other->name, arg->name),
                               .distance = smt_sub(ctx, bytes, first),
                               .from = k,
                               .to = i};
            arrput(*list, fact);
            break;
        }
    }
}

/* A launch tells no floats. */
static void add_floats(smt_ctx *ctx, const contract *c, guard_fact **list)
{
    for (size_t i = 0; i < c->n_args; i++) {
        precondition p = precondition_of(PRECONDITION_KERNEL_ASSUME);
        if (!c->args[i].has_number)
            continue;
        p.words = tr_arena_printf(smt_arena(ctx), "'%s' is %g", c->args[i].name, c->args[i].number);
        add(list, p, p.words);
    }
}

guard_fact *guard_stated_facts(smt_ctx *ctx, const contract *c, const guard_elements *elements)
{
    guard_fact *list = NULL;
    add_facts(ctx, c, &list);
    add_grid(ctx, c, &list);
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_POINTER)
            add_buffer(ctx, c, i, &list);
    add_distinct(ctx, c, &list);
    add_offsets(ctx, c, elements, &list);
    add_floats(ctx, c, &list);
    return list;
}

/* ---- Section: what has no term ---- */

/* A parameter's variable has the range that the contract leaves, so that no fact says it. */
guard_ranges guard_ranges_of(smt_ctx *ctx, const contract *c)
{
    guard_range *of = TR_NEW_ARRAY(smt_arena(ctx), guard_range, c->n_args + 1);
    guard_ranges ranges = {.of = of};
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        if (arg->kind != CONTRACT_SCALAR)
            continue;
        smt_t variable = contract_param(ctx, c, i);
        of[i] = (guard_range){variable->low, variable->high,
                              tr_arena_printf(smt_arena(ctx), "'%s' lies between %lld and %lld",
                                              arg->name, (long long)variable->low,
                                              (long long)variable->high)};
    }
    smt_bounds(contract_grid(ctx, 0), &ranges.least_grid, &ranges.most_grid);
    return ranges;
}

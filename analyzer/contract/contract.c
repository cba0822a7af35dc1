/* A contract as data: arguments, facts, and the variables that stand for parameters. */
#include "contract/contract.h"
#include "contract/ranges.h"

#include "base/ds.h"

#define GRID_MAX                                                                                   \
    (((smt_int)1 << 24) - 1) /* Tile IR: ids above 2^24-1 blocks an axis may be wrong */

contract *contract_new(smt_ctx *ctx, const char *kernel, size_t n_args)
{
    TR_ASSERT(kernel);
    tr_arena *arena = smt_arena(ctx);
    contract *c = TR_NEW(arena, contract);
    c->kernel = kernel ? tr_arena_strdup(arena, kernel) : NULL;
    c->n_args = n_args;
    c->args = TR_NEW_ARRAY(arena, contract_arg, n_args ? n_args : 1);
    for (size_t i = 0; i < n_args; i++)
        c->args[i].contents.prefix_sum_of = -1;
    c->ranges = contract_ranges_new(arena, n_args);
    return c;
}

void contract_free(tr_take contract *c)
{
    if (!c)
        return;
    arrfree(c->facts);
}

bool contract_values_at(const contract_values *values, smt_int index, int64_t *value)
{
    if (!values || index < 0 || index >= (smt_int)values->n ||
        (values->known && !values->known[index]))
        return false;
    *value = values->values[index];
    return true;
}

bool contract_contents_are_unsigned(const contract_contents *facts, int bits)
{
    smt_int low, high;
    if (!facts || bits <= 1 || bits >= 64 || !facts->max || !smt_is_const(facts->max, &high) ||
        high < (smt_int)1 << (bits - 1))
        return false;
    return !facts->min || !smt_is_const(facts->min, &low) || low >= 0;
}

bool contract_contents_tell_no_sign(const contract_contents *facts, int bits)
{
    smt_int low, high, half = (smt_int)1 << (bits - 1);
    if (bits >= CONTRACT_NARROW || contract_contents_are_unsigned(facts, bits))
        return false;
    bool is_negative = facts->min && smt_is_const(facts->min, &low) && low < 0;
    return !is_negative && !(facts->max && smt_is_const(facts->max, &high) && high < half);
}

const char *contract_buffer_of(const contract_arg *arg)
{
    return arg->buffer ? arg->buffer : arg->name;
}

bool contract_share_buffer(const contract_arg *a, const contract_arg *b)
{
    return a->kind == CONTRACT_POINTER && b->kind == CONTRACT_POINTER &&
           strcmp(contract_buffer_of(a), contract_buffer_of(b)) == 0;
}

bool contract_is_shared(const contract *c, const contract_arg *arg)
{
    for (size_t i = 0; i < c->n_args; i++)
        if (&c->args[i] != arg && contract_share_buffer(&c->args[i], arg))
            return true;
    return false;
}

smt_t contract_stated_elements(const contract_arg *arg)
{
    return arg->spans ? NULL : arg->elements;
}

bool contract_is_silent(const contract *c)
{
    return c->source == CONTRACT_NONE || c->says_nothing;
}

size_t contract_array_part(const contract *c, size_t array, contract_role role, size_t dimension)
{
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_member *member = &c->args[i].member;
        if (member->role == role && member->array == array && member->dimension == dimension)
            return i;
    }
    return c->n_args;
}

void contract_add_fact(contract *c, smt_t term, const char *text, const tr_place *place)
{
    TR_ASSERT(smt_is_bool(term));
    TR_ASSERT(text);
    contract_fact fact = {.term = term, .text = text, .place = place};
    arrput(c->facts, fact);
    c->says_nothing = false;
    if (c->source == CONTRACT_NONE)
        c->source = CONTRACT_SOURCE;
}

contract *contract_with_facts(smt_ctx *ctx, const contract *c, size_t n, const smt_t *facts)
{
    TR_ASSERT(n == 0 || facts);
    contract *more = tr_arena_copy(smt_arena(ctx), c, sizeof *c);
    more->facts = NULL;
    for (size_t i = 0; i < arrlenu(c->facts); i++)
        arrput(more->facts, c->facts[i]);
    for (size_t i = 0; i < n; i++)
        arrput(more->facts, ((contract_fact){.term = facts[i]}));
    return more;
}

smt_t contract_grid(smt_ctx *ctx, int axis)
{
    TR_ASSERT(axis >= 0 && axis < 3);
    static const char *const names[] = {"grid.x", "grid.y", "grid.z"};
    return smt_var(ctx, names[axis], 1, GRID_MAX);
}

/* The dots keep these apart from C identifiers: a kernel may have a parameter called `index`. */
smt_t contract_value(smt_ctx *ctx)
{
    return smt_var(ctx, "contents.value", SMT_NO_LOW, SMT_NO_HIGH);
}

smt_t contract_index(smt_ctx *ctx)
{
    return smt_var(ctx, "contents.index", SMT_NO_LOW, SMT_NO_HIGH);
}

/* Turns what a launch says of filling its buffers into facts on their contents. `fill` is for runs,
 * and no fact of a contract; but a kernel that is judged for launches that are filled so is held to
 * no other contents. */
#include "contract/launch_private.h"

#include <string.h>

typedef struct fill_facts { /* of a kind of `fill` */
    const char *kind;
    bool increasing;
    bool counts;       /* elements are 0 to n - 1, of n of them */
    int64_t low, high; /* of the others: what all elements lie between */
} fill_facts;

static const fill_facts all_kinds[] = {
    {"zeros", .increasing = true, .low = 0, .high = 0},
    {"iota", .increasing = true, .counts = true},
    {"permutation", .counts = true},
    {"range", .low = 0, .high = 255},
};

static const fill_facts *facts_of(const cJSON *fill)
{
    const cJSON *kind = cJSON_IsObject(fill) ? launch_get(fill, "kind") : fill;
    for (size_t k = 0; cJSON_IsString(kind) && k < TR_COUNT(all_kinds); k++)
        if (strcmp(kind->valuestring, all_kinds[k].kind) == 0)
            return &all_kinds[k];
    return NULL;
}

/* Elements of integers that begin where their buffer does. */
static bool is_fillable(const launch_builder *b, size_t i)
{
    const launch_param *param = &b->kernel->params[i];
    const contract_arg *arg = &b->c->args[i];
    const char *type = param->element_type;
    bool whole = param->element == LAUNCH_ELEMENT_INTEGER && param->element_bytes <= 8 &&
                 (param->element_bytes > 1 || (type && strcmp(type, "i8") == 0));
    return whole && !arg->offset && !contract_is_shared(b->c, arg) && !arg->contents.values &&
           !b->values[i];
}

static void add_bounds(launch_builder *b, contract_contents *facts, smt_t low, smt_t high)
{
    facts->min = facts->min ? smt_max(b->ctx, facts->min, low) : low;
    facts->max = facts->max ? smt_min(b->ctx, facts->max, high) : high;
}

/* If there are two statements, the one about more elements implies the other. */
static void add_unique(contract_contents *facts, smt_t when)
{
    if (!facts->unique || !when)
        facts->unique_when = when;
    facts->unique = true;
}

/* Numbers from 0 on, each once, as long as the type has enough of them: what is counted wraps in a
 * buffer that is longer. */
static void add_counted(launch_builder *b, size_t i, const fill_facts *of)
{
    contract_contents *facts = &b->c->args[i].contents;
    smt_t elements = b->c->args[i].elements;
    int bits = 8 * b->kernel->params[i].element_bytes;
    smt_int half = (smt_int)1 << (bits - 1), least, most;
    if (!elements)
        return;
    smt_bounds(elements, &least, &most);
    if (most <= half) {
        add_unique(facts, NULL);
        facts->increasing |= of->increasing;
        add_bounds(b, facts, smt_int_const(b->ctx, 0),
                   smt_sub(b->ctx, elements, smt_int_const(b->ctx, 1)));
    } else if (bits >= CONTRACT_NARROW) { /* of others nothing tells whether they are signed */
        smt_t fits = smt_le(b->ctx, elements, smt_int_const(b->ctx, half));
        add_unique(facts, smt_le(b->ctx, elements, smt_int_const(b->ctx, 2 * half)));
        add_bounds(b, facts,
                   smt_ite(b->ctx, fits, smt_int_const(b->ctx, 0), smt_int_const(b->ctx, -half)),
                   smt_sub(b->ctx, elements, smt_int_const(b->ctx, 1)));
    }
}

static void add_facts(launch_builder *b, size_t i, const fill_facts *of)
{
    contract_contents *facts = &b->c->args[i].contents;
    if (of->counts) {
        add_counted(b, i, of);
    } else if (of->high < (smt_int)1 << (8 * b->kernel->params[i].element_bytes - 1)) {
        facts->increasing |= of->increasing;
        add_bounds(b, facts, smt_int_const(b->ctx, of->low), smt_int_const(b->ctx, of->high));
    }
}

void launch_read_fills(launch_builder *b)
{
    for (size_t i = 0; i < b->c->n_args; i++) {
        const cJSON *fill = b->args[i] ? launch_get(b->args[i], "fill") : NULL;
        const fill_facts *of = fill ? facts_of(fill) : NULL;
        if (of && is_fillable(b, i))
            add_facts(b, i, of);
    }
}

/* TR011: a contract that no launch meets proves everything and means nothing. */
#include "rules/checker.h"

#include "base/ds.h"

enum { ASK = 100 * 1000 };

static bool never(checker *k, smt_t condition)
{
    return ask_never(k, condition, "contract", ASK);
}

/* No value of the element type lies in the stated range, whichever element it is. */
static bool range_is_empty(checker *k, const contract_arg *arg, int bits)
{
    smt_t index = contract_index(k->ctx);
    return never(k, contents_stated_of(k, arg, bits, index, contract_value(k->ctx))) &&
           !never(k, contents_in_extent(k, arg, index));
}

/* More elements than there are values in the stated range, and none shall equal another. */
static bool has_too_many(checker *k, const contract_arg *arg)
{
    smt_ctx *ctx = k->ctx;
    const contract_contents *c = &arg->contents;
    smt_t index = contract_index(ctx);
    if (!c->unique || c->unique_when || !arg->elements || !c->min || !c->max ||
        smt_contains(c->min, index) || smt_contains(c->max, index))
        return false;
    smt_t values = smt_add(ctx, smt_sub(ctx, c->max, c->min), smt_int_const(ctx, 1));
    return never(k, smt_le(ctx, arg->elements, values));
}

/* Why no contents of a buffer can be as they are stated; NULL: they can, as far as one sees. */
static const char *impossible_contents(checker *k, const contract *c)
{
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        const ir_type *type = k->kernel->body->args[i]->type;
        if (arg->kind != CONTRACT_POINTER || (!arg->contents.min && !arg->contents.max) ||
            !type->elem || !type->elem->elem || !ir_type_is_int(type->elem->elem))
            continue;
        const char *name = contract_buffer_of(arg);
        if (range_is_empty(k, arg, 8 * ir_type_bytes(type->elem->elem)))
            return tr_arena_printf(k->arena, "no element of '%s' can lie in the stated range",
                                   name);
        if (has_too_many(k, arg))
            return tr_arena_printf(k->arena,
                                   "'%s' has more elements than there are values in the stated "
                                   "range, and no two are to be equal",
                                   name);
    }
    return NULL;
}

bool contract_contents_fit(checker *k, const contract *c)
{
    return !impossible_contents(k, c);
}

void rule_contract(checker *k)
{
    bool always = smt_is_false(k->launch) || never(k, smt_bool_const(k->ctx, true));
    const char *why = always ? k->contract->contradiction : impossible_contents(k, k->contract);
    if (!always && !why)
        return;
    finding f = {.rule = RULE_CONTRACT,
                 .level = rule_info_of(RULE_CONTRACT)->level,
                 .confidence = CONFIDENCE_CONFIRMED,
                 .message = tr_arena_printf(k->arena, "no launch of '%s' meets its contract%s%s",
                                            k->kernel->shown, why ? ": " : "", why ? why : "")};
    f.locations = TR_NEW(k->arena, finding_location);
    f.n_locations = 1;
    f.locations[0] = (finding_location){
        .role = "contract", .place = k->contract->place ? k->contract->place : k->kernel->place};
    for (size_t i = 0; i < arrlenu(k->contract->facts); i++)
        if (k->contract->facts[i].place && smt_is_false(k->contract->facts[i].term))
            f.locations[0].place = k->contract->facts[i].place;
    f.locations[0].op_text = k->kernel->shown;
    arrput(k->findings, f);
    count_unknown(k, REASON_UNSUPPORTED_OP, k->kernel->place,
                  "the contract contradicts itself, so nothing follows from it");
}

/* The value of a term under given values of its variables and applications. */
#include "terms/eval.h"

#include "terms/bits.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/range.h"
#include "terms/walk.h"

#include "base/ds.h"

static smt_value known(smt_int number)
{
    return (smt_value){number, smt_fits(number)};
}

static const smt_value unknown = {0, false};

/* The operands of a node where they stand: copying them would take as long as most nodes do. */
typedef struct operands {
    const smt_value *values;  /* of all terms */
    const uint32_t *children; /* places of the operands among them */
} operands;

static const smt_value *operand(operands args, uint32_t i)
{
    return &args.values[args.children[i]];
}

static smt_value eval_sum(smt_t term, operands args)
{
    smt_int sum = term->value;
    for (uint32_t i = 0; i < term->n_args; i++) {
        smt_int product;
        const smt_value *x = operand(args, i);
        if (!x->known || !smt_safe_mul(term->coefs[i], x->number, &product) ||
            !smt_safe_add(sum, product, &sum))
            return unknown;
    }
    return known(sum);
}

static smt_value eval_product(smt_t term, operands args)
{
    smt_int product = 1;
    for (uint32_t i = 0; i < term->n_args; i++) {
        const smt_value *x = operand(args, i);
        if (!x->known || !smt_safe_mul(product, x->number, &product))
            return unknown;
    }
    return known(product);
}

static smt_value eval_division(smt_t term, operands args)
{
    const smt_value *over = operand(args, 0), *under = operand(args, 1);
    if (!over->known || !under->known || under->number == 0)
        return unknown;
    smt_int a = over->number, b = under->number, size = b < 0 ? -b : b;
    smt_int quotient = smt_floor_div(a, size);
    if (term->kind == SMT_MOD)
        return known(a - quotient * size);
    return known(b < 0 ? -quotient : quotient);
}

/* AND when `decisive` is 0, OR when it is 1. */
static smt_value eval_connective(smt_t term, operands args, smt_int decisive)
{
    bool all_known = true;
    for (uint32_t i = 0; i < term->n_args; i++) {
        const smt_value *x = operand(args, i);
        if (x->known && (x->number != 0) == (decisive != 0))
            return known(decisive);
        all_known &= x->known;
    }
    return all_known ? known(!decisive) : unknown;
}

static smt_value eval_lookup(smt_t term, operands args, smt_lookup lookup, void *user,
                             smt_int **numbers)
{
    if (term->n_args > 0)
        arrsetlen(*numbers, term->n_args);
    for (uint32_t i = 0; i < term->n_args; i++) {
        if (!operand(args, i)->known)
            return unknown;
        (*numbers)[i] = operand(args, i)->number;
    }
    smt_int number = 0;
    if (!lookup(user, term, term->n_args, *numbers, &number))
        return unknown;
    return known(smt_is_bool(term) ? number != 0 : number);
}

static smt_value eval_bits(smt_bits_op op, operands args)
{
    const smt_value *a = operand(args, 0), *b = operand(args, 1);
    return a->known && b->known ? known(smt_bits_value(op, a->number, b->number)) : unknown;
}

static smt_value eval_choice(operands args)
{
    const smt_value *condition = operand(args, 0);
    return condition->known ? *operand(args, condition->number != 0 ? 1 : 2) : unknown;
}

/* Computes the value of a term from those of its arguments; it may be known though some of them are
 * not. */
static smt_value eval_node(smt_t term, operands args, smt_lookup lookup, void *user,
                           smt_int **numbers)
{
    smt_bits_op bits;
    switch (term->kind) {
    case SMT_INT:
        return known(term->value);
    case SMT_APP:
        if (smt_is_bits(term, &bits))
            return eval_bits(bits, args);
        return eval_lookup(term, args, lookup, user, numbers);
    case SMT_VAR:
    case SMT_BVAR:
    case SMT_BAPP:
        return eval_lookup(term, args, lookup, user, numbers);
    case SMT_SUM:
        return eval_sum(term, args);
    case SMT_PROD:
        return eval_product(term, args);
    case SMT_NAMED:
        return *operand(args, 0);
    case SMT_DIV:
    case SMT_MOD:
        return eval_division(term, args);
    case SMT_ITE:
        return eval_choice(args);
    case SMT_TRUE:
        return known(1);
    case SMT_FALSE:
        return known(0);
    case SMT_NOT:
        return operand(args, 0)->known ? known(!operand(args, 0)->number) : unknown;
    case SMT_AND:
        return eval_connective(term, args, 0);
    case SMT_OR:
        return eval_connective(term, args, 1);
    case SMT_EQ:
        return operand(args, 0)->known ? known(operand(args, 0)->number == 0) : unknown;
    case SMT_LE:
        return operand(args, 0)->known ? known(operand(args, 0)->number <= 0) : unknown;
    }
    return unknown;
}

static bool no_lookup(void *user, smt_t term, size_t n_args, const smt_int *args, smt_int *value)
{
    (void)user, (void)term, (void)n_args, (void)args, (void)value;
    return false;
}

smt_value smt_eval_at(const smt_order *order, size_t place, const smt_value *values)
{
    return smt_eval_found(order, place, values, no_lookup, NULL, NULL);
}

smt_value smt_eval_found(const smt_order *order, size_t place, const smt_value *values,
                         smt_lookup lookup, void *user, smt_int **room)
{
    /* If no term has an operand, the array of operands is NULL. */
    operands args = {values, order->children ? &order->children[order->first[place]] : NULL};
    return eval_node(order->terms[place], args, lookup, user, room);
}

void smt_eval_order(const smt_order *order, smt_lookup lookup, void *user, smt_value *values)
{
    smt_int *numbers = NULL;
    size_t n = smt_order_count(order);
    if (n > 0)
        smt_tick(smt_node_of(order->terms[0])->ctx, n);
    for (size_t i = 0; i < n; i++) {
        values[i] = smt_eval_found(order, i, values, lookup, user, &numbers);
    }
    arrfree(numbers);
}

bool smt_eval(smt_t term, smt_lookup lookup, void *user, smt_int *result)
{
    TR_ASSERT(term && lookup);
    smt_order order;
    smt_order_make(&order, 1, &term);
    smt_value *values = NULL;
    arrsetlen(values, smt_order_count(&order));
    smt_eval_order(&order, lookup, user, values);
    smt_value last = values[smt_order_count(&order) - 1];
    if (last.known)
        *result = last.number;
    arrfree(values);
    smt_order_free(&order);
    return last.known;
}

/* ---- Section: Terms that are evaluated many times ---- */

enum { COMPUTED = -1 };

typedef struct instruction { /* one distinct subterm; its children come before it */
    smt_t term;
    int32_t input;        /* the number of the input that it is, or COMPUTED */
    uint32_t first_child; /* of `children` */
} instruction;

struct smt_compiled {
    size_t n_instructions, n;
    const instruction *instructions;
    const uint32_t *children;
    const uint32_t *results; /* of each term that was given: its instruction */
};

static int32_t input_of(smt_t term, size_t n_inputs, const smt_t *inputs)
{
    for (size_t i = 0; i < n_inputs; i++)
        if (inputs[i] == term)
            return (int32_t)i;
    return COMPUTED;
}

smt_compiled *smt_compile(smt_ctx *ctx, size_t n_inputs, const smt_t *inputs, size_t n,
                          const smt_t *terms)
{
    tr_arena *arena = smt_arena(ctx);
    smt_order order;
    smt_order_make(&order, n, terms);
    size_t count = smt_order_count(&order);
    instruction *instructions = TR_NEW_ARRAY(arena, instruction, count + 1);
    uint32_t *results = TR_NEW_ARRAY(arena, uint32_t, n + 1);
    for (size_t i = 0; i < count; i++)
        instructions[i] = (instruction){order.terms[i], input_of(order.terms[i], n_inputs, inputs),
                                        order.first[i]};
    for (size_t i = 0; i < n; i++)
        results[i] = smt_order_find(&order, terms[i]);
    smt_compiled *c = TR_NEW(arena, smt_compiled);
    *c = (smt_compiled){
        .n_instructions = count,
        .n = n,
        .instructions = instructions,
        .children =
            tr_arena_copy(arena, order.children, arrlenu(order.children) * sizeof *order.children),
        .results = results,
    };
    smt_order_free(&order);
    return c;
}

size_t smt_compiled_size(const smt_compiled *c)
{
    return c->n_instructions;
}

void smt_compiled_run(const smt_compiled *c, const smt_value *inputs, smt_lookup lookup, void *user,
                      smt_value *room, smt_value *values)
{
    smt_int *numbers = NULL;
    for (size_t i = 0; i < c->n_instructions; i++) {
        const instruction *one = &c->instructions[i];
        operands args = {room, &c->children[one->first_child]};
        room[i] = one->input != COMPUTED
                      ? inputs[one->input]
                      : eval_node(one->term, args, lookup ? lookup : no_lookup, user, &numbers);
    }
    for (size_t i = 0; i < c->n; i++)
        values[i] = room[c->results[i]];
    arrfree(numbers);
}

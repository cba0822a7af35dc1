/* Assignments: values, costs, and changes of one leaf at a time. */
#include "strategies/assignment.h"

#include "strategies/strategy.h"
#include "terms/eval.h"
#include "terms/poly.h"
#include "terms/walk.h"

#include "base/ds.h"

#include <string.h>

enum { MAX_NODES = 4000, MAX_LEAVES = 200, UNDEFINED = 200, FALSE_BOOLEAN = 8, MOST = 1000 };

smt_int repair_within(smt_t leaf, smt_int value)
{
    if (smt_is_bool(leaf))
        return value != 0;
    return value < leaf->low ? leaf->low : value > leaf->high ? leaf->high : value;
}

uint32_t repair_random(repair *r, uint32_t below)
{
    r->random ^= r->random << 13;
    r->random ^= r->random >> 7;
    r->random ^= r->random << 17;
    return (uint32_t)((r->random >> 20) % below);
}

/* ---- Section: Values ---- */

/* Applications of one function to equal arguments are equal: the first of them says what all are
 * worth. */
uint32_t repair_first_alike(const repair *r, uint32_t place)
{
    smt_t leaf = r->order.terms[place];
    for (size_t i = 0; leaf->n_args > 0 && i < arrlenu(r->leaves) && r->leaves[i] < place; i++) {
        uint32_t other = r->leaves[i];
        smt_t term = r->order.terms[other];
        bool same =
            term->kind == leaf->kind && term->name == leaf->name && term->n_args == leaf->n_args;
        for (uint32_t k = 0; k < leaf->n_args && same; k++) {
            smt_value a = r->values[repair_child(r, other, k)];
            smt_value b = r->values[repair_child(r, place, k)];
            same = a.known && b.known && a.number == b.number;
        }
        if (same)
            return other;
    }
    return place;
}

static smt_int value_of_leaf(const repair *r, uint32_t place)
{
    uint32_t first = repair_first_alike(r, place);
    return first == place ? r->own[place] : r->values[first].number;
}

static uint32_t size_of(smt_int value)
{
    uint32_t bits = 0;
    for (smt_int rest = value < 0 ? -value : value; rest > 0; rest >>= 1)
        bits++;
    return bits;
}

static uint32_t at_most(uint32_t badness)
{
    return badness < MOST ? badness : MOST;
}

static uint32_t badness_of(const repair *r, uint32_t place)
{
    smt_t term = r->order.terms[place];
    smt_value value = r->values[place];
    uint32_t total = 0, least = MOST;
    if (value.known && value.number != 0)
        return 0;
    switch (term->kind) {
    case SMT_AND:
        for (uint32_t k = 0; k < term->n_args; k++)
            total += r->badness[repair_child(r, place, k)];
        return at_most(total);
    case SMT_OR:
        for (uint32_t k = 0; k < term->n_args; k++) {
            uint32_t badness = r->badness[repair_child(r, place, k)];
            least = badness < least ? badness : least;
        }
        return least;
    case SMT_LE:
    case SMT_EQ:
        return value.known ? FALSE_BOOLEAN + size_of(r->values[repair_child(r, place, 0)].number)
                           : UNDEFINED;
    default:
        return value.known ? FALSE_BOOLEAN : UNDEFINED;
    }
}

static void evaluate_at(repair *r, uint32_t place)
{
    smt_t term = r->order.terms[place];
    smt_value before = r->values[place], now;
    if (repair_is_leaf(term))
        now = (smt_value){value_of_leaf(r, place), true};
    else
        now = smt_eval_at(&r->order, place, r->values);
    bool changed = now.known != before.known || (now.known && now.number != before.number);
    r->values[place] = now;
    if (smt_is_bool(term)) {
        uint64_t weight = r->weight[place];
        uint32_t badness = badness_of(r, place);
        changed |= badness != r->badness[place];
        r->cost += weight * badness - weight * r->badness[place];
        r->badness[place] = badness;
    }
    if (changed)
        r->touched[place] = r->change;
}

void repair_evaluate(repair *r)
{
    r->change++;
    for (uint32_t i = 0; i < smt_order_count(&r->order); i++)
        evaluate_at(r, i);
    r->work -= (long)smt_order_count(&r->order);
}

/* Did the change that is being made change an operand? */
static bool is_reached(const repair *r, uint32_t place)
{
    smt_t term = r->order.terms[place];
    for (uint32_t k = 0; k < term->n_args; k++)
        if (r->touched[repair_child(r, place, k)] == r->change)
            return true;
    return repair_is_leaf(term);
}

/* Evaluates anew what the leaf reaches, as far as values change. All of it counts as work: so
 * searches end where they would if all were evaluated. */
void repair_apply(repair *r, repair_change change)
{
    uint32_t from = r->first_dependent[change.leaf], to = r->first_dependent[change.leaf + 1];
    r->own[change.leaf] = change.value;
    r->change++;
    r->work -= (long)(to - from);
    for (uint32_t i = from; i < to; i++)
        if (is_reached(r, r->dependents[i]))
            evaluate_at(r, r->dependents[i]);
}

uint64_t repair_cost_with(repair *r, repair_change change)
{
    uint32_t from = r->first_dependent[change.leaf], to = r->first_dependent[change.leaf + 1];
    smt_int before = r->own[change.leaf];
    uint64_t cost_before = r->cost;
    arrsetlen(r->undo, 0);
    r->own[change.leaf] = change.value;
    r->change++;
    r->work -= (long)(to - from);
    for (uint32_t i = from; i < to; i++) {
        uint32_t place = r->dependents[i];
        if (!is_reached(r, place))
            continue;
        arrput(r->undo, ((struct repair_undo){place, r->badness[place], r->values[place]}));
        evaluate_at(r, place);
    }
    uint64_t cost = r->cost;
    for (size_t i = 0; i < arrlenu(r->undo); i++) {
        r->badness[r->undo[i].place] = r->undo[i].badness;
        r->values[r->undo[i].place] = r->undo[i].value;
    }
    r->own[change.leaf] = before;
    r->cost = cost_before;
    return cost;
}

void repair_weigh(repair *r)
{
    for (size_t i = 0; i < arrlenu(r->facts); i++) {
        uint32_t place = r->facts[i];
        if (r->badness[place] > 0) {
            r->weight[place]++;
            r->cost += r->badness[place];
        }
    }
}

/* ---- Section: Making ---- */

/* Finds what a leaf's value reaches. An application's value may be that of the others of its
 * function. */
static void find_dependents(repair *r, uint32_t leaf)
{
    size_t n = smt_order_count(&r->order);
    smt_t term = r->order.terms[leaf];
    bool *reached = NULL;
    arrsetlen(reached, n);
    memset(reached, 0, n * sizeof *reached);
    const char *function = term->n_args > 0 ? term->name : NULL;
    bool many = false; /* applications of several functions are reached: all of them count */
    for (uint32_t i = leaf; i < n; i++) {
        smt_t at = r->order.terms[i];
        bool applied = at->n_args > 0 && repair_is_leaf(at);
        bool found = i == leaf || (applied && (many || at->name == function));
        for (uint32_t k = 0; k < at->n_args && !found; k++)
            found = repair_child(r, i, k) >= leaf && reached[repair_child(r, i, k)];
        reached[i] = found;
        many |= found && applied && at->name != function;
        if (found)
            arrput(r->dependents, i);
    }
    arrfree(reached);
}

bool repair_init(repair *r, size_t n, const smt_t *facts)
{
    *r = (repair){.random = 0x9e3779b97f4a7c15u};
    smt_order_make(&r->order, n, facts);
    size_t count = smt_order_count(&r->order);
    if (count == 0 || count > MAX_NODES)
        return false;
    arrsetlen(r->values, count);
    arrsetlen(r->own, count);
    arrsetlen(r->badness, count);
    arrsetlen(r->weight, count);
    arrsetlen(r->touched, count);
    arrsetlen(r->wished, count);
    arrsetlen(r->first_dependent, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        smt_t term = r->order.terms[i];
        r->own[i] = 0;
        r->badness[i] = r->weight[i] = r->touched[i] = r->wished[i] = 0;
        r->values[i] = (smt_value){0, false};
        r->first_dependent[i] = (uint32_t)arrlenu(r->dependents);
        if (repair_is_leaf(term)) {
            arrput(r->leaves, i);
            find_dependents(r, i);
        }
    }
    r->first_dependent[count] = (uint32_t)arrlenu(r->dependents);
    for (size_t i = 0; i < n; i++) {
        arrput(r->facts, smt_order_find(&r->order, facts[i]));
        r->weight[r->facts[i]] = 1;
    }
    return arrlenu(r->leaves) <= MAX_LEAVES;
}

void repair_free(repair *r)
{
    smt_order_free(&r->order);
    arrfree(r->values);
    arrfree(r->own);
    arrfree(r->badness);
    arrfree(r->weight);
    arrfree(r->touched);
    arrfree(r->wished);
    arrfree(r->first_dependent);
    arrfree(r->dependents);
    arrfree(r->facts);
    arrfree(r->leaves);
    arrfree(r->undo);
    arrfree(r->changes);
}

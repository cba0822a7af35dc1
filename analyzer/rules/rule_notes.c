/* TR023, TR025, and TR026 in kernels whose blocks do not synchronise. rule_notes also calls the
 * notes of other files (notes.h). A note touches neither the verdict nor what the verdict rests on.
 */
#include "order/event.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/two_events.h"
#include "rules/add_finding.h"
#include "rules/notes.h"
#include "rules/rule.h"

#include "base/ds.h"

#include <string.h>

/* ---- Section: TR023, a wait for a tile block that may not have started ---- */

typedef struct wait_search {
    checker *k;
    const ir_op *loop;
    const ix_access *read; /* the read that the exit depends on */
    bool other;            /* the exit depends on what the loop changes by itself, too */
    bool carried;          /* what the iteration before made is being traced */
    bool *seen;            /* by value id */
} wait_search;

static const ix_loop *innermost_loop(const ix_access *a)
{
    return a->n_loops ? a->loops[a->n_loops - 1] : NULL;
}

/* Does the op leave the element as it is, or touch it only where it holds a value other than the 0
 * that it starts with? Acquiring a lock is no such op: the block that holds the lock has started.
 */
static bool waits_for_others(const ix_access *read)
{
    smt_int number;
    switch (read->change) {
    case IX_CHANGE_ADD:
    case IX_CHANGE_OR:
        return read->put && smt_is_const(read->put, &number) && number == 0;
    case IX_CHANGE_SWAP:
        return read->compare && smt_is_const(read->compare, &number) && number != 0;
    default:
        return !read->writes;
    }
}

typedef struct ticket_search {
    checker *k;
    bool found;
} ticket_search;

static void look_for_ticket(void *user, smt_t term)
{
    ticket_search *t = user;
    const ix_access *read = order_read_of(t->k, term);
    t->found |= read && read->atomic;
}

/* Numbers that are drawn are drawn by blocks that run: one with a smaller number has started. */
static bool is_picked_by_ticket(checker *k, const ix_access *read)
{
    ticket_search t = {.k = k};
    smt_visit(k->ctx, read->bytes, look_for_ticket, &t);
    return t.found;
}

static bool is_waited_for(checker *k, const ir_op *op, const ir_op *loop, const ix_access **found)
{
    const ix_access *read = access_of_op(k, op);
    if (!read || !read->reads || !read->got || read->unknown || read->ordering == IR_WEAK)
        return false;
    const ix_loop *inner = innermost_loop(read);
    if (!inner || inner->op != loop || smt_contains(read->bytes, inner->counter))
        return false;
    *found = read;
    return waits_for_others(read) && !is_picked_by_ticket(k, read);
}

/* Is the op of that kind and of this very loop? */
static bool is_jump_of(const ir_op *op, ir_opcode code, const ir_op *loop)
{
    if (op->code != code)
        return false;
    const ir_op *at = op->parent->parent;
    while (at && at->code == IR_OP_IF)
        at = at->parent->parent;
    return at == loop;
}

static void trace(wait_search *s, const ir_value *value);

/* A value that the loop carries may be what the preceding iteration has read, and not what it
 * counted. */
static void trace_carried(wait_search *s, const ir_value *carried)
{
    s->other |= s->carried;
    s->carried = true;
    for (const ir_op *op = ir_first_op(s->k->kernel); op && !s->other; op = ir_next_op(op))
        if (is_jump_of(op, IR_OP_CONTINUE, s->loop))
            trace(s, op->operands[carried->index]);
    s->carried = false;
}

/* Follows what the value is made of, inside the loop. */
static void trace(wait_search *s, const ir_value *value)
{
    if (value->type->kind == IR_TOKEN)
        return;
    if (!value->def && value->block->parent == s->loop) {
        trace_carried(s, value);
        return;
    }
    if (!value->def || s->seen[value->id])
        return;
    s->seen[value->id] = true;
    const ir_op *loops[IX_MAX_LOOPS];
    size_t n = ir_enclosing(value->def, IR_OP_LOOP, loops, TR_COUNT(loops));
    bool inside = false;
    for (size_t i = 0; i < n && i < TR_COUNT(loops); i++)
        inside |= loops[i] == s->loop;
    if (!inside)
        return;
    if (value->def->n_regions > 0) {
        s->other = true;
    } else if (ir_is_memory_op(value->def)) {
        if (!is_waited_for(s->k, value->def, s->loop, &s->read))
            s->other = true;
    } else {
        for (uint32_t i = 0; i < value->def->n_operands; i++)
            trace(s, value->def->operands[i]);
    }
}

/* The read that every exit of the loop depends on and nothing else; NULL: there is none. */
static const ix_access *read_waited_for(checker *k, const ir_op *loop)
{
    wait_search s = {
        .k = k, .loop = loop, .seen = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_values)};
    memset(s.seen, 0, k->kernel->n_values * sizeof *s.seen);
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op)) {
        if (is_jump_of(op, IR_OP_RETURN, loop))
            return NULL;
        if (!is_jump_of(op, IR_OP_BREAK, loop))
            continue;
        const ix_access *before = s.read;
        for (const ir_op *at = op->parent->parent; at != loop; at = at->parent->parent)
            trace(&s, ir_operand(at, IR_IF_condition));
        if (s.read == before)
            return NULL; /* another way out */
    }
    return s.other ? NULL : s.read;
}

/* Can a block stay in the loop on what the element held at launch? */
static bool stays_at_first(checker *k, const ix_access *read)
{
    order_event again = order_event_of(k, read, 1);
    query conjuncts = order_of_event(k, &again);
    query_add(k, &conjuncts,
              smt_le(k->ctx, smt_int_const(k->ctx, 1), again.counters[read->n_loops - 1]));
    order_event *values = order_values_behind(k, read, 1);
    for (size_t i = 0; i < arrlenu(values); i++) {
        bool assumed = false;
        if (values[i].access == read)
            query_add(k, &conjuncts, order_initial(k, &values[i], values[i].app, &assumed));
    }
    arrfree(values);
    return ask_briefly(k, conjuncts, "stays in the loop") != SMT_UNSAT;
}

static bool can_meet(checker *k, const ix_access *a, const ix_access *b)
{
    if (!order_may_share(a, b))
        return false;
    order_pair p = order_pair_of(k, a, b);
    return ask_briefly(k, p.both, "meets") == SMT_SAT;
}

static void note_wait(checker *k, const ix_loop *loop)
{
    const ix_access *read = read_waited_for(k, loop->op);
    const ix_access *setter = NULL;
    for (size_t i = 0; read && i < arrlenu(k->s->accesses); i++) {
        const ix_access *w = &k->s->accesses[i];
        if (!w->writes || w == read || !order_may_share(w, read))
            continue;
        for (size_t d = 0; d < w->n_loops; d++)
            if (w->loops[d]->op == loop->op)
                return; /* the loop itself changes what it looks at */
        if (!setter && can_meet(k, w, read))
            setter = w;
    }
    if (setter && stays_at_first(k, read))
        finding_add(k, RULE_SPIN, CONFIDENCE_POSSIBLE, read, setter, NULL,
                    "the loop may wait for a tile block that has not been started: it runs until "
                    "another one has written '%s'",
                    buffer_name(k, read));
}

/* ---- Section: TR025, sums whose rounding depends on the order ---- */

static bool adds_floats(const ir_op *op)
{
    switch (op->code) {
    case IR_OP_ATOMIC_RMW_TKO:
        return ir_attr_int(op, IR_AT_ATOMIC_RMW_TKO_mode, -1) == IR_ATOMIC_ADDF;
    case IR_OP_ATOMIC_RED_VIEW_TKO:
        return ir_attr_int(op, IR_AT_ATOMIC_RED_VIEW_TKO_mode, -1) == IR_ATOMIC_ADDF;
    default:
        return false;
    }
}

static bool meets_itself(checker *k, const ix_access *a)
{
    smt_t differ = smt_bool_const(k->ctx, false);
    for (int d = 0; d < a->rank; d++) {
        smt_t e = ix_coordinate(k->ctx, d, a->tile[d]);
        differ = smt_or(
            k->ctx, differ,
            smt_ne(k->ctx, copy_term(k, e, COPY_SAME_OP, 0), copy_term(k, e, COPY_SAME_OP, 1)));
    }
    query conjuncts = {0};
    copy_add_pair(k, &conjuncts, a, a, COPY_SAME_OP);
    query_add(k, &conjuncts, copy_same_location(k, a, a, COPY_SAME_OP));
    query_add(k, &conjuncts, differ);
    return !smt_is_false(differ) && ask_briefly(k, conjuncts, "adds twice") == SMT_SAT;
}

static void note_sum(checker *k, const ix_access *a)
{
    bool blocks = false;
    for (size_t i = 0; i < arrlenu(k->s->accesses) && !blocks; i++) {
        const ix_access *b = &k->s->accesses[i];
        blocks = adds_floats(b->op) && can_meet(k, a, b);
    }
    if (!blocks && !meets_itself(k, a))
        return;
    finding_add_op(
        k, RULE_FLOAT_ORDER, CONFIDENCE_POSSIBLE, a->op, NULL,
        "%s to one element of '%s' in no fixed order, and the order changes the rounding",
        blocks ? "several tile blocks add" : "several elements of one tile are added",
        buffer_name(k, a));
}

/* ---- Section: TR026, orders that nothing needs ---- */

static bool is_used(const checker *k, const ir_op *producer)
{
    for (const ir_op *op = ir_first_op(k->kernel); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++)
            if (op->operands[i]->def == producer && op->operands[i]->type->kind != IR_TOKEN)
                return true;
    return false;
}

/* Without synchronisation no weak read sees what another block writes in this launch. Where no
 * ordered read's value is used either, no block learns anything of another, and an order has
 * nothing to order. */
static bool nobody_learns(const checker *k)
{
    if (k->report->rests_on & (TRUST_BIT(TRUST_RELEASES) | TRUST_BIT(TRUST_UPDATES)))
        return false;
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->reads && a->ordering != IR_WEAK && is_used(k, a->op))
            return false;
    }
    return true;
}

static void note_order(checker *k, const ix_access *a)
{
    static const char *const names[] = {
        [IR_ACQUIRE] = "acquire", [IR_RELEASE] = "release", [IR_ACQ_REL] = "acq_rel"};
    finding_add_op(k, RULE_STRONGER_ORDER, CONFIDENCE_CONFIRMED, a->op, NULL,
                   "no access needs order %s on '%s': relaxed is enough", names[a->ordering],
                   buffer_name(k, a));
}

void rule_notes(checker *k)
{
    for (size_t i = 0; i < arrlenu(k->s->loops); i++)
        if (k->s->loops[i]->op->code == IR_OP_LOOP)
            note_wait(k, k->s->loops[i]);
    bool alone = k->report->verdict == VERDICT_RACE_FREE && !k->contract->pdl &&
                 k->contract->peers == CONTRACT_PEERS_NONE;
    bool orders_idle = alone && nobody_learns(k);
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (adds_floats(a->op))
            note_sum(k, a);
        if (orders_idle && a->ordering > IR_RELAXED)
            note_order(k, a);
    }
    if (alone && !orders_idle)
        notes_orders(k);
    if (alone)
        notes_tokens(k);
}

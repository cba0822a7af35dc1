/* TR028: what the kernel itself takes for granted (U7), and what the checker does where undefined
 * behaviour remains.
 *
 * An assume or assert that does not hold is undefined behaviour, so it is an obligation like an
 * index in its space: proved from the contract, an error with a witness where the contract speaks
 * of every quantity in it or where no launch of several tile blocks keeps it, and else a launch
 * precondition.
 *
 * Undefined behaviour never hides a race. While all of it is excluded or required to be excluded,
 * later questions may use that divisors are not 0 and that assumes hold. Once some of it remains
 * open, the summary is built again without these facts: accesses that do not depend on the
 * undefined operation are then compared as if it were not there. */
#include "rules/rule_assume.h"

#include "contract/expression.h"
#include "precondition/added.h"
#include "precondition/fact.h"
#include "precondition/life.h"
#include "precondition/of_event.h"
#include "precondition/starved.h"
#include "precondition/stated.h"
#include "question/accesses.h"
#include "question/ask.h"
#include "question/checker.h"
#include "question/decided.h"
#include "question/layout.h"
#include "question/term_words.h"
#include "rules/add_finding.h"
#include "rules/rule.h"
#include "rules/rule_hazards.h"
#include "rules/second_look.h"
#include "rules/undefined_fate.h"
#include "rules/wraps.h"
#include "witness/enumerate.h"
#include "witness/replay.h"

#include "base/ds.h"

#include <string.h>

static smt_t failure(checker *k, const ix_hazard *h)
{
    smt_t when = smt_and(k->ctx, h->path, smt_and(k->ctx, h->facts, h->assumed));
    return smt_and(k->ctx, when, smt_not(k->ctx, h->safe));
}

/* Is it proved that the op never fails? Where the contract is silent, only a short proof is tried:
 * what takes longer is required instead. */
static bool holds(checker *k, smt_t fails)
{
    if (smt_is_false(fails))
        return true;
    query conjuncts = query_with(k, query_of_launch(k), fails);
    return (contract_is_silent(k->contract)
                ? ask_briefly(k, conjuncts, "assume")
                : ask_event(k, conjuncts, "assume").verdict) == SMT_UNSAT;
}

/* ---- Section: what the launch alone decides ---- */

enum { MAX_SLICE = 200 }; /* ops; of more nobody asks */

static bool is_of_launch_value(checker *k, const ir_value *value, int *left);

/* Does the kernel write nothing of what the op reads? */
static bool reads_what_stays(const checker *k, const ir_op *op)
{
    const ix_access *a = access_of_op(k, op);
    return a && !a->writes && a->allocation >= 0 && !k->s->allocations[a->allocation].written;
}

static bool is_of_launch_op(checker *k, const ir_op *op, int *left)
{
    bool folds = op->code == IR_OP_REDUCE || op->code == IR_OP_SCAN;
    bool of_launch = --*left > 0 && (op->n_regions == 0 || folds) &&
                     (!ir_is_memory_op(op) || reads_what_stays(k, op));
    for (uint32_t i = 0; i < op->n_operands && of_launch; i++)
        of_launch =
            op->operands[i]->type->kind == IR_TOKEN || is_of_launch_value(k, op->operands[i], left);
    return of_launch;
}

static bool is_of_launch_value(checker *k, const ir_value *value, int *left)
{
    const ir_op *op = value->def;
    if (op)
        return is_of_launch_op(k, op, left);
    return value->block && !value->block->parent; /* a parameter; else a loop carries it */
}

/* Does whether the op is undefined in a tile block depend on the launch and on nothing that blocks
 * write? Then one run shows it for all. */
static bool is_decided_by_launch(checker *k, const ir_op *op)
{
    int left = MAX_SLICE;
    bool decided = is_of_launch_op(k, op, &left);
    for (const ir_op *around = op->parent->parent; around && decided;
         around = around->parent->parent)
        decided = around->code == IR_OP_IF && is_of_launch_value(k, around->operands[0], &left);
    return decided;
}

/* ---- Section: as a precondition ---- */

void rule_require_defined_op(checker *k, precondition_kind kind, const ix_hazard *h, bool kept,
                             const char *format, smt_t named)
{
    bool by_memory = require_undefined_by_memory(k, h->safe);
    if (!kept || by_memory)
        k->undefined.open = true; /* other blocks may decide it: the host cannot promise it */
    else
        arrput(k->undefined.kept_ops, h->op);
    if (kept && by_memory && is_decided_by_launch(k, h->op))
        arrput(k->undefined.run_ops, h->op);
    require_add_value(k, kind, failure(k, h), format, h->op, named);
}

/* ---- Section: assumes and asserts ---- */

static void found(checker *k, const ix_hazard *h, witness *w)
{
    bool assert = h->op->code == IR_OP_ASSERT;
    count_refuted(k);
    k->undefined.open = true;
    finding_add_op(k, RULE_ASSUME, CONFIDENCE_CONFIRMED, h->op, w,
                   assert ? "the asserted condition does not hold: %s"
                          : "the condition that is assumed here does not hold: %s",
                   term_words(k, h->safe));
}

/* The contract speaks of all quantities: an error, or open. */
static void stated(checker *k, const ix_hazard *h)
{
    const char *why;
    witness *w = enumerate_undefined(k, h->op, false);
    query fails = query_with(k, query_of_launch(k), failure(k, h));
    smt_answer answer = w ? (smt_answer){0} : ask_event(k, fails, "assume");
    if (!w && answer.verdict == SMT_SAT)
        w = witness_of_event(k, answer.model, h->op, false, &why);
    if (w) {
        found(k, h, w);
        return;
    }
    k->undefined.open = true;
    count_unknown(k, REASON_UNSUPPORTED_OP, h->op->place,
                  "it is not known whether this holds at every launch: %s", term_words(k, h->safe));
}

/* No fact on the launch keeps it: an error where no launch that counts does, else a precondition in
 * words. */
static void open(checker *k, const ix_hazard *h)
{
    const undefined_op u = require_undefined_hazard(h);
    witness *w;
    undefined_fate fate = rule_decide_undefined(k, &u, &w);
    if (fate == UNDEFINED_EVERYWHERE)
        found(k, h, w);
    else
        rule_require_defined_op(k, PRECONDITION_KERNEL_ASSUME, h, fate == UNDEFINED_AVOIDABLE,
                                h->op->code == IR_OP_ASSERT ? "what the kernel asserts holds: %s"
                                                            : "what the kernel assumes holds: %s",
                                h->safe);
}

static void decide(checker *k, const ix_hazard *h)
{
    /* A claim that never holds is a claim about the launches that get there. */
    smt_t about = smt_is_false(h->safe) ? h->path : h->safe;
    solver_window(k);
    if (holds(k, failure(k, h))) {
        note_proved_event(k, h->op, false);
    } else if (require_contract_constrains(k, about)) {
        stated(k, h);
    } else if (!require_of_event(k, PRECONDITION_KERNEL_ASSUME, h->op, h->safe, h->path, h->facts,
                                 h->assumed)) {
        open(k, h);
    }
}

/* Is it an assume about the launch alone that the contract leaves open? Only the launch can keep
 * such an assume.
 */
static bool is_of_launch(const checker *k, const ix_hazard *h)
{
    return h->kind == IX_ASSUME && smt_is_true(h->path) && !smt_is_false(h->safe) &&
           term_is_launch_constant(k, h->safe) && !require_contract_constrains(k, h->safe);
}

/* One precondition for each conjunct: a caller checks them one by one. */
static void add_each(checker *k, smt_t all)
{
    if (all->kind != SMT_AND) {
        require_add_fact(k, PRECONDITION_KERNEL_ASSUME, all);
        return;
    }
    for (uint32_t i = 0; i < all->n_args; i++)
        add_each(k, all->args[i]);
}

/* Do the tile blocks along the axis differ: is its id read, or does an access depend on its extent?
 * An extent that only asserts read is one that the kernel may ask to be 1. */
static bool axis_matters(const checker *k, int axis)
{
    const summary *s = k->s;
    smt_t extent = s->grid[axis];
    bool matters = s->reads_id[axis];
    for (size_t i = 0; i < arrlenu(s->accesses) && !matters; i++) {
        const ix_access *a = &s->accesses[i];
        matters = smt_contains(a->path, extent) || (a->mask && smt_contains(a->mask, extent)) ||
                  (a->bytes && smt_contains(a->bytes, extent));
    }
    return matters;
}

/* Would the fact leave a single block on an axis along which blocks differ, or a single iteration
 * of a loop? No precondition may do that. */
static bool is_forbidden(checker *k, smt_t fact)
{
    bool matters[3];
    for (int axis = 0; axis < 3; axis++)
        matters[axis] = axis_matters(k, axis);
    return require_forces_some(k, fact, matters) || require_fact_starves(k, fact);
}

/* Front ends state of every array that its extents are not negative and how they are aligned: all
 * that the contract does not say already is one precondition. One that is forbidden is none: sets
 * `forbidden`, by hazard. */
static void require_of_launch(checker *k, bool *forbidden)
{
    smt_ctx *ctx = k->ctx;
    smt_t all = smt_bool_const(ctx, true), kept = all;
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (!is_of_launch(k, h))
            continue;
        bool stated = !contract_is_silent(k->contract);
        if (!stated || (!holds(k, smt_not(ctx, h->safe)) && !holds(k, failure(k, h))))
            all = smt_and(ctx, all, h->safe);
    }
    bool any = is_forbidden(k, all);
    for (size_t i = 0; i < arrlenu(k->s->hazards) && any; i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (!is_of_launch(k, h))
            continue;
        forbidden[i] = is_forbidden(k, smt_and(ctx, kept, h->safe));
        kept = forbidden[i] ? kept : smt_and(ctx, kept, h->safe);
    }
    all = any ? kept : all;
    if (!smt_is_true(all))
        add_each(k, all);
}

void rule_assumes(checker *k)
{
    bool *forbidden = TR_NEW_ARRAY(k->arena, bool, arrlenu(k->s->hazards) + 1);
    require_of_launch(k, forbidden);
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (h->kind == IX_ASSUME && (forbidden[i] || !is_of_launch(k, h)))
            decide(k, h);
    }
}

/* ---- Section: what remains undefined hides nothing ---- */

/* Is it a precondition, stated in words, that the op is defined? Then its facts hold at every
 * launch that counts. One that is a term is in k->known.launch, and proofs find it there. */
static bool is_kept(const checker *k, const ir_op *op)
{
    for (size_t i = 0; i < arrlenu(k->undefined.kept_ops); i++)
        if (k->undefined.kept_ops[i] == op)
            return true;
    return false;
}

static bool is_unmodelled(const ix_hazard *h)
{
    return !h->undefined && h->kind != IX_ASSUME;
}

static bool never_happens(checker *k, smt_t path, smt_t facts, smt_t fails)
{
    query conjuncts = query_of_launch(k);
    query_add(k, &conjuncts, path);
    query_add(k, &conjuncts, facts);
    return ask_event(k, query_with(k, conjuncts, fails), "doubted").verdict == SMT_UNSAT;
}

/* Finds, by ordinal, the operations that happen without undefined behaviour before them, among
 * those whose terms differ from the machine's values when a value is negative or wraps. */
static bool *find_reached(checker *k)
{
    bool *reached = TR_NEW_ARRAY(k->arena, bool, k->kernel->n_ops + 1);
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (is_unmodelled(h) && !reached[h->op->ordinal])
            reached[h->op->ordinal] =
                !never_happens(k, h->path, h->facts, smt_bool_const(k->ctx, true));
    }
    return reached;
}

/* The others are reached now. Nothing was asked of them, and nothing is proved where they fail. */
static void leave_others_open(checker *k, const bool *reached)
{
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        if (is_unmodelled(h) && !reached[h->op->ordinal] &&
            !never_happens(k, h->path, h->facts, smt_not(k->ctx, h->safe)))
            hazard_leave_open(k, h);
    }
}

void doubt_undefined(checker *k)
{
    if (!k->undefined.open)
        return;
    size_t n = k->kernel->n_ops + 1;
    bool *doubted = TR_NEW_ARRAY(k->arena, bool, n);
    bool any = false;
    if (k->wraps.doubted) /* what wraps does so in both */
        memcpy(doubted, k->wraps.doubted, n * sizeof *doubted);
    for (size_t i = 0; i < arrlenu(k->s->hazards); i++) {
        const ix_hazard *h = &k->s->hazards[i];
        bool gives_facts = h->kind == IX_ASSUME || h->kind == IX_DIVISION || h->kind == IX_STEP;
        if (gives_facts && !is_kept(k, h->op))
            any = doubted[h->op->ordinal] = true;
    }
    if (!any)
        return;
    const bool *reached = find_reached(k);
    k->wraps.doubted = doubted;
    /* Facts that hold of every launch are the same in both: k->known.launch and k->given stay. */
    wraps_take_summary(k,
                       summary_build_doubting(k->arena, k->ctx, k->kernel, k->contract, doubted));
    leave_others_open(k, reached);
}

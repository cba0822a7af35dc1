/* The solver, asked once for a `sat` and twice for an `unsat`.
 *
 * A model is evaluated against every term of the question, so a wrong `sat` proves nothing. A wrong
 * `unsat` would make a race disappear. So it counts only where a second process of the solver says
 * so too, and of another question: its facts in the opposite order and taken apart into two cases,
 * with other seeds, another arithmetic, and by the solver that starts afresh where the first had
 * one that is incremental. Where these leave the second question open, the first is put to the
 * second process as it was. Then it is asked a question whose solution is at hand: those of the
 * facts that hold where each variable has the value nearest to 0 in its range. A solver to which
 * everything is `unsat`, or that takes one answer for the other, is wrong about that one. What
 * answers a question in two ways, or says that such a question has no solution, is no longer asked.
 */
#include "solver/confirm.h"

#include "solver/answer.h"
#include "solver/model.h"
#include "solver/process.h"
#include "solver/prover.h"
#include "solver/task.h"
#include "terms/node.h"
#include "terms/poly.h"
#include "terms/print_smtlib.h"

#include "base/ds.h"

enum {
    NON_LINEAR = SMT_HAS_SYMBOLIC | SMT_HAS_PRODUCT,
    AGAIN = 2,                  /* times the steps of the first answer */
    AGAIN_AT_LEAST = 15 * 1000, /* at least this many, for each question of the second time */
};

typedef struct putting {
    smt_task *task;
    size_t n;
    const smt_t *terms;
    bool far_bounds;
} putting;

static void note_failure(smt_prover *prover, smt_unknown_kind why, const char *text)
{
    smt_failure failure = {why, text};
    arrput(prover->failures, failure);
    prover->statistics.noted = arrlenu(prover->failures);
}

static smt_reply take(smt_task *task, smt_reply reply)
{
    smt_take_steps(task->ctx, reply.steps);
    if (reply.why >= SMT_WHY_BUDGET)
        note_failure(task->prover, reply.why, reply.text);
    task->prover->statistics.failures += reply.why >= SMT_WHY_BUDGET;
    return reply;
}

static smt_asking kind_of(size_t n, const smt_t *terms)
{
    uint32_t flags = 0;
    for (size_t i = 0; i < n; i++)
        flags |= smt_node_of(terms[i])->flags;
    return flags & NON_LINEAR ? SMT_ASK_ANY : SMT_ASK_LINEAR;
}

/* ---- Section: The second time ---- */

/* Returns the condition that the question is split by: the first part of a disjunction, or the
 * middle of a variable's values. NULL: nothing offers itself. */
static smt_t split_by(smt_ctx *ctx, size_t n, const smt_t *terms, const smt_script *script)
{
    for (size_t i = 0; i < n; i++)
        if (terms[i]->kind == SMT_OR)
            return terms[i]->args[0];
    for (size_t i = 0; i < arrlenu(script->wanted); i++) {
        smt_t variable = script->wanted[i];
        if (variable->kind != SMT_VAR || smt_is_bool(variable))
            continue;
        bool low = variable->low > SMT_NO_LOW, high = variable->high < SMT_NO_HIGH;
        smt_int middle = low && high ? variable->low / 2 + variable->high / 2 : 0;
        if (low && !high)
            middle = variable->low;
        return smt_le(ctx, variable, smt_int_const(ctx, middle));
    }
    return NULL;
}

static smt_solver *second_solver(smt_prover *prover)
{
    if (!prover->second)
        prover->second =
            smt_solver_new(prover->arena, prover->command, prover->options.patience_ms);
    return prover->second;
}

/* One of the cases, or all of them (`part` is NULL), with the facts in the opposite order. */
static smt_reply put_reversed(const putting *p, smt_t part, smt_steps steps)
{
    smt_task *task = p->task;
    smt_t *terms = NULL;
    if (part)
        arrput(terms, part);
    for (size_t i = p->n; i > 0; i--)
        arrput(terms, p->terms[i - 1]);
    smt_script script;
    smt_script_make(&script, arrlenu(terms), terms, p->far_bounds);
    smt_solver *solver = second_solver(task->prover);
    smt_solver_set_form(solver, SMT_SECOND_FORM);
    smt_reply reply =
        take(task, smt_solver_ask(solver, &script, SMT_ASK_ANY, steps, smt_budget(task->ctx)));
    smt_script_free(&script);
    arrfree(terms);
    return reply;
}

/* UNSAT where each case is; any other answer of a case is that of the whole. */
static smt_reply put_in_cases(const putting *p, const smt_script *script, smt_steps steps)
{
    smt_ctx *ctx = p->task->ctx;
    smt_t part = split_by(ctx, p->n, p->terms, script);
    smt_reply reply = put_reversed(p, part, steps);
    if (part && reply.verdict == SMT_UNSAT)
        reply = put_reversed(p, smt_not(ctx, part), steps);
    return reply;
}

static smt_reply contradicts(smt_prover *prover, const char *text)
{
    prover->contradiction = text;
    note_failure(prover, SMT_WHY_CONTRADICTS, text);
    prover->statistics.failures++;
    return (smt_reply){.verdict = SMT_UNKNOWN, .why = SMT_WHY_CONTRADICTS, .text = text};
}

/* Says the solver that facts which hold together do not? Contents of buffers are left out: that
 * equal places have equal contents would have to hold as well. */
static bool denies_a_solution(const putting *p)
{
    smt_task *task = p->task;
    static const smt_model nearest_to_0 = {0};
    smt_t *terms = NULL;
    for (size_t i = 0; i < p->n; i++) {
        smt_int value;
        if (!smt_has(p->terms[i], SMT_HAS_APP) &&
            smt_model_eval(&nearest_to_0, p->terms[i], &value) && value)
            arrput(terms, p->terms[i]);
    }
    smt_script script;
    smt_script_make(&script, arrlenu(terms), terms, p->far_bounds);
    arrsetlen(script.wanted, 0); /* the solution is at hand */
    smt_solver *solver = second_solver(task->prover);
    smt_solver_set_form(solver, SMT_SECOND_FORM);
    smt_reply reply = take(task, smt_solver_ask(solver, &script, kind_of(arrlenu(terms), terms),
                                                AGAIN_AT_LEAST, smt_budget(task->ctx)));
    smt_script_free(&script);
    arrfree(terms);
    return reply.verdict == SMT_UNSAT;
}

static smt_reply confirm(const putting *p, const smt_script *script, smt_asking how,
                         smt_steps limit, smt_reply first)
{
    smt_task *task = p->task;
    smt_prover *prover = task->prover;
    smt_steps steps = AGAIN * first.steps + AGAIN_AT_LEAST;
    smt_reply second = put_in_cases(p, script, steps);
    if (second.verdict == SMT_UNKNOWN && second.why < SMT_WHY_BUDGET) {
        smt_solver *solver = second_solver(prover);
        smt_solver_set_form(solver, SMT_FIRST_FORM);
        second = take(task, smt_solver_ask(solver, script, how, limit, smt_budget(task->ctx)));
    }
    if (second.verdict == SMT_UNSAT && denies_a_solution(p))
        return contradicts(prover, "The solver contradicts what is known: it said that a question "
                                   "whose solution is at hand has none.");
    if (second.verdict == SMT_UNSAT)
        return first;
    if (second.verdict == SMT_SAT)
        return contradicts(prover, "The solver contradicts itself: it said of one question that it "
                                   "has no solution, and that it has one.");
    if (second.why == SMT_WHY_STEPS)
        second.text = "The solver could not prove it a second time in these steps.";
    return second;
}

/* ---- Section: Asking ---- */

smt_reply smt_put(smt_task *task, size_t n, const smt_t *terms, smt_steps steps, bool far_bounds,
                  smt_script *script)
{
    smt_prover *prover = task->prover;
    if (!prover->solver) {
        if (!prover->asks_none) /* else it is as was asked for, and nothing has failed */
            note_failure(prover, SMT_WHY_MISSING, prover->why_no_solver);
        return (smt_reply){SMT_UNKNOWN, SMT_WHY_MISSING, prover->why_no_solver, NULL, 0};
    }
    if (prover->contradiction)
        return (smt_reply){SMT_UNKNOWN, SMT_WHY_CONTRADICTS, prover->contradiction, NULL, 0};
    if (steps == 0)
        return (smt_reply){SMT_UNKNOWN, SMT_WHY_STEPS, "The question's steps are used up.", NULL,
                           0};
    smt_script_make(script, n, terms, far_bounds);
    smt_asking how = kind_of(n, terms);
    smt_reply reply =
        take(task, smt_solver_ask(prover->solver, script, how, steps, smt_budget(task->ctx)));
    if (reply.verdict == SMT_UNSAT) {
        putting p = {task, n, terms, far_bounds};
        reply = confirm(&p, script, how, steps, reply);
        task->leaned |= reply.verdict == SMT_UNSAT;
    }
    task->cut_short |= reply.why == SMT_WHY_STEPS;
    return reply;
}

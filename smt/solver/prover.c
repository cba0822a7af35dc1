/* Provers: a context, a solver and what was answered. */
#include "solver/prover.h"

#include "solver/answer.h"
#include "solver/find_solver.h"
#include "solver/process.h"
#include "solver/remember.h"
#include "solver/task.h"

#include "base/ds.h"

smt_prover *smt_prover_new(smt_ctx *ctx, const smt_options *options)
{
    tr_arena *arena = tr_arena_new();
    smt_prover *prover = TR_NEW(arena, smt_prover);
    prover->ctx = ctx;
    prover->arena = arena;
    prover->memory = smt_memory_new();
    if (options)
        prover->options = *options;
    const char *command = prover->options.solver;
    if (!command)
        command = smt_find_solver(arena, &prover->why_no_solver);
    prover->command = command;
    prover->asks_none = command && !*command;
    if (prover->asks_none)
        prover->why_no_solver = "No solver is asked.";
    else if (command)
        prover->solver = smt_solver_new(arena, command, prover->options.patience_ms);
    return prover;
}

void smt_prover_free(smt_prover *prover)
{
    if (!prover)
        return;
    smt_solver_free(prover->solver);
    smt_solver_free(prover->second);
    arrfree(prover->failures);
    smt_memory_free(prover->memory);
    tr_arena_free(prover->arena);
}

const char *smt_prover_solver(smt_prover *prover)
{
    return prover->solver ? smt_solver_name(prover->solver, 10000) : "unknown";
}

const char *smt_prover_failure(const smt_prover *prover)
{
    const char *unusable = prover->solver ? smt_solver_unusable(prover->solver) : NULL;
    return unusable ? unusable : prover->not_kept;
}

smt_statistics smt_prover_statistics(const smt_prover *prover)
{
    smt_statistics statistics = prover->statistics;
    if (prover->solver) {
        statistics.solver_calls = smt_solver_calls(prover->solver);
        statistics.restarts = smt_solver_restarts(prover->solver);
    }
    if (prover->second) {
        statistics.solver_calls += smt_solver_calls(prover->second);
        statistics.restarts += smt_solver_restarts(prover->second);
    }
    return statistics;
}

smt_failure smt_prover_failed_since(const smt_prover *prover, size_t noted)
{
    smt_failure gravest = {SMT_WHY_NONE, NULL};
    for (size_t i = noted; i < arrlenu(prover->failures); i++)
        if (prover->failures[i].why > gravest.why)
            gravest = prover->failures[i];
    return gravest;
}

const char *smt_prover_contradiction(const smt_prover *prover)
{
    return prover->contradiction;
}

const char *smt_prover_maps(const smt_prover *prover)
{
    return prover->solver ? smt_solver_maps(prover->solver) : NULL;
}

void smt_prover_forget(smt_prover *prover)
{
    smt_memory_free(prover->memory);
    prover->memory = smt_memory_new();
    prover->contradiction = NULL;
    if (prover->solver)
        smt_solver_stop(prover->solver);
    if (prover->second)
        smt_solver_stop(prover->second);
}

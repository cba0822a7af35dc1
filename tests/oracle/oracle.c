/* Brute force against the verdict: every kernel of the files given is run on small launches that
 * meet its contract, every pair of events is looked at, and what is seen must be what the checker
 * says.
 *
 *   - race-free: no launch shows a race;
 *   - conditional: no launch that meets the preconditions shows one;
 *   - race: every pair of ops that races in some launch has a finding;
 *   - an index outside its space, an access outside its buffer, a wrap that some launch shows has a
 *     finding (or a require that excludes it).
 *
 * Usage: oracle [-n LAUNCHES] FILE...   One line a kernel; exit code 1 when one disagrees. */
#include "contract/contract.h"
#include "dialect/dialect.h"
#include "interp/interp.h"
#include "launch/from_contract.h"
#include "launch/search.h"
#include "rules/rules.h"

#include "../random/compare.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RACES = 1024 };

typedef struct tally {
    size_t kernels, launches, races, failures;
} tally;

static bool has_race_finding(const kernel_report *report, const ir_op *a, const ir_op *b)
{
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        if (!rule_is_race(f->rule))
            continue;
        uint32_t x = f->locations[0].op_ordinal;
        uint32_t y = f->locations[f->n_locations - 1].op_ordinal; /* one op against itself: x */
        if ((x == a->ordinal && y == b->ordinal) || (x == b->ordinal && y == a->ordinal))
            return true;
    }
    return false;
}

static bool has_bounds_finding(const kernel_report *report, const ir_op *op)
{
    for (size_t i = 0; i < report->n_findings; i++)
        if (report->findings[i].n_locations == 1 &&
            report->findings[i].locations[0].op_ordinal == op->ordinal)
            return true;
    for (size_t i = 0; i < report->n_requires; i++)
        if (report->requires_[i].what.class_ != PRECONDITION_CLASS_STANDING ||
            (report->requires_[i].what.kind != PRECONDITION_DISTINCT_BUFFERS &&
             report->requires_[i].what.kind != PRECONDITION_GRID_AXIS))
            return true; /* the launch may be one that a require excludes */
    return report->verdict == VERDICT_UNKNOWN;
}

static void say(const ir_function *kernel, const contract *c, const concrete_launch *launch,
                const char *what, const ir_op *op)
{
    tr_text text = {0};
    concrete_launch_print(&text, kernel, c, launch);
    printf("  FAILED %s at line %u: %s\n", what, op->place ? op->place->line : 0,
           tr_text_get(&text));
    tr_text_free(&text);
}

static bool is_left_out(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel, contract *c,
                        const kernel_report *report, const concrete_launch *launch)
{
    sample s = {.kernel = kernel, .contract = c};
    return report->verdict == VERDICT_CONDITIONAL && !compare_meets(arena, ctx, &s, report, launch);
}

static bool launch_agrees(const ir_function *kernel, const contract *c, const kernel_report *report,
                          const concrete_launch *launch, bool left_out, tally *t)
{
    model_choices model = model_default_choices();
    interp_limits limits = {.steps = 8000000, .events = 4000000};
    interp_run *run = interp_execute(kernel, launch, &model, &limits, NULL);
    bool agrees = true, synchronisation;
    static interp_race races[MAX_RACES];
    size_t n = interp_find_races(run, false, races, MAX_RACES, &synchronisation);
    if (synchronisation)
        n = 0;
    t->races += n;
    for (size_t i = 0; i < n && i < MAX_RACES; i++) {
        const ir_op *a = interp_instance_of(run, races[i].a.instance)->op;
        const ir_op *b = interp_instance_of(run, races[i].b.instance)->op;
        if (report->verdict == VERDICT_UNKNOWN || left_out || has_race_finding(report, a, b))
            continue;
        say(kernel, c, launch, "race without a finding", a);
        agrees = false;
    }
    const interp_ub *ubs;
    size_t n_ubs = interp_ubs(run, &ubs);
    for (size_t i = 0; i < n_ubs; i++) {
        if (has_bounds_finding(report, ubs[i].op))
            continue;
        say(kernel, c, launch, "undefined behaviour without a finding", ubs[i].op);
        agrees = false;
        break;
    }
    t->launches += interp_run_status(run) == INTERP_DONE;
    interp_run_free(run);
    return agrees;
}

static void check_kernel(tr_arena *arena, smt_ctx *ctx, smt_prover *prover,
                         const ir_function *kernel, contract *c, size_t wanted, tally *t)
{
    static const char *const verdicts[] = {"race-free", "conditional", "race", "unknown"};
    rules_options options = {.model = model_default_choices()};
    kernel_report *report = rules_check(arena, ctx, prover, kernel, c, &options);
    interp_search search = {.wanted = wanted, .max_blocks = 64, .max_elements = 1 << 20};
    concrete_launch **launches;
    size_t n = concrete_enumerate_launches(arena, ctx, kernel, c, &search, &launches);
    size_t before_races = t->races, before_launches = t->launches;
    bool agrees = true;
    for (size_t i = 0; i < n && agrees; i++)
        agrees = launch_agrees(kernel, c, report, launches[i],
                               is_left_out(arena, ctx, kernel, c, report, launches[i]), t);
    printf("%-36s %-10s %3zu launches, %4zu racing pairs%s\n", kernel->shown,
           verdicts[report->verdict], t->launches - before_launches, t->races - before_races,
           agrees ? "" : "  DISAGREES");
    t->kernels++;
    t->failures += !agrees;
}

static void check_file(const char *path, smt_prover *shared, smt_ctx *ctx, size_t wanted, tally *t)
{
    tr_arena *arena = tr_arena_new();
    tr_errors errors = tr_errors_make(arena);
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    dialect_unit unit;
    if (dialect_read(arena, ctx, path, &options, &unit, &errors)) {
        for (size_t i = 0; i < unit.n_kernels; i++) {
            contract_settle_ranges(ctx, unit.contracts[i], NULL);
            check_kernel(arena, ctx, shared, unit.kernels[i], unit.contracts[i], wanted, t);
            contract_free(unit.contracts[i]);
        }
        ir_module_free(unit.module);
    } else {
        printf("%s: not read: %s\n", path, errors.items ? errors.items[0].text : "no reason");
        t->failures++;
    }
    tr_errors_free(&errors);
    tr_arena_free(arena);
}

int main(int argc, char **argv)
{
    size_t wanted = 12;
    tally t = {0};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-n") == 0 && i + 1 < argc) {
            wanted = strtoul(argv[++i], NULL, 10);
            continue;
        }
        smt_ctx *ctx = smt_ctx_new();
        smt_options options = {0};
        smt_prover *prover = smt_prover_new(ctx, &options);
        check_file(argv[i], prover, ctx, wanted, &t);
        smt_prover_free(prover);
        smt_ctx_free(ctx);
    }
    printf("%zu kernels on %zu launches, %zu racing pairs seen\n", t.kernels, t.launches, t.races);
    printf("%zu passed, %zu failed\n", t.kernels - t.failures, t.failures);
    return t.failures ? 1 : 0;
}

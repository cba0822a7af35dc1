/* Mutation run: every detail of every synchronising kernel weakened, one at a time. The checker has
 * to catch each mutant that can race; what it calls race-free must not race on any small launch, by
 * all executions.
 *
 * Usage: mutants [-n LAUNCHES] [-steps THOUSANDS] [-table] [-v] FILE...
 * -table writes the mutants as rows of a Markdown table. Exit code 1 when a race was missed, or
 * when a kernel as it stands is not race-free. */
#include "weaken.h"

#include "base/ds.h"
#include "dialect/dialect.h"
#include "executions/executions.h"
#include "launch/search.h"
#include "rules/rules.h"

#include <stdio.h>
#include <stdlib.h>

/* What checker and enumerator say together. */
#define FATES(X)                                                                                   \
    X(CAUGHT, "caught")     /* the verdict is race */                                              \
    X(UNPROVED, "unproved") /* unknown, and some launch races */                                   \
    X(UNPROVED_NO_RACE, "unproved, no race seen")                                                  \
    X(EQUIVALENT, "equivalent")       /* race-free, and no launch races */                         \
    X(UNSEEN, "caught, no race seen") /* the verdict is race, no small launch shows one */         \
    X(MISSED, "MISSED")               /* race-free, and some launch races */

typedef enum fate {
#define X(name, text) name,
    FATES(X)
#undef X
        N_FATES
} fate;

static const char *const fate_texts[] = {
#define X(name, text) text,
    FATES(X)
#undef X
};

typedef struct run {
    size_t wanted; /* launches of a kernel */
    smt_steps steps;
    bool table, verbose;
    size_t fates[N_FATES], kernels, open, broken;
    /* The kernel at hand. */
    tr_arena *arena;
    smt_ctx *ctx;
    smt_prover *prover;
    const char *path;
    const ir_function *kernel;
    const contract *contract;
    concrete_launch **launches;
    size_t n_launches;
} run;

/* ---- Two opinions ---- */

static kernel_report *check(run *r, tr_arena *arena)
{
    rules_options options = {.model = model_default_choices(), .steps = r->steps};
    return rules_check(arena, r->ctx, r->prover, r->kernel, r->contract, &options);
}

/* Does some launch race? *decided: for how many that is known. */
static bool some_launch_races(run *r, tr_arena *arena, size_t *decided)
{
    executions_limits limits = {.milliseconds = 1500};
    *decided = 0;
    for (size_t i = 0; i < r->n_launches; i++) {
        executions_part part = {.kernel = r->kernel, .launch = r->launches[i]};
        const executions *x = executions_find(arena, 1, &part, NULL, &limits, EXECUTIONS_RACES);
        if (x->answer == EXECUTIONS_RACE)
            return true;
        *decided += x->answer == EXECUTIONS_RACE_FREE;
    }
    return false;
}

static fate fate_of(verdict_kind verdict, bool races)
{
    if (verdict == VERDICT_RACE || verdict == VERDICT_CONDITIONAL) /* both show a race */
        return races ? CAUGHT : UNSEEN;
    if (verdict == VERDICT_RACE_FREE)
        return races ? MISSED : EQUIVALENT;
    return races ? UNPROVED : UNPROVED_NO_RACE;
}

/* ---- Output ---- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

static void print_mutant(const run *r, const mutant *m, const kernel_report *report, fate f)
{
    static const char *const kinds[] = {"order", "scope", "token", "guard"};
    const char *separator = r->table ? " | " : "  ";
    printf("%s%s%s%u%s%s%s%s %s%s%s%s", r->table ? "| " : "", base_name(r->path), separator,
           m->op->place ? m->op->place->line : 0, separator, ir_op_info_of(m->op->code)->mnemonic,
           separator, kinds[m->kind], m->kind == MUTANT_TOKEN ? "without " : "to ", m->what,
           separator, fate_texts[f]);
    printf("%s", separator);
    const char *last = "", *comma = "";
    for (size_t i = 0; i < report->n_findings; i++) {
        const char *code = rule_info_of(report->findings[i].rule)->code;
        if (strcmp(code, last) != 0)
            printf("%s%s", comma, code);
        last = code;
        comma = " ";
    }
    printf("%s\n", r->table ? " |" : "");
    fflush(stdout);
}

/* ---- One kernel ---- */

static void try_mutant(run *r, const mutant *m, const spare *s)
{
    tr_arena *arena = tr_arena_new();
    undo u = mutant_apply(m, s);
    size_t decided;
    bool races = some_launch_races(r, arena, &decided);
    kernel_report *report = check(r, arena);
    fate f = fate_of(report->verdict, races);
    r->fates[f]++;
    r->open += f == EQUIVALENT && decided == 0;
    if (r->table || r->verbose || f == MISSED)
        print_mutant(r, m, report, f);
    mutant_undo(m, &u);
    tr_arena_free(arena);
}

static void try_kernel(run *r, ir_module *module)
{
    interp_search search = {.wanted = r->wanted, .max_blocks = 4, .max_elements = 1 << 14};
    spare s = spare_make(module, (ir_function *)r->kernel);
    kernel_report *report = check(r, r->arena);
    if (report->verdict != VERDICT_RACE_FREE) {
        printf("%s: %s is not race-free as it stands\n", r->path, r->kernel->shown);
        r->broken++;
        return;
    }
    r->kernels++;
    r->n_launches = concrete_enumerate_launches(r->arena, r->ctx, r->kernel, r->contract, &search,
                                                &r->launches);
    mutant *list = mutants_list(r->arena, r->kernel, &s);
    for (ptrdiff_t i = 0; i < arrlen(list); i++)
        try_mutant(r, &list[i], &s);
    arrfree(list);
}

static void try_file(run *r, const char *path)
{
    r->arena = tr_arena_new();
    r->ctx = smt_ctx_new();
    smt_options options = {0};
    r->prover = smt_prover_new(r->ctx, &options);
    r->path = path;
    tr_errors errors = tr_errors_make(r->arena);
    dialect_options dialect = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    dialect_unit unit;
    if (dialect_read(r->arena, r->ctx, path, &dialect, &unit, &errors)) {
        for (size_t i = 0; i < unit.n_kernels; i++) {
            contract_settle_ranges(r->ctx, unit.contracts[i], NULL);
            r->kernel = unit.kernels[i];
            r->contract = unit.contracts[i];
            try_kernel(r, unit.module);
            contract_free(unit.contracts[i]);
        }
        ir_module_free(unit.module);
    } else {
        printf("%s: not read\n", path);
        r->broken++;
    }
    tr_errors_free(&errors);
    smt_prover_free(r->prover);
    smt_ctx_free(r->ctx);
    tr_arena_free(r->arena);
}

int main(int argc, char **argv)
{
    run r = {.wanted = 6, .steps = 5000 * 1000};
    int at = 1;
    for (; at < argc && argv[at][0] == '-'; at++) {
        if (strcmp(argv[at], "-n") == 0 && at + 1 < argc)
            r.wanted = strtoul(argv[++at], NULL, 10);
        else if (strcmp(argv[at], "-steps") == 0 && at + 1 < argc)
            r.steps = 1000 * strtoul(argv[++at], NULL, 10);
        else if (strcmp(argv[at], "-table") == 0)
            r.table = true;
        else
            r.verbose = true;
    }
    if (r.table)
        printf("| kernel | line | op | weakened | fate | rules |\n"
               "| --- | --- | --- | --- | --- | --- |\n");
    for (; at < argc; at++)
        try_file(&r, argv[at]);
    size_t total = 0;
    for (int f = 0; f < N_FATES; f++)
        total += r.fates[f];
    printf("%s%zu kernels, %zu mutants:", r.table ? "\n" : "", r.kernels, total);
    for (int f = 0; f < N_FATES; f++)
        printf(" %zu %s%s", r.fates[f], fate_texts[f], f + 1 < N_FATES ? "," : "");
    printf("; %zu equivalent ones beyond the bounds of every launch\n", r.open);
    return r.fates[MISSED] || r.broken ? 1 : 0;
}

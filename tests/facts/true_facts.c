/* Stating a true fact never makes an answer worse.
 *
 * Usage: true_facts [-facts N] [-pairs N] [-v] [-seed S] [-random KERNELS] FILE...
 *
 * For every kernel of the files, and for random ones, a small launch that its verdict covers is
 * looked for; what that launch fulfils is stated, one fact at a time and in pairs, and the kernel
 * is checked anew:
 *
 *   - race-free stays race-free, conditional stays conditional or becomes race-free;
 *   - a race stays one, unless the facts exclude it: then that launch does not race either;
 *   - every witness that is shown fulfils every stated fact.
 *
 * Exit code 1 when one does not. */
#include "facts.h"

#include "../random/generate.h"

#include "base/ds.h"
#include "dialect/dialect.h"
#include "rules/rules.h"
#include "interp/interp.h"
#include "launch/search.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    size_t facts, pairs;
    bool verbose;
} settings;

typedef struct tally {
    size_t kernels, without, unread, checks, worse, false_witnesses;
} tally;

typedef struct subject {  /* one kernel, to be made as often as there are contracts to try */
    const char *name;     /* a file, or the random kernel's seed */
    size_t number;        /* of the kernel in the file */
    const choices *drawn; /* of a random kernel; or NULL */
} subject;

typedef struct reading { /* the kernel made once */
    tr_arena *arena;
    smt_ctx *ctx;
    smt_prover *prover;
    dialect_unit unit;
    sample sample;
    const ir_function *kernel; /* NULL: it could not be made */
    contract *contract;
} reading;

typedef struct statements {
    size_t n;
    const fact *facts;
} statements;

static const char *const verdicts[] = {"race-free", "conditional", "race", "unknown"};

static void state_all(void *user, smt_ctx *ctx, contract *c)
{
    const statements *s = user;
    for (size_t i = 0; i < s->n; i++)
        fact_state(ctx, c, &s->facts[i]);
}

static void read_source(reading *r, const subject *s, statements *stated)
{
    tr_errors errors = tr_errors_make(r->arena);
    dialect_options options = {.include_folder = TILERACE_SOURCE_DIR "/include"};
    if (!dialect_read(r->arena, r->ctx, s->name, &options, &r->unit, &errors)) {
        printf("%s: not read: %s\n", s->name, errors.items ? errors.items[0].text : "no reason");
    } else if (s->number < r->unit.n_kernels) {
        r->kernel = r->unit.kernels[s->number];
        r->contract = r->unit.contracts[s->number];
        state_all(stated, r->ctx, r->contract);
        contract_settle_ranges(r->ctx, r->contract, NULL);
    }
    tr_errors_free(&errors);
}

static reading open_subject(const subject *s, statements stated)
{
    smt_options solver = {0};
    reading r = {.arena = tr_arena_new(), .ctx = smt_ctx_new()};
    r.prover = smt_prover_new(r.ctx, &solver);
    if (!s->drawn) {
        read_source(&r, s, &stated);
        return r;
    }
    choices again = choices_given(arrlenu(s->drawn->made), s->drawn->made);
    r.sample = sample_make_stating(&again, r.ctx, state_all, &stated);
    choices_free(&again);
    r.kernel = r.sample.kernel;
    r.contract = r.sample.contract;
    return r;
}

static void close_subject(reading *r)
{
    for (size_t i = 0; i < r->unit.n_kernels; i++)
        contract_free(r->unit.contracts[i]);
    if (r->unit.module)
        ir_module_free(r->unit.module);
    if (r->sample.module)
        sample_free(&r->sample);
    smt_prover_free(r->prover);
    smt_ctx_free(r->ctx);
    tr_arena_free(r->arena);
}

static kernel_report *check(reading *r)
{
    rules_options options = {.model = model_default_choices()};
    return rules_check(r->arena, r->ctx, r->prover, r->kernel, r->contract, &options);
}

/* ---- The launch ---- */

/* What the precondition says of contents, beside what the contract says of them. */
static void state_contents(const reading *r, contract *c, const precondition *p)
{
    contract_contents *stated = &c->args[p->subject.arg].contents;
    const contract_contents *asked = &p->contents;
    if (asked->min)
        stated->min = stated->min ? smt_max(r->ctx, stated->min, asked->min) : asked->min;
    if (asked->max)
        stated->max = stated->max ? smt_min(r->ctx, stated->max, asked->max) : asked->max;
    stated->increasing |= asked->increasing;
    if (asked->prefix_sum_of >= 0)
        stated->prefix_sum_of = asked->prefix_sum_of;
    if (asked->unique && p->n_args > 1) {
        int *with = TR_NEW_ARRAY(r->arena, int, p->n_args);
        for (size_t i = 1; i < p->n_args; i++)
            with[i - 1] = (int)p->args[i];
        stated->n_tuple = p->n_args - 1;
        stated->tuple = with;
    } else if (asked->unique) {
        stated->unique = true;
        stated->unique_when = asked->unique_when;
    }
}

/* The contract with all preconditions. Those in words exclude undefined behaviour, which the run
 * shows. */
static contract covered(const reading *r, const kernel_report *report)
{
    contract c = *r->contract;
    c.args = tr_arena_copy(r->arena, c.args, c.n_args * sizeof *c.args);
    c.facts = NULL;
    for (size_t i = 0; i < arrlenu(r->contract->facts); i++)
        arrput(c.facts, r->contract->facts[i]);
    for (size_t i = 0; i < report->n_requires; i++) {
        const precondition *p = &report->requires_[i].what;
        if (p->term && p->class_ != PRECONDITION_CLASS_STANDING)
            arrput(c.facts, ((contract_fact){.term = p->term, .text = "required"}));
        if (p->of_contents && p->class_ != PRECONDITION_CLASS_STANDING)
            state_contents(r, &c, p);
    }
    return c;
}

/* Of the launches tried that meet all preconditions, the one of most blocks that ends. */
static const concrete_launch *choose_launch(const reading *r, const kernel_report *report,
                                            bool *races)
{
    interp_search search = {.wanted = 24, .max_blocks = 32, .max_elements = 1 << 14};
    concrete_launch **launches;
    contract all = covered(r, report);
    size_t n = concrete_enumerate_launches(r->arena, r->ctx, r->kernel, &all, &search, &launches);
    const concrete_launch *best = NULL;
    arrfree(all.facts);
    for (size_t i = 0; i < n; i++) {
        if (best && concrete_launch_blocks(launches[i]) <= concrete_launch_blocks(best))
            continue;
        model_choices model = model_default_choices();
        interp_limits limits = {.steps = 400000, .events = 200000};
        interp_run *run = interp_execute(r->kernel, launches[i], &model, &limits, NULL);
        const interp_ub *ubs;
        interp_race race;
        bool synchronisation;
        if (interp_run_status(run) == INTERP_DONE && interp_ubs(run, &ubs) == 0) {
            best = launches[i];
            *races = interp_find_races(run, false, &race, 1, &synchronisation) > 0;
        }
        interp_run_free(run);
    }
    return best;
}

/* ---- One kernel ---- */

static bool is_worse(verdict_kind before, verdict_kind now, bool launch_races)
{
    switch (before) {
    case VERDICT_RACE_FREE:
        return now != VERDICT_RACE_FREE;
    case VERDICT_CONDITIONAL:
        return now != VERDICT_RACE_FREE && now != VERDICT_CONDITIONAL;
    case VERDICT_RACE:
        return now == VERDICT_UNKNOWN || (launch_races && now != VERDICT_RACE);
    default:
        return false;
    }
}

static void say(const reading *r, const subject *s, statements stated, const char *what)
{
    tr_text text = {0};
    for (size_t i = 0; i < stated.n; i++) {
        tr_text_add(&text, i ? " and " : "");
        fact_print(&text, r->contract, &stated.facts[i]);
    }
    printf("%s: %s: with %s: %s\n", s->name, r->kernel->shown ? r->kernel->shown : "kernel",
           tr_text_get(&text), what);
    fflush(stdout);
    tr_text_free(&text);
}

static void try_facts(const subject *s, verdict_kind before, bool races, statements stated,
                      tally *t)
{
    reading r = open_subject(s, stated);
    kernel_report *now = check(&r);
    t->checks++;
    if (is_worse(before, now->verdict, races)) {
        t->worse++;
        say(&r, s, stated,
            tr_arena_printf(r.arena, "%s becomes %s", verdicts[before], verdicts[now->verdict]));
    }
    for (size_t i = 0; i < now->n_findings; i++)
        for (size_t k = 0; k < stated.n && now->findings[i].witness; k++)
            if (!fact_holds(r.contract, &stated.facts[k], now->findings[i].witness)) {
                t->false_witnesses++;
                say(&r, s, (statements){1, &stated.facts[k]}, "a witness that does not fulfil it");
            }
    close_subject(&r);
}

static void try_subject(const settings *set, const subject *s, tally *t)
{
    reading r = open_subject(s, (statements){0, NULL});
    bool races = false;
    kernel_report *report = r.kernel ? check(&r) : NULL;
    const concrete_launch *launch = report ? choose_launch(&r, report, &races) : NULL;
    fact *facts = launch ? facts_of(r.kernel, r.contract, launch, set->facts) : NULL;
    size_t n = arrlenu(facts);
    t->kernels++;
    t->without += !launch;
    if (set->verbose && launch)
        printf("%s: %s, %zu facts\n", s->name, verdicts[report->verdict], n);
    for (size_t i = 0; i < n; i++)
        try_facts(s, report->verdict, races, (statements){1, &facts[i]}, t);
    for (size_t i = 0; i < set->pairs && n > 1; i++) {
        size_t a = i % n, b = (a + 1 + (i * 7 + i / n) % (n - 1)) % n;
        fact pair[] = {facts[a], facts[b]};
        try_facts(s, report->verdict, races, (statements){2, pair}, t);
    }
    arrfree(facts);
    close_subject(&r);
}

static void try_file(const settings *set, const char *path, tally *t)
{
    subject s = {path, 0, NULL};
    reading r = open_subject(&s, (statements){0, NULL});
    size_t n = r.unit.n_kernels;
    close_subject(&r);
    t->unread += n == 0;
    for (s.number = 0; s.number < n; s.number++)
        try_subject(set, &s, t);
}

static void try_random(const settings *set, size_t n, uint64_t seed, tally *t)
{
    for (size_t i = 0; i < n; i++) {
        choices drawn = choices_random((seed + i) * 0x632be59bd9b4e019u);
        smt_ctx *ctx = smt_ctx_new();
        sample first = sample_make(&drawn, ctx, false);
        char name[40];
        snprintf(name, sizeof name, "seed %llu", (unsigned long long)(seed + i));
        subject s = {name, 0, &drawn};
        try_subject(set, &s, t);
        sample_free(&first);
        smt_ctx_free(ctx);
        choices_free(&drawn);
    }
}

int main(int argc, char **argv)
{
    settings set = {.facts = 6, .pairs = 2};
    tally t = {0};
    uint64_t seed = 1;
    for (int i = 1; i < argc; i++) {
        bool has_value = i + 1 < argc;
        if (strcmp(argv[i], "-facts") == 0 && has_value)
            set.facts = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-pairs") == 0 && has_value)
            set.pairs = strtoul(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-seed") == 0 && has_value)
            seed = strtoull(argv[++i], NULL, 10);
        else if (strcmp(argv[i], "-random") == 0 && has_value)
            try_random(&set, strtoul(argv[++i], NULL, 10), seed, &t);
        else if (strcmp(argv[i], "-v") == 0)
            set.verbose = true;
        else
            try_file(&set, argv[i], &t);
    }
    printf("%zu kernels, %zu without a launch; %zu checks with further facts: %zu worse, %zu "
           "witnesses that do not fulfil a fact\n",
           t.kernels, t.without, t.checks, t.worse, t.false_witnesses);
    return t.worse + t.false_witnesses + t.unread ? 1 : 0;
}

/* Every kernel of a small grammar: the checker's verdict against brute force over all grids up to
 * 4 x 3 and counters to 4.
 *
 * Usage: exhaustive [-stride N] [-from K] [-family F] [-steps THOUSANDS] [-show N] [-v] [-stop]
 *                   [-times]
 *        exhaustive -kernel K   one kernel, its source and its report
 *
 * -stop ends at the first disagreement. -times prints a line a kernel.
 * Kernels K, K + N, K + 2N, ... are checked. Exit code 1 when one disagrees. */
#include "judge.h"

#include "base/ds.h"

#include <stdio.h>
#include <stdlib.h>

typedef struct settings {
    size_t stride, from, show;
    int family; /* -1: all */
    smt_steps steps;
    bool verbose, times, stop;
} settings;

typedef struct tally {
    size_t kernels, racy, asking, verdicts[8], reasons[REASON_COUNT], outcomes[N_OUTCOMES];
    double ms, longest;
    size_t slowest;
} tally;

static void show(const grammar *g, size_t at, const judgement *of, smt_steps steps)
{
    tr_text source = {0}, report = {0};
    shape_print(&source, g, &g->shapes[at]);
    judge_shape(g, &g->shapes[at], steps, &report);
    printf("==== kernel %zu: %s at grid %lld x %lld, p = %lld\n%s%s", at, outcome_text(of->outcome),
           (long long)of->at.x, (long long)of->at.y, (long long)of->at.p, tr_text_get(&source),
           tr_text_get(&report));
    fflush(stdout);
    tr_text_free(&source);
    tr_text_free(&report);
}

static void count(tally *t, size_t at, const judgement *r)
{
    t->kernels++;
    t->outcomes[r->outcome]++;
    t->verdicts[r->verdict]++;
    t->racy += r->races;
    t->asking += r->asks;
    t->reasons[r->reason] += r->verdict == VERDICT_UNKNOWN;
    t->ms += r->ms;
    if (r->ms > t->longest) {
        t->longest = r->ms;
        t->slowest = at;
    }
}

static size_t conclude(const tally *t)
{
    size_t wrong = t->kernels - t->outcomes[AGREES];
    double unknown =
        t->kernels ? 100.0 * (double)t->verdicts[VERDICT_UNKNOWN] / (double)t->kernels : 0;
    printf("%zu kernels, %zu race in the box: %zu race-free, %zu conditional, %zu race, "
           "%zu unknown (%zu with preconditions); %.2f %% decided; %.0f s, %.1f ms a check, "
           "longest %.0f ms (kernel %zu)\n",
           t->kernels, t->racy, t->verdicts[VERDICT_RACE_FREE], t->verdicts[VERDICT_CONDITIONAL],
           t->verdicts[VERDICT_RACE], t->verdicts[VERDICT_UNKNOWN], t->asking, 100 - unknown,
           t->ms / 1000, t->kernels ? t->ms / (double)t->kernels : 0, t->longest, t->slowest);
    for (int i = 0; i < REASON_COUNT; i++)
        if (t->reasons[i])
            printf("  unknown, %s: %zu\n", reason_name((reason_kind)i), t->reasons[i]);
    for (int i = AGREES + 1; i < N_OUTCOMES; i++)
        if (t->outcomes[i])
            printf("  %s: %zu\n", outcome_text((outcome)i), t->outcomes[i]);
    printf("%zu passed, %zu failed\n", t->kernels - wrong, wrong);
    return wrong;
}

static size_t run(const settings *set, const grammar *g)
{
    tally t = {0};
    for (size_t at = set->from; at < arrlenu(g->shapes); at += set->stride) {
        const shape *s = &g->shapes[at];
        if (set->family >= 0 && s->family != set->family)
            continue;
        judgement r = judge_shape(g, s, set->steps, NULL);
        count(&t, at, &r);
        if (set->times)
            printf("%zu %.1f ms, verdict %d%s\n", at, r.ms, (int)r.verdict, r.asks ? ", asks" : "");
        bool wrong = r.outcome != AGREES;
        size_t shown = t.outcomes[r.outcome];
        if ((wrong && shown <= set->show) || (set->verbose && r.verdict == VERDICT_UNKNOWN))
            show(g, at, &r, set->steps);
        if (wrong && set->stop)
            break;
        if (wrong && shown > set->show)
            printf("kernel %zu: %s\n", at, outcome_text(r.outcome));
    }
    return conclude(&t);
}

int main(int argc, char **argv)
{
    settings set = {.stride = 1, .family = -1, .steps = 5000 * 1000, .show = 5};
    long only = -1;
    for (int i = 1; i < argc; i++) {
        const char *option = argv[i];
        bool has_value = i + 1 < argc;
        if (strcmp(option, "-v") == 0)
            set.verbose = true;
        else if (strcmp(option, "-stop") == 0)
            set.stop = true;
        else if (strcmp(option, "-times") == 0)
            set.times = true;
        else if (!has_value)
            return fprintf(stderr, "unknown option '%s'\n", option), 2;
        else if (strcmp(option, "-stride") == 0)
            set.stride = strtoul(argv[++i], NULL, 10);
        else if (strcmp(option, "-from") == 0)
            set.from = strtoul(argv[++i], NULL, 10);
        else if (strcmp(option, "-family") == 0)
            set.family = atoi(argv[++i]);
        else if (strcmp(option, "-steps") == 0)
            set.steps = 1000 * strtoul(argv[++i], NULL, 10);
        else if (strcmp(option, "-show") == 0)
            set.show = strtoul(argv[++i], NULL, 10);
        else if (strcmp(option, "-kernel") == 0)
            only = atol(argv[++i]);
        else
            return fprintf(stderr, "unknown option '%s'\n", option), 2;
    }
    grammar g = grammar_make();
    size_t wrong = 0, total = arrlenu(g.shapes);
    if (only >= 0 && (size_t)only < total) {
        judgement r = judge_shape(&g, &g.shapes[only], set.steps, NULL);
        show(&g, (size_t)only, &r, set.steps);
        wrong = r.outcome != AGREES;
    } else {
        printf("a grammar of %zu kernels\n", total);
        wrong = run(&set, &g);
    }
    grammar_free(&g);
    return wrong ? 1 : 0;
}

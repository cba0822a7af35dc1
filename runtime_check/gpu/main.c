/* tilerace-runner FOLDER: runs a bundle where nothing but a GPU and its driver is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gpu/execute.h"

static const char usage[] =
    "usage: tilerace-runner [--tsv] [--repeat N] FOLDER\n"
    "Runs the bundle in FOLDER on the first GPU. Exit code 0: no difference between the runs and\n"
    "no reference missed, 1: a difference, 2: failure.\n"
    "--tsv: one line instead of text: kernel, status (same, differs, rounding: differs but not\n"
    "with inputs whose sums are exact, sums-differ: of atomic additions, hang, failed),\n"
    "runs, elements, elements that differ, elements beyond the reference, elements compared with\n"
    "it, largest error, shortest launch in milliseconds, GPU, and what went wrong.\n";

static void show(void *user, unsigned runs, unsigned of)
{
    (void)user;
    fprintf(stderr, "\r%u of %u runs", runs, of);
    if (runs == of)
        fputc('\n', stderr);
}

typedef struct totals {
    uint64_t elements, differing, sums, wrong, compared;
    double max_error;
} totals;

static totals add_up(const gpu_plan *plan, const gpu_result *result)
{
    totals t = {0};
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_output *o = &result->outputs[i];
        t.elements += o->elements;
        *(plan->buffers[i].order_dependent ? &t.sums : &t.differing) += o->differing;
        t.wrong += o->wrong;
        t.compared += o->compared;
        t.max_error = o->max_error > t.max_error ? o->max_error : t.max_error;
    }
    return t;
}

static void print_line(const gpu_plan *plan, const gpu_result *result, const totals *t,
                       bool rounding)
{
    const char *status = result->status == GPU_FAILED ? "failed"
                         : result->status == GPU_HANG ? "hang"
                         : t->differing && rounding   ? "rounding"
                         : t->differing               ? "differs"
                         : t->sums                    ? "sums-differ"
                                                      : "same";
    float shortest = 0;
    for (unsigned run = 0; run < result->runs; run++)
        if (run == 0 || result->ms[run] < shortest)
            shortest = result->ms[run];
    printf("%s\t%s\t%u\t%llu\t%llu\t%llu\t%llu\t%g\t%.4f\t%s\t%s\n", plan->kernel, status,
           result->runs, (unsigned long long)t->elements,
           (unsigned long long)(t->differing + t->sums), (unsigned long long)t->wrong,
           (unsigned long long)t->compared, t->max_error, (double)shortest, result->gpu,
           result->why ? result->why : "");
}

/* Do runs agree where sums are exact? */
static bool by_rounding_alone(tr_arena *arena, const gpu_plan *plan)
{
    gpu_plan *exact = gpu_exact_plan(arena, plan);
    gpu_result *result = gpu_execute(arena, exact, NULL, NULL);
    totals t = add_up(exact, result);
    bool agree = result->status == GPU_DONE && !t.differing && !t.sums;
    gpu_result_free(result);
    return agree;
}

static int run(tr_arena *arena, const char *folder, unsigned repeat, bool tsv)
{
    const char *why = NULL;
    gpu_plan *plan = gpu_plan_read(arena, folder, &why);
    if (!plan) {
        fprintf(stderr, "tilerace-runner: error: %s\n", why);
        return 2;
    }
    if (repeat)
        plan->repeat = repeat;
    gpu_result *result = gpu_execute(arena, plan, tsv ? NULL : show, NULL);
    totals t = add_up(plan, result);
    bool rounding = result->status == GPU_DONE && t.differing && by_rounding_alone(arena, plan);
    if (tsv) {
        print_line(plan, result, &t, rounding);
    } else {
        tr_text out = {0};
        gpu_result_print(&out, plan, result);
        if (rounding)
            tr_text_add(&out, "  " GPU_ROUNDING_WORDS "\n");
        fputs(tr_text_get(&out), stdout);
        tr_text_free(&out);
    }
    int code = result->status != GPU_DONE ? 2 : t.differing || t.wrong ? 1 : 0;
    gpu_result_free(result);
    return code;
}

int main(int argc, char **argv)
{
    const char *folder = NULL;
    unsigned long repeat = 0;
    bool tsv = false, good = true;
    for (int i = 1; i < argc && good; i++) {
        if (strcmp(argv[i], "--tsv") == 0)
            tsv = true;
        else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
            good = (repeat = strtoul(argv[++i], NULL, 10)) > 0 && repeat <= 1000000;
        else if (argv[i][0] != '-' && !folder)
            folder = argv[i];
        else
            good = false;
    }
    if (!good || !folder) {
        fputs(usage, stderr);
        return 2;
    }
    tr_arena *arena = tr_arena_new();
    int code = run(arena, folder, (unsigned)repeat, tsv);
    tr_arena_free(arena);
    return code;
}

/* tilerace-runner FOLDER: runs a bundle where nothing but a GPU and its driver is installed. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "plan/bar.h"
#include "gpu/rounding.h"
#include "plan/text.h"

static const char usage[] =
    "usage: tilerace-runner [--tsv | --buffers] [--repeat N] FOLDER...\n"
    "Runs the bundles, one after the other, on the first GPU. Exit code 0: no difference between\n"
    "the runs (but by the order of atomic sums, or of blocks that are proved to synchronise) and "
    "no\n"
    "reference missed, 1: a difference, 2: failure.\n"
    "--tsv: one line a bundle instead of text: kernel, status (same, differs, rounding: differs\n"
    "a little, and not with inputs whose sums are exact, sums-differ: of atomic additions, hang, "
    "failed),\n"
    "runs, elements, elements that differ, elements beyond the reference, elements compared with\n"
    "it, largest error, shortest launch in milliseconds, GPU, and what went wrong.\n"
    "--buffers: one line a buffer that is compared with a reference: kernel, buffer, type,\n"
    "elements compared, elements with other bits (NaN for NaN is none), largest distance in units\n"
    "in the last place, elements that differ between the runs, largest absolute difference, and "
    "of\n"
    "the element that is worst: its number, its bits, those expected; or kernel, \"failed\", "
    "why.\n";

typedef enum shape { TEXT, ONE_LINE, BUFFERS } shape;

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

static void print_bits(const gpu_buffer *b, const unsigned char *bytes, uint64_t at)
{
    int width = plan_element_bytes(b->element);
    fputs("\t0x", stdout);
    for (int i = width; i-- > 0;)
        printf("%02x", bytes[at * (uint64_t)width + (uint64_t)i]);
}

static void print_buffers(const gpu_plan *plan, const gpu_result *result)
{
    if (result->status != GPU_DONE)
        printf("%s\tfailed\t%s\n", plan->kernel,
               result->status == GPU_HANG ? "it did not end" : result->why);
    for (size_t i = 0; i < plan->n_buffers && result->status == GPU_DONE; i++) {
        const gpu_buffer *b = &plan->buffers[i];
        const gpu_output *o = &result->outputs[i];
        if (!b->output || !b->expected)
            continue;
        printf("%s\t%s\t%s\t%llu\t%llu\t%llu\t%llu\t%g", plan->kernel, b->name,
               plan_element_name(b->element), (unsigned long long)o->compared,
               (unsigned long long)o->unequal, (unsigned long long)o->max_ulp,
               (unsigned long long)o->differing, o->max_error);
        if (o->unequal) {
            printf("\t%llu", (unsigned long long)o->worst);
            print_bits(b, o->contents, o->worst);
            print_bits(b, b->expected, o->worst);
        }
        putchar('\n');
    }
}

static void print_text(const gpu_plan *plan, const gpu_result *result, bool rounding)
{
    tr_text out = {0};
    plan_text_result(&out, plan, result);
    if (rounding)
        tr_text_addf(&out, "  %s\n", gpu_rounding_words(plan));
    fputs(tr_text_get(&out), stdout);
    tr_text_free(&out);
}

static int run(tr_arena *arena, const char *folder, unsigned repeat, shape shown)
{
    const char *why = NULL;
    gpu_plan *plan = plan_read(arena, folder, &why);
    if (!plan) {
        fprintf(stderr, "tilerace-runner: error: %s\n", why);
        return 2;
    }
    if (repeat)
        plan->repeat = repeat;
    gpu_bar bar = plan_bar_start(stderr, "runs");
    gpu_result *result = gpu_execute(arena, plan, plan_bar_step, &bar);
    plan_bar_end(&bar);
    totals t = add_up(plan, result);
    bool confirmed = t.differing && !plan_may_differ(plan);
    bool asked = shown == ONE_LINE ? t.differing > 0 : shown == TEXT && confirmed;
    bool rounding = asked && result->status == GPU_DONE &&
                    gpu_differs_by_rounding(arena, plan, result, NULL, NULL);
    if (shown == ONE_LINE)
        print_line(plan, result, &t, rounding);
    else if (shown == BUFFERS)
        print_buffers(plan, result);
    else
        print_text(plan, result, rounding);
    fflush(stdout); /* the next one forks */
    int code = result->status != GPU_DONE ? 2 : confirmed || t.wrong ? 1 : 0;
    gpu_result_free(result);
    return code;
}

int main(int argc, char **argv)
{
    const char **folders = calloc((size_t)argc + 1, sizeof *folders);
    size_t n = 0;
    unsigned long repeat = 0;
    shape shown = TEXT;
    bool good = folders != NULL;
    for (int i = 1; i < argc && good; i++) {
        if (strcmp(argv[i], "--tsv") == 0)
            shown = ONE_LINE;
        else if (strcmp(argv[i], "--buffers") == 0)
            shown = BUFFERS;
        else if (strcmp(argv[i], "--repeat") == 0 && i + 1 < argc)
            good = (repeat = strtoul(argv[++i], NULL, 10)) > 0 && repeat <= 1000000;
        else if (argv[i][0] != '-')
            folders[n++] = argv[i];
        else
            good = false;
    }
    int code = 0;
    if (!good || n == 0) {
        fputs(usage, stderr);
        code = 2;
    }
    for (size_t i = 0; i < n && good; i++) {
        tr_arena *arena = tr_arena_new();
        int ended = run(arena, folders[i], (unsigned)repeat, shown);
        code = ended > code ? ended : code;
        tr_arena_free(arena);
    }
    free(folders);
    return code;
}

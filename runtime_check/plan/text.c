/* Puts what was seen into words. */
#include "plan/text.h"

#include <string.h>

#define MAX_SHOWN_RUNS  20
#define MAX_SHOWN_PAIRS 4

typedef unsigned long long ull;

void plan_text_share(tr_text *out, uint64_t part, uint64_t whole)
{
    double percent = whole ? 100.0 * (double)part / (double)whole : 0;
    if (part < whole && percent > 99.9)
        tr_text_add(out, "more than 99.9 %");
    else
        tr_text_addf(out, part && percent < 0.05 ? "%.1g %%" : "%.1f %%", percent);
}

/* ---- The verdict ---- */

static const char *kept(tr_arena *arena, tr_text *text)
{
    const char *words = tr_arena_strdup(arena, tr_text_get(text));
    tr_text_free(text);
    return words;
}

const char *plan_result_words(tr_arena *arena, const gpu_plan *plan, const gpu_result *result)
{
    uint64_t elements = 0, differing = 0, sums = 0;
    for (size_t i = 0; i < plan->n_buffers; i++) {
        const gpu_output *o = &result->outputs[i];
        elements += o->elements;
        *(plan->buffers[i].order_dependent ? &sums : &differing) += o->differing;
    }
    if (result->status == GPU_FAILED)
        return result->why;
    tr_text out = {0};
    if (result->status == GPU_HANG) {
        tr_text_addf(&out, "the kernel did not end: run %u took longer than %lld ms and was killed",
                     result->runs + 1, (long long)plan->timeout_ms);
    } else if (differing && plan_may_differ(plan)) {
        tr_text_addf(&out,
                     "%llu elements differ over %u runs of a kernel that is proved race-free: they "
                     "depend on the order in which its blocks synchronise, which is no race",
                     (ull)differing, result->runs);
    } else if (differing) {
        tr_text_addf(&out, "nondeterminism confirmed: %llu of %llu elements (", (ull)differing,
                     (ull)elements);
        plan_text_share(&out, differing, elements);
        tr_text_addf(&out, ") over %u runs%s", result->runs,
                     plan_is_proved(plan) ? ", though the checker proves that the kernel is "
                                            "race-free: one of the two is wrong"
                                          : "");
        if (plan->blocks && plan->blocks->seen)
            tr_text_addf(&out, "; the interpreter sees a race in this launch: %s",
                         plan->blocks->seen);
    } else if (sums) {
        tr_text_addf(&out,
                     "%llu elements differ over %u runs, in sums of atomic float additions alone: "
                     "they depend on the order, which is no race",
                     (ull)sums, result->runs);
    } else if (result->runs < 2) {
        tr_text_add(&out, "one run: nothing to compare with");
    } else {
        tr_text_addf(&out, "no difference in %u runs: not a proof", result->runs);
    }
    return kept(arena, &out);
}

/* ---- One buffer ---- */

/* "[3, 17]" in the buffer's shape, "[1042]" where that is not known. */
static void element_text(tr_text *out, const gpu_buffer *b, uint64_t elements, uint64_t element)
{
    uint64_t at[GPU_MAX_RANK], product = 1, rest = element;
    int rank = b->rank;
    for (int d = 0; d < rank; d++)
        product *= b->shape[d];
    if (product != elements)
        rank = 0;
    for (int d = rank; d-- > 0; rest /= b->shape[d])
        at[d] = rest % b->shape[d];
    for (int d = 0; d < rank; d++)
        tr_text_addf(out, "%s%llu", d ? ", " : "[", (ull)at[d]);
    if (!rank)
        tr_text_addf(out, "[%llu", (ull)element);
    tr_text_add(out, "]");
}

static void wrong_text(tr_text *out, const gpu_buffer *b, const gpu_output *o)
{
    tr_text_addf(out, "    not as the reference: %llu of %llu elements beyond %g\n", (ull)o->wrong,
                 (ull)o->compared, b->tolerance);
    for (size_t i = 0; i < o->n_listed; i++) {
        tr_text_add(out, "      ");
        element_text(out, b, o->elements, o->listed[i].at);
        int digits = plan_element_is_float(b->element) ? 9 : 19;
        tr_text_addf(out, " is %.*g, the reference has %.*g\n", digits, o->listed[i].got, digits,
                     o->listed[i].want);
    }
}

/* "[0..0, 3..5]", in units of `unit` elements (NULL: of one). */
static void box_text(tr_text *out, int rank, const uint64_t *low, const uint64_t *high,
                     const uint64_t *unit)
{
    for (int d = 0; d < rank; d++)
        tr_text_addf(out, "%s%llu..%llu%s", d ? ", " : "[", (ull)(low[d] / (unit ? unit[d] : 1)),
                     (ull)(high[d] / (unit ? unit[d] : 1)), d + 1 == rank ? "]" : "");
}

static bool has_tiles(const gpu_buffer *b)
{
    for (int d = 0; d < b->rank; d++)
        if (!b->tile[d])
            return false;
    return b->rank > 0;
}

void plan_text_output(tr_text *out, const gpu_buffer *b, const gpu_output *o, unsigned runs)
{
    uint64_t low[GPU_MAX_RANK], high[GPU_MAX_RANK];
    tr_text_addf(out, "  %s: %llu of %llu elements differ", b->name, (ull)o->differing,
                 (ull)o->elements);
    if (o->differing) {
        tr_text_add(out, " (");
        plan_text_share(out, o->differing, o->elements);
        tr_text_add(out, ")");
    }
    if (plan_bounding_box(b, o, low, high)) {
        tr_text_add(out, ", within ");
        box_text(out, b->rank, low, high, NULL);
        if (has_tiles(b)) {
            tr_text_add(out, ", tiles ");
            box_text(out, b->rank, low, high, b->tile);
        }
    }
    tr_text_add(out, "\n");
    if (o->differing) {
        tr_text_add(out, "    run by run, against the first:");
        for (unsigned run = 1; run < runs && run <= MAX_SHOWN_RUNS; run++)
            tr_text_addf(out, " %llu", (ull)o->per_run[run]);
        tr_text_add(out, runs > MAX_SHOWN_RUNS + 1 ? " ...\n" : "\n");
    }
    if (o->agreement == GPU_EQUAL)
        tr_text_add(out, "    equal to the reference\n");
    else if (o->agreement == GPU_WITHIN_TOLERANCE)
        tr_text_addf(out, "    as the reference within %g; largest difference %g\n", b->tolerance,
                     o->max_error);
    else if (o->agreement == GPU_DIFFERENT)
        wrong_text(out, b, o);
}

/* ---- Blocks ---- */

static void pair_text(tr_text *out, const gpu_pair *p)
{
    bool inside = memcmp(p->blocks[0], p->blocks[1], sizeof p->blocks[0]) == 0;
    tr_text_add(out, "   ");
    for (int k = 0; k < 2; k++) {
        tr_text_add(out, k ? " and" : "");
        if (!k || !inside)
            tr_text_addf(out, " block (%lld, %lld, %lld)", (long long)p->blocks[k][0],
                         (long long)p->blocks[k][1], (long long)p->blocks[k][2]);
        tr_text_addf(out, " %s", p->what[k]);
        if (p->lines[k])
            tr_text_addf(out, ", line %u", p->lines[k]);
    }
    tr_text_addf(out, ": %llu element%s", (ull)p->elements, p->elements == 1 ? "" : "s");
    if (p->finding)
        tr_text_addf(out, ", as the checker reports (%s)", p->finding);
    tr_text_add(out, "\n");
}

void plan_text_pairs(tr_text *out, const gpu_pairs *pairs, const char *nobody)
{
    if (nobody)
        tr_text_addf(out, "  no tile blocks are named: %s\n", nobody);
    if (!pairs)
        return;
    const struct {
        uint64_t elements;
        const char *words;
    } kinds[] = {
        {pairs->by_several, "written by several tile blocks (two of them are named)"},
        {pairs->by_order, "written twice by one tile block, with nothing that orders the two"},
        {pairs->by_reader, "written by one tile block, which reads what others, or unordered ops "
                           "of its own, write"},
        {pairs->by_one, "written by one tile block, which reads nothing that others write"},
        {pairs->by_nobody, pairs->part ? "not looked at: the launch is too long"
                                       : "written by no tile block, as the interpreter runs it"},
    };
    for (size_t i = 0; i < TR_COUNT(kinds); i++)
        if (kinds[i].elements)
            tr_text_addf(out, "  %llu of them %s\n", (ull)kinds[i].elements, kinds[i].words);
    for (size_t i = 0; i < pairs->n_listed && i < MAX_SHOWN_PAIRS; i++)
        pair_text(out, &pairs->listed[i]);
    if (pairs->n > MAX_SHOWN_PAIRS)
        tr_text_addf(out, "    and %zu more pairs\n", pairs->n - MAX_SHOWN_PAIRS);
    if (pairs->n)
        tr_text_addf(out,
                     "  %zu of %zu pairs have the two accesses of a race that the checker "
                     "reports\n",
                     pairs->as_reported, pairs->n);
}

void plan_text_checker(tr_text *out, const char *checker)
{
    if (checker)
        tr_text_addf(out, "  the checker says %s\n", checker);
}

void plan_text_launch(tr_text *out, const char *launch)
{
    if (launch)
        tr_text_addf(out, "  %s\n", launch);
}

void plan_text_device(tr_text *out, const char *gpu, int driver, unsigned runs)
{
    if (gpu && gpu[0])
        tr_text_addf(out, "  %s, driver for CUDA %d.%d, %u runs\n", gpu, driver / 1000,
                     driver % 1000 / 10, runs);
}

void plan_text_result(tr_text *out, const gpu_plan *plan, const gpu_result *result)
{
    tr_arena *arena = tr_arena_new();
    tr_text_addf(out, "%s: %s\n", plan->kernel, plan_result_words(arena, plan, result));
    plan_text_launch(out, plan->launch);
    plan_text_device(out, result->gpu, result->driver, result->runs);
    bool differs = false;
    for (size_t i = 0; i < plan->n_buffers && result->runs; i++)
        if (plan->buffers[i].output) {
            plan_text_output(out, &plan->buffers[i], &result->outputs[i], result->runs);
            differs |= result->outputs[i].differing > 0;
        }
    const gpu_blocks *blocks = plan->blocks;
    if (blocks && differs)
        plan_text_pairs(
            out, blocks->nobody ? NULL : plan_name_pairs(arena, plan, result->outputs, blocks),
            blocks->nobody);
    if (blocks)
        plan_text_checker(out, blocks->checker);
    tr_arena_free(arena);
}

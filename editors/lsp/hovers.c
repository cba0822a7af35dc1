/* Writes what is shown of a kernel's name and of its accesses. */
#include <cjson/cJSON.h>

#include "base/ds.h"
#include "index_space/summary.h"
#include "inputs/load.h"
#include "lsp/inspecting.h"

static void add_hover(inspecting *in, const tr_place *place, const char *markdown)
{
    const tr_place *here = places_in_document(in, place);
    if (!here)
        return;
    cJSON *contents = lsp_json_with_text(lsp_json_object(), "kind", "markdown");
    lsp_json_with_text(contents, "value", markdown);
    cJSON *hover =
        lsp_json_with(lsp_json_object(), "range", lsp_json_range(places_range(in, here)));
    lsp_json_append(in->hovers, lsp_json_with(hover, "contents", contents));
}

/* ---- Section: The kernel ---- */

static void add_verdict_line(tr_text *out, const kernel_report *k)
{
    tr_text_addf(out, "**%s** `%s`: %s", report_verdict_name(k->verdict), k->kernel,
                 verdict_info_of(k->verdict)->summary);
    if (k->verdict == VERDICT_UNKNOWN && k->reason.text)
        tr_text_addf(out, " (%s)", k->reason.text);
    tr_text_add(out, "\n");
}

static const char *class_words(const require *r)
{
    static const char *const words[] = {
        [PRECONDITION_CLASS_STANDING] = "every caller does so",
        [PRECONDITION_CLASS_LAUNCH] = "else the launch is undefined",
        [PRECONDITION_CLASS_RACE] = "else it races",
    };
    return words[r->what.class_];
}

static void add_requires(tr_text *out, const kernel_report *k)
{
    if (k->n_requires > 0)
        tr_text_add(out, "\nRequires:\n");
    for (size_t i = 0; i < k->n_requires; i++)
        tr_text_addf(out, "- %s (%s)\n", k->requires_[i].brief, class_words(&k->requires_[i]));
    if (k->n_orders > 0)
        tr_text_add(out, "\nOrdered:\n");
    for (size_t i = 0; i < k->n_orders; i++)
        tr_text_addf(out, "- %s\n", k->orders[i]);
}

static void add_counts(tr_text *out, const kernel_report *k)
{
    size_t hidden[HIDDEN_BY_COUNT] = {0}, shown = 0;
    for (size_t f = 0; f < k->n_findings; f++) {
        hidden[k->findings[f].hidden.by]++;
        shown += !k->findings[f].hidden.by;
    }
    tr_arena *arena = tr_arena_new();
    hidden[HIDDEN_BY_NOTHING] = 0;
    const char *words = report_hidden_words(arena, hidden);
    if (shown > 0 || *words)
        tr_text_addf(out, "\nFindings: %zu%s%s\n", shown, *words ? "; hidden: " : "", words);
    tr_arena_free(arena);
}

static void hover_kernel(inspecting *in, const kernel_report *k)
{
    tr_text text = {0};
    add_verdict_line(&text, k);
    add_requires(&text, k);
    add_counts(&text, k);
    add_hover(in, k->place, tr_text_get(&text));
    tr_text_free(&text);
}

/* ---- Section: Its accesses ---- */

static void hover_access(inspecting *in, loaded *input, summary *sum, size_t which,
                         const kernel_report *k)
{
    const ix_access *a = &sum->accesses[which];
    if (!places_in_document(in, a->op->place))
        return;
    tr_text text = {0};
    regions_describe(&text, in, input, sum, a);
    tr_text_add(&text, "\n---\n");
    add_verdict_line(&text, k);
    add_hover(in, a->op->place, tr_text_get(&text));
    tr_text_free(&text);
}

/* Is this the first access of its op? An op may have several, such as one for each iteration of an
 * unrolled loop. */
static bool is_first_of_op(const summary *sum, size_t which)
{
    for (size_t i = 0; i < which; i++)
        if (sum->accesses[i].op == sum->accesses[which].op)
            return false;
    return true;
}

void hovers_add(inspecting *in, loaded *input, const loaded_kernel *kernel,
                const kernel_report *report)
{
    enum { MOST_ACCESSES = 200 };
    hover_kernel(in, report);
    if (report->is_empty || !input->prover)
        return;
    summary *sum = summary_build(input->arena, input->ctx, kernel->function, kernel->contract);
    for (size_t i = 0; i < arrlenu(sum->accesses) && i < MOST_ACCESSES; i++)
        if (is_first_of_op(sum, i))
            hover_access(in, input, sum, i, report);
    summary_free(sum);
}

/* Writes what an agent, or a person, needs to go on: within a budget of bytes, the most useful
 * first. */
#include <string.h>

#include "base/ds.h"
#include "judge/judge.h"

static void add_lines(tr_text *out, const char *lines)
{
    while (lines && *lines) {
        size_t n = strcspn(lines, "\n");
        tr_text_addf(out, "    %.*s\n", (int)n, lines);
        lines += n + (lines[n] == '\n');
    }
}

static void add_fault(tr_text *out, const judge_fault *f)
{
    if (f->place && f->place->file && f->place->line)
        tr_text_addf(out, "%s:%u: ", f->place->file, f->place->line);
    tr_text_addf(out, "%s: %s%s%s%s\n", judge_class_of(f->class_)->name, f->what,
                 f->rule ? " [" : "", f->rule ? f->rule : "", f->rule ? "]" : "");
    if (f->launch)
        tr_text_addf(out, "    the smallest launch that shows it: %s\n", f->launch);
    add_lines(out, f->shown);
    if (f->help)
        tr_text_addf(out, "    help: %s\n", f->help);
}

static void add_open(tr_text *out, const judgement *j, judge_stage stage)
{
    const judge_result *r = &j->stages[stage];
    tr_text_addf(out, "unknown: %s: %s\n", judge_stage_of(stage)->name,
                 r->why ? r->why : "it could not be decided");
}

/* Appends the part whole, or leaves it out where the budget does not hold it. */
static void add_within(tr_text *out, tr_text *part, size_t start, size_t most)
{
    if (most == 0 || out->length - start + part->length <= most)
        tr_text_add(out, tr_text_get(part));
    tr_text_free(part);
}

static void add_judgement(tr_text *out, const judgement *j, size_t start, size_t most)
{
    for (size_t i = 0; i < arrlenu(j->faults); i++) {
        tr_text part = {0};
        add_fault(&part, &j->faults[i]);
        add_within(out, &part, start, most);
    }
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        tr_text part = {0};
        if (j->stages[i].state == JUDGE_UNDECIDED)
            add_open(&part, j, (judge_stage)i);
        add_within(out, &part, start, most);
    }
    for (size_t i = 0; i < arrlenu(j->preconditions); i++) {
        tr_text part = {0};
        tr_text_addf(&part, "the launch has to keep: %s\n", j->preconditions[i]);
        add_within(out, &part, start, most);
    }
}

/* "BM = 128, STAGES = 3: race: two tile blocks write ...", a line each. */
static void add_combination(tr_text *out, const judge_answer *a, size_t number)
{
    const judge_combination *c = &a->combinations[number];
    const judgement *j = &c->judgement;
    for (size_t i = 0; i < a->context->n_tuned; i++)
        tr_text_addf(out, "%s%s = %lld", i ? ", " : "", a->context->tuned[i].name,
                     (long long)c->values[i]);
    tr_text_addf(out, ": %s", judge_class_of(j->class_)->name);
    if (arrlenu(j->faults) > 0)
        tr_text_addf(out, ": %s", j->faults[0].what);
    tr_text_add(out, "\n");
}

void judge_feedback(tr_text *out, const judge_answer *a, size_t most)
{
    size_t start = out->length;
    for (size_t i = 0; i < arrlenu(a->combinations) && a->context->n_tuned; i++) {
        tr_text part = {0};
        if (a->combinations[i].judgement.class_ != JUDGE_PASSED)
            add_combination(&part, a, i);
        add_within(out, &part, start, most);
    }
    add_judgement(out, &a->whole, start, most);
}

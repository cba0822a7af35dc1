/* A judgement as text and as JSON. */
#include <cjson/cJSON.h>
#include <math.h>

#include "base/ds.h"
#include "json/print.h"
#include "judge/judge.h"

/* ---- Section: Text ---- */

static void write_stages(tr_text *out, const judgement *j)
{
    const char *before = "stages: ";
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        if (j->stages[i].state == JUDGE_NOT_ASKED)
            continue;
        tr_text_addf(out, "%s%s %s", before, judge_stage_of((judge_stage)i)->name,
                     judge_state_name(j->stages[i].state));
        before = ", ";
    }
    tr_text_add(out, "\n");
}

static void write_times(tr_text *out, const judgement *j)
{
    const char *before = "times: ";
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++) {
        if (j->stages[i].ms <= 0)
            continue;
        tr_text_addf(out, "%s%s %.1f ms", before, judge_stage_of((judge_stage)i)->name,
                     j->stages[i].ms);
        before = ", ";
    }
    tr_text_add(out, "\n");
}

void judge_write_text(tr_text *out, const judge_answer *a, const judge_writing *how)
{
    const judge_class_info *class_ = judge_class_of(a->whole.class_);
    size_t passed = 0;
    for (size_t i = 0; i < arrlenu(a->combinations); i++)
        passed += a->combinations[i].judgement.class_ == JUDGE_PASSED;
    tr_text_addf(out, "%s: %s: the kernel %s (score %.3f)\n", a->whole.file, class_->name,
                 class_->about, a->score);
    if (a->context->n_tuned)
        tr_text_addf(out, "%zu of %zu combinations of tuning values passed\n", passed,
                     arrlenu(a->combinations));
    judge_feedback(out, a, how->most_feedback);
    write_stages(out, &a->whole);
    if (how->times)
        write_times(out, &a->whole);
}

/* ---- Section: JSON ---- */

static void put_text(cJSON *object, const char *key, const char *text)
{
    if (text)
        cJSON_AddStringToObject(object, key, text);
}

static cJSON *fault_object(const judge_fault *f)
{
    cJSON *object = cJSON_CreateObject();
    put_text(object, "stage", judge_stage_of(f->stage)->name);
    put_text(object, "class", judge_class_of(f->class_)->name);
    put_text(object, "rule", f->rule);
    put_text(object, "kernel", f->kernel);
    if (f->place && f->place->file && f->place->line) {
        put_text(object, "file", f->place->file);
        cJSON_AddNumberToObject(object, "line", f->place->line);
    }
    put_text(object, "what", f->what);
    put_text(object, "launch", f->launch);
    put_text(object, "shown", f->shown);
    put_text(object, "help", f->help);
    return object;
}

/* A score has three digits, so that it is the same text everywhere. */
static double rounded(double score)
{
    return round(score * 1000) / 1000;
}

static cJSON *stage_object(const judgement *j, judge_stage stage, bool times)
{
    const judge_result *r = &j->stages[stage];
    cJSON *object = cJSON_CreateObject();
    put_text(object, "stage", judge_stage_of(stage)->name);
    put_text(object, "state", judge_state_name(r->state));
    if (r->state != JUDGE_NOT_ASKED)
        cJSON_AddNumberToObject(object, "score", judge_stage_score(j, stage));
    if (r->n_tried)
        cJSON_AddNumberToObject(object, "launches", (double)r->n_tried);
    put_text(object, "why", r->why);
    if (times)
        cJSON_AddNumberToObject(object, "time_ms", round(r->ms * 1000) / 1000);
    return object;
}

/* Returns what an autotuner reads: which values are safe. */
static cJSON *tuning_object(const judge_answer *a)
{
    cJSON *object = cJSON_CreateObject(), *names = cJSON_AddArrayToObject(object, "parameters");
    cJSON *list = cJSON_AddArrayToObject(object, "combinations");
    for (size_t i = 0; i < a->context->n_tuned; i++)
        cJSON_AddItemToArray(names, cJSON_CreateString(a->context->tuned[i].name));
    for (size_t i = 0; i < arrlenu(a->combinations); i++) {
        const judge_combination *c = &a->combinations[i];
        cJSON *item = cJSON_CreateObject(), *values = cJSON_AddArrayToObject(item, "values");
        for (size_t k = 0; k < a->context->n_tuned; k++)
            cJSON_AddItemToArray(values, cJSON_CreateNumber((double)c->values[k]));
        put_text(item, "class", judge_class_of(c->judgement.class_)->name);
        cJSON_AddNumberToObject(item, "score", rounded(judge_score(&c->judgement)));
        cJSON_AddItemToArray(list, item);
    }
    return object;
}

static cJSON *own_object(const judge_answer *a, const judge_writing *how)
{
    const judgement *j = &a->whole;
    cJSON *own = cJSON_CreateObject();
    cJSON *stages = cJSON_AddArrayToObject(own, "stages");
    tr_text feedback = {0};
    judge_feedback(&feedback, a, how->most_feedback);
    put_text(own, "class", judge_class_of(j->class_)->name);
    cJSON_AddNumberToObject(own, "score", rounded(a->score));
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        cJSON_AddItemToArray(stages, stage_object(j, (judge_stage)i, how->times));
    cJSON *faults = cJSON_AddArrayToObject(own, "faults");
    for (size_t i = 0; i < arrlenu(j->faults); i++)
        cJSON_AddItemToArray(faults, fault_object(&j->faults[i]));
    cJSON *preconditions = cJSON_AddArrayToObject(own, "preconditions");
    for (size_t i = 0; i < arrlenu(j->preconditions); i++)
        cJSON_AddItemToArray(preconditions, cJSON_CreateString(j->preconditions[i]));
    if (a->context->n_tuned)
        cJSON_AddItemToObject(own, "tuning", tuning_object(a));
    put_text(own, "feedback", tr_text_get(&feedback));
    tr_text_free(&feedback);
    return own;
}

static cJSON *patterns_of(const judgement *j)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < arrlenu(j->faults); i++) {
        cJSON *item = cJSON_CreateObject();
        const judge_fault *f = &j->faults[i];
        put_text(item, "pattern", f->rule ? f->rule : judge_class_of(f->class_)->name);
        put_text(item, "description", f->what);
        if (f->place && f->place->line)
            cJSON_AddNumberToObject(item, "line", f->place->line);
        cJSON_AddItemToArray(list, item);
    }
    return list;
}

/* The first four keys are those that pipelines of others read; "valid" is their word for passed. */
void judge_write_json(tr_text *out, const judge_answer *a, const judge_writing *how)
{
    const judgement *j = &a->whole;
    const judge_class_info *class_ = judge_class_of(j->class_);
    cJSON *root = cJSON_CreateObject();
    put_text(root, "classification", j->class_ == JUDGE_PASSED ? "valid" : class_->name);
    cJSON_AddBoolToObject(root, "should_filter", class_->is_wrong);
    put_text(root, "filter_reason", class_->is_wrong ? j->faults[0].what : "");
    cJSON_AddItemToObject(root, "matched_patterns", patterns_of(j));
    cJSON_AddItemToObject(root, "tilerace", own_object(a, how));
    char *text = json_printed(root, JSON_ONE_LINE);
    tr_text_add(out, text);
    tr_text_add(out, "\n");
    cJSON_free(text);
    cJSON_Delete(root);
}

/* The summary as JSON, for programs that start the checker. */
#include "exec/summary.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "json/print.h"

static void add(cJSON *object, const char *name, size_t n)
{
    cJSON_AddNumberToObject(object, name, (double)n);
}

static void add_kernels(cJSON *root, const summary *s)
{
    cJSON *kernels = cJSON_AddObjectToObject(root, "kernels");
    add(kernels, "seen", s->kernels);
    add(kernels, "launched", s->launched);
    add(kernels, "never_seen", s->unseen);
    add(kernels, "proved", s->proved);
    add(kernels, "conditional", s->conditional);
    add(kernels, "racy", s->racy);
    add(kernels, "unknown", s->undecided);
    add(kernels, "racy_allowed", s->racy_allowed);
    add(kernels, "racy_not_launched", s->not_launched);
    add(kernels, "racy_elsewhere", s->elsewhere);
}

static void add_launches(cJSON *root, const watch *w, const summary *s)
{
    static const char *const names[JUDGEMENT_COUNT] = {
#define JUDGEMENT(id, counted, name) [JUDGED_##id] = name,
#include "exec/judgements.def"
    };
    cJSON *launches = cJSON_AddObjectToObject(root, "launches");
    for (size_t i = 0; i < JUDGEMENT_COUNT; i++)
        add(launches, names[i], s->launches[i]);
    add(launches, "lost", s->lost);
    /* Raced or broke, and no program had words of its own for it. */
    add(launches, "told", w->told);
    add(launches, "executed", w->executed);
    add(launches, "not_executed", s->not_executed);
    add(launches, "executed_wrong", s->wrong);
}

static char *print(const watch *w, const summary *s)
{
    tr_text words = {0};
    cJSON *root = cJSON_CreateObject();
    add(root, "modules", s->modules);
    add(root, "modules_not_checked", s->not_checked);
    add(root, "processes_cut", s->cut);
    add(root, "not_recorded", w->modules.not_recorded);
    add_kernels(root, s);
    add_launches(root, w, s);
    exec_summary_write_words(&words, w);
    cJSON_AddStringToObject(root, "words", tr_text_get(&words));
    tr_text_clear(&words);
    exec_summary_write_remarks(&words, w);
    cJSON_AddStringToObject(root, "remarks", tr_text_get(&words));
    char *text = json_printed(root, JSON_LINES);
    cJSON_Delete(root);
    tr_text_free(&words);
    return text;
}

bool exec_summary_write_json(const char *path, const watch *w, const summary *s, const char **why)
{
    char *text = print(w, s);
    if (!text) {
        *why = "there is no memory";
        return false;
    }
    bool good = tr_write_whole(w->arena, path, text, strlen(text), why);
    cJSON_free(text);
    return good;
}

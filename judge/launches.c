/* Launches as data, for whoever knows at which of them the reference is asked: it may be a function
 * that this program cannot call. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "json/print.h"
#include "judge/samples.h"

judge_launch judge_launch_of(const judging *j, const judged_kernel *k,
                             const concrete_launch *launch)
{
    const contract *c = k->kernel->contract;
    tr_arena *arena = j->s->arena; /* which outlives the input's */
    const char **names = TR_NEW_ARRAY(arena, const char *, c->n_args + 1);
    int64_t *values = TR_NEW_ARRAY(arena, int64_t, c->n_args + 1);
    judge_launch given = {.file = j->context->file,
                          .kernel = tr_arena_strdup(arena, k->kernel->function->name),
                          .names = names,
                          .values = values};
    memcpy(given.grid, launch->grid, sizeof given.grid);
    for (size_t i = 0; i < c->n_args && i < launch->n_args; i++) {
        if (c->args[i].kind != CONTRACT_SCALAR)
            continue;
        names[given.n] = tr_arena_strdup(arena, c->args[i].name);
        values[given.n++] = launch->args[i].value;
    }
    return given;
}

/* ---- Section: JSON ---- */

static cJSON *object_of(const judge_launch *launch)
{
    const int64_t most = (int64_t)1 << 53; /* which JSON has exactly */
    cJSON *object = cJSON_CreateObject();
    cJSON_AddStringToObject(object, "file", launch->file);
    cJSON_AddStringToObject(object, "kernel", launch->kernel);
    cJSON *grid = cJSON_AddArrayToObject(object, "grid");
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(grid, cJSON_CreateNumber((double)launch->grid[axis]));
    cJSON *values = cJSON_AddObjectToObject(object, "values");
    for (size_t i = 0; i < launch->n; i++)
        if (launch->values[i] >= -most && launch->values[i] <= most)
            cJSON_AddNumberToObject(values, launch->names[i], (double)launch->values[i]);
    return object;
}

/* A sentence; NULL: nothing kept the launches from being found. */
static const char *why_not(const judgement *j)
{
    if (arrlenu(j->faults) > 0)
        return j->faults[0].what;
    for (int i = 0; i < JUDGE_STAGE_COUNT; i++)
        if (j->stages[i].state == JUDGE_UNDECIDED)
            return j->stages[i].why;
    return NULL;
}

void judge_write_launches(tr_text *out, const judge_answer *a)
{
    cJSON *root = cJSON_CreateObject(), *list = cJSON_AddArrayToObject(root, "launches");
    size_t most = 0;
    for (size_t i = 0; i < arrlenu(a->combinations); i++)
        if (arrlenu(a->combinations[i].judgement.launches) > most)
            most = arrlenu(a->combinations[i].judgement.launches);
    for (size_t k = 0; k < most; k++) /* the first of each combination before the second of any */
        for (size_t i = 0; i < arrlenu(a->combinations); i++) {
            const judgement *j = &a->combinations[i].judgement;
            if (k < arrlenu(j->launches))
                cJSON_AddItemToArray(list, object_of(&j->launches[k]));
        }
    const char *why = why_not(&a->whole);
    if (why)
        cJSON_AddStringToObject(root, "why", why);
    char *text = json_printed(root, JSON_ONE_LINE);
    tr_text_add(out, text);
    tr_text_add(out, "\n");
    cJSON_free(text);
    cJSON_Delete(root);
}

#include "driver/diff.h"

#include <cjson/cJSON.h>

#include "base/ds.h"
#include "json/print.h"

static void put_text(cJSON *object, const char *key, const char *text)
{
    cJSON_AddItemToObject(object, key, text ? cJSON_CreateString(text) : cJSON_CreateNull());
}

static cJSON *was_of(const history_finding *was)
{
    if (!was)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    put_text(object, "file", was->file);
    put_text(object, "kernel", was->kernel);
    put_text(object, "place", was->place);
    put_text(object, "message", was->message);
    return object;
}

static cJSON *item_of(const diff_item *item)
{
    const history_finding *f = item->of;
    cJSON *object = cJSON_CreateObject();
    put_text(object, "state", diff_state_name(item->state));
    put_text(object, "why", item->why);
    put_text(object, "rule", f->rule);
    put_text(object, "level", f->level);
    put_text(object, "file", f->file);
    put_text(object, "kernel", f->kernel);
    if (f->compiled_for)
        put_text(object, "compiled_for", f->compiled_for);
    put_text(object, "place", f->place);
    put_text(object, "message", f->message);
    put_text(object, "fingerprint", f->fingerprint);
    cJSON_AddItemToObject(object, "was", was_of(item->was));
    return object;
}

void diff_write_json(tr_text *out, const diff_item *items, const size_t counts[DIFF_STATES])
{
    cJSON *root = cJSON_CreateObject(), *numbers = cJSON_CreateObject(),
          *list = cJSON_CreateArray();
    for (int state = 0; state < DIFF_STATES; state++)
        cJSON_AddNumberToObject(numbers, diff_state_name((diff_state)state), (double)counts[state]);
    for (size_t i = 0; i < arrlenu(items); i++)
        cJSON_AddItemToArray(list, item_of(&items[i]));
    cJSON_AddNumberToObject(root, "schema_version", 1);
    cJSON_AddItemToObject(root, "counts", numbers);
    cJSON_AddItemToObject(root, "findings", list);
    char *printed = json_printed(root, JSON_LINES);
    tr_text_addf(out, "%s\n", printed);
    cJSON_free(printed);
    cJSON_Delete(root);
}

#include "judge/then.h"

#include <string.h>

#include "base/process.h"
#include "builds/words.h"
#include "json/print.h"
#include "json/take.h"

enum { PATIENCE_MS = 300 * 1000, MOST_OUTPUT = 16 << 20 };

/* The words of the command, then those that harnesses add. */
static const char *const *command_of(const session *s)
{
    const driver_options *o = s->options;
    const char *const *own = words_split(s->arena, NULL, o->then);
    size_t n = 0;
    while (own[n])
        n++;
    const char **words = TR_NEW_ARRAY(s->arena, const char *, n + 6);
    memcpy(words, own, n * sizeof *words);
    if (o->profile) {
        words[n++] = "--profile";
        words[n++] = o->profile;
    }
    if (o->config) {
        words[n++] = "--config";
        words[n++] = o->config;
    }
    words[n] = "--api-mode";
    return words;
}

/* Returns what the guard prints; NULL with *why. */
static const char *run_guard(session *s, const char *input, size_t length, const char **why)
{
    tr_text output = {0};
    tr_process_end end = {0};
    const char *printed = NULL;
    const char *const *words = command_of(s);
    tr_process *guard = tr_process_start(s->arena, words, why);
    if (!guard) {
        *why = tr_arena_printf(s->arena, "--then: %s", *why);
        return NULL;
    }
    tr_process_write(guard, input, length, PATIENCE_MS); /* it need not read all of it */
    tr_process_close_input(guard);
    tr_process_result result = tr_process_read_all(guard, PATIENCE_MS, MOST_OUTPUT, &output);
    if (result == TR_PROCESS_OK || result == TR_PROCESS_CLOSED)
        result = tr_process_wait(guard, PATIENCE_MS, &end);
    if (result != TR_PROCESS_OK)
        *why = tr_arena_printf(s->arena, "--then: %s does not end within %d s, or prints too much",
                               words[0], PATIENCE_MS / 1000);
    else if (end.exit_status != 0)
        *why = tr_arena_printf(s->arena, "--then: %s fails: %s", words[0],
                               end.signal
                                   ? tr_arena_printf(s->arena, "signal %d", end.signal)
                                   : tr_arena_printf(s->arena, "exit code %d", end.exit_status));
    else
        printed = tr_arena_strdup(s->arena, tr_text_get(&output));
    tr_process_free(guard);
    tr_text_free(&output);
    return printed;
}

/* The object in the last line that is not empty. */
static cJSON *last_object(tr_arena *arena, const char *printed)
{
    size_t length = strlen(printed);
    while (length > 0 && strchr(" \t\r\n", printed[length - 1]))
        length--;
    size_t start = length;
    while (start > 0 && printed[start - 1] != '\n')
        start--;
    cJSON *object = json_take(arena, printed + start, length - start, JSON_ALL_DIGITS, NULL);
    if (object && !cJSON_IsObject(object)) {
        cJSON_Delete(object);
        object = NULL;
    }
    return object;
}

static bool filters(const cJSON *answer)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(answer, "should_filter"));
}

static void take_key(cJSON *from, cJSON *to, const char *key)
{
    cJSON *item = cJSON_DetachItemFromObjectCaseSensitive(from, key);
    if (!item)
        return;
    cJSON_DeleteItemFromObjectCaseSensitive(to, key);
    cJSON_AddItemToObject(to, key, item);
}

/* Ours into theirs, so that keys which we do not know stay. */
static void merge(cJSON *ours, cJSON *theirs)
{
    static const char *const decided[] = {"classification", "should_filter", "filter_reason"};
    const cJSON *own_class = cJSON_GetObjectItemCaseSensitive(ours, "classification");
    bool is_valid = cJSON_IsString(own_class) && strcmp(own_class->valuestring, "valid") == 0;
    bool decides = filters(ours) || (!filters(theirs) && !is_valid);
    for (size_t i = 0; i < TR_COUNT(decided) && decides; i++)
        take_key(ours, theirs, decided[i]);
    cJSON *all = cJSON_DetachItemFromObjectCaseSensitive(ours, "matched_patterns"), *item;
    cJSON *more = cJSON_GetObjectItemCaseSensitive(theirs, "matched_patterns");
    while (cJSON_IsArray(more) && (item = cJSON_DetachItemFromArray(more, 0)))
        cJSON_AddItemToArray(all, item);
    cJSON_DeleteItemFromObjectCaseSensitive(theirs, "matched_patterns");
    cJSON_AddItemToObject(theirs, "matched_patterns", all);
    take_key(ours, theirs, "tilerace");
}

bool then_merge(session *s, const char *input, size_t length, tr_text *answer, const char **why)
{
    cJSON *ours = cJSON_Parse(tr_text_get(answer));
    const char *printed = run_guard(s, input, length, why);
    cJSON *theirs = printed ? last_object(s->arena, printed) : NULL;
    if (printed && !theirs)
        *why =
            tr_arena_printf(s->arena, "--then: '%s' ends with no line of JSON", s->options->then);
    if (theirs) {
        merge(ours, theirs);
        char *text = json_printed(theirs, JSON_ONE_LINE);
        tr_text_free(answer);
        tr_text_addf(answer, "%s\n", text);
        cJSON_free(text);
    }
    bool merged = theirs != NULL;
    cJSON_Delete(ours);
    cJSON_Delete(theirs);
    return merged;
}

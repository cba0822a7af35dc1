/* docs/contract.schema.json and the reader's table of keys say the same. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <string.h>

#include <cjson/cJSON.h>

#include "contract/launch_file.h"

typedef struct fixture {
    tr_arena *arena;
    cJSON *schema;
} fixture;

static int set_up(void **state)
{
    static fixture f;
    const char *why = NULL;
    size_t length;
    f.arena = tr_arena_new();
    const char *text = tr_read_file(
        f.arena, TR_FILE_KERNELS, TILERACE_SOURCE_DIR "/docs/contract.schema.json", &length, &why);
    f.schema = text ? cJSON_Parse(text) : NULL;
    *state = &f;
    return f.schema ? 0 : -1;
}

static int tear_down(void **state)
{
    fixture *f = *state;
    cJSON_Delete(f->schema);
    tr_arena_free(f->arena);
    return 0;
}

static const cJSON *definition(const fixture *f, const char *name)
{
    const cJSON *defs = cJSON_GetObjectItemCaseSensitive(f->schema, "$defs");
    return cJSON_GetObjectItemCaseSensitive(defs, name);
}

static unsigned value_of_type(const char *type)
{
    static const struct {
        const char *name;
        unsigned values;
    } table[] = {
        {"integer", LAUNCH_INTEGER_VALUE}, {"string", LAUNCH_STRING_VALUE},
        {"boolean", LAUNCH_BOOLEAN_VALUE}, {"object", LAUNCH_OBJECT_VALUE},
        {"array", LAUNCH_ARRAY_VALUE},     {"number", LAUNCH_NUMBER_VALUE | LAUNCH_INTEGER_VALUE}};
    for (size_t i = 0; i < TR_COUNT(table); i++)
        if (!strcmp(type, table[i].name))
            return table[i].values;
    fail_msg("the schema has a type %s", type);
    return 0;
}

static unsigned types_of(const fixture *f, const cJSON *property)
{
    const cJSON *reference = cJSON_GetObjectItemCaseSensitive(property, "$ref");
    if (reference) {
        const char *slash = strrchr(reference->valuestring, '/');
        property = definition(f, slash + 1);
        assert_non_null(property);
    }
    const cJSON *type = cJSON_GetObjectItemCaseSensitive(property, "type"), *item;
    unsigned values = 0;
    assert_non_null(type);
    if (cJSON_IsString(type))
        return value_of_type(type->valuestring);
    cJSON_ArrayForEach(item, type) values |= value_of_type(item->valuestring);
    return values;
}

static void test_same_keys_and_types(void **state)
{
    const fixture *f = *state;
    size_t count;
    const launch_key *keys = launch_keys(&count);
    for (int object = 0; object < LAUNCH_OBJECT_COUNT; object++) {
        const cJSON *def = definition(f, launch_object_name((launch_object)object));
        const cJSON *properties = cJSON_GetObjectItemCaseSensitive(def, "properties");
        int here = 0;
        assert_non_null(properties);
        assert_true(cJSON_IsFalse(cJSON_GetObjectItemCaseSensitive(def, "additionalProperties")));
        for (size_t i = 0; i < count; i++) {
            if ((int)keys[i].object != object)
                continue;
            const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, keys[i].key);
            if (!property)
                fail_msg("%s.%s is not in the schema", launch_object_name((launch_object)object),
                         keys[i].key);
            unsigned values = keys[i].values;
            if (values & LAUNCH_NUMBER_VALUE)
                values |= LAUNCH_INTEGER_VALUE;
            if (types_of(f, property) != values)
                fail_msg("%s.%s: the types differ", launch_object_name((launch_object)object),
                         keys[i].key);
            here++;
        }
        assert_int_equal(cJSON_GetArraySize(properties), here);
    }
}

/* Words that the reader takes and words that the schema lists. */
static void test_same_words(void **state)
{
    static const struct {
        const char *object, *key, *json; /* json: one launch with %s where the word stands */
    } places[] = {
        {"launch", "peers", "{\"peers\": \"%s\"}"},
        {"arg", "covered", "{\"args\": [{\"covered\": \"%s\"}]}"},
        {"arg", "dtype", "{\"args\": [{\"dtype\": \"%s\"}]}"},
        {"fill", "kind", "{\"args\": [{\"fill\": {\"kind\": \"%s\"}}]}"},
        {"fill", "kind", "{\"args\": [{\"fill\": \"%s\"}]}"},
    };
    const fixture *f = *state;
    for (size_t i = 0; i < TR_COUNT(places); i++) {
        const cJSON *properties =
            cJSON_GetObjectItemCaseSensitive(definition(f, places[i].object), "properties");
        const cJSON *property = cJSON_GetObjectItemCaseSensitive(properties, places[i].key);
        const cJSON *word;
        cJSON_ArrayForEach(word, cJSON_GetObjectItemCaseSensitive(property, "enum"))
        {
            tr_errors errors = tr_errors_make(f->arena);
            tr_text text = {0};
            tr_text_add(&text, "{\"version\": 1, \"launches\": [");
            const char *hole = strstr(places[i].json, "%s");
            tr_text_addn(&text, places[i].json, (size_t)(hole - places[i].json));
            tr_text_add(&text, word->valuestring);
            tr_text_addf(&text, "%s]}", hole + 2);
            launch_file *file = launch_file_parse(f->arena, "x", tr_text_get(&text),
                                                  strlen(tr_text_get(&text)), &errors);
            if (!file)
                fail_msg("%s", errors.items[0].text);
            launch_file_free(file);
            tr_text_free(&text);
            tr_errors_free(&errors);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_same_keys_and_types),
        cmocka_unit_test(test_same_words),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}

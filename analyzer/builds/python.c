/* cuTile Python: the kernels of a file, by a child in Python (python/tilerace/_build_child.py). */
#include "builds/python.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/installed.h"
#include "builds/job.h"
#include "json/print.h"
#include "json/take.h"
#include "settings/configs.h"
#include "settings/kernels.h"

static const char *signatures_of(const build_job *j)
{
    const settings *st = j->source->settings;
    const char *real = configs_name_of(j->arena, j->source->file), *name = NULL;
    size_t length = st->folder ? strlen(st->folder) : 0;
    if (length > 0 && strncmp(real, st->folder, length) == 0)
        name = real + length + strspn(real + length, "/");
    return setting_kernels_json(j->arena, &st->of[SETTING_kernels], name);
}

static bool write_request(build_job *j)
{
    const char *why = NULL;
    cJSON *root = cJSON_CreateObject();
    cJSON_AddStringToObject(root, "file", build_job_absolute(j, j->source->file));
    cJSON_AddRawToObject(root, "signatures", signatures_of(j));
    char *text = json_printed(root, JSON_ONE_LINE);
    bool good =
        tr_write_whole(j->arena, build_job_path(j, "request.json"), text, strlen(text), &why);
    cJSON_free(text);
    cJSON_Delete(root);
    if (!good)
        build_job_refuse(j, "is not compiled: %s", why);
    return good;
}

/* 0: it is not there, or none of a place. */
static uint32_t number_in(const cJSON *object, const char *key)
{
    const cJSON *number = cJSON_GetObjectItemCaseSensitive(object, key);
    bool is = cJSON_IsNumber(number) && number->valuedouble > 0 && number->valuedouble < 1e9;
    return is ? (uint32_t)number->valuedouble : 0;
}

/* "128", "true": one that JSON has, and no text. */
static bool is_literal(tr_arena *arena, const char *text)
{
    cJSON *value = json_take(arena, text, strlen(text), JSON_LONG_AS_TEXT, NULL);
    bool is =
        text[0] != '"' && (cJSON_IsNumber(value) || cJSON_IsBool(value) || cJSON_IsString(value));
    cJSON_Delete(value);
    return is;
}

/* False: it is none. */
static bool take_value(const build_job *j, const cJSON *item, signature_value *to)
{
    const char *name = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "name"));
    const char *word = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "word"));
    const char *literal = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "literal"));
    const char *text = literal ? literal : word;
    if (!name || !text)
        return false;
    *to = (signature_value){.name = build_job_words(j, name, strlen(name)),
                            .text = build_job_words(j, text, strlen(text)),
                            .is_literal = literal && is_literal(j->arena, literal)};
    return true;
}

/* Reads what the module was compiled for. Of one that is not told, nothing is known. */
static kernel_signature take_signature(const build_job *j, const cJSON *told)
{
    const cJSON *parameters = cJSON_GetObjectItemCaseSensitive(told, "parameters"), *item;
    const kernel_signature none = {0};
    int most = cJSON_IsArray(parameters) ? cJSON_GetArraySize(parameters) : 0;
    signature_value *values = TR_NEW_ARRAY(j->arena, signature_value, (size_t)most + 1);
    kernel_signature s = {
        .values = values, .which = number_in(told, "number"), .of = number_in(told, "of")};
    if (s.which == 0 || s.which > s.of || most > BUILD_MOST_PARAMETERS)
        return none;
    cJSON_ArrayForEach(item, parameters)
    {
        if (!take_value(j, item, &values[s.n]))
            return none;
        for (size_t i = 0; i < s.n; i++)
            if (strcmp(values[i].name, values[s.n].name) == 0)
                return none;
        s.n++;
    }
    return s;
}

/* The child's answer may have been written by the stranger's code as well as by ours: nothing of it
 * is taken but texts and a line each, and modules by numbers. False: it is no answer. */
static bool take_answer(build_job *j)
{
    size_t size;
    const char *why;
    const char *text =
        tr_read_file(j->arena, TR_FILE_RECORDED, build_job_path(j, "answer.json"), &size, &why);
    cJSON *root = text ? json_take(j->arena, text, size, JSON_ALL_DIGITS, NULL) : NULL;
    const cJSON *about = cJSON_GetObjectItemCaseSensitive(root, "about");
    const cJSON *wrong = cJSON_GetObjectItemCaseSensitive(root, "wrong"), *item;
    const cJSON *signatures = cJSON_GetObjectItemCaseSensitive(root, "signatures");
    bool good = cJSON_IsArray(about) && cJSON_IsArray(wrong);
    int n = good ? cJSON_GetArraySize(about) : 0, number = 0, n_wrong = 0;
    if (n > BUILD_MOST_MODULES)
        build_job_refuse(j, "has more than %d kernels: the others are not checked",
                         BUILD_MOST_MODULES);
    cJSON_ArrayForEach(item, about)
    {
        const char *names = cJSON_GetStringValue(item);
        const char *path = tr_arena_printf(j->arena, "%s/%d.tilebc", j->folder, number);
        if (++number > BUILD_MOST_MODULES ||
            !build_job_take(j, path, tr_arena_strdup(j->arena, names ? names : "")))
            break;
        j->to->modules[j->to->n - 1].signature =
            take_signature(j, cJSON_GetArrayItem(signatures, number - 1));
    }
    cJSON_ArrayForEach(item, wrong)
    {
        const char *what = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(item, "text"));
        tr_place place = {.file = j->source->file,
                          .line = number_in(item, "line"),
                          .column = number_in(item, "column")};
        if (++n_wrong > BUILD_MOST_ERRORS)
            break;
        what = what ? what : "cannot be compiled";
        tr_errors_add(&j->to->errors, &place, "%s", build_job_words(j, what, strlen(what)));
    }
    cJSON_Delete(root);
    return good;
}

void build_python(const session *s, const build_source *source, const char *program,
                  build_result *to)
{
    static const char *const places[] = {TILERACE_LIBDIR
                                         "/tilerace/python/tilerace/_build_child.py",
                                         "../../python/tilerace/_build_child.py", NULL};
    build_job j;
    build_end end;
    if (!build_job_begin(&j, s, source, program, to))
        return;
    const char *child = tr_find_installed(to->arena, places);
    const char *const argv[] = {program, child, j.folder, NULL};
    if (!child)
        build_job_refuse(&j,
                         "is not compiled: the Python package is not installed beside the program");
    else if (write_request(&j)) {
        bool ended =
            build_job_run(&j, argv, s->working_folder, build_job_variables(&j), true, &end);
        if (!ended)
            build_job_refuse_end(&j, &end);
        else if (!take_answer(&j))
            build_job_refuse(&j, "cannot be compiled: it ended the program that compiles it");
    }
    build_job_end(&j);
}

/* A report in JSON as history: no more of it is read than a comparison needs, and all of that must
 * be there. */
#include "report/history.h"
#include "report/json_read.h"
#include "report/report_private.h"

#include <string.h>

typedef struct report_reader {
    json_reader r;
    history *h;
    bool good;
} report_reader;

static const char *name_of(const report_reader *r, const char *file)
{
    (void)r;
    while (strncmp(file, "./", 2) == 0)
        file += 2;
    return file;
}

const char *history_shown(tr_arena *arena, const char *text)
{
    return report_json_shown(arena, text);
}

/* 0 where there is none: places may be unknown. */
static uint32_t number_of(const cJSON *object, const char *key)
{
    uint32_t number = 0;
    return report_json_whole(cJSON_GetObjectItemCaseSensitive(object, key), &number) ? number : 0;
}

static bool read_strength(report_reader *r, const cJSON *json, const char *where,
                          history_strength *strength)
{
    const char *word = report_json_line(&r->r, json, where, "confidence");
    bool is_possible = word && strcmp(word, "possible") == 0;
    if (word && !is_possible && strcmp(word, "confirmed") != 0) {
        report_json_refuse(&r->r, where, "there is no confidence '%s'", word);
        return false;
    }
    bool is_example = cJSON_GetObjectItemCaseSensitive(json, "precondition") != NULL;
    *strength = is_possible  ? HISTORY_POSSIBLE
                : is_example ? HISTORY_CONDITIONAL
                             : HISTORY_CONFIRMED;
    return word != NULL;
}

/* "k.c:3:5"; NULL: not known. */
static const char *place_of(const report_reader *r, const cJSON *found)
{
    const cJSON *first =
        cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(found, "locations"), 0);
    const char *file = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(first, "file"));
    uint32_t line = number_of(first, "line"), column = number_of(first, "column");
    if (!file || !line)
        return NULL;
    return column ? tr_arena_printf(r->r.arena, "%s:%u:%u", file, line, column)
                  : tr_arena_printf(r->r.arena, "%s:%u", file, line);
}

static bool is_object(report_reader *r, const cJSON *json, const char *where)
{
    if (!cJSON_IsObject(json))
        report_json_refuse(&r->r, where, "this must be an object");
    return cJSON_IsObject(json);
}

static void read_finding(report_reader *r, const cJSON *json, const char *where,
                         history_finding found)
{
    if (!is_object(r, json, where)) {
        r->good = false;
        return;
    }
    found.rule = report_json_line(&r->r, json, where, "rule");
    found.fingerprint = report_json_line(&r->r, json, where, "fingerprint");
    found.level = report_json_line(&r->r, json, where, "level");
    found.message = report_json_line(&r->r, json, where, "message");
    found.place = place_of(r, json);
    found.hidden = cJSON_GetObjectItemCaseSensitive(json, "suppressed") != NULL;
    found.is_note = found.level && strcmp(found.level, "note") == 0;
    bool has_strength = read_strength(r, json, where, &found.strength);
    if (found.rule && found.fingerprint && found.level && found.message && has_strength)
        history_add_finding(r->h, &found);
    else
        r->good = false;
}

static bool is_undecided(report_reader *r, const cJSON *json, const char *where)
{
    const char *verdict = report_json_line(&r->r, json, where, "verdict");
    const cJSON *counts = report_json_member(&r->r, json, where, "obligations", cJSON_Object);
    uint32_t unknown = 0;
    bool is_number =
        report_json_whole(cJSON_GetObjectItemCaseSensitive(counts, "unknown"), &unknown);
    if (counts && !is_number)
        report_json_refuse(&r->r, where, "`obligations.unknown` must be a whole number from 0");
    if (!verdict || !is_number) {
        r->good = false;
        return true;
    }
    return unknown > 0 || strcmp(verdict, report_verdict_name(VERDICT_UNKNOWN)) == 0;
}

/* Returns the file of the kernel; else the input's file. */
static const char *file_of(report_reader *r, const cJSON *place, const char *file)
{
    const char *of_place = cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(place, "file"));
    return of_place ? name_of(r, report_json_shown(r->r.arena, of_place)) : file;
}

static void read_kernel(report_reader *r, const cJSON *json, const char *file, const char *where)
{
    const char *kernel =
        is_object(r, json, where) ? report_json_line(&r->r, json, where, "kernel") : NULL;
    const cJSON *list =
        kernel ? report_json_member(&r->r, json, where, "findings", cJSON_Array) : NULL;
    if (!list) {
        r->good = false;
        return;
    }
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(json, "place");
    file = file_of(r, place, file);
    const cJSON *compilation = cJSON_GetObjectItemCaseSensitive(json, "compilation");
    const char *at = tr_arena_printf(r->r.arena, "%s.compilation", where);
    history_finding found = {
        .file = file,
        .kernel = kernel,
        .compiled_for = compilation ? report_json_line(&r->r, compilation, at, "text") : NULL};
    r->good = r->good && (!compilation || found.compiled_for);
    found.group = history_add_launch(r->h, file, kernel, number_of(place, "line"),
                                     number_of(place, "column"), is_undecided(r, json, where));
    size_t i = 0;
    for (const cJSON *item = list->child; item && r->good; item = item->next)
        read_finding(r, item, tr_arena_printf(r->r.arena, "%s.findings[%zu]", where, i++), found);
}

/* A kernel that --diff-base left out: it is there, and of its findings nothing is known. */
static void read_left_out(report_reader *r, const cJSON *json, const char *file, const char *where)
{
    const char *kernel =
        is_object(r, json, where) ? report_json_line(&r->r, json, where, "kernel") : NULL;
    if (!kernel) {
        r->good = false;
        return;
    }
    const cJSON *place = cJSON_GetObjectItemCaseSensitive(json, "place");
    file = file_of(r, place, file);
    history_add_launch(r->h, file, kernel, number_of(place, "line"), number_of(place, "column"),
                       true);
}

static void read_input(report_reader *r, const cJSON *json, const char *where)
{
    const char *file =
        is_object(r, json, where) ? report_json_line(&r->r, json, where, "file") : NULL;
    const char *status = file ? report_json_line(&r->r, json, where, "status") : NULL;
    const cJSON *kernels =
        status ? report_json_member(&r->r, json, where, "kernels", cJSON_Array) : NULL;
    if (!kernels) {
        r->good = false;
        return;
    }
    file = name_of(r, file);
    history_add_file(r->h, file, strcmp(status, "checked") == 0);
    size_t i = 0;
    for (const cJSON *item = kernels->child; item && r->good; item = item->next)
        read_kernel(r, item, file, tr_arena_printf(r->r.arena, "%s.kernels[%zu]", where, i++));
    const cJSON *left_out = cJSON_GetObjectItemCaseSensitive(json, "not_affected");
    if (left_out && !cJSON_IsArray(left_out)) {
        report_json_refuse(&r->r, where, "'not_affected' must be a list");
        r->good = false;
    }
    i = 0;
    for (const cJSON *item = left_out ? left_out->child : NULL; item && r->good; item = item->next)
        read_left_out(r, item, file,
                      tr_arena_printf(r->r.arena, "%s.not_affected[%zu]", where, i++));
}

/* Other files that people might hand over have a sentence of their own. */
static bool check_version(report_reader *r, const cJSON *root)
{
    uint32_t version = 0, of_prints = 0;
    if (cJSON_GetObjectItemCaseSensitive(root, "runs")) {
        report_json_refuse(&r->r, "",
                           "this is SARIF, which does not say what was proved; a report to "
                           "compare is written by --format json");
        return false;
    }
    if (!report_json_whole(cJSON_GetObjectItemCaseSensitive(root, "schema_version"), &version) ||
        !cJSON_GetObjectItemCaseSensitive(root, "inputs")) {
        report_json_refuse(&r->r, "", "this is no report of tilerace check --format json");
        return false;
    }
    report_json_whole(cJSON_GetObjectItemCaseSensitive(root, "fingerprint_version"), &of_prints);
    if (version != 2 || of_prints != FINGERPRINT_VERSION) {
        report_json_refuse(
            &r->r, "",
            "this report was written by another version of tilerace, which knew findings "
            "by other fingerprints; write it anew");
        return false;
    }
    return true;
}

bool history_read_report(history *h, const char *path, tr_errors *errors)
{
    report_reader r = {.r = {.arena = h->arena, .errors = errors}, .h = h, .good = true};
    cJSON *root = report_json_read(&r.r, TR_FILE_REPORT, path);
    if (!root)
        return false;
    r.good = check_version(&r, root);
    const cJSON *inputs = r.good ? report_json_member(&r.r, root, "", "inputs", cJSON_Array) : NULL;
    size_t i = 0;
    for (const cJSON *item = inputs ? inputs->child : NULL; item && r.good; item = item->next)
        read_input(&r, item, tr_arena_printf(h->arena, "inputs[%zu]", i++));
    cJSON_Delete(root);
    return r.good && inputs;
}

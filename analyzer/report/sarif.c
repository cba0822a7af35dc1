/* SARIF 2.1.0 (OASIS), with what GitHub's code scanning asks for: rule texts, relative URIs, the
 * second access as a related location and one thread flow for each tile block. */
#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* The most that code scanning takes. */
#define MAX_RESULTS 25000
#define MAX_TEXT    1024 /* characters of a rule's texts */

enum { RESULTS_DEPTH = 4 }; /* of the array in the report */

#define SCHEMA_URI                                                                                 \
    "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

typedef struct sarif {
    writer *w;
    size_t n; /* results that came up: those over the limit are not written */
} sarif;

static cJSON *message_of(writer *w, const char *text)
{
    tr_text escaped = {0};
    cJSON *message = cJSON_CreateObject();
    escape_sarif(&escaped, text);
    report_json_put(message, "text", report_json_text(w, tr_text_get(&escaped)));
    tr_text_free(&escaped);
    return message;
}

static cJSON *limited_message(writer *w, const char *text)
{
    return message_of(w, tr_arena_printf(w->arena, "%.*s", MAX_TEXT, text));
}

/* ---- Rules ---- */

static cJSON *rule_object(writer *w, const char *code, const char *name, const char *summary,
                          const char *help, rule_level level)
{
    cJSON *rule = cJSON_CreateObject();
    report_json_put(rule, "id", report_json_text(w, code));
    report_json_put(rule, "name", report_json_text(w, name));
    report_json_put(rule, "shortDescription", limited_message(w, summary));
    report_json_put(
        rule, "fullDescription",
        limited_message(
            w, tr_arena_printf(w->arena, "A finding of this rule says: %s. %s", summary, help)));
    cJSON *long_help = message_of(w, help);
    report_json_put(
        long_help, "markdown",
        report_json_text(w, tr_arena_printf(w->arena, "## %s: %s\n\n%s\n", code, summary, help)));
    report_json_put(rule, "help", long_help);
    report_json_put(rule, "helpUri",
                    report_json_text(w, tr_arena_printf(w->arena, REPORT_PAGES "%s.md", code)));
    cJSON *configuration = cJSON_CreateObject();
    report_json_put(configuration, "level", report_json_text(w, report_level_name(level)));
    report_json_put(rule, "defaultConfiguration", configuration);
    cJSON *properties = cJSON_CreateObject();
    cJSON *tags = cJSON_CreateArray();
    cJSON_AddItemToArray(tags, report_json_text(w, "correctness"));
    cJSON_AddItemToArray(tags, report_json_text(w, "concurrency"));
    report_json_put(properties, "tags", tags);
    report_json_put(properties, "precision", report_json_text(w, "very-high"));
    cJSON *problem = cJSON_CreateObject();
    report_json_put(
        problem, "severity",
        report_json_text(w, level == LEVEL_NOTE ? "recommendation" : report_level_name(level)));
    report_json_put(properties, "problem", problem);
    report_json_put(rule, "properties", properties);
    return rule;
}

/* Every rule, in the order of rules.def: a rule's index is its rule_id, the absences stand behind.
 */
static cJSON *rules_array(writer *w)
{
    cJSON *rules = cJSON_CreateArray();
    for (int id = 0; id < RULE_COUNT; id++) {
        const rule_info *rule = rule_info_of((rule_id)id);
        cJSON_AddItemToArray(
            rules, rule_object(w, rule->code, rule->name, rule->summary, rule->help, rule->level));
    }
    for (size_t i = 0; i < REPORT_ABSENCES; i++) {
        const report_absence *absence = report_absence_at(i);
        cJSON_AddItemToArray(rules, rule_object(w, absence->code, absence->name, absence->summary,
                                                absence->help, absence->level));
    }
    return rules;
}

/* ---- Locations ---- */

/* A file name as a URI relative to the folder of the run: its characters outside the unreserved
 * set as %XX. A file outside that folder keeps its absolute name. */
static const char *uri_of(writer *w, const char *file)
{
    tr_text uri = {0};
    file = file_from_folder(w, file);
    if (file[0] == '/')
        tr_text_add(&uri, "file://");
    for (; *file; file++) {
        unsigned char c = (unsigned char)*file;
        bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                     strchr("-._~/", c);
        if (plain)
            tr_text_addn(&uri, file, 1);
        else
            tr_text_addf(&uri, "%%%02X", c);
    }
    const char *result = tr_arena_strdup(w->arena, tr_text_get(&uri));
    tr_text_free(&uri);
    return result;
}

static uint32_t column_of(writer *w, const char *file, uint32_t line, uint32_t column)
{
    size_t length = 0;
    const char *text = source_line(w, file, line, &length);
    return text ? source_utf16_column(text, length, column) : column;
}

/* The region of a place. A place that is not known becomes the first line: viewers want a region,
 * and code scanning shows an alert without one there. */
static cJSON *region_of(writer *w, const tr_place *place)
{
    cJSON *region = cJSON_CreateObject();
    uint32_t line = place_known(place) ? place->line : 1;
    report_json_put(region, "startLine", report_json_int(line));
    if (!place_known(place) || place->column == 0) {
        report_json_put(region, "endLine", report_json_int(line));
        return region;
    }
    report_json_put(region, "startColumn",
                    report_json_int(column_of(w, place->file, place->line, place->column)));
    bool has_end = place->end_line >= place->line && place->end_column > 0;
    uint32_t end_line = has_end ? place->end_line : line;
    uint32_t end_column = has_end ? place->end_column : place->column + 1; /* one character */
    report_json_put(region, "endLine", report_json_int(end_line));
    report_json_put(region, "endColumn",
                    report_json_int(column_of(w, place->file, end_line, end_column)));
    return region;
}

static cJSON *physical_location(writer *w, const char *file, const tr_place *place)
{
    cJSON *physical = cJSON_CreateObject();
    cJSON *artifact = cJSON_CreateObject();
    report_json_put(artifact, "uri",
                    report_json_text(w, uri_of(w, place && place->file ? place->file : file)));
    report_json_put(physical, "artifactLocation", artifact);
    report_json_put(physical, "region", region_of(w, place));
    return physical;
}

static cJSON *location_object(writer *w, const char *file, const tr_place *place, const char *text)
{
    cJSON *location = cJSON_CreateObject();
    report_json_put(location, "physicalLocation", physical_location(w, file, place));
    if (text)
        report_json_put(location, "message", message_of(w, text));
    return location;
}

static const char *access_words(writer *w, const finding *f, size_t i)
{
    const finding_location *location = &f->locations[i];
    const witness_event *event = event_of_location(f, i);
    const char *role = location->role ? location->role : "access";
    if (!event || !event->access || !event->buffer)
        return role;
    return tr_arena_printf(w->arena, "%s: %s of element %" PRId64 " of %s by %s", role,
                           event->access, event->element, event->buffer,
                           event_words(w->arena, f, event));
}

static void add_step(writer *w, cJSON *steps, const char *file, const tr_place *place,
                     const char *text, const char *importance)
{
    cJSON *step = cJSON_CreateObject();
    report_json_put(step, "location", location_object(w, file, place, text));
    report_json_put(step, "importance", report_json_text(w, importance));
    cJSON_InsertItemInArray(steps, 0, step);
}

/* One thread flow for each access: the calls that lead to it, outermost first, then the access. */
static cJSON *thread_flow(writer *w, const char *file, const finding *f, size_t i)
{
    const finding_location *location = &f->locations[i];
    const int64_t *block = event_of_location(f, i)->block;
    cJSON *steps = cJSON_CreateArray();
    add_step(w, steps, file, location->place, access_words(w, f, i), "essential");
    for (const tr_place *at = location->place; at && at->inlined_at; at = at->inlined_at)
        add_step(w, steps, file, at->inlined_at, "inlined here", "unimportant");
    cJSON *flow = cJSON_CreateObject();
    report_json_put(
        flow, "id",
        report_json_text(w, tr_arena_printf(w->arena,
                                            "tile block (%" PRId64 ",%" PRId64 ",%" PRId64 ")",
                                            block[0], block[1], block[2])));
    report_json_put(flow, "locations", steps);
    return flow;
}

/* ---- Results ---- */

static cJSON *result_object(writer *w, const char *code, int index, rule_level level,
                            const char *text, const finding_hidden *hidden)
{
    cJSON *result = cJSON_CreateObject();
    report_json_put(result, "ruleId", report_json_text(w, code));
    report_json_put(result, "ruleIndex", report_json_int(index));
    report_json_put(result, "level", report_json_text(w, report_level_name(level)));
    report_json_put(result, "message", message_of(w, text));
    cJSON *suppressions = cJSON_CreateArray(); /* none: the result is known to count */
    if (hidden && hidden->by) {
        cJSON *suppression = cJSON_CreateObject();
        report_json_put(suppression, "kind",
                        report_json_text(w, hidden_info_of(hidden->by)->sarif));
        report_json_put(suppression, "justification", report_json_text(w, hidden->reason));
        if (place_known(hidden->place))
            report_json_put(suppression, "location",
                            location_object(w, hidden->place->file, hidden->place, NULL));
        cJSON_AddItemToArray(suppressions, suppression);
    }
    report_json_put(result, "suppressions", suppressions);
    return result;
}

static void put_fingerprints(writer *w, cJSON *result, const tr_place *place, const char *own)
{
    cJSON *fingerprints = cJSON_CreateObject();
    const char *hash = place_known(place) ? source_line_hash(w, place->file, place->line) : NULL;
    if (hash)
        report_json_put(fingerprints, "primaryLocationLineHash", report_json_text(w, hash));
    if (own)
        report_json_put(fingerprints,
                        tr_arena_printf(w->arena, "tilerace/v%d", FINGERPRINT_VERSION),
                        report_json_text(w, own));
    if (cJSON_GetArraySize(fingerprints) > 0)
        report_json_put(result, "partialFingerprints", fingerprints);
    else
        cJSON_Delete(fingerprints);
}

static void add_result(sarif *s, cJSON *result)
{
    if (s->n++ < MAX_RESULTS)
        report_json_element_at(s->w, RESULTS_DEPTH, s->n == 1, result);
    else
        cJSON_Delete(result);
}

static cJSON *fixes_of(writer *w, const char *file, const finding *f)
{
    cJSON *fixes = cJSON_CreateArray();
    for (size_t i = 0; i < f->n_fixes; i++) {
        const finding_fix *fix = &f->fixes[i];
        if (fix->replace.line == 0 || !fix->with || !fix->verified)
            continue; /* words only, or not proved: nothing a tool should apply */
        cJSON *replacement = cJSON_CreateObject();
        report_json_put(replacement, "deletedRegion", region_of(w, &fix->replace));
        cJSON *inserted = cJSON_CreateObject();
        report_json_put(inserted, "text", report_json_text(w, fix->with)); /* data: no message */
        report_json_put(replacement, "insertedContent", inserted);
        cJSON *change = cJSON_CreateObject();
        cJSON *artifact = cJSON_CreateObject();
        report_json_put(
            artifact, "uri",
            report_json_text(w, uri_of(w, fix->replace.file ? fix->replace.file : file)));
        report_json_put(change, "artifactLocation", artifact);
        cJSON *replacements = cJSON_CreateArray();
        cJSON_AddItemToArray(replacements, replacement);
        report_json_put(change, "replacements", replacements);
        cJSON *changes = cJSON_CreateArray();
        cJSON_AddItemToArray(changes, change);
        cJSON *object = cJSON_CreateObject();
        report_json_put(object, "description", message_of(w, fix->text));
        report_json_put(object, "artifactChanges", changes);
        cJSON_AddItemToArray(fixes, object);
    }
    return fixes;
}

/* Adds the other accesses, and the place of the launch if a recorded launch was checked. */
static cJSON *related_of(writer *w, const char *file, const kernel_report *kernel, const finding *f)
{
    cJSON *related = cJSON_CreateArray();
    for (size_t i = 1; i < f->n_locations; i++) {
        cJSON *location = location_object(w, file, f->locations[i].place, access_words(w, f, i));
        report_json_put(location, "id", report_json_int((int64_t)i));
        cJSON_AddItemToArray(related, location);
    }
    if (kernel->origin.file && kernel->origin.line) {
        const tr_place made = {.file = kernel->origin.file, .line = kernel->origin.line};
        cJSON *location = location_object(w, file, &made, "launched here");
        report_json_put(location, "id",
                        report_json_int(f->n_locations ? (int64_t)f->n_locations : 1));
        cJSON_AddItemToArray(related, location);
    }
    return related;
}

/* The finding in words: what it says, the ops of its accesses, what the kernel was compiled for,
 * and the witness. */
static const char *text_of(writer *w, const kernel_report *kernel, const finding *f)
{
    const char *text = f->message;
    if (f->n_locations > 1) /* the number links to the related location */
        text = tr_arena_printf(w->arena, "%s: see the [%s](1).", text,
                               f->locations[1].role ? f->locations[1].role : "second access");
    for (size_t i = 0; i < f->n_locations; i++) {
        const char *op = op_words(w->arena, kernel, &f->locations[i]);
        if (op)
            text = tr_arena_printf(w->arena, "%s\n%s %s", text, f->locations[i].role, op);
    }
    const char *compiled_for = signature_words(w->arena, kernel);
    if (compiled_for)
        text =
            tr_arena_printf(w->arena, "%s\n%s %s", text, signature_heading(kernel), compiled_for);
    return f->words ? tr_arena_printf(w->arena, "%s\n%s", text, f->words) : text;
}

static cJSON *locations_of(writer *w, const char *file, const kernel_report *kernel,
                           const tr_place *place)
{
    cJSON *locations = cJSON_CreateArray(), *logicals = cJSON_CreateArray();
    cJSON *where = location_object(w, file, place, NULL), *logical = cJSON_CreateObject();
    report_json_put(logical, "name", report_json_text(w, kernel->kernel));
    report_json_put(logical, "kind", report_json_text(w, "function"));
    cJSON_AddItemToArray(logicals, logical);
    report_json_put(where, "logicalLocations", logicals);
    cJSON_AddItemToArray(locations, where);
    return locations;
}

/* One flow whose threads are the tile blocks of the witness; an empty array where it names no
 * place for each of its events. */
static cJSON *code_flows_of(writer *w, const char *file, const finding *f)
{
    cJSON *all = cJSON_CreateArray();
    if (!f->witness || f->witness->n_events == 0 || f->n_locations < f->witness->n_events)
        return all;
    cJSON *flows = cJSON_CreateArray(), *flow = cJSON_CreateObject();
    for (size_t i = 0; i < f->witness->n_events; i++)
        cJSON_AddItemToArray(flows, thread_flow(w, file, f, i));
    report_json_put(flow, "threadFlows", flows);
    cJSON_AddItemToArray(all, flow);
    return all;
}

static cJSON *properties_of(writer *w, const kernel_report *kernel, const finding *f)
{
    cJSON *properties = cJSON_CreateObject();
    const char *compiled_for = signature_words(w->arena, kernel);
    report_json_put(
        properties, "confidence",
        report_json_text(w, f->confidence == CONFIDENCE_CONFIRMED ? "confirmed" : "possible"));
    report_json_put(properties, "kernel", report_json_text(w, kernel->kernel));
    if (compiled_for)
        report_json_put(properties, "compiledFor", report_json_text(w, compiled_for));
    if (f->set_level)
        report_json_put(properties, "levelSet",
                        report_json_text(w, tr_arena_printf(w->arena, "%s %s", level_heading(f),
                                                            level_words(w->arena, f))));
    if (f->only_per_iteration)
        report_json_put(properties, "vanishesPerName", cJSON_CreateBool(true));
    return properties;
}

/* Takes the array; an empty one is left out. */
static void put_if_any(cJSON *result, const char *name, cJSON *array)
{
    if (cJSON_GetArraySize(array) > 0)
        report_json_put(result, name, array);
    else
        cJSON_Delete(array);
}

static void add_finding(sarif *s, const input_report *input, const kernel_report *kernel,
                        const finding *f)
{
    writer *w = s->w;
    const tr_place *place = f->n_locations > 0 ? f->locations[0].place : NULL;
    cJSON *result = result_object(w, rule_info_of(f->rule)->code, (int)f->rule, f->level,
                                  text_of(w, kernel, f), &f->hidden);
    if (w->report->has_baseline)
        report_json_put(result, "baselineState",
                        report_json_text(w, f->is_known ? "unchanged" : "new"));
    report_json_put(result, "locations", locations_of(w, input->file, kernel, place));
    put_fingerprints(w, result, place, f->fingerprint);
    put_if_any(result, "relatedLocations", related_of(w, input->file, kernel, f));
    put_if_any(result, "codeFlows", code_flows_of(w, input->file, f));
    put_if_any(result, "fixes", fixes_of(w, input->file, f));
    report_json_put(result, "properties", properties_of(w, kernel, f));
    add_result(s, result);
}

static void add_absence(sarif *s, const report_absence *absence, int offset, const char *file,
                        const tr_place *place, const char *text)
{
    writer *w = s->w;
    cJSON *result =
        result_object(w, absence->code, RULE_COUNT + offset, absence->level, text, NULL);
    cJSON *locations = cJSON_CreateArray();
    cJSON_AddItemToArray(locations, location_object(w, file, place, NULL));
    report_json_put(result, "locations", locations);
    put_fingerprints(w, result, place, NULL);
    add_result(s, result);
}

static void add_input(sarif *s, const input_report *input)
{
    writer *w = s->w;
    if (input->n_errors > 0) {
        add_absence(s, &report_unchecked, 1, input->file, &input->errors[0].place,
                    tr_arena_printf(w->arena, "Not checked: %s", input->errors[0].text));
        return;
    }
    for (size_t i = 0; i < input->n_remarks; i++) {
        const input_remark *remark = &input->remarks[i];
        add_absence(s, report_remark_info(remark->kind), 2 + (int)remark->kind, input->file,
                    remark->place, remark->text);
    }
    for (size_t k = 0; k < input->n_kernels; k++) {
        const kernel_report *kernel = &input->kernels[k];
        for (size_t f = 0; f < kernel->n_findings; f++)
            add_finding(s, input, kernel, &kernel->findings[f]);
        if (kernel->verdict == VERDICT_UNKNOWN)
            add_absence(s, &report_undecided, 0, input->file,
                        place_known(kernel->reason.place) ? kernel->reason.place : kernel->place,
                        undecided_words(w->arena, kernel));
    }
}

/* Counts the results that add_input writes. */
static size_t count_results(const full_report *report)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_inputs; i++) {
        const input_report *input = report_input(report, i);
        n += input->n_errors > 0 ? 1 : input->n_remarks;
        for (size_t k = 0; k < input->n_kernels && input->n_errors == 0; k++)
            n += input->kernels[k].n_findings + (input->kernels[k].verdict == VERDICT_UNKNOWN);
    }
    return n;
}

/* Whether the run worked, and what could not be read. */
static cJSON *invocation_of(writer *w)
{
    size_t n_results = count_results(w->report);
    report_totals totals = report_count(w->report);
    cJSON *invocation = cJSON_CreateObject();
    report_json_put(invocation, "executionSuccessful", cJSON_CreateBool(totals.not_checked == 0));
    cJSON *notices = cJSON_CreateArray();
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        for (size_t e = 0; e < input->n_errors; e++) {
            cJSON *notice = cJSON_CreateObject();
            report_json_put(notice, "level", report_json_text(w, "error"));
            report_json_put(notice, "message", message_of(w, input->errors[e].text));
            cJSON *locations = cJSON_CreateArray();
            cJSON_AddItemToArray(locations,
                                 location_object(w, input->file, &input->errors[e].place, NULL));
            report_json_put(notice, "locations", locations);
            cJSON_AddItemToArray(notices, notice);
        }
        writer_forget(w);
    }
    const char *lines[REPORT_OMISSIONS];
    size_t n_lines = report_omissions(w->arena, w->report, lines);
    for (size_t i = 0; i < n_lines; i++) {
        cJSON *notice = cJSON_CreateObject();
        report_json_put(notice, "level", report_json_text(w, "note"));
        report_json_put(notice, "message", message_of(w, lines[i]));
        cJSON_AddItemToArray(notices, notice);
    }
    if (n_results > MAX_RESULTS) {
        cJSON *notice = cJSON_CreateObject();
        report_json_put(notice, "level", report_json_text(w, "warning"));
        report_json_put(
            notice, "message",
            message_of(w, tr_arena_printf(w->arena, "%zu results over the limit of %d left out",
                                          n_results - MAX_RESULTS, MAX_RESULTS)));
        cJSON_AddItemToArray(notices, notice);
    }
    report_json_put(invocation, "toolExecutionNotifications", notices);
    return invocation;
}

/* The results come last, and one after another: not all of them are in memory. */
static void write_results(writer *w)
{
    static const char end[] = "\n\t\t}]\n}\n";
    sarif s = {.w = w};
    TR_ASSERT(w->out->length > sizeof end &&
              strcmp(w->out->data + w->out->length - (sizeof end - 1), end) == 0);
    w->out->length -= sizeof end - 1;
    w->out->data[w->out->length] = 0;
    tr_text_add(w->out, ",\n\t\t\t\"results\":\t[");
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        add_input(&s, report_input(w->report, i));
        writer_next(w);
    }
    tr_text_add(w->out, "]");
    tr_text_add(w->out, end);
}

void write_sarif(writer *w)
{
    cJSON *driver = cJSON_CreateObject();
    report_json_put(driver, "name", report_json_text(w, "tilerace"));
    report_json_put(driver, "version", report_json_text(w, TILERACE_VERSION));
    report_json_put(driver, "semanticVersion", report_json_text(w, TILERACE_VERSION));
    report_json_put(driver, "informationUri", report_json_text(w, REPORT_HOME));
    report_json_put(driver, "rules", rules_array(w));
    cJSON *tool = cJSON_CreateObject();
    report_json_put(tool, "driver", driver);
    cJSON *run = cJSON_CreateObject();
    report_json_put(run, "tool", tool);
    cJSON *invocations = cJSON_CreateArray();
    cJSON_AddItemToArray(invocations, invocation_of(w));
    report_json_put(run, "invocations", invocations);
    report_json_put(run, "columnKind", report_json_text(w, "utf16CodeUnits"));
    cJSON *runs = cJSON_CreateArray();
    cJSON_AddItemToArray(runs, run);
    cJSON *root = cJSON_CreateObject();
    report_json_put(root, "$schema", report_json_text(w, SCHEMA_URI));
    report_json_put(root, "version", report_json_text(w, "2.1.0"));
    report_json_put(root, "runs", runs);
    report_json_write(w, root);
    write_results(w);
}

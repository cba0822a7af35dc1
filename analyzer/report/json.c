/* Writes the report for programs: docs/report.schema.json says what is here. */
#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <stdio.h>

static cJSON *number_or_null(bool known, uint32_t number)
{
    return known ? report_json_int(number) : cJSON_CreateNull();
}

/* Writes what decided: the strategies alone, or the solver as well. */
static void put_by(writer *w, cJSON *object, bool by_solver)
{
    report_json_put(object, "by", report_json_text(w, by_solver ? "solver" : "strategy"));
}

static void put_range(writer *w, cJSON *object, const tr_place *place)
{
    bool known = place_known(place);
    report_json_put(object, "file",
                    report_json_text(w, place ? place->file : NULL)); /* may be known alone */
    report_json_put(object, "line", number_or_null(known, known ? place->line : 0));
    report_json_put(object, "column",
                    number_or_null(known && place->column > 0, known ? place->column : 0));
    report_json_put(object, "end_line", number_or_null(known, known ? place->end_line : 0));
    report_json_put(object, "end_column", number_or_null(known, known ? place->end_column : 0));
}

static cJSON *frames_of(writer *w, const tr_place *place)
{
    cJSON *frames = cJSON_CreateArray();
    for (const tr_place *at = place ? place->inlined_at : NULL; at; at = at->inlined_at) {
        cJSON *frame = cJSON_CreateObject();
        report_json_put(frame, "function", report_json_text(w, at->function));
        report_json_put(frame, "file", report_json_text(w, at->file));
        report_json_put(frame, "line", number_or_null(at->line > 0, at->line));
        report_json_put(frame, "column",
                        number_or_null(at->line > 0 && at->column > 0, at->column));
        cJSON_AddItemToArray(frames, frame);
    }
    return frames;
}

static cJSON *location_of(writer *w, const finding_location *location)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "role", report_json_text(w, location->role));
    put_range(w, object, location->place);
    report_json_put(object, "frames", frames_of(w, location->place));
    report_json_put(object, "op_ordinal", report_json_int(location->op_ordinal));
    report_json_put(object, "op_text",
                    report_json_text(w, location->op_text ? location->op_text : ""));
    return object;
}

static cJSON *lookups_of(writer *w, const witness_event *event)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < event->n_lookups; i++) {
        cJSON *object = cJSON_CreateObject();
        report_json_put(object, "buffer", report_json_text(w, event->lookups[i].buffer));
        report_json_put(object, "element", report_json_int(event->lookups[i].element));
        report_json_put(object, "value", report_json_int(event->lookups[i].value));
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static cJSON *event_of(writer *w, const witness_event *event)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "block", report_json_ints(3, event->block));
    report_json_put(object, "iterations", report_json_ints(event->n_iterations, event->iterations));
    report_json_put(object, "access", report_json_text(w, event->access));
    report_json_put(object, "order", report_json_text(w, event->order));
    report_json_put(object, "scope", report_json_text(w, event->scope));
    report_json_put(object, "buffer", report_json_text(w, event->buffer));
    report_json_put(object, "element", report_json_int(event->element));
    report_json_put(object, "coordinate", report_json_ints((size_t)event->rank, event->coordinate));
    report_json_put(object, "in_tile", report_json_ints((size_t)event->tile_rank, event->in_tile));
    if (event->n_lookups)
        report_json_put(object, "lookups", lookups_of(w, event));
    return object;
}

static cJSON *witness_of(writer *w, const witness *found)
{
    if (!found)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "grid", report_json_ints(3, found->grid));
    cJSON *params = cJSON_CreateObject();
    for (size_t i = 0; i < found->n_params; i++) {
        const witness_value *v = &found->params[i];
        report_json_put(params, utf8_clean(w->arena, v->name),
                        witness_is_large(v) ? report_json_unsigned((uint64_t)v->value)
                                            : report_json_int(v->value));
    }
    report_json_put(object, "params", params);
    cJSON *contents = cJSON_CreateObject();
    for (size_t i = 0; i < found->n_contents; i++)
        report_json_put(
            contents, utf8_clean(w->arena, found->contents[i].buffer),
            found->contents[i].floats
                ? report_json_floats(found->contents[i].count, found->contents[i].floats)
                : report_json_ints(found->contents[i].count, found->contents[i].values));
    report_json_put(object, "contents", contents);
    cJSON *events = cJSON_CreateArray();
    for (size_t i = 0; i < found->n_events; i++)
        cJSON_AddItemToArray(events, event_of(w, &found->events[i]));
    report_json_put(object, "events", events);
    return object;
}

static cJSON *fix_of(writer *w, const finding_fix *fix)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "text", report_json_text(w, fix->text));
    cJSON *replacement = cJSON_CreateNull();
    if (fix->replace.line > 0 && fix->with) {
        cJSON_Delete(replacement);
        replacement = cJSON_CreateObject();
        report_json_put(replacement, "line", report_json_int(fix->replace.line));
        report_json_put(replacement, "column", report_json_int(fix->replace.column));
        if (fix->replace.end_line > fix->replace.line)
            report_json_put(replacement, "end_line", report_json_int(fix->replace.end_line));
        report_json_put(replacement, "end_column", report_json_int(fix->replace.end_column));
        report_json_put(replacement, "with", report_json_text(w, fix->with));
    }
    report_json_put(object, "replacement", replacement);
    report_json_put(object, "verified", cJSON_CreateBool(fix->verified));
    return object;
}

static cJSON *suppressed_of(writer *w, const finding_hidden *hidden)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "kind", report_json_text(w, hidden_info_of(hidden->by)->json));
    report_json_put(object, "reason", report_json_text(w, hidden->reason));
    if (place_known(hidden->place)) {
        report_json_put(object, "file", report_json_text(w, hidden->place->file));
        report_json_put(object, "line", report_json_int(hidden->place->line));
    }
    return object;
}

/* Writes the members that findings and remarks begin with. */
static cJSON *begin_object(writer *w, const char *code, const char *name, rule_level level)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "rule", report_json_text(w, code));
    report_json_put(object, "name", report_json_text(w, name));
    report_json_put(object, "level", report_json_text(w, report_level_name(level)));
    return object;
}

static cJSON *finding_of(writer *w, const finding *f)
{
    const rule_info *rule = rule_info_of(f->rule);
    cJSON *object = begin_object(w, rule->code, rule->name, f->level);
    report_json_put(
        object, "confidence",
        report_json_text(w, f->confidence == CONFIDENCE_CONFIRMED ? "confirmed" : "possible"));
    put_by(w, object, f->by_solver);
    report_json_put(object, "message", report_json_text(w, f->message));
    cJSON *locations = cJSON_CreateArray();
    for (size_t i = 0; i < f->n_locations; i++)
        cJSON_AddItemToArray(locations, location_of(w, &f->locations[i]));
    report_json_put(object, "locations", locations);
    report_json_put(object, "witness", witness_of(w, f->witness));
    cJSON *fixes = cJSON_CreateArray();
    for (size_t i = 0; i < f->n_fixes; i++)
        cJSON_AddItemToArray(fixes, fix_of(w, &f->fixes[i]));
    report_json_put(object, "fixes", fixes);
    if (f->is_example)
        report_json_put(object, "precondition", report_json_int((int64_t)f->breaks));
    if (f->hidden.by)
        report_json_put(object, "suppressed", suppressed_of(w, &f->hidden));
    if (f->set_level) {
        cJSON *set = cJSON_CreateObject();
        report_json_put(set, "was", report_json_text(w, report_level_name(f->was)));
        report_json_put(set, "file", report_json_text(w, f->set_level->file));
        report_json_put(set, "line", report_json_int(f->set_level->line));
        report_json_put(object, "level_set", set);
    }
    report_json_put(object, "fingerprint", report_json_text(w, f->fingerprint));
    return object;
}

/* {"arg": "q", "part": "shape[0]"}, {"buffer": "row"}, {"grid": "x"}; null: no single thing. */
static cJSON *subject_of(writer *w, const require *asked)
{
    static const char *const axes[3] = {"x", "y", "z"};
    precondition_subject subject = asked->subject;
    if (subject.kind == PRECONDITION_OF_LAUNCH)
        return cJSON_CreateNull();
    cJSON *object = cJSON_CreateObject();
    if (subject.kind == PRECONDITION_OF_GRID)
        report_json_put(object, "grid", report_json_text(w, axes[subject.axis]));
    else
        report_json_put(object, subject.kind == PRECONDITION_OF_ARG ? "arg" : "buffer",
                        report_json_text(w, asked->name));
    if (asked->part && subject.kind == PRECONDITION_OF_ARG)
        report_json_put(object, "part", report_json_text(w, asked->part));
    return object;
}

static cJSON *require_of(writer *w, const require *asked)
{
    cJSON *object = cJSON_CreateObject();
    const precondition *what = &asked->what;
    report_json_put(object, "kind", report_json_text(w, precondition_name(what->kind)));
    report_json_put(object, "class", report_json_text(w, precondition_class_name(what->class_)));
    report_json_put(object, "subject", subject_of(w, asked));
    report_json_put(object, "text", report_json_text(w, asked->text));
    report_json_put(object, "term", report_json_text(w, asked->term));
    report_json_put(object, "reason", report_json_text(w, what->reason));
    put_by(w, object, what->by_solver);
    cJSON *fragment = asked->fragment ? cJSON_Parse(asked->fragment) : NULL;
    report_json_put(object, "contract", fragment ? fragment : cJSON_CreateNull());
    return object;
}

static cJSON *reason_of(writer *w, const verdict_reason *reason)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "kind", report_json_text(w, reason_name(reason->kind)));
    report_json_put(object, "text", report_json_text(w, reason->text ? reason->text : ""));
    cJSON *location = cJSON_CreateNull();
    if (place_known(reason->place)) {
        cJSON_Delete(location);
        location = cJSON_CreateObject();
        put_range(w, location, reason->place);
    }
    report_json_put(object, "location", location);
    return object;
}

/* NULL: the contract does not say where its launch was made. */
static cJSON *launch_of(writer *w, const contract_origin *origin)
{
    if (!origin->file && !origin->program)
        return NULL;
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "file", report_json_text(w, origin->file));
    report_json_put(object, "line",
                    origin->line ? report_json_int(origin->line) : cJSON_CreateNull());
    report_json_put(object, "program", report_json_text(w, origin->program));
    return object;
}

static cJSON *place_of(writer *w, const tr_place *place)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "file", report_json_text(w, place->file));
    report_json_put(object, "line", report_json_int(place->line));
    report_json_put(object, "column", number_or_null(place->column > 0, place->column));
    return object;
}

/* Writes what each parameter was stated to be. */
static cJSON *signature_of(writer *w, const kernel_signature *s)
{
    cJSON *object = cJSON_CreateObject();
    for (size_t i = 0; i < s->n; i++)
        report_json_put(object, utf8_clean(w->arena, s->values[i].name),
                        s->values[i].is_literal ? cJSON_CreateRaw(s->values[i].text)
                                                : report_json_text(w, s->values[i].text));
    return object;
}

/* The signature of a kernel that is compiled several times. */
static cJSON *compilation_of(writer *w, const kernel_report *k)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "number", report_json_int((int64_t)k->signature->which));
    report_json_put(object, "of", report_json_int((int64_t)k->signature->of));
    report_json_put(object, "text", report_json_text(w, signature_words(w->arena, k)));
    return object;
}

static cJSON *kernel_of(writer *w, const kernel_report *k)
{
    static const char *const contracts[] = {
        [CONTRACT_NONE] = "none", [CONTRACT_SOURCE] = "source", [CONTRACT_FILE] = "file"};
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "kernel", report_json_text(w, k->kernel));
    if (place_known(k->place))
        report_json_put(object, "place", place_of(w, k->place));
    if (k->signature && k->signature->n > 0)
        report_json_put(object, "signature", signature_of(w, k->signature));
    if (k->signature && k->signature->of > 1)
        report_json_put(object, "compilation", compilation_of(w, k));
    report_json_put(object, "verdict", report_json_text(w, report_verdict_name(k->verdict)));
    if (k->verdict == VERDICT_UNKNOWN)
        report_json_put(object, "reason", reason_of(w, &k->reason));
    put_by(w, object, k->by_solver);
    report_json_put(object, "contract", report_json_text(w, contracts[k->contract]));
    cJSON *launch = launch_of(w, &k->origin);
    if (launch)
        report_json_put(object, "launch", launch);
    if (k->is_empty)
        report_json_put(object, "empty_launch", cJSON_CreateTrue());
    cJSON *requires_ = cJSON_CreateArray();
    for (size_t i = 0; i < k->n_requires; i++)
        cJSON_AddItemToArray(requires_, require_of(w, &k->requires_[i]));
    report_json_put(object, "requires", requires_);
    cJSON *trust = cJSON_CreateObject();
    report_json_put(trust, "loop_tokens",
                    report_json_text(w, k->tokens_per_name ? "per-name" : "per-iteration"));
    cJSON *inferred = cJSON_CreateArray();
    for (int c = 0; c < TRUST_COUNT; c++)
        if (k->rests_on & TRUST_BIT(c) && trust_info_of((trust_choice)c)->is_listed)
            cJSON_AddItemToArray(inferred,
                                 report_json_text(w, trust_info_of((trust_choice)c)->name));
    report_json_put(trust, "inferred", inferred);
    report_json_put(object, "trust", trust);
    if (k->n_orders) {
        cJSON *orders = cJSON_CreateArray();
        for (size_t i = 0; i < k->n_orders; i++)
            cJSON_AddItemToArray(orders, report_json_text(w, k->orders[i]));
        report_json_put(object, "orders", orders);
    }
    cJSON *counts = cJSON_CreateObject();
    report_json_put(counts, "total", report_json_int((int64_t)k->total));
    report_json_put(counts, "proved", report_json_int((int64_t)k->proved));
    report_json_put(counts, "refuted", report_json_int((int64_t)k->refuted));
    report_json_put(counts, "unknown", report_json_int((int64_t)k->unknown));
    report_json_put(counts, "vacuous", report_json_int((int64_t)k->vacuous));
    cJSON *by = cJSON_CreateObject();
    report_json_put(by, "strategies", report_json_int((int64_t)(k->proved - k->proved_by_solver)));
    report_json_put(by, "solver", report_json_int((int64_t)k->proved_by_solver));
    report_json_put(counts, "by", by);
    report_json_put(object, "obligations", counts);
    char time[48];
    snprintf(time, sizeof time, "%.1f", k->time_ms);
    report_json_put(object, "time_ms", cJSON_CreateRaw(time));
    cJSON *findings = cJSON_CreateArray();
    for (size_t i = 0; i < k->n_findings; i++)
        cJSON_AddItemToArray(findings, finding_of(w, &k->findings[i]));
    report_json_put(object, "findings", findings);
    return object;
}

static cJSON *remark_of(writer *w, const input_remark *remark)
{
    const report_absence *info = report_remark_info(remark->kind);
    cJSON *object = begin_object(w, info->code, info->name, info->level);
    report_json_put(object, "message", report_json_text(w, remark->text));
    put_range(w, object, remark->place);
    return object;
}

static cJSON *left_out_of(writer *w, const input_report *input)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < input->n_left_out; i++) {
        cJSON *object = cJSON_CreateObject();
        report_json_put(object, "kernel", report_json_text(w, input->left_out[i].kernel));
        if (place_known(input->left_out[i].place))
            report_json_put(object, "place", place_of(w, input->left_out[i].place));
        cJSON_AddItemToArray(list, object);
    }
    return list;
}

static cJSON *input_of(writer *w, const input_report *input)
{
    cJSON *object = cJSON_CreateObject();
    bool failed = input->n_errors > 0;
    report_json_put(object, "file", report_json_text(w, input->file));
    report_json_put(object, "status", report_json_text(w, failed ? "error" : "checked"));
    report_json_put(object, "error",
                    report_json_text(w, failed ? input_error_text(w->arena, input) : NULL));
    if (input->n_remarks > 0) {
        cJSON *remarks = cJSON_CreateArray();
        for (size_t i = 0; i < input->n_remarks; i++)
            cJSON_AddItemToArray(remarks, remark_of(w, &input->remarks[i]));
        report_json_put(object, "remarks", remarks);
    }
    cJSON *kernels = cJSON_CreateArray();
    for (size_t i = 0; i < input->n_kernels && !failed; i++)
        cJSON_AddItemToArray(kernels, kernel_of(w, &input->kernels[i]));
    report_json_put(object, "kernels", kernels);
    if (w->report->since)
        report_json_put(object, "not_affected", left_out_of(w, input));
    return object;
}

/* Writes what was found in folders and not checked, by its reason. */
static cJSON *skipped_of(writer *w)
{
    cJSON *list = cJSON_CreateArray();
    for (int reason = 0; reason < SKIPPED_COUNT; reason++) {
        cJSON *files = cJSON_CreateArray();
        for (size_t i = 0; i < w->report->n_skipped; i++)
            if ((int)w->report->skipped[i].reason == reason)
                cJSON_AddItemToArray(files, report_json_text(w, w->report->skipped[i].path));
        int n = cJSON_GetArraySize(files);
        cJSON *object = cJSON_CreateObject();
        report_json_put(object, "reason",
                        report_json_text(w, skip_info_of((skip_reason)reason)->name));
        report_json_put(object, "count", report_json_int(n));
        report_json_put(object, "files", files);
        if (n > 0)
            cJSON_AddItemToArray(list, object);
        else
            cJSON_Delete(object);
    }
    return list;
}

/* Writes what --diff-base left out: one line, and the numbers in it. */
static cJSON *not_affected_of(writer *w)
{
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "since", report_json_text(w, w->report->since));
    report_json_put(object, "kernels", report_json_int((int64_t)w->report->n_left_out));
    report_json_put(object, "text",
                    report_json_text(w, report_left_out_words(w->arena, w->report)));
    return object;
}

void write_json(writer *w)
{
    cJSON *root = cJSON_CreateObject();
    report_json_put(root, "schema_version", report_json_int(2));
    report_json_put(root, "fingerprint_version", report_json_int(FINGERPRINT_VERSION));
    cJSON *tool = cJSON_CreateObject();
    report_json_put(tool, "name", report_json_text(w, "tilerace"));
    report_json_put(tool, "version", report_json_text(w, TILERACE_VERSION));
    report_json_put(tool, "solver",
                    report_json_text(w, w->report->solver ? w->report->solver : "none"));
    report_json_put(root, "tool", tool);
    report_json_begin(w, root);
    report_json_begin_array(w, "inputs");
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        report_json_element(w, i == 0, input_of(w, report_input(w->report, i)));
        writer_next(w);
    }
    report_json_end_array(w);
    if (w->report->n_skipped > 0)
        report_json_write_member(w, "skipped", skipped_of(w));
    if (w->report->since)
        report_json_write_member(w, "not_affected", not_affected_of(w));
    report_json_end(w);
}

/* The Code Quality report of GitLab: one object for each finding, by the subset of Code Climate's
 * form that GitLab reads. Every object needs a line; 1 stands for one that is not known. */
#include "report/report_private.h"

#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"

typedef struct times_seen { /* stb_ds map entry */
    char *key;
    size_t value;
} times_seen;

typedef struct gitlab {
    writer *w;
    size_t n;         /* objects that were written */
    tr_arena *arena;  /* of `seen` */
    times_seen *seen; /* fingerprints */
} gitlab;

/* GitLab shows one finding of a fingerprint alone, so those that are equal (one finding of several
 * launches) are numbered. */
static const char *unique(gitlab *g, const char *fingerprint)
{
    size_t times = shget(g->seen, fingerprint) + 1;
    shput(g->seen, tr_arena_strdup(g->arena, fingerprint), times);
    return times == 1 ? fingerprint : tr_arena_printf(g->w->arena, "%s-%zu", fingerprint, times);
}

static const char *hash_of(gitlab *g, const char *text)
{
    uint64_t hash = 14695981039346656037u; /* FNV-1a */
    for (const unsigned char *at = (const unsigned char *)text; *at; at++)
        hash = (hash ^ *at) * 1099511628211u;
    return tr_arena_printf(g->w->arena, "%016llx", (unsigned long long)hash);
}

static void add(gitlab *g, const char *code, rule_level level, const char *file,
                const tr_place *place, const char *fingerprint, const char *text)
{
    static const char *const severities[] = {
        [LEVEL_NOTE] = "info", [LEVEL_WARNING] = "minor", [LEVEL_ERROR] = "critical"};
    writer *w = g->w;
    const char *path = file_from_folder(w, place && place->file ? place->file : file);
    cJSON *lines = cJSON_CreateObject();
    report_json_put(lines, "begin", report_json_int(place_known(place) ? place->line : 1));
    if (place_known(place) && place->end_line > place->line)
        report_json_put(lines, "end", report_json_int(place->end_line));
    cJSON *location = cJSON_CreateObject();
    report_json_put(location, "path", report_json_text(w, path));
    report_json_put(location, "lines", lines);
    cJSON *object = cJSON_CreateObject();
    report_json_put(object, "description", report_json_text(w, tr_shown(w->arena, text)));
    report_json_put(object, "check_name", report_json_text(w, code));
    report_json_put(object, "fingerprint", report_json_text(w, unique(g, fingerprint)));
    report_json_put(object, "severity", report_json_text(w, severities[level]));
    report_json_put(object, "location", location);
    report_json_element_at(w, 1, g->n++ == 0, object);
}

static void add_absence(gitlab *g, const report_absence *absence, rule_level level,
                        const input_report *input, const tr_place *place, const char *name,
                        const char *text)
{
    const char *known_by =
        tr_arena_printf(g->w->arena, "%s\n%s\n%s", absence->code, input->file, name);
    add(g, absence->code, level, input->file, place, hash_of(g, known_by), text);
}

static void add_kernel(gitlab *g, const input_report *input, const kernel_report *kernel)
{
    for (size_t i = 0; i < kernel->n_findings; i++) {
        const finding *f = &kernel->findings[i];
        const tr_place *place = f->n_locations > 0 ? f->locations[0].place : NULL;
        if (f->hidden.by)
            continue;
        const char *possible = f->confidence == CONFIDENCE_POSSIBLE ? "possible: " : "";
        add(g, rule_info_of(f->rule)->code, f->level, input->file, place, f->fingerprint,
            tr_arena_printf(g->w->arena, "%s%s ('%s')", possible, f->message,
                            kernel_words(g->w->arena, kernel)));
    }
    if (kernel->verdict == VERDICT_UNKNOWN)
        add_absence(g, &report_undecided, LEVEL_NOTE, input,
                    place_known(kernel->reason.place) ? kernel->reason.place : kernel->place,
                    kernel_words(g->w->arena, kernel), undecided_words(g->w->arena, kernel));
}

static void add_skipped(gitlab *g, const skipped_file *skipped)
{
    const skip_info *info = skip_info_of(skipped->reason);
    const char *text = tr_arena_printf(g->w->arena, "not checked: %s", info->name);
    add(g, report_unchecked.code, LEVEL_NOTE, skipped->path, NULL,
        hash_of(g, tr_arena_printf(g->w->arena, "%s %s", info->name, skipped->path)), text);
}

/* The form has no place for what is said of a whole report: it stands at the first file. */
static void add_left_out(gitlab *g)
{
    const full_report *report = g->w->report;
    const char *words = report_left_out_words(g->w->arena, report);
    for (size_t i = 0; i < report->n_inputs && *words; i++)
        if (report_input(report, i)->n_left_out > 0) {
            add(g, report_unchecked.code, LEVEL_NOTE, report->inputs[i].file, NULL,
                hash_of(g, "not affected"), words);
            return;
        }
}

void write_gitlab(writer *w)
{
    gitlab g = {.w = w, .arena = tr_arena_new()};
    tr_text_add(w->out, "[");
    for (size_t i = 0; i < w->report->n_inputs; i++) {
        const input_report *input = report_input(w->report, i);
        if (input->n_errors > 0)
            add_absence(&g, &report_unchecked, LEVEL_ERROR, input, &input->errors[0].place, "",
                        tr_arena_printf(w->arena, "not checked: %s", input->errors[0].text));
        for (size_t r = 0; r < input->n_remarks; r++) {
            const report_absence *info = report_remark_info(input->remarks[r].kind);
            add_absence(&g, info, info->level, input, input->remarks[r].place,
                        input->remarks[r].text, input->remarks[r].text);
        }
        for (size_t k = 0; k < input->n_kernels && input->n_errors == 0; k++)
            add_kernel(&g, input, &input->kernels[k]);
        writer_next(w);
    }
    for (size_t i = 0; i < w->report->n_skipped; i++)
        add_skipped(&g, &w->report->skipped[i]);
    add_left_out(&g);
    shfree(g.seen);
    tr_arena_free(g.arena);
    tr_text_add(w->out, "]\n");
}

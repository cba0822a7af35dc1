/* Baselines: the findings that a team knows of and has put off, in a file that lies beside the
 * sources and is reviewed with them. One line a finding, sorted, without line numbers or times, so
 * that the file changes where findings do and nowhere else.
 *
 * `kernels` lists, of the files that have entries, what was there: a kernel that is not listed and
 * has the finding of one that is gone is that one, renamed. */
#include "report/history.h"
#include "json/print.h"
#include "report/json_read.h"
#include "report/report_private.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"

enum { BASELINE_VERSION = 1 };

#define KEY_VERSION      "baseline_version"
#define KEY_FINGERPRINTS "fingerprint_version"
#define KEY_KERNELS      "kernels"
#define KEY_ENTRIES      "findings"
#define KEY_FILE         "file"
#define KEY_KERNEL       "kernel"
#define KEY_RULE         "rule"
#define KEY_STRENGTH     "strength"
#define KEY_FINGERPRINT  "fingerprint"
#define KEY_SAYS         "says"

/* ---- Section: Reading ---- */

typedef struct baseline_reader {
    json_reader r;
    history *h;
} baseline_reader;

/* A place in a file of a repository may only name a file in it. one in it. */
static bool is_name_of_file(const char *file)
{
    return file[0] != '/';
}

static bool is_fingerprint(const char *text)
{
    size_t length = 0;
    for (; text[length]; length++)
        if (!isdigit((unsigned char)text[length]) && (text[length] < 'a' || text[length] > 'f'))
            return false;
    return length == sizeof((finding *)0)->fingerprint - 1;
}

static bool read_strength(const baseline_reader *b, const char *word, const char *where,
                          history_strength *strength)
{
    for (int i = 0; i < HISTORY_STRENGTHS; i++)
        if (strcmp(word, history_strength_name((history_strength)i)) == 0) {
            *strength = (history_strength)i;
            return true;
        }
    report_json_refuse(&b->r, where, "there is no strength '%s'", word);
    return false;
}

static bool read_entry(const baseline_reader *b, const cJSON *json, const char *where)
{
    static const char *const keys[] = {KEY_FILE,     KEY_KERNEL,      KEY_RULE,
                                       KEY_STRENGTH, KEY_FINGERPRINT, KEY_SAYS};
    if (!cJSON_IsObject(json)) {
        report_json_refuse(&b->r, where, "this must be an object");
        return false;
    }
    const char *values[TR_COUNT(keys)];
    bool good = report_json_has_only(&b->r, json, where, TR_COUNT(keys), keys);
    for (size_t i = 0; good && i < TR_COUNT(keys); i++)
        good = (values[i] = report_json_line(&b->r, json, where, keys[i])) != NULL;
    if (!good)
        return false;
    history_finding f = {.file = values[0],
                         .kernel = values[1],
                         .rule = values[2],
                         .fingerprint = values[4],
                         .message = values[5]};
    if (!is_name_of_file(f.file))
        report_json_refuse(&b->r, where, "`%s` must be a path from the repository on", KEY_FILE);
    else if (!rule_by_code(f.rule) || strcmp(rule_by_code(f.rule)->code, f.rule) != 0)
        report_json_refuse(&b->r, where, "there is no rule '%s'", f.rule);
    else if (!is_fingerprint(f.fingerprint))
        report_json_refuse(&b->r, where, "`%s` is no fingerprint", KEY_FINGERPRINT);
    else if (read_strength(b, values[3], where, &f.strength)) {
        /* Each entry is one of its own: that of a launch of its own kernel. */
        f.group =
            history_add_launch(b->h, f.file, f.kernel, (uint32_t)arrlenu(b->h->findings), 1, false);
        history_add_finding(b->h, &f);
        return true;
    }
    return false;
}

static bool read_kernels(const baseline_reader *b, const cJSON *files)
{
    for (const cJSON *file = files->child; file; file = file->next) {
        const char *where = tr_arena_printf(b->r.arena, "%s.%s", KEY_KERNELS,
                                            report_json_shown(b->r.arena, file->string));
        if (!cJSON_IsArray(file)) {
            report_json_refuse(&b->r, where, "this must be a list");
            return false;
        }
        for (const cJSON *name = file->child; name; name = name->next) {
            if (!cJSON_IsString(name)) {
                report_json_refuse(&b->r, where, "a name of a kernel must be a text");
                return false;
            }
            history_add_launch(b->h, report_json_shown(b->r.arena, file->string),
                               report_json_shown(b->r.arena, name->valuestring), 0, 0, false);
        }
    }
    return true;
}

static bool read_root(const baseline_reader *b, const cJSON *root, bool *is_old)
{
    static const char *const keys[] = {KEY_VERSION, KEY_FINGERPRINTS, KEY_KERNELS, KEY_ENTRIES};
    uint32_t version = 0, of_prints = 0;
    if (!cJSON_IsObject(root) ||
        !report_json_whole(cJSON_GetObjectItemCaseSensitive(root, KEY_VERSION), &version) ||
        !report_json_whole(cJSON_GetObjectItemCaseSensitive(root, KEY_FINGERPRINTS), &of_prints)) {
        report_json_refuse(&b->r, "", "this is no baseline of tilerace");
        return false;
    }
    *is_old = version != BASELINE_VERSION || of_prints != FINGERPRINT_VERSION;
    if (*is_old) {
        report_json_refuse(
            &b->r, "",
            "this baseline is of version %u with fingerprints of version %u, and not of "
            "version %d with those of version %d; --write-baseline writes it anew",
            version, of_prints, BASELINE_VERSION, FINGERPRINT_VERSION);
        return false;
    }
    if (!report_json_has_only(&b->r, root, "", TR_COUNT(keys), keys))
        return false;
    const cJSON *entries = report_json_member(&b->r, root, "", KEY_ENTRIES, cJSON_Array);
    const cJSON *kernels =
        entries ? report_json_member(&b->r, root, "", KEY_KERNELS, cJSON_Object) : NULL;
    if (!kernels || !read_kernels(b, kernels))
        return false;
    size_t i = 0;
    for (const cJSON *item = entries->child; item; item = item->next)
        if (!read_entry(b, item, tr_arena_printf(b->r.arena, "%s[%zu]", KEY_ENTRIES, i++)))
            return false;
    return true;
}

bool baseline_read(history *h, const char *path, bool *is_old, tr_errors *errors)
{
    baseline_reader b = {.r = {.arena = h->arena, .errors = errors}, .h = h};
    *is_old = false;
    cJSON *root = report_json_read(&b.r, TR_FILE_BASELINE, path);
    bool good = root && read_root(&b, root, is_old);
    cJSON_Delete(root);
    return good;
}

/* ---- Section: Writing ---- */

static int compare_entries(const void *a, const void *b)
{
    const history_finding *x = *(const history_finding *const *)a;
    const history_finding *y = *(const history_finding *const *)b;
    int by = strcmp(x->file, y->file);
    by = by ? by : strcmp(x->kernel, y->kernel);
    by = by ? by : strcmp(x->rule, y->rule);
    by = by ? by : strcmp(x->fingerprint, y->fingerprint);
    return by ? by : (int)y->strength - (int)x->strength;
}

static int compare_kernels(const void *a, const void *b)
{
    const history_kernel *x = *(const history_kernel *const *)a;
    const history_kernel *y = *(const history_kernel *const *)b;
    int by = strcmp(x->file, y->file);
    return by ? by : strcmp(x->kernel, y->kernel);
}

static void add_text(tr_text *out, tr_arena *arena, const char *text)
{
    cJSON *json = cJSON_CreateString(utf8_clean(arena, text));
    char *printed = json_printed(json, JSON_ONE_LINE);
    tr_text_add(out, printed);
    cJSON_free(printed);
    cJSON_Delete(json);
}

static void write_entry(tr_text *out, tr_arena *arena, const history_finding *f)
{
    const char *const members[][2] = {
        {KEY_FILE, f->file},
        {KEY_KERNEL, f->kernel},
        {KEY_RULE, f->rule},
        {KEY_STRENGTH, history_strength_name(f->strength)},
        {KEY_FINGERPRINT, f->fingerprint},
        {KEY_SAYS, f->compiled_for ? tr_arena_printf(arena, "%s (compiled for: %s)", f->message,
                                                     f->compiled_for)
                                   : f->message},
    };
    for (size_t i = 0; i < TR_COUNT(members); i++) {
        tr_text_addf(out, "%s\"%s\": ", i ? ", " : "    {", members[i][0]);
        add_text(out, arena, members[i][1]);
    }
    tr_text_add(out, "}");
}

static bool has_entry_in(const history_finding *const *entries, const char *file)
{
    size_t low = 0, high = arrlenu(entries);
    while (low < high) { /* they are sorted by file first */
        size_t middle = low + (high - low) / 2;
        int by = strcmp(entries[middle]->file, file);
        if (by == 0)
            return true;
        if (by < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}

static void collect_kernels(const history_kernel ***all, const history *h,
                            const history_finding *const *entries, const history *unless_in)
{
    for (size_t i = 0; i < arrlenu(h->kernels); i++) {
        const history_kernel *k = &h->kernels[i];
        bool counts = has_entry_in(entries, k->file);
        if (counts && unless_in) {
            history_state state = history_state_of(unless_in, k->file, k->kernel);
            counts = state == HISTORY_NOT_LOOKED_AT || state == HISTORY_UNCHECKED;
        }
        if (counts)
            arrput(*all, k);
    }
}

static void write_kernels(tr_text *out, tr_arena *arena, const history_kernel **all)
{
    if (arrlenu(all) > 0)
        qsort(all, arrlenu(all), sizeof *all, compare_kernels);
    const history_kernel *last = NULL;
    for (size_t i = 0; i < arrlenu(all); i++) {
        if (last && compare_kernels(&last, &all[i]) == 0)
            continue;
        bool same_file = last && strcmp(last->file, all[i]->file) == 0;
        if (!same_file) {
            tr_text_add(out, last ? "],\n    " : "\n    ");
            add_text(out, arena, all[i]->file);
        }
        tr_text_add(out, same_file ? ", " : ": [");
        add_text(out, arena, all[i]->kernel);
        last = all[i];
    }
    tr_text_add(out, last ? "]\n  },\n" : "},\n");
}

size_t baseline_write(tr_text *out, const history *then, const history *now)
{
    const history_finding **entries = NULL;
    const history_kernel **kernels = NULL;
    for (size_t i = 0; i < arrlenu(now->findings); i++)
        if (!now->findings[i].hidden && !now->findings[i].is_note)
            arrput(entries, &now->findings[i]);
    for (size_t i = 0; i < arrlenu(then->findings); i++) {
        const history_finding *f = &then->findings[i];
        history_state state = history_state_of(now, f->file, f->kernel);
        if (!f->has_other && (state == HISTORY_NOT_LOOKED_AT || state == HISTORY_UNCHECKED ||
                              state == HISTORY_UNDECIDED))
            arrput(entries, f);
    }
    if (arrlenu(entries) > 0)
        qsort(entries, arrlenu(entries), sizeof *entries, compare_entries);
    collect_kernels(&kernels, now, entries, NULL);
    collect_kernels(&kernels, then, entries, now);
    tr_text_addf(out, "{\n  \"%s\": %d,\n  \"%s\": %d,\n  \"%s\": {", KEY_VERSION, BASELINE_VERSION,
                 KEY_FINGERPRINTS, FINGERPRINT_VERSION, KEY_KERNELS);
    write_kernels(out, now->arena, kernels);
    tr_text_addf(out, "  \"%s\": [", KEY_ENTRIES);
    for (size_t i = 0; i < arrlenu(entries); i++) {
        tr_text_add(out, i ? ",\n" : "\n");
        write_entry(out, now->arena, entries[i]);
    }
    tr_text_add(out, arrlenu(entries) ? "\n  ]\n}\n" : "]\n}\n");
    size_t n = arrlenu(entries);
    arrfree(entries);
    arrfree(kernels);
    return n;
}

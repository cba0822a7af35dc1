/* Reports what a kernel prints in a run: by tile block, as text and in the report. */
#include "run/printed.h"

#include "run/report.h"

#include <cjson/cJSON.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_LINES = 100, MOST_OF_A_LINE = 400 }; /* on the error stream */

/* ---- Section: Collecting ---- */

/* Blocks that wait for one another take turns; what each of them prints keeps its order. */
static int by_block(const void *a, const void *b)
{
    const interp_print *x = a, *y = b;
    if (x->block != y->block)
        return x->block < y->block ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

void run_collect_printed(tr_arena *arena, const interp_run *run, run_report *report)
{
    const interp_print *prints;
    size_t n = interp_prints(run, &prints, &report->printed_cut);
    if (n == 0)
        return;
    const char *all = interp_run_printed(run);
    interp_print *sorted = tr_arena_copy(arena, prints, n * sizeof *prints);
    run_printed *printed = TR_NEW_ARRAY(arena, run_printed, n);
    qsort(sorted, n, sizeof *sorted, by_block);
    for (size_t i = 0; i < n; i++) {
        const interp_print *p = &sorted[i];
        size_t length = p->length;
        printed[i].text =
            tr_utf8_clean(arena, tr_arena_strndup(arena, all + p->at, p->length), &length);
        printed[i].line = p->op->place ? p->op->place->line : 0;
        interp_block_of(run, p->block, printed[i].block);
    }
    report->n_printed = n;
    report->printed = printed;
}

/* ---- Section: Text ---- */

static bool same_block(const run_printed *a, const run_printed *b)
{
    return memcmp(a->block, b->block, sizeof a->block) == 0;
}

/* One line of what a tile block prints, as people may see it. */
static void say_line(tr_text *out, const int64_t block[3], const char *line, size_t length)
{
    bool cut = length > MOST_OF_A_LINE;
    tr_text_addf(out, "  (%lld, %lld, %lld) ", (long long)block[0], (long long)block[1],
                 (long long)block[2]);
    tr_text_add_shown(out, line, cut ? MOST_OF_A_LINE : length);
    tr_text_add(out, cut ? " ...\n" : "\n");
}

/* The prints of one block are a text of their own: a print need not end its line. Adds lines while
 * *left is not 0; the number of those that it leaves out. */
static size_t say_block(tr_text *out, const run_printed *first, size_t n, size_t *left)
{
    tr_text text = {0};
    size_t more = 0;
    for (size_t i = 0; i < n; i++)
        tr_text_add(&text, first[i].text);
    for (const char *line = tr_text_get(&text); *line;) {
        size_t length = strcspn(line, "\n");
        if (*left) {
            say_line(out, first->block, line, length);
            --*left;
        } else {
            more++;
        }
        line += length + (line[length] == '\n');
    }
    tr_text_free(&text);
    return more;
}

void run_say_printed(const session *s, const run_report *r)
{
    tr_text out = {0};
    size_t left = MOST_LINES, more = 0;
    if (r->n_printed == 0)
        return;
    tr_text_add_shown(&out, r->kernel, strlen(r->kernel));
    tr_text_add(&out, " prints, by tile block:\n");
    for (size_t i = 0, n; i < r->n_printed; i += n) {
        for (n = 1; i + n < r->n_printed && same_block(&r->printed[i], &r->printed[i + n]);)
            n++;
        more += say_block(&out, &r->printed[i], n, &left);
    }
    if (more)
        tr_text_addf(&out, "  and %zu more line%s, in the report as JSON\n", more,
                     more == 1 ? "" : "s");
    if (r->printed_cut)
        tr_text_add(&out, "  the kernel prints more than 1 MiB; the rest is left out\n");
    fputs(tr_text_get(&out), s->err);
    tr_text_free(&out);
}

/* ---- Section: JSON ---- */

cJSON *run_printed_json(const run_report *r)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < r->n_printed; i++) {
        cJSON *json = cJSON_CreateObject(), *block = cJSON_AddArrayToObject(json, "block");
        for (int axis = 0; axis < 3; axis++)
            cJSON_AddItemToArray(block, cJSON_CreateNumber((double)r->printed[i].block[axis]));
        if (r->printed[i].line)
            cJSON_AddNumberToObject(json, "line", r->printed[i].line);
        else
            cJSON_AddNullToObject(json, "line");
        cJSON_AddStringToObject(json, "text", r->printed[i].text);
        cJSON_AddItemToArray(list, json);
    }
    return list;
}

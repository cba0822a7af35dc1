/* The page of a run: page.html with the report, as JSON, in it. */
#include "base/embed.h"
#include "run/page.h"

#include "json/print.h"
#include "run/report.h"
#include "run/tiles.h"

#include <cjson/cJSON.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MARK         "@DATA@"
#define MAX_SOURCE   5000              /* lines */
#define MAX_ELEMENTS ((size_t)1 << 18) /* of one buffer that are shown one by one */

TR_EMBED(run_page_html, "runtime_check/run/page.html");

static cJSON *numbers(int n, const uint64_t *of)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)of[i]));
    return list;
}

static cJSON *grid_of(const int64_t grid[3])
{
    return numbers(3, (uint64_t[]){(uint64_t)grid[0], (uint64_t)grid[1], (uint64_t)grid[2]});
}

static cJSON *block_number(uint32_t block) /* -1: none */
{
    return cJSON_CreateNumber(block == GPU_NOBODY ? -1 : (double)block);
}

/* Three digits will do. */
static cJSON *share(double of)
{
    char text[32];
    snprintf(text, sizeof text, "%.3g", of);
    return cJSON_CreateRaw(text);
}

typedef struct hot_tile {
    double heat;
    size_t tile;
} hot_tile;

static int hottest_first(const void *a, const void *b)
{
    const hot_tile *x = a, *y = b;
    if (x->heat != y->heat)
        return x->heat > y->heat ? -1 : 1;
    return x->tile < y->tile ? -1 : x->tile > y->tile;
}

/* Element by element, of the tiles that differ most: a page is to be sent about. */
static void add_elements(cJSON *json, const run_output *o, unsigned runs)
{
    const run_tiles *tiles = o->tiles;
    cJSON *elements = cJSON_AddObjectToObject(json, "elements");
    hot_tile *sorted = o->output.heat ? calloc(tiles->n, sizeof *sorted) : NULL;
    size_t n = 0, written = 0;
    for (size_t i = 0; sorted && i < tiles->n; i++)
        if (tiles->heat[i] > 0)
            sorted[n++] = (hot_tile){tiles->heat[i], i};
    if (n)
        qsort(sorted, n, sizeof *sorted, hottest_first);
    for (size_t i = 0; i < n && written < MAX_ELEMENTS; i++) {
        tr_text digits = {0};
        run_tile_digits(tiles, sorted[i].tile, o->output.heat, runs, &digits);
        char name[32];
        snprintf(name, sizeof name, "%zu", sorted[i].tile);
        cJSON_AddStringToObject(elements, name, tr_text_get(&digits));
        written += digits.length;
        tr_text_free(&digits);
    }
    free(sorted);
}

static cJSON *tiles_of(const run_output *o, unsigned runs)
{
    const run_tiles *tiles = o->tiles;
    cJSON *json = cJSON_CreateObject();
    cJSON_AddStringToObject(json, "buffer", o->buffer.name);
    cJSON_AddBoolToObject(json, "flat", tiles->flat);
    cJSON_AddItemToObject(json, "shape", numbers(tiles->rank, tiles->shape));
    cJSON_AddItemToObject(json, "tile", numbers(tiles->rank, tiles->tile));
    cJSON *counts = cJSON_AddArrayToObject(json, "counts");
    for (int d = 0; d < tiles->rank; d++)
        cJSON_AddItemToArray(counts, cJSON_CreateNumber((double)tiles->counts[d]));
    cJSON *heat = cJSON_AddArrayToObject(json, "heat");
    for (size_t i = 0; i < tiles->n; i++)
        cJSON_AddItemToArray(heat, share(tiles->heat[i]));
    add_elements(json, o, runs);
    if (!tiles->writer)
        return json;
    cJSON_AddBoolToObject(json, "part", tiles->part);
    cJSON *writer = cJSON_AddArrayToObject(json, "writer");
    cJSON *other = cJSON_AddArrayToObject(json, "other");
    cJSON *racing = cJSON_AddArrayToObject(json, "racing");
    for (size_t i = 0; i < tiles->n; i++) {
        cJSON_AddItemToArray(writer, block_number(tiles->writer[i]));
        cJSON_AddItemToArray(other, block_number(tiles->other[i]));
        cJSON_AddItemToArray(racing, cJSON_CreateNumber(tiles->racing[i]));
    }
    return json;
}

static void add_source(cJSON *json, const run_report *r)
{
    if (!r->source) {
        cJSON_AddNullToObject(json, "source");
        return;
    }
    cJSON *source = cJSON_AddObjectToObject(json, "source");
    cJSON_AddStringToObject(source, "file", r->source_name);
    cJSON *lines = cJSON_AddArrayToObject(source, "lines");
    size_t n = 0;
    for (const char *line = r->source; line && *line && n < MAX_SOURCE; n++) {
        const char *end = strchr(line, '\n');
        tr_text text = {0};
        tr_text_addn(&text, line, end ? (size_t)(end - line) : strlen(line));
        cJSON_AddItemToArray(lines, cJSON_CreateString(tr_text_get(&text)));
        tr_text_free(&text);
        line = end ? end + 1 : NULL;
    }
}

static cJSON *page_data(size_t n, const run_report *reports)
{
    cJSON *all = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++) {
        const run_report *r = &reports[i];
        cJSON *json = run_report_object(r);
        cJSON_AddItemToObject(json, "grid", grid_of(r->grid));
        if (r->difference)
            cJSON_AddItemToObject(json, "schedule_grid", grid_of(r->difference->grid));
        cJSON *tiles = cJSON_AddArrayToObject(json, "tiles");
        for (size_t k = 0; k < r->n_outputs; k++)
            if (r->outputs[k].tiles)
                cJSON_AddItemToArray(tiles, tiles_of(&r->outputs[k], r->runs));
        add_source(json, r);
        cJSON_AddItemToArray(all, json);
    }
    return all;
}

void run_report_html(tr_text *out, size_t n, const run_report *reports)
{
    const char *mark = strstr(run_page_html, MARK);
    cJSON *data = page_data(n, reports);
    char *text = json_printed(data, JSON_ONE_LINE);
    tr_text_addn(out, run_page_html, (size_t)(mark - run_page_html));
    json_add_to_page(out, text);
    tr_text_add(out, mark + strlen(MARK));
    cJSON_free(text);
    cJSON_Delete(data);
}

/* A picture as JSON, and in sentences. */
#include "checking/picture_private.h"

#include <cjson/cJSON.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "inputs/load.h"
#include "json/print.h"
#include "launch/from_contract.h"

enum { MOST_SENTENCES = 12, MOST_NAMED = 4 };

typedef struct picture {
    const picture_task *t;
    picture_launch chosen;
    picture_trace trace;
    bool part;     /* two tile blocks alone were run */
    size_t owners; /* that are listed of one cell; 0: all */
    cJSON *json, *words;
    size_t n_words;
} picture;

/* ---- Sentences ---- */

static void say(picture *p, const char *format, ...) TR_PRINTF(2, 3);
static void say(picture *p, const char *format, ...)
{
    if (p->n_words++ >= MOST_SENTENCES)
        return;
    va_list arguments;
    va_start(arguments, format);
    const char *text = tr_arena_vprintf(p->t->input->arena, format, arguments);
    va_end(arguments);
    cJSON_AddItemToArray(p->words, cJSON_CreateString(text));
}

/* Julia's: and they name the fastest dimension first. */
static bool counts_from_one(const picture *p)
{
    return p->t->kernel->function->module->counts_from_one;
}

static const char *block_words(const picture *p, uint32_t block)
{
    const int64_t *grid = p->chosen.launch->grid, base = counts_from_one(p);
    return tr_arena_printf(p->t->input->arena, "(%" PRId64 ", %" PRId64 ", %" PRId64 ")",
                           block % grid[0] + base, block / grid[0] % grid[1] + base,
                           block / grid[0] / grid[1] + base);
}

/* "tile [0, 2]", "tiles [0, 2] to [1, 3]" of a cell that stands for several. */
static const char *cell_words(const picture *p, const picture_buffer *b, size_t cell)
{
    tr_text first = {0}, last = {0};
    bool several = false;
    int64_t at[IR_MAX_RANK];
    for (int d = b->rank; d-- > 0; cell /= (size_t)b->counts[d])
        at[d] = (int64_t)(cell % (size_t)b->counts[d]) * b->merged[d];
    for (int i = 0; i < b->rank; i++) {
        int64_t base = counts_from_one(p), d = base ? b->rank - 1 - i : i;
        int64_t tiles = (b->shape[d] + b->tile[d] - 1) / b->tile[d];
        int64_t end = at[d] + b->merged[d] < tiles ? at[d] + b->merged[d] : tiles;
        several |= end - 1 > at[d];
        tr_text_addf(&first, "%s%" PRId64, i ? ", " : "", at[d] + base);
        tr_text_addf(&last, "%s%" PRId64, i ? ", " : "", end - 1 + base);
    }
    const char *what = b->flat ? "piece" : "tile";
    const char *words =
        several ? tr_arena_printf(p->t->input->arena, "%ss [%s] to [%s]", what, tr_text_get(&first),
                                  tr_text_get(&last))
                : tr_arena_printf(p->t->input->arena, "%s [%s]", what, tr_text_get(&first));
    tr_text_free(&first);
    tr_text_free(&last);
    return words;
}

static const char *owner_words(const picture *p, const uint32_t *owners)
{
    size_t n = arrlenu(owners), named = n < MOST_NAMED ? n : MOST_NAMED;
    const char *all = "";
    for (size_t i = 0; i < named; i++)
        all = tr_arena_printf(p->t->input->arena, "%s%s%s", all,
                              i == 0       ? ""
                              : i + 1 == n ? " and "
                                           : ", ",
                              block_words(p, owners[i]));
    if (named < n)
        all = tr_arena_printf(p->t->input->arena, "%s and %zu more", all, n - named);
    return all;
}

static size_t count(const uint32_t *of, size_t n)
{
    size_t some = 0;
    for (size_t i = 0; i < n; i++)
        some += of[i] > 0;
    return some;
}

static const char *s_of(size_t n)
{
    return n == 1 ? "" : "s";
}

/* Says in sentences what the cells of a buffer show. */
static void say_of_buffer(picture *p, const picture_buffer *b)
{
    const char *what = b->flat ? "piece" : "tile";
    size_t race = count(b->race, b->n_cells), twice = count(b->twice, b->n_cells);
    size_t unwritten = count(b->unwritten, b->n_cells), atomic = count(b->atomic, b->n_cells);
    bool merged = false;
    for (int d = 0; d < b->rank; d++)
        merged |= b->merged[d] > 1;
    const char *cell = merged ? "cell" : what;
    if (merged)
        say(p,
            "'%s' has too many tiles to draw each: one cell stands for several, and is marked "
            "where one of them is",
            b->name);
    if (!race && !twice && !unwritten && !atomic)
        say(p, "each of the %zu %s%s of '%s' is written by one tile block, whole", b->n_cells, cell,
            s_of(b->n_cells), b->name);
    if (race)
        say(p, "%zu of %zu %s%s of '%s' %s written in a race", race, b->n_cells, cell,
            s_of(b->n_cells), b->name, race == 1 ? "is" : "are");
    for (size_t i = 0, named = 0; i < b->n_cells && named < MOST_NAMED; i++)
        if (b->race[i] && arrlenu(b->owners[i]) > 1) {
            say(p, "%s of '%s' is written by tile blocks %s", cell_words(p, b, i), b->name,
                owner_words(p, b->owners[i]));
            named++;
        }
    if (twice > race)
        say(p, "%zu %s%s of '%s' %s written by several tile blocks, one after the other", twice,
            cell, s_of(twice), b->name, twice == 1 ? "is" : "are");
    if (atomic)
        say(p, "%zu %s%s of '%s' %s updated by several tile blocks, by atomics", atomic, cell,
            s_of(atomic), b->name, atomic == 1 ? "is" : "are");
    if (unwritten)
        say(p, "%zu of %zu %s%s of '%s' %s elements that nobody writes", unwritten, b->n_cells,
            cell, s_of(b->n_cells), b->name, unwritten == 1 ? "has" : "have");
}

/* ---- JSON ---- */

static cJSON *numbers(int n, const int64_t *of)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber((double)of[i]));
    return list;
}

static cJSON *counts_of(size_t n, const uint32_t *of)
{
    cJSON *list = cJSON_CreateArray();
    for (size_t i = 0; i < n; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(of[i]));
    return list;
}

static cJSON *cells_of(const picture *p, const picture_buffer *b)
{
    cJSON *cells = cJSON_CreateObject();
    cJSON *owners = cJSON_AddArrayToObject(cells, "owners");
    for (size_t i = 0; i < b->n_cells; i++) {
        size_t n = arrlenu(b->owners[i]);
        cJSON_AddItemToArray(owners,
                             counts_of(p->owners && n > p->owners ? p->owners : n, b->owners[i]));
    }
    cJSON_AddItemToObject(cells, "twice", counts_of(b->n_cells, b->twice));
    cJSON_AddItemToObject(cells, "race", counts_of(b->n_cells, b->race));
    cJSON_AddItemToObject(cells, "unwritten", counts_of(b->n_cells, b->unwritten));
    cJSON_AddItemToObject(cells, "atomic", counts_of(b->n_cells, b->atomic));
    return cells;
}

static void add_buffer(picture *p, cJSON *buffers, const picture_buffer *b)
{
    cJSON *json = cJSON_CreateObject();
    cJSON_AddItemToArray(buffers, json);
    cJSON_AddStringToObject(json, "name", b->name);
    cJSON_AddBoolToObject(json, "flat", b->flat);
    cJSON_AddItemToObject(json, "shape", numbers(b->rank, b->shape));
    cJSON_AddItemToObject(json, "tile", numbers(b->rank, b->tile));
    cJSON_AddItemToObject(json, "counts", numbers(b->rank, b->counts));
    cJSON_AddItemToObject(json, "merged", numbers(b->rank, b->merged));
    cJSON_AddItemToObject(json, "cells", cells_of(p, b));
    say_of_buffer(p, b);
}

/* Adds the finding that the picture shows, or null: its element, the cell of that element (-1: it
 * is not drawn) and its tile blocks. */
static void add_witness(picture *p)
{
    const finding *f = p->chosen.shown;
    if (!f) {
        cJSON_AddNullToObject(p->json, "witness");
        return;
    }
    const witness_event *event = &f->witness->events[0];
    const int64_t *grid = f->witness->grid;
    cJSON *json = cJSON_AddObjectToObject(p->json, "witness");
    int64_t cell = -1, blocks[2];
    for (size_t i = 0; i < p->trace.n; i++)
        if (rule_is_race(f->rule) && event->buffer && /* else nothing may lie there */
            strcmp(p->trace.buffers[i].name, event->buffer) == 0)
            cell = picture_cell(&p->trace.buffers[i], event->element);
    for (size_t i = 0; i < 2; i++) {
        const int64_t *id = f->witness->events[i < f->witness->n_events ? i : 0].block;
        blocks[i] = id[0] + grid[0] * (id[1] + grid[1] * id[2]);
    }
    cJSON_AddStringToObject(json, "buffer", event->buffer ? event->buffer : "");
    cJSON_AddNumberToObject(json, "element", (double)event->element);
    cJSON_AddNumberToObject(json, "cell", (double)cell);
    cJSON_AddItemToObject(json, "blocks", numbers(2, blocks));
    cJSON_AddStringToObject(json, "words", f->words ? f->words : f->message);
}

static void add_launch(picture *p)
{
    const concrete_launch *l = p->chosen.launch;
    const finding *f = p->chosen.shown;
    tr_text words = {0};
    concrete_launch_print(&words, p->t->kernel->function, p->t->kernel->contract, l);
    cJSON *json = cJSON_AddObjectToObject(p->json, "launch");
    cJSON_AddStringToObject(json, "words", tr_text_get(&words));
    cJSON_AddItemToObject(json, "grid", numbers(3, l->grid));
    cJSON_AddBoolToObject(json, "from_one", counts_from_one(p));
    cJSON_AddStringToObject(json, "from", f ? "witness" : "search");
    if (f)
        cJSON_AddStringToObject(json, "rule", rule_info_of(f->rule)->code);
    else
        cJSON_AddNullToObject(json, "rule");
    if (f)
        say(p, "the launch is that of the witness of %s: %s", rule_info_of(f->rule)->code,
            tr_text_get(&words));
    else
        say(p, "a small launch that meets the contract and what the verdict requires: %s",
            tr_text_get(&words));
    tr_text_free(&words);
}

static void add_trace(picture *p)
{
    if (p->trace.n_owners > PICTURE_OWNERS) {
        size_t cells = 0;
        for (size_t i = 0; i < p->trace.n; i++)
            cells += p->trace.buffers[i].n_cells;
        p->owners = PICTURE_OWNERS / cells > 2 ? PICTURE_OWNERS / cells : 2;
        say(p, "of each cell only the first %zu tile blocks that write it are named", p->owners);
    }
    if (p->part)
        say(p, "the launch is too long to run whole: the two tile blocks of the witness alone were "
               "run, and what others write is not drawn");
    cJSON_AddBoolToObject(p->json, "part", p->part);
    cJSON *buffers = cJSON_AddArrayToObject(p->json, "buffers");
    for (size_t i = 0; i < p->trace.n; i++)
        add_buffer(p, buffers, &p->trace.buffers[i]);
    if (p->trace.more)
        say(p, "%zu more arrays are written and not drawn", p->trace.more);
}

/* ---- The whole ---- */

/* The two tile blocks of the witness, where the whole launch is too long. */
static interp_run *run_part(const picture_task *t, const picture_launch *chosen)
{
    const witness *w = chosen->shown ? chosen->shown->witness : NULL;
    if (!w)
        return NULL;
    int64_t ids[2][3];
    memcpy(ids[0], w->events[0].block, sizeof ids[0]);
    memcpy(ids[1], w->events[w->n_events - 1].block, sizeof ids[1]);
    bool one = memcmp(ids[0], ids[1], sizeof ids[0]) == 0;
    const int64_t *grid = w->grid;
    uint32_t blocks[2];
    for (int i = 0; i < 2; i++) {
        int64_t linear = ids[i][0] + grid[0] * (ids[i][1] + grid[1] * ids[i][2]);
        if (linear < 0 || linear > UINT32_MAX)
            return NULL;
        blocks[i] = (uint32_t)linear;
    }
    const interp_limits limits = {.steps = PICTURE_STEPS,
                                  .events = PICTURE_EVENTS,
                                  .budget = &t->input->budget,
                                  .values = true};
    interp_run *run = interp_execute_blocks(t->kernel->function, chosen->launch, &t->s->rules.model,
                                            &limits, one ? 1 : 2, blocks);
    if (interp_run_status(run) == INTERP_DONE)
        return run;
    interp_run_free(run);
    return NULL;
}

/* Draws one launch of the kernel: the whole of it, or the blocks of the witness if it is too long.
 * Returns why there is no picture; NULL: there is one. */
static const char *draw(picture *p)
{
    p->chosen = picture_choose(p->t);
    const char *why = p->chosen.why;
    bool limit = false;
    if (!p->chosen.launch)
        return why ? why : "no launch was found";
    interp_run *run = picture_run(p->t, p->chosen.launch, &limit, &why);
    if (!run && limit) {
        run = run_part(p->t, &p->chosen);
        p->part = run != NULL;
    }
    if (!run)
        return tr_arena_printf(p->t->input->arena,
                               "the interpreter does not get through the launch: %s",
                               why ? why : "it is too long");
    p->trace = picture_follow(p->t, p->chosen.launch, run, !p->part);
    if (!p->trace.why) {
        add_launch(p);
        add_trace(p);
        add_witness(p);
    }
    picture_trace_free(&p->trace);
    interp_run_free(run);
    return p->trace.why;
}

const char *picture_make(const session *s, loaded *input, const loaded_kernel *kernel,
                         const kernel_report *report)
{
    const picture_task task = {s, input, kernel, report};
    picture p = {.t = &task, .json = cJSON_CreateObject()};
    p.words = cJSON_AddArrayToObject(p.json, "words");
    const char *why = draw(&p);
    if (why) {
        cJSON_AddStringToObject(p.json, "why", why);
        say(&p, "there is no picture: %s", why);
    }
    char *text = json_printed(p.json, JSON_ONE_LINE);
    const char *kept = tr_arena_strdup(input->arena, text);
    cJSON_free(text);
    cJSON_Delete(p.json);
    return kept;
}

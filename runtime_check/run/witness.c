/* Races that the checker reports, as launches to replay: from a check of our own or from a saved
 * report. */
#include "run/witness.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/ds.h"
#include "driver/contract_command.h"
#include "json/take.h"
#include "launch/from_contract.h"
#include "launch/invent.h"
#include "rules/rules.h"
#include "run/target.h"

enum { CHECK_STEPS = 8000 * 1000 };

typedef struct parts { /* of a witness, whoever tells of it */
    const char *rule;
    uint32_t line, ordinals[2];
    int64_t grid[3], blocks[2][3];
    int64_t *scalars, *offsets; /* one a parameter */
    size_t n_contents;
    interp_contents *contents;
} parts;

static const ir_op *op_at(const ir_function *f, uint32_t ordinal)
{
    for (const ir_op *op = ir_first_op(f); op; op = ir_next_op(op))
        if (op->ordinal == ordinal)
            return op;
    return NULL;
}

static const char *parameter_name(const run_target *t, size_t i)
{
    return t->kernel->contract->args[i].name;
}

/* How a witness calls the place of an array in memory that it may share: in elements. */
static const char *offset_name(const run_target *t, size_t i)
{
    return tr_arena_printf(t->input->arena, "offset of %s", parameter_name(t, i));
}

static parts parts_of(const run_target *t)
{
    size_t n = t->kernel->contract->n_args + 1;
    return (parts){.scalars = TR_NEW_ARRAY(t->input->arena, int64_t, n),
                   .offsets = TR_NEW_ARRAY(t->input->arena, int64_t, n)};
}

/* Appends the witness; nothing where it does not fit the kernel. */
static void take(const run_target *t, const parts *p, run_witness **witnesses)
{
    tr_arena *arena = t->input->arena;
    interp_filling filling = {.seed = t->s->options->seed,
                              .offsets = p->offsets,
                              .n_contents = p->n_contents,
                              .contents = p->contents};
    const char *why;
    run_witness w = {.words = tr_arena_printf(t->s->arena, "%s at line %u", p->rule, p->line)};
    w.launch = concrete_launch_from(arena, t->input->ctx, t->kernel->function, t->kernel->contract,
                                    p->grid, p->scalars, &filling, &why);
    for (int i = 0; i < 2; i++) {
        w.ops[i] = op_at(t->kernel->function, p->ordinals[i]);
        int64_t linear =
            p->blocks[i][0] + p->grid[0] * (p->blocks[i][1] + p->grid[1] * p->blocks[i][2]);
        w.blocks[i] = linear >= 0 && linear <= UINT32_MAX ? (uint32_t)linear : 0;
    }
    if (w.launch && w.ops[0] && w.ops[1])
        arrput(*witnesses, w);
}

/* ---- From a check ---- */

static void take_finding(const run_target *t, const finding *f, run_witness **witnesses)
{
    const witness *from = f->witness;
    if (!from || from->n_events != 2 || f->confidence != CONFIDENCE_CONFIRMED)
        return;
    tr_arena *arena = t->input->arena;
    const contract *c = t->kernel->contract;
    parts p = parts_of(t);
    p.rule = rule_info_of(f->rule)->code;
    p.line = f->locations[0].place ? f->locations[0].place->line : 0;
    memcpy(p.grid, from->grid, sizeof p.grid);
    for (size_t i = 0; i < 2; i++) {
        memcpy(p.blocks[i], from->events[i].block, sizeof p.blocks[i]);
        p.ordinals[i] = f->locations[i < f->n_locations ? i : 0].op_ordinal;
    }
    for (size_t i = 0; i < c->n_args; i++)
        for (size_t k = 0; k < from->n_params; k++)
            if (parameter_name(t, i) && strcmp(from->params[k].name, parameter_name(t, i)) == 0)
                p.scalars[i] = from->params[k].value;
            else if (parameter_name(t, i) && strcmp(from->params[k].name, offset_name(t, i)) == 0)
                p.offsets[i] = from->params[k].value;
    p.contents = TR_NEW_ARRAY(arena, interp_contents, from->n_contents + 1);
    for (size_t i = 0; i < from->n_contents; i++) {
        interp_cell *cells = TR_NEW_ARRAY(arena, interp_cell, from->contents[i].count + 1);
        for (size_t k = 0; k < from->contents[i].count; k++)
            cells[k] = (interp_cell){(int64_t)k, from->contents[i].values[k]};
        p.contents[p.n_contents++] =
            (interp_contents){from->contents[i].buffer, from->contents[i].count, cells};
    }
    take(t, &p, witnesses);
}

/* Buffers of their own, and one tile block on an axis that nobody reads: a launch that is made up
 * has that anyway. Other assumptions (flags that hold 0) it has to be made for. */
static bool is_kept_anyway(const precondition *what)
{
    return what->class_ == PRECONDITION_CLASS_STANDING &&
           (what->kind == PRECONDITION_DISTINCT_BUFFERS || what->kind == PRECONDITION_GRID_AXIS);
}

/* Adds them as words, behind the verdict. True when there are any that a launch has to be made
 * for. */
static bool add_requires(tr_text *words, const kernel_report *report)
{
    size_t n = 0;
    for (size_t i = 0; i < report->n_requires; i++)
        if (!is_kept_anyway(&report->requires_[i].what))
            tr_text_addf(words, "%s%s", n++ ? "; " : ", if ", report->requires_[i].text);
    return n > 0;
}

/* A file that fills buffers or names references says more than the contract keeps of it. */
static bool can_say_more(const run_target *t)
{
    return t->kernel->launch_json || (!t->s->launches && !t->input->launches);
}

const char *run_check(run_target *t, run_witness **witnesses, const char **required)
{
    *required = NULL;
    if (!t->input->prover)
        return NULL;
    rules_options options = t->s->rules;
    options.steps = CHECK_STEPS;
    kernel_report *report = rules_check(t->input->arena, t->input->ctx, t->input->prover,
                                        t->kernel->function, t->kernel->contract, &options);
    t->report = report;
    t->checked = t->input;
    t->checked_kernel = t->kernel;
    tr_text words = {0};
    tr_text_add(&words, verdict_info_of(report->verdict)->name);
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        const tr_place *place = f->locations[0].place;
        tr_text_addf(&words, "%s%s", i ? ", " : ": ", rule_info_of(f->rule)->code);
        if (place && place->line)
            tr_text_addf(&words, " at line %u", place->line);
        /* The example of a conditional verdict breaks a precondition: no launch to run. */
        if (report->verdict != VERDICT_CONDITIONAL)
            take_finding(t, f, witnesses);
    }
    bool proved = report->verdict == VERDICT_RACE_FREE || report->verdict == VERDICT_CONDITIONAL;
    if (proved && add_requires(&words, report) && can_say_more(t))
        *required = driver_contract_as_required(t->input, t->kernel, report);
    const char *kept = tr_arena_strdup(t->s->arena, tr_text_get(&words));
    tr_text_free(&words);
    return kept;
}

/* ---- From a saved report ---- */

/* A word of 64 bits, signed or not: reports have numbers of both, and what no double holds has come
 * as its digits (json/take.h). 0 where there is none; *good is false where it is no such word. */
static int64_t word_of(const cJSON *item, bool *good)
{
    char *end = NULL;
    errno = 0;
    if (cJSON_IsString(item)) {
        const char *digits = item->valuestring;
        int64_t word =
            *digits == '-' ? strtoll(digits, &end, 10) : (int64_t)strtoull(digits, &end, 10);
        *good &= errno == 0 && end != digits && !*end;
        return word;
    }
    if (!cJSON_IsNumber(item))
        return 0;
    double number = item->valuedouble;
    bool fits = number == floor(number) && number >= -0x1p63 && number < 0x1p64;
    *good &= fits;
    return !fits ? 0 : number >= 0x1p63 ? (int64_t)(uint64_t)number : (int64_t)number;
}

static int64_t number_at(const cJSON *list, int i, bool *good)
{
    return word_of(cJSON_GetArrayItem(list, i), good);
}

static uint32_t small_at(const cJSON *object, const char *key, uint32_t otherwise, bool *good)
{
    const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);
    int64_t word = word_of(item, good);
    *good &= word >= 0 && word <= UINT32_MAX;
    return cJSON_IsNumber(item) && *good ? (uint32_t)word : otherwise;
}

static int64_t float_at(const ir_type *elem, const cJSON *list, int i)
{
    const cJSON *item = cJSON_GetArrayItem(list, i);
    return concrete_bits_of(elem, cJSON_IsNumber(item) ? item->valuedouble : 0);
}

/* Element type of a float buffer or scalar of that name; NULL: there is none. */
static const ir_type *float_named(const run_target *t, const char *name)
{
    const contract *c = t->kernel->contract;
    for (size_t i = 0; i < c->n_args; i++) {
        const ir_type *type = t->kernel->function->body->args[i]->type;
        const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
        const char *own = c->args[i].name;
        if (elem->kind == IR_POINTER) {
            elem = elem->elem;
            own = c->args[i].buffer ? c->args[i].buffer : own;
        }
        if (own && strcmp(own, name) == 0 && ir_type_is_float(elem))
            return elem;
    }
    return NULL;
}

static void take_contents(const run_target *t, const cJSON *contents, parts *p, bool *good)
{
    tr_arena *arena = t->input->arena;
    p->contents = TR_NEW_ARRAY(arena, interp_contents, cJSON_GetArraySize(contents) + 1);
    const cJSON *buffer;
    cJSON_ArrayForEach(buffer, contents)
    {
        int n = cJSON_IsArray(buffer) ? cJSON_GetArraySize(buffer) : 0;
        interp_cell *cells = TR_NEW_ARRAY(arena, interp_cell, n + 1);
        const ir_type *elem = float_named(t, buffer->string);
        for (int k = 0; k < n; k++)
            cells[k] =
                (interp_cell){k, elem ? float_at(elem, buffer, k) : number_at(buffer, k, good)};
        p->contents[p->n_contents++] =
            (interp_contents){tr_arena_strdup(arena, buffer->string), (size_t)n, cells};
    }
}

static void take_json(const run_target *t, const cJSON *found, run_witness **witnesses)
{
    const cJSON *from = cJSON_GetObjectItemCaseSensitive(found, "witness");
    const cJSON *events = cJSON_GetObjectItemCaseSensitive(from, "events");
    const cJSON *locations = cJSON_GetObjectItemCaseSensitive(found, "locations");
    const cJSON *rule = cJSON_GetObjectItemCaseSensitive(found, "rule");
    if (cJSON_GetArraySize(events) != 2 || cJSON_GetArraySize(locations) < 1 ||
        !cJSON_IsString(rule))
        return;
    const contract *c = t->kernel->contract;
    parts p = parts_of(t);
    bool good = true;
    p.rule = rule->valuestring;
    const cJSON *grid = cJSON_GetObjectItemCaseSensitive(from, "grid");
    for (int axis = 0; axis < 3; axis++)
        p.grid[axis] = number_at(grid, axis, &good);
    for (int i = 0; i < 2; i++) {
        const cJSON *event = cJSON_GetArrayItem(events, i);
        const cJSON *block = cJSON_GetObjectItemCaseSensitive(event, "block");
        const cJSON *location =
            cJSON_GetArrayItem(locations, i < cJSON_GetArraySize(locations) ? i : 0);
        p.ordinals[i] = small_at(location, "op_ordinal", UINT32_MAX, &good);
        if (i == 0)
            p.line = small_at(location, "line", p.line, &good);
        for (int axis = 0; axis < 3; axis++)
            p.blocks[i][axis] = number_at(block, axis, &good);
    }
    const cJSON *params = cJSON_GetObjectItemCaseSensitive(from, "params");
    for (size_t i = 0; i < c->n_args; i++) {
        if (!parameter_name(t, i))
            continue;
        const cJSON *value = cJSON_GetObjectItemCaseSensitive(params, parameter_name(t, i));
        p.scalars[i] = c->args[i].kind == CONTRACT_FLOAT ? 0 : word_of(value, &good);
        p.offsets[i] = word_of(cJSON_GetObjectItemCaseSensitive(params, offset_name(t, i)), &good);
    }
    take_contents(t, cJSON_GetObjectItemCaseSensitive(from, "contents"), &p, &good);
    if (good)
        take(t, &p, witnesses);
}

bool run_read_witnesses(const run_target *t, const char *path, run_witness **witnesses,
                        const char **why)
{
    tr_arena *arena = t->input->arena;
    size_t length = 0;
    const char *said = NULL, *text = tr_read_file(arena, TR_FILE_REPORT, path, &length, &said);
    json_fault fault = {0};
    cJSON *report = text ? json_take(arena, text, length, JSON_LONG_AS_TEXT, &fault) : NULL;
    const cJSON *inputs = cJSON_GetObjectItemCaseSensitive(report, "inputs");
    if (!text)
        *why = tr_arena_printf(arena, "%s: %s", path, said);
    else if (!report)
        *why = tr_arena_printf(arena, "%s is no report of tilerace check --format json: %s", path,
                               json_fault_text(arena, &fault));
    else if (!cJSON_IsArray(inputs))
        *why = tr_arena_printf(arena, "%s is no report of tilerace check --format json", path);
    size_t before = arrlenu(*witnesses);
    const cJSON *input, *kernel, *found;
    cJSON_ArrayForEach(input, inputs)
    {
        cJSON_ArrayForEach(kernel, cJSON_GetObjectItemCaseSensitive(input, "kernels"))
        {
            const cJSON *name = cJSON_GetObjectItemCaseSensitive(kernel, "kernel");
            if (!cJSON_IsString(name) || strcmp(name->valuestring, t->kernel->function->shown) != 0)
                continue;
            cJSON_ArrayForEach(found, cJSON_GetObjectItemCaseSensitive(kernel, "findings"))
                take_json(t, found, witnesses);
        }
    }
    bool any = arrlenu(*witnesses) > before;
    if (cJSON_IsArray(inputs) && !any)
        *why = tr_arena_printf(arena, "%s holds no race of this kernel with a witness that fits it",
                               path);
    cJSON_Delete(report);
    return any;
}

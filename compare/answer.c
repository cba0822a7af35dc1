/* A comparison as text and as JSON. */
#include <cjson/cJSON.h>
#include <string.h>

#include "base/ds.h"
#include "compare/compare.h"
#include "json/print.h"

static const char *const footprints[] = {[COMPARE_FOOTPRINT_PROVED] = "proved",
                                         [COMPARE_FOOTPRINT_TRIED] = "tried",
                                         [COMPARE_FOOTPRINT_DIFFERS] = "differs"};
static const char *const orders[] = {[COMPARE_ORDER_EQUAL] = "equal",
                                     [COMPARE_ORDER_DIFFERS] = "differs",
                                     [COMPARE_ORDER_UNKNOWN] = "unknown"};
static const char letters[] = {'A', 'B'};

/* ---- Section: Text ---- */

static void write_place(tr_text *out, const tr_place *place)
{
    if (place && place->file)
        tr_text_addf(out, " (%s:%u)", place->file, place->line);
    else if (place)
        tr_text_addf(out, " (line %u)", place->line);
}

static void write_axes(tr_text *out, const int *axes, int rank)
{
    for (int i = 0; i < rank; i++)
        tr_text_addf(out, "%s%d", i ? "," : "", axes[i]);
}

static void write_difference(tr_text *out, const compare_difference *d)
{
    const compare_name_info *info = compare_name_of(d->name);
    tr_text_addf(out, "difference: %s: %s\n", info->name, info->sentence);
    if (d->edit != COMPARE_EDIT_NONE) {
        tr_text_addf(out, "    %c %s", letters[d->side], compare_words_of_edit(d->edit));
        if (d->axes) {
            tr_text_add(out, " (");
            write_axes(out, d->axes, d->rank);
            tr_text_add(out, ")");
        }
        write_place(out, d->place);
        if (d->is_exact)
            tr_text_addf(out, " is %c, op for op\n", letters[1 - d->side]);
        else
            tr_text_addf(out, " leaves what %c leaves at %zu launches\n", letters[1 - d->side],
                         d->n_launches);
    }
    tr_text_addf(out, "    help: %s\n", info->help);
}

static void write_first(tr_text *out, const compare_first *f)
{
    tr_text_addf(out, "first seen at %s\n", f->launch);
    for (int side = 0; side < 2; side++)
        if (f->ends[side])
            tr_text_addf(out, "    %c: %s\n", letters[side], f->ends[side]);
    for (int side = 0; side < 2 && f->buffer; side++) {
        const compare_access *a = &f->access[side];
        tr_text_addf(out, "    %c: %s[%lld] is %s", letters[side], f->buffer, (long long)f->element,
                     a->value ? a->value : "nothing");
        if (a->is_there) {
            tr_text_addf(out, ", stored by tile block (%lld, %lld, %lld)", (long long)a->block[0],
                         (long long)a->block[1], (long long)a->block[2]);
            write_place(out, a->place);
        } else {
            tr_text_add(out, ", stored by no tile block");
        }
        for (size_t i = 0; i < a->n_loads; i++)
            tr_text_addf(out, "%s%s", i ? ", " : " after loading ", a->loads[i]);
        tr_text_add(out, "\n");
    }
}

static void write_arguments(tr_text *out, const comparison *c)
{
    for (size_t i = 0; i < arrlenu(c->arguments); i++) {
        const compare_argument *a = &c->arguments[i];
        const char *x = a->names[0], *y = a->names[1];
        if (!x || !y)
            tr_text_addf(out, "note: %c alone has '%s'\n", x ? 'A' : 'B', x ? x : y);
        else if (strcmp(x, y) != 0)
            tr_text_addf(out, "note: '%s' of A is '%s' of B\n", x, y);
        if (a->axes) {
            tr_text_addf(out, "note: '%s' of B has the axes of A's in the order ", y ? y : "?");
            write_axes(out, a->axes, a->rank);
            tr_text_add(out, "\n");
        }
        if (a->starts_zero)
            tr_text_addf(out, "note: '%s' holds zeros at launch: one of the two adds to it\n",
                         x ? x : "?");
    }
}

static void write_same(tr_text *out, const comparison *c)
{
    if (c->is_one_code)
        tr_text_add(out, "the two are the same, op for op\n");
    else if (c->stores == COMPARE_FOOTPRINT_PROVED)
        tr_text_add(out, "stores: the same elements, proved for all launches that both contracts "
                         "allow\n");
    else
        tr_text_addf(out,
                     "stores: the same elements at %zu launches; for all of them not proved: %s\n",
                     c->n_tried, c->stores_why ? c->stores_why : "");
    tr_text_addf(out, "loads: %s at these launches\n",
                 c->loads == COMPARE_FOOTPRINT_DIFFERS ? "not the same elements"
                                                       : "the same elements");
    tr_text_addf(out, "values: %s at %zu launches\n",
                 c->order == COMPARE_ORDER_DIFFERS
                     ? "the same but for rounding: sums are taken in another order"
                     : "the same, bit for bit",
                 c->n_tried);
}

void compare_write_text(tr_text *out, const comparison *c)
{
    tr_text_addf(out, "%s: A is '%s' of %s, B is '%s' of %s\n", compare_result_name(c->result),
                 c->kernel[0], c->file[0], c->kernel[1], c->file[1]);
    if (c->why)
        tr_text_addf(out, "not decided: %s\n", c->why);
    for (size_t i = 0; i < arrlenu(c->differences); i++)
        write_difference(out, &c->differences[i]);
    if (c->first.is_there)
        write_first(out, &c->first);
    if (c->result == COMPARE_SAME)
        write_same(out, c);
    if (c->verdict[0] && c->verdict[1])
        tr_text_addf(out, "races: A %s, B %s\n", c->verdict[0], c->verdict[1]);
    for (int side = 0; side < 2; side++)
        for (size_t i = 0; i < arrlenu(c->preconditions[side]); i++)
            tr_text_addf(out, "note: %c alone requires: %s\n", letters[side],
                         c->preconditions[side][i]);
    write_arguments(out, c);
    if (c->cut)
        tr_text_add(out, "note: not every change that could name the difference was tried\n");
}

/* ---- Section: JSON ---- */

/* Adds a member, unless there is no text. */
static void put_text(cJSON *object, const char *key, const char *text)
{
    if (text)
        cJSON_AddStringToObject(object, key, text);
}

/* Adds "file" and "line", unless there is no place. */
static void put_place(cJSON *object, const tr_place *place)
{
    if (!place)
        return;
    put_text(object, "file", place->file);
    cJSON_AddNumberToObject(object, "line", place->line);
}

static cJSON *axes_of(const int *axes, int rank)
{
    cJSON *list = cJSON_CreateArray();
    for (int i = 0; i < rank; i++)
        cJSON_AddItemToArray(list, cJSON_CreateNumber(axes[i]));
    return list;
}

/* Returns the name of a difference and, if an edit of one kernel shows it, that edit. Here and in
 * the next functions, a member without a value is left out; the caller takes what is returned. */
static cJSON *difference_object(const compare_difference *d)
{
    const compare_name_info *info = compare_name_of(d->name);
    cJSON *object = cJSON_CreateObject();
    put_text(object, "name", info->name);
    put_text(object, "sentence", info->sentence);
    put_text(object, "help", info->help);
    if (d->edit == COMPARE_EDIT_NONE)
        return object;
    put_text(object, "changed", d->side == COMPARE_A ? "A" : "B");
    put_text(object, "change", compare_words_of_edit(d->edit));
    cJSON_AddBoolToObject(object, "exact", d->is_exact);
    cJSON_AddNumberToObject(object, "launches", (double)d->n_launches);
    if (d->axes)
        cJSON_AddItemToObject(object, "axes", axes_of(d->axes, d->rank));
    put_place(object, d->place);
    return object;
}

/* Returns the last store to the element that differs, and what its tile block has loaded before. */
static cJSON *access_object(const compare_access *a)
{
    cJSON *object = cJSON_CreateObject();
    put_text(object, "value", a->value ? a->value : "nothing");
    cJSON *loads = cJSON_AddArrayToObject(object, "loads");
    for (size_t i = 0; i < a->n_loads; i++)
        cJSON_AddItemToArray(loads, cJSON_CreateString(a->loads[i]));
    if (!a->is_there)
        return object;
    cJSON *block = cJSON_AddArrayToObject(object, "block");
    for (int axis = 0; axis < 3; axis++)
        cJSON_AddItemToArray(block, cJSON_CreateNumber((double)a->block[axis]));
    put_place(object, a->place);
    return object;
}

/* Returns the smallest launch at which the results differ: how the runs end, and the first element
 * that differs. */
static cJSON *first_object(const compare_first *f)
{
    cJSON *object = cJSON_CreateObject();
    put_text(object, "launch", f->launch);
    for (int side = 0; side < 2; side++)
        put_text(object, side ? "b_ends" : "a_ends", f->ends[side]);
    if (f->buffer) {
        put_text(object, "array", f->buffer);
        cJSON_AddNumberToObject(object, "element", (double)f->element);
        cJSON_AddItemToObject(object, "a", access_object(&f->access[0]));
        cJSON_AddItemToObject(object, "b", access_object(&f->access[1]));
    }
    return object;
}

static cJSON *argument_object(const compare_argument *a)
{
    cJSON *object = cJSON_CreateObject();
    put_text(object, "a", a->names[0]);
    put_text(object, "b", a->names[1]);
    cJSON_AddBoolToObject(object, "array", a->is_array);
    cJSON_AddBoolToObject(object, "written", a->is_written);
    if (a->starts_zero)
        cJSON_AddBoolToObject(object, "starts_zero", true);
    if (a->axes)
        cJSON_AddItemToObject(object, "axes", axes_of(a->axes, a->rank));
    return object;
}

/* Returns what is known about one kernel by itself. */
static cJSON *side_object(const comparison *c, int side)
{
    cJSON *object = cJSON_CreateObject();
    put_text(object, "file", c->file[side]);
    put_text(object, "kernel", c->kernel[side]);
    put_text(object, "verdict", c->verdict[side]);
    cJSON *list = cJSON_AddArrayToObject(object, "requires_alone");
    for (size_t i = 0; i < arrlenu(c->preconditions[side]); i++)
        cJSON_AddItemToArray(list, cJSON_CreateString(c->preconditions[side][i]));
    return object;
}

void compare_write_json(tr_text *out, const comparison *c)
{
    cJSON *root = cJSON_CreateObject();
    cJSON_AddNumberToObject(root, "schema_version", 1);
    put_text(root, "result", compare_result_name(c->result));
    put_text(root, "why", c->why);
    cJSON_AddItemToObject(root, "a", side_object(c, COMPARE_A));
    cJSON_AddItemToObject(root, "b", side_object(c, COMPARE_B));
    cJSON *arguments = cJSON_AddArrayToObject(root, "arguments");
    for (size_t i = 0; i < arrlenu(c->arguments); i++)
        cJSON_AddItemToArray(arguments, argument_object(&c->arguments[i]));
    put_text(root, "stores", footprints[c->stores]);
    put_text(root, "stores_not_proved", c->stores_why);
    put_text(root, "loads", footprints[c->loads]);
    put_text(root, "order_of_sums", orders[c->order]);
    cJSON_AddBoolToObject(root, "one_code", c->is_one_code);
    cJSON_AddNumberToObject(root, "launches", (double)c->n_tried);
    cJSON_AddNumberToObject(root, "launches_outside", (double)c->n_outside);
    cJSON *differences = cJSON_AddArrayToObject(root, "differences");
    for (size_t i = 0; i < arrlenu(c->differences); i++)
        cJSON_AddItemToArray(differences, difference_object(&c->differences[i]));
    if (c->first.is_there)
        cJSON_AddItemToObject(root, "first", first_object(&c->first));
    cJSON_AddBoolToObject(root, "cut", c->cut);
    char *text = json_printed(root, JSON_ONE_LINE);
    tr_text_add(out, text);
    tr_text_add(out, "\n");
    cJSON_free(text);
    cJSON_Delete(root);
}

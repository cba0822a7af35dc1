/* Source places as location aliases. */
#include "ir/ir.h"
#include "ir/module.h"
#include "ir/names.h"
#include "base/ds.h"

#include <stdlib.h>

typedef struct location {
    const char *key; /* file, line and column of the place and of its call sites */
    const tr_place *place;
    int depth; /* 0, or the number of call sites */
    int order; /* of first use */
} location;

typedef struct location_number {
    char *key;
    int value;
} location_number;

struct ir_locations {
    tr_arena *arena;
    location *list;          /* in the order of their numbers, once sorted */
    location_number *by_key; /* first: index in the list; once sorted: the number */
};

static bool is_known(const tr_place *place)
{
    return place && (place->line || place->file);
}

/* An unknown place may still have a known call site. */
static bool has_caller(const tr_place *place)
{
    return place && place->inlined_at;
}

static const char *key_of(tr_arena *arena, const tr_place *place, bool with_callers)
{
    const char *key = "?";
    if (is_known(place)) {
        key = tr_arena_printf(arena, "%s:%u:%u", place->file ? place->file : "", place->line,
                              place->column);
    }
    if (with_callers && has_caller(place)) {
        key = tr_arena_printf(arena, "%s@%s", key, key_of(arena, place->inlined_at, true));
    }
    return key;
}

static void add(struct ir_locations *locations, const tr_place *place, bool with_callers)
{
    const char *key = key_of(locations->arena, place, with_callers);
    if (shgeti(locations->by_key, key) >= 0) {
        return;
    }
    int depth = 0;
    if (with_callers && has_caller(place)) {
        add(locations, place, false);
        add(locations, place->inlined_at, true);
        for (const tr_place *at = place->inlined_at; at; at = at->inlined_at) {
            depth++;
        }
    }
    location entry = {key, place, depth, (int)arrlen(locations->list)};
    arrput(locations->list, entry);
    shput(locations->by_key, key, 0);
}

static int by_depth(const void *a, const void *b)
{
    const location *left = a, *right = b;
    return left->depth != right->depth ? left->depth - right->depth : left->order - right->order;
}

struct ir_locations *ir_locations_of(tr_arena *arena, const ir_module *module)
{
    struct ir_locations *locations = TR_NEW(arena, struct ir_locations);
    locations->arena = arena;
    if (module->globals) {
        add(locations, NULL, false);
    }
    for (const ir_function *function = module->functions; function; function = function->next) {
        add(locations, function->place, true);
        for (const ir_op *op = ir_first_op(function); op; op = ir_next_op(op)) {
            add(locations, op->place, true);
        }
    }
    size_t count = arrlenu(locations->list);
    if (count) {
        qsort(locations->list, count, sizeof *locations->list, by_depth);
    }
    for (size_t i = 0; i < count; i++) {
        shput(locations->by_key, locations->list[i].key, (int)i);
    }
    return locations;
}

void ir_locations_free(struct ir_locations *locations)
{
    if (locations) {
        arrfree(locations->list);
        shfree(locations->by_key);
    }
}

static void print_alias(tr_text *out, int number)
{
    tr_text_add(out, "#loc");
    if (number) {
        tr_text_addf(out, "%d", number);
    }
}

static void print_number(tr_text *out, const struct ir_locations *locations, const tr_place *place,
                         bool with_callers)
{
    location_number *by_key = locations->by_key; /* looking up moves no entry */
    print_alias(out, shget(by_key, key_of(locations->arena, place, with_callers)));
}

void ir_print_location(tr_text *out, const struct ir_locations *locations, const tr_place *place)
{
    print_number(out, locations, place, true);
}

static void print_definition(tr_text *out, const struct ir_locations *locations,
                             const location *entry)
{
    const tr_place *place = entry->place;
    if (entry->depth) {
        tr_text_add(out, "loc(callsite(");
        print_number(out, locations, place, false);
        tr_text_add(out, " at ");
        print_number(out, locations, place->inlined_at, true);
        tr_text_add(out, "))");
    } else if (!is_known(place)) {
        tr_text_add(out, "loc(unknown)");
    } else {
        tr_text_add(out, "loc(");
        ir_print_quoted(out, place->file ? place->file : "");
        tr_text_addf(out, ":%u:%u)", place->line, place->column);
    }
}

void ir_print_location_list(tr_text *out, const struct ir_locations *locations)
{
    for (ptrdiff_t i = 0; i < arrlen(locations->list); i++) {
        print_alias(out, (int)i);
        tr_text_add(out, " = ");
        print_definition(out, locations, &locations->list[i]);
        tr_text_add(out, "\n");
    }
}

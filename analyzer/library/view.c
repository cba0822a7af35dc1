/* A kernel's report as include/tilerace.h shows it. */
#include "library/library.h"

/* The enumerations of both sides have their values in one order. */
_Static_assert((int)TILERACE_RACE_FREE == (int)VERDICT_RACE_FREE &&
                   (int)TILERACE_CONDITIONAL == (int)VERDICT_CONDITIONAL &&
                   (int)TILERACE_RACE == (int)VERDICT_RACE &&
                   (int)TILERACE_UNKNOWN == (int)VERDICT_UNKNOWN,
               "verdicts");
_Static_assert((int)TILERACE_STANDING == (int)PRECONDITION_CLASS_STANDING &&
                   (int)TILERACE_LAUNCH == (int)PRECONDITION_CLASS_LAUNCH &&
                   (int)TILERACE_RACES == (int)PRECONDITION_CLASS_RACE,
               "classes");
_Static_assert((int)TILERACE_NOTE == (int)LEVEL_NOTE &&
                   (int)TILERACE_WARNING == (int)LEVEL_WARNING &&
                   (int)TILERACE_ERROR == (int)LEVEL_ERROR,
               "levels");
_Static_assert((int)TILERACE_NO_ARRAY == (int)CONTRACT_ALONE &&
                   (int)TILERACE_ARRAY_POINTER == (int)CONTRACT_ARRAY_START &&
                   (int)TILERACE_ARRAY_EXTENT == (int)CONTRACT_ARRAY_EXTENT &&
                   (int)TILERACE_ARRAY_STRIDE == (int)CONTRACT_ARRAY_STRIDE,
               "parts of arrays");

/* A list of `n` pointers to new structures of that type. */
#define NEW_LIST(arena, type, n) ((type **)new_list((arena), sizeof(type), (n)))

static void **new_list(tr_arena *arena, size_t size, size_t n)
{
    void **list = TR_NEW_ARRAY(arena, void *, n + 1);
    for (size_t i = 0; i < n; i++)
        list[i] = tr_arena_alloc(arena, size);
    return list;
}

#define AS_LIST(type, list) ((const type *const *)(list))

/* ---- Section: Parameters ---- */

static const tilerace_parameter *const *parameters_of(tr_arena *arena, const contract *c,
                                                      const guard_elements *elements)
{
    tilerace_parameter **list = NEW_LIST(arena, tilerace_parameter, c->n_args);
    for (size_t i = 0; i < c->n_args; i++) {
        const contract_arg *arg = &c->args[i];
        *list[i] = (tilerace_parameter){
            .name = arg->name,
            .kind = arg->kind == CONTRACT_POINTER ? TILERACE_POINTER
                    : arg->kind == CONTRACT_FLOAT ? TILERACE_FLOAT
                                                  : TILERACE_INTEGER,
            .bits = arg->kind == CONTRACT_SCALAR ? (unsigned)arg->bits
                    : elements[i].are_integers   ? 8 * elements[i].bytes
                                                 : 0,
            .part = (tilerace_part)arg->member.role,
            .array = arg->member.array,
            .dimension = arg->member.dimension,
            .element_bytes = elements[i].bytes,
        };
    }
    return AS_LIST(tilerace_parameter, list);
}

/* ---- Section: Findings ---- */

static const tilerace_event *event_of(tr_arena *arena, const witness_event *e)
{
    tilerace_event *view = TR_NEW(arena, tilerace_event);
    tilerace_lookup **lookups = NEW_LIST(arena, tilerace_lookup, e->n_lookups);
    for (size_t i = 0; i < e->n_lookups; i++)
        *lookups[i] =
            (tilerace_lookup){e->lookups[i].buffer, e->lookups[i].element, e->lookups[i].value};
    *view = (tilerace_event){.block = {e->block[0], e->block[1], e->block[2]},
                             .n_iterations = e->n_iterations,
                             .iterations = e->iterations,
                             .access = e->access,
                             .buffer = e->buffer,
                             .element = e->element,
                             .order = e->order,
                             .scope = e->scope,
                             .n_coordinates = (size_t)e->rank,
                             .coordinates = e->coordinate,
                             .n_in_tile = (size_t)e->tile_rank,
                             .in_tile = e->in_tile,
                             .n_lookups = e->n_lookups,
                             .lookups = AS_LIST(tilerace_lookup, lookups)};
    return view;
}

static const tilerace_witness *witness_of(tr_arena *arena, const witness *w)
{
    if (!w)
        return NULL;
    tilerace_witness *view = TR_NEW(arena, tilerace_witness);
    tilerace_value **values = NEW_LIST(arena, tilerace_value, w->n_params);
    tilerace_contents **contents = NEW_LIST(arena, tilerace_contents, w->n_contents);
    const tilerace_event **events = TR_NEW_ARRAY(arena, const tilerace_event *, w->n_events + 1);
    for (size_t i = 0; i < w->n_params; i++)
        *values[i] = (tilerace_value){w->params[i].name, w->params[i].value};
    for (size_t i = 0; i < w->n_contents; i++)
        *contents[i] = (tilerace_contents){w->contents[i].buffer, w->contents[i].count,
                                           w->contents[i].values, w->contents[i].floats};
    for (size_t i = 0; i < w->n_events; i++)
        events[i] = event_of(arena, &w->events[i]);
    *view = (tilerace_witness){.grid = {w->grid[0], w->grid[1], w->grid[2]},
                               .n_parameters = w->n_params,
                               .n_contents = w->n_contents,
                               .n_events = w->n_events,
                               .parameters = AS_LIST(tilerace_value, values),
                               .contents = AS_LIST(tilerace_contents, contents),
                               .events = events};
    return view;
}

static void put_place(tilerace_location *l, const tr_place *place)
{
    l->file = place->file;
    l->line = (int)place->line;
    l->column = (int)place->column;
    l->end_line = (int)place->end_line;
    l->end_column = (int)place->end_column;
}

static const tilerace_location *const *locations_of(tr_arena *arena, const finding *f)
{
    tilerace_location **list = NEW_LIST(arena, tilerace_location, f->n_locations);
    for (size_t i = 0; i < f->n_locations; i++) {
        const finding_location *l = &f->locations[i];
        *list[i] = (tilerace_location){
            .role = l->role, .op_ordinal = l->op_ordinal, .op = l->op_text ? l->op_text : ""};
        if (l->place && l->place->line > 0)
            put_place(list[i], l->place);
    }
    return AS_LIST(tilerace_location, list);
}

/* NULL: not known. */
static const tilerace_location *place_of(tr_arena *arena, const char *role, const tr_place *place)
{
    if (!place || place->line == 0 || !place->file)
        return NULL;
    tilerace_location *location = TR_NEW(arena, tilerace_location);
    *location = (tilerace_location){.role = role, .op = ""};
    put_place(location, place);
    return location;
}

static const tilerace_repair *const *repairs_of(tr_arena *arena, const finding *f)
{
    tilerace_repair **list = NEW_LIST(arena, tilerace_repair, f->n_fixes);
    for (size_t i = 0; i < f->n_fixes; i++) {
        const finding_fix *fix = &f->fixes[i];
        *list[i] = (tilerace_repair){.text = fix->text, .verified = fix->verified};
        if (fix->replace.line == 0 || !fix->with)
            continue;
        list[i]->with = fix->with;
        list[i]->line = (int)fix->replace.line;
        list[i]->column = (int)fix->replace.column;
        list[i]->end_line = (int)fix->replace.end_line;
        list[i]->end_column = (int)fix->replace.end_column;
    }
    return AS_LIST(tilerace_repair, list);
}

static const tilerace_finding *const *findings_of(tr_arena *arena, const kernel_report *report)
{
    tilerace_finding **list = NEW_LIST(arena, tilerace_finding, report->n_findings);
    for (size_t i = 0; i < report->n_findings; i++) {
        const finding *f = &report->findings[i];
        const rule_info *rule = rule_info_of(f->rule);
        const char **fixes = TR_NEW_ARRAY(arena, const char *, f->n_fixes + 1);
        for (size_t k = 0; k < f->n_fixes; k++)
            fixes[k] = f->fixes[k].text;
        *list[i] = (tilerace_finding){
            .rule = rule->code,
            .name = rule->name,
            .level = (tilerace_level)f->level,
            .confirmed = f->confidence == CONFIDENCE_CONFIRMED,
            .message = f->message,
            .words = f->words,
            .n_locations = f->n_locations,
            .n_fixes = f->n_fixes,
            .locations = locations_of(arena, f),
            .fixes = fixes,
            .witness = witness_of(arena, f->witness),
            .precondition = f->is_example ? (int)f->breaks : -1,
            .fingerprint = f->fingerprint,
            .by_solver = f->by_solver,
            .repairs = repairs_of(arena, f),
            .allowed = f->hidden.by == HIDDEN_BY_COMMENT ? f->hidden.reason : NULL,
        };
    }
    return AS_LIST(tilerace_finding, list);
}

/* ---- Section: Preconditions ---- */

/* The scalars that the fact speaks of. */
static const size_t *parameters_in(tr_arena *arena, smt_ctx *ctx, const contract *c,
                                   const precondition *p, size_t *n)
{
    const smt_t terms[] = {p->term, p->elements, p->bytes, p->contents.min, p->contents.max};
    size_t *list = TR_NEW_ARRAY(arena, size_t, c->n_args + 1);
    *n = 0;
    for (size_t i = 0; i < c->n_args; i++) {
        bool occurs = false;
        for (size_t t = 0; t < TR_COUNT(terms) && c->args[i].kind == CONTRACT_SCALAR; t++)
            occurs |= terms[t] && smt_contains(terms[t], contract_param(ctx, c, i));
        if (occurs)
            list[(*n)++] = i;
    }
    return list;
}

static const tilerace_precondition *const *
preconditions_of(tr_arena *arena, smt_ctx *ctx, const contract *c, const kernel_report *report)
{
    tilerace_precondition **list = NEW_LIST(arena, tilerace_precondition, report->n_requires);
    for (size_t i = 0; i < report->n_requires; i++) {
        const require *r = &report->requires_[i];
        *list[i] = (tilerace_precondition){.kind = precondition_name(r->what.kind),
                                           .class_ = (tilerace_class)r->what.class_,
                                           .text = r->text,
                                           .term = r->term,
                                           .contract = r->fragment,
                                           .subject = r->name,
                                           .part = r->part,
                                           .reason = r->what.reason,
                                           .of_contents = r->what.of_contents,
                                           .by_solver = r->what.by_solver};
        list[i]->parameters = parameters_in(arena, ctx, c, &r->what, &list[i]->n_parameters);
    }
    return AS_LIST(tilerace_precondition, list);
}

static const int *races_of(tr_arena *arena, const kernel_report *report)
{
    int *races = TR_NEW_ARRAY(arena, int, report->n_requires + 1);
    for (size_t i = 0; i < report->n_requires; i++)
        races[i] = -1;
    for (size_t i = report->n_findings; i-- > 0;)
        if (report->findings[i].is_example)
            races[report->findings[i].breaks] = (int)i;
    return races;
}

/* NULL where it has none, or some that do not fit. */
static const seen_names *names_of(tr_arena *arena, const char *about, const tilerace_kernel *view)
{
    const seen_names *names = about ? names_read(arena, about) : NULL;
    if (!names || names->n != view->n_parameters)
        return NULL;
    for (size_t i = 0; i < names->n; i++) {
        names_part part = names->parameters[i].part;
        bool is_pointer = view->parameters[i]->kind == TILERACE_POINTER;
        if (part != NAMES_ALL && is_pointer != (part == NAMES_POINTER || part == NAMES_TABLE))
            return NULL;
    }
    return names;
}

static const tilerace_location *launched_at(tr_arena *arena, const contract_origin *origin)
{
    tr_place place = {.file = origin->file, .line = origin->line};
    return place_of(arena, "launch", &place);
}

const library_kernel *library_kernel_of(tr_arena *arena, const library_source *from,
                                        const kernel_report *report)
{
    library_kernel *k = TR_NEW(arena, library_kernel);
    bool unknown = report->verdict == VERDICT_UNKNOWN;
    *k = (library_kernel){
        .view = {.name = report->kernel,
                 .verdict = (tilerace_verdict)report->verdict,
                 .reason_kind = unknown ? reason_name(report->reason.kind) : NULL,
                 .reason = unknown ? report->reason.text : NULL,
                 .n_parameters = from->contract->n_args,
                 .n_preconditions = report->n_requires,
                 .n_findings = report->n_findings,
                 .parameters = parameters_of(arena, from->contract, from->elements),
                 .preconditions = preconditions_of(arena, from->ctx, from->contract, report),
                 .findings = findings_of(arena, report),
                 .time_ms = report->time_ms,
                 .file = from->file,
                 .place = place_of(arena, "kernel", report->place),
                 .reason_place = unknown ? place_of(arena, "reason", report->reason.place) : NULL,
                 .launched_at = launched_at(arena, &report->origin),
                 .by_solver = report->by_solver},
        .symbol = from->symbol,
        .guard = from->guard,
        .inside = from->inside,
        .race_of = races_of(arena, report),
    };
    k->names = names_of(arena, from->about, &k->view);
    return k;
}

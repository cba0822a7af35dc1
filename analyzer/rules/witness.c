/* From a solver's model to a launch, through the interpreter, to a witness that people can read.
 *
 * A race is reported only when the replay shows it: two events of the two ops, conflicting and
 * unordered. Everything in the witness is read off the replay, nothing off the model. */
#include "rules/require_search.h"
#include "rules/sync.h"

#include "base/ds.h"
#include "interp/interp.h"
#include "interp/launch.h"

#include <string.h>

static const char *const order_names[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
static const char *const scope_names[] = {NULL, "tl_blk", "device", "sys"};

/* ---- Section: describing what the interpreter saw ---- */

static void block_coordinates(const interp_launch *launch, uint32_t linear, int64_t *out)
{
    out[0] = linear % launch->grid[0];
    out[1] = linear / launch->grid[0] % launch->grid[1];
    out[2] = linear / launch->grid[0] / launch->grid[1];
}

/* The index operands by the text that the source has for them, with the values of this execution.
 */
static void describe_index(checker *k, const ir_op *op, const interp_instance *instance,
                           witness_event *e)
{
    const ir_op_info *info = ir_op_info_of(op->code);
    for (unsigned g = 0; g < info->n_operand_groups; g++) {
        if (strcmp(info->operand_groups[g].name, "index") != 0)
            continue;
        uint32_t count;
        ir_value **first = ir_group(op, g, &count);
        size_t at = (size_t)(first - op->operands);
        e->index = TR_NEW_ARRAY(k->arena, witness_value, count + 1);
        for (uint32_t i = 0; i < count && (int)i < instance->n_index; i++) {
            if (first[i]->type->rank > 0)
                continue; /* a tile of rows: the coordinate says which */
            const char *text = op->operand_texts ? op->operand_texts[at + i] : NULL;
            e->index[e->n_index++] =
                (witness_value){.name = text ? text : tr_arena_printf(k->arena, "index %u", i),
                                .value = instance->index[i]};
        }
    }
}

/* The row of a gather-scatter view is not in the index operands: what the address has over the
 * other dimensions' share. False when the strides leave it open. */
static bool sparse_row(const ix_tensor *t, const smt_int *stride, smt_int base, int64_t element,
                       int sparse, int64_t *coordinate)
{
    smt_int rest = element - base;
    for (int d = 0; d < t->rank; d++)
        if (d != sparse)
            rest -= coordinate[d] * stride[d];
    if (stride[sparse] == 0 || rest % stride[sparse] != 0)
        return false;
    coordinate[sparse] = (int64_t)(rest / stride[sparse]);
    return true;
}

/* memory-model.md's "index -> address" with the index as executed: coordinates as the op meant
 * them, also where strides alias and an address has several. */
static void describe_coordinate(checker *k, const interp_launch *launch, const ix_access *a,
                                const interp_instance *instance, witness_event *e)
{
    const ix_tensor *t = a->tensor;
    const ir_type *view = NULL;
    for (uint32_t i = 0; i < a->op->n_operands && !view; i++)
        if (ir_type_is_tile_view(a->op->operands[i]->type))
            view = a->op->operands[i]->type;
    if (!t || !view || instance->n_index < view->rank)
        return;
    int64_t coordinate[IR_MAX_RANK] = {0};
    bool gather = view->kind == IR_GATHER_SCATTER_VIEW;
    for (int i = 0; i < view->rank; i++) {
        int64_t x = instance->index[i];
        if (gather)
            coordinate[i] = x + e->in_tile[i];
        else
            coordinate[view->dim_map[i]] =
                x * (view->kind == IR_STRIDED_VIEW ? view->traversal_strides[i] : view->shape[i]) +
                e->in_tile[i];
    }
    if (gather) {
        interp_launch_values values = {k->ctx, k->contract, launch};
        smt_int stride[IR_MAX_RANK], base;
        if (!smt_eval(t->bytes, interp_launch_lookup, &values, &base))
            return;
        for (int d = 0; d < t->rank; d++)
            if (!smt_eval(t->stride[d], interp_launch_lookup, &values, &stride[d]))
                return;
        if (!sparse_row(t, stride, base / t->width, e->element, view->sparse_dim, coordinate))
            return;
    }
    e->rank = t->rank;
    memcpy(e->coordinate, coordinate, sizeof(int64_t) * (size_t)t->rank);
}

typedef struct lookup_search {
    const checker *k;
    int args[WITNESS_MOST_LOOKUPS];   /* whose buffers are looked up */
    smt_t apps[WITNESS_MOST_LOOKUPS]; /* ... first by which application */
    size_t n;
} lookup_search;

static void look_for_table(void *user, smt_t term)
{
    lookup_search *s = user;
    int arg = summary_contents_arg(s->k->s, term);
    for (size_t i = 0; i < s->n; i++)
        if (s->args[i] == arg)
            return;
    if (arg < 0 || s->n == WITNESS_MOST_LOOKUPS)
        return;
    s->apps[s->n] = term;
    s->args[s->n++] = arg;
}

/* The last element of that buffer that the tile block read before, for that element of the tile
 * where it read several; NULL: none. */
static const interp_event *read_before(const interp_run *run, const interp_event *event, int buffer)
{
    const interp_event *events, *found = NULL;
    size_t n = interp_events(run, &events);
    for (const interp_event *e = events; e < events + n; e++) {
        if (e->block != event->block || e->buffer != buffer || e->out_of_buffer ||
            e->instance >= event->instance)
            continue;
        bool reads = ir_op_info_of(interp_op_of(run, e->instance)->code)->effects & IR_READS;
        if (reads && (!found || e->in_tile == event->in_tile || found->in_tile != event->in_tile))
            found = e;
    }
    return found;
}

static int64_t elements_of_tile(const ix_access *a)
{
    int64_t n = 1;
    for (int d = 0; d < a->rank; d++)
        n *= a->tile[d];
    return n;
}

/* Whether the element that was read is the one that this element of the access's tile uses. Of a
 * read in a tile of another size that is not known. */
static bool same_element(const checker *k, const interp_run *run, const interp_event *read,
                         const ix_access *a)
{
    const ix_access *from = access_of_buffer(k, interp_op_of(run, read->instance),
                                             interp_buffer_name(run, read->buffer));
    int64_t n = from ? elements_of_tile(from) : 0;
    return n == 1 || n == elements_of_tile(a);
}

/* What the access's address takes from tables, as far as the launch has their contents; those that
 * are not stated are sources of it. */
static void describe_lookups(checker *k, const interp_launch *launch, const interp_run *run,
                             const interp_event *event, const ix_access *a, witness_event *out)
{
    lookup_search s = {.k = k};
    if (!a || a->unknown)
        return;
    smt_visit(k->ctx, a->bytes, look_for_table, &s);
    for (size_t i = 0; i < s.n; i++) {
        int number = launch->args[s.args[i]].buffer;
        const interp_event *read = number < 0 ? NULL : read_before(run, event, number);
        const ir_type *elem = k->kernel->body->args[s.args[i]]->type->elem->elem;
        int64_t width = ir_type_bytes(elem), element = read ? read->address / width : 0, value;
        if (!read)
            continue;
        bool is_it = same_element(k, run, read, a) ||
                     witness_looked_up(k, launch, a, out, s.apps[i], &element);
        if (is_it ? !witness_is_stated(k, launch, number, element * width, width)
                  : witness_open_table(k, launch, number) != NULL)
            witness_add_source(k, launch, run, read, out);
        if (!is_it || !ir_type_is_int(elem) ||
            !interp_number_at(&launch->buffers[number], element * width, width, &value))
            continue;
        value = table_number(elem, table_is_unsigned(k, (size_t)s.args[i]), value);
        out->lookups[out->n_lookups++] =
            (witness_lookup){launch->buffers[number].name, .element = element, .value = value};
    }
}

static void look_into(lookup_search *s, size_t n, const smt_t *terms)
{
    for (size_t i = 0; i < n; i++)
        if (terms[i])
            smt_visit(s->k->ctx, terms[i], look_for_table, s);
}

static void look_into_access(lookup_search *s, const ix_access *a)
{
    const smt_t terms[] = {a->bytes, a->mask, a->path, a->facts};
    look_into(s, TR_COUNT(terms), terms);
    look_into(s, (size_t)a->n_index, a->index);
}

static void look_into_hazards(lookup_search *s, const ir_op *op)
{
    for (size_t i = 0; i < arrlenu(s->k->s->hazards); i++) {
        const ix_hazard *h = &s->k->s->hazards[i];
        const smt_t terms[] = {h->safe, h->path, h->facts};
        if (h->op == op)
            look_into(s, TR_COUNT(terms), terms);
    }
}

/* The tables that the event of this op depends on and that are not stated: with other contents it
 * lies elsewhere, or never comes about. `a` is its access; NULL: it is a value whose computation is
 * undefined. */
static void describe_tables(checker *k, const interp_launch *launch, const ir_op *op,
                            const ix_access *a, witness_event *out)
{
    lookup_search s = {.k = k};
    if (a)
        look_into_access(&s, a);
    else
        look_into_hazards(&s, op);
    for (size_t i = 0; i < s.n; i++) {
        int number = launch->args[s.args[i]].buffer;
        const char *open = number < 0 ? NULL : witness_open_table(k, launch, number);
        if (open)
            out->tables[out->n_tables++] = open;
    }
}

static witness_event describe_event(checker *k, const interp_launch *launch, const interp_run *run,
                                    const interp_event *event)
{
    const interp_instance *instance = interp_instance_of(run, event->instance);
    const ir_op *op = instance->op;
    const ix_access *a = access_of_buffer(k, op, interp_buffer_name(run, event->buffer));
    unsigned effects = ir_op_info_of(op->code)->effects;
    witness_event e = {.access = effects & IR_ATOMIC   ? "atomic"
                                 : effects & IR_WRITES ? "store"
                                                       : "load",
                       .order = order_names[ir_memory_ordering(op)],
                       .scope = scope_names[ir_memory_scope(op)],
                       .buffer = a ? buffer_name(k, a) : "memory"};
    block_coordinates(launch, event->block, e.block);
    e.n_iterations = instance->n_loops;
    e.iterations = tr_arena_copy(k->arena, instance->iterations,
                                 instance->n_loops * sizeof *instance->iterations);
    int64_t start = 0;
    if (!a || a->allocation < 0)
        witness_array(k, launch, run, event, &e.buffer, &start);
    e.element = (event->address - start) / (a && a->width ? a->width : 1);
    if (a) {
        e.tile_rank = a->rank;
        int64_t rest = event->in_tile;
        for (int d = a->rank - 1; d >= 0; d--) {
            e.in_tile[d] = rest % a->tile[d];
            rest /= a->tile[d];
        }
        describe_coordinate(k, launch, a, instance, &e);
    }
    describe_index(k, op, instance, &e);
    describe_lookups(k, launch, run, event, a, &e);
    describe_tables(k, launch, op, a, &e);
    witness_sources(k, launch, run, event, a, &e);
    return e;
}

enum { MAX_CONTENTS = 256 }; /* elements of a buffer that a witness tells */

static bool is_read(const checker *k, const char *buffer)
{
    for (size_t i = 0; i < arrlenu(k->s->accesses); i++) {
        const ix_access *a = &k->s->accesses[i];
        if (a->reads && a->allocation >= 0 &&
            strcmp(k->s->allocations[a->allocation].name, buffer) == 0)
            return true;
    }
    return false;
}

static witness_contents contents_told(checker *k, const char *name, const ir_type *elem, size_t n,
                                      int64_t *values)
{
    witness_contents told = {.buffer = name, .count = n, .values = values};
    if (!ir_type_is_float(elem))
        return told;
    double *floats = TR_NEW_ARRAY(k->arena, double, n + 1);
    for (size_t i = 0; i < n; i++)
        floats[i] = interp_float_of(elem, values[i]);
    told.floats = floats;
    return told;
}

/* How many elements of this buffer a reader has to know: up to the last one that the run reads. */
static size_t elements_read(const interp_run *run, int buffer, size_t width)
{
    const interp_event *events;
    size_t n = interp_events(run, &events), end = 0;
    for (size_t i = 0; i < n; i++) {
        if (events[i].buffer != buffer || events[i].out_of_buffer || events[i].address < 0)
            continue;
        const ir_op *op = interp_op_of(run, events[i].instance);
        if (!(ir_op_info_of(op->code)->effects & (IR_READS | IR_ATOMIC)))
            continue;
        size_t after = (size_t)events[i].address / width + 1;
        end = after > end ? after : end;
    }
    return end;
}

/* Numbers that the kernel reads: what it does may depend on them. Floats are known only where they
 * were invented for this launch. */
static void describe_contents(checker *k, const interp_launch *launch, const interp_run *run,
                              witness *w)
{
    w->contents = TR_NEW_ARRAY(k->arena, witness_contents, 2 * launch->n_args + 1);
    for (size_t i = 0; i < launch->n_args; i++)
        if (launch->args[i].exact)
            w->contents[w->n_contents++] =
                contents_told(k, k->contract->args[i].name, k->kernel->body->args[i]->type->elem, 1,
                              tr_arena_copy(k->arena, &launch->args[i].value, sizeof(int64_t)));
    bool *told = TR_NEW_ARRAY(k->arena, bool, launch->n_buffers + 1);
    for (size_t i = 0; i < launch->n_args; i++) {
        int number = launch->args[i].buffer;
        if (number < 0 || told[number] || launch->buffers[number].opaque ||
            !launch->buffers[number].data || !is_read(k, launch->buffers[number].name))
            continue;
        const interp_buffer *buffer = &launch->buffers[number];
        const ir_type *elem = k->kernel->body->args[i]->type->elem->elem;
        size_t width = (size_t)ir_type_bytes(elem), n = (size_t)buffer->data_bytes / width;
        n = n < MAX_CONTENTS ? n : MAX_CONTENTS;
        int64_t *values = TR_NEW_ARRAY(k->arena, int64_t, n + 1);
        bool is_unsigned = table_is_unsigned(k, i);
        for (size_t at = 0; at < n; at++) {
            interp_number_at(buffer, (int64_t)(at * width), (int64_t)width, &values[at]);
            values[at] = table_number(elem, is_unsigned, values[at]);
        }
        told[number] = true;
        witness_contents *about = &w->contents[w->n_contents++];
        *about = contents_told(k, buffer->name, elem, n, values);
        size_t read = elements_read(run, number, width);
        about->n_read = read < n ? read : n;
    }
}

/* An argument whose value changes nothing: front ends hand over sizes and strides unread. */
static bool is_idle(const checker *k, size_t argument)
{
    return !arg_is_used(k, argument) && !k->contract->args[argument].constrained;
}

/* NULL where the launch breaks what the contract states: every witness passes here, so none that is
 * shown does. */
static witness *describe_launch(checker *k, const interp_launch *launch, const interp_run *run)
{
    const char *broken;
    if (!interp_launch_meets(k->ctx, k->kernel, k->contract, launch, &broken))
        return NULL;
    witness *w = TR_NEW(k->arena, witness);
    memcpy(w->grid, launch->grid, sizeof w->grid);
    w->params = TR_NEW_ARRAY(k->arena, witness_value, k->contract->n_args + 1);
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind == CONTRACT_SCALAR)
            w->params[w->n_params++] =
                (witness_value){arg->name, launch->args[i].value, arg, is_idle(k, i)};
        /* Where pointers may share a buffer, the witness hangs on where they point. */
        if (arg->kind == CONTRACT_POINTER && launch->args[i].value != 0) {
            int width = ir_type_bytes(k->kernel->body->args[i]->type->elem->elem);
            w->params[w->n_params++] =
                (witness_value){.name = tr_arena_printf(k->arena, "offset of %s", arg->name),
                                .value = launch->args[i].value / width};
        }
    }
    describe_contents(k, launch, run, w);
    return w;
}

bool witness_tells(smt_ctx *ctx, const contract *c, const witness *w, smt_t variable,
                   smt_int *value)
{
    for (int axis = 0; axis < 3; axis++)
        if (variable == contract_grid(ctx, axis)) {
            *value = w->grid[axis];
            return true;
        }
    for (size_t i = 0; i < c->n_args; i++)
        for (size_t p = 0; p < w->n_params; p++)
            if (variable == contract_param(ctx, c, i) &&
                strcmp(w->params[p].name, c->args[i].name) == 0) {
                *value = contract_number_of(&c->args[i], w->params[p].value);
                return true;
            }
    return false;
}

/* ---- Section: replay ---- */

static bool is_the_pair(const checker *k, const interp_run *run, const interp_race *race,
                        const ix_access *a, const ix_access *b, copy_relation relation)
{
    const char *buffer = interp_buffer_name(run, race->a.buffer);
    if (access_of_buffer(k, a->op, buffer)->allocation != a->allocation ||
        access_of_buffer(k, b->op, buffer)->allocation != b->allocation)
        return false; /* the same ops, in another of the buffers that they may mean */
    const interp_instance *x = interp_instance_of(run, race->a.instance);
    const interp_instance *y = interp_instance_of(run, race->b.instance);
    bool ops = (x->op == a->op && y->op == b->op) || (x->op == b->op && y->op == a->op);
    bool same_block = race->a.block == race->b.block;
    bool same_instance = race->a.instance == race->b.instance;
    switch (relation) {
    case COPY_OTHER_BLOCK:
        return ops && !same_block;
    case COPY_SAME_BLOCK:
        return ops && same_block && !same_instance;
    default:
        return ops && same_instance;
    }
}

enum { MAX_RACES = 256 };

static void note_races(checker *k, const interp_run *run, size_t n, const interp_race *races,
                       sync_seen_run *seen)
{
    sync_racing_ops found[MAX_RACES];
    size_t n_found = 0;
    for (size_t i = 0; i < n; i++) {
        const ir_op *a = interp_op_of(run, races[i].a.instance);
        const ir_op *b = interp_op_of(run, races[i].b.instance);
        size_t at = 0;
        while (at < n_found && (found[at].a != a || found[at].b != b))
            at++;
        if (at == n_found)
            found[n_found++] = (sync_racing_ops){a, b};
    }
    seen->n_races = n_found;
    seen->races = tr_arena_copy(k->arena, found, n_found * sizeof *found);
}

witness *witness_among_races(checker *k, const interp_launch *launch, const interp_run *run,
                             const ix_access *a, const ix_access *b, copy_relation relation,
                             const char **why, sync_seen_run *seen)
{
    static const char *const status_text[] = {
        [INTERP_DONE] = "it ran to the end without the race",
        [INTERP_UNDECIDED] = "it hangs on a value that is not known",
        [INTERP_LIMIT] = "it is too long to replay",
        [INTERP_HANG] = "it waits for ever",
        [INTERP_UB] = "it runs into undefined behaviour first",
        [INTERP_UNSUPPORTED] = "it uses an op that the interpreter does not run",
    };
    interp_status status = interp_run_status(run);
    *why =
        interp_run_why(run) ? tr_arena_strdup(k->arena, interp_run_why(run)) : status_text[status];
    interp_race *races = TR_NEW_ARRAY(k->arena, interp_race, MAX_RACES);
    size_t n = ask_races(k, run, MAX_RACES, races);
    if (seen)
        note_races(k, run, n, races, seen);
    for (size_t i = 0; i < n; i++) {
        if (!is_the_pair(k, run, &races[i], a, b, relation) || races[i].a.address < 0 ||
            interp_event_is_outside(&races[i].a))
            continue; /* outside the buffer there is nothing to race for */
        witness *w = describe_launch(k, launch, run);
        if (!w) {
            *why = "the launch breaks what the contract states";
            return NULL;
        }
        const interp_event *first = &races[i].a, *second = &races[i].b;
        if (interp_op_of(run, first->instance) != a->op) {
            first = &races[i].b;
            second = &races[i].a;
        }
        w->n_events = 2;
        w->events[0] = describe_event(k, launch, run, first);
        w->events[1] = describe_event(k, launch, run, second);
        return w;
    }
    return NULL;
}

witness *witness_in_run(checker *k, const interp_launch *launch, const interp_run *run,
                        const ix_access *a, const ix_access *b, copy_relation relation,
                        const char **why)
{
    return witness_among_races(k, launch, run, a, b, relation, why, NULL);
}

/* Two blocks of a large grid are enough to replay a race between them. */
static interp_run *replay(checker *k, const interp_launch *launch, size_t n, const uint32_t *blocks)
{
    /* What is proved already is not looked at for seconds once more. */
    uint64_t steps = k->machine_values ? 500 * 1000 : 20 * 1000 * 1000;
    return ask_run_blocks(k, launch, steps, n, blocks);
}

static bool value_in_model(const smt_model *model, smt_t term, int64_t *out)
{
    smt_int value;
    if (!smt_model_eval(model, term, &value) || value > INT64_MAX || value < INT64_MIN)
        return false;
    *out = (int64_t)value;
    return true;
}

/* The word that holds the parameter's value. */
static bool word_in_model(const smt_model *model, smt_t parameter, int64_t *out)
{
    smt_int value;
    if (!smt_model_eval(model, parameter, &value) || value > UINT64_MAX || value < INT64_MIN)
        return false;
    *out = (int64_t)(uint64_t)value;
    return true;
}

/* The buffer elements that the model's query spoke of. */
static size_t contents_in_model(checker *k, const smt_model *model, interp_contents *out)
{
    size_t n = 0;
    for (size_t a = 0; a < k->s->n_allocations; a++) {
        interp_cell *cells = TR_NEW_ARRAY(k->arena, interp_cell, arrlenu(k->apps) + 1);
        size_t n_cells = 0;
        for (size_t i = 0; i < arrlenu(k->apps); i++) {
            interp_cell cell;
            if (summary_contents_of(k->s, k->apps[i], NULL) == (int)a &&
                value_in_model(model, k->apps[i]->args[0], &cell.index) &&
                value_in_model(model, k->apps[i], &cell.value))
                cells[n_cells++] = cell;
        }
        if (n_cells)
            out[n++] = (interp_contents){k->s->allocations[a].name, n_cells, cells};
    }
    return n;
}

/* `near_zero`: what the model says nothing of; see interp_filling. */
static interp_launch *launch_of_model(checker *k, const smt_model *model, bool near_zero,
                                      interp_filling *filling, const char **why)
{
    size_t n = k->contract->n_args;
    int64_t grid[3], *scalars = TR_NEW_ARRAY(k->arena, int64_t, n + 1);
    int64_t *offsets = TR_NEW_ARRAY(k->arena, int64_t, n + 1);
    interp_contents *contents = TR_NEW_ARRAY(k->arena, interp_contents, k->s->n_allocations + 1);
    *why = "the solver's model cannot be turned into a launch";
    for (int axis = 0; axis < 3; axis++)
        if (!value_in_model(model, k->s->grid[axis], &grid[axis]))
            return NULL;
    for (size_t i = 0; i < n; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind == CONTRACT_SCALAR &&
            !word_in_model(model, contract_param(k->ctx, k->contract, i), &scalars[i]))
            return NULL;
        if (arg->kind == CONTRACT_POINTER) {
            const ir_type *pointer = k->kernel->body->args[i]->type->elem;
            if (!value_in_model(model, k->s->arg_bytes[i], &offsets[i]))
                return NULL;
            offsets[i] /= ir_type_bytes(pointer->elem);
        }
    }
    *filling = (interp_filling){.seed = 1,
                                .offsets = offsets,
                                .contents = contents,
                                .most_filled = RULES_FILLED,
                                .near_zero = near_zero};
    filling->n_contents = contents_in_model(k, model, contents);
    return interp_launch_from(k->arena, k->ctx, k->kernel, require_with_indices(k), grid, scalars,
                              filling, why);
}

const interp_launch *witness_launch(checker *k, const smt_model *model, const char **why)
{
    interp_filling filling;
    return launch_of_model(k, model, false, &filling, why);
}

/* The copy's block as a linear number; false when the model says nothing usable. */
static bool block_in_model(checker *k, const smt_model *model, copy_relation relation, int copy,
                           const interp_launch *launch, uint32_t *out)
{
    int64_t id[3];
    for (int axis = 0; axis < 3; axis++) {
        smt_t term = copy_term(k, k->s->block_id[axis], relation, copy);
        if (!value_in_model(model, term, &id[axis]) || id[axis] < 0 ||
            id[axis] >= launch->grid[axis])
            return false;
    }
    *out = (uint32_t)(id[0] + launch->grid[0] * (id[1] + launch->grid[1] * id[2]));
    return true;
}

/* Elements that the model says nothing of are drawn, or near zero. */
static witness *witness_with_elements(checker *k, const smt_model *model, bool near_zero,
                                      const ix_access *a, const ix_access *b,
                                      copy_relation relation, const char **why)
{
    interp_filling filling;
    interp_launch *launch = launch_of_model(k, model, near_zero, &filling, why);
    uint32_t blocks[2];
    if (!launch)
        return NULL;
    *why = "the model names no block of the grid";
    if (!block_in_model(k, model, relation, 0, launch, &blocks[0]) ||
        !block_in_model(k, model, relation, 1, launch, &blocks[1]) ||
        !require_allows(k, launch, why))
        return NULL;
    size_t n_blocks = blocks[0] == blocks[1] ? 1 : 2;
    interp_run *run = replay(k, launch, n_blocks, blocks);
    witness *w = witness_in_run(k, launch, run, a, b, relation, why);
    bool undecided = interp_run_status(run) == INTERP_UNDECIDED;
    interp_run_free(run);
    const float_question question = {a, b, relation, n_blocks, blocks};
    if (!w && undecided)
        w = witness_with_floats(k, &question, &launch, &filling);
    witness *readable = w ? witness_made_readable(k, a, b, relation, launch, &filling) : NULL;
    return readable ? readable : w;
}

witness *witness_of_race(checker *k, const smt_model *model, const ix_access *a, const ix_access *b,
                         copy_relation relation, const char **why)
{
    /* What is drawn may lead a third block into a branch that is undefined, or both accesses out of
     * their buffer. */
    witness *w = witness_with_elements(k, model, false, a, b, relation, why);
    return w ? w : witness_with_elements(k, model, true, a, b, relation, why);
}

/* `width`: bytes of an element; 0: wherever it is. */
static witness *first_event_in(checker *k, const interp_launch *launch, const interp_run *run,
                               const ir_op *op, const bytes_touched *part, int width)
{
    const interp_event *events;
    size_t n = interp_events(run, &events);
    for (size_t i = 0; i < n; i++) {
        if (interp_op_of(run, events[i].instance) != op || events[i].out_of_buffer ||
            (width && (events[i].address >= part->to || events[i].address + width <= part->from)) ||
            (part->early && interp_comes_after_wait(run, events[i].instance)))
            continue;
        witness *w = describe_launch(k, launch, run);
        if (!w)
            return NULL;
        w->n_events = 1;
        w->events[0] = describe_event(k, launch, run, &events[i]);
        return w;
    }
    return NULL;
}

static witness *first_event(checker *k, const interp_launch *launch, const interp_run *run,
                            const ir_op *op, bool early)
{
    const bytes_touched anywhere = {.early = early};
    return first_event_in(k, launch, run, op, &anywhere, 0);
}

witness *witness_of_access(checker *k, const interp_launch *launch, const interp_run *run,
                           const ir_op *op)
{
    return first_event(k, launch, run, op, false);
}

witness *witness_of_early_access(checker *k, const interp_launch *launch, const interp_run *run,
                                 const ir_op *op)
{
    return first_event(k, launch, run, op, true);
}

/* The first time that this op is undefined in a run; NULL when it never is. */
witness *witness_undefined_in_run(checker *k, const interp_launch *launch, const interp_run *run,
                                  const ir_op *op, bool index_space)
{
    const interp_ub *ubs, *ub = NULL;
    size_t n = interp_ubs(run, &ubs);
    for (size_t i = 0; i < n && !ub; i++)
        if (ubs[i].op == op && index_space == interp_ub_is_of_index(ubs[i].kind))
            ub = &ubs[i];
    if (!ub)
        return NULL;
    witness *w = describe_launch(k, launch, run);
    if (!w)
        return NULL;
    const ix_access *a = access_of_op(k, op);
    witness_event e = {.access = !a          ? "value"
                                 : a->atomic ? "atomic"
                                 : a->writes ? "store"
                                             : "load",
                       .order = a ? order_names[a->ordering] : NULL,
                       .scope = a ? scope_names[a->scope] : NULL,
                       .buffer = a ? buffer_name(k, a) : NULL};
    block_coordinates(launch, ub->block, e.block);
    e.n_iterations = ub->n_loops;
    e.iterations = tr_arena_copy(k->arena, ub->iterations, ub->n_loops * sizeof *ub->iterations);
    e.element = a && !index_space ? ub->value / a->width : ub->value;
    e.n_index = 1;
    e.index = TR_NEW(k->arena, witness_value);
    e.index[0] =
        (witness_value){.name = index_space ? tr_arena_printf(k->arena, "index %d", ub->dimension)
                                : a         ? "element"
                                            : "value",
                        .value = e.element};
    describe_tables(k, launch, op, a, &e);
    w->n_events = 1;
    w->events[0] = e;
    return w;
}

/* Replays the one block of the model in *launch; NULL, and *why: the model names none. */
static interp_run *replay_of_block(checker *k, const smt_model *model, interp_launch **launch,
                                   const char **why)
{
    interp_filling filling;
    uint32_t block;
    *launch = launch_of_model(k, model, false, &filling, why);
    if (!*launch)
        return NULL;
    *why = "the model names no block of the grid";
    if (!block_in_model(k, model, COPY_NONE, 0, *launch, &block))
        return NULL;
    return replay(k, *launch, 1, &block);
}

witness *witness_of_event(checker *k, const smt_model *model, const ir_op *op, bool index_space,
                          const char **why)
{
    interp_launch *launch;
    interp_run *run = replay_of_block(k, model, &launch, why);
    if (!run)
        return NULL;
    witness *w = witness_undefined_in_run(k, launch, run, op, index_space);
    *why = "the replay shows no undefined behaviour";
    interp_run_free(run);
    return w;
}

witness *witness_of_bytes(checker *k, const smt_model *model, const ix_access *a,
                          const bytes_touched *part, const char **why)
{
    interp_launch *launch;
    interp_run *run = replay_of_block(k, model, &launch, why);
    if (!run)
        return NULL;
    witness *w = first_event_in(k, launch, run, a->op, part, a->width);
    *why = "the replay shows no access to the bytes that the preceding launch touches";
    interp_run_free(run);
    return w;
}

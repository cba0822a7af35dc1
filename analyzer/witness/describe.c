/* Describes what the interpreter saw, as a witness that people can read: a launch with its numbers
 * and contents, and events with their blocks, elements and where those come from. */
#include "witness/describe.h"

#include "interp/interp.h"
#include "interp/launch.h"
#include "launch/from_contract.h"
#include "question/accesses.h"
#include "question/checker.h"
#include "witness/sources.h"
#include "witness/table_signs.h"
#include "witness/tables.h"

#include "base/ds.h"

#include <string.h>

static const char *const order_names[] = {"weak", "relaxed", "acquire", "release", "acq_rel"};
static const char *const scope_names[] = {NULL, "tl_blk", "device", "sys"};

static void block_coordinates(const concrete_launch *launch, uint32_t linear, int64_t *out)
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
    uint32_t count;
    ir_value **first = ir_group_in_role(op, IR_ROLE_INDEX, &count);
    if (!first)
        return;
    size_t at = (size_t)(first - op->operands);
    e->index = TR_NEW_ARRAY(k->arena, witness_value, count + 1);
    uint32_t base = k->kernel->module->counts_from_one, n = (uint32_t)instance->n_index;
    for (uint32_t number = 0; number < count; number++) {
        uint32_t i = base ? count - 1 - number : number;
        if (i >= n || first[i]->type->rank > 0)
            continue; /* a tile of rows: the coordinate says which */
        const char *text = op->operand_texts ? op->operand_texts[at + i] : NULL;
        e->index[e->n_index++] = (witness_value){
            .name = text ? text : tr_arena_printf(k->arena, "index %u", number + base),
            .value = instance->index[i] + base};
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
static void describe_coordinate(checker *k, const concrete_launch *launch, const ix_access *a,
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
        concrete_launch_values values = {k->ctx, k->contract, launch};
        smt_int stride[IR_MAX_RANK], base;
        if (!smt_eval(t->bytes, concrete_launch_lookup, &values, &base))
            return;
        for (int d = 0; d < t->rank; d++)
            if (!smt_eval(t->stride[d], concrete_launch_lookup, &values, &stride[d]))
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
    smt_t apps[WITNESS_MOST_LOOKUPS]; /* the first application that looks it up */
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

/* Is the element that was read the one that this element of the access's tile uses? That is not
 * known of a read in a tile of another size. */
static bool same_element(const checker *k, const interp_run *run, const interp_event *read,
                         const ix_access *a)
{
    const ix_access *from = access_of_buffer(k, interp_op_of(run, read->instance),
                                             interp_buffer_name(run, read->buffer));
    int64_t n = from ? elements_of_tile(from) : 0;
    return n == 1 || n == elements_of_tile(a);
}

/* Describes what the access's address takes from tables, as far as the launch has their contents;
 * those that are not stated are sources of it. */
static void describe_lookups(checker *k, const concrete_launch *launch, const interp_run *run,
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
            !concrete_number_at(&launch->buffers[number], element * width, width, &value))
            continue;
        value = witness_table_number(elem, witness_table_is_unsigned(k, (size_t)s.args[i]), value);
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
static void describe_tables(checker *k, const concrete_launch *launch, const ir_op *op,
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

witness_event witness_describe_event(checker *k, const concrete_launch *launch,
                                     const interp_run *run, const interp_event *event)
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

witness_event witness_describe_undefined(checker *k, const concrete_launch *launch,
                                         const interp_ub *ub, bool index_space)
{
    const ir_op *op = ub->op;
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
    bool from_one = k->kernel->module->counts_from_one;
    int dimension = from_one && a && index_space ? a->n_index - ub->dimension : ub->dimension;
    e.index[0] =
        (witness_value){.name = index_space ? tr_arena_printf(k->arena, "index %d", dimension)
                                : a         ? "element"
                                            : "value",
                        .value = e.element + (from_one && a)};
    describe_tables(k, launch, op, a, &e);
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
        floats[i] = concrete_float_of(elem, values[i]);
    told.floats = floats;
    return told;
}

/* Returns how many elements of this buffer a reader has to know: those up to the last one that the
 * run reads. */
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
static void describe_contents(checker *k, const concrete_launch *launch, const interp_run *run,
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
        bool is_unsigned = witness_table_is_unsigned(k, i);
        for (size_t at = 0; at < n; at++) {
            concrete_number_at(buffer, (int64_t)(at * width), (int64_t)width, &values[at]);
            values[at] = witness_table_number(elem, is_unsigned, values[at]);
        }
        told[number] = true;
        witness_contents *about = &w->contents[w->n_contents++];
        *about = contents_told(k, buffer->name, elem, n, values);
        size_t read = elements_read(run, number, width);
        about->n_read = read < n ? read : n;
    }
}

/* Has the argument a value that changes nothing? Front ends also pass sizes and strides that the
 * kernel does not read. */
static bool is_idle(const checker *k, size_t argument)
{
    return !arg_is_used(k, argument) && !k->contract->args[argument].constrained;
}

witness *witness_describe_launch(checker *k, const concrete_launch *launch, const interp_run *run)
{
    const char *broken;
    if (!concrete_launch_meets(k->ctx, k->kernel, k->contract, launch, &broken))
        return NULL;
    witness *w = TR_NEW(k->arena, witness);
    memcpy(w->grid, launch->grid, sizeof w->grid);
    w->from_one = k->kernel->module->counts_from_one;
    w->params = TR_NEW_ARRAY(k->arena, witness_value, k->contract->n_args + 1);
    for (size_t i = 0; i < k->contract->n_args; i++) {
        const contract_arg *arg = &k->contract->args[i];
        if (arg->kind == CONTRACT_SCALAR)
            w->params[w->n_params++] =
                (witness_value){arg->name, launch->args[i].value, arg, is_idle(k, i)};
        /* Pointers that may share a buffer are shown with their place in it in this launch. */
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

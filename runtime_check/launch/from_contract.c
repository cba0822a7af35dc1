/* Makes one launch from a contract and the values of its parameters. */
#include "launch/private.h"

#include "launch/invent.h"

binding binding_make(tr_arena *arena, smt_ctx *ctx, const contract *c, const int64_t *scalars)
{
    binding b = {.arena = arena, .contract = c, .scalars = scalars, .grid_values = {1, 1, 1}};
    if (!c)
        return b;
    b.params = TR_NEW_ARRAY(arena, smt_t, c->n_args + 1);
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_SCALAR)
            b.params[i] = contract_param(ctx, c, i);
    for (int axis = 0; axis < 3; axis++)
        b.grid[axis] = contract_grid(ctx, axis);
    b.value = contract_value(ctx);
    b.index = contract_index(ctx);
    return b;
}

static bool lookup(void *user, smt_t variable, size_t n_args, const smt_int *args, smt_int *value)
{
    const binding *b = user;
    (void)args;
    if (n_args)
        return false;
    for (size_t i = 0; i < b->contract->n_args; i++)
        if (variable == b->params[i]) {
            *value = contract_number_of(&b->contract->args[i], b->scalars[i]);
            return true;
        }
    for (int axis = 0; axis < 3; axis++)
        if (variable == b->grid[axis]) {
            *value = b->grid_values[axis];
            return true;
        }
    if (!b->has_element || (variable != b->value && variable != b->index))
        return false;
    *value = variable == b->value ? b->value_now : b->index_now;
    return true;
}

bool concrete_launch_lookup(void *user, smt_t variable, size_t n_args, const smt_int *args,
                            smt_int *value)
{
    const concrete_launch_values *v = user;
    const contract *c = v->contract;
    (void)args;
    if (n_args)
        return false;
    for (size_t i = 0; i < c->n_args; i++)
        if (c->args[i].kind == CONTRACT_SCALAR && contract_param(v->ctx, c, i) == variable) {
            *value = contract_number_of(&c->args[i], v->launch->args[i].value);
            return true;
        }
    for (int axis = 0; axis < 3; axis++)
        if (contract_grid(v->ctx, axis) == variable) {
            *value = v->launch->grid[axis];
            return true;
        }
    return false;
}

bool binding_eval(const binding *b, smt_t term, int64_t *value)
{
    smt_int wide;
    if (!smt_eval(term, lookup, (void *)b, &wide) || wide < INT64_MIN || wide > INT64_MAX)
        return false;
    *value = (int64_t)wide;
    return true;
}

/* An assume only hands a value on: who reads what it gives reads the value. */
bool concrete_reads_axis(const ir_function *kernel, int axis)
{
    for (const ir_op *op = ir_first_op(kernel); op; op = ir_next_op(op))
        for (uint32_t i = 0; i < op->n_operands; i++) {
            const ir_value *v = op->operands[i];
            while (v->def && v->def->code == IR_OP_ASSUME)
                v = v->def->operands[0];
            bool of_grid = v->def && (v->def->code == IR_OP_GET_TILE_BLOCK_ID ||
                                      v->def->code == IR_OP_GET_NUM_TILE_BLOCKS);
            if (of_grid && v->index == (uint32_t)axis && op->code != IR_OP_ASSUME)
                return true;
        }
    return false;
}

bool concrete_axis_is_open(const ir_function *kernel, int axis)
{
    bool any = false;
    for (int i = 0; i < 3; i++)
        any |= concrete_reads_axis(kernel, i);
    return any ? concrete_reads_axis(kernel, axis) : axis == 0;
}

const concrete_launch *concrete_with_idle_ones(tr_arena *arena, const ir_function *f,
                                               const contract *c, const concrete_launch *l)
{
    concrete_launch *with = tr_arena_copy(arena, l, sizeof *l);
    with->args = tr_arena_copy(arena, l->args, l->n_args * sizeof *l->args);
    for (size_t i = 0; i < l->n_args; i++)
        if (c->args[i].kind == CONTRACT_SCALAR && c->args[i].bits > 1 && !c->args[i].constrained &&
            !ir_is_used(f, f->body->args[i]))
            with->args[i].value = 1;
    return with;
}

static bool find_grid(binding *b, int64_t grid[3])
{
    for (int axis = 0; axis < 3; axis++) {
        if (grid[axis] == 0) {
            if (!b->contract || !b->contract->grid[axis])
                grid[axis] = 1;
            else if (!binding_eval(b, b->contract->grid[axis], &grid[axis]))
                return false;
        }
        b->grid_values[axis] = grid[axis];
    }
    return true;
}

bool concrete_launch_holds(smt_ctx *ctx, const contract *c, const int64_t *scalars, int64_t grid[3])
{
    tr_arena *arena = tr_arena_new();
    binding b = binding_make(arena, ctx, c, scalars);
    int64_t stated[3] = {0, 0, 0};
    bool any_stated = c->grid[0] || c->grid[1] || c->grid[2]; /* then missing axes are 1 */
    for (int axis = 0; axis < 3; axis++)
        if (!c->grid[axis] || c->grid[axis] == b.grid[axis]) /* "grid.x": whatever it is */
            stated[axis] = any_stated && !c->grid[axis] ? 1 : grid[axis];
    bool holds = find_grid(&b, stated);
    for (size_t i = 0; i < c->n_args && holds; i++)
        if (b.params[i]) {
            smt_int number = contract_number_of(&c->args[i], scalars[i]);
            holds = number >= b.params[i]->low && number <= b.params[i]->high;
        }
    for (int axis = 0; axis < 3 && holds; axis++)
        holds = stated[axis] >= 1 && stated[axis] < (int64_t)1 << 24;
    for (ptrdiff_t i = 0; i < arrlen(c->facts) && holds; i++) {
        int64_t value;
        holds = binding_eval(&b, c->facts[i].term, &value) && value;
    }
    if (holds)
        memcpy(grid, stated, sizeof stated);
    tr_arena_free(arena);
    return holds;
}

/* ---- Section: Buffers ---- */

#define MAX_FILLED        ((int64_t)1 << 20) /* elements of an integer buffer that get values */
#define MAX_FILLED_SLOWLY ((int64_t)1 << 15) /* the same, where each needs terms evaluated */
#define UNKNOWN_FILLED    ((int64_t)1 << 12) /* where nobody says how long it is */

static void give_data(tr_arena *arena, const buffer_plan *plan, interp_buffer *buffer)
{
    unsigned char *data = tr_arena_alloc(arena, (size_t)(plan->filled * plan->width) + 1);
    const size_t width = (size_t)plan->width;
    for (int64_t i = 0; i < plan->filled && width == 4; i++) /* as nearly always: one store each */
        memcpy(&data[i * 4], &(uint32_t){(uint32_t)plan->values[i]}, 4);
    for (int64_t i = 0; i < plan->filled && width != 4; i++)
        memcpy(&data[i * plan->width], &plan->values[i], width);
    buffer->data = data;
    buffer->data_bytes = plan->filled * plan->width;
}

/* Gives the elements that a witness fixes behind the filled part. */
static void give_pokes(tr_arena *arena, const buffer_plan *plan, const interp_filling *filling,
                       interp_buffer *buffer)
{
    for (size_t k = 0; filling && k < filling->n_contents; k++) {
        const interp_contents *c = &filling->contents[k];
        if (strcmp(c->buffer, plan->name))
            continue;
        interp_poke *pokes = TR_NEW_ARRAY(arena, interp_poke, c->n + 1);
        for (size_t i = 0; i < c->n; i++) {
            interp_poke *poke = &pokes[buffer->n_pokes];
            poke->width = plan->width;
            poke->value = (uint64_t)c->cells[i].value;
            if (c->cells[i].index >= plan->filled &&
                !__builtin_mul_overflow(c->cells[i].index, (int64_t)plan->width, &poke->address))
                buffer->n_pokes++;
        }
        buffer->pokes = pokes;
    }
}

static const interp_contents *contents_named(const interp_filling *filling, const char *name)
{
    for (size_t k = 0; filling && name && k < filling->n_contents; k++)
        if (strcmp(filling->contents[k].buffer, name) == 0 && filling->contents[k].n > 0)
            return &filling->contents[k];
    return NULL;
}

/* Floats are known where a witness fixes some of them. */
static void give_floats(tr_arena *arena, tr_arena *scratch, buffer_plan *plan,
                        const interp_filling *filling, interp_buffer *buffer)
{
    const interp_contents *c = contents_named(filling, plan->name);
    if (!c || !plan->elem || !ir_type_is_float(plan->elem) || ir_type_bits(plan->elem) < 8)
        return;
    plan->values = TR_NEW_ARRAY(scratch, int64_t, (size_t)plan->filled + 1);
    for (int64_t i = 0; i < plan->filled; i++)
        plan->values[i] = c->cells[c->n - 1].value;
    for (size_t k = 0; k < c->n; k++)
        if (c->cells[k].index >= 0 && c->cells[k].index < plan->filled)
            plan->values[c->cells[k].index] = c->cells[k].value;
    buffer->opaque = false;
    give_data(arena, plan, buffer);
}

/* Elements are stated of several pointers into the buffer, or of one and others have other types:
 * what is stated is known byte by byte, and nothing else. */
static bool is_pieced(const binding *b, const buffer_plan *plan)
{
    return plan->facts_of >= 0 && b->contract->args[plan->facts_of].contents.values &&
           (plan->n_facts > 1 || !plan->elem);
}

/* Gives the stated elements of argument i that lie in the buffer's first bytes. */
static void give_piece(const interp_arg *arg, const contract_values *values, int64_t width,
                       interp_buffer *buffer)
{
    int64_t element;
    for (size_t i = 0; i < values->n; i++) {
        int64_t at = arg->value + (int64_t)i * width;
        if (at < 0 || at > buffer->data_bytes - width ||
            !contract_values_at(values, (smt_int)i, &element))
            continue;
        for (int64_t k = 0; k < width; k++) {
            buffer->data[at + k] = (unsigned char)((uint64_t)element >> (8 * k));
            buffer->known[at + k] = true;
        }
    }
}

static const contract_values *values_in(const binding *b, const interp_arg *args, size_t i,
                                        int number)
{
    return args[i].buffer == number ? b->contract->args[i].contents.values : NULL;
}

static void give_pieces(tr_arena *arena, const binding *b, const interp_arg *args,
                        const ir_function *kernel, int number, interp_buffer *buffer)
{
    const int64_t most = 8 * MAX_FILLED;
    int64_t end = 0, last;
    for (size_t i = 0; i < b->contract->n_args; i++) {
        const contract_values *values = values_in(b, args, i, number);
        int64_t width = values ? ir_type_bytes(concrete_pointee(kernel->body->args[i])) : 0;
        if (!values || args[i].value >= most)
            continue; /* too far away to be filled in */
        if (__builtin_add_overflow(args[i].value, (int64_t)values->n * width, &last))
            last = most;
        end = last > end ? last : end;
    }
    end = buffer->unbounded || end < buffer->bytes ? end : buffer->bytes;
    buffer->data_bytes = end < most ? end : most;
    buffer->data = TR_NEW_ARRAY(arena, unsigned char, (size_t)buffer->data_bytes + 1);
    buffer->known = TR_NEW_ARRAY(arena, bool, (size_t)buffer->data_bytes + 1);
    buffer->opaque = buffer->data_bytes == 0;
    for (size_t i = 0; i < b->contract->n_args; i++) {
        const contract_values *values = values_in(b, args, i, number);
        if (values)
            give_piece(&args[i], values, ir_type_bytes(concrete_pointee(kernel->body->args[i])),
                       buffer);
    }
}

/* A table of pointers: each addresses an allocation of its own. */
static bool give_regions(tr_arena *arena, const binding *b, buffer_plan *plan, smt_t size,
                         interp_buffer **buffers)
{
    enum { MAX_REGIONS = 4096 };
    int64_t n = plan->elements < 0 ? 16 : plan->elements;
    if (n > MAX_REGIONS)
        return false;
    plan->values = TR_NEW_ARRAY(arena, int64_t, n + 1);
    plan->filled = n;
    binding each = *b;
    each.has_element = true;
    for (int64_t i = 0; i < n; i++) {
        interp_buffer region = {
            .name = tr_arena_printf(arena, "%s[%lld]", plan->name, (long long)i), .opaque = true};
        each.index_now = i;
        if (!binding_eval(&each, size, &region.bytes) || region.bytes < 0)
            return false;
        plan->values[i] = (int64_t)concrete_pointer((int32_t)arrlen(*buffers), 0);
        arrput(*buffers, region);
    }
    return true;
}

static bool make_buffers(tr_arena *arena, tr_arena *scratch, binding *b, const ir_function *kernel,
                         const interp_arg *args, buffer_plan *plans, const interp_filling *filling,
                         interp_buffer **buffers, const char **why)
{
    size_t n = arrlenu(plans);
    for (size_t i = 0; i < n; i++) {
        const buffer_plan *plan = &plans[i];
        int64_t bytes = 0;
        if (plan->elements > 0 &&
            __builtin_mul_overflow(plan->elements, (int64_t)plan->width, &bytes)) {
            *why = tr_arena_printf(arena, "buffer '%s' is longer than 2^63 bytes", plan->name);
            return false;
        }
        interp_buffer buffer = {.name = plan->name,
                                .bytes = bytes,
                                .unbounded = plan->elements < 0,
                                .opaque = !plan->elem || !ir_type_is_int(plan->elem)};
        arrput(*buffers, buffer);
    }
    for (size_t i = 0; i < n; i++) {
        buffer_plan *plan = &plans[i];
        const contract_contents *facts =
            plan->facts_of >= 0 ? &b->contract->args[plan->facts_of].contents : NULL;
        if (facts && facts->regions) {
            if (!give_regions(arena, b, plan, facts->regions, buffers)) {
                *why = tr_arena_printf(arena, "the regions of '%s' have no size", plan->name);
                return false;
            }
            (*buffers)[i].opaque = false;
            give_data(arena, plan, &(*buffers)[i]);
            continue;
        }
        if (is_pieced(b, plan)) {
            give_pieces(arena, b, args, kernel, (int)i, &(*buffers)[i]);
            continue;
        }
        if ((*buffers)[i].opaque) {
            give_floats(arena, scratch, plan, filling, &(*buffers)[i]);
            continue;
        }
        if (!concrete_fill_contents(scratch, b, plans, n, i, filling, why))
            return false;
        give_data(arena, plan, &(*buffers)[i]);
        give_pokes(arena, plan, filling, &(*buffers)[i]);
    }
    return true;
}

static void give_scalar(const ir_function *kernel, const contract *c, size_t i, int64_t value,
                        const interp_filling *filling, interp_arg *arg)
{
    const ir_type *type = kernel->body->args[i]->type;
    const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
    const interp_contents *fixed = c ? contents_named(filling, c->args[i].name) : NULL;
    arg->value = value;
    if (c && c->args[i].has_number && ir_type_is_float(elem)) {
        arg->value = concrete_bits_of(elem, c->args[i].number);
        arg->exact = true;
        return;
    }
    if (!fixed || !ir_type_is_float(elem))
        return;
    arg->value = fixed->cells[0].value;
    arg->exact = true;
}

/* Elements that get values in a buffer of which nobody says how long it is: no more than can be
 * different, where they have to be. */
static int64_t unstated_length(const binding *b, const buffer_plan *plan,
                               const contract_contents *facts)
{
    int64_t low, high;
    if (facts && facts->values)
        return plan->base + (int64_t)facts->values->n;
    if (!facts || !facts->unique || !plan->elem)
        return UNKNOWN_FILLED;
    int bits = ir_type_bits(plan->elem);
    int64_t values = bits < 16 ? (int64_t)1 << bits : UNKNOWN_FILLED;
    if (facts->min && facts->max && !speaks_of_index(b, facts) &&
        binding_eval(b, facts->min, &low) && binding_eval(b, facts->max, &high) && low <= high &&
        (uint64_t)high - (uint64_t)low < (uint64_t)values)
        values = high - low + 1;
    return values < UNKNOWN_FILLED ? values : UNKNOWN_FILLED;
}

/* Sets the arguments and plans the buffers that they point into. */
static bool plan_arguments(tr_arena *arena, const ir_function *kernel, const binding *b,
                           const int64_t *scalars, const interp_filling *filling, interp_arg *args,
                           buffer_plan **plans, const char **why)
{
    for (size_t i = 0; i < kernel->body->n_args; i++) {
        args[i].buffer = -1;
        if (!concrete_pointee(kernel->body->args[i]))
            give_scalar(kernel, b->contract, i, scalars[i], filling, &args[i]);
        else if (!concrete_plan_parameter(arena, kernel, b, i, filling, plans, &args[i], why))
            return false;
    }
    return true;
}

/* Decides how many elements of a buffer get values. False: the buffer has more elements than the
 * filling allows. */
static bool plan_filling(const binding *b, const interp_filling *filling, buffer_plan *plan)
{
    const contract_contents *facts =
        plan->facts_of >= 0 ? &b->contract->args[plan->facts_of].contents : NULL;
    int64_t known = plan->elements < 0 ? unstated_length(b, plan, facts) : plan->elements;
    bool is_stated = facts && facts->values; /* element by element: the run may need any */
    bool is_slow = facts && !is_stated && (facts->unique_when || speaks_of_index(b, facts));
    int64_t most = is_slow ? MAX_FILLED_SLOWLY : MAX_FILLED;
    if (filling && filling->most_filled && filling->most_filled < most && !is_stated)
        most = filling->most_filled;
    plan->filled = known < most ? known : most;
    return !filling || !filling->most_elements || known <= filling->most_elements;
}

static bool plan_fillings(tr_arena *arena, const binding *b, const interp_filling *filling,
                          buffer_plan *plans, const char **why)
{
    for (size_t i = 0; i < arrlenu(plans); i++)
        if (!plan_filling(b, filling, &plans[i])) {
            *why = tr_arena_printf(arena, "'%s' has too many elements", plans[i].name);
            return false;
        }
    return true;
}

concrete_launch *concrete_launch_from(tr_arena *arena, smt_ctx *ctx, const ir_function *kernel,
                                      const contract *c, const int64_t grid[3],
                                      const int64_t *scalars, const interp_filling *filling,
                                      const char **why)
{
    const char *ignored;
    if (!why)
        why = &ignored;
    size_t n = kernel->body->n_args;
    if (c && c->n_args != n) {
        *why = tr_arena_printf(arena, "the contract speaks of %zu parameters, the kernel has %zu",
                               c->n_args, n);
        return NULL;
    }
    binding b = binding_make(arena, ctx, c, scalars);
    concrete_launch *launch = TR_NEW(arena, concrete_launch);
    if (grid)
        memcpy(launch->grid, grid, sizeof launch->grid);
    if (!find_grid(&b, launch->grid)) {
        *why = "an extent of the grid has no value";
        return NULL;
    }
    launch->n_args = n;
    launch->args = TR_NEW_ARRAY(arena, interp_arg, n + 1);
    buffer_plan *plans = NULL;
    interp_buffer *buffers = NULL;
    tr_arena *scratch = tr_arena_new();
    bool is_made =
        plan_arguments(arena, kernel, &b, scalars, filling, launch->args, &plans, why) &&
        plan_fillings(arena, &b, filling, plans, why) &&
        make_buffers(arena, scratch, &b, kernel, launch->args, plans, filling, &buffers, why);
    tr_arena_free(scratch);
    for (size_t i = 0; c && i < n && is_made; i++)
        if (c->args[i].table)
            concrete_give_arrays(kernel, &c->args[i], &launch->args[i], &buffers);
    if (is_made) {
        launch->n_buffers = arrlenu(buffers);
        launch->buffers = tr_arena_alloc(arena, sizeof *buffers * (launch->n_buffers + 1));
        if (buffers)
            memcpy(launch->buffers, buffers, sizeof *buffers * launch->n_buffers);
    }
    arrfree(buffers);
    arrfree(plans);
    return is_made ? launch : NULL;
}

void concrete_launch_print(tr_text *out, const ir_function *kernel, const contract *c,
                           const concrete_launch *launch)
{
    tr_text_addf(out, "grid %lld x %lld x %lld", (long long)launch->grid[0],
                 (long long)launch->grid[1], (long long)launch->grid[2]);
    tr_arena *arena = tr_arena_new();
    for (size_t i = 0; i < launch->n_args; i++) {
        if (launch->args[i].buffer >= 0 && launch->args[i].value == 0)
            continue;
        int64_t value = launch->args[i].value;
        tr_text_addf(out, ", %s = ", concrete_parameter_name(arena, kernel, c, i));
        if (c && contract_number_of(&c->args[i], value) > INT64_MAX)
            tr_text_addf(out, "%llu", (unsigned long long)value);
        else
            tr_text_addf(out, "%lld%s", (long long)value,
                         launch->args[i].buffer >= 0 ? " bytes on" : "");
    }
    tr_arena_free(arena);
}

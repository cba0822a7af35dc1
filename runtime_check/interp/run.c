/* A run: made from a launch, block after block, and what can be asked of it. */
#include "interp/schedule_private.h"

#include <stdlib.h>

/* ---- Section: Blocks ---- */

void machine_block_body(interp_run *run, const interp_arg *args)
{
    const ir_block *body = run->kernel->body;
    for (uint32_t i = 0; i < body->n_args; i++) {
        const ir_type *type = body->args[i]->type;
        const interp_arg *arg = &args[i];
        cells *c = NULL;
        if (type->kind == IR_TILE && type->elem->kind == IR_POINTER && arg->buffer >= 0) {
            c = cells_splat(pointer_number(run, arg->buffer, arg->value));
            c->buffer = arg->buffer;
        } else if (type->kind == IR_TILE && (ir_type_is_int(type->elem) || arg->exact)) {
            c = cells_splat(mask_to((uint64_t)arg->value, ir_type_bits(type->elem)));
        }
        machine_set_cells(run, body->args[i], c);
    }
    run->n_loops = 0;
    run->depth = 0;
    machine_region(run, body);
}

void machine_forget_allocas(interp_run *run, uint32_t block)
{
    for (size_t i = run->n_launch_buffers; i < arrlenu(run->buffers); i++)
        if (run->buffers[i].private_to == block + 1) {
            memory_buffer *b = &run->buffers[i];
            for (ptrdiff_t p = 0; p < hmlen(b->pages); p++, run->pages--)
                free(b->pages[p].value);
            hmfree(b->pages);
            b->last_page = NULL;
        }
}

static void run_block(interp_run *run, const concrete_launch *launch)
{
    size_t buffers = arrlenu(run->buffers);
    for (uint32_t i = 0; i < run->kernel->n_values; i++)
        value_drop(&run->values[i]);
    machine_block_body(run, launch->args);
    if (arrlenu(run->buffers) > buffers)
        machine_forget_allocas(run, run->block);
}

static bool part_is_sound(interp_run *run, const ir_function *kernel, const int64_t grid[3],
                          size_t n_args, const interp_arg *args, size_t n_buffers)
{
    if (n_args != kernel->body->n_args) {
        machine_stop(run, INTERP_UNSUPPORTED, NULL,
                     "the kernel has %u parameters, the launch gives %zu", kernel->body->n_args,
                     n_args);
        return false;
    }
    for (size_t i = 0; i < n_args; i++)
        if (args[i].buffer >= (int64_t)n_buffers) {
            machine_stop(run, INTERP_UNSUPPORTED, NULL,
                         "argument %zu names a buffer that is not there", i);
            return false;
        }
    for (int axis = 0; axis < 3; axis++)
        if (grid[axis] < 1 || grid[axis] >= (int64_t)1 << 24) {
            machine_stop(run, INTERP_UB, NULL, "a grid axis has %lld blocks; 1 to 2^24 - 1 can be",
                         (long long)grid[axis]);
            return false;
        }
    return true;
}

static bool launch_is_sound(interp_run *run, const concrete_launch *launch)
{
    const interp_before *before = run->before;
    return part_is_sound(run, run->kernel, launch->grid, launch->n_args, launch->args,
                         launch->n_buffers) &&
           (!before || part_is_sound(run, before->kernel, before->grid, before->n_args,
                                     before->args, launch->n_buffers));
}

/* A run before its first step: buffers of the launch with their contents, and node 0 of the token
 * graph. The caller frees it with interp_run_free(). */
static interp_run *run_new(const ir_function *kernel, const concrete_launch *launch,
                           const model_choices *choices, const interp_limits *limits)
{
    interp_run *run = calloc(1, sizeof *run);
    if (!run)
        tr_no_memory();
    run->arena = tr_arena_new();
    run->lazy = TR_NEW(run->arena, lazy);
    run->kernel = kernel;
    run->module = kernel->module;
    run->lanes = 1;
    run->choices = choices ? *choices : model_default_choices();
    if (limits)
        run->limits = *limits;
    memcpy(run->grid, launch->grid, sizeof run->grid);
    run->values = calloc((size_t)kernel->n_values + 1, sizeof run->values[0]);
    if (!run->values)
        tr_no_memory();
    for (size_t i = 0; i < launch->n_buffers; i++) {
        const interp_buffer *b = &launch->buffers[i];
        run->has_places |= b->place != 0;
        int32_t number = memory_add(run, (memory_buffer){.name = b->name,
                                                         .bytes = b->bytes,
                                                         .unbounded = b->unbounded,
                                                         .opaque = b->opaque,
                                                         .data = b->data,
                                                         .data_bytes = b->data_bytes,
                                                         .known = b->known,
                                                         .place = b->place});
        for (size_t p = 0; p < b->n_pokes; p++)
            memory_write(run, number, b->pokes[p].address, b->pokes[p].width, b->pokes[p].value,
                         true);
    }
    run->n_launch_buffers = launch->n_buffers;
    tokens_node(run, 0, NULL); /* node 0: no order at all */
    if (kernel->unread)        /* an empty body would be a run without a race */
        machine_stop(run, INTERP_UNSUPPORTED, NULL, "%s", kernel->unread);
    return run;
}

static void run_settle(interp_run *run)
{
    for (uint32_t i = 0; i < run->kernel->n_values; i++)
        value_drop(&run->values[i]);
    free(run->values);
    run->values = NULL;
    arrfree(run->touched);
    arrfree(run->sync_edges);
    arrfree(run->written);
    sync_forget(run);
}

static void set_block(interp_run *run, uint32_t number, const int64_t id[3])
{
    run->block = number;
    memcpy(run->block_id, id, sizeof run->block_id);
}

void machine_delinearise(const int64_t grid[3], uint64_t linear, int64_t id[3])
{
    id[0] = (int64_t)(linear % (uint64_t)grid[0]);
    linear /= (uint64_t)grid[0];
    id[1] = (int64_t)(linear % (uint64_t)grid[1]);
    id[2] = (int64_t)(linear / (uint64_t)grid[1]);
}

/* The number of blocks of the grid; 0: the run has stopped. */
static uint64_t count_blocks(interp_run *run, const concrete_launch *launch)
{
    if (!launch_is_sound(run, launch))
        return 0;
    __extension__ unsigned __int128 all = (unsigned __int128)(uint64_t)launch->grid[0] *
                                          (uint64_t)launch->grid[1] * (uint64_t)launch->grid[2];
    if (all <= UINT32_MAX)
        return (uint64_t)all;
    machine_stop(run, INTERP_LIMIT, NULL, "the grid has more than 2^32 - 1 blocks");
    return 0;
}

static interp_run *one_by_one(const ir_function *kernel, const concrete_launch *launch,
                              const model_choices *choices, const interp_limits *limits,
                              uint64_t n_blocks, const uint32_t *blocks)
{
    interp_run *run = run_new(kernel, launch, choices, limits);
    uint64_t total = count_blocks(run, launch);
    if (n_blocks == UINT64_MAX)
        n_blocks = total;
    for (uint64_t i = 0; i < n_blocks && !machine_stopped(run); i++) {
        uint32_t number = blocks ? blocks[i] : (uint32_t)i;
        if (number >= total) {
            machine_stop(run, INTERP_UNSUPPORTED, NULL, "block %u is not in the grid", number);
            break;
        }
        int64_t id[3];
        machine_delinearise(run->grid, number, id);
        set_block(run, number, id);
        run_block(run, launch);
    }
    run_settle(run);
    return run;
}

/* A block that waits for one behind it: then they take turns. */
static interp_run *execute_list(const ir_function *kernel, const concrete_launch *launch,
                                const model_choices *choices, const interp_limits *limits,
                                uint64_t n_blocks, const uint32_t *blocks)
{
    interp_run *run = one_by_one(kernel, launch, choices, limits, n_blocks, blocks);
    if (run->status != INTERP_HANG)
        return run;
    interp_run_free(run);
    if (n_blocks == UINT64_MAX) /* all of them */
        n_blocks =
            (uint64_t)launch->grid[0] * (uint64_t)launch->grid[1] * (uint64_t)launch->grid[2];
    interp_schedule in_order = {.policy = INTERP_IN_ORDER};
    return interp_execute_scheduled(kernel, launch, choices, limits, (size_t)n_blocks, blocks,
                                    &in_order);
}

interp_run *interp_execute(const ir_function *kernel, const concrete_launch *launch,
                           const model_choices *choices, const interp_limits *limits,
                           const uint32_t *block_order)
{
    return execute_list(kernel, launch, choices, limits, UINT64_MAX, block_order);
}

interp_run *interp_execute_blocks(const ir_function *kernel, const concrete_launch *launch,
                                  const model_choices *choices, const interp_limits *limits,
                                  size_t n_blocks, const uint32_t *blocks)
{
    return execute_list(kernel, launch, choices, limits, n_blocks, blocks);
}

interp_run *interp_execute_at(const ir_function *kernel, const concrete_launch *launch,
                              const model_choices *choices, const interp_limits *limits,
                              size_t n_blocks, const int64_t (*ids)[3])
{
    interp_run *run = run_new(kernel, launch, choices, limits);
    launch_is_sound(run, launch);
    for (size_t i = 0; i < n_blocks && !machine_stopped(run); i++) {
        for (int axis = 0; axis < 3; axis++)
            if (ids[i][axis] < 0 || ids[i][axis] >= run->grid[axis])
                machine_stop(run, INTERP_UNSUPPORTED, NULL, "a block is not in the grid");
        int64_t(*slot)[3] = arraddnptr(run->coordinates, 1);
        memcpy(*slot, ids[i], sizeof *slot);
        set_block(run, (uint32_t)i, ids[i]);
        if (!machine_stopped(run))
            run_block(run, launch);
    }
    run_settle(run);
    return run;
}

interp_run *schedule_execute(const ir_function *kernel, const concrete_launch *launch,
                             const model_choices *choices, const interp_limits *limits,
                             size_t n_blocks, const uint32_t *blocks, scheduler *s)
{
    interp_run *run = run_new(kernel, launch, choices, limits);
    run->before = launch->before;
    if (run->before && run->before->kernel->unread)
        machine_stop(run, INTERP_UNSUPPORTED, NULL, "%s", run->before->kernel->unread);
    run->narrow = run->narrow_known = run->before != NULL; /* which kernel asks does not matter */
    uint64_t own = count_blocks(run, launch), total = own + schedule_blocks_before(launch);
    s->blocks = blocks;
    s->n_own = (size_t)own;
    s->n_blocks = blocks ? n_blocks : (size_t)total;
    if (total > UINT32_MAX)
        machine_stop(run, INTERP_LIMIT, NULL, "the grids have more than 2^32 - 1 blocks");
    for (size_t i = 0; blocks && i < n_blocks && !machine_stopped(run); i++)
        if (blocks[i] >= total)
            machine_stop(run, INTERP_UNSUPPORTED, NULL, "block %u is not in the grid", blocks[i]);
    schedule_run(run, launch, s);
    run_settle(run);
    return run;
}

interp_run *interp_execute_hooked(const ir_function *kernel, const concrete_launch *launch,
                                  const model_choices *choices, const interp_limits *limits,
                                  uint32_t block, const interp_hooks *hooks)
{
    interp_run *run = run_new(kernel, launch, choices, limits);
    run->hooks = hooks;
    if (launch_is_sound(run, launch)) {
        int64_t id[3];
        machine_delinearise(run->grid, block, id);
        set_block(run, block, id);
        run_block(run, launch);
    }
    run->hooks = NULL; /* questions about the run ask memory */
    run_settle(run);
    return run;
}

void interp_stop(interp_run *run, interp_status status, const ir_op *op, const char *why)
{
    machine_stop(run, status, op, "%s", why);
}

bool interp_has_stopped(const interp_run *run)
{
    return machine_stopped(run);
}

size_t interp_iterations_now(const interp_run *run, const int64_t **iterations)
{
    *iterations = run->iterations;
    return run->n_loops < INTERP_MAX_LOOPS ? run->n_loops : INTERP_MAX_LOOPS;
}

int interp_global_of(const interp_run *run, int buffer)
{
    for (ptrdiff_t i = 0; i < arrlen(run->globals); i++)
        if (run->globals[i] == buffer)
            return (int)i;
    return -1;
}

void interp_run_free(interp_run *run)
{
    if (!run)
        return;
    for (ptrdiff_t i = 0; i < arrlen(run->buffers); i++) {
        for (ptrdiff_t p = 0; p < hmlen(run->buffers[i].pages); p++)
            free(run->buffers[i].pages[p].value);
        hmfree(run->buffers[i].pages);
    }
    arrfree(run->buffers);
    arrfree(run->globals);
    arrfree(run->coordinates);
    arrfree(run->spans);
    arrfree(run->instances);
    arrfree(run->pool);
    arrfree(run->node_end);
    arrfree(run->edges);
    arrfree(run->waits);
    arrfree(run->ubs);
    arrfree(run->undefined);
    arrfree(run->unknown);
    tr_text_free(&run->printed);
    arrfree(run->prints);
    arrfree(run->steps_taken);
    arrfree(run->lazy->events);
    hmfree(run->lazy->cache);
    arrfree(run->lazy->stamps);
    arrfree(run->lazy->stack);
    arrfree(run->lazy->above[0]);
    arrfree(run->lazy->above[1]);
    tr_arena_free(run->arena);
    free(run);
}

/* ---- Section: Asking ---- */

interp_status interp_run_status(const interp_run *run)
{
    return run->status;
}

const char *interp_run_why(const interp_run *run)
{
    return run->why;
}

const ir_op *interp_run_where(const interp_run *run)
{
    return run->where;
}

uint64_t interp_work(const interp_run *run)
{
    return run->steps;
}

size_t interp_steps(const interp_run *run, const interp_step **steps)
{
    *steps = run->steps_taken;
    return arrlenu(run->steps_taken);
}

bool interp_ub_is_of_index(interp_ub_kind kind)
{
    return kind == INTERP_UB_INDEX_SPACE || kind == INTERP_UB_CLAIM;
}

size_t interp_ubs(const interp_run *run, const interp_ub **ubs)
{
    *ubs = run->ubs;
    return arrlenu(run->ubs);
}

void interp_block_of(const interp_run *run, uint32_t block, int64_t id[3])
{
    uint64_t own = (uint64_t)run->grid[0] * (uint64_t)run->grid[1] * (uint64_t)run->grid[2];
    if (run->coordinates && block < arrlenu(run->coordinates))
        memcpy(id, run->coordinates[block], sizeof(int64_t[3]));
    else if (run->before && block >= own)
        machine_delinearise(run->before->grid, block - own, id);
    else
        machine_delinearise(run->grid, block, id);
}

/* Takes the steps of a scheduled run. Each block runs on a stack of its own up to where it needs
 * the value of an op that has not taken effect; then an op is chosen among all that could. */
#include "interp/schedule_private.h"

#include <stdlib.h>

enum { DEFAULT_WINDOW = 16, DEFAULT_RESIDENTS = 64, MAX_WATCHED = 4096 };

const issued *schedule_candidate(const candidate *c)
{
    return &c->task->ops[c->number];
}

/* ---- Section: Whose turn it is ---- */

/* The block that begins as the i-th. */
uint32_t schedule_block_at(const scheduler *s, size_t i)
{
    if (s->blocks)
        return s->blocks[i];
    size_t before = s->n_blocks - s->n_own;
    return (uint32_t)(i < before ? s->n_own + i : i - before);
}

uint64_t schedule_blocks_before(const concrete_launch *launch)
{
    const interp_before *b = launch->before;
    return b ? (uint64_t)b->grid[0] * (uint64_t)b->grid[1] * (uint64_t)b->grid[2] : 0;
}

static void enter_task(interp_run *run, task *t)
{
    run->task = t;
    run->block = t->block;
    memcpy(run->block_id, t->block_id, sizeof run->block_id);
    run->kernel = t->kernel;
    memcpy(run->grid, t->before ? t->before->grid : t->scheduler->launch->grid, sizeof run->grid);
    run->values = t->values;
    run->n_loops = t->n_loops;
    run->depth = t->depth;
    run->lanes = t->lanes;
    memcpy(run->iterations, t->iterations, sizeof run->iterations);
}

static void leave_task(interp_run *run, task *t)
{
    run->task = NULL;
    run->values = NULL;
    t->n_loops = run->n_loops;
    t->depth = run->depth;
    t->lanes = run->lanes;
    memcpy(t->iterations, run->iterations, sizeof run->iterations);
}

static void resume(task *t)
{
    interp_run *run = t->scheduler->run;
    enter_task(run, t);
    fiber_resume(t->fiber);
    leave_task(run, t);
}

static void wait_for(interp_run *run, waiting what, uint32_t wanted)
{
    task *t = run->task;
    t->waiting = what;
    t->wanted = wanted;
    fiber_pause(t->fiber);
    t->waiting = FOR_NOTHING;
}

static uint32_t first_open(task *t)
{
    while (t->first_open < arrlenu(t->ops) && t->ops[t->first_open].performed)
        t->first_open++;
    return t->first_open;
}

static bool all_performed(task *t, uint32_t from)
{
    for (uint32_t i = from > first_open(t) ? from : t->first_open; i < arrlenu(t->ops); i++)
        if (!t->ops[i].performed)
            return false;
    return true;
}

static bool any_changed(const task *t, uint32_t from)
{
    for (size_t i = from; i < arrlenu(t->reads); i++)
        if (t->reads[i].changed)
            return true;
    return false;
}

static bool can_go_on(task *t)
{
    if (!t->fiber || fiber_done(t->fiber))
        return false;
    switch (t->waiting) {
    case FOR_NOTHING:
        return true;
    case FOR_OP:
        return t->ops[t->wanted].performed;
    case FOR_ROOM:
        return arrlenu(t->ops) - first_open(t) < t->scheduler->window;
    case FOR_ALL:
        return all_performed(t, t->wanted);
    case FOR_CHANGE:
        return t->unwatched || any_changed(t, t->wanted);
    }
    return false;
}

/* ---- Section: Issuing ---- */

static void add_cause(task *t, uint32_t step)
{
    size_t word = step / 64;
    while (arrlenu(t->is_cause) <= word)
        arrput(t->is_cause, 0);
    uint64_t bit = (uint64_t)1 << step % 64;
    if (t->is_cause[word] & bit)
        return;
    t->is_cause[word] |= bit;
    arrput(t->causes, step);
}

void schedule_need(interp_run *run, const ir_op *op)
{
    task *t = run->task;
    for (uint32_t i = 0; i < op->n_operands; i++) {
        uint32_t *slot = &t->pending[op->operands[i]->id];
        if (!*slot)
            continue;
        uint32_t number = *slot - 1;
        if (!t->ops[number].performed)
            wait_for(run, FOR_OP, number);
        if (!t->ops[number].performed)
            return; /* the run has stopped */
        add_cause(t, t->ops[number].step);
        *slot = 0;
    }
}

static void hold(issued *o, size_t i, const interp_run *run, const ir_value *v)
{
    o->held[i] = v ? run->values[v->id].cells : NULL;
    cells_keep(o->held[i]);
}

void schedule_issue(interp_run *run, const access *a, uint32_t token_in, const ir_value *result,
                    const ir_value *token_out)
{
    task *t = run->task;
    issued made = {.access = *a,
                   .token_in = token_in,
                   .n_loops = run->n_loops,
                   .n_causes = (uint32_t)arrlen(t->causes)};
    memcpy(made.iterations, run->iterations, sizeof made.iterations);
    hold(&made, 0, run, access_operand(a, a->row->value));
    hold(&made, 1, run, access_operand(a, a->row->compare));
    hold(&made, 2, run, access_operand(a, a->row->padding));
    for (ptrdiff_t i = 0; i < arrlen(run->touched); i++)
        arrput(made.touched, run->touched[i]);
    made.promise = schedule_promise(t, NULL);
    arrput(t->ops, made);
    if (result)
        t->pending[result->id] = (uint32_t)arrlen(t->ops);
    if (token_out)
        machine_set_token(run, token_out, made.promise);
    if (arrlenu(t->ops) - first_open(t) >= t->scheduler->window)
        wait_for(run, FOR_ROOM, 0);
}

schedule_mark schedule_iteration(const interp_run *run)
{
    task *t = run->task;
    if (t->open_loops == 1)
        arrsetlen(t->reads, 0);
    return (schedule_mark){.first_op = (uint32_t)arrlen(t->ops),
                           .first_read = (uint32_t)arrlen(t->reads),
                           .writes = t->writes};
}

bool schedule_spin(interp_run *run, const ir_op *loop, schedule_mark start)
{
    task *t = run->task;
    t->spins = loop;
    if (!all_performed(t, start.first_op))
        wait_for(run, FOR_ALL, start.first_op);
    if (machine_stopped(run) || t->writes != start.writes || t->unwatched)
        return !machine_stopped(run);
    if (!any_changed(t, start.first_read))
        wait_for(run, FOR_CHANGE, start.first_read);
    for (size_t i = start.first_read; i < arrlenu(t->reads); i++)
        if (t->reads[i].changed)
            add_cause(t, t->reads[i].step);
    return !machine_stopped(run);
}

/* ---- Section: Taking effect ---- */

static bool meet(int32_t buffer, int64_t address, int64_t bytes, const span *s)
{
    return buffer == s->buffer && address < s->address + (int64_t)s->count * s->width &&
           s->address < address + bytes;
}

/* One behind the other, in one buffer: as the rows of most tiles. */
static bool is_ascending(const span *s)
{
    for (ptrdiff_t i = 1; i < arrlen(s); i++)
        if (s[i].buffer != s[0].buffer ||
            s[i].address < s[i - 1].address + (int64_t)s[i - 1].count * s[i - 1].width)
            return false;
    return true;
}

bool schedule_overlap(const span *a, const span *b)
{
    if (arrlen(a) > 1 && arrlen(b) > 1 && is_ascending(a) && is_ascending(b)) {
        for (ptrdiff_t i = 0, j = 0; i < arrlen(a) && j < arrlen(b);) {
            if (meet(a[i].buffer, a[i].address, (int64_t)a[i].count * a[i].width, &b[j]))
                return true;
            if (a[i].buffer != b[j].buffer)
                return false;
            if (a[i].address < b[j].address)
                i++;
            else
                j++;
        }
        return false;
    }
    for (ptrdiff_t i = 0; i < arrlen(a); i++)
        for (ptrdiff_t j = 0; j < arrlen(b); j++)
            if (meet(a[i].buffer, a[i].address, (int64_t)a[i].count * a[i].width, &b[j]))
                return true;
    return false;
}

static int by_address(const void *a, const void *b)
{
    const span *x = a, *y = b;
    if (x->buffer != y->buffer)
        return x->buffer < y->buffer ? -1 : 1;
    return x->address < y->address ? -1 : x->address > y->address;
}

bool schedule_overlaps_itself(const span *touched)
{
    size_t n = arrlenu(touched);
    span *sorted = NULL;
    for (size_t i = 0; i < n; i++)
        arrput(sorted, touched[i]);
    if (n > 1)
        qsort(sorted, n, sizeof *sorted, by_address);
    bool overlaps = false;
    int64_t end = INT64_MIN;
    for (size_t i = 0; i < n && !overlaps; i++) {
        int64_t last = sorted[i].address + (int64_t)sorted[i].count * sorted[i].width;
        if (i && sorted[i].buffer != sorted[i - 1].buffer)
            end = INT64_MIN;
        overlaps = sorted[i].address < end;
        end = last > end ? last : end;
    }
    arrfree(sorted);
    return overlaps;
}

bool schedule_conflict(const span *a, model_access access_a, const span *b, model_access access_b)
{
    return model_conflict(access_a, access_b) && schedule_overlap(a, b);
}

static void tell_who_read(scheduler *s, const span *written, uint32_t step)
{
    for (ptrdiff_t k = 0; k < arrlen(s->live); k++) {
        task *t = s->live[k];
        for (ptrdiff_t i = 0; i < arrlen(t->reads); i++) {
            watched *r = &t->reads[i];
            for (ptrdiff_t j = 0; j < arrlen(written) && !r->changed; j++)
                if (meet(r->buffer, r->address, r->bytes, &written[j])) {
                    r->changed = true;
                    r->step = step;
                }
        }
    }
}

/* `changed`: since what was read was there. */
static void watch(task *t, const span *read, bool changed, uint32_t step)
{
    for (ptrdiff_t i = 0; i < arrlen(read) && !t->unwatched; i++) {
        watched w = {.address = read[i].address,
                     .bytes = (int64_t)read[i].count * read[i].width,
                     .buffer = read[i].buffer,
                     .changed = changed,
                     .step = step};
        arrput(t->reads, w);
        t->unwatched = arrlen(t->reads) > MAX_WATCHED;
    }
}

static void release(issued *o)
{
    for (size_t i = 0; i < TR_COUNT(o->held); i++) {
        cells_drop(o->held[i]);
        o->held[i] = NULL;
    }
}

/* Commits an issued op with the elements that it touched when it was issued. Returns its node;
 * *data: what it has loaded; *stale: as of past_commit(). */
static uint32_t commit_issued(scheduler *s, const issued *o, const promise *p, uint32_t token,
                              uint32_t *stale, cells **data)
{
    interp_run *run = s->run;
    run->n_loops = o->n_loops;
    memcpy(run->iterations, o->iterations, sizeof run->iterations);
    arrsetlen(run->touched, 0);
    for (ptrdiff_t i = 0; i < arrlen(o->touched); i++)
        arrput(run->touched, o->touched[i]);
    run->reserved_node = p->kept ? p->node : 0;
    run->backwards = s->backwards;
    uint32_t node = past_commit(s, o, token, stale, data);
    run->reserved_node = 0;
    run->backwards = false;
    return node;
}

/* Gives the result of an op its data, unless the op was issued again before anybody read it. */
static void set_result(interp_run *run, const task *t, candidate c, tr_take cells *data)
{
    const access *a = &t->ops[c.number].access;
    const ir_value *result =
        a->row->result == NONE ? NULL : ir_result(a->op, (unsigned)a->row->result);
    if (!result || t->pending[result->id] != c.number + 1) {
        cells_drop(data);
        return;
    }
    machine_set_cells(run, result, data);
    machine_value(run, result)->source = run->loaded_source;
}

/* Performs an op that its block has issued: it takes effect in memory as a step of the run. The
 * state of the block, which is executing something later, is the same afterwards. */
static void perform(scheduler *s, candidate c)
{
    interp_run *run = s->run;
    task *t = c.task;
    issued *o = &t->ops[c.number];
    uint32_t step = (uint32_t)arrlen(s->steps), n_loops = t->n_loops, stale = s->stale;
    int64_t iterations[INTERP_MAX_LOOPS];
    memcpy(iterations, t->iterations, sizeof iterations);
    uint32_t token = schedule_node_of(run, t, o->token_in);
    promise *p = schedule_promise_of(t, o->promise);
    uint64_t version = run->version;
    size_t instances = arrlenu(run->instances);
    cells *data;
    enter_task(run, t);
    run->task = NULL; /* from here on no op is issued */
    uint32_t node = commit_issued(s, o, p, token, &stale, &data);
    set_result(run, t, c, data);
    leave_task(run, t);
    t->n_loops = n_loops;
    memcpy(t->iterations, iterations, sizeof iterations);
    release(o);
    o->performed = true;
    o->step = step;
    p->node = node;
    p->kept = true;
    if (t->before)
        arrput(s->before_nodes, node);
    interp_step taken = {t->block, c.number, (uint32_t)instances, stale, s->backwards};
    arrput(s->steps, taken);
    if (run->version != version) {
        t->writes++;
        tell_who_read(s, o->touched, step);
    }
    model_access does;
    if (t->open_loops && model_access_of(o->access.op, &does) && does & MODEL_READ)
        watch(t, o->touched, stale > 0, step);
}

/* ---- Section: The run ---- */

static void body_of_task(void *user)
{
    task *t = user;
    machine_block_body(t->scheduler->run, t->before ? t->before->args : t->scheduler->launch->args);
}

static void begin_block(scheduler *s)
{
    task *t = calloc(1, sizeof *t);
    if (!t)
        tr_no_memory();
    t->scheduler = s;
    t->block = schedule_block_at(s, s->next_block++);
    t->before = t->block >= s->n_own ? s->launch->before : NULL;
    t->kernel = t->before ? t->before->kernel : s->kernel;
    if (t->before)
        machine_delinearise(t->before->grid, t->block - s->n_own, t->block_id);
    else
        machine_delinearise(s->launch->grid, t->block, t->block_id);
    t->lanes = 1;
    t->values = calloc((size_t)t->kernel->n_values + 1, sizeof t->values[0]);
    t->pending = calloc((size_t)t->kernel->n_values + 1, sizeof t->pending[0]);
    if (!t->values || !t->pending)
        tr_no_memory();
    t->fiber = fiber_new(body_of_task, t);
    arrput(s->tasks, t);
    arrput(s->live, t);
}

static void free_values(task *t)
{
    for (uint32_t i = 0; t->values && i < t->kernel->n_values; i++)
        value_drop(&t->values[i]);
    free(t->values);
    free(t->pending);
    t->values = NULL;
    t->pending = NULL;
}

bool task_is_over(task *t)
{
    return !t->fiber || (fiber_done(t->fiber) && all_performed(t, 0));
}

static void end_block(scheduler *s, task *t)
{
    machine_forget_allocas(s->run, t->block);
    free_values(t);
    fiber_free(t->fiber);
    t->fiber = NULL;
    arrfree(t->reads);
}

/* Every block as far as it comes; begins others where there is room. */
static void run_blocks(scheduler *s)
{
    for (size_t at = 0;;) {
        size_t parked = 0, kept = 0;
        for (size_t i = 0; i < arrlenu(s->live); i++) {
            task *t = s->live[i];
            while (i >= at && can_go_on(t) && !machine_stopped(s->run))
                resume(t);
            if (machine_stopped(s->run))
                return;
            if (task_is_over(t)) {
                end_block(s, t);
                continue;
            }
            s->live[kept++] = t;
            parked += t->waiting == FOR_CHANGE && !fiber_done(t->fiber);
        }
        arrsetlen(s->live, kept);
        /* Blocks that wait for another block take nobody's place: all are scheduled in the end
         * (D24). */
        size_t room = s->residents > kept - parked ? s->residents - (kept - parked) : 0;
        if (!room || s->next_block >= s->n_blocks)
            return;
        at = kept;
        for (; room && s->next_block < s->n_blocks; room--)
            begin_block(s);
    }
}

static void find_candidates(scheduler *s)
{
    arrsetlen(s->candidates, 0);
    for (ptrdiff_t i = 0; i < arrlen(s->live); i++) {
        task *t = s->live[i];
        for (uint32_t k = first_open(t); k < arrlenu(t->ops); k++) {
            candidate c = {t, k};
            s->looked_at++;
            if (schedule_is_ready(s, t, k))
                arrput(s->candidates, c);
        }
        s->window_met |= t->waiting == FOR_ROOM && !fiber_done(t->fiber);
    }
}

/* The cost of choosing counts as steps of the run: with many blocks it is the most of it. */
static void charge(scheduler *s)
{
    enum { LOOKS_A_STEP = 8 };
    if (s->looked_at < LOOKS_A_STEP)
        return;
    machine_step(s->run, NULL, s->looked_at / LOOKS_A_STEP - 1);
    s->looked_at %= LOOKS_A_STEP;
}

static void hang(scheduler *s)
{
    const ir_op *where = NULL;
    for (ptrdiff_t i = arrlen(s->live); i-- > 0;)
        if (s->live[i]->waiting == FOR_CHANGE)
            where = s->live[i]->spins;
    machine_stop(s->run, INTERP_HANG, where,
                 "every block that has not ended waits for memory that no block will change");
}

static void clean_up(scheduler *s)
{
    for (ptrdiff_t i = 0; i < arrlen(s->tasks); i++) {
        task *t = s->tasks[i];
        while (t->fiber && !fiber_done(t->fiber)) /* the run has stopped: it only unwinds */
            resume(t);
        fiber_free(t->fiber);
        free_values(t);
        for (ptrdiff_t k = 0; k < arrlen(t->ops); k++) {
            release(&t->ops[k]);
            arrfree(t->ops[k].touched);
        }
        for (ptrdiff_t k = 0; k < arrlen(t->promises); k++)
            arrfree(t->promises[k].earlier);
        arrfree(t->ops);
        arrfree(t->promises);
        arrfree(t->causes);
        arrfree(t->is_cause);
        arrfree(t->reads);
        free(t);
    }
    arrfree(s->tasks);
    arrfree(s->live);
    arrfree(s->candidates);
    arrfree(s->before_nodes);
}

void schedule_run(interp_run *run, const concrete_launch *launch, scheduler *s)
{
    s->run = run;
    s->launch = launch;
    s->kernel = run->kernel;
    s->window = s->window ? s->window : DEFAULT_WINDOW;
    s->residents = s->residents ? s->residents : DEFAULT_RESIDENTS;
    ssa *own = run->values;
    while (!machine_stopped(run)) {
        run_blocks(s);
        if (machine_stopped(run) || !arrlen(s->live))
            break;
        find_candidates(s);
        size_t n = arrlenu(s->candidates);
        if (!n) {
            hang(s);
            break;
        }
        charge(s);
        s->stale = 0;
        s->backwards = false;
        size_t which = s->choose(s->user, s, s->candidates, n);
        if (which >= n) {
            machine_stop(run, INTERP_LIMIT, NULL, "the schedule was given up");
            break;
        }
        perform(s, s->candidates[which]);
    }
    clean_up(s);
    past_free(s);
    run->kernel = s->kernel;
    memcpy(run->grid, launch->grid, sizeof run->grid);
    run->values = own;
    run->steps_taken = s->steps;
    s->steps = NULL;
}

#include "exec/touched.h"

#include <stdlib.h>

#include "base/ds.h"
#include "interp/interp.h"

enum {
    MOST_STEPS = 16 << 20, /* of a run */
    MOST_ROWS = 1 << 20,
    MOST_RANGES = 64, /* that are told one by one */
};

/* ---- Section: What the kernel is like ---- */

/* Does it take addresses from anywhere but its parameters? */
static bool has_other_addresses(const ir_function *function)
{
    for (uint32_t i = 0; i < function->body->n_args; i++) {
        const ir_type *type = function->body->args[i]->type;
        const ir_type *elem = type->kind == IR_TILE ? type->elem : type;
        if (elem->kind == IR_POINTER && (!elem->elem || elem->elem->kind == IR_POINTER))
            return true;
    }
    for (const ir_op *op = ir_first_op(function); op; op = ir_next_op(op))
        if (op->code == IR_OP_INT_TO_PTR || ir_op_info_of(op->code)->effects & IR_UNKNOWN_EFFECT)
            return true;
    return false;
}

/* ---- Section: The bound ---- */

static const char *words_of(tr_arena *arena, const touching *t)
{
    const seen_launch *l = t->launch;
    const char *name = t->kernel ? t->kernel->name : l->symbol;
    const char *where = l->file ? tr_arena_printf(arena, " at %s:%u", l->file, l->line) : "";
    return tr_arena_printf(arena,
                           t->function ? "the launch of '%s'%s"
                                       : "the launch of '%s'%s, of which nothing is known,",
                           name, where);
}

static void add(const touching *t, uint64_t from, uint64_t to, bool writes, bool is_bound,
                const char *by, seen_touched **list)
{
    seen_touched touched = {.from = from,
                            .to = to,
                            .writes = writes,
                            .by = by,
                            .is_bound = is_bound || t->is_unclear,
                            .is_unwaited = t->is_unwaited};
    if (from < to)
        arrput(*list, touched);
}

static void add_anything(const touching *t, const char *by, seen_touched **list)
{
    add(t, 0, UINT64_MAX, true, true, by, list);
    add(t, 0, UINT64_MAX, false, true, by, list);
}

/* The array that a pointer is passed for, or the allocation that it points into. */
static void add_argument(const touching *t, size_t i, const char *by, seen_touched **list)
{
    const seen_argument *a = &t->launch->arguments[i];
    bool is_array = t->names && t->names->parameters[i].part == NAMES_POINTER;
    uint64_t from = seen_address(a), to = UINT64_MAX, bytes;
    if (from == 0)
        return;
    if (!is_array && a->allocation) {
        from = a->allocation;
        to = a->allocation_bytes < UINT64_MAX - from ? from + a->allocation_bytes : UINT64_MAX;
    } else if (seen_bytes(t->launch, t->kernel, t->names, i, &bytes) && bytes < UINT64_MAX - from) {
        to = from + bytes;
    } else {
        from = 0;
    }
    add(t, from, to, false, true, by, list);
    if (!t->only_read || !t->only_read[i])
        add(t, from, to, true, true, by, list);
}

static void add_bound(const touching *t, const char *by, seen_touched **list)
{
    if (has_other_addresses(t->function)) {
        add_anything(t, by, list);
        return;
    }
    for (size_t i = 0; i < t->kernel->n_parameters; i++)
        if (t->kernel->parameters[i]->kind == TILERACE_POINTER)
            add_argument(t, i, by, list);
}

/* ---- Section: A run ---- */

/* Each pointer gets memory of its own, of which nothing is known: what the kernel touches is then
 * what it touches whatever is there, or the run ends undecided. */
static void make_argument(const touching *t, size_t i, interp_arg *arg, interp_buffer *buffer)
{
    const tilerace_parameter *p = t->kernel->parameters[i];
    const seen_argument *a = &t->launch->arguments[i];
    uint64_t bytes;
    *buffer = (interp_buffer){.name = p->name, .opaque = true};
    if (p->kind == TILERACE_INTEGER) {
        *arg = (interp_arg){.value = seen_integer(a, p->bits), .buffer = -1};
        return;
    }
    if (p->kind != TILERACE_POINTER) {
        *arg = (interp_arg){.buffer = -1};
        return;
    }
    *arg = (interp_arg){.buffer = (int)i};
    buffer->unbounded =
        !seen_bytes(t->launch, t->kernel, t->names, i, &bytes) || bytes > (uint64_t)INT64_MAX;
    buffer->bytes = buffer->unbounded ? 0 : (int64_t)bytes;
}

static interp_run *run(tr_arena *arena, const touching *t)
{
    size_t n = t->kernel->n_parameters;
    concrete_launch launch = {.n_args = n, .n_buffers = n};
    launch.args = TR_NEW_ARRAY(arena, interp_arg, n + 1);
    launch.buffers = TR_NEW_ARRAY(arena, interp_buffer, n + 1);
    for (size_t i = 0; i < n; i++)
        make_argument(t, i, &launch.args[i], &launch.buffers[i]);
    for (int axis = 0; axis < 3; axis++)
        launch.grid[axis] = (int64_t)t->launch->grid[axis];
    const interp_limits limits = {.steps = MOST_STEPS, .events = MOST_ROWS};
    return interp_execute(t->function, &launch, NULL, &limits, NULL);
}

static int by_address(const void *a, const void *b)
{
    const seen_touched *x = a, *y = b;
    return x->from < y->from ? -1 : x->from > y->from;
}

/* Joins ranges that follow each other; false: there are too many. */
static bool join(seen_touched **ranges)
{
    size_t n = 0;
    if (arrlenu(*ranges) > 0)
        qsort(*ranges, arrlenu(*ranges), sizeof **ranges, by_address);
    for (size_t i = 0; i < arrlenu(*ranges); i++) {
        seen_touched next = (*ranges)[i], *last = n ? &(*ranges)[n - 1] : NULL;
        if (!last || next.from > last->to)
            (*ranges)[n++] = next;
        else if (next.to > last->to)
            last->to = next.to;
    }
    bool all = n <= MOST_RANGES;
    arrsetlen(*ranges, all ? n : MOST_RANGES);
    return all;
}

/* Adds what the run writes, or reads. False: that is not all of it. */
static bool add_rows(const touching *t, const interp_run *of, bool writes, const char *by,
                     seen_touched **list)
{
    const unsigned effects = IR_ATOMIC | (unsigned)(writes ? IR_WRITES : IR_READS);
    seen_touched *ranges = NULL;
    bool all = true;
    for (size_t i = 0; i < interp_rows(of); i++) {
        interp_row row = interp_row_at(of, i);
        if (!(ir_op_info_of(row.op->code)->effects & effects))
            continue;
        bool is_known = row.buffer >= 0 && (size_t)row.buffer < t->kernel->n_parameters;
        all &= is_known && row.address >= 0;
        if (!is_known || row.address < 0)
            continue;
        uint64_t from = seen_address(&t->launch->arguments[row.buffer]) + (uint64_t)row.address;
        add(t, from, from + (uint64_t)row.bytes, writes, false, by, &ranges);
    }
    all &= join(&ranges);
    for (size_t i = 0; i < arrlenu(ranges); i++)
        arrput(*list, ranges[i]);
    arrfree(ranges);
    return all;
}

void touched_add(tr_arena *arena, const touching *t, bool exactly, seen_touched **list)
{
    const char *by = words_of(arena, t);
    const uint64_t *grid = t->launch->grid;
    if (!t->function) {
        add_anything(t, by, list);
        return;
    }
    if (grid[0] == 0 || grid[1] == 0 || grid[2] == 0)
        return;
    bool all = false;
    if (exactly && grid[0] <= INT32_MAX && grid[1] <= INT32_MAX && grid[2] <= INT32_MAX) {
        interp_run *of = run(arena, t);
        all = interp_run_status(of) == INTERP_DONE;
        all &= add_rows(t, of, true, by, list);
        all &= add_rows(t, of, false, by, list);
        interp_run_free(of);
    }
    if (!all)
        add_bound(t, by, list);
}

/* Describes what an access takes from tables: which array of a list it touched, in a launch whose
 * contract states the list, and which element of an index table led it there. */
#include "witness/tables.h"

#include "interp/launch.h"
#include "launch/from_contract.h"
#include "question/checker.h"

#include "base/ds.h"

#include <string.h>

/* The last row of the table that the tile block read before the event; -1: none. */
static int64_t row_before(const interp_run *run, const concrete_launch *launch,
                          const interp_event *event, size_t arg, int64_t row_bytes)
{
    const interp_event *events, *found = NULL;
    size_t n = interp_events(run, &events);
    for (const interp_event *e = events; e < events + n; e++)
        if (e->block == event->block && e->buffer == launch->args[arg].buffer &&
            e->instance < event->instance && !e->out_of_buffer &&
            (!found || e->instance > found->instance))
            found = e;
    return found ? (found->address - launch->args[arg].value) / row_bytes : -1;
}

void witness_array(checker *k, const concrete_launch *launch, const interp_run *run,
                   const interp_event *event, const char **name, int64_t *start)
{
    enum { WORD = 8 };
    const char *buffer = interp_buffer_name(run, event->buffer);
    for (size_t i = k->contract->n_args; buffer && i-- > 0;) {
        const contract_table *table = k->contract->args[i].table;
        if (!table || event->buffer == launch->args[i].buffer)
            continue;
        int64_t row_bytes = (1 + 2 * (int64_t)table->rank) * WORD;
        int64_t row = row_before(run, launch, event, i, row_bytes);
        if (row < 0 || row >= (int64_t)table->n || !table->entries[row].buffer ||
            strcmp(table->entries[row].buffer, buffer) != 0)
            continue;
        *name = tr_arena_printf(k->arena, "%s[%lld]", k->contract->args[i].name, (long long)row);
        *start = table->entries[row].byte_offset;
        return;
    }
}

typedef struct place_in_kernel { /* of an event */
    concrete_launch_values launch;
    const summary *s;
    const ix_access *access;
    const witness_event *event;
} place_in_kernel;

/* Returns the value that the block, the iteration and the element of the event have. */
static bool value_there(void *user, smt_t variable, size_t n_args, const smt_int *args,
                        smt_int *value)
{
    const place_in_kernel *p = user;
    const ix_access *a = p->access;
    for (int axis = 0; axis < 3; axis++)
        if (p->s->block_id[axis] == variable) {
            *value = p->event->block[axis];
            return true;
        }
    for (size_t i = 0; i < a->n_loops && a->n_loops == p->event->n_iterations; i++)
        if (a->loops[i]->counter == variable) {
            *value = p->event->iterations[i];
            return true;
        }
    for (int d = 0; d < a->rank; d++)
        if (ix_coordinate(p->launch.ctx, d, a->tile[d]) == variable) {
            *value = p->event->in_tile[d];
            return true;
        }
    return concrete_launch_lookup((void *)&p->launch, variable, n_args, args, value);
}

bool witness_looked_up(checker *k, const concrete_launch *launch, const ix_access *a,
                       const witness_event *event, smt_t app, int64_t *element)
{
    place_in_kernel place = {{k->ctx, k->contract, launch}, k->s, a, event};
    smt_int index;
    if (app->n_args != 1 || !smt_eval(app->args[0], value_there, &place, &index) || index < 0 ||
        index > INT32_MAX)
        return false;
    *element = (int64_t)index;
    return true;
}

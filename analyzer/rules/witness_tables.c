/* What an access by an address out of a table touched, in a launch whose contract states the table:
 * which array of the list. */
#include "rules/checker.h"

#include "base/ds.h"
#include "interp/interp.h"

#include <string.h>

/* The last row of the table that the tile block read before the event; -1: none. */
static int64_t row_before(const interp_run *run, const interp_launch *launch,
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

void witness_array(checker *k, const interp_launch *launch, const interp_run *run,
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

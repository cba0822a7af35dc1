/* The entries of a Tile IR module: what a driver has to know to launch them. */
#ifndef LAUNCHES_ENTRIES_H
#define LAUNCHES_ENTRIES_H

#include "ir/ir.h"
#include "wire/wire.h"

typedef struct module_entry {
    const char *symbol;
    size_t n_parameters;
    const struct entry_parameter {
        wire_parameter kind;
        unsigned bytes; /* that a launch passes */
    } *parameters;
    wire_waits waits;
} module_entry;

typedef struct module_entries {
    size_t n;
    const module_entry *items;
} module_entries;

/* How a kernel waits for the launch before its own (waits.c). */
wire_waits entry_waits(const ir_function *f);

/* The result lies in the arena. */
const module_entries *entries_of(tr_arena *arena, const ir_module *module);
/* The result lies in the arena. NULL, with *why (a sentence), where the bytes are no module. */
const module_entries *entries_read(tr_arena *arena, const void *bytes, size_t size,
                                   const char **why);

/* A hash of the module without its optimisation hints, which no verdict depends on. False: it has
 * none, since it cannot be written without them. */
bool entries_key(const void *bytes, size_t size, uint64_t key[2]);

#endif

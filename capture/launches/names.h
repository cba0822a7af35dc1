/* A front end's knowledge of the parameters of a module's entries: field `names` of the message
 * MODULE (wire/wire.h says how it is written). */
#ifndef LAUNCHES_NAMES_H
#define LAUNCHES_NAMES_H

#include "launches/entries.h"

enum { NAMES_MOST_DIMENSIONS = 16 };

typedef enum names_part {            /* what a parameter is of an argument of the host's language */
                          NAMES_ALL, /* the whole of it: a scalar */
                          NAMES_POINTER,
                          NAMES_EXTENT,
                          NAMES_STRIDE,
                          NAMES_TABLE,  /* a list of arrays: pointer to rows of words */
                          NAMES_LENGTH, /* of such a list */
                          NAMES_N_PARTS,
} names_part;

typedef struct seen_name {
    const char *name; /* in full, as expressions of contracts have it: "q.shape[0]"; NULL: none that
                         they could use */
    names_part part;
    unsigned axis; /* of an extent or stride */
    size_t array;  /* of an extent, stride or pointer: number of the array's pointer */
    /* The rank of a pointer or table, as far as the front end fixed it; -1: each launch says it. */
    size_t rank;
    int64_t shape[NAMES_MOST_DIMENSIONS], strides[NAMES_MOST_DIMENSIONS]; /* in elements */
    unsigned element_bytes; /* of a table's arrays; 0: unknown, or less than a byte */
} seen_name;

typedef struct seen_names {
    const char *function, *file; /* where the author wrote the kernel; NULL: unknown */
    unsigned line;               /* 0: unknown */
    size_t n;
    const seen_name *parameters;
} seen_names;

/* The result lies in the arena. NULL where `json` is "" or not of that form. */
const seen_names *names_read(tr_arena *arena, const char *json);
/* The JSON of parameters that have names and are told nothing else of. In the arena. */
const char *names_write(tr_arena *arena, const char *function, const tr_place *place, size_t n,
                        const char *const *parameters);
/* Do they say which parameters are arrays, and of which extents and strides? */
bool names_have_arrays(const seen_names *n);
/* Can they be the names of the entry's parameters? */
bool names_fit(const seen_names *n, const module_entry *e);
/* A launch contract that states nothing but the names, for all these entries, which they fit; NULL
 * where there are none to state. `n` may be NULL. In the arena. */
const char *names_contract(tr_arena *arena, const seen_names *n, const module_entries *module);

#endif

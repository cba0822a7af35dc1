/* Results of checks that were made before, of inputs that are as they were.
 *
 * The key of an input holds what is known before it is read: its name and the working folder, the
 * options that can change a result (options.def), the build of this program, the solver, what a
 * recording says. Under the key there are lists of look-ups (lookups/lookups.h): what a check of
 * the input asked of the file system and the environment, libclang's search for headers included,
 * also for those that are not there. Key, list and its answers of today name a result.
 *
 * So a hit needs neither libclang nor the solver. Nothing is kept of an input with errors, nor of
 * an answer that a clock, a budget or a failure of the solver gave. docs/cache.md */
#ifndef CACHE_CACHE_H
#define CACHE_CACHE_H

#include "cache/packed.h"
#include "cache/store.h"
#include "inputs/load.h"
#include "session/session.h"

typedef struct cache cache;

/* NULL: there is none, after a sentence where the user asked for one or should know. Needs the
 * solver of the session. */
tr_give cache *cache_open(session *s);
/* Closes the cache. With --verbose, it prints how many results came from it. */
void cache_close(session *s, tr_take cache *c);

/* Appends the packed result of input `number`, with the time that this took. False: it has none.
 * From any thread. */
bool cache_find(cache *c, const session *s, size_t number, tr_text *packed);
/* Is everything that the list saw still as it was seen? */
bool cache_is_current(cache *c, const lookup_list *seen);
/* Appends what is to be kept of a result, as bytes. `seen` is what the check asked for. False, with
 * nothing appended: the result may be another one tomorrow. */
bool cache_entry_make(const session *s, lookup_list *seen, const loaded *input,
                      const checked_input *result, tr_text *entry);
/* Keeps it for input `number`. The bytes may come from another process: whatever they are, they
 * stand for no other input. */
void cache_keep(cache *c, const session *s, size_t number, const char *entry, size_t length);

#endif

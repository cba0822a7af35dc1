/* Files under names that are digests, each with a keyed checksum (BLAKE2b by libsodium) over name
 * and contents: what this user did not write is not read. The key is a file of the user's own cache
 * folder, wherever the entries are, so nobody can commit an entry, or send one.
 *
 * An entry appears whole or not at all; no lock is held. What goes wrong costs an entry. */
#ifndef CACHE_STORE_H
#define CACHE_STORE_H

#include "lookups/digest.h"

typedef struct cache_store cache_store;

/* `asked`: the folder of --cache-dir; NULL: TILERACE_CACHE_DIR, or the user's own, which are not
 * used inside a checkout. NULL and *why (a clause in the arena) where there can be none. Everything
 * of it lies in the arena. */
cache_store *cache_store_open(tr_arena *arena, const char *asked, const char **why);
const char *cache_store_folder(const cache_store *store);

/* May be called from any thread. False: there is none, or none of ours. What is read counts as used
 * now. */
bool cache_store_read(const cache_store *store, const digest *name, tr_text *body);
/* False: it could not be kept. Those of its neighbours that were not used for longest are removed
 * where there are too many. */
bool cache_store_write(const cache_store *store, const digest *name, const void *body,
                       size_t length);

/* Removes the entries of the folder that `asked` means, as above, and all else that a cache has
 * there but the folder itself; the key goes with the user's own. *n: how many entries there were.
 * False and *why. */
bool cache_store_clean(tr_arena *arena, const char *asked, size_t *n, const char **folder,
                       const char **why);

#endif

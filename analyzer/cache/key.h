/* The keys of results that are kept, but for the look-ups of a check (cache.h). */
#ifndef CACHE_KEY_H
#define CACHE_KEY_H

#include "lookups/lookups.h"
#include "session/session.h"

/* Digests everything that all inputs of the session share. False: it is not known, so nothing is
 * kept. */
bool cache_common_key(const session *s, const lookup_asking *how, digest *of);
void cache_input_key(const session *s, const digest *common, size_t number, digest *of);
/* Adds the libraries that this program and the solver run with, and where libclang is looked for.
 * `solver`: what was mapped into it, or NULL where it was not asked. False: that is not known. */
bool cache_add_programs(lookup_list *seen, const char *solver);

#endif

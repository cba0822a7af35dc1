/* Keeps which launches were told, how they were answered, and the contents that the checker asks
 * for. */
#include "recorder/private.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_TOLD = 1 << 20 }; /* more are forgotten, and told again: memory stays bounded */

enum { TOLD_BITS = 2 }; /* of a value in the table; above them the number of a finding, or 0 */

/* Guarded by the lock of the tables. */
static struct {
    hash_table told;    /* launches of which nothing more is to be said: how they were answered */
    hash_table watched; /* by keys, what the checker looks at each time: number of a watch */
    hash_table seen;    /* contents of which nothing more is to be said */
    watch **watches;
    uint32_t n;
    const char **findings; /* that answers had, by recorder_keep() */
    uint32_t n_findings;
} l;

void launches_forget(void)
{
    table_clear(&l.told);
    table_clear(&l.watched);
    table_clear(&l.seen);
    free(l.findings);
    l.findings = NULL;
    l.n_findings = 0;
    for (uint32_t i = 0; i < l.n; i++)
        free(l.watches[i]);
    free(l.watches);
    l.watches = NULL;
    l.n = 0;
}

launch_answer launch_was_told(hash128 key)
{
    tables_lock();
    uint32_t value = table_find(&l.told, key), number = value >> TOLD_BITS;
    const char *finding = number && number <= l.n_findings ? l.findings[number - 1] : NULL;
    tables_unlock();
    return (launch_answer){(told)(value & ((1u << TOLD_BITS) - 1)), finding};
}

static void forget_too_many(void)
{
    if (l.told.n >= MOST_TOLD || l.watched.n >= MOST_TOLD || l.seen.n >= MOST_TOLD)
        launches_forget();
}

/* The number of a finding; 0: no memory. With the tables locked. */
static uint32_t add_finding(const char *finding)
{
    for (uint32_t i = l.n_findings; i > 0; i--)
        if (l.findings[i - 1] == finding)
            return i;
    const char **larger = realloc(l.findings, (l.n_findings + 1) * sizeof *larger);
    if (!larger)
        return 0;
    l.findings = larger;
    l.findings[l.n_findings++] = finding;
    return l.n_findings;
}

void launch_remember(hash128 key, const launch_answer *as)
{
    tables_lock();
    forget_too_many();
    uint32_t number = as->finding ? add_finding(as->finding) : 0;
    if (number || !as->finding)
        table_put(&l.told, key, number << TOLD_BITS | as->is);
    tables_unlock();
}

hash128 contents_key(hash128 key, const wire_writer *contents)
{
    hash_parts parts;
    hash128 hash = hash_bytes(contents->data, contents->length);
    hash_begin(&parts);
    hash_add(&parts, &key, sizeof key);
    hash_add(&parts, &hash, sizeof hash);
    return hash_end(&parts);
}

bool contents_were_seen(hash128 key)
{
    tables_lock();
    bool seen = table_find(&l.seen, key);
    tables_unlock();
    return seen;
}

void contents_remember(hash128 key)
{
    tables_lock();
    forget_too_many();
    table_put(&l.seen, key, 1);
    tables_unlock();
}

watch *watch_find(hash128 key)
{
    watch *copy = NULL;
    tables_lock();
    uint32_t at = table_find(&l.watched, key);
    if (at) {
        const watch *kept = l.watches[at - 1];
        size_t size = sizeof *kept + kept->n * sizeof *kept->items;
        copy = malloc(size);
        if (copy)
            memcpy(copy, kept, size);
    }
    tables_unlock();
    return copy;
}

void watch_remember(hash128 key, const watch *w)
{
    size_t size = sizeof *w + w->n * sizeof *w->items;
    tables_lock();
    forget_too_many();
    watch *copy = malloc(size), **larger = realloc(l.watches, (l.n + 1) * sizeof *larger);
    l.watches = larger ? larger : l.watches;
    if (copy && larger && table_put(&l.watched, key, l.n + 1)) {
        memcpy(copy, w, size);
        l.watches[l.n++] = copy;
    } else {
        free(copy);
    }
    tables_unlock();
}

/* Kernels that a front end could not make Tile IR of, and compiles in another way instead. */
#include "recorder/private.h"

#include <string.h>

static hash_table missed; /* by name; guarded by the lock of the tables */

void recorder_missed(const char *symbol)
{
    if (!symbol || !recorder_is_on())
        return;
    hash128 key = hash_bytes(symbol, strlen(symbol));
    tables_lock();
    table_put(&missed, key, 1);
    tables_unlock();
}

bool recorder_is_missed(const char *symbol)
{
    if (!symbol || !recorder_is_on())
        return false;
    tables_lock();
    bool any = missed.n > 0;
    tables_unlock();
    if (!any)
        return false;
    hash128 key = hash_bytes(symbol, strlen(symbol));
    tables_lock();
    bool is = table_find(&missed, key) != 0;
    tables_unlock();
    return is;
}

/* The lock of the tables that this room keeps. */
#include "recorder/private.h"

#include <pthread.h>

static pthread_mutex_t table_lock = PTHREAD_MUTEX_INITIALIZER;

void tables_lock(void)
{
    pthread_mutex_lock(&table_lock);
}

void tables_unlock(void)
{
    pthread_mutex_unlock(&table_lock);
}

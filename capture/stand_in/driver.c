/* The stand-in driver's lock, and whether it was initialised. */
#include "stand_in/private.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static atomic_bool initialised;

void driver_lock(void)
{
    pthread_mutex_lock(&lock);
}

void driver_unlock(void)
{
    pthread_mutex_unlock(&lock);
}

bool driver_is_initialised(void)
{
    return atomic_load(&initialised);
}

bool driver_enter(void)
{
    if (!driver_is_initialised())
        return false;
    driver_lock();
    return true;
}

cu_result driver_leave(cu_result result)
{
    driver_unlock();
    return result;
}

/* Loads the library of a tool that is to be in programs, as a real driver does. */
static void load_injected(void)
{
    const char *path = getenv("CUDA_INJECTION64_PATH");
    void *library = path && *path ? dlopen(path, RTLD_LAZY | RTLD_LOCAL) : NULL;
    void *address = library ? dlsym(library, "InitializeInjection") : NULL;
    int (*begin)(void);
    memcpy(&begin, &address, sizeof begin);
    if (begin)
        begin();
}

API cuInit(unsigned flags)
{
    if (flags)
        return CU_INVALID_VALUE;
    /* This is done without a lock: it is told once also where two threads initialise. */
    if (!atomic_exchange(&initialised, true)) {
        recorder_remark(WIRE_STAND_IN, "");
        load_injected();
    }
    return CU_SUCCESS;
}

API cuDriverGetVersion(int *version)
{
    if (!version)
        return CU_INVALID_VALUE;
    *version = CU_DRIVER_VERSION;
    return CU_SUCCESS;
}

/* A child goes on with the objects of its parent. A real driver refuses it all that uses a device;
 * programs that fork before they use one see no difference. */
__attribute__((constructor)) static void prepare(void)
{
    pthread_atfork(driver_lock, driver_unlock, driver_unlock);
}

/* Maps the driver's handles to what they stand for. A handle that the driver uses again is put
 * again, so nothing is ever removed. */
#include "preload/private.h"

#include <pthread.h>
#include <stdlib.h>

typedef struct slot {
    cu_handle handle; /* NULL: free */
    meaning is;
} slot;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct {
    slot *slots;
    size_t n, room; /* a power of two */
} h;

static slot *slot_of(slot *slots, size_t room, cu_handle handle)
{
    uint64_t hash = (uintptr_t)handle * 0x9e3779b97f4a7c15u;
    for (size_t at = hash >> 20;; at++) {
        slot *s = &slots[at & (room - 1)];
        if (!s->handle || s->handle == handle)
            return s;
    }
}

static bool make_room(void)
{
    if (4 * (h.n + 1) <= 3 * h.room)
        return true;
    size_t room = h.room ? 2 * h.room : 256;
    slot *larger = calloc(room, sizeof *larger);
    if (!larger)
        return false;
    for (size_t i = 0; i < h.room; i++) {
        if (h.slots[i].handle)
            *slot_of(larger, room, h.slots[i].handle) = h.slots[i];
    }
    free(h.slots);
    h.slots = larger;
    h.room = room;
    return true;
}

void handle_put(cu_handle handle, meaning is)
{
    if (!handle)
        return;
    pthread_mutex_lock(&lock);
    if (make_room()) {
        slot *s = slot_of(h.slots, h.room, handle);
        h.n += !s->handle;
        *s = (slot){handle, is};
    }
    pthread_mutex_unlock(&lock);
}

bool handle_get(cu_handle handle, meaning *is)
{
    pthread_mutex_lock(&lock);
    const slot *s = h.room && handle ? slot_of(h.slots, h.room, handle) : NULL;
    bool known = s && s->handle;
    if (known)
        *is = s->is;
    pthread_mutex_unlock(&lock);
    return known;
}

static void before_fork(void)
{
    pthread_mutex_lock(&lock);
}

static void after_fork(void)
{
    pthread_mutex_unlock(&lock);
}

__attribute__((constructor)) static void prepare(void)
{
    pthread_atfork(before_fork, after_fork, after_fork);
}

/* Handles: numbers with the place of an object, its kind and how often the place was used, so that
 * a wrong or old one is found out. */
#include "stand_in/private.h"

#include <stdlib.h>

enum { KIND_SHIFT = 56, USE_SHIFT = 32, USES = 1 << 23, MOST_OBJECTS = 1 << 24 };

typedef struct slot {
    object_kind kind; /* 0: free */
    uint32_t use;
    void *object;
    uint32_t next_free; /* its place plus one; 0: none */
} slot;

/* Guarded by the driver's lock. */
static struct {
    slot *slots;
    uint32_t n, room, first_free;
} o;

static bool grow(void)
{
    if (o.n < o.room)
        return true;
    uint32_t room = o.room ? 2 * o.room : 64;
    slot *larger = room <= MOST_OBJECTS ? realloc(o.slots, room * sizeof *larger) : NULL;
    if (!larger)
        return false;
    o.slots = larger;
    o.room = room;
    return true;
}

cu_handle object_add(object_kind kind, void *object)
{
    uint32_t at;
    if (!object)
        return NULL;
    if (o.first_free) {
        at = o.first_free - 1;
        o.first_free = o.slots[at].next_free;
    } else if (grow()) {
        at = o.n++;
        o.slots[at] = (slot){.use = 0};
    } else {
        free(object);
        return NULL;
    }
    slot *s = &o.slots[at];
    *s = (slot){.kind = kind, .use = (s->use + 1) % USES, .object = object};
    return (cu_handle)((uintptr_t)kind << KIND_SHIFT | (uintptr_t)s->use << USE_SHIFT |
                       (uintptr_t)at << 4);
}

static slot *find(object_kind kind, cu_handle handle)
{
    uintptr_t number = (uintptr_t)handle, at = (number & 0xffffffffu) >> 4;
    if (number >> KIND_SHIFT != (uintptr_t)kind || (number & 15) || at >= o.n)
        return NULL;
    slot *s = &o.slots[at];
    return s->kind == kind && s->use == (number >> USE_SHIFT & (USES - 1)) ? s : NULL;
}

void *object_get(object_kind kind, cu_handle handle)
{
    slot *s = find(kind, handle);
    return s ? s->object : NULL;
}

void *object_take(object_kind kind, cu_handle handle)
{
    slot *s = find(kind, handle);
    if (!s)
        return NULL;
    void *object = s->object;
    s->kind = 0;
    s->object = NULL;
    s->next_free = o.first_free;
    o.first_free = (uint32_t)(s - o.slots) + 1;
    return object;
}

/* Elements of 4 bits, two to a byte, the first of them in the low half (D5). A byte is the smallest
 * location: who stores one half reads the byte, and writes it back with the other half as it was.
 *
 * A span of such an op is one byte. `halves` says which of them are touched; in_tile is the number
 * of the element in the low half, or of the only one, and in_tile + step of that in the high half.
 */
#include "interp/memory_access.h"

#include <stdlib.h>

static int by_place(const void *a, const void *b)
{
    const nibble *x = a, *y = b;
    if (x->place != y->place)
        return x->place < y->place ? -1 : 1;
    return x->number < y->number ? -1 : x->number > y->number;
}

/* Floor, also of what lies before the buffer. */
static int64_t byte_of(int64_t place)
{
    return place >> 1;
}

static void touch_byte(interp_run *run, int32_t buffer, const nibble *low, const nibble *high)
{
    const nibble *first = low ? low : high;
    span s = {.address = byte_of(first->place),
              .buffer = buffer,
              .count = 1,
              .in_tile = first->number,
              .step = low && high ? high->number - low->number : 0,
              .width = 1,
              .halves = (uint16_t)((low ? LOW_HALF : 0) | (high ? HIGH_HALF : 0))};
    arrput(run->touched, s);
}

/* Elements in two halves of a byte become one access to it; those in equal halves do not. */
void nibbles_touch(interp_run *run, int32_t buffer, nibble *list)
{
    size_t n = arrlenu(list);
    if (n)
        qsort(list, n, sizeof *list, by_place);
    for (size_t first = 0, end; first < n; first = end) {
        size_t high;
        for (high = first; high < n && list[high].place == (list[first].place & ~(int64_t)1);)
            high++;
        for (end = high; end < n && list[end].place == (list[first].place | 1);)
            end++;
        size_t lows = high - first, highs = end - high;
        for (size_t i = 0; i < lows || i < highs; i++)
            touch_byte(run, buffer, i < lows ? &list[first + i] : NULL,
                       i < highs ? &list[high + i] : NULL);
    }
    arrfree(list);
}

static uint32_t number_of(const span *s, unsigned half)
{
    return half == HIGH_HALF && s->halves == (LOW_HALF | HIGH_HALF) ? s->in_tile + s->step
                                                                    : s->in_tile;
}

void nibbles_load(interp_run *run, const access *a, const span *s, cells *out)
{
    uint64_t byte;
    sync_read(run, a->op, s->buffer, s->address, 1);
    bool known = memory_read(run, s->buffer, s->address, 1, &byte);
    if (!known)
        memory_not_known(run, a, s->buffer, s->address);
    for (unsigned half = LOW_HALF; half <= HIGH_HALF; half++) {
        if (!(s->halves & half))
            continue;
        memory_deliver(run, a, out, number_of(s, half), half == HIGH_HALF ? byte >> 4 : byte,
                       known);
    }
}

void nibbles_store(interp_run *run, const access *a, const span *s, const reader *value)
{
    uint64_t byte = 0;
    /* Hooks see a store as a write only, so the value in the other half of the byte is not known.
     */
    bool known = s->halves == (LOW_HALF | HIGH_HALF) ||
                 (!run->hooks && memory_read(run, s->buffer, s->address, 1, &byte));
    for (unsigned half = LOW_HALF; half <= HIGH_HALF; half++) {
        if (!(s->halves & half))
            continue;
        uint32_t number = number_of(s, half);
        unsigned shift = half == HIGH_HALF ? 4 : 0;
        known &= reader_known(value, number);
        uint64_t bits = reader_known(value, number) ? reader_bits(value, number) & 15 : 0;
        byte = (byte & ~((uint64_t)15 << shift)) | bits << shift;
    }
    memory_write(run, s->buffer, s->address, 1, byte, known);
    if (!known)
        undefined_store(run, a->op, s->buffer, s->address, 1, a->source);
    sync_wrote(run, a->op, s->buffer, s->address, 1, true);
}

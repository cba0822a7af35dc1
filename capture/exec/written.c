#include "exec/written.h"

#include "base/ds.h"

static written_range range_of(uint64_t address, uint64_t bytes)
{
    uint64_t to = bytes > UINT64_MAX - address ? UINT64_MAX : address + bytes;
    return (written_range){address, to};
}

/* The first range that ends behind the address. */
static size_t first_behind(const written *w, uint64_t address)
{
    size_t low = 0, high = arrlenu(w->ranges);
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (w->ranges[middle].to > address)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

void written_add(written *w, uint64_t address, uint64_t bytes)
{
    written_range range = range_of(address, bytes);
    size_t first = first_behind(w, range.from), last = first;
    if (range.from == range.to)
        return;
    for (; last < arrlenu(w->ranges) && w->ranges[last].from < range.to; last++) {
        written_range *met = &w->ranges[last];
        range.from = met->from < range.from ? met->from : range.from;
        range.to = met->to > range.to ? met->to : range.to;
    }
    if (last > first)
        arrdeln(w->ranges, first, last - first);
    arrins(w->ranges, first, range);
}

bool written_meets(const written *w, uint64_t address, uint64_t bytes)
{
    written_range range = range_of(address, bytes);
    size_t first = first_behind(w, range.from);
    return range.from < range.to && first < arrlenu(w->ranges) && w->ranges[first].from < range.to;
}

void written_free(written *w)
{
    arrfree(w->ranges);
}

/* A compared buffer as a grid of tiles: how often each differed, and who wrote it. */
#include "driver/run_report.h"

#define MAX_TILES 262144

static bool lay_out(const gpu_buffer *b, run_tiles *tiles)
{
    uint64_t n = 1, elements = 1;
    tiles->rank = b->rank;
    for (int d = 0; d < b->rank; d++) {
        if (!b->tile[d] || !b->shape[d])
            return false;
        tiles->shape[d] = b->shape[d];
        tiles->tile[d] = b->tile[d];
        tiles->counts[d] = (size_t)((b->shape[d] + b->tile[d] - 1) / b->tile[d]);
        if (__builtin_mul_overflow(n, tiles->counts[d], &n) || n > MAX_TILES ||
            __builtin_mul_overflow(elements, b->shape[d], &elements))
            return false;
    }
    tiles->n = (size_t)n;
    return b->rank > 0 && elements == b->bytes / (uint64_t)gpu_element_bytes(b->element);
}

/* A buffer whose shape is not known: pieces of equal length. */
static void lay_out_flat(const gpu_buffer *b, run_tiles *tiles)
{
    enum { PIECES = 1024 };
    uint64_t elements = b->bytes / (uint64_t)gpu_element_bytes(b->element);
    *tiles = (run_tiles){.flat = true, .rank = 1};
    tiles->shape[0] = elements;
    tiles->tile[0] = elements > PIECES ? (elements + PIECES - 1) / PIECES : 1;
    tiles->n = tiles->counts[0] = (size_t)((elements + tiles->tile[0] - 1) / tiles->tile[0]);
}

static size_t tile_of(const run_tiles *tiles, uint64_t element)
{
    size_t at = 0, step = 1;
    for (int d = tiles->rank; d-- > 0; element /= tiles->shape[d]) {
        at += step * (size_t)(element % tiles->shape[d] / tiles->tile[d]);
        step *= tiles->counts[d];
    }
    return at;
}

run_tiles *run_tiles_of(tr_arena *arena, const gpu_buffer *b, const gpu_output *output,
                        unsigned runs)
{
    run_tiles *tiles = TR_NEW(arena, run_tiles);
    if (!output->heat)
        return NULL;
    if (!lay_out(b, tiles))
        lay_out_flat(b, tiles);
    tiles->heat = TR_NEW_ARRAY(arena, double, tiles->n);
    uint32_t *sizes = TR_NEW_ARRAY(arena, uint32_t, tiles->n);
    for (uint64_t i = 0; i < output->elements; i++) {
        size_t tile = tile_of(tiles, i);
        tiles->heat[tile] += output->heat[i];
        sizes[tile]++;
    }
    for (size_t i = 0; i < tiles->n; i++)
        tiles->heat[i] = runs > 1 ? tiles->heat[i] / sizes[i] / (runs - 1) : 0;
    return tiles;
}

/* Events come block by block only in a run in order, so a block is counted once where it follows
 * itself; with blocks taking turns the count is of turns, which is more than one all the same. */
void run_tiles_writers(tr_arena *arena, const interp_run *run, int number, const gpu_buffer *b,
                       run_tiles *tiles)
{
    if (!tiles->writers) {
        tiles->writer = TR_NEW_ARRAY(arena, uint32_t, tiles->n);
        tiles->writers = TR_NEW_ARRAY(arena, uint32_t, tiles->n);
    }
    int width = gpu_element_bytes(b->element);
    const interp_event *events;
    size_t n = interp_events(run, &events);
    uint32_t known = UINT32_MAX;
    bool writes = false;
    for (size_t i = 0; i < n; i++) {
        const interp_event *e = &events[i];
        if (e->buffer != number || e->out_of_buffer)
            continue;
        if (e->instance != known) {
            known = e->instance;
            model_access access = 0;
            writes = model_access_of(interp_instance_of(run, known)->op, &access) &&
                     (access & MODEL_WRITE);
        }
        size_t tile = tile_of(tiles, (uint64_t)(e->address / width));
        if (!writes || tile >= tiles->n ||
            (tiles->writers[tile] && tiles->writer[tile] == e->block))
            continue;
        tiles->writer[tile] = e->block;
        tiles->writers[tile]++;
    }
}

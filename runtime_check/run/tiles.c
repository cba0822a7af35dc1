/* A compared buffer as a grid of tiles: how often each differed, and who wrote it. */
#include "run/tiles.h"

#include "run/report.h"

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
    return b->rank > 0 && elements == b->bytes / (uint64_t)plan_element_bytes(b->element);
}

/* A buffer whose shape is not known: pieces of equal length. */
static void lay_out_flat(const gpu_buffer *b, run_tiles *tiles)
{
    enum { PIECES = 1024 };
    uint64_t elements = b->bytes / (uint64_t)plan_element_bytes(b->element);
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

void run_tile_digits(const run_tiles *tiles, size_t tile, const uint16_t *heat, unsigned runs,
                     tr_text *digits)
{
    static const char of[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    uint64_t low[GPU_MAX_RANK], extent[GPU_MAX_RANK], n = 1;
    for (int d = tiles->rank; d-- > 0; tile /= tiles->counts[d]) {
        low[d] = tile % tiles->counts[d] * tiles->tile[d];
        uint64_t rest = tiles->shape[d] - low[d];
        extent[d] = rest < tiles->tile[d] ? rest : tiles->tile[d];
        n *= extent[d];
    }
    for (uint64_t i = 0; i < n; i++) {
        uint64_t element = 0, step = 1, inside = i;
        for (int d = tiles->rank; d-- > 0; inside /= extent[d]) {
            element += (low[d] + inside % extent[d]) * step;
            step *= tiles->shape[d];
        }
        uint64_t share = runs > 1 ? (62u * heat[element] + runs - 2) / (runs - 1) : 0;
        tr_text_addn(digits, &of[heat[element] ? 1 + (share > 62 ? 62 : share) : 0], 1);
    }
}

/* ---- Who wrote it ---- */

static void add_writer(run_tiles *tiles, size_t tile, gpu_toucher by)
{
    if (by.block == GPU_NOBODY)
        return;
    if (tiles->writer[tile] == GPU_NOBODY)
        tiles->writer[tile] = by.block;
    else if (tiles->writer[tile] != by.block && tiles->other[tile] == GPU_NOBODY)
        tiles->other[tile] = by.block;
}

/* A tile that is raced in shows the two that do, where two blocks write. */
static void add_touch(const gpu_blocks *blocks, uint32_t number, run_tiles *tiles, size_t tile)
{
    const gpu_touch *touch = &blocks->touches[number];
    bool races = plan_is_racing(blocks, number);
    if (races && !tiles->racing[tile])
        tiles->writer[tile] = tiles->other[tile] = GPU_NOBODY;
    if (races || !tiles->racing[tile]) {
        add_writer(tiles, tile, touch->writer);
        add_writer(tiles, tile, touch->other);
    }
    tiles->racing[tile] |= races;
}

static void take_writers(tr_arena *arena, const gpu_blocks *blocks, const uint32_t *touch_of,
                         uint64_t elements, run_tiles *tiles)
{
    tiles->writer = TR_NEW_ARRAY(arena, uint32_t, tiles->n);
    tiles->other = TR_NEW_ARRAY(arena, uint32_t, tiles->n);
    tiles->racing = TR_NEW_ARRAY(arena, bool, tiles->n);
    for (size_t i = 0; i < tiles->n; i++)
        tiles->writer[i] = tiles->other[i] = GPU_NOBODY;
    for (uint64_t i = 0; i < elements; i++)
        if (touch_of[i])
            add_touch(blocks, touch_of[i], tiles, tile_of(tiles, i));
}

void run_take_blocks(tr_arena *arena, const gpu_plan *plan, const gpu_blocks *blocks,
                     run_report *report)
{
    gpu_output *outputs = TR_NEW_ARRAY(arena, gpu_output, plan->n_buffers + 1);
    bool differs = false;
    for (size_t i = 0, o = 0; i < plan->n_buffers; i++) {
        if (!plan->buffers[i].output || o == report->n_outputs)
            continue;
        run_output *to = &report->outputs[o++];
        outputs[i] = to->output;
        differs |= to->output.differing > 0;
        if (!blocks->nobody && blocks->elements[i] && to->tiles) {
            take_writers(arena, blocks, blocks->elements[i], to->output.elements, to->tiles);
            to->tiles->part = blocks->part;
        }
    }
    report->nobody = differs ? blocks->nobody : NULL;
    if (differs && !blocks->nobody)
        report->pairs = plan_name_pairs(arena, plan, outputs, blocks);
}

#include <tile.h>

/* What may shape a tile: enum, constexpr, const, macros; constant conditions choose. */
#define COLUMNS 16
enum { ROWS = 4 };
static const int half = ROWS / 2;

static tile zeros(const int rows)
{
    return tile_zeros(float, rows, COLUMNS);
}

tile_kernel void constants(float *p)
{
    constexpr int twice = 2 * ROWS;
    const int four = half * 2;
    tile_view v = tile_partition(tile_tensor(p, 64, COLUMNS), ROWS, COLUMNS);
    if (twice > 4)
        tile_store(v, zeros(four), 0, 0);
    else
        tile_store(v, zeros(twice), 0, 0);
}

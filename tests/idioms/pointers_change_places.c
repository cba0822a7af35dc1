/* Two buffers that change places in a loop, in Triton a loop that ends in `to, other = other, to`.
 * A pass that gives out tokens by buffer has to know which buffers a pointer may lead to. Triton's
 * Tile IR backend looks for them backwards through the loop, and keeps what it has found for a
 * pointer while the way around the loop is still open: `to` then leads to both buffers, and the
 * other pointer to `odd` alone. Each iteration in which it leads to `even` is in no chain of
 * `even`. */
#include <tile.h>

enum { TILE = 64 };

tile_kernel void root_missing(float *even, float *odd, float *out, int steps)
{
    tile_grid(1);
    tile_assume(0 <= steps && steps <= 1 << 20);
    tile_extent(even, TILE);
    tile_extent(odd, TILE);
    tile_extent(out, TILE);
    tile_distinct(even, odd, out);

    token of_even = make_token(), of_odd = of_even;
    for (int i = 0; i < steps; i++) {
        float *to = i % 2 == 0 ? odd : even;
        /* After `odd` alone, and known to `odd` alone. */
        of_odd = tile_store_ptr_tko(tile_pointers(to, tile_iota(TILE)), // @store
                                    tile_full(i * 1.0f, TILE), after(of_odd));
    }
    token loaded;
    tile last = tile_load_ptr_tko(tile_pointers(even, tile_iota(TILE)), // @load
                                  after(of_even), &loaded);
    tile_store_ptr(tile_pointers(out, tile_iota(TILE)), last);
}

tile_kernel void both_roots(float *even, float *odd, float *out, int steps)
{
    tile_grid(1);
    tile_assume(0 <= steps && steps <= 1 << 20);
    tile_extent(even, TILE);
    tile_extent(odd, TILE);
    tile_extent(out, TILE);
    tile_distinct(even, odd, out);

    token of_even = make_token(), of_odd = of_even;
    for (int i = 0; i < steps; i++) {
        float *to = i % 2 == 0 ? odd : even;
        of_odd = of_even = tile_store_ptr_tko(tile_pointers(to, tile_iota(TILE)),
                                              tile_full(i * 1.0f, TILE), after(of_even, of_odd));
    }
    token loaded;
    tile last = tile_load_ptr_tko(tile_pointers(even, tile_iota(TILE)), after(of_even), &loaded);
    tile_store_ptr(tile_pointers(out, tile_iota(TILE)), last);
}

// EXPECT kernel root_missing
// EXPECT verdict race
// EXPECT TR003 @store @load
// EXPECT observable yes
// EXPECT kernel both_roots
// EXPECT verdict race-free

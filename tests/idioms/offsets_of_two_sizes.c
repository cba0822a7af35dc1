/* A loop that goes on by bytes and stores floats. Triton's Tile IR backend leaves out the token
 * from one iteration's store to the next where it finds them disjoint, and adds up the offsets of a
 * pointer whatever each of them counts. So a step of 16 bytes is taken for one of 16 elements, and
 * stores of 16 floats a step apart for disjoint ones. */
#include <tile.h>

enum { TILE = 16 };

tile_kernel void steps_of_bytes(char *out, int steps)
{
    tile_grid(1);
    tile_assume(1 <= steps && steps <= 1 << 20);
    tile_extent(out, (long)steps * TILE * (int)sizeof(float));

    token begun = make_token();
    for (int i = 0; i < steps; i++) {
        float *row = (float *)(out + TILE * i);
        tile_store_ptr_tko(tile_pointers(row, tile_iota(TILE)), // @store
                           tile_full(i * 1.0f, TILE), after(begun));
    }
}

tile_kernel void steps_of_floats(char *out, int steps)
{
    tile_grid(1);
    tile_assume(1 <= steps && steps <= 1 << 20);
    tile_extent(out, (long)steps * TILE * (int)sizeof(float));

    token begun = make_token();
    for (int i = 0; i < steps; i++) {
        float *row = (float *)(out + TILE * (int)sizeof(float) * i);
        tile_store_ptr_tko(tile_pointers(row, tile_iota(TILE)), tile_full(i * 1.0f, TILE),
                           after(begun));
    }
}

// EXPECT kernel steps_of_bytes
// EXPECT verdict race
// EXPECT TR003 @store @store
// EXPECT observable yes
// EXPECT kernel steps_of_floats
// EXPECT verdict race-free

/* 19. As 17, with each iteration's token joined into one token that the loop carries; a load after
 * the loop takes it. Race-free: the join comes after every iteration (D12, D13, D15). */
#include <tile.h>

enum { T = 2 };

tile_kernel void loop_exit_join(int *x, int *seen, int blocks, int n)
{
    tile_grid(blocks);
    tile_assume(0 < blocks && blocks <= 1 << 20 && 4 < n && n <= 1 << 20);
    tile_extent(x, (long)T * n * blocks);
    tile_extent(seen, (long)T * blocks);

    tile_view X = tile_partition(tile_tensor(x, blocks, T * n), 1, T);
    tile_view S = tile_partition(tile_tensor(seen, blocks, T), 1, T);
    int b = tile_bid(0);

    token begun = make_token(), all = begun, loaded;
    for (int i = 0; i < n; i++)
        all = join_tokens(all, tile_store_tko(X, i, after(begun), b, i));
    tile v = tile_load_tko(X, after(all), &loaded, b, 3);
    tile_store_tko(S, v, after_none, b, 0);
}

// EXPECT verdict race-free
// LAUNCH grid 1 blocks 1 n 5
// LAUNCH grid 2 blocks 2 n 6

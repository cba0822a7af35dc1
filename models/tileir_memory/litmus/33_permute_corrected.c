/* 33. The published example with the correction that its comment gives. The index now stays in its
 * space. Still a race: h1 is still not in it, and H blocks write each tile (A1, A3). */
#include <tile.h>

enum { BM = 1, D = 2 };

tile_kernel void permute_corrected(const int *src, int *dst, int B, int H, int M)
{
    tile_grid(B * H, H);
    tile_assume(0 < B && B <= 4096 && 0 < H && H < 4096 && 0 < M && M <= 1 << 20);
    tile_extent(src, (long)B * H * M * D);
    tile_extent(dst, (long)B * H * M * D);

    tile_view in = tile_partition(tile_tensor(src, B, H, M, D), 1, 1, BM, D);
    tile_view out = tile_partition(tile_tensor(dst, B, H, M, D), 1, 1, BM, D);
    int b = tile_bid(0) / H, h1 = tile_bid(0) % H, h2 = tile_bid(1);
    for (int m = 0; m < tile_tiles(in, 2); m++) {
        token loaded;
        tile t = tile_load_tko(in, after_none, &loaded, b, h1, m, 0);
        tile_store_tko(out, t, after_none, b, h2, m, 0); // @store
    }
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT observable yes
// LAUNCH grid 2,2 B 1 H 2 M 1
// LAUNCH grid 4,2 B 2 H 2 M 2

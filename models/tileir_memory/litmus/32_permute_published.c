/* 32. The published permute example (section 5.1 of docs/memory-model.md). Race: the source head
 * h1 is not in the store's index, so H blocks write each tile (A1, A3). Where H is more than the
 * number of row tiles the index also leaves its space (U1), undefined behaviour of its own. */
#include <tile.h>

enum { BM = 1, D = 2 };

tile_kernel void permute_published(const int *src, int *dst, int B, int H, int M)
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
        tile_store_tko(out, t, after_none, b, m, h2, 0); // @store
    }
}

// EXPECT verdict race
// EXPECT TR001 @store @store
// EXPECT TR007 @store
// EXPECT observable yes
// LAUNCH grid 2,2 B 1 H 2 M 2
// LAUNCH grid 2,2 B 1 H 2 M 1

#include <tile.h>

tile_kernel void k(const f4e2m1 *small, int n)
{
    tile_view v = tile_partition(tile_tensor(small, n), 32);
    token loaded;
    tile t = tile_cast(tile_load_tko(v, after_none, &loaded, 0), float);
    tile_print("n %d\n", n);
    token said = tile_print_tko(after(loaded), "%f of %d", t, n);
    tile_print_tko(after(said), "done");
}

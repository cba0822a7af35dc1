// Where the second store goes was read through the null pointer: two blocks may meet there.
#include <tile.h>

tile_kernel void null_as_index(float *restrict y)
{
    tile nowhere = tile_int_to_ptr(tile_zeros(long), int);
    int at = tile_to_int(tile_load_ptr(nowhere)); // @null
    y[at] = 1.0f;                                 // @store
}

// EXPECT verdict unknown
// EXPECT TR001 @store @store possible
// EXPECT TR008 @null

#include <tile.h>

tile_kernel void k(float *p, int *q, unsigned char *c, int n)
{
    tile_view v = tile_partition(tile_tensor(p, n), 64);
    tile_view z = tile_partition_padded(tile_tensor(p, n), TILE_PAD_ZERO, 64);
    token t;
    tile_load_at(v, TILE_RELEASE, TILE_DEVICE, 0); // error: a load cannot release
    tile_store_at(v, 0, TILE_ACQUIRE, TILE_DEVICE, 0); // error: a store cannot acquire
    tile_load_at(v, TILE_RELAXED, TILE_NO_SCOPE, 0); // error: this order needs a scope
    tile_load_at(v, TILE_WEAK, TILE_SYS, 0); // error: a weak access has no scope
    tile_load_at(v, n, TILE_SYS, 0); // error: the order must be a constant integer
    tile_atomic_add(tile_pointers(q, 0), 1, TILE_WEAK, TILE_NO_SCOPE); // error: cannot be weak
    tile_atomic_add(tile_pointers(c, 0), 1, TILE_RELAXED, TILE_DEVICE); // error: does not work on
    tile_atomic_max(tile_pointers(p, 0), 1, TILE_RELAXED, TILE_DEVICE); // error: does not work on
    tile_atomic_cas(tile_pointers(c, 0), 0, 1, TILE_RELAXED, TILE_DEVICE); // error: of 32 and 64 bits
    tile_red(TILE_ADD, v, 1, TILE_ACQ_REL, TILE_DEVICE, 0); // error: tile_red is TILE_RELAXED
    tile_red(TILE_ADD, v, 1, TILE_RELAXED, TILE_SYS, 0); // error: tile_red is TILE_RELAXED
    tile_red_add(z, 1, 0); // error: tile_red does not work on this view
    tile_red(TILE_XCHG, v, 1, TILE_RELAXED, TILE_DEVICE, 0); // error: the mode must be 0 to 7
    tile_load_tko(v, after(t), &t, 0); // error: t may have no value here
    tile_load_tko(v, after_none, (token *)0, 0); // error: goes into a local variable
    tile_order_token(v); // error: this is no pointer
    tile_join_order(q, make_token());
}

tile_kernel void prints(int *p, const char *format)
{
    tile_view v = tile_partition(tile_tensor(p, 8), 8);
    tile_print("%p", tile_pointers(p, 0)); // error: only numbers and tiles of numbers can be printed
    tile_print(format, p[0]); // error: the format is no string literal
    (void)v;
}

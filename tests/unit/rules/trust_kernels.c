/* Kernels for test_trust.c: each verdict rests on few choices of the model. */
#include <tile.h>

enum { T = 4 };

#define LAUNCH(buffer)                                                                             \
    tile_grid(n);                                                                                  \
    tile_assume(0 < n && n <= 1024);                                                               \
    tile_extent(buffer, (long)T *n)

tile_kernel void disjoint(int *x, int n)
{
    LAUNCH(x);
    tile_store_ptr(tile_pointers(x, tile_bid(0) * T + tile_iota(T)), n);
}

tile_kernel void masked(int *x, int n)
{
    tile_grid(tile_cdiv(n, T));
    tile_assume(0 < n && n <= 1024);
    tile_extent(x, n);
    tile at = tile_bid(0) * T + tile_iota(T);
    tile_store_masked(tile_pointers(x, at), n, tile_lt(at, n));
}

tile_kernel void scattered(int *x, const int *rows, int n)
{
    tile_grid(1);
    tile_assume(8 <= n && n <= 1024);
    tile_extent(x, (long)n * T);
    tile_extent(rows, T);
    tile_contents(rows, 0, n - 1);
    tile_unique(rows);
    tile_distinct(x, rows);
    tile_view v = tile_gather_scatter(tile_tensor(x, n, T), 0, T, T);
    tile which = tile_load_ptr(tile_pointers(rows, tile_iota(T)));
    tile_store(v, 1, which, 0);
}

tile_kernel void chained(int *x, int n)
{
    LAUNCH(x);
    tile own = tile_pointers(x, tile_bid(0) * T + tile_iota(T));
    tile_store_ptr(own, tile_load_ptr(own) + n);
}

tile_kernel void chained_through_loop(int *x, int n)
{
    LAUNCH(x);
    tile own = tile_pointers(x, tile_bid(0) * T + tile_iota(T));
    for (int i = 0; i < n; i++)
        tile_store_ptr(own, tile_load_ptr(own) + n);
}

tile_kernel void last_of_a_loop(int *x, int n)
{
    tile_grid(1);
    tile_assume(0 < n && n <= 64);
    tile_extent(x, (long)T * n);
    token last = make_token(), loaded;
    for (int i = 0; i < n; i++)
        last = tile_store_ptr_tko(tile_pointers(x, i * T + tile_iota(T)), i, after_none);
    tile_load_ptr_tko(tile_pointers(x, tile_iota(T)), after(last), &loaded);
}

tile_kernel void last_of_a_loop_on_a_token(int *x, int n)
{
    tile_grid(1);
    tile_assume(0 < n && n <= 64);
    tile_extent(x, (long)T * n);
    token begun = make_token(), last = begun, loaded;
    for (int i = 0; i < n; i++)
        last = tile_store_ptr_tko(tile_pointers(x, i * T + tile_iota(T)), i, after(begun));
    tile_load_ptr_tko(tile_pointers(x, tile_iota(T)), after(last), &loaded);
}

tile_kernel void no_token(int *x, int n)
{
    LAUNCH(x);
    tile own = tile_pointers(x, tile_bid(0) * T + tile_iota(T));
    tile_store_ptr_tko(own, 1, after_none);
    tile_store_ptr_tko(own, n, after_none);
}

tile_kernel void one_token(int *x, int n)
{
    LAUNCH(x);
    tile own = tile_pointers(x, tile_bid(0) * T + tile_iota(T));
    token begun = make_token();
    tile_store_ptr_tko(own, 1, after(begun));
    tile_store_ptr_tko(own, n, after(begun));
}

tile_kernel void shared(int *x, int n)
{
    LAUNCH(x);
    tile_store_ptr(tile_pointers(x, tile_iota(T)), n);
}

tile_kernel void shared_and_no_token(int *x, int n)
{
    LAUNCH(x);
    tile all = tile_pointers(x, tile_iota(T));
    tile_store_ptr_tko(all, 1, after_none);
    tile_store_ptr_tko(all, n, after_none);
}

tile_kernel void widths(int *x, int n)
{
    tile_grid(2);
    tile_assume(0 < n);
    tile_extent(x, 2);
    tile at = tile_pointers(x, 0), low = tile_ptr_cast(at, signed char);
    if (tile_bid(0) == 0)
        tile_store_ptr_at(at, n, TILE_RELAXED, TILE_SYS);
    else
        tile_load_ptr_at(low, TILE_RELAXED, TILE_SYS);
}

tile_kernel void passed_on(int *x, int *flag, int *seen, int n)
{
    tile_grid(2);
    tile_assume(0 < n);
    tile_extent(x, 1);
    tile_extent(flag, 1);
    tile_extent(seen, 1);
    tile_contents(flag, 0, 0);
    tile_distinct(x, flag, seen);
    if (tile_bid(0) == 0) {
        tile_store_ptr(tile_pointers(x, 0), n);
        tile_store_ptr_at(tile_pointers(flag, 0), 1, TILE_RELEASE, TILE_DEVICE);
    } else if (tile_to_int(tile_load_ptr_at(tile_pointers(flag, 0), TILE_ACQUIRE, TILE_DEVICE)) ==
               1) {
        tile_store_ptr(tile_pointers(seen, 0), tile_load_ptr(tile_pointers(x, 0)));
    }
}

/* Scoped widely enough, of one width, and yet not one location: two bytes are common. */
tile_kernel void halfway(signed char *x, int n)
{
    tile_grid(2);
    tile_extent(x, 8);
    tile at = tile_ptr_cast(tile_pointers(x, tile_bid(0) * 2), int);
    tile_store_ptr_at(at, n, TILE_RELAXED, TILE_SYS);
}

tile_kernel void halfway_in_a_loop(signed char *x, int n)
{
    tile_grid(1);
    tile_assume(0 < n && n < 5);
    tile_extent(x, 8);
    for (int i = 0; i < n; i++)
        tile_store_masked_tko(tile_ptr_cast(tile_pointers(x, i), int), n, true, TILE_RELAXED,
                              TILE_BLOCK, after_none);
}

tile_kernel void halfway_in_one_store(signed char *x, int n)
{
    tile_grid(1);
    tile_extent(x, 8);
    tile at = tile_ptr_cast(tile_pointers(x, tile_iota(T)), int);
    tile_store_ptr_at(at, n, TILE_RELAXED, TILE_BLOCK);
}

tile_kernel void word_by_word(signed char *x, int n)
{
    tile_grid(2);
    tile_extent(x, 8);
    tile at = tile_ptr_cast(tile_pointers(x, tile_bid(0) / 2 * 4), int);
    tile_store_ptr_at(at, n, TILE_RELAXED, TILE_SYS);
}

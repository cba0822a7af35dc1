#include <tile.h>

static int twice(int n)
{
    n = n + n;
    return n;
}

tile_kernel void k(float *p, const int *q, float *r, int n, float f)
{
    int count = n;
    tile_grid(n); // error: contract statements stand at the top
    p[0] = count + tile_value(); // error: this can be used only inside tile_unique_when
}

tile_kernel void facts(float *p, const int *q, float *r, int n, float f)
{
    tile_grid(n, 1, 1, 1); // error: a grid has one to three extents
    tile_grid(n);
    tile_grid(n); // error: the grid is stated twice
    tile_assume(f > 0); // error: a contract can use only integer parameters
    tile_assume(twice(n) > 0); // error: a contract cannot call this function
    tile_assume(tile_bid(0) > 0); // error: a contract cannot call this function
    tile_assume(q[0] > 0); // error: a contract cannot use this expression
    tile_assume((n | 3) > 0); // error: a contract cannot use this operator
    tile_assume(n > n); // error: this assumption can never hold
    tile_extent(p, n);
    tile_extent(p, n); // error: this extent is stated twice
    tile_extent(p + 1, n); // error: name a pointer parameter
    tile_may_alias(p, r);
    tile_distinct(p, q); // error: p may share its allocation
    tile_distinct(q);
    tile_may_alias(q, r); // error: q has an allocation of its own
    tile_unique(p); // error: facts on contents are for buffers of integers
    tile_peers(TILE_BLOCK); // error: who else runs must be 2 to 3
}

tile_kernel void contents(const int *q, const int *u, const int *v, int n, int m)
{
    tile_unique_when(q, tile_value() > 3);
    tile_unique_when(q, tile_value() > 3);
    tile_unique_when(q, tile_value() <= 3); // error: which elements are unique is stated twice
    tile_contents(q, 0, n);
    tile_contents(q, 0, m); // error: the largest element is stated twice
    tile_prefix_sum(u, q);
    tile_prefix_sum(u, v); // error: of which elements these are the sums is stated twice
}

static void states(int n)
{
    tile_assume(n > 0); // error: contract statements stand at the top
}

tile_kernel void inside(float *p, int n)
{
    states(n);
    p[0] = n;
}

/* Kernels for test_front_end.c: each lacks a token, in a shape that a front end is known for or
 * near one. */
#include <tile.h>

enum { T = 4 };

#define LAUNCH(buffer)                                                                             \
    tile_grid(1);                                                                                  \
    tile_assume(4 <= n && n <= 8 && 2 <= m && m <= 4);                                             \
    tile_extent(buffer, (long)T *n)

/* ---- Shapes of nvcc ---- */

tile_kernel void nested_store(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            tile_store_tko(v, j, after_none, i);
}

tile_kernel void nested_store_on_an_old_token(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token loaded;
    tile first = tile_load_tko(v, after_none, &loaded, 0);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            tile_store_tko(v, first + j, after(loaded), i);
}

tile_kernel void last_store_then_load(int *x, int *seen, int n, int m)
{
    LAUNCH(x);
    tile_extent(seen, T);
    tile_distinct(x, seen);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), last = begun, loaded;
    for (int i = 0; i < n; i++)
        last = tile_store_tko(v, i, after(begun), i);
    tile first = tile_load_tko(v, after(last), &loaded, 0);
    tile_store_tko(tile_partition(tile_tensor(seen, T), T), first + m, after_none, 0);
}

tile_kernel void last_load_then_store(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), last = begun;
    tile sum = tile_zeros(int, T);
    for (int i = 0; i < n; i++)
        sum = sum + tile_load_tko(v, after(begun), &last, i);
    tile_store_tko(v, sum + m, after(last), 0);
}

tile_kernel void forgotten_in_a_branch(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), last = begun;
    for (int i = 0; i < m; i++) {
        token now = begun; /* not last */
        if (i % 2 == 0)
            now = tile_store_tko(v, i, after(last), 0);
        tile_load_tko(v, after(now), &last, 0);
    }
}

/* ---- Near them: these are the author's ---- */

tile_kernel void new_token_in_a_branch(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token last = make_token();
    for (int i = 0; i < m; i++) {
        token now = make_token();
        if (i % 2 == 0)
            now = tile_store_tko(v, i, after(last), 0);
        tile_load_tko(v, after(now), &last, 0);
    }
}

tile_kernel void store_in_a_branch_dropped(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    if (m > 2)
        tile_store_tko(v, m, after(begun), 0);
    tile_load_tko(v, after(begun), &loaded, 0);
}

tile_kernel void single_loop_store(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    for (int i = 0; i < n; i++)
        tile_store_tko(v, i + m, after_none, 0);
}

tile_kernel void nested_store_by_outer_counter(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; j++)
            tile_store_tko(v, j, after_none, i);
}

tile_kernel void nested_store_of_rank_2(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, 1, T * n), 1, T);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++)
            tile_store_tko(v, j, after_none, 0, i);
}

tile_kernel void nested_store_on_the_loops_token(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token();
    for (int j = 0; j < m; j++) {
        token last = begun;
        for (int i = 0; i < n; i++)
            last = tile_store_tko(v, j, after(last), i);
    }
}

tile_kernel void nested_stores_that_meet(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    for (int j = 0; j < m; j++)
        for (int i = 0; i < n; i++) {
            token stored = tile_store_tko(v, j, after_none, i);
            tile_store_tko(v, i, after(stored), 0);
        }
}

tile_kernel void last_store_of_another_pointer(int *x, int *y, int *seen, int n, int m)
{
    LAUNCH(x);
    tile_may_alias(x, y);
    tile_alias_offset(y, 0);
    tile_extent(y, (long)T * n);
    tile_extent(seen, T);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    tile_view w = tile_partition(tile_tensor(y, T * n), T);
    token begun = make_token(), last = begun, loaded;
    for (int i = 0; i < n; i++)
        last = tile_store_tko(v, i, after(begun), i);
    tile first = tile_load_tko(w, after(last), &loaded, 0);
    tile_store_tko(tile_partition(tile_tensor(seen, T), T), first + m, after_none, 0);
}

/* ---- Shapes of cutile-rs ---- */

tile_kernel void own_value(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile old = tile_load_tko(v, after(begun), &loaded, 0);
    tile_store_tko(v, (old + old) * m, after(begun), 0);
}

tile_kernel void own_value_in_loop(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    for (int i = 0; i < m; i++) {
        tile old = tile_load_tko(v, after(begun), &loaded, 0);
        tile_store_tko(v, old + i, after(begun), 0);
    }
}

tile_kernel void own_value_by_both_branches(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile next = tile_load_tko(v, after(begun), &loaded, 0), old = next;
    if (m > 3)
        next = old + 1;
    else if (m > 1)
        next = old * 2;
    tile_store_tko(v, next, after(begun), 0);
}

tile_kernel void own_value_by_loops_that_end_early(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile next = tile_load_tko(v, after(begun), &loaded, 0), before = next;
    for (int i = 0; i < m; i++) {
        tile now = next;
        if (i * i > n)
            break;
        next = before + i;
        before = now;
        if (i == 3)
            continue;
        next = next * 2;
    }
    tile_store_tko(v, next, after(begun), 0);
}

tile_kernel void loop_store(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token();
    for (int i = 0; i < m; i++)
        tile_store_tko(v, i, after(begun), 0);
}

tile_kernel void loop_store_chain(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token();
    for (int i = 0; i < m; i++) {
        token stored = tile_store_tko(v, i, after(begun), 0);
        tile_store_tko(v, i + 1, after(stored), 0);
    }
}

/* ---- Near them: these are the author's ---- */

tile_kernel void other_value(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile old = tile_load_tko(v, after(begun), &loaded, 0);
    tile_store_tko(v, m, after(begun), 0);
    tile_store_tko(v, old, after(loaded), 1);
}

tile_kernel void own_value_by_one_branch(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile next = tile_load_tko(v, after(begun), &loaded, 0);
    if (m > 3)
        next = tile_full(m, T);
    tile_store_tko(v, next, after(begun), 0);
}

tile_kernel void own_value_that_a_loop_forgets(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile next = tile_load_tko(v, after(begun), &loaded, 0), before = next;
    for (int i = 0; i < m; i++) {
        next = before;
        before = tile_full(i, T);
    }
    tile_store_tko(v, next, after(begun), 0);
}

tile_kernel void own_value_that_one_end_forgets(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile next = tile_load_tko(v, after(begun), &loaded, 0);
    for (int i = 0; i < m; i++) {
        next = next + i;
        if (i * i > n) {
            next = tile_full(i, T);
            break;
        }
    }
    tile_store_tko(v, next, after(begun), 0);
}

tile_kernel void own_value_on_another_token(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token loaded;
    tile old = tile_load_tko(v, after(make_token()), &loaded, 0);
    tile_store_tko(v, old + m, after(make_token()), 0);
}

tile_kernel void own_value_and_token_used(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token(), loaded;
    tile old = tile_load_tko(v, after(begun), &loaded, 0);
    tile_store_tko(v, old + m, after(begun), 0);
    tile_store_tko(v, old, after(loaded), 1);
}

tile_kernel void loop_stores_side_by_side(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    token begun = make_token();
    for (int i = 0; i < m; i++) {
        tile_store_tko(v, i, after(begun), i);
        tile_store_tko(v, i + 1, after(begun), i);
    }
}

tile_kernel void loop_store_on_a_token_of_the_loop(int *x, int n, int m)
{
    LAUNCH(x);
    tile_view v = tile_partition(tile_tensor(x, T * n), T);
    for (int i = 0; i < m; i++)
        tile_store_tko(v, i, after(make_token()), 0);
}

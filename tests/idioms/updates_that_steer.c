/* Kernels that do not ask which tile block they are. If what an update reads decides where they
 * write or whether they go on, they are made for several tile blocks; if not, for a single one. */
#include <tile.h>

#define DRAW tile_to_int(tile_atomic_add(tile_pointers(c, 0), 1, TILE_RELAXED, TILE_DEVICE))

tile_kernel void by_place(int *restrict x, int *restrict c)
{
    x[DRAW / 2] = 1; // @by_place
}

// EXPECT kernel by_place
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:standing
// EXPECT TR001 @by_place @by_place

tile_kernel void by_condition(int *restrict x, int *restrict c)
{
    if (DRAW < 2)
        x[0] = 1; // @by_condition
}

// EXPECT kernel by_condition
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:standing
// EXPECT TR001 @by_condition @by_condition

tile_kernel void by_end(int *restrict x, int *restrict c)
{
    int drawn = DRAW;
    for (int i = 0; i < drawn; i++)
        x[i] = 1; // @by_end
}

// EXPECT kernel by_end
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:standing
// EXPECT TR001 @by_end @by_end

tile_kernel void by_start(int *restrict x, int *restrict c)
{
    for (int i = DRAW; i < 10; i++)
        x[i] = 1; // @by_start
}

// EXPECT kernel by_start
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:standing
// EXPECT TR001 @by_start @by_start

tile_kernel void by_step(int *restrict x, int *restrict c)
{
    int drawn = DRAW;
    for (int i = 0; i < 10; i += drawn + 1)
        x[i] = 1; // @by_step
}

// EXPECT kernel by_step
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:standing
// EXPECT TR001 @by_step @by_step

/* What a loop starts with, passes on, and is left with. */
tile_kernel void started_with(int *restrict x, int *restrict c, int n)
{
    int drawn = DRAW, other = 5;
    for (int i = 0; i < n; i++) {
        x[drawn] = 1; // @started_with
        drawn = drawn / 2;
        other = other * 2;
    }
}

// EXPECT kernel started_with
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @started_with @started_with

tile_kernel void started_open_loop(int *restrict x, int *restrict c, int n)
{
    int k = 0, drawn = DRAW;
    while (k < n) {
        k++;
        x[drawn] = 1; // @started_open_loop
        drawn = drawn / 2;
    }
}

// EXPECT kernel started_open_loop
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @started_open_loop @started_open_loop

tile_kernel void passed_on(int *restrict x, int *restrict c, int n)
{
    int drawn = 0;
    for (int i = 0; i < n; i++) {
        x[drawn] = 1; // @passed_on
        drawn = DRAW;
    }
}

// EXPECT kernel passed_on
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @passed_on @passed_on

tile_kernel void passed_on_early(int *restrict x, int *restrict c, int n)
{
    int drawn = 0;
    for (int i = 0; i < n; i++) {
        x[drawn] = 1; // @passed_on_early
        if (i < 5) {
            drawn = DRAW;
            continue;
        }
        drawn = 1;
    }
}

// EXPECT kernel passed_on_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @passed_on_early @passed_on_early

tile_kernel void left_with(int *restrict x, int *restrict c, int n)
{
    int drawn = 0;
    for (int i = 0; i < n; i++)
        drawn = DRAW;
    x[drawn / 2] = 1; // @left_with
}

// EXPECT kernel left_with
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @left_with @left_with

tile_kernel void left_open_loop(int *restrict x, int *restrict c, int n)
{
    int drawn = 0, k = 0;
    while (true) {
        k++;
        drawn = DRAW;
        if (k > n)
            break;
    }
    x[drawn / 2] = 1; // @left_open_loop
}

// EXPECT kernel left_open_loop
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires no-wrap:launch
// EXPECT TR001 @left_open_loop @left_open_loop

tile_kernel void left_early(int *restrict x, int *restrict c, int n)
{
    int drawn = 0, k = 0;
    while (true) {
        k++;
        if (k > 3) {
            drawn = DRAW;
            break;
        }
        if (k > n)
            break;
    }
    x[drawn / 2] = 1; // @left_early
}

// EXPECT kernel left_early
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @left_early @left_early

tile_kernel void of_a_branch(int *restrict x, int *restrict c, int n)
{
    int drawn = 0;
    if (n > 0)
        drawn = DRAW;
    x[drawn / 2] = 1; // @of_a_branch
}

// EXPECT kernel of_a_branch
// EXPECT verdict race
// EXPECT observable yes
// EXPECT requires contents-range:standing
// EXPECT TR001 @of_a_branch @of_a_branch

/* Written as a value only. */
tile_kernel void as_data(int *restrict x, int *restrict c)
{
    x[0] = DRAW; // @as_data
}

// EXPECT kernel as_data
// EXPECT verdict conditional
// EXPECT requires grid-axis:race
// EXPECT TR001 @as_data @as_data

tile_kernel void as_data_of_a_loop(int *restrict x, int *restrict c, int n)
{
    int drawn = DRAW;
    for (int i = 0; i < n; i++) {
        x[i] = drawn; // @as_data_of_a_loop
        drawn = drawn + 1;
    }
}

// EXPECT kernel as_data_of_a_loop
// EXPECT verdict conditional
// EXPECT requires grid-axis:race
// EXPECT TR001 @as_data_of_a_loop @as_data_of_a_loop

tile_kernel void as_data_of_a_branch(int *restrict x, int *restrict c, int n)
{
    int drawn = 0;
    if (n > 0)
        drawn = DRAW;
    x[0] = drawn; // @as_data_of_a_branch
}

// EXPECT kernel as_data_of_a_branch
// EXPECT verdict conditional
// EXPECT requires grid-axis:race
// EXPECT TR001 @as_data_of_a_branch @as_data_of_a_branch

tile_kernel void before_a_load(int *restrict x, int *restrict c)
{
    x[0] = DRAW; // @before_a_load
    if (x[1] > 0)
        x[2] = 1; // @before_a_load2
}

// EXPECT kernel before_a_load
// EXPECT verdict conditional
// EXPECT requires grid-axis:race
// EXPECT TR001 @before_a_load @before_a_load
// EXPECT TR015 @before_a_load2 @before_a_load2

/* The loop is left with the update's value, but never goes on with it. */
tile_kernel void as_data_behind_a_loop(int *restrict x, int *restrict c, int n)
{
    int drawn = 0, k = 0;
    while (true) {
        x[drawn + k] = 1; // @as_data_behind_a_loop
        k++;
        if (k > n) {
            drawn = DRAW;
            break;
        }
    }
    x[0] = drawn; // @as_data_behind_a_loop2
}

// EXPECT kernel as_data_behind_a_loop
// EXPECT verdict conditional
// EXPECT requires grid-axis:race no-wrap:launch
// EXPECT TR001 @as_data_behind_a_loop @as_data_behind_a_loop
// EXPECT TR001 @as_data_behind_a_loop @as_data_behind_a_loop2
// EXPECT TR001 @as_data_behind_a_loop2 @as_data_behind_a_loop2

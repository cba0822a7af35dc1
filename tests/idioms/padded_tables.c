/* Pointers from a table that a masked load pads: where the mask is false, each tile block writes
 * through the padding instead. */
#include <tile.h>

tile_kernel void by_another_table(long *restrict table, long *restrict second, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_extent(second, 4);
    tile_regions(table, 64);
    tile_regions(second, 64);
    int b = tile_bid(0);
    tile number = tile_load_masked(tile_pointers(table, b), n > 3, second[0]);
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b); // @by_another_table
}

// EXPECT kernel by_another_table
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @by_another_table @by_another_table

tile_kernel void by_a_product(long *restrict table, long *restrict second, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_extent(second, 4);
    tile_regions(table, 64);
    tile_regions(second, 64);
    int b = tile_bid(0);
    tile number = tile_load_masked(tile_pointers(table, b), n > 3, 1L * second[0]);
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b); // @by_a_product
}

// EXPECT kernel by_a_product
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @by_a_product @by_a_product

tile_kernel void by_its_own_table(long *restrict table, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_regions(table, 64);
    int b = tile_bid(0);
    tile number = tile_load_masked(tile_pointers(table, b), n > 3, table[0]);
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b); // @by_its_own_table
}

// EXPECT kernel by_its_own_table
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @by_its_own_table @by_its_own_table

tile_kernel void by_one_of_several(long *restrict table, long *restrict second, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_extent(second, 4);
    tile_regions(table, 64);
    tile_regions(second, 64);
    int b = tile_bid(0);
    tile number =
        tile_load_masked(tile_pointers(table, b), n > 3, b > 2 ? table[b] : second[b / 2]);
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b); // @by_one_of_several
}

// EXPECT kernel by_one_of_several
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @by_one_of_several @by_one_of_several

tile_kernel void one_of_many(long *restrict table, long *restrict second, int n)
{
    tile_grid(4);
    tile_extent(table, 16);
    tile_extent(second, 4);
    tile_regions(table, 64);
    tile_regions(second, 64);
    int b = tile_bid(0);
    tile lanes = tile_iota(4);
    tile numbers =
        tile_load_masked(tile_pointers(table, 4 * b + lanes), tile_lt(lanes, n), second[0]);
    tile number = tile_extract(numbers, tile_shape(1), 2);
    tile_store_ptr(tile_int_to_ptr(tile_reshape(number), float), (float)b); // @one_of_many
}

// EXPECT kernel one_of_many
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @one_of_many @one_of_many

tile_kernel void never_padded(long *restrict table, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_regions(table, 64);
    tile_assume(n > 3);
    int b = tile_bid(0);
    tile number = tile_load_masked(tile_pointers(table, b), n > 3, 0L);
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b);
}

// EXPECT kernel never_padded
// EXPECT verdict race-free

/* Chosen from two elements of a table, or of two tables. */
tile_kernel void chosen_elements(long *restrict table, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_regions(table, 64);
    int b = tile_bid(0);
    long number = n > 3 ? table[b] : table[0];
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b); // @chosen_elements
}

// EXPECT kernel chosen_elements
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @chosen_elements @chosen_elements

tile_kernel void chosen_tables(long *restrict table, long *restrict second, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_extent(second, 4);
    tile_regions(table, 64);
    tile_regions(second, 64);
    int b = tile_bid(0);
    long number = n > 3 ? table[b] : second[0];
    tile_store_ptr(tile_int_to_ptr(number, float), (float)b); // @chosen_tables
}

// EXPECT kernel chosen_tables
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @chosen_tables @chosen_tables

/* An element whose number two tile blocks share. */
tile_kernel void shared_elements(long *restrict table)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_regions(table, 64);
    int b = tile_bid(0);
    tile_store_ptr(tile_int_to_ptr(table[b / 2], float), (float)b); // @shared_elements
}

// EXPECT kernel shared_elements
// EXPECT verdict race
// EXPECT observable yes
// EXPECT TR001 @shared_elements @shared_elements

/* Beyond the view's end a number is read that addresses nothing. */
tile_kernel void behind_the_end(long *restrict table, int n)
{
    tile_grid(4);
    tile_extent(table, n);
    tile_regions(table, 64);
    tile_assume(12 < n && n <= 16);
    int b = tile_bid(0);
    tile numbers = tile_load(tile_partition(tile_tensor(table, n), 4), b);
    tile number = tile_extract(numbers, tile_shape(1), 2);
    tile_store_ptr(tile_int_to_ptr(tile_reshape(number), float), (float)b);
}

// EXPECT kernel behind_the_end
// EXPECT verdict race-free

/* The null pointer where the mask is false: it is stored through where the mask is true. */
tile_kernel void by_null(long *restrict table, int n)
{
    tile_grid(4);
    tile_extent(table, 4);
    tile_regions(table, 64);
    int b = tile_bid(0);
    tile number = tile_load_masked(tile_pointers(table, b), n > b, 0L);
    if (n > b)
        tile_store_ptr(tile_int_to_ptr(number, float), (float)b);
}

// EXPECT kernel by_null
// EXPECT verdict unknown
// EXPECT reason data-dependent

/* A compared buffer as a grid of tiles. */
#ifndef RUN_TILES_H
#define RUN_TILES_H

#include "run/report.h"

/* Returns the grid of tiles with its heat; a grid of pieces if shape or tile are not known, or if
 * there are too many tiles. NULL: nothing was compared. */
run_tiles *run_tiles_of(tr_arena *arena, const gpu_buffer *buffer, const gpu_output *output,
                        unsigned runs);
/* How often each element of a tile differed, row-major over what of it lies in the shape: a digit
 * of base 64 (RFC 4648) each, 0 for never and 63 for every run. */
void run_tile_digits(const run_tiles *tiles, size_t tile, const uint16_t *heat, unsigned runs,
                     tr_text *digits);
/* Adds to the report who wrote each tile, and which blocks touched the elements that differ. */
void run_take_blocks(tr_arena *arena, const gpu_plan *plan, const gpu_blocks *blocks,
                     run_report *report);

#endif

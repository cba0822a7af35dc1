/* The picture of who writes which tile of a kernel's outputs at one concrete launch: what the HTML
 * report draws.
 *
 * The launch is that of the witness where a finding has one, else a small one that meets the
 * contract and what the verdict requires. The interpreter runs it, in a bounded number of steps,
 * and every write of every tile block is followed element by element. */
#ifndef CHECKING_PICTURE_H
#define CHECKING_PICTURE_H

#include "inputs/load.h"
#include "session/session.h"

/* The picture of a kernel that was checked, as JSON in the input's arena; never NULL. To be made
 * when all kernels of the input are checked, so that none of their proofs sees terms of it.
 *
 *     words    sentences that say the same as the picture
 *     why      why there is none; then nothing else is there but `words`
 *     launch   {words, grid: [x, y, z], from_one, from: "witness" or "search", rule: code or null};
 *              from_one: people count from 1, and name the fastest dimension first (Julia)
 *     part     true: two tile blocks alone were run
 *     buffers  [{name, flat, shape, tile, counts, merged, cells}], each an array that is written:
 *              `counts` cells along each dimension, row-major; each stands for merged[d] tiles
 * along dimension d; `flat`: its shape is not known, so it is cut into pieces cells    {owners:
 * [[tile block, ...], ...], twice, race, unwritten, atomic: [count, ...]}: for each cell the tile
 * blocks that write it (linear ids, ascending), and how many of its elements are written by two
 * tile blocks and not by atomics alone, have a write in a race, are written by nobody, are written
 * by several tile blocks by atomics witness  null or {buffer, element, cell, blocks: [a, b],
 * words}: `cell` -1: of no buffer here */
const char *picture_make(const session *s, loaded *input, const loaded_kernel *kernel,
                         const kernel_report *report);

#endif

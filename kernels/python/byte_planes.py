"""The top byte of each number, and the bytes of the number rounded to half its bits."""

import cuda.tile as ct


@ct.kernel
def byte_planes(x, top, short, TILE: ct.Constant[int]):
    row, c = ct.bid(0), ct.bid(1)
    tile = ct.load(x, (row, c), shape=(1, TILE), padding_mode=ct.PaddingMode.ZERO)
    bits = ct.bitcast(tile.reshape((TILE,)), ct.int32)
    high = ct.astype((bits >> 24) & 255, ct.uint8)
    ct.store(top, (row, c), high.reshape((1, TILE)))
    packed = ct.pack_to_bytes(ct.astype(tile, ct.float16).reshape((TILE,)))
    ct.store(short, (row, c), packed.reshape((1, 2 * TILE)))


SIGNATURE = {"x": "f32[2]", "top": "u8[2]", "short": "u8[2]", "TILE": 128}

# EXPECT verdict race-free

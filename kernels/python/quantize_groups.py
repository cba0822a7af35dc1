"""Numbers in groups, each scaled to its largest. Elements behind a group's end are sent to
`nowhere`, which is meant to lie behind the array's end; scales lie column by column."""

import cuda.tile as ct


@ct.kernel
def quantize_groups(
    x, y, scale, group: int, stride: int, nowhere: int, TILE: ct.Constant[int],
    PER_ROW: ct.Constant[int]
):
    number = ct.bid(0)
    inner = ct.arange(TILE, dtype=ct.int32)
    place = ct.where(inner < group, number * group + inner, nowhere)
    values = ct.gather(x, (place,), padding_value=0)
    largest = ct.max(ct.abs(values), axis=0)
    ct.scatter(y, (place,), values / largest)  # @values
    ct.scatter(scale, (number % PER_ROW * stride + number // PER_ROW,), largest)  # @scale


SIGNATURE = {
    "x": "f32[1]", "y": "f32[1]", "scale": "f32[1]", "group": "i32", "stride": "i32",
    "nowhere": "i32", "TILE": 64, "PER_ROW": 16,
}

# `nowhere` inside the array is written by all lanes, more columns than the stride overlap, and groups
# meet where their places wrap.
# EXPECT verdict conditional
# EXPECT TR004 @values
# EXPECT TR001 @values @values
# EXPECT TR001 @scale @scale
# EXPECT TR001 @scale @scale
# EXPECT requires grid-bound:race in-bounds:race no-wrap

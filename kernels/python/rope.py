"""Rotary position embedding of queries and keys in place, all heads of a position in one block."""

import cuda.tile as ct


def turn(x, batch, s, c, d, HEADS, HALF):
    low = ct.load(x, (batch, 0, s, 0), shape=(1, HEADS, 1, HALF))
    high = ct.load(x, (batch, 0, s, 1), shape=(1, HEADS, 1, HALF))
    ct.store(x, (batch, 0, s, 0), low * c - high * d)
    ct.store(x, (batch, 0, s, 1), high * c + low * d)


@ct.kernel
def rope(
    q, k, cosine, sine, HEADS: ct.Constant[int], KEY_HEADS: ct.Constant[int],
    HALF: ct.Constant[int]
):
    batch, s = ct.bid(0) // cosine.shape[0], ct.bid(0) % cosine.shape[0]
    c = ct.load(cosine, (s, 0), shape=(1, HALF)).reshape((1, 1, 1, HALF))
    d = ct.load(sine, (s, 0), shape=(1, HALF)).reshape((1, 1, 1, HALF))
    turn(q, batch, s, c, d, HEADS, HALF)
    turn(k, batch, s, c, d, KEY_HEADS, HALF)


SIGNATURE = {
    "q": "f32[4]", "k": "f32[4]", "cosine": "f32[2]", "sine": "f32[2]", "HEADS": 16,
    "KEY_HEADS": 4, "HALF": 32,
}

# EXPECT verdict race-free

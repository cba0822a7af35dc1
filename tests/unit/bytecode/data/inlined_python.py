# A kernel whose load lies in a function that is inlined.
import cuda.tile as ct

SIGNATURE = {"source": "f32[1]", "target": "f32[1]"}


def twice(source, index):
    loaded = ct.load(source, (index,), (16,))
    return loaded + loaded


@ct.kernel
def inlined(source, target):
    block = ct.bid(0)
    ct.store(target, (block,), twice(source, block))

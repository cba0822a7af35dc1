"""Kernels that the other programs launch."""
import cuda.tile as ct

Int = ct.Constant[int]


@ct.kernel
def add(a, b, out, width: Int):
    i = ct.bid(0)
    ct.store(out, i, ct.load(a, i, width) + ct.load(b, i, width))


@ct.kernel
def scale(data, by: float, count: int, width: Int):
    i = ct.bid(0)
    if i < count:
        ct.store(data, i, ct.load(data, i, width) * by)


@ct.kernel
def add_pair(pair, out, width: Int):
    i = ct.bid(0)
    ct.store(out, i, ct.load(pair[0], i, width) + ct.load(pair[1], i, width))


@ct.kernel
def sum_list(arrays, out, width: Int):
    i = ct.bid(0)
    total = ct.zeros((width,), ct.float32)
    for k in range(len(arrays)):
        total += ct.load(arrays[k], i, width)
    ct.store(out, i, total)


@ct.kernel
def transpose(source, target, width: Int):
    i, j = ct.bid(0), ct.bid(1)
    ct.store(target, (j, i), ct.transpose(ct.load(source, (i, j), (width, width))))


@ct.kernel
def waits(out, width: Int):
    ct.grid_dependency_control_wait()
    ct.store(out, ct.bid(0), ct.zeros((width,), ct.float32))

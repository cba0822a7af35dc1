"""What the front end says of arguments that it refuses."""
import numpy as np

import cuda.tile as ct
from kernels import add, sum_list


class Device:
    """An array on a device that the driver does not have."""

    def __init__(self, error=None):
        self.error = error

    def __dlpack_device__(self):
        return 10, 0

    def __dlpack__(self, **keywords):
        raise BufferError("no such device, " + repr(keywords))


class Meta(Device):
    def __dlpack_device__(self):
        raise BufferError("no device at all")


class Fails:
    @property
    def __class__(self):
        raise RuntimeError("who asks?")


device = Device()
for words in [
    (),
    (0, (1,), add),
    (0, [1], add, (device, device, device, 16)),
    (0, (1, 1, 1, 1), add, (device, device, device, 16)),
    (0, (1 << 40,), add, (device, device, device, 16)),
    (0, (1 << 24,), add, (device, device, device, 16)),
    ("stream", (1,), add, (device, device, device, 16)),
    (0, (1,), "kernel", (device, device, device, 16)),
    (0, (1,), add, [device, device, device, 16]),
    (0, (1,), add, (device, device, device)),
    (0, (1,), add, (device, device, device, 16)),
    (0, (1,), add, (Meta(), device, device, 16)),
    (0, (1,), add, (None, device, device, 16)),
    (0, (1,), add, ("text", device, device, 16)),
    (0, (1,), add, (Fails(), device, device, 16)),
    (0, (1,), add, (np.float32(1), device, device, 16)),
    (0, (1,), add, (np.array(["a"], dtype=object), device, device, 16)),
    (0, (1,), add, (np.zeros(4, ">f4"), device, device, 16)),
    (0, (1,), add, (device, device, device, 16.5)),
    (0, (1,), add, (device, device, device, "16")),
    (0, (1,), add, (device, device, device, np.zeros(1, np.int32))),
    (0, (1,), add, (device, device, device, [np.zeros(1, np.int32)])),
    (0, (1,), add, (device, device, device, (16,))),
    (0, (1,), sum_list, ([], device, 16)),
    (0, (1,), sum_list, ([1, 2], device, 16)),
    (0, (1,), sum_list, ([None], device, 16)),
]:
    try:
        ct.launch(*words)
    except Exception as error:
        print(type(error).__name__, error)
try:
    ct.launch(0, (1,), add, (1, 2, 3, 16), no_such_keyword=1)
except Exception as error:
    print(type(error).__name__, error)
try:
    add()
except Exception as error:
    print(type(error).__name__, error)
print(ct.launch, ct.launch.__name__, ct.launch.__doc__)

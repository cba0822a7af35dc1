"""Launches that are executed on the interpreter: inside of `with tilerace.interpret():`, or all of
them where TILERACE is "interpret"."""
import os
import sys
import threading

from tilerace_capture import recorder

STOPS, WRITTEN_WHOLLY = 16, 32  # of wire_launch_flags
HOST = 1  # DLPack's device type

OUTSIDE = ("this launch lies outside of `with tilerace.interpret():`, for which this process has a "
           "stand-in driver: it would not run")

is_only_inside = False  # set by the package tilerace: the driver was opened for these blocks alone

_lock = threading.Lock()
_blocks = []  # that are open, in all threads; the last one counts


class Block:
    """The settings for the launches in a block."""

    def __init__(self, findings, written_wholly):
        self.findings = findings
        self.asks = ((STOPS if findings == "error" else 0) |
                     (WRITTEN_WHOLLY if written_wholly else 0))

    def open(self):
        with _lock:
            _blocks.append(self)

    def close(self):
        with _lock:
            _blocks.remove(self)


_always = Block("error", False) if os.environ.get("TILERACE") == "interpret" else None


def block():
    """The settings that hold for a launch made now; None: nothing is asked of it."""
    try:
        return _blocks[-1]
    except IndexError:
        pass
    if is_only_inside:
        raise RuntimeError(OUTSIDE)
    return _always


def _each(arguments, name=""):
    for number, item in enumerate(arguments):
        of = "%s[%d]" % (name, number) if name else "argument %d" % number
        if isinstance(item, (tuple, list)):
            yield from _each(item, of)
        else:
            yield of, item


def _numpy():
    return getattr(sys.modules.get("numpy"), "ndarray", ())


def _what_is_wrong(item):
    """Says why an argument of a launch cannot be read; None: no reason is seen here."""
    if isinstance(item, _numpy()):
        if item.dtype.kind not in "iufcbV":
            return "has elements of type %s, which no kernel takes" % item.dtype
        if not item.dtype.isnative:
            return "has elements of another byte order (%s)" % item.dtype
        return None
    try:
        device = item.__dlpack_device__()[0] if hasattr(item, "__dlpack_device__") else None
    except Exception:
        device = None
    if hasattr(item, "__cuda_array_interface__") and device is None:
        device = 0
    if device is not None and device != HOST and not getattr(item, "is_cpu", False):
        return "is an array of another device: launches on the interpreter take arrays of the host"
    return None


def look_at(arguments):
    """A TypeError for arrays that cannot be passed to the interpreter."""
    if not arguments or not isinstance(arguments[0], tuple):
        return
    for name, item in _each(arguments[0]):
        wrong = None if isinstance(item, (int, float, bool)) else _what_is_wrong(item)
        if wrong is not None:
            raise TypeError("%s of the launch %s" % (name, wrong))


def _span(array):
    """Address and bytes of the memory that a NumPy array may touch."""
    low = high = array.__array_interface__["data"][0]
    for extent, stride in zip(array.shape, array.strides):
        if extent == 0:
            return low, 0
        low += min(0, stride * (extent - 1))
        high += max(0, stride * (extent - 1))
    return low, high + array.itemsize - low


def keep_read_only(arguments):
    """The launch that comes next must not write to arrays that are read-only."""
    if not arguments or not isinstance(arguments[0], tuple):
        return
    array = _numpy()
    for _, item in _each(arguments[0]):
        source = getattr(item, "source", item)  # of a wrapper (arrays.py)
        if isinstance(source, array) and not source.flags.writeable:
            recorder.read_only(*_span(source))

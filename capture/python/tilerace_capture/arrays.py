"""Arrays in host memory as a front end under the stand-in driver wants them: on a CUDA device.

The stand-in driver's device memory is host memory, so the array's own memory is passed on, in a
DLPack tensor that says "CUDA device 0". What is no array in host memory is left alone, so that the
front end itself judges it.
"""
import array
import ctypes
import sys

from tilerace_capture import recorder

CUDA, HOST = 2, 1  # DLPack's device types
# DLPack's codes of types; a further one is a number that no front end knows.
SIGNED, UNSIGNED, FLOAT, BFLOAT, COMPLEX, BOOL = 0, 1, 2, 4, 5, 6
CODES = {
    "bfloat16": BFLOAT, "float8_e3m4": 7, "float8_e4m3": 8, "float8_e4m3b11fnuz": 9,
    "float8_e4m3fn": 10, "float8_e4m3fnuz": 11, "float8_e5m2": 12, "float8_e5m2fnuz": 13,
    "float8_e8m0fnu": 14,
}
KINDS = {"i": SIGNED, "u": UNSIGNED, "f": FLOAT, "c": COMPLEX, "b": BOOL}

_new_capsule = ctypes.pythonapi.PyCapsule_New
_new_capsule.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_new_capsule.restype = ctypes.py_object
_capsule_pointer = ctypes.pythonapi.PyCapsule_GetPointer
_capsule_pointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_capsule_pointer.restype = ctypes.c_void_p
# A consumer calls the tensor's deleter without asking whether there is one. The memory belongs to
# the wrapper, so any C function does that has no effect.
_deleter = ctypes.cast(ctypes.pythonapi.Py_IsInitialized, ctypes.c_void_p).value

WORDS = 8  # of a DLManagedTensor: data, device, rank and type, shape, strides, offset, two of its own


class Wrapper:
    """An array of the program. A subclass for each type, of the same name, since front ends name
    the type of an argument in their messages."""

    __slots__ = ("tensor", "source")

    def __dlpack__(self, *, stream=None, **_):
        return _new_capsule(self.tensor.buffer_info()[0], b"dltensor", None)

    def __dlpack_device__(self):
        return CUDA, 0


class Foreign(Wrapper):
    """An array that exports itself; only its device is changed."""

    __slots__ = ()

    def __dlpack__(self, *, stream=None, **_):
        capsule = self.source.__dlpack__()
        device = _capsule_pointer(capsule, b"dltensor") + ctypes.sizeof(ctypes.c_void_p)
        ctypes.c_int32.from_address(device).value = CUDA
        ctypes.c_int32.from_address(device + 4).value = 0
        return capsule


def _tensor(data, code, bits, shape, strides):
    """A DLManagedTensor, with its shape and strides behind it."""
    rank = len(shape)
    tensor = array.array("q", (data, CUDA, rank | code << 32 | bits << 40 | 1 << 48, 0, 0, 0, 0,
                               _deleter, *shape, *strides))
    address = tensor.buffer_info()[0]
    tensor[3] = address + 8 * WORDS
    tensor[4] = address + 8 * (WORDS + rank)
    return tensor


_numpy_types = {}  # dtype -> (code, bits, bytes); None: a front end could not take it


def _numpy_type(dtype):
    try:
        return _numpy_types[dtype]
    except KeyError:
        code = CODES.get(dtype.name, KINDS.get(dtype.kind))
        known = code is not None and dtype.isnative and dtype.itemsize < 32
        is_type = (code, 8 * dtype.itemsize, dtype.itemsize) if known else None
        return _numpy_types.setdefault(dtype, is_type)


def _wrap_numpy(wrapper, source):
    is_type = _numpy_type(source.dtype)
    if is_type is None:
        return source
    code, bits, size = is_type
    strides = source.strides
    if size != 1:
        if any(stride % size for stride in strides):
            return source
        strides = [stride // size for stride in strides]
    wrapped = wrapper()
    wrapped.source = source
    wrapped.tensor = _tensor(source.__array_interface__["data"][0], code, bits, source.shape,
                             strides)
    return wrapped


def _torch_type(dtype):
    """(code, bits); None: a front end could not take it."""
    name = str(dtype).rpartition(".")[2]
    if name in CODES:
        return CODES[name], 8 * dtype.itemsize
    if name == "bool":
        return BOOL, 8
    for prefix, code in (("float", FLOAT), ("int", SIGNED), ("uint", UNSIGNED),
                         ("complex", COMPLEX)):
        if name.startswith(prefix) and name[len(prefix):].isdigit():
            bits = int(name[len(prefix):])
            return (code, bits) if bits >= 8 else None
    return None


_torch_types = {}


def _wrap_torch(wrapper, source):
    with sys.modules["torch"]._C.DisableTorchFunction():  # what the tensor is, whatever it says
        if source.device.type != "cpu" or source.is_conj() or source.is_neg():
            return source
        dtype, data = source.dtype, source.data_ptr()
        shape, strides, count = source.shape, source.stride(), source.numel()
    if dtype not in _torch_types:
        _torch_types[dtype] = _torch_type(dtype)
    is_type = _torch_types[dtype]
    if is_type is None or (not data and count):
        return source
    wrapped = wrapper()
    wrapped.source = source
    wrapped.tensor = _tensor(data, *is_type, shape, strides)
    return wrapped


def _wrap_foreign(wrapper, source):
    if source.__dlpack_device__()[0] != HOST:
        return source
    wrapped = wrapper()
    wrapped.source = source
    return wrapped


def _wrap_tuple(_, source):
    return tuple([wrap(item) for item in source])


def _wrap_list(_, source):
    return [wrap(item) for item in source]


def _subclass(of, module, name):
    """Whether the type `of` is the class `name` of a module that the program has imported."""
    loaded = sys.modules.get(module)
    wanted = getattr(loaded, name, None)
    return isinstance(wanted, type) and issubclass(of, wanted)


def _way(of):
    """(function, wrapper class) for arguments of this type, None for those that are left alone."""
    if of is tuple:
        return _wrap_tuple, None
    if issubclass(of, list):
        return _wrap_list, None
    if _subclass(of, "numpy", "ndarray"):
        return _wrap_numpy, _class(Wrapper, of, _numpy_name(of))
    if _subclass(of, "torch", "Tensor"):
        return _wrap_torch, _class(Wrapper, of, of.__name__)
    if hasattr(of, "__dlpack__") and hasattr(of, "__dlpack_device__") \
            and not issubclass(of, Wrapper):
        return _wrap_foreign, _class(Foreign, of, of.__name__)
    return None


def _numpy_name(of):
    """Returns the type's name as messages of NumPy give it: the name of a type that is written in C includes its
    module."""
    return "numpy.ndarray" if of.__name__ == "ndarray" else of.__name__


def _class(base, of, name):
    return type(name, (base,), {"__slots__": (), "__module__": of.__module__})


_ways = {}  # type -> what _way gave; types live as long as the process, as front ends keep them


def wrap(source):
    """`source`, or what stands for it on the stand-in's device."""
    of = type(source)
    try:
        way = _ways[of]
    except KeyError:
        way = _ways[of] = _way(of)
    if way is None:
        return source
    try:
        return way[0](way[1], source)
    except Exception as error:  # the front end says what is wrong with it
        recorder.leave_to_program(error)
        return source

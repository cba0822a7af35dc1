"""Arguments of launches, as the library takes them."""
from __future__ import annotations

import ctypes
import operator
import sys
from dataclasses import dataclass
from typing import Any, List, Mapping, Optional, Sequence, Tuple, Union

from tilerace import _library
from tilerace._results import InputError, Kernel, Parameter, ParameterKind, Part

Grid = Union[int, Sequence[int]]
Arguments = Union[Sequence[Any], Mapping[str, Any]]


@dataclass(frozen=True)
class Buffer:
    """The memory behind a pointer of a launch, for a launch without an array object."""

    address: int  #: as the launch passes it; it is compared, and never read
    size: Optional[int] = None  #: bytes from there on; None: overlaps and sizes are not checked
    contents: Optional[bytes] = None


def grid_of(grid: Grid) -> Tuple[int, int, int]:
    """Returns the three extents of a grid."""
    if isinstance(grid, (str, bytes)):
        raise TypeError("a grid is an int or up to three of them, not %s" % type(grid).__name__)
    try:
        extents = [operator.index(grid)]  # type: ignore[arg-type]
    except TypeError:
        try:
            extents = [operator.index(extent) for extent in grid]  # type: ignore[union-attr]
        except TypeError:
            raise TypeError("a grid is an int or up to three of them, not %r" % (grid,)) from None
    if not 1 <= len(extents) <= 3:
        raise InputError("a grid has one to three extents, not %d" % len(extents))
    for extent in extents:
        if not 0 <= extent < 1 << 31:
            raise InputError("an extent of a grid is from 0 to 2147483647, not %d" % extent)
    x, y, z = extents + [1] * (3 - len(extents))
    return x, y, z


# ---- Memory of arrays ----


@dataclass(frozen=True)
class Memory:
    """The memory of an array: where its elements are."""

    address: int  # of its first element
    element_bytes: int
    shape: Tuple[int, ...]
    strides: Tuple[int, ...]  # in elements
    dtype: str  # "float32"
    is_host: bool  # can be read here

    @property
    def span(self) -> Optional[int]:
        """Bytes from the first element to behind the last one; None: elements lie before the first."""
        if 0 in self.shape:
            return 0
        if any(stride < 0 for stride in self.strides):
            return None
        return self.element_bytes * (1 + sum((extent - 1) * stride for extent, stride
                                             in zip(self.shape, self.strides)))


def packed(shape: Sequence[int]) -> Tuple[int, ...]:
    """Strides of elements that lie one behind the other."""
    strides: List[int] = []
    stride = 1
    for extent in reversed(shape):
        strides.append(stride)
        stride *= extent
    return tuple(reversed(strides))


_KINDS = {"b": "bool", "f": "float", "i": "int", "u": "uint", "c": "complex"}


def _of_interface(interface: Mapping[str, Any], is_host: bool) -> Memory:
    """Reads `__array_interface__` or `__cuda_array_interface__`."""
    kind, size = interface["typestr"][1], int(interface["typestr"][2:])
    dtype = _KINDS.get(kind, kind) + ("" if kind == "b" else str(8 * size))
    shape = tuple(interface["shape"])
    if interface.get("strides") is None:
        strides = packed(shape)
    else:
        strides = tuple(stride // size for stride in interface["strides"])
    return Memory(interface["data"][0], size, shape, strides, dtype, is_host)


def _of_numpy(array: Any) -> Memory:
    """Its interface leaves out the strides where they do not matter to NumPy."""
    dtype = array.dtype
    name = dtype.name if dtype.isnative else "of another byte order"
    size = max(dtype.itemsize, 1)
    if any(stride % size for stride in array.strides):
        raise InputError("the strides of an array are not multiples of its element size")
    return Memory(array.__array_interface__["data"][0], size, array.shape,
                  tuple(stride // size for stride in array.strides), name, True)


def _is_number(value: Any) -> bool:
    numpy = sys.modules.get("numpy")
    return isinstance(value, (int, float)) or (numpy is not None
                                               and isinstance(value, numpy.generic))


def memory_of(value: Any) -> Optional[Memory]:
    """None: it is no array whose memory is known here."""
    if _is_number(value):
        return None
    if hasattr(value, "data_ptr") and hasattr(value, "element_size"):  # PyTorch's tensors
        return Memory(value.data_ptr(), value.element_size(), tuple(value.shape),
                      tuple(value.stride()), str(value.dtype).rpartition(".")[2],
                      value.device.type == "cpu")
    numpy = sys.modules.get("numpy")
    if numpy is not None and isinstance(value, numpy.ndarray):
        return _of_numpy(value)
    if hasattr(value, "__array_interface__"):
        return _of_interface(value.__array_interface__, True)
    if hasattr(value, "__cuda_array_interface__"):
        return _of_interface(value.__cuda_array_interface__, False)
    return None


# ---- One parameter ----


class Flat:
    """The arguments of a launch, one for each parameter of the kernel."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel
        self.items: List[_library.Argument] = []
        self.kept: List[Any] = []  # what the items point to

    def _next(self) -> Parameter:
        if len(self.items) == len(self.kernel.parameters):
            raise InputError("the launch passes more than the %d parameters of '%s'"
                             % (len(self.items), self.kernel.name))
        return self.kernel.parameters[len(self.items)]

    def add(self, value: Any) -> None:
        """The next parameter's argument."""
        p = self._next()
        if p.kind is ParameterKind.POINTER:
            self._add_pointer(p, value)
        elif p.kind is ParameterKind.FLOAT:
            self._add_float(p, value)
        else:
            self._add_integer(p, value)

    def _add_integer(self, p: Parameter, value: Any) -> None:
        try:
            number = int(value) if _is_number(value) and not isinstance(value, float) \
                else operator.index(value)
        except TypeError:
            raise TypeError("'%s' is an integer, not %s" % (p.name, type(value).__name__)) from None
        if not -1 << 63 <= number < 1 << 64:
            raise InputError("'%s' is %d, which no integer of 64 bits can be" % (p.name, number))
        self.items.append(_library.Argument(integer=number))  # of an unsigned one its word

    def _add_float(self, p: Parameter, value: Any) -> None:
        try:
            if isinstance(value, (str, bytes)):
                raise TypeError
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            raise TypeError("'%s' is a number, not %s" % (p.name, type(value).__name__)) from None
        self.items.append(_library.Argument(number=number))

    def _add_pointer(self, p: Parameter, value: Any) -> None:
        memory = memory_of(value)
        if value is None:
            self.add_memory(0, 0)
        elif memory is not None:
            if p.element_bytes and memory.element_bytes != p.element_bytes:
                raise InputError("the elements of '%s' have %d bytes, and '%s' takes such of %d"
                                 % (p.name, memory.element_bytes, self.kernel.name,
                                    p.element_bytes))
            self.add_memory(memory.address, memory.span,
                            memory.address if memory.is_host and memory.span else None)
            self.kept.append(value)
        elif isinstance(value, Buffer):
            contents = None
            if value.contents is not None:
                self.kept.append(ctypes.create_string_buffer(bytes(value.contents),
                                                             max(len(value.contents), 1)))
                contents = ctypes.addressof(self.kept[-1])
            self.add_memory(value.address, value.size, contents,
                            0 if value.contents is None else len(value.contents))
        elif isinstance(value, int) and not isinstance(value, bool):
            self.add_memory(value, None)
        else:
            raise TypeError(
                "'%s' is a pointer: a NumPy array, a PyTorch tensor, an object with "
                "__cuda_array_interface__, a tilerace.Buffer or an address, not %s"
                % (p.name, type(value).__name__))

    def add_memory(self, address: int, size: Optional[int], contents: Optional[int] = None,
                   contents_bytes: Optional[int] = None) -> None:
        for number in (address, size or 0):
            if not isinstance(number, int) or not 0 <= number < 1 << 64:
                raise InputError("addresses and sizes are integers of 64 bits, not %r" % (number,))
        known = size if contents_bytes is None else contents_bytes
        self.items.append(_library.Argument(
            address=address, bytes=size or 0, bytes_known=size is not None, contents=contents,
            contents_bytes=(known or 0) if contents is not None else 0))

    def add_array(self, value: Any, rank: int, name: str) -> None:
        """An array that is a pointer, its extents and its strides."""
        memory = memory_of(value)
        if memory is None:
            raise TypeError("'%s' is an array, not %s" % (name, type(value).__name__))
        if len(memory.shape) != rank:
            raise InputError("'%s' has %d dimensions, and the kernel takes %d"
                             % (name, len(memory.shape), rank))
        self.add(value)
        for number in memory.shape + memory.strides:
            self.add(number)

    def add_table(self, values: Any, rank: int, name: str) -> None:
        """A list of arrays: a pointer to rows of words, and how many there are."""
        words: List[int] = []
        for number, value in enumerate(values):
            memory = memory_of(value)
            if memory is None or len(memory.shape) != rank:
                raise TypeError("'%s[%d]' is an array of %d dimensions, not %s"
                                % (name, number, rank, type(value).__name__))
            words += [memory.address, *memory.shape, *memory.strides]
        table = (ctypes.c_int64 * max(len(words), 1))(*words)
        self.kept += [table, values]
        address = ctypes.addressof(table)
        self._next()
        self.add_memory(address, 8 * len(words), address)
        self.add(len(values))


# ---- All of them ----


def _groups(kernel: Kernel) -> List[Tuple[int, List[int]]]:
    """Parameters as the host's language passes them: numbers of a parameter and, of an array, of
    its extents and strides."""
    groups: List[Tuple[int, List[int]]] = []
    for i, p in enumerate(kernel.parameters):
        is_part = p.part in (Part.EXTENT, Part.STRIDE)
        if is_part and groups and groups[-1][0] == p.array:
            groups[-1][1].append(i)
        else:
            groups.append((i, []))
    return groups


def _add_group(flat: Flat, group: Tuple[int, List[int]], value: Any) -> None:
    parts = [flat.kernel.parameters[i] for i in group[1]]
    memory = memory_of(value) if parts else None
    if parts and memory is None:
        raise TypeError("'%s' is an array, not %s; or pass one argument for each of the %d "
                        "parameters" % (flat.kernel.parameters[group[0]].name,
                                        type(value).__name__, len(flat.kernel.parameters)))
    flat.add(value)
    for p in parts:
        assert memory is not None
        of = memory.shape if p.part is Part.EXTENT else memory.strides
        if p.dimension >= len(of):
            raise InputError("'%s' has %d dimensions, and '%s' takes more"
                             % (flat.kernel.parameters[group[0]].name, len(of),
                                flat.kernel.name))
        flat.add(of[p.dimension])


def _in_order(kernel: Kernel, args: Mapping[str, Any]) -> List[Any]:
    """Arguments that are given by name, of groups or of single parameters."""
    groups = _groups(kernel)
    by_group = [kernel.parameters[first].name for first, _ in groups]
    names = by_group if set(args) == set(by_group) else [p.name for p in kernel.parameters]
    missing = [name for name in names if name not in args]
    unknown = [name for name in args if name not in names]
    if missing or unknown:
        what = "no argument for " if missing else "an argument for a parameter that is none: "
        raise InputError("the launch of '%s' has %s'%s'; the parameters are %s"
                         % (kernel.name, what, (missing or unknown)[0], ", ".join(names)))
    return [args[name] for name in names]


def flat_of(kernel: Kernel, args: Arguments) -> Flat:
    """`args`: by name or in order; one for each parameter, or one for each array and scalar."""
    if isinstance(args, (str, bytes)) or not isinstance(args, (Sequence, Mapping)):
        raise TypeError("the arguments of a launch are a sequence, or a dict by name, not %s"
                        % type(args).__name__)
    values = _in_order(kernel, args) if isinstance(args, Mapping) else list(args)
    flat = Flat(kernel)
    groups = _groups(kernel)
    if len(values) == len(kernel.parameters):
        for value in values:
            flat.add(value)
    elif len(values) == len(groups):
        for group, value in zip(groups, values):
            _add_group(flat, group, value)
    else:
        counts = sorted({len(groups), len(kernel.parameters)})
        raise InputError("'%s' takes %s arguments (%s), and the launch passes %d" % (
            kernel.name, " or ".join(str(count) for count in counts),
            ", ".join(p.name for p in kernel.parameters), len(values)))
    return flat

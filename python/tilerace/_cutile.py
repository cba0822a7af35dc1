"""Kernels of cuTile Python, compiled for arguments without a GPU and without the assembler."""
from __future__ import annotations

import importlib
import importlib.util
import io
import os
import sys
from typing import Any, Callable, Dict, Iterator, List, Mapping, Optional, Sequence, Tuple, Union

from tilerace import _library
from tilerace._arguments import Flat, Memory, memory_of
from tilerace._results import InputError, Kernel


def is_kernel(what: object) -> bool:
    """Whether it is one; the front end is not imported for it."""
    front_end = sys.modules.get("cuda.tile")
    of = getattr(front_end, "kernel", None)
    return isinstance(of, type) and isinstance(what, of)


def _front_end(module: str = "") -> Any:
    """A module of the front end, which has no types for those who lack it."""
    return importlib.import_module("cuda.tile" + (module and "." + module))


# ---- Constraints ----
#
# The front end finds them by itself, but not without a driver, and which one it opens is for the
# process's first launch to decide. A test holds these against the front end's own.


def _may_alias_internally(memory: Memory) -> bool:
    """Unless the elements along each axis lie behind those along the axes of smaller strides."""
    behind = 1
    for stride, extent in sorted(zip(memory.strides, memory.shape)):
        if stride < behind:
            return True
        behind = stride * max(extent, 1)
    return False


MOST_SPECIALISED = 5  # dimensions of an array in which the front end looks for constants
ALIGNMENT = 16


def _dimensions(dims: Any, rank: int) -> List[int]:
    return [dim + rank if dim < 0 else dim for dim in dims or ()]


def _constants(values: Sequence[int], ones: bool, static: Sequence[int]) -> List[Optional[int]]:
    return [value if i in static or (ones and value == 1) else None
            for i, value in enumerate(values)]


def _divisor(numbers: Sequence[Tuple[int, Optional[int]]], divisor: int, is_asked: bool) -> List[int]:
    """Returns, for each (number, its constant), what it is divisible by."""
    return [divisor if is_asked and constant is None and number % divisor == 0 else 1
            for number, constant in numbers]


def _of_array(value: Any, annotation: Any, name: str) -> Dict[str, Any]:
    """The keywords of an ArrayConstraint."""
    ct = _front_end()

    memory = memory_of(value)
    if memory is None:
        raise TypeError("'%s' is an array in a list, not %s" % (name, type(value).__name__))
    dtype = getattr(ct, {"bool": "bool_"}.get(memory.dtype, memory.dtype), None)
    if not isinstance(dtype, type(ct.int32)):
        raise TypeError("the elements of '%s' are %s, which no kernel takes" % (name, memory.dtype))
    rank = len(memory.shape)
    is_asked = rank <= MOST_SPECIALISED
    static_shape = _dimensions(getattr(annotation, "static_shape_dims", None), rank)
    static_strides = _dimensions(getattr(annotation, "static_stride_dims", None), rank)
    shape = _constants(memory.shape, is_asked, static_shape)
    strides = _constants(memory.strides, is_asked and not static_strides, static_strides)
    return {
        "dtype": dtype, "ndim": rank,
        "index_dtype": getattr(annotation, "index_dtype", None) or ct.int32,
        "stride_lower_bound_incl": tuple(0 if stride is None else None for stride in strides),
        "alias_groups": (), "may_alias_internally": _may_alias_internally(memory),
        "shape_constant": tuple(shape), "stride_constant": tuple(strides),
        "shape_divisible_by": tuple(_divisor(list(zip(memory.shape, shape)), ALIGNMENT, is_asked)),
        "stride_divisible_by": tuple(_divisor(list(zip(memory.strides, strides)), max(
            ALIGNMENT // memory.element_bytes, 1), is_asked)),
        "base_addr_divisible_by": ALIGNMENT if memory.address % ALIGNMENT == 0 else 1,
    }


def _in_common(key: str, values: Sequence[Any]) -> Any:
    """Returns the value of a property that holds for all arrays of a list."""
    first = values[0]
    if key == "may_alias_internally":
        return any(values)
    if all(value == first for value in values):
        return first
    if key == "base_addr_divisible_by":
        return 1
    if key == "stride_lower_bound_incl":
        return None  # follows from the constants
    if key in ("dtype", "ndim", "index_dtype"):
        raise TypeError("the arrays of a list have one type and one number of dimensions")
    other = 1 if key.endswith("divisible_by") else None
    return tuple(parts[0] if len(set(parts)) == 1 else other for parts in zip(*values))


def _of_list(values: Sequence[Any], annotation: Any, name: str) -> Dict[str, Any]:
    """Returns the properties of a list of arrays."""
    if not values:
        raise TypeError("the list '%s' is empty, which no kernel takes" % name)
    each = [_of_array(value, annotation, "%s[%d]" % (name, i)) for i, value in enumerate(values)]
    merged = {key: _in_common(key, [of[key] for of in each]) for key in each[0]}
    merged["stride_lower_bound_incl"] = tuple(
        0 if stride is None else None for stride in merged["stride_constant"])
    return merged


def _of_scalar(value: Any, annotation: Any, name: str) -> Any:
    """Returns the type of an argument."""
    ct = _front_end()
    if isinstance(value, bool):
        return ct.bool_
    if isinstance(value, float):
        return ct.float32
    if not isinstance(value, int):
        raise TypeError("'%s' is a number or an array, not %s" % (name, type(value).__name__))
    dtype = ct.int32 if annotation is None else annotation.dtype
    bits = 63 if dtype == ct.int64 else 31
    if not -1 << bits <= value < 1 << bits:
        raise TypeError("'%s' is %d, which no integer of %d bits can be" % (name, value, bits + 1))
    return dtype


def _items_of(node: Any, n: int) -> Sequence[Any]:
    """The annotations of a tuple's items."""
    if hasattr(node, "items"):
        items: Sequence[Any] = node.items
        if len(items) != n:
            raise TypeError("a tuple has %d items, and the kernel takes %d" % (n, len(items)))
        return items
    return [getattr(node, "each", node)] * n


# The kind of an argument's constraint, and the values that the constraint is made of. Launches compare these, since
# comparing constraints is too slow.
_Found = Tuple[str, Any]


def _found(value: Any, node: Any, name: str) -> _Found:
    if isinstance(value, tuple):
        nodes = _items_of(node, len(value))
        return "Tuple", [_found(item, of, "%s[%d]" % (name, i))
                         for i, (item, of) in enumerate(zip(value, nodes))]
    if getattr(node, "constant", False):
        return "Constant", (type(value), repr(value) if isinstance(value, float) else value)
    if isinstance(value, list):
        element = getattr(getattr(node, "list", None), "element", None)
        return "List", _of_list(value, element, name)
    if memory_of(value) is not None:
        return "Array", _of_array(value, getattr(node, "array", None), name)
    return "Scalar", _of_scalar(value, getattr(node, "scalar", None), name)


def _all_found(kernel: Any, args: Sequence[Any]) -> List[_Found]:
    of = kernel._annotated_function
    names = list(of.pysig.parameters)
    if len(args) != len(names):
        raise TypeError("it takes %d arguments (%s), not %d" % (len(names), ", ".join(names),
                                                                len(args)))
    return [_found(*each) for each in zip(args, of.parameter_annotations, names)]


def _constraint(found: _Found) -> Any:
    compilation = _front_end("compilation")
    kind, of = found
    if kind == "Tuple":
        return compilation.TupleConstraint([_constraint(item) for item in of])
    if kind == "Constant":
        return compilation.ConstantConstraint(float(of[1]) if of[0] is float else of[1])
    if kind == "Scalar":
        return compilation.ScalarConstraint(of)
    known = compilation.ArrayConstraint.__dataclass_fields__  # those of older versions are fewer
    array = compilation.ArrayConstraint(**{key: value for key, value in of.items() if key in known})
    if kind == "Array":
        return array
    return compilation.ListConstraint(array, alias_groups=(), elements_may_alias=True)


def _signature_of(kernel: Any, found: Sequence[_Found]) -> Any:
    """Makes the signature that the front end compiles a launch for, by its older convention where that can express all
    of it."""
    compilation = _front_end("compilation")
    convention_of, signature_of = compilation.CallingConvention, compilation.KernelSignature
    constraints = [_constraint(each) for each in found]
    conventions = [convention_of.cutile_python_v1()]
    if hasattr(convention_of, "cutile_python_v2"):
        conventions.append(convention_of.cutile_python_v2())
    for convention in conventions[:-1]:
        try:
            signature = signature_of(constraints, convention)
            break
        except ValueError:  # it cannot tell what the next one can
            pass
    else:
        signature = signature_of(constraints, conventions[-1])
    return signature.with_mangled_symbol(kernel._annotated_function.pyfunc.__name__)


# ---- Names of parameters ----


def _folders() -> Iterator[str]:
    package = os.path.dirname(os.path.abspath(__file__))
    for words in ("..",), ("..", "..", "..", "tilerace", "python"), ("..", "..", "capture", "python"):
        yield os.path.normpath(os.path.join(package, *words))


def _names_module() -> Any:
    """tilerace_capture.names, which the hooks of launches use, too. It stands alone."""
    for folder in _folders():
        file = os.path.join(folder, "tilerace_capture", "names.py")
        spec = importlib.util.spec_from_file_location("tilerace._names", file)
        if os.path.isfile(file) and spec is not None and spec.loader is not None:
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise ImportError("the package tilerace_capture, which names the parameters of kernels, is not "
                      "beside this one: " + _library.REMEDY, name="tilerace_capture")


def _kind(constraint: Any) -> str:
    return type(constraint).__name__.replace("Constraint", "")


def _fields(constraint: Any, value: Any, name: str) -> List[Tuple[Any, Any, str]]:
    """(constraint, value, name) of what a tuple or a dataclass holds."""
    if _kind(constraint) == "Tuple":
        return [(item, value[i], "%s[%d]" % (name, i)) for i, item in enumerate(constraint.items)]
    return [(of, getattr(value, field), "%s.%s" % (name, field))
            for of, field in zip(constraint.fields, constraint.cls.__dataclass_fields__)]


def _flat_parameters(constraint: Any) -> List[Tuple[Tuple[int, ...], Any]]:
    """Returns, for each part of a constraint that is no constant, the numbers of the parameters that it becomes."""
    kind = _kind(constraint)
    if kind == "Tuple" or kind == "Dataclass":
        parts = constraint.items if kind == "Tuple" else constraint.fields
        return [flat for part in parts for flat in _flat_parameters(part)]
    count = {"Constant": 0, "Array": 1 + 2 * getattr(constraint, "ndim", 0), "List": 2}.get(kind, 1)
    return [(tuple(range(count)), constraint)] if count else []


class Signed:
    """A kernel with the signature that it was compiled for."""

    def __init__(self, kernel: Any, args: Sequence[Any],
                 found: Optional[Sequence[_Found]] = None) -> None:
        """Compiles for these arguments, or for the constraints that were found for them."""
        self.kernel = kernel
        self.function = kernel._annotated_function.pyfunc
        self.found = self._refusing(_all_found, args) if found is None else found
        self.signature = self._refusing(_signature_of, self.found)

    def _refused(self, what: str, error: BaseException) -> InputError:
        code = self.function.__code__
        return InputError("%s: %s" % (what, str(error) or type(error).__name__), code.co_filename,
                          code.co_firstlineno)

    def _refusing(self, find: Callable[[Any, Sequence[Any]], Any], of: Sequence[Any]) -> Any:
        try:
            return find(self.kernel, of)
        except (ImportError, InputError):
            raise
        except Exception as error:
            raise self._refused("cuTile Python has no signature of '%s' for these arguments"
                                % self.function.__name__, error) from error

    def compile(self, version: str = "13.3") -> bytes:
        """Returns the Tile IR of the kernel."""
        module = io.BytesIO()
        try:
            _front_end("compilation").export_kernel(self.kernel, [self.signature], module, output_format="tileir_bytecode",
                          bytecode_version=version, gpu_code=None)
        except Exception as error:
            raise self._refused("cuTile Python cannot compile '%s' for these arguments"
                                % self.function.__name__, error) from error
        return module.getvalue()

    def names(self) -> str:
        """The names of the parameters, in the form that the library takes."""
        names = _names_module()
        flat = [part for constraint in self.signature.parameters
                for part in _flat_parameters(constraint)]
        parameters = names.parameters(list(self.kernel._annotated_function.pysig.parameters),
                                      self.signature.parameters, flat)
        described: str = names.describe(self.function, [parameters])
        return described

    def flat_of(self, kernel: Kernel, args: Any) -> Union[Flat, str]:
        """The launch's arguments, one for each parameter. A sentence where the front end compiles
        the kernel anew for them: then the proof is of another one."""
        if isinstance(args, Mapping) or not isinstance(args, Sequence):
            raise TypeError("the arguments of a launch are a sequence, as cuda.tile.launch takes "
                            "them, not %s" % type(args).__name__)
        if self._refusing(_all_found, args) != self.found:
            return ("these arguments have another signature than those that '%s' was compiled for, "
                    "so its proof says nothing of this launch" % kernel.name)
        flat = Flat(kernel)
        names = self.kernel._annotated_function.pysig.parameters
        for constraint, value, name in zip(self.signature.parameters, args, names):
            self._add(flat, constraint, value, name)
        return flat

    def _add(self, flat: Flat, constraint: Any, value: Any, name: str) -> None:
        kind = _kind(constraint)
        if kind in ("Tuple", "Dataclass"):
            for part in _fields(constraint, value, name):
                self._add(flat, *part)
        elif kind == "Array":
            flat.add_array(value, constraint.ndim, name)
        elif kind == "List":
            flat.add_table(value, constraint.element.ndim, name)
        elif kind == "Scalar":
            flat.add(value)
        elif kind != "Constant":
            raise InputError("arguments such as '%s' are not supported" % name)

"""Describes a kernel's parameters as cuTile Python knows them, for the field `names` of MODULE (wire.h)."""
import json
import os

# Tile IR's names of element types
DTYPES = {
    "bool_": "i1", "float16": "f16", "bfloat16": "bf16", "float32": "f32", "tfloat32": "tf32",
    "float64": "f64", "float8_e4m3fn": "f8E4M3FN", "float8_e5m2": "f8E5M2",
    "float8_e8m0fnu": "f8E8M0FNU", "float4_e2m1fn": "f4E2M1FN",
    **{sign + "int" + bits: "i" + bits for sign in ("", "u") for bits in ("8", "16", "32", "64")},
}


def _kind(constraint):
    """Array, List, Tuple, Scalar, ...: the constraint's class is named so in every version."""
    return type(constraint).__name__.removesuffix("Constraint")


def _leaves(constraint, path):
    """(path, constraint) of everything that stays a parameter, in order; constants vanish."""
    kind = _kind(constraint)
    if kind == "Tuple":
        for i, item in enumerate(constraint.items):
            yield from _leaves(item, "%s[%d]" % (path, i))
    elif kind == "Dataclass":
        for name, field in zip(_field_names(constraint.cls), constraint.fields):
            yield from _leaves(field, "%s.%s" % (path, name))
    elif kind != "Constant":
        yield path, constraint


def _field_names(of):
    import dataclasses

    return [field.name for field in dataclasses.fields(of)]


def _dtype(constraint):
    name = getattr(constraint.dtype, "name", None) or str(constraint.dtype)
    return DTYPES.get(name, name)


def _array(name, constraint, n_flat):
    rank = constraint.ndim
    shape, strides = (list(getattr(constraint, which, None) or [None] * rank)
                      for which in ("shape_constant", "stride_constant"))
    if n_flat != 1 + 2 * rank:
        return [{"name": name}] * n_flat
    parts = [{"name": name, "part": "pointer", "dtype": _dtype(constraint), "shape": shape,
              "strides": strides}]
    for part in "extent", "stride":
        parts += [{"name": name, "part": part, "axis": axis} for axis in range(rank)]
    return parts


def _parts(name, constraint, n_flat):
    kind = _kind(constraint)
    if kind == "Array":
        return _array(name, constraint, n_flat)
    if kind == "List" and n_flat == 2:
        element = constraint.element
        return [{"name": name, "part": "table", "rank": element.ndim, "dtype": _dtype(element)},
                {"name": name, "part": "length"}]
    return [{"name": name}] * n_flat


def parameters(names, constraints, flat):
    """The parameters of an entry. `names` and `constraints` are those of the Python function;
    `flat` has (flat variables, constraint) of each that is no constant."""
    leaves = [leaf for name, constraint in zip(names, constraints)
              for leaf in _leaves(constraint, name)]
    if len(leaves) != len(flat):
        raise ValueError("%d parameters are not constants, %d are passed" % (len(leaves), len(flat)))
    parts = []
    for (name, constraint), (variables, _) in zip(leaves, flat):
        parts += _parts(name, constraint, len(variables))
    return parts


def absolute(file):
    """A file's whole name; what is no file, such as <string>, as it is."""
    return file if file.startswith("<") else os.path.abspath(file)


def describe(function, entries):
    """The JSON of a module. Its entries are named only where they have the same parameters: what
    one of them fixes at compilation may not be taken for another."""
    same = entries and all(entry == entries[0] for entry in entries)
    code = function.__code__
    # Bytes of a file's name that are no UTF-8 would be no JSON either.
    file = absolute(code.co_filename).encode("utf-8", "replace").decode()
    return json.dumps({"function": function.__qualname__, "file": file,
                       "line": code.co_firstlineno, "parameters": entries[0] if same else []})

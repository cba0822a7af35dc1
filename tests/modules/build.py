"""Compiles kernels in CUDA Tile C++ (.cu) and cuTile Python (.py) to Tile IR bytecode.

    build.py TOOLCHAIN OUT SOURCE...

TOOLCHAIN is the virtual environment that ci/build_modules.sh makes, and its Python runs this file.
Each SOURCE, a path from the repository's root, which is the working directory, becomes
OUT/SOURCE with the ending .tilebc.

Debug records hold the path of the source. To be the same on every machine they name it as if the
repository were the root folder (C++, whose compiler completes every path) or from the repository's
root (Python); the tool chain's own sources lie in /cuda.

A Python source says for which arguments it is compiled:

    SIGNATURE = {"x": "f32[2]", "n": "i32", "TILE": 128}

`f32[2]` is an array of rank 2 as `ct.launch` would take a contiguous tensor of a large allocation:
stride 1 in the last axis, base and other strides aligned to 16 bytes, not aliased. Words behind it
change that: `loose` gives all strides at run time and no alignment, `alias=G` lets all arrays of the
group G overlap, `overlap` lets elements of the array itself share an address, `i64` makes shape and
strides 64 bits wide. `BYTECODE = "13.4"` asks for another version than 13.3.
"""

import inspect
import linecache
import os
import pathlib
import re
import subprocess
import sys

DEFAULT_BYTECODE = "13.3"
ALIGNMENT = 16  # bytes
HERE = pathlib.Path(__file__).resolve().parent


def build_cpp(toolchain, source, out):
    packages = next(toolchain.glob("lib/python3*/site-packages"))
    nvcc = packages / "nvidia" / "cu13" / "bin" / "nvcc"
    environment = dict(os.environ, NEUTRAL_ROOT=str(pathlib.Path.cwd()))
    subprocess.run(
        [
            nvcc, "-ccbin", HERE / "neutral_cc", "--tilebc", "--tile-only", "-arch=sm_90",
            "-std=c++20", source, "-o", out,
        ],
        check=True,
        env=environment,
    )


def array(element, rank, words):
    from cuda.tile import int32, int64
    from cuda.tile.compilation import ArrayConstraint

    step = max(1, ALIGNMENT // (element.bitwidth // 8))
    alias = [word.removeprefix("alias=") for word in words if word.startswith("alias=")]
    loose = "loose" in words
    return ArrayConstraint(
        element,
        rank,
        index_dtype=int64 if "i64" in words else int32,
        stride_lower_bound_incl=0,
        alias_groups=alias,
        may_alias_internally="overlap" in words,
        stride_constant=None if loose else (None,) * (rank - 1) + (1,),
        stride_divisible_by=1 if loose else (step,) * (rank - 1) + (1,),
        base_addr_divisible_by=element.bitwidth // 8 if loose else ALIGNMENT,
    )


def constraint(value):
    import cuda.tile as ct
    from cuda.tile.compilation import ListConstraint, ScalarConstraint

    elements = {
        "f32": ct.float32, "f16": ct.float16, "bf16": ct.bfloat16, "f8": ct.float8_e4m3fn,
        "i64": ct.int64, "i32": ct.int32, "i8": ct.int8, "u32": ct.uint32, "u8": ct.uint8,
    }
    if not isinstance(value, str):
        return value
    kind, *words = value.split()
    if kind == "list":
        element = constraint(" ".join(words))
        return ListConstraint(element, alias_groups=(), elements_may_alias=False)
    match = re.fullmatch(r"(\w+)\[(\d)\]", kind)
    if match:
        return array(elements[match[1]], int(match[2]), words)
    return ScalarConstraint(elements[kind])


def functions_of(scope):
    """The Python functions in a module or class, also those of the classes in it."""
    for value in vars(scope).values():
        value = value.fget if isinstance(value, property) else value
        if inspect.isfunction(value):
            yield value
        elif inspect.isclass(value) and value.__module__ == scope.__name__:
            yield from functions_of(value)


def hide_library_path():
    """Tile methods such as `reshape` are inlined from the library, and with them their places."""
    import cuda.tile._stub as library

    path = "/cuda/tile/_stub.py"
    text = pathlib.Path(library.__file__).read_text(encoding="utf-8")
    linecache.cache[path] = (len(text), None, text.splitlines(keepends=True), path)
    for function in functions_of(library):
        if function.__code__.co_filename == library.__file__:
            function.__code__ = function.__code__.replace(co_filename=path)


def build_python(source, out):
    import cuda.tile as ct
    from cuda.tile.compilation import CallingConvention, KernelSignature, export_kernel

    scope = {"__name__": source.stem}
    text = source.read_text(encoding="utf-8")
    exec(compile(text, str(source), "exec"), scope)  # pylint: disable=exec-used
    kernels = [value for value in scope.values() if isinstance(value, ct.kernel)]
    if len(kernels) != 1:
        sys.exit(f"{source}: {len(kernels)} kernels, a module holds one")
    parameters = [constraint(value) for value in scope["SIGNATURE"].values()]
    signature = KernelSignature(parameters, CallingConvention.cutile_python_v1())
    export_kernel(
        kernels[0],
        [signature],
        out,
        gpu_code="sm_90",
        output_format="tileir_bytecode",
        bytecode_version=scope.get("BYTECODE", DEFAULT_BYTECODE),
    )


def main():
    toolchain, folder = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2])
    sources = [pathlib.Path(word) for word in sys.argv[3:]]
    if any(source.suffix == ".py" for source in sources):
        hide_library_path()
    for source in sources:
        out = (folder / source).with_suffix(".tilebc")
        out.parent.mkdir(parents=True, exist_ok=True)
        if source.suffix == ".cu":
            build_cpp(toolchain, source, out)
        else:
            build_python(source, out)


if __name__ == "__main__":
    main()

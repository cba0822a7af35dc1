"""cuTile Python (the package cuda-tile, from 1.3.0).

Launches are seen where they reach the driver, and so is what is loaded. This hook adds what only
the front end knows: which Tile IR a loaded image was compiled from and what its parameters are
called, and at which line of the program a launch is made. Under the stand-in driver it also passes
host arrays on as device arrays, and leaves the assembler out: that driver loads Tile IR.
"""
import ctypes
import os
import sys
import threading

from tilerace_capture import findings, interpreting, names, recorder
from tilerace_capture.hooks import Places, named_as, replace, watched

FRONT_END = "cutile-python"
TOKENS = "CUDA_TILE_TESTING_DISABLE_TOKEN_ORDER"  # an environment variable, and what is read of it

if recorder.is_dry_run:
    from tilerace_capture.arrays import wrap

# ---- Launches ----


class Launcher:
    """One of the front end's builtins that launch. As builtins it is no descriptor, so that it can
    be an attribute of a class, and it is pickled by its name."""

    def __init__(self, original, places, arguments_at):
        self.original = original
        self.places = places
        self.arguments_at = arguments_at
        for attribute in ("__name__", "__qualname__", "__module__", "__doc__",
                          "__text_signature__"):
            setattr(self, attribute, getattr(original, attribute, None))

    def __repr__(self):
        return repr(self.original)

    def __reduce__(self):
        return self.__name__

    def _wrapped(self, arguments):
        """The arguments with host arrays as device arrays, stream 0 for None, and no work that only
        a measured time needs."""
        at = self.arguments_at
        if len(arguments) <= at or not isinstance(arguments[at], tuple):
            return arguments
        wrapped = list(arguments)
        wrapped[at] = tuple([wrap(item) for item in arguments[at]])
        if wrapped[0] is None:
            wrapped[0] = 0
        if len(wrapped) > at + 1:
            wrapped[at + 1] = False  # _benchmark's flush_l2: it fills a large buffer each time
        recorder.make_context_current()
        return wrapped

    def __call__(self, *arguments, **keywords):
        frame, block = None, interpreting.block()
        if block is not None:
            interpreting.look_at(arguments[self.arguments_at:self.arguments_at + 1])
        try:
            file, line, frame = self.places.here(sys._getframe(1))
            recorder.place(file, line)
            if recorder.is_dry_run:
                arguments = self._wrapped(arguments)
            elif recorder.is_beside:
                # The recorder does not see what others do in a stream, and launches may wait for that.
                recorder.other_work()
        except Exception as error:
            recorder.lost("the place or the arguments of a launch", error)
        try:
            if block is None and findings.mode is None:
                return self.original(*arguments, **keywords)
            at = self.arguments_at
            return watched(self.original, arguments, keywords, frame, block,
                           arguments[at] if len(arguments) > at else None,
                           self._is_empty(arguments))
        finally:
            recorder.place(None, 0)

    def _is_empty(self, arguments):
        """Whether no tile block runs: such a launch need not reach the driver."""
        grid = arguments[1] if self.arguments_at == 3 and len(arguments) > 1 else None
        return not isinstance(grid, tuple) or 0 in grid


# The builtins of cuda.tile._cext that launch, and which argument is the tuple of the kernel's.
LAUNCHERS = {"launch": 3, "launch_extended": 4, "_benchmark": 3, "_export_ipc_benchmark_payload": 3}


def _patch_cext(module):
    package = os.path.dirname(os.path.abspath(module.__file__)) + os.sep
    places = Places(package, "cuda.tile")
    for name, at in LAUNCHERS.items():
        original = getattr(module, name, None)
        if original is not None and not isinstance(original, Launcher):
            replace(module, name, Launcher(original, places, at))
    if not isinstance(getattr(module, "launch", None), Launcher):
        raise AttributeError("%s has no launch" % module.__name__)


# ---- Compilations ----

_now = threading.local()  # of this thread's compilation: `entries`, `told`, `is_jit`


class Told:
    """The Tile IR and the names of a compilation, from the moment the checker is told of them."""

    def __init__(self, tile_ir, description):
        self.tile_ir = tile_ir
        self.description = description

    def tell(self, code):
        recorder.module(self.tile_ir, code, FRONT_END, self.description)


def _around_parameters(original):
    def _create_kernel_parameters(*arguments, **keywords):
        result = original(*arguments, **keywords)
        try:
            bound = signature.bind(*arguments, **keywords).arguments
            entry = names.parameters(bound["parameter_names"], bound["parameter_constraints"],
                                     result.nonconstant_flat_vars)
        except Exception as error:
            recorder.lost("the names of a kernel's parameters", error)
            entry = []
        try:
            _now.entries.append(entry)
        except AttributeError:
            pass  # no compilation of ours
        return result

    signature = _signature(original)
    return named_as(_create_kernel_parameters, original)


def _around_bytecode(original, module):
    def _get_bytecode(*arguments, **keywords):
        result = original(*arguments, **keywords)
        try:
            bound = signature.bind(*arguments, **keywords).arguments
            if not bound.get("anonymize_debug_info") and getattr(_now, "entries", None) is not None:
                _tell_bytecode(module, bound["ir_keeper"].ann_func.pyfunc,
                               bytes(getattr(result, "bytecode", result)))
        except Exception as error:
            recorder.lost("a kernel's Tile IR", error)
        return result

    signature = _signature(original)
    return named_as(_get_bytecode, original)


_remarked = set()


def _tell_bytecode(module, function, tile_ir):
    if getattr(module, TOKENS, False) and TOKENS not in _remarked:
        _remarked.add(TOKENS)
        recorder.remark(recorder.TOKENS_OFF, TOKENS)
    _now.told = Told(tile_ir, names.describe(function, _now.entries))
    # The checker is told before the assembler starts, which may end the whole process.
    _now.told.tell(None)


def _around_compile(original, module):
    def compile_tile(*arguments, **keywords):
        before = _now.__dict__.copy()
        try:
            _now.entries, _now.told = [], None
            leaves_out = recorder.is_dry_run and getattr(_now, "is_jit", False)
            if leaves_out:
                arguments, keywords = _without_assembler(module, signature, arguments, keywords)
            try:
                result = original(*arguments, **keywords)
            except Exception as error:
                _tell_failure(error)
                raise
            _tell_code(result, leaves_out)
            return result
        finally:
            _now.__dict__.clear()
            _now.__dict__.update(before)

    signature = _signature(original)
    return named_as(compile_tile, original)


def _without_assembler(module, signature, arguments, keywords):
    try:
        bound = signature.bind(*arguments, **keywords)
        bound.arguments.update(return_bytecode=True, return_cubin=False)
        if bound.arguments.get("bytecode_version") is None:
            # The front end asks the assembler which versions it reads if this is None.
            bound.arguments["bytecode_version"] = list(module._SUPPORTED_VERSIONS)[-1]
        return bound.args, bound.kwargs
    except TypeError:  # the front end says what is wrong with the arguments
        return arguments, keywords


def _tell_failure(error):
    """Tells the checker that a compilation failed. Once the Tile IR is made, only the assembler can fail."""
    try:
        if _now.told is not None and not recorder.is_of_program(error):
            recorder.remark(recorder.ASSEMBLER_FAILED, getattr(error, "message", None) or str(error))
    except Exception as error:
        recorder.lost("what the assembler said", error)


def _tell_code(result, leaves_out):
    try:
        if leaves_out and result.cubin is None and result.bytecode is not None:
            result.cubin, result.bytecode = bytes(result.bytecode), None
        elif result.cubin is not None:
            if _now.told is None:
                raise RuntimeError("no Tile IR was seen")
            _now.told.tell(bytes(result.cubin))
    except Exception as error:
        recorder.lost("a kernel's machine code", error)


def _signature(function):
    import inspect

    return inspect.signature(function)


def _patch_compile(module):
    wanted = {
        "_create_kernel_parameters": ("parameter_names", "parameter_constraints"),
        "_get_bytecode": ("ir_keeper", "anonymize_debug_info"),
        "compile_tile": ("bytecode_version", "return_bytecode", "return_cubin"),
    }
    for name, parameters in wanted.items():
        function = getattr(module, name, None)
        if function is None:
            raise AttributeError("%s has no %s" % (module.__name__, name))
        missing = [p for p in parameters if p not in _signature(function).parameters]
        if missing:
            raise AttributeError("%s.%s has no parameter %s" % (module.__name__, name, missing[0]))
    if recorder.is_dry_run and not getattr(module, "_SUPPORTED_VERSIONS", None):
        raise AttributeError("%s has no _SUPPORTED_VERSIONS" % module.__name__)
    if hasattr(module.compile_tile, "is_of_tilerace"):
        return
    replace(module, "_create_kernel_parameters",
            _around_parameters(module._create_kernel_parameters))
    replace(module, "_get_bytecode", _around_bytecode(module._get_bytecode, module))
    replace(module, "compile_tile", _around_compile(module.compile_tile, module))


def _patch_execution(module):
    """A kernel's own compilation, on the way to a launch, is told from an export: an export is
    assembled in a dry run too, since its file outlives the run."""
    original = module.kernel._compile
    if hasattr(original, "is_of_tilerace"):
        return

    def _compile(*arguments, **keywords):
        before = getattr(_now, "is_jit", False)
        _now.is_jit = True
        try:
            return original(*arguments, **keywords)
        finally:
            _now.is_jit = before

    module.kernel._compile = named_as(_compile, original)


_entry = ctypes.c_void_p()  # read by the front end when it opens the driver


def _patch_driver(module):
    """Gives the front end our functions where the program was started without our library before the driver: the front
    end asks that library for the driver's functions."""
    if not recorder.is_beside:
        return
    if not isinstance(getattr(module, "cuGetProcAddress_v2_ptrptr", None), int):
        raise AttributeError("%s has no cuGetProcAddress_v2_ptrptr" % module.__name__)
    _entry.value = recorder.function_address("cuGetProcAddress_v2")
    module.cuGetProcAddress_v2_ptrptr = ctypes.addressof(_entry)


PATCHES = {
    "cuda.tile._load_libcuda": _patch_driver,
    "cuda.tile._cext": _patch_cext,
    "cuda.tile._compile": _patch_compile,
    "cuda.tile._execution": _patch_execution,
}


def patch(module):
    try:
        PATCHES[module.__name__](module)
    except Exception as error:
        recorder.remark(recorder.FRONT_END_LOST, "%s %s: %s" % (FRONT_END, _version(), error))


def _version():
    return getattr(sys.modules.get("cuda.tile._version"), "__version__", "of an unknown version")

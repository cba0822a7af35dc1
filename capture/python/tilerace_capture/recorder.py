"""The recorder of `tilerace exec`, in the library that TILERACE_RECORDER names.

The library is the stand-in driver in a dry run, else the one that is preloaded before the real
driver. Without it, or without a checker that listens, everything here does nothing.
"""
import ctypes
import os
import signal
import threading

# wire_remark (capture/wire/wire.h)
TOKENS_OFF, ASSEMBLER_FAILED, _, FRONT_END_LOST, LOST = range(5)

is_beside = False  # set by the package tilerace: the program was not started with our driver
replaced = {}  # id of a front end's function -> (the function, what has replaced it)

is_dry_run = os.environ.get("TILERACE_DRY_RUN", "") not in ("", "0")


def _open():
    path = os.environ.get("TILERACE_RECORDER")
    if not path:
        return None
    try:
        # The library of a dry run is named libcuda.so.1: whoever opens that name later gets this one, even if
        # LD_LIBRARY_PATH has changed.
        library = ctypes.CDLL(path)
        quick = ctypes.PyDLL(path)  # keeps the interpreter's lock: nothing is asked of the checker
        library.tilerace_recorder_module.argtypes = [
            ctypes.c_char_p, ctypes.c_size_t, ctypes.c_char_p, ctypes.c_size_t,
            ctypes.c_char_p, ctypes.c_char_p]
        library.tilerace_recorder_module.restype = None
        library.tilerace_recorder_remark.argtypes = [ctypes.c_uint, ctypes.c_char_p]
        library.tilerace_recorder_remark.restype = None
        library.tilerace_recorder_missed.argtypes = [ctypes.c_char_p]
        library.tilerace_recorder_missed.restype = None
        quick.tilerace_recorder_place.argtypes = [ctypes.c_char_p, ctypes.c_uint]
        quick.tilerace_recorder_place.restype = None
        quick.tilerace_recorder_other_work.argtypes = []
        quick.tilerace_recorder_other_work.restype = None
        quick.tilerace_recorder_take_findings.argtypes = [ctypes.c_uint]
        quick.tilerace_recorder_take_findings.restype = None
        for name in "finding", "not_executed":
            function = getattr(quick, "tilerace_recorder_" + name)
            function.argtypes, function.restype = [], ctypes.c_char_p
        quick.tilerace_recorder_read_only.argtypes = [ctypes.c_uint64, ctypes.c_uint64]
        quick.tilerace_recorder_read_only.restype = None
        library.tilerace_recorder_undefined.argtypes = [ctypes.c_uint64, ctypes.c_uint64,
                                                        ctypes.c_uint]
        library.tilerace_recorder_freed.argtypes = [ctypes.c_uint64]
        library.tilerace_recorder_freed.restype = None
        library.tilerace_recorder_flags.argtypes = []
        library.tilerace_recorder_flags.restype = ctypes.c_uint32
        library.tilerace_recorder_on.argtypes = []
        return library, quick
    except (OSError, AttributeError):
        return None


_libraries = _open()


def module(tile_ir, code, front_end, names):
    """Tile IR, and the machine code made from it or None. `names` is the JSON of wire.h."""
    if _libraries:
        _libraries[0].tilerace_recorder_module(
            tile_ir, len(tile_ir), code, len(code) if code else 0, front_end.encode(),
            names.encode("utf-8", "replace"))


def remark(kind, about):
    if _libraries:
        _libraries[0].tilerace_recorder_remark(kind, about.encode("utf-8", "replace"))


def missed(symbol):
    """A kernel of this name was to be made of Tile IR, and is compiled in another way instead."""
    if _libraries:
        _libraries[0].tilerace_recorder_missed(symbol.encode("utf-8", "replace"))


def _no_place(file, line):
    return None


# The source line of this thread's next launches: a file name as bytes, or None for none.
place = _libraries[1].tilerace_recorder_place if _libraries else _no_place


def _no_finding(*_):
    return None


# From take_findings() on, findings of this thread's launches come to us. finding() returns the last one, as bytes or
# None, once. not_executed() says why the last launch was not executed, as bytes or None.
take_findings = _libraries[1].tilerace_recorder_take_findings if _libraries else _no_finding
finding = _libraries[1].tilerace_recorder_finding if _libraries else _no_finding
not_executed = _libraries[1].tilerace_recorder_not_executed if _libraries else _no_finding
# Memory that this thread's next launch must not write: address and bytes.
read_only = _libraries[1].tilerace_recorder_read_only if _libraries else _no_finding


def undefined(address, size, element_size):
    """Nothing has written this memory yet; it is filled. False: it cannot be kept in mind."""
    return bool(_libraries) and _libraries[0].tilerace_recorder_undefined(address, size,
                                                                          element_size)


def freed(address):
    if _libraries:
        _libraries[0].tilerace_recorder_freed(address)


INTERPRET = 2  # of wire_flags


def interprets():
    """Whether the checker executes launches."""
    return bool(is_on() and _libraries[0].tilerace_recorder_flags() & INTERPRET)


def is_on():
    """Whether launches are looked at."""
    return bool(_libraries and _libraries[0].tilerace_recorder_on())


def other_work():
    """Something was done that the driver is not told of, and that launches may wait for: whether
    those before it may still run is not known from then on."""
    if _libraries:
        _libraries[1].tilerace_recorder_other_work()


def function_address(name):
    """Returns the address of a function of the library; 0: the library does not have it."""
    function = getattr(_libraries[0], name, None) if _libraries else None
    return ctypes.cast(function, ctypes.c_void_p).value or 0 if function else 0


def driver():
    """The library that has the recorder, which is the driver in a dry run; None without one."""
    return _libraries[0] if _libraries else None


_has_context = threading.local()


def make_context_current():
    """Makes a context current in this thread, as libraries of device arrays do before a launch and programs that pass
    host arrays do not. Only the stand-in driver needs it."""
    if hasattr(_has_context, "known") or not _libraries:
        return
    cuda, context = driver(), ctypes.c_void_p()
    cuda.cuInit(0)
    if cuda.cuCtxGetCurrent(ctypes.byref(context)) == 0 and not context.value:
        if cuda.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0) == 0:
            cuda.cuCtxSetCurrent(context)
    _has_context.known = True


_lost = set()


def is_of_program(error):
    """Whether a signal handler of the program raised it, while something else ran."""
    if threading.current_thread() is not threading.main_thread():
        return False
    handlers = [signal.getsignal(number) for number in signal.valid_signals()]
    codes = {getattr(getattr(h, "__func__", h), "__code__", None) for h in handlers} - {None}
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code in codes:
            return True
        trace = trace.tb_next
    return False


def leave_to_program(error):
    """Raises it again where it is the program's own."""
    if is_of_program(error):
        raise error


def lost(what, error):
    """Says once that something was not told, and why; an exception of the program's own goes on."""
    leave_to_program(error)
    try:
        if what not in _lost:
            _lost.add(what)
            remark(LOST, "%s: %s: %s" % (what, type(error).__name__, error))
    except Exception:
        pass

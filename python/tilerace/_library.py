"""libtilerace by ctypes: include/tilerace.h, structure by structure.

A structure here may end before the library's own does, as within one API version they only grow at
their ends, and lists are arrays of pointers.
"""
from __future__ import annotations

import ctypes
import os
import sysconfig
import threading
from ctypes import (CFUNCTYPE, POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int64,
                    c_size_t, c_uint, c_uint32, c_uint64, c_void_p)
from typing import Any, Iterator, Optional

from tilerace import _program

API_VERSION = 2
NAME = "libtilerace.so.%d" % API_VERSION


class Options(Structure):
    _fields_ = [("size", c_size_t), ("solver", c_char_p), ("launch_file", c_char_p),
                ("launch_text", c_char_p), ("build_folder", c_char_p), ("steps", c_uint64),
                ("budget_ms", c_uint), ("strict", c_bool), ("per_name_tokens", c_bool),
                ("notes", c_bool), ("n_clang_args", c_size_t), ("clang_args", POINTER(c_char_p)),
                ("names", c_char_p), ("isolate", c_bool), ("isolate_memory_mb", c_uint),
                ("isolate_time_ms", c_uint)]


class InputError(Structure):
    _fields_ = [("file", c_char_p), ("line", c_int), ("column", c_int), ("text", c_char_p),
                ("hint", c_char_p)]


class Parameter(Structure):
    _fields_ = [("name", c_char_p), ("kind", c_int), ("bits", c_uint), ("part", c_int),
                ("array", c_size_t), ("dimension", c_uint), ("element_bytes", c_uint)]


class Location(Structure):
    _fields_ = [("role", c_char_p), ("file", c_char_p), ("line", c_int), ("column", c_int),
                ("end_line", c_int), ("end_column", c_int), ("op_ordinal", c_uint32),
                ("op", c_char_p)]


class Value(Structure):
    _fields_ = [("name", c_char_p), ("value", c_int64)]


class Lookup(Structure):
    _fields_ = [("buffer", c_char_p), ("element", c_int64), ("value", c_int64)]


class Event(Structure):
    _fields_ = [("block", c_int64 * 3), ("n_iterations", c_size_t), ("iterations", POINTER(c_int64)),
                ("access", c_char_p), ("buffer", c_char_p), ("element", c_int64),
                ("order", c_char_p), ("scope", c_char_p), ("n_coordinates", c_size_t),
                ("n_in_tile", c_size_t), ("n_lookups", c_size_t), ("coordinates", POINTER(c_int64)),
                ("in_tile", POINTER(c_int64)), ("lookups", POINTER(POINTER(Lookup)))]


class Contents(Structure):
    _fields_ = [("buffer", c_char_p), ("n", c_size_t), ("elements", POINTER(c_int64)),
                ("floats", POINTER(c_double))]


class Witness(Structure):
    _fields_ = [("grid", c_int64 * 3), ("n_parameters", c_size_t), ("n_contents", c_size_t),
                ("n_events", c_size_t), ("parameters", POINTER(POINTER(Value))),
                ("contents", POINTER(POINTER(Contents))), ("events", POINTER(POINTER(Event)))]


class Repair(Structure):
    _fields_ = [("text", c_char_p), ("with_", c_char_p), ("line", c_int), ("column", c_int),
                ("end_line", c_int), ("end_column", c_int), ("verified", c_bool)]


class Finding(Structure):
    _fields_ = [("rule", c_char_p), ("name", c_char_p), ("level", c_int), ("confirmed", c_bool),
                ("message", c_char_p), ("words", c_char_p), ("n_locations", c_size_t),
                ("n_fixes", c_size_t), ("locations", POINTER(POINTER(Location))),
                ("fixes", POINTER(c_char_p)), ("witness", POINTER(Witness)),
                ("precondition", c_int), ("fingerprint", c_char_p),
                ("repairs", POINTER(POINTER(Repair))), ("allowed", c_char_p),
                ("by_solver", c_bool)]


class Precondition(Structure):
    _fields_ = [("kind", c_char_p), ("class_", c_int), ("text", c_char_p), ("term", c_char_p),
                ("contract", c_char_p), ("subject", c_char_p), ("part", c_char_p),
                ("reason", c_char_p), ("of_contents", c_bool), ("n_parameters", c_size_t),
                ("parameters", POINTER(c_size_t)), ("by_solver", c_bool)]


class Kernel(Structure):
    _fields_ = [("name", c_char_p), ("verdict", c_int), ("reason_kind", c_char_p),
                ("reason", c_char_p), ("n_parameters", c_size_t), ("n_preconditions", c_size_t),
                ("n_findings", c_size_t), ("parameters", POINTER(POINTER(Parameter))),
                ("preconditions", POINTER(POINTER(Precondition))),
                ("findings", POINTER(POINTER(Finding))), ("time_ms", c_double), ("file", c_char_p),
                ("place", POINTER(Location)), ("reason_place", POINTER(Location)),
                ("launched_at", POINTER(Location)), ("by_solver", c_bool)]


class Explanation(Structure):
    _fields_ = [("kind", c_char_p), ("code", c_char_p), ("name", c_char_p), ("level", c_int),
                ("summary", c_char_p), ("help", c_char_p), ("page", c_char_p)]


class Argument(Structure):
    _fields_ = [("integer", c_int64), ("address", c_uint64), ("bytes", c_uint64),
                ("bytes_known", c_bool), ("contents", c_void_p), ("contents_bytes", c_uint64),
                ("number", c_double)]


# const void *(*)(void *user, size_t argument, uint64_t *bytes)
CONTENTS = CFUNCTYPE(c_void_p, c_void_p, c_size_t, POINTER(c_uint64))


class Launch(Structure):
    _fields_ = [("grid", c_int64 * 3), ("n_arguments", c_size_t),
                ("arguments", POINTER(POINTER(Argument))), ("contents", CONTENTS),
                ("user", c_void_p)]


class Answer(Structure):
    _fields_ = [("outcome", c_int), ("precondition", c_int), ("arguments", c_size_t * 2),
                ("elements", c_int64 * 2), ("has_arguments", c_bool), ("has_elements", c_bool),
                ("race", POINTER(Finding)), ("not_checked", c_size_t)]


FUNCTIONS: dict[str, tuple[Any, list[Any]]] = {
    "tilerace_api_version": (c_int, []),
    "tilerace_version": (c_char_p, []),
    "tilerace_check_file": (c_void_p, [c_char_p, POINTER(Options)]),
    "tilerace_check_module": (c_void_p, [c_char_p, c_size_t, c_char_p, POINTER(Options)]),
    "tilerace_free": (None, [c_void_p]),
    "tilerace_error_count": (c_size_t, [c_void_p]),
    "tilerace_input_error_at": (POINTER(InputError), [c_void_p, c_size_t]),
    "tilerace_kernel_count": (c_size_t, [c_void_p]),
    "tilerace_kernel_at": (POINTER(Kernel), [c_void_p, c_size_t]),
    "tilerace_report": (c_void_p, [c_void_p, c_char_p]),
    "tilerace_free_text": (None, [c_void_p]),
    "tilerace_explain": (POINTER(Explanation), [c_char_p]),
    "tilerace_free_explanation": (None, [POINTER(Explanation)]),
    "tilerace_check_launch": (c_int, [POINTER(Kernel), POINTER(Launch), POINTER(Answer)]),
    "tilerace_describe": (c_size_t, [POINTER(Kernel), POINTER(Launch), POINTER(Answer), c_char_p,
                                     c_size_t]),
    "tilerace_state_launch": (c_void_p, [POINTER(Kernel), POINTER(Launch), c_char_p, c_uint]),
    "tilerace_record_launch": (c_void_p, [c_char_p, c_char_p, c_size_t, c_char_p, c_char_p]),
}


# ---- Finding and opening it ----


def _places() -> Iterator[str]:
    """Yields the places where the library may be, the likeliest first."""
    named = os.environ.get("TILERACE_LIBRARY")
    if named:
        yield named
        return
    # PREFIX/lib/tilerace/python/tilerace and PREFIX/lib/pythonX.Y/site-packages/tilerace are both
    # three folders below the library's.
    package = os.path.dirname(os.path.abspath(__file__))
    yield os.path.normpath(os.path.join(package, "..", "..", "..", NAME))
    yield os.path.join(sysconfig.get_path("data"), "lib", NAME)
    try:
        program = os.path.dirname(os.path.realpath(_program.find()))
    except FileNotFoundError:
        pass
    else:
        yield os.path.join(program, "lib", NAME)  # of a build
        yield os.path.join(os.path.dirname(program), "lib", NAME)
    yield NAME  # what the system's loader finds


REMEDY = ("install tilerace anew with `pip install --force-reinstall tilerace`, or let "
          "TILERACE_LIBRARY name the library")


def _open() -> ctypes.CDLL:
    tried = []
    for place in _places():
        if os.sep in place and not os.path.exists(place):
            tried.append(place)
            continue
        try:
            return ctypes.CDLL(place)
        except (OSError, ValueError) as error:
            if place != NAME:
                raise ImportError("%s cannot be loaded: %s; %s" % (place, error, REMEDY),
                                  name="tilerace") from None
    raise ImportError("libtilerace is not there (%s): %s" % (", ".join(tried), REMEDY),
                      name="tilerace")


def _declare(library: ctypes.CDLL) -> None:
    """Tells ctypes what the functions take and give."""
    try:
        version = library.tilerace_api_version()
        if version == API_VERSION:
            for name, (result, arguments) in FUNCTIONS.items():
                function = getattr(library, name)
                function.restype = result
                function.argtypes = arguments
            return
        what = "has version %d of its interface, and this package needs %d" % (version, API_VERSION)
    except AttributeError as error:
        what = "is older than this package (%s)" % error
    raise ImportError("%s %s: %s" % (library._name, what, REMEDY), name="tilerace")


_lock = threading.Lock()
_opened: Optional[ctypes.CDLL] = None


def library() -> ctypes.CDLL:
    """The library, opened at the first call. ImportError, with a sentence, where it cannot be."""
    global _opened
    with _lock:
        if _opened is None:
            library = _open()
            _declare(library)
            _opened = library
        return _opened


# ---- Texts and lists ----


def text(value: Optional[bytes]) -> str:
    return (value or b"").decode("utf-8", "replace")


def text_or_none(value: Optional[bytes]) -> Optional[str]:
    return None if value is None else value.decode("utf-8", "replace")


def file_name(value: Optional[bytes]) -> Optional[str]:
    """Returns a file name as Python writes it, whatever bytes it has."""
    return None if value is None else os.fsdecode(value)


def taken_text(address: Optional[int]) -> Optional[str]:
    """A text that the library gave, which is given back to it."""
    if not address:
        return None
    try:
        return text(ctypes.string_at(address))
    finally:
        library().tilerace_free_text(address)

"""What was found of a launch, as a Python warning or exception at the line of the launch, where
TILERACE asks for it."""
import os
import sys
import warnings

from tilerace_capture import recorder

# TILERACE: "strict" is for what is checked without a launch; of a launch it means "error".
mode = {"warn": "warn", "error": "error", "strict": "error"}.get(os.environ.get("TILERACE"))

NOT_SEEN = "this launch was not looked at: the checker has stopped"

_remarked = False


def classes():
    """The package tilerace, whose classes findings are. While another thread imports it, this one
    waits: `sys.modules` has it before it has its classes."""
    import importlib

    try:
        return importlib.import_module("tilerace")
    except ModuleNotFoundError:
        pass
    own = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [own, os.path.join(os.path.dirname(os.path.dirname(own)), "python")]
    sys.path.extend(folders)  # the last places: a program may have left ours out
    try:
        return importlib.import_module("tilerace")
    finally:
        for folder in folders:
            sys.path.remove(folder)


def depth_outside(package):
    """The `stacklevel` of the caller's first frame that is not of that package. As `warnings` does,
    frames of the import system are not counted."""
    level, frame = 1, sys._getframe(1)
    while frame.f_back is not None:
        file = frame.f_code.co_filename
        is_import = "importlib" in file and "_bootstrap" in file
        if not is_import and frame.f_globals.get("__name__", "").partition(".")[0] != package:
            break
        level, frame = level + (not is_import), frame.f_back
    return level


def _warn(message, category, frame):
    if frame is None:
        warnings.warn(message, category, stacklevel=4)
        return
    warnings.warn_explicit(
        message, category, frame.f_code.co_filename, frame.f_lineno or 0,
        module=frame.f_globals.get("__name__"),
        registry=frame.f_globals.setdefault("__warningregistry__", {}))


def tell(found, frame):
    """Warns at that frame's line, or raises."""
    text = found.decode("utf-8", "replace").rstrip("\n")
    if mode == "error":
        raise classes().RaceError(text) from None
    _warn(classes().RaceWarning(text), None, frame)


def must_be_seen(frame):
    """Nothing may pass for looked at that was not."""
    global _remarked
    if recorder.is_on():
        return
    if mode == "error":
        raise RuntimeError(NOT_SEEN)
    if not _remarked:
        _remarked = True
        _warn(NOT_SEEN + ", and so are later ones", RuntimeWarning, frame)

"""Gives the findings of a launch as a Python warning or exception at the line of the launch, where TILERACE asks for
it, or kept, where TILERACE_FINDINGS names a file for it."""
import json
import os
import sys
import warnings

from tilerace_capture import recorder

# TILERACE: "strict" is for what is checked without a launch; of a launch it means "error".
mode = {"warn": "warn", "error": "error", "strict": "error",
        "interpret": "error"}.get(os.environ.get("TILERACE"))

if mode is None and os.environ.get("TILERACE_FINDINGS"):
    mode = "keep"  # findings are for another program that reads them, the pytest plugin

kept_in = os.environ.get("TILERACE_FINDINGS")  # a line of JSON a finding
# (process id, function): in that process the function is called with each finding, which is not written.
keeper, keeper_process = None, None
made = 0  # launches of this process of which nothing was found

# wire.h: before the text of a finding stand the rules that are broken, or that the launch could not
# be looked at.
END_OF_RULES, NOT_LOOKED_AT = "\x1f", "unchecked"

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


def _keep(rules, text, frame):
    """A record of it, for the keeper or the file."""
    record = {
        "rules": rules,
        "text": text,
        "file": frame.f_code.co_filename if frame is not None else None,
        "line": frame.f_lineno if frame is not None else None,
        "process": os.getpid(),
    }
    if keeper is not None and keeper_process == os.getpid():
        keeper(record)
        return
    line = (json.dumps(record) + "\n").encode()
    file = os.open(kept_in, os.O_WRONLY | os.O_APPEND | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        os.write(file, line)  # at once: other processes write there, too
    finally:
        os.close(file)


def _read(found):
    """The rules that it breaks, and the text."""
    rules, mark, text = found.decode("utf-8", "replace").rstrip("\n").partition(END_OF_RULES)
    return (rules.split(), text) if mark else ([], rules)


def _not_seen(text, frame, as_mode):
    if as_mode == "error":
        raise RuntimeError(text)
    _warn(text, RuntimeWarning, frame)


def tell(found, frame, as_mode):
    """Warns at that frame's line, raises, or keeps it."""
    rules, text = _read(found)
    if as_mode == "keep":
        _keep(rules, text, frame)
    elif rules == [NOT_LOOKED_AT]:
        _not_seen(text, frame, as_mode)
    elif as_mode == "error":
        raise classes().RaceError(text) from None
    else:
        _warn(classes().RaceWarning(text), None, frame)


def not_executed(why, frame, as_mode, is_error):
    """A launch that was to be executed and is not: its arrays are as they were."""
    text = why.decode("utf-8", "replace").rstrip("\n")
    if as_mode == "keep":
        _keep([NOT_LOOKED_AT], text, frame)
    elif is_error:
        raise classes().InterpretError(text) from None
    else:
        _warn(text, RuntimeWarning, frame)


def must_be_seen(frame, as_mode, is_before=False):
    """Nothing may pass for looked at that was not. `is_before`: the launch comes next."""
    global _remarked
    if recorder.is_on():
        return
    if as_mode == "keep":
        if not is_before:
            _keep([NOT_LOOKED_AT], "error: " + NOT_SEEN, frame)
    elif as_mode == "error":
        raise RuntimeError(NOT_SEEN)
    elif not _remarked:
        _remarked = True
        _not_seen(NOT_SEEN + ", and so are later ones", frame, as_mode)

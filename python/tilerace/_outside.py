"""Files and JSON from outside, as the program reads them: a file is a regular one of bounded size, and
JSON is kept to the last character or refused.
"""
from __future__ import annotations

import json
import os
import stat
from typing import Any, BinaryIO, Dict, List, Tuple, Union

from tilerace._results import InputError

Name = Union[str, "os.PathLike[str]"]
MOST_BYTES = 64 << 20  # of a file of kernels or a context


def read_file(path: Name) -> bytes:
    """The whole of it. InputError: it is none, or too large."""
    try:
        file = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY)
    except (OSError, ValueError) as error:
        raise InputError("%s cannot be read: %s" % (path, getattr(error, "strerror", None) or error)) from None
    if not stat.S_ISREG(os.fstat(file).st_mode):
        os.close(file)
        raise InputError("%s is not a file but a folder, a device or a pipe" % path)
    with os.fdopen(file, "rb") as stream:
        return _bounded(stream, path)


def _bounded(stream: BinaryIO, name: Name) -> bytes:
    data = stream.read(MOST_BYTES + 1)
    hold_size(len(data), name)
    return data


def hold_size(size: int, name: Name) -> None:
    """InputError: it is too large."""
    if size > MOST_BYTES:
        raise InputError("%s is larger than %d MiB" % (name, MOST_BYTES >> 20))


def _decoded(data: bytes, name: Name) -> str:
    try:
        return data.decode()
    except UnicodeDecodeError:
        raise InputError("%s is not UTF-8" % name) from None


def read_text(path: Name) -> str:
    """The whole of the file. InputError: it is no text, or too large."""
    return _decoded(read_file(path), path)


def text_of(stream: BinaryIO, name: str) -> str:
    """The whole of the stream. InputError: it is no text, or too large."""
    return _decoded(_bounded(stream, name), name)


def _once(pairs: List[Tuple[str, Any]]) -> Dict[str, Any]:
    known: Dict[str, Any] = {}
    for key, value in pairs:
        if key in known:
            raise InputError("the key `%s` is there twice" % key)
        known[key] = value
    return known


def _no_number(word: str) -> Any:
    raise InputError("%s is not a JSON number" % word)


def _fraction(word: str) -> float:
    value = float(word)
    if value in (float("inf"), float("-inf")):
        raise InputError("%s is too large for a number" % word)
    return value


def _whole(word: str) -> int:
    if len(word) > 20:  # no number of 64 bits
        raise InputError("%s is too large for a number" % word)
    return int(word)


def read_json(text: bytes, name: Name) -> Any:
    """A NUL, a lone surrogate, a key that is there twice, a number that is none: InputError, as json
    alone would let all of them pass."""
    try:
        value = json.loads(text.decode(), object_pairs_hook=_once, parse_constant=_no_number,
                           parse_float=_fraction, parse_int=_whole)
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        raise InputError("%s: a lone surrogate is not a character" % name) from None
    except InputError as error:
        raise InputError("%s: %s" % (name, error)) from None
    except (ValueError, RecursionError) as error:
        raise InputError("%s is not JSON: %s" % (name, error)) from None
    if "\\u0000" in json.dumps(value).replace("\\\\", ""):
        raise InputError("%s: no string has a NUL in it" % name)
    return value

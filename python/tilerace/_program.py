"""Finds the program `tilerace`."""
import os
import shutil
import sysconfig
from typing import Iterator


def _beside_package() -> Iterator[str]:
    """Yields the places of the program in an installation below a prefix: this folder is
    PREFIX/lib/tilerace/python/tilerace, where `lib` may be two folders deep."""
    folder = os.path.dirname(os.path.abspath(__file__))
    for up in "../../../../bin", "../../../../../bin":
        yield os.path.normpath(os.path.join(folder, up, "tilerace"))


def find() -> str:
    """Returns the program's path. Raises FileNotFoundError, with a sentence, where there is none."""
    named = os.environ.get("TILERACE_PROGRAM")
    places = [named] if named else [*_beside_package(),
                                    os.path.join(sysconfig.get_path("scripts"), "tilerace"),
                                    shutil.which("tilerace")]
    for place in places:
        if place and os.access(place, os.X_OK) and os.path.isfile(place):
            return place
    raise FileNotFoundError(
        "the program tilerace is not there: %s; TILERACE_PROGRAM may name it"
        % (named or "neither beside this package nor on PATH"))

"""Files that are written whole or not at all."""
from __future__ import annotations

import os
import secrets


def write(path: str, content: bytes) -> None:
    """Beside its place, and put there at once: whoever reads it meanwhile finds what was there before. Any number of
    writers may do so. OSError: it cannot be written, and nothing is left of it."""
    folder, name = os.path.split(os.path.abspath(path))
    beside = os.path.join(folder, ".new-%s" % secrets.token_hex(8))
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o666)
    try:
        with os.fdopen(handle, "wb") as out:
            out.write(content)
        os.replace(beside, os.path.join(folder, name))
    except BaseException:
        os.unlink(beside)
        raise

"""Files that are written whole or not at all."""
from __future__ import annotations

import os
import secrets


def write(path: str, content: bytes) -> None:
    """Writes a file beside its place and renames it, so that readers find either the old contents or all of the new
    ones. Several writers may do so at once. Raises OSError where the file cannot be written; nothing is left of it
    then."""
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

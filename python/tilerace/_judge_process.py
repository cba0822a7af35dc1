"""The process in which the code of a stranger runs, from outside: a request to it, its answer, and
nothing else believed of it."""
from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import Any, Dict, Optional, Tuple

from tilerace._confine import BEGINS, TOO_LARGE, TOO_MANY, PROCESSES, Limits

MOST_ANSWER = 256 << 20  # bytes
_TO_END = 20  # seconds for a warden, once there is an answer
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CODE = "import sys; sys.path[0] = %r; from tilerace import _judge_child; _judge_child.main()" % _ROOT


def _environment() -> Dict[str, str]:
    """Without what is ours; one thread for each library, so that few processes are many enough."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith("TILERACE")}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1"}


def _read_all(descriptor: int, deadline: float) -> Tuple[bytes, bool]:
    """What there is, and whether that is all; False: it has no end in time, or is too long."""
    text = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(descriptor, selectors.EVENT_READ)
        while len(text) <= MOST_ANSWER:
            left = deadline - time.monotonic()
            if left <= 0 or not waiting.select(left):
                break
            part = os.read(descriptor, 1 << 20)
            if not part:
                return bytes(text), True
            text += part
    return bytes(text), False


def _has_ended(child: "subprocess.Popen[bytes]", deadline: float) -> bool:
    """By then; it stays to be waited for, so that its number is nobody else's yet."""
    while os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT | os.WNOHANG) is None:
        if time.monotonic() > deadline:
            return False
        time.sleep(0.002)
    return True


def _end(child: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(child.pid, signal.SIGKILL)  # with what it started
    except (ProcessLookupError, PermissionError):
        pass
    child.wait()


def _how(code: int, limits: Limits) -> Dict[str, Any]:
    if code == TOO_MANY:
        return {"refused": "has more than %d processes at once" % PROCESSES, "limit": True}
    if code == TOO_LARGE:
        return {"refused": "takes more than %d megabytes" % limits.megabytes, "limit": True}
    return {"refused": "%s before it is compiled" % _end_words(code), "limit": code < 0}


def _end_words(code: int) -> str:
    return "is ended by signal %d" % -code if code < 0 else "ends with exit code %d" % code


def _own_failure(text: bytes, is_whole: bool, code: int, limits: Limits) -> Dict[str, Any]:
    """No code of the stranger has run, so whatever happened is not its fault."""
    if text:
        return {"ours": "the judge cannot run the code of others: " + text.decode(errors="replace").strip()}
    why = _end_words(code) if is_whole else "takes more than %g seconds" % limits.seconds
    return {"ours": "the judge's own process %s before it runs the code of others" % why}


def run(request: Dict[str, Any], folder: str, limits: Limits) -> Dict[str, Any]:
    """Its answer: an object, or {"refused": why} and perhaps a line; {"ours": why} where the judge
    itself failed, and nothing is known of the stranger's code. Files of the request lie in the folder;
    the process writes to none of them."""
    os.makedirs(os.path.join(folder, "scratch"), exist_ok=True)
    path = os.path.join(folder, "request.json")
    with open(path, "w", encoding="utf-8") as out:
        json.dump({**request, "limits": vars(limits)}, out)
    reading, writing = os.pipe()
    try:
        with open(path, "rb") as stated:
            child = subprocess.Popen([sys.executable, "-c", _CODE, folder, str(writing), str(os.getpid())],
                                     cwd=folder, stdin=stated, stdout=subprocess.DEVNULL,
                                     stderr=subprocess.DEVNULL, pass_fds=(writing,), env=_environment(),
                                     start_new_session=True)
        os.close(writing)
        writing = -1
        try:
            text, is_whole = _read_all(reading, time.monotonic() + limits.seconds)
            if is_whole:
                _has_ended(child, time.monotonic() + _TO_END)
        finally:
            _end(child)
    finally:
        os.close(reading)
        if writing >= 0:
            os.close(writing)
    if not text.startswith(BEGINS):
        return _own_failure(text, is_whole, child.returncode, limits)
    if not is_whole:
        return {"refused": "takes more than %g seconds" % limits.seconds, "limit": True}
    try:
        answer = json.loads(text[len(BEGINS):])
    except (ValueError, RecursionError):
        answer = None
    return answer if isinstance(answer, dict) else _how(child.returncode, limits)

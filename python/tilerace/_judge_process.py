"""Runs the code of a stranger in another process: sends a request, reads the answer, and believes nothing else of that
process."""
from __future__ import annotations

import json
import os
import selectors
import signal
import subprocess
import sys
import time
from typing import Any, Dict, Optional, Tuple

from tilerace import _processes
from tilerace._confine import BEGINS, TOO_LARGE, TOO_MANY, PROCESSES, Limits

MOST_ANSWER = 16 << 20  # bytes of all modules of a candidate
_KEPT = ("PATH", "LANG", "TZ", "VIRTUAL_ENV", "LD_LIBRARY_PATH")  # of the environment, besides the following
_KEPT_GROUPS = ("LC_", "PYTHON", "CUDA")
_OURS = 20  # seconds, or those of the limits, until all of ours is there
_WALL, _IDLE = 10, 50  # as of judge/crew.c
_TO_END = 20  # seconds for a warden, once there is an answer
_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CODE = "import sys; sys.path[0] = %r; from tilerace import _judge_child; _judge_child.main()" % _ROOT


def _environment() -> Dict[str, str]:
    """Returns the variables by which Python and its libraries are found, and none that could hold the judge's keys and
    passwords. Libraries use one thread each, so that the limit of processes suffices."""
    kept = {key: value for key, value in os.environ.items() if key in _KEPT or key.startswith(_KEPT_GROUPS)}
    return {**kept, "OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1",
            "PYTHONDONTWRITEBYTECODE": "1"}


class _Patience:
    """Decides how long a process is waited for: until it has used its seconds of processor time, so that a busy machine
    makes no difference. A process that uses next to no processor time is measured by the clock, and each one is given
    up after some times its seconds by the clock."""

    def __init__(self, session: int, seconds: float) -> None:
        self.session, self.seconds = session, seconds
        self.begin()

    def begin(self) -> None:
        self.began, self.worked = time.monotonic(), _processes.worked(self.session)
        self.deadline = self.began + self.seconds

    def is_over(self) -> bool:
        """Called at the deadline, which moves on if the time is not over."""
        now = time.monotonic()
        worked = _processes.worked(self.session) - self.worked
        if now - self.began >= _WALL * self.seconds or worked >= self.seconds or worked * _IDLE < now - self.began:
            return True
        self.deadline = min(now + max(self.seconds - worked, 0.05), self.began + _WALL * self.seconds)
        return False


def _read_all(descriptor: int, patience: _Patience, limit: float, most: int) -> Tuple[bytes, bool]:
    """Returns the bytes read, at most a little more than `most`, and whether the end was reached in time. The limit is
    that of the stranger's code, and starts when our own code has begun to answer."""
    text = bytearray()
    with selectors.DefaultSelector() as waiting:
        waiting.register(descriptor, selectors.EVENT_READ)
        while len(text) <= most:
            left = patience.deadline - time.monotonic()
            if left <= 0 and patience.is_over():
                return bytes(text), False
            if not waiting.select(max(left, 0)):
                continue
            part = os.read(descriptor, 1 << 20)
            if not part:
                break
            has_begun = text.startswith(BEGINS)
            text += part
            if not has_begun and text.startswith(BEGINS):
                patience.seconds = limit
                patience.begin()
    return bytes(text), True


def _has_ended(child: "subprocess.Popen[bytes]", deadline: float) -> bool:
    """Has the child ended by the deadline? It is not reaped, so its process id still belongs to it."""
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
    return {"refused": "%s before there is an answer" % _end_words(code), "limit": code < 0}


def _end_words(code: int) -> str:
    return "is ended by signal %d" % -code if code < 0 else "ends with exit code %d" % code


def _own_failure(text: bytes, is_whole: bool, code: int, limits: Limits) -> Dict[str, Any]:
    """Describes a failure before any code of the stranger ran, which is therefore not its fault."""
    if text:
        return {"ours": "the judge cannot run the code of others: " + text.decode(errors="replace").strip()}
    why = _end_words(code) if is_whole else "takes more than %g seconds" % limits.seconds
    return {"ours": "the judge's own process %s before it runs the code of others" % why}


def _object(text: bytes) -> Optional[Dict[str, Any]]:
    try:
        value = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def run(request: Dict[str, Any], folder: str, limits: Limits, most: int = MOST_ANSWER) -> Dict[str, Any]:
    """Runs a request and returns the answer: an object, or {"refused": why} and perhaps a line; {"ours": why} where the
    judge itself failed, so that nothing is known of the stranger's code. For a candidate, `stated` is what was answered
    before any of its code had run. No more than `most` bytes are read. Files of the request lie in the folder; the
    process writes to none of them."""
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
            patience = _Patience(child.pid, max(limits.seconds, _OURS))
            text, is_whole = _read_all(reading, patience, limits.seconds, most)
            if is_whole and len(text) <= most:
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
    if len(text) > most:
        return {"refused": "answers with more than %d megabytes" % (most >> 20), "limit": True}
    text = text[len(BEGINS):]
    first, _, rest = text.partition(b"\n") if request["role"] == "compile" else (b"{}", b"", text)
    before, answer = _object(first), _object(rest)
    if before is None or answer is None:
        return _how(child.returncode, limits)
    return {**answer, "stated": before}

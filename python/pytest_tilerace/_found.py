"""Collects the findings of launches: those of this process from its hooks, those of processes that tests start from a
file."""
from __future__ import annotations

import importlib
import json
import os
import sys
import threading
from typing import Any, Dict, Iterable, List

from pytest_tilerace import _checker

MOST_SHOWN = 8


_FOLDER = os.getcwd() + os.sep  # as the session begins; a test may go elsewhere


def _shortened(text: str) -> str:
    """Names files below the working folder relative to it, as pytest does."""
    return "\n".join(line[len(_FOLDER):] if line.startswith(_FOLDER) else line
                     for line in text.split("\n"))


class Finding:
    """A finding about one launch."""

    def __init__(self, record: Dict[str, Any]) -> None:
        self.rules: List[str] = record["rules"]
        self.process: int = record["process"]
        self.text = _shortened(record["text"])
        if record["file"] and "launched here" not in self.text:
            self.text += _shortened("\n%s:%d: note: launched here"
                                    % (record["file"], record["line"]))
        if self.process != os.getpid():
            self.text += "\n(launched by process %d)" % self.process

    @property
    def first_line(self) -> str:
        return self.text.partition("\n")[0]


def together(findings: Iterable[Finding]) -> str:
    """Their texts; of equal ones the first, and how many there are."""
    times: Dict[str, int] = {}
    for finding in findings:
        times[finding.text] = times.get(finding.text, 0) + 1
    shown = ["%s%s" % (text, "" if n == 1 else "\n(%d launches)" % n)
             for text, n in list(times.items())[:MOST_SHOWN]]
    if len(times) > MOST_SHOWN:
        shown.append("and %d other findings" % (len(times) - MOST_SHOWN))
    return "\n\n".join(shown)


def _hooks() -> Any:
    """The module of the hooks that is told of findings. A worker has it by the finder that Python's
    start has installed: the folder need not be on its path."""
    for finder in sys.meta_path:
        folder = getattr(finder, "folder", None)
        if hasattr(finder, "is_of_tilerace") and "tilerace_capture" not in sys.modules and folder:
            sys.path.insert(0, folder)
            try:
                importlib.import_module("tilerace_capture")
            finally:
                sys.path.remove(folder)
    return importlib.import_module("tilerace_capture.findings")


class Listener:
    """Takes what this process and those that it starts have found."""

    def __init__(self, name: str) -> None:
        self._path = os.path.join(os.environ[_checker.SESSION], name)
        self._at = 0  # what was read of the file
        self._lock = threading.Lock()
        self._new: List[Finding] = []
        os.environ[_checker.FINDINGS] = self._path
        hooks = self._hooks = _hooks()
        hooks.mode = "keep"
        hooks.kept_in = self._path
        hooks.keeper_process = os.getpid()
        hooks.keeper = self._hear

    def _hear(self, record: Dict[str, Any]) -> None:
        with self._lock:
            self._new.append(Finding(record))

    def _read(self) -> None:
        try:
            with open(self._path, "rb") as file:
                file.seek(self._at)
                data = file.read()
        except OSError:
            return  # nothing was written
        whole, end, _ = data.rpartition(b"\n")
        self._at += len(whole) + len(end)
        for line in whole.splitlines():
            self._hear(json.loads(line))

    def made(self) -> int:
        """Launches of this process of which nothing was found."""
        return int(self._hooks.made)

    def mark(self) -> int:
        """How many are there that were not taken."""
        self._read()
        return len(self._new)

    def since(self, mark: int) -> List[Finding]:
        self._read()
        with self._lock:
            return self._new[mark:]

    def take(self) -> List[Finding]:
        self._read()
        with self._lock:
            new, self._new = self._new, []
        return new

"""The checker of a test session: a process `tilerace beside`, to which all processes of the session
speak, xdist's workers and what tests start among them."""
from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from typing import Any, Dict, List, Optional

import pytest

from tilerace import _beside, _program

PATIENCE_S = 600  # at the end, for modules that are still being checked
# Environment variables: the folder of the session, and what capture/python reads.
SESSION, FINDINGS = "TILERACE_PYTEST", "TILERACE_FINDINGS"
FIRST = "main.jsonl"  # what is found in this process and in those that it starts


class Checker:
    """It ends with `end`, or with this process."""

    def __init__(self, mode: str, recording: Optional[str]) -> None:
        self.mode = mode
        self.recording = recording or ".tilerace"
        self.words: List[str] = []  # after the start
        self.folder = tempfile.mkdtemp(prefix="tilerace-pytest-")
        self.summary: Optional[Dict[str, Any]] = None
        self.lost: Optional[str] = None  # why there is no summary
        self._environment: Dict[str, Optional[str]] = {}  # as it was
        self._socket: Optional[str] = None
        self._words = os.path.join(self.folder, "words")
        self._process = self._start()
        self.header = self._said(0)
        self._heard = os.path.getsize(self._words)

    def _options(self) -> List[str]:
        # Each launch waits for its answer, so tables on a GPU can be looked at, too.
        options = ["--check-contents", "--summary", os.path.join(self.folder, "summary.json")]
        if self.mode == "interpret":
            options.append("--interpret")
        if self.mode == "record":
            options += ["--recording", self.recording]
        return options

    def _start(self) -> "subprocess.Popen[bytes]":
        """Its words go to a file: pytest takes what tests write."""
        with open(self._words, "wb") as words:
            try:
                process, where = _beside.start(self._options(), words)
            except (OSError, RuntimeError) as error:
                said = self._said(0)
                shutil.rmtree(self.folder, ignore_errors=True)
                raise pytest.UsageError("--tilerace=%s: %s" % (
                    self.mode, "\n".join([str(error), *said]))) from None
        self._lead(*where)
        return process

    def _lead(self, socket: str, recorder: str, hooks: str, is_dry_run: str) -> None:
        """Leads this process, and all that it starts, to the checker, as `tilerace exec` does."""
        self._socket = socket
        self._set("TILERACE_CAPTURE", socket)
        self._set("TILERACE_RECORDER", recorder)
        self._set("TILERACE_DRY_RUN", is_dry_run)
        self._put_in_front("PYTHONPATH", hooks)
        if is_dry_run:
            self._put_in_front("LD_LIBRARY_PATH", os.path.dirname(recorder))
        else:
            self._put_in_front("LD_PRELOAD", recorder)
            self._put_in_front("ASAN_OPTIONS", "verify_asan_link_order=0")
        self._set(SESSION, self.folder)
        if self.mode != "record":
            self._set(FINDINGS, os.path.join(self.folder, FIRST))
        _beside.load(hooks, {})
        blind = _beside.install(hooks)
        if blind:
            self.leave()
            raise pytest.UsageError("--tilerace=%s: %s" % (self.mode, blind))

    def _set(self, name: str, value: str) -> None:
        self._environment.setdefault(name, os.environ.get(name))
        os.environ[name] = value

    def _put_in_front(self, name: str, first: str) -> None:
        old = os.environ.get(name)
        self._set(name, first + os.pathsep + old if old else first)

    def _said(self, start: int) -> List[str]:
        with open(self._words, "rb") as words:
            words.seek(start)
            return words.read().decode("utf-8", "replace").splitlines()

    def end(self) -> None:
        """All that was told is judged, and counted in `summary`."""
        assert self._process.stdin is not None
        self._process.stdin.close()
        try:
            code = self._process.wait(PATIENCE_S)
        except subprocess.TimeoutExpired:
            self._process.kill()
            code = self._process.wait()
        try:
            with open(os.path.join(self.folder, "summary.json"), "rb") as file:
                self.summary = json.load(file)
        except (OSError, ValueError):
            self.lost = ("the checker came to nothing (exit code %d): launches that it had not "
                         "answered are not checked" % code)
        self.words = self._said(self._heard)

    def leave(self) -> None:
        """Everything is as it was before, but for the hooks, which stay."""
        if self._process.poll() is None:
            self._process.kill()
            self._process.wait()
        for name, value in self._environment.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value
        shutil.rmtree(self.folder, ignore_errors=True)
        if self._socket is not None:  # still there after a checker that was killed
            shutil.rmtree(os.path.dirname(self._socket), ignore_errors=True)


def begin(mode: str, recording: Optional[str]) -> Optional[Checker]:
    """None: this is a worker of a session that has one."""
    if SESSION in os.environ:
        return None
    if any(hasattr(finder, "is_of_tilerace") for finder in sys.meta_path):
        raise pytest.UsageError(
            "--tilerace=%s starts a checker, and there is one already: leave out `tilerace exec`, "
            "or TILERACE in the environment, or this option" % mode)
    return Checker(mode, recording)

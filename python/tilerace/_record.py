"""Launches of cuTile Python while a with-block runs, to a recording."""
from __future__ import annotations

import contextlib
import importlib
import os
import sys
import tempfile
import threading
from types import FrameType
from typing import Any, Callable, Dict, Iterator, List, NamedTuple, Optional, Tuple

from tilerace import _check, _cutile, _library
from tilerace._launch import Launch, Signature, state
from tilerace._library import library
from tilerace._results import InputError, Kernel, Result


class Recording:
    """Recorded launches, in a folder, which `tilerace check FOLDER` can check, too."""

    def __init__(self, folder: str,
                 holder: Optional["tempfile.TemporaryDirectory[str]"] = None) -> None:
        self.folder = folder
        self._holder = holder  # removes the folder when it goes
        self._launches = 0
        self._missed: List[InputError] = []

    @property
    def launches(self) -> int:
        """The number of recorded launches. Equal launches at one line are kept once."""
        return self._launches

    @property
    def missed(self) -> Tuple[InputError, ...]:
        """Launches that could not be recorded: where they were made, and why not."""
        return tuple(self._missed)

    def check(self, **options: Any) -> Result:
        """Checks each launch; the options are those of `tilerace.check`. Raises InputError if a launch
        was missed or none was recorded, because no verdict would cover all launches."""
        if self._missed:
            raise InputError("launches were not recorded", errors=self._missed)
        if not self._launches:
            raise InputError("no launch was recorded", self.folder)
        return _check.check(self.folder, **options)

    def __repr__(self) -> str:
        return "<tilerace.Recording of %d launches in %s>" % (self._launches, self.folder)


class _Known(NamedTuple):
    """A kernel with one of its signatures."""

    module: bytes
    names: str
    kernel: Kernel  # of all its launches


FIRST_LOOK_MS = 2000  # for one kernel: what it says of contents decides whether they are recorded
OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


class _Recorder:
    """Records each launch."""

    def __init__(self, recording: Recording, front_end: str) -> None:
        self.recording = recording
        self.hidden = (OWN, os.path.dirname(os.path.abspath(front_end)) + os.sep)
        self._known: Dict[Tuple[Any, str], _Known] = {}
        self._lock = threading.Lock()

    def place(self, frame: Optional[FrameType]) -> Tuple[Optional[str], int]:
        """The innermost line that is neither the front end's nor ours."""
        while frame is not None:
            file = frame.f_code.co_filename
            hooks = frame.f_globals.get("__name__", "").partition(".")[0] == "tilerace_capture"
            if not hooks and not file.startswith(self.hidden):
                return (file if file.startswith("<") else os.path.abspath(file)), frame.f_lineno
            frame = frame.f_back
        return None, 0

    def _of(self, kernel: Any, args: Tuple[Any, ...]) -> _Known:
        signed = _cutile.Signed(kernel, args)
        key = kernel, signed.signature.symbol
        with self._lock:
            known = self._known.get(key)
        if known is None:
            source = _check.compiled(kernel, Signature(*args),
                                     {**_check.DEFAULTS, "budget_ms": FIRST_LOOK_MS})
            known = _Known(source.module, source.names or "", _check.run(source).kernels[0])
            with self._lock:
                self._known[key] = known
        return known

    def prepare(self, grid: Any, kernel: Any, args: Tuple[Any, ...],
                frame: Optional[FrameType]) -> Callable[[], None]:
        """Records a launch before it is made, since it may change the contents of its buffers. The function that is
        returned has to be called after the launch."""
        file, line = self.place(frame)
        try:
            known = self._of(kernel, args)
            contract = state(known.kernel, Launch(grid, args), file, line)
        except (InputError, TypeError) as error:
            missed = InputError("this launch was not recorded: %s" % error, file, line)
            return lambda: self.miss(missed)
        return lambda: self._write(known, contract, file, line)

    def _write(self, known: _Known, contract: str, file: Optional[str], line: int) -> None:
        why = _library.taken_text(library().tilerace_record_launch(
            os.fsencode(self.recording.folder), known.module, len(known.module),
            known.names.encode("utf-8", "replace"), contract.encode()))
        if why is not None:
            self.miss(InputError("this launch was not recorded: %s" % why, file, line))
            return
        with self._lock:
            self.recording._launches += 1

    def miss(self, error: InputError) -> None:
        with self._lock:
            self.recording._missed.append(error)


class _Launcher:
    """Stands in for a function of the front end that launches. A launcher that is kept somewhere (the front end itself
    keeps the globals of kernels that it compiles) does nothing of its own after the block."""

    def __init__(self, original: Any, name: str, recorder: _Recorder) -> None:
        self.original = original
        self.name = name
        self.recorder: Optional[_Recorder] = recorder  # None: the block has ended
        for attribute in ("__name__", "__qualname__", "__module__", "__doc__",
                          "__text_signature__"):
            setattr(self, attribute, getattr(original, attribute, None))
        # The hooks of tilerace_capture recognise by this mark what stands between the program and them.
        self.__code__ = _Launcher.__call__.__code__

    def __repr__(self) -> str:
        return repr(self.original)

    def _after(self, recorder: _Recorder, args: Tuple[Any, ...],
               keywords: Dict[str, Any]) -> Callable[[], None]:
        frame = sys._getframe(2)
        why = None
        if self.name != "launch":
            why = "it is made by %s()" % self.name
        elif any(keywords.values()):  # it may meet the launch before it
            why = "it has %s" % ", ".join(sorted(keywords))
        if why is not None:
            missed = InputError("this launch was not recorded: %s" % why, *recorder.place(frame))
            return lambda: recorder.miss(missed)
        if len(args) != 4 or not _cutile.is_kernel(args[2]) or not isinstance(args[3], tuple):
            return lambda: None  # the front end refuses it
        return recorder.prepare(args[1], args[2], args[3], frame)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        recorder = self.recorder
        if recorder is None:
            return self.original(*args, **keywords)
        after = self._after(recorder, args, keywords)
        result = self.original(*args, **keywords)
        after()
        return result


LAUNCHERS = ("launch", "launch_extended", "_benchmark")  # of cuda.tile._cext


def _exchange(module: Any, what: Dict[str, Tuple[Any, Any]]) -> None:
    """Exchanges functions in the front end and in every module that has imported them. Attributes of classes and
    default arguments stay."""
    for name, (_, new) in what.items():
        setattr(module, name, new)
    by_id = {id(old): (old, new) for old, new in what.values()}
    for other in list(sys.modules.values()):
        names = getattr(other, "__dict__", None)
        if type(names) is not dict:
            continue
        for name, value in list(names.items()):
            old, new = by_id.get(id(value), (None, None))
            if old is not None and old is value:
                names[name] = new


@contextlib.contextmanager
def record(folder: Optional[_check.Path] = None) -> Iterator[Recording]:
    """Records the launches of cuTile Python that the program makes in the with-block, in all its
    threads, in `folder`. Without it, the folder is temporary, and removed with the recording or at
    the program's end.

    Inside the block, the functions that launch are replaced. The launches themselves happen as
    usual.
    """
    try:
        front_end = importlib.import_module("cuda.tile._cext")
    except ImportError as error:
        raise ImportError("record() is for launches of cuTile Python, which cannot be imported: %s"
                          % error, name="cuda.tile") from None
    if folder is None:
        holder = tempfile.TemporaryDirectory(prefix="tilerace-")
        recording = Recording(os.path.join(holder.name, "recording"), holder)
    else:
        recording = Recording(os.fsdecode(_check.path_of(folder, "the folder of the recording")))
    recorder = _Recorder(recording, str(front_end.__file__))
    exchanged = {}
    for name in LAUNCHERS:
        original = getattr(front_end, name, None)
        if original is not None:
            exchanged[name] = original, _Launcher(original, name, recorder)
    _exchange(front_end, exchanged)
    try:
        yield recording
    finally:
        _exchange(front_end, {name: (new, old) for name, (old, new) in exchanged.items()})
        for _, launcher in exchanged.values():
            launcher.recorder = None

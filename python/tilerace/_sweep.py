"""Many judgements: `sweep()`, by processes of this machine or by Ray, with results in a shared folder.

A task is a context with all files that it names, for one combination of tuning values. Its result is kept
under the hash of the task, so that equal tasks are done once, by whoever needs them first, and a sweep
that was stopped goes on where it was.
"""
from __future__ import annotations

import base64
import hashlib
import importlib
import json
import os
import queue
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass
from importlib import metadata
from typing import Any, Callable, Dict, Iterable, Iterator, List, Mapping, Optional, Set, Tuple, Union

from tilerace import _judge_sizes, _outside, _program, _whole_file
from tilerace._judge import judge
from tilerace._judgement import Judgement, judgement_of
from tilerace._results import InputError

MOST_TRIES = 3  # of a task whose worker is lost
Context = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Row:
    """One judgement of a sweep."""

    context: int  #: number of the context
    values: Mapping[str, Any]  #: values of its tuning parameters
    key: str  #: the key under which the result is kept
    judgement: Judgement


# ---- Results ----


class _Store:
    """Results by name, in a folder or at any URL that fsspec knows."""

    def __init__(self, url: str) -> None:
        self.folder: Optional[str] = url[len("file://"):] if url.startswith("file://") else url
        self.remote: Any = None
        if "://" in (self.folder or ""):
            self.remote, root = importlib.import_module("fsspec").core.url_to_fs(url)
            self.folder = None
            self.root = root.rstrip("/")
        else:
            os.makedirs(self.folder or ".", exist_ok=True)

    def _read(self, key: str) -> bytes:
        if self.folder is None:
            found: bytes = self.remote.cat_file("%s/%s.json" % (self.root, key))
            return found
        with open(os.path.join(self.folder, key + ".json"), "rb") as file:
            return file.read()

    def get(self, key: str) -> Optional[Dict[str, Any]]:
        """None: it is not there, or not whole, as a writer leaves it that is lost on the way."""
        try:
            found = json.loads(self._read(key))
        except (FileNotFoundError, ValueError):
            return None
        return found if isinstance(found, dict) else None

    def put(self, key: str, result: Mapping[str, Any]) -> None:
        content = json.dumps(result, sort_keys=True).encode()
        if self.folder is None:
            self.remote.pipe_file("%s/%s.json" % (self.root, key), content)
            return
        _whole_file.write(os.path.join(self.folder, key + ".json"), content)


# ---- Tasks ----


def _named_files(value: Any, folder: str) -> Iterator[Tuple[str, str]]:
    """Yields each text that names a file, or a function in one, and that file."""
    if isinstance(value, Mapping):
        for of in value.values():
            yield from _named_files(of, folder)
    elif isinstance(value, (list, tuple)):
        for of in value:
            yield from _named_files(of, folder)
    elif isinstance(value, str) and "\n" not in value and len(value) < 4096:
        for name in (value, value.rpartition(":")[0]):
            if name and os.path.isfile(os.path.join(folder, name)):
                yield value, name
                return


def _renamed(value: Any, names: Mapping[str, str]) -> Any:
    if isinstance(value, Mapping):
        return {key: _renamed(of, names) for key, of in value.items()}
    if isinstance(value, (list, tuple)):
        return [_renamed(of, names) for of in value]
    return names.get(value, value) if isinstance(value, str) else value


def _with_files(context: Mapping[str, Any], folder: str) -> Dict[str, Any]:
    """The context and what it names, which then lies beside it."""
    files: Dict[str, str] = {}
    names: Dict[str, str] = {}
    for text, name in _named_files(context, folder):
        inside = name if not os.path.isabs(name) and ".." not in name.split("/") else (
            "%d/%s" % (len(names), os.path.basename(name)))
        names[text] = inside + text[len(name):]
        files[inside] = base64.b64encode(_outside.read_file(os.path.join(folder, name))).decode()
    return {"context": _renamed(context, names), "files": files}


def _read(context: Context) -> Tuple[Dict[str, Any], str]:
    if isinstance(context, Mapping):
        return dict(context), "."
    path = os.fspath(context)
    text = _outside.read_file(path)
    folder = os.path.dirname(path) or "."
    if text.lstrip().startswith(b"{"):
        return _outside.read_json(text, path), folder
    return {"kernel": os.path.basename(path)}, folder


def _versions() -> List[str]:
    """Returns the versions of all that a result depends on besides its task."""
    found = [subprocess.run([_program.find(), "--version"], capture_output=True, text=True, check=True).stdout.strip()]
    for name in ("cuda-tile", "numpy"):
        try:
            found.append("%s %s" % (name, metadata.version(name)))
        except metadata.PackageNotFoundError:
            pass
    return found


def _tasks(contexts: Iterable[Context], shapes: Optional[List[Mapping[str, Any]]],
           ) -> Iterator[Tuple[int, Dict[str, Any], bytes]]:
    versions = _versions()
    for number, context in enumerate(contexts):
        stated, folder = _read(context)
        task = _with_files(stated, folder)
        tuned = {name: _judge_sizes.values_of(name, of) for name, of in stated.get("tune", {}).items()}
        for shape in shapes or [{}]:
            for values in _judge_sizes.products(tuned):
                own = dict(task["context"])
                if values:
                    own["tune"] = {name: [value] for name, value in values.items()}
                if shape:
                    own["sizes"] = {**own.get("sizes", {}), **{
                        name: of if isinstance(of, (list, Mapping)) else [of] for name, of in shape.items()}}
                text = json.dumps({"context": own, "files": task["files"], "versions": versions},
                                  sort_keys=True, separators=(",", ":"))
                yield number, {**values, **shape}, text.encode()


def _without_times(answer: Any) -> Any:
    if isinstance(answer, dict):
        return {key: _without_times(of) for key, of in answer.items() if key != "time_ms"}
    return [_without_times(of) for of in answer] if isinstance(answer, list) else answer


def run_task(text: bytes, key: str, results: str) -> str:
    """Judges it, unless that is done, and keeps the result. It depends on the task alone."""
    store = _Store(results)
    if store.get(key) is not None:
        return key
    task = json.loads(text)
    with tempfile.TemporaryDirectory(prefix="tilerace-task-") as folder:
        for name, content in task["files"].items():
            path = os.path.join(folder, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(base64.b64decode(content))
        try:
            answer: Dict[str, Any] = dict(judge(task["context"], folder=folder).answer)
        except InputError as error:
            answer = {"error": str(error).replace(folder + "/", "")}
    store.put(key, _without_times(answer))
    return key


# ---- Workers ----


_ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
_CODE = "import sys; sys.path[0] = %r; from tilerace import _sweep; _sweep.work(sys.argv[1])" % _ROOT


def work(results: str) -> None:
    """A worker: tasks come in lines, each with its key, and keys go out; or why there is no result."""
    for line in sys.stdin.buffer:
        key, _, text = line.partition(b" ")
        try:
            print(run_task(text, key.decode(), results), flush=True)
        except Exception as error:  # of this task alone
            print("! %s: %s" % (type(error).__name__, str(error).replace("\n", " ")), flush=True)


class _Worker:
    """A process that does one task at a time, and another in its place where it is lost."""

    def __init__(self, results: str) -> None:
        self.results = results
        self.process: Optional["subprocess.Popen[bytes]"] = None

    def _try(self, text: bytes, key: str) -> str:
        """Asks a worker, and returns its answer; "": the worker is gone."""
        if self.process is None:
            self.process = subprocess.Popen([sys.executable, "-c", _CODE, self.results],
                                            stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        stdin, stdout = self.process.stdin, self.process.stdout
        assert stdin is not None and stdout is not None
        try:
            stdin.write(key.encode() + b" " + text + b"\n")
            stdin.flush()
            return stdout.readline().decode().strip()
        except BrokenPipeError:
            return ""

    def do(self, text: bytes, key: str) -> None:
        for _ in range(1 + MOST_TRIES):
            said = self._try(text, key)
            if said == key:
                return
            if said.startswith("!"):
                raise InputError(said[2:])
            self.end()
        raise InputError("task %s has lost %d workers" % (key, 1 + MOST_TRIES))

    def end(self) -> None:
        if self.process is not None:
            self.process.kill()
            self.process.communicate()
            self.process = None


def _by_processes(tasks: Mapping[str, bytes], results: str, workers: int, told: Callable[[str], None]) -> None:
    left = list(tasks.items())[::-1]
    ends: "queue.Queue[Union[str, BaseException]]" = queue.Queue()

    def use(worker: _Worker) -> None:
        try:
            while left:
                try:
                    key, text = left.pop()
                except IndexError:  # another was faster
                    break
                worker.do(text, key)
                ends.put(key)
        except BaseException as error:
            ends.put(error)

    all_of_them = [_Worker(results) for _ in range(min(workers, len(tasks)))]
    threads = [threading.Thread(target=use, args=(worker,), daemon=True) for worker in all_of_them]
    for thread in threads:
        thread.start()
    try:
        for _ in tasks:
            end = ends.get()
            if isinstance(end, BaseException):
                raise end
            told(end)
    finally:
        left.clear()
        for worker in all_of_them:
            worker.end()


def _by_ray(tasks: Mapping[str, bytes], results: str, told: Callable[[str], None]) -> None:
    ray: Any = importlib.import_module("ray")
    remote = ray.remote(max_retries=MOST_TRIES, retry_exceptions=False)(run_task)
    most = max(4, 4 * int(ray.cluster_resources().get("CPU", 1)))
    left: Dict[str, bytes] = dict(tasks)
    running: List[Any] = []
    while left or running:
        while left and len(running) < most:
            key, text = left.popitem()
            running.append(remote.remote(text, key, results))
        done, running = ray.wait(running)
        try:
            for key in ray.get(done):
                told(key)
        except ray.exceptions.RayError as error:
            raise InputError("Ray has lost a task: %s" % error) from error


def sweep(contexts: Iterable[Context], results: str, *, shapes: Optional[List[Mapping[str, Any]]] = None,
          workers: Optional[int] = None, ray: bool = False,
          progress: Optional[Progress] = None) -> List[Row]:
    """Judges every context with every combination of its tuning values and of `shapes` (each of which
    replaces some of its `sizes`), and returns a row for each, in that order.

    `results` is a folder, or a URL for fsspec, to which all workers have access; tasks with a result
    there are not judged again. `workers` is the number of processes, by default one for each
    processor; with `ray`, Ray runs the tasks. `progress` is called with the number of finished tasks
    and the number of all. Raises InputError if a context or a reference is wrong.
    """
    rows: List[Tuple[int, Mapping[str, Any], str]] = []
    tasks: Dict[str, bytes] = {}
    for number, values, text in _tasks(contexts, shapes):
        key = hashlib.sha256(text).hexdigest()
        rows.append((number, values, key))
        tasks[key] = text
    store = _Store(results)
    missing = {key: text for key, text in tasks.items() if store.get(key) is None}
    done: Set[str] = set(tasks) - set(missing)

    def told(key: str) -> None:
        done.add(key)
        if progress is not None:
            progress(len(done), len(tasks))

    if ray:
        _by_ray(missing, results, told)
    elif missing:
        _by_processes(missing, results, workers or os.cpu_count() or 1, told)
    return [Row(number, values, key, _result(store, key)) for number, values, key in rows]


def _result(store: _Store, key: str) -> Judgement:
    answer = store.get(key)
    if answer is None:
        raise InputError("the result %s is gone" % key)
    if "error" in answer:
        raise InputError(answer["error"])
    return judgement_of(answer)

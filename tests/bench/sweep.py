"""What sweeps cost: throughput against workers, CPU seconds and memory. Measures, passes nothing.

    sweep.py BUILD_FOLDER [-n TASKS] [-workers 1,2] [-python] [-ray]

The tasks are kernels of kernels/, each with itself as the reference, and with a number in a comment, so that
no two are equal; with -python, one kernel of cuTile Python (the Python that runs this has it then). With
-ray, Ray runs them on as many processors.
"""
import argparse
import os
import pathlib
import resource
import sys
import tempfile
import threading
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "python"))

KERNELS = ("gather", "gather_scale", "layer_norm", "saxpy", "softmax_row", "vector_add", "transpose", "copy_tail")
PYTHON = """import cuda.tile as ct


@ct.kernel
def softmax(x, y, B: ct.Constant[int]):
    row = ct.bid(0)
    v = ct.load(x, (row, 0), shape=(1, B), padding_mode=ct.PaddingMode.NEG_INF)
    e = ct.exp(v - ct.max(v, axis=1, keepdims=True))
    ct.store(y, (row, 0), e / ct.sum(e, axis=1, keepdims=True))  # %d
"""
REFERENCE = """import numpy as np


def softmax(x, y, _):
    e = np.exp(x - x.max(axis=1, keepdims=True))
    return e / e.sum(axis=1, keepdims=True)
"""


def contexts(n, folder, is_python):
    if is_python:
        (folder / "plain.py").write_text(REFERENCE)
        return [{"kernel": {"source": PYTHON % i}, "sizes": {"m": {"max": 50}, "n": {"max": 64}}, "grid": ["m"],
                 "arguments": [{"name": "x", "dtype": "float32", "shape": ["m", "n"]},
                               {"name": "y", "dtype": "float32", "shape": ["m", "n"], "output": True},
                               {"name": "B", "constant": 64}],
                 "reference": str(folder / "plain.py") + ":softmax"} for i in range(n)]
    texts = {name: (ROOT / "kernels" / (name + ".c")).read_text() for name in KERNELS}
    names = sorted(texts)
    return [{"kernel": {"source": texts[names[i % len(names)]] + "\n// %d\n" % i},
             "reference": {"source": texts[names[i % len(names)]]}} for i in range(n)]


def megabytes_of_tree():
    """Proportional memory of all descendants."""
    from tilerace import _processes
    kilobytes = 0
    for pid in _processes.descendants(os.getpid()):
        try:
            for line in pathlib.Path("/proc/%d/smaps_rollup" % pid).read_text().splitlines():
                if line.startswith("Pss:"):
                    kilobytes += int(line.split()[1])
        except OSError:
            pass
    return kilobytes >> 10


class Watch:
    """The most memory that the descendants had, by a look twice a second."""

    def __enter__(self):
        self.most, self.left = 0, threading.Event()
        self.thread = threading.Thread(target=self.look)
        self.thread.start()
        return self

    def look(self):
        while not self.left.wait(0.5):
            self.most = max(self.most, megabytes_of_tree())

    def __exit__(self, *_):
        self.left.set()
        self.thread.join()


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("-n", type=int, default=1000)
    parser.add_argument("-workers", default="1,%d" % os.cpu_count())
    parser.add_argument("-python", action="store_true")
    parser.add_argument("-ray", action="store_true")
    options = parser.parse_args()
    os.environ["TILERACE_PROGRAM"] = str(options.build.resolve() / "tilerace")
    os.environ["TILERACE_LIBRARY"] = str(options.build.resolve() / "lib" / "libtilerace.so.2")
    os.environ["PYTHONPATH"] = str(ROOT / "python")
    import tilerace
    for workers in map(int, options.workers.split(",")):
        if options.ray:
            import ray
            ray.init(num_cpus=workers, include_dashboard=False, log_to_driver=False)
            tilerace.sweep(contexts(workers, pathlib.Path(tempfile.mkdtemp()), options.python),
                           tempfile.mkdtemp(), ray=True)  # its workers are there then
        with tempfile.TemporaryDirectory() as held, Watch() as watch:
            folder = pathlib.Path(held)
            tasks = contexts(options.n, folder, options.python)
            began, before = time.monotonic(), cpu_seconds()
            rows = tilerace.sweep(tasks, str(folder / "results"), workers=workers, ray=options.ray)
            took = time.monotonic() - began
            kept = sum(path.stat().st_size for path in (folder / "results").iterdir())
        cpu = "" if options.ray else ", %.1f CPU seconds" % (cpu_seconds() - before)
        print("%d tasks, %d workers%s: %.1f s, %.1f a second%s, at most %d MB, %.1f KB of results a task, passed: %d" % (
            len(rows), workers, " of Ray" if options.ray else "", took, len(rows) / took, cpu, watch.most,
            kept / 1024 / len(rows), sum(row.judgement.passed for row in rows)), flush=True)
        if options.ray:
            ray.shutdown()


if __name__ == "__main__":
    main()

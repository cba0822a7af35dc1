"""A launch from each kind of child: its line says which."""
import multiprocessing
import os
import subprocess
import sys
import threading

import numpy as np

import cuda.tile as ct
from kernels import add

a, b, out = (np.zeros(32, np.float32) for _ in range(3))


def in_spawn():
    ct.launch(None, (2,), add, (a, b, out, 16))  # spawn


def in_fork():
    ct.launch(None, (2,), add, (a, b, out, 16))  # fork


def in_forkserver():
    ct.launch(None, (2,), add, (a, b, out, 16))  # forkserver


def in_thread():
    ct.launch(None, (1,), add, (a, b, out, 16))  # thread


def in_subprocess():
    ct.launch(None, (2,), add, (a, b, out, 16))  # subprocess


def main():
    ct.launch(None, (2,), add, (a, b, out, 16))  # parent
    for way, target in [("spawn", in_spawn), ("fork", in_fork), ("forkserver", in_forkserver)]:
        child = multiprocessing.get_context(way).Process(target=target)
        child.start()
        child.join()
        assert child.exitcode == 0, way
    threads = [threading.Thread(target=in_thread) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    command = "import children; children.in_subprocess()"
    subprocess.run([sys.executable, "-c", command], check=True)
    subprocess.run([sys.executable, "-c", command], check=True,
                   env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)})


if __name__ == "__main__":
    main()

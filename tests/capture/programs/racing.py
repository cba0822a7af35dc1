"""Launches that race and launches that do not, each by a function; the words of the command line say
which. The argument `early` or `late` says when tilerace is imported, if at all."""
import sys

if "early" in sys.argv:
    import tilerace  # noqa: F401
import threading
import warnings

import numpy as np
import cuda.tile as ct
from cuda.tile import launch

if "late" in sys.argv:
    import tilerace  # noqa: F401,F811

Int = ct.Constant[int]


@ct.kernel
def half(x, width: Int):
    b = ct.bid(0)
    ct.store(x, (b // 2,), ct.full((width,), 1.0, ct.float32))  # store


@ct.kernel
def scatter(rows, x, width: Int):
    b = ct.bid(0)
    ct.scatter(x, ct.load(rows, b, width), ct.full((width,), 1.0, ct.float32))


x = np.zeros(256, np.float32)


def clean():
    launch(0, (1,), half, (x, 64))


def racy():
    launch(0, (4,), half, (x, 64))  # racy


def promised():
    """Conditional on its rows, which are different here."""
    launch(0, (4,), scatter, (np.arange(64, dtype=np.int32), x, 16))


def broken():
    launch(0, (4,), scatter, (np.arange(64, dtype=np.int32) % 20, x, 16))  # broken


def always():
    warnings.simplefilter("always")


def raising():
    import tilerace

    warnings.simplefilter("error", tilerace.RaceWarning)


def ignoring():
    warnings.filterwarnings("ignore", ".*TR001", UserWarning)


def caught():
    import tilerace

    try:
        racy()
    except tilerace.RaceError as error:
        print("caught", type(error).__mro__[1].__name__, str(error).splitlines()[0])


def written():
    print("written", int(x.sum()))


def killing():
    """The processes of the checker that check modules; it starts none for a module that it has given
    up."""
    import os
    import subprocess
    import time

    numbers = subprocess.check_output(["ps", "-o", "pid=", "--ppid", str(os.getppid())])
    for number in numbers.split():
        if int(number) != os.getpid():
            os.kill(int(number), 9)
    time.sleep(0.3)


def again():
    launch(0, (2,), half, (x, 64))  # again


def threads():
    """Each thread gets what is found of its own launches."""
    told = []

    def work(name):
        for _ in range(20):
            try:
                (racy if name % 2 else clean)()
            except RuntimeError as error:
                told.append((name, type(error).__name__))

    all_of_them = [threading.Thread(target=work, args=(name,)) for name in range(4)]
    for thread in all_of_them:
        thread.start()
    for thread in all_of_them:
        thread.join()
    print(sorted((name, told.count(name)) for name in set(told)))


def forked():
    import os

    child = os.fork()
    if child == 0:
        racy()
        sys.stdout.flush()
        sys.stderr.flush()
        os._exit(0)
    os.waitpid(child, 0)


def patched():
    import os

    print("patched", type(ct.launch).__name__, type(launch).__name__,
          [name for name in ("TILERACE_CAPTURE", "TILERACE_RECORDER") if name in os.environ],
          [type(finder).__name__ for finder in sys.meta_path if hasattr(finder, "is_of_tilerace")])


def killed():
    """The checker, and all that it has started."""
    import os
    import signal

    import tilerace

    os.kill(tilerace._beside._checker.pid, signal.SIGKILL)
    tilerace._beside._checker.wait()


for word in sys.argv[1:]:
    if word not in ("early", "late"):
        globals()[word]()
        print("after", word, flush=True)

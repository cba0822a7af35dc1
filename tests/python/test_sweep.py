"""tilerace.sweep(): many judgements, by processes and by Ray, some of which are killed.

    test_sweep.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy. Where it also has Ray, fsspec, and s3fs with moto, a server
that stands for S3, these are driven, too.
"""
import atexit
import importlib.util
import itertools
import json
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from common import BUILD, PACKAGE, Case, kernel, main

import tilerace
from tilerace import _sweep

# The program, and a line for each judgement that it is asked for.
SCRATCH = pathlib.Path(tempfile.mkdtemp())
atexit.register(shutil.rmtree, SCRATCH, True)
ASKED = SCRATCH / "asked"
ASKED.touch()
PROGRAM = SCRATCH / "tilerace"
PROGRAM.write_text('#!/bin/sh\n[ "$1" != judge ] || echo >> %s\nexec %s "$@"\n' % (ASKED, BUILD / "tilerace"))
PROGRAM.chmod(0o755)
os.environ["TILERACE_PROGRAM"] = str(PROGRAM)


def n_asked():
    return ASKED.stat().st_size

SOURCE = """#include <tile.h>
tile_kernel void k(float *restrict y, int n)
{
    tile_grid((n + BM - 1) / BM);
    tile_assume(n > 0);
    tile_view out = tile_partition(tile_tensor(y, n), BM);
    tile_store(out, tile_zeros(float, BM), tile_bid(0)%s); /* %d */
}
"""


def contexts(n):
    """Kernels in C, every third of them racy."""
    return [{"kernel": {"source": SOURCE % (" / 2" if i % 3 == 2 else "", i)}, "tune": {"BM": [16, 32]},
             "samples": 2} for i in range(n)]


def summary(rows):
    return [(row.context, dict(row.values), row.judgement.class_, row.judgement.score, row.key) for row in rows]


DRIVER = """
import json, os, sys
sys.path[:0] = [%r, %r]
sys.argv[1:] = [%r]
import test_sweep, tilerace
if __name__ == "__main__":
    if %r:
        import ray
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
    rows = tilerace.sweep(test_sweep.contexts(%d), %r, workers=2, ray=%r,
                          progress=lambda done, of: print(done, of, flush=True))
    print(json.dumps(test_sweep.summary(rows)), flush=True)
"""


class Swept(Case):
    is_ray = False

    def setUp(self):
        super().setUp()
        self.results = str(self.folder / "results")

    def sweep(self, of, results=None, **more):
        return tilerace.sweep(of, results or self.results, workers=2, ray=self.is_ray, **more)

    def driver(self, n):
        path = self.folder / "driver.py"
        here = str(pathlib.Path(__file__).resolve().parent)
        path.write_text(DRIVER % (here, str(PACKAGE), str(BUILD), self.is_ray, n, self.results, self.is_ray))
        return subprocess.Popen([sys.executable, str(path)], stdout=subprocess.PIPE, text=True, start_new_session=True,
                                env={**os.environ, "PYTHONPATH": "%s:%s" % (PACKAGE, here)})

    def test_rows(self):
        told = []
        rows = self.sweep(contexts(3), progress=lambda done, of: told.append((done, of)))
        self.assertEqual([(row.context, row.values, row.judgement.class_) for row in rows],
                         [(i, {"BM": bm}, "race" if i == 2 else "passed") for i in range(3) for bm in (16, 32)])
        self.assertEqual(told, [(i + 1, 6) for i in range(6)])
        # Nothing is judged again, and what is new is.
        told.clear()
        again = self.sweep(contexts(4), progress=lambda done, of: told.append((done, of)))
        self.assertEqual(summary(again)[:6], summary(rows))
        self.assertEqual(told, [(7, 8), (8, 8)])

    def test_duplicates(self):
        told, before = [], n_asked()
        rows = self.sweep(contexts(1) * 5, progress=lambda done, of: told.append((done, of)))
        self.assertEqual((len(rows), told), (10, [(1, 2), (2, 2)]))
        self.assertEqual((self.count(), n_asked() - before), (2, 2))

    def test_files(self):
        """A file is part of a task by its contents, wherever it lies; what it is named is, too."""
        for name in ("a", "b"):
            (self.folder / name).mkdir()
            (self.folder / name / "k.c").write_text(SOURCE.replace("BM", "16") % ("", 1))
            (self.folder / name / "context.json").write_text(json.dumps(
                {"kernel": "k.c", "reference": kernel("vector_add.c"), "samples": 1}))
        rows = self.sweep([str(self.folder / name / "context.json") for name in ("a", "b")])
        self.assertEqual(rows[0].key, rows[1].key)
        (self.folder / "b" / "k.c").write_text(SOURCE.replace("BM", "16") % ("", 2))
        self.assertNotEqual(self.sweep([str(self.folder / "b" / "context.json")])[0].key, rows[0].key)

    def test_wrong_context(self):
        for _ in range(2):  # what is kept of it is an error as well
            with self.assertRaisesRegex(tilerace.InputError, "no_such_key"):
                self.sweep([{"kernel": {"source": "x"}, "no_such_key": 1}])

    def test_python(self):
        source = ("import cuda.tile as ct\n@ct.kernel\ndef fill(x):\n"
                  "    ct.store(x, index=(ct.bid(0),), tile=ct.full((16,), 1.0, ct.float32))\n")
        context = {"kernel": {"source": source}, "sizes": {"n": {"max": 100}}, "grid": ["cdiv(n, 16)"], "samples": 2,
                   "arguments": [{"name": "x", "dtype": "float32", "shape": ["n"], "output": True}]}
        rows = self.sweep([context], shapes=[{"n": 16}, {"n": [17, 32]}])
        self.assertEqual([(row.values, row.judgement.class_) for row in rows],
                         [({"n": 16}, "passed"), ({"n": [17, 32]}, "passed")])

    # ---- Losses ----

    def test_driver_is_killed(self):
        expected = summary(self.sweep(contexts(6), results=str(self.folder / "whole")))
        driver = self.driver(6)
        driver.stdout.readline()
        driver.stdout.readline()
        os.killpg(driver.pid, signal.SIGKILL)
        driver.communicate()
        before = self.rest()
        self.assertIn(before, range(2, 12))
        told, asked = [], n_asked()
        rows = self.sweep(contexts(6), progress=lambda done, of: told.append(done))
        self.assertEqual(summary(rows), expected)
        self.assertEqual((len(told), n_asked() - asked), (12 - before, 12 - before))

    def count(self):
        """Results that are kept."""
        return len([name for name in os.listdir(self.results) if name.endswith(".json")])

    def rest(self):
        """The same, once nobody goes on: workers do for a while without their driver."""
        last, since = (), time.monotonic()
        while time.monotonic() - since < 3:
            now = self.count(), n_asked()
            if now != last:
                last, since = now, time.monotonic()
            time.sleep(0.1)
        return last[0]

    def victims(self, driver):
        """Workers of that driver."""
        children = _children(driver.pid)
        return [pid for pid in children
                if b"_sweep.work" in _words(pid) or _words(pid).startswith(b"ray::run_task")]

    def test_result_is_cut(self):
        """What a writer has left that was lost on the way is no result."""
        rows = self.sweep(contexts(1))
        key = rows[0].key
        content = self.read(key)
        for left in (b"", content[:20], b"[]"):
            self.write(key, left)
            self.assertEqual(summary(self.sweep(contexts(1))), summary(rows))
            self.assertEqual(self.read(key), content)

    def read(self, key):
        return pathlib.Path(self.results, key + ".json").read_bytes()

    def write(self, key, content):
        pathlib.Path(self.results, key + ".json").write_bytes(content)

    def test_worker_is_killed(self):
        expected = summary(self.sweep(contexts(6), results=str(self.folder / "whole")))
        driver = self.driver(6)
        driver.stdout.readline()
        killed = 0
        for _ in range(100):
            for pid in self.victims(driver)[:1]:
                os.kill(pid, signal.SIGKILL)
                killed += 1
            if killed:
                break
            time.sleep(0.05)
        self.assertTrue(killed)
        lines = driver.communicate(timeout=300)[0].splitlines()
        self.assertEqual(driver.returncode, 0)
        self.assertEqual([tuple(row) for row in json.loads(lines[-1])], expected)


def _words(pid):
    try:
        return pathlib.Path("/proc/%d/cmdline" % pid).read_bytes()
    except OSError:
        return b""


def _children(root):
    from tilerace import _processes
    return _processes.descendants(root)


def has(*names):
    return all(importlib.util.find_spec(name) for name in names)


class Stores(Case):
    def test_memory(self):
        if not has("fsspec"):
            self.skipTest("this Python has no fsspec")
        store = _sweep._Store("memory://sweep/of/it")
        self.assertIsNone(store.get("a"))
        store.put("a", {"x": 1})
        self.assertEqual(_sweep._Store("memory://sweep/of/it").get("a"), {"x": 1})
        with self.assertRaisesRegex(tilerace.InputError, "is gone"):  # each worker has a memory of its own
            tilerace.sweep(contexts(1), "memory://sweep", workers=1)

    def test_folder(self):
        for url in (str(self.folder / "x"), "file://%s/y" % self.folder):
            store = _sweep._Store(url)
            store.put("a", {"x": 1})
            self.assertEqual((store.get("a"), store.get("b")), ({"x": 1}, None))

    def test_many_writers(self):
        store = _sweep._Store(str(self.folder))
        threads = [threading.Thread(target=lambda i=i: store.put("k", {"x": [i] * 10000})) for i in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertIn(store.get("k"), [{"x": [i] * 10000} for i in range(16)])
        self.assertEqual(os.listdir(self.folder), ["k.json"])


@unittest.skipUnless(has("fsspec"), "this Python has no fsspec")
class SweptIntoFiles(Swept):
    """Through fsspec, which writes files one after another and not at once."""

    def setUp(self):
        super().setUp()
        self.results = "local://%s/results" % self.folder
        (self.folder / "results").mkdir()

    def count(self):
        return len(os.listdir(self.folder / "results"))

    def read(self, key):
        return (self.folder / "results" / (key + ".json")).read_bytes()

    def write(self, key, content):
        (self.folder / "results" / (key + ".json")).write_bytes(content)


class ObjectStore:
    """Sweeps with results in an object store. All servers of a process have the same buckets, so each test has a folder
    of its own, whatever class it is of."""
    number = itertools.count()

    @classmethod
    def setUpClass(cls):
        import s3fs
        from moto.server import ThreadedMotoServer
        server = ThreadedMotoServer(ip_address="127.0.0.1", port=0)
        server.start()
        cls.addClassCleanup(server.stop)
        os.environ.update(AWS_ACCESS_KEY_ID="x", AWS_SECRET_ACCESS_KEY="x", AWS_DEFAULT_REGION="us-east-1",
                          AWS_ENDPOINT_URL="http://%s:%d" % server.get_host_and_port())
        s3fs.S3FileSystem.clear_instance_cache()
        cls.store = s3fs.S3FileSystem(use_listings_cache=False)
        cls.store.makedirs("bucket", exist_ok=True)  # where a busy machine has it asked twice
        super().setUpClass()

    def setUp(self):
        super().setUp()
        self.place = "bucket/%d/results" % next(self.number)
        self.results = "s3://" + self.place

    def count(self):
        try:
            return len(self.store.ls(self.place, refresh=True))
        except FileNotFoundError:
            return 0

    def read(self, key):
        return self.store.cat_file("%s/%s.json" % (self.place, key))

    def write(self, key, content):
        self.store.pipe_file("%s/%s.json" % (self.place, key), content)


@unittest.skipUnless(has("s3fs", "moto"), "this Python has no s3fs and moto")
class SweptIntoObjectStore(ObjectStore, Swept):
    pass


@unittest.skipUnless(has("ray"), "this Python has no Ray")
class SweptByRay(Swept):
    is_ray = True

    @classmethod
    def setUpClass(cls):
        import ray
        os.environ["PYTHONPATH"] = "%s:%s" % (PACKAGE, pathlib.Path(__file__).resolve().parent)
        ray.init(num_cpus=2, include_dashboard=False, log_to_driver=False)
        cls.addClassCleanup(ray.shutdown)


@unittest.skipUnless(has("ray", "s3fs", "moto"), "this Python has no Ray, s3fs and moto")
class SweptByRayIntoObjectStore(ObjectStore, SweptByRay):
    pass


if __name__ == "__main__":
    main()

"""Kernels of cuTile Python as objects, compiled for arguments without a GPU.

    test_cutile.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy.
"""
import os
import pathlib
import subprocess
import sys
import unittest
from typing import Annotated

import cuda.tile as ct
import numpy as np

from common import BUILD, Case, main

import tilerace
from tilerace import InputError, Launch, Outcome, Signature, Verdict
from tilerace import _cutile


@ct.kernel
def scale(x, y, factor, TILE: ct.Constant[int]):
    i = ct.bid(0)
    ct.store(y, index=(i,), tile=ct.load(x, index=(i,), shape=(TILE,)) * factor)


@ct.kernel
def halves(x, TILE: ct.Constant[int]):
    ct.store(x, index=(ct.bid(0) // 2,), tile=ct.full((TILE,), ct.bid(0), ct.float32))  # @store


@ct.kernel
def scatter(x, row, y):
    i = ct.bid(0)
    ct.scatter(y, ct.load(row, index=(i,), shape=(1,)), ct.load(x, index=(i,), shape=(1,)))


@ct.kernel
def fill_pair(pair, n):
    ct.store(pair[0], index=(ct.bid(0),), tile=ct.full((16,), n, ct.float32))


@ct.kernel
def fill_list(arrays):
    ct.store(arrays[ct.bid(0)], index=(0,), tile=ct.full((16,), 1, ct.float32))


@ct.kernel
def wrong(x):
    ct.store(x, index=(ct.bid(0),), tile="text")


def floats(n=1024):
    return np.zeros(n, np.float32)


class Checks(Case):
    def test_all_launches(self):
        x, y = floats(), floats()
        [found] = tilerace.check(scale, Signature(x, y, 2.0, 256)).kernels
        self.assertIs(found.verdict, Verdict.RACE_FREE)
        self.assertEqual([p.name for p in found.parameters],
                         ["x", "x.shape[0]", "x.stride[0]", "y", "y.shape[0]", "y.stride[0]",
                          "factor"])
        self.assertIn("grid.x <= (y.shape[0] + 255) / 256", [p.text for p in found.preconditions])
        self.assertTrue(found.place.file.endswith("test_cutile.py"))

    def test_racy(self):
        result = tilerace.check(halves, Signature(floats(), 16))
        self.assertIs(result.verdict, Verdict.RACE)
        lines = pathlib.Path(__file__).read_text().splitlines()
        [line] = [n for n, text in enumerate(lines, 1) if text.endswith("# @store")]
        self.assertEqual(result.findings[0].place.line, line)

    def test_one_launch(self):
        x, y = floats(), floats()
        for grid, args, verdict in ((4, (x, y, 2.0, 256), Verdict.RACE_FREE),
                                    (4, (x, x, 2.0, 256), Verdict.RACE),
                                    (4, (x[:768], x[256:], 2.0, 256), Verdict.RACE)):
            self.assertIs(tilerace.check(scale, Launch(grid, args)).verdict, verdict)
        self.assertIs(tilerace.check(halves, Launch(1, (floats(), 16))).verdict, Verdict.RACE_FREE)
        self.assertIs(tilerace.check(halves, Launch(2, (floats(), 16))).verdict, Verdict.RACE)
        outside = tilerace.check(scale, Launch(5, (x, y, 2.0, 256)))
        self.assertEqual({f.rule for f in outside.findings}, {"TR007"})

    def test_contents(self):
        x, y = floats(4), floats(8)
        rows = np.array([3, 1, 0, 2], np.int32), np.array([3, 1, 1, 2], np.int32)
        verdicts = [tilerace.check(scatter, Launch(4, (x, row, y))).verdict for row in rows]
        self.assertEqual(verdicts, [Verdict.RACE_FREE, Verdict.RACE])

    def test_guard(self):
        x, y = floats(), floats()
        guard = tilerace.guard(tilerace.check(scale, Signature(x, y, 2.0, 256)))
        guard(4, (x, y, 3.0, 256))
        guard((2,), (floats(512), floats(512), 3.0, 256))
        with self.assertRaisesRegex(tilerace.RaceError, r"grid.x <= \(x.shape\[0\]"):
            guard(5, (x, y, 3.0, 256))
        for args in ((x, y, 3.0, 128), (x, y.astype(np.float64), 3.0, 256), (x, y, 3, 256),
                     (x[1:], y, 3.0, 256)):
            answer = guard.check(4, args)
            self.assertIs(answer.outcome, Outcome.UNPROVED)
            self.assertIn("another signature", str(answer))
            with self.assertRaises(tilerace.RaceError):
                guard(4, args)

    def test_tuples_and_lists(self):
        a, b = floats(64), floats(64)
        [found] = tilerace.check(fill_pair, Signature((a, b), 3)).kernels
        self.assertIn("pair[0].shape[0]", [p.name for p in found.parameters])
        self.assertTrue(found.check_launch(4, ((a, b), 3)).holds)
        self.assertIs(found.check_launch(5, ((a, b), 3)).outcome, Outcome.BROKEN)
        self.assertIs(tilerace.check(fill_list, Launch(2, ([a, b],))).verdict, Verdict.RACE_FREE)
        self.assertIs(tilerace.check(fill_list, Launch(2, ([a, a],))).verdict, Verdict.RACE)
        self.assertIs(tilerace.check(fill_list, Launch(1, ([a, a],))).verdict, Verdict.RACE_FREE)

    def test_bad_input(self):
        x, y = floats(), floats()
        with self.assertRaisesRegex(TypeError, r"pass tilerace.Launch\(grid, args\)"):
            tilerace.check(scale)
        for launch in {"version": 2}, "a.json", 3:
            with self.assertRaisesRegex(TypeError, "is compiled for the arguments of a launch"):
                tilerace.check(scale, launch)
        for args, part in (((x, y), "takes 4 arguments"), ((x, "y", 2.0, 256), "not str"),
                           ((x, None, 2.0, 256), "not NoneType"),
                           ((x, y, 1 << 40, 256), "no integer of 32 bits"),
                           ((x, y, np.float32(2), 256), "not float32"),
                           ((x, y.astype(complex), 2.0, 256), "which no kernel takes"),
                           ((x, y.astype(">f4"), 2.0, 256), "another byte order"),
                           ((x, y, 2.0, "256"), "'scale'"), (([], y, 2.0, 256), "is empty"),
                           (([x, floats().astype(int)], y, 2.0, 256), "one type"),
                           ((x, y, 2.0, 100), "power of")):
            with self.assertRaises(InputError, msg=str(args)[:99]) as caught:
                tilerace.check(scale, Signature(*args))
            self.assertRegex(str(caught.exception), part)
            self.assertEqual(caught.exception.file, __file__)
            self.assertGreater(caught.exception.line, 1)
        with self.assertRaisesRegex(InputError, "cannot compile 'wrong'"):
            tilerace.check(wrong, Signature(x))
        for args in {"x": x}, 3, "abc", x:
            with self.assertRaises(TypeError):
                tilerace.check(scale, Launch(4, args))
        found = tilerace.check(scale, Signature(x, y, 2.0, 256)).kernels[0]
        with self.assertRaises(TypeError):
            found.check_launch(4, {"x": x})

    def test_no_driver_is_opened(self):
        tilerace.check(scale, Signature(floats(), floats(), 2.0, 256))
        self.assertNotIn("cuda.tile._load_libcuda", sys.modules)
        self.assertNotIn("libcuda", pathlib.Path("/proc/self/maps").read_text())


# ---- Signatures are those that the front end finds, which needs a driver for it ----


@ct.kernel
def one(x):
    pass


@ct.kernel
def annotated(x: Annotated[ct.Array, ct.ArrayAnnotation(index_dtype=ct.int64,
                                                        static_shape_dims=(0,))],
              y: Annotated[ct.Array, ct.ArrayAnnotation(static_stride_dims=(-1,))],
              n: ct.ScalarInt64, pair: ct.Constant[tuple[int, int]]):
    pass


def signatures():
    """(kernel, arguments)."""
    big = np.zeros(1 << 14, np.float32)

    def strided(shape, strides):
        return np.lib.stride_tricks.as_strided(big, shape, [4 * stride for stride in strides])

    arrays = [big[:1000], big[:1024], big[1:1025], big[4:20], big[:1], big[:0], big[::2], big[::4],
              big[:1024].reshape(32, 32), big[:1024].reshape(32, 32).T,
              big[:1020].reshape(34, 30), big[:64].reshape(4, 1, 16), big[:16].reshape(16, 1),
              big[:64].reshape(2, 2, 2, 2, 2, 2), big[:2].reshape(1, 1, 1, 1, 1, 2),
              np.broadcast_to(big[:16], (4, 16)), np.zeros(()), big[:0:-1], big[:64].reshape(4, 16)[::-1]]
    arrays += [strided(*of) for of in (((4, 4), (3, 1)), ((4, 4), (1, 3)), ((2, 3), (3, 2)),
                                       ((2, 2), (2, 3)), ((1, 4), (0, 1)), ((4, 1), (1, 0)),
                                       ((2, 4, 0), (0, 0, 0)), ((0, 4), (0, 0)))]
    for dtype in (np.int8, np.uint8, np.bool_, np.float16, np.int16, np.int64, np.uint32, np.uint64,
                  np.float64):
        arrays += [np.zeros(32, dtype), np.zeros((3, 32), dtype)[:, :7]]
    for value in arrays + [3, -5, True, 2.5, np.float64(3), (big[:16], 3, (2.0, True)),
                           [big[:16], big[16:32]], [big[:16], big[17:33], big[40:45]],
                           [big[:64].reshape(4, 16), big[:64].reshape(16, 4)], [big[:1], big[:2]],
                           [big[:1]], [np.broadcast_to(big[:16], (4, 16)), big[:64].reshape(4, 16)]]:
        yield one, (value,)
    for x in big[:64].reshape(4, 16), big[:64].reshape(4, 16).T, big[:3].reshape(1, 3):
        yield annotated, (x, x, 1 << 40, (3, 4))


def compare():
    """Under the stand-in driver: prints what differs."""
    sys.path.insert(0, os.environ["TILERACE_HOOKS"])
    from cuda.tile.compilation import KernelSignature
    from tilerace_capture.arrays import wrap

    n = 0
    for kernel, args in signatures():
        ours = _cutile.Signed(kernel, args).signature
        theirs = KernelSignature.from_kernel_args(kernel, tuple(wrap(arg) for arg in args),
                                                  ours.calling_convention)
        n += 1
        if ours != theirs:
            print("ours  ", ours, "\ntheirs", theirs)
    print(n, "signatures")


class Signatures(Case):
    def test_as_the_front_end(self):
        from common import ROOT

        run = subprocess.run(
            [sys.executable, __file__, str(BUILD), "--compare"], capture_output=True, text=True,
            check=False, timeout=120,
            env={**os.environ, "LD_LIBRARY_PATH": str(BUILD / "capture" / "stand_in"),
                 "TILERACE_HOOKS": str(ROOT / "capture" / "python")})
        self.assertEqual((run.stdout, run.stderr), ("%d signatures\n" % len(list(signatures())), ""))


if __name__ == "__main__":
    if sys.argv[1:] == ["--compare"]:
        compare()
    else:
        main()

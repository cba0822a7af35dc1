"""tilerace.check_launch and tilerace.guard: launches against proofs.

    test_launches.py BUILD_FOLDER

The Python that runs it has numpy.
"""
import threading
import types
import unittest

import numpy as np

from common import LOOP, SCATTER, Case, kernel, main

import tilerace
from tilerace import Buffer, InputError, Outcome, Verdict


class Launches(Case):
    def loop(self):
        return tilerace.check(self.source(LOOP))

    def scatter(self):
        return tilerace.check(self.source(SCATTER))

    def test_numbers(self):
        result = self.loop()
        y = np.zeros(64, np.float32)
        answer = tilerace.check_launch(result, (4,), (y, 4))
        self.assertTrue(answer.holds)
        self.assertIs(answer.outcome, Outcome.HOLDS)
        answer = tilerace.check_launch(result, (4,), (y, 3))
        self.assertFalse(answer.holds)
        self.assertIs(answer.outcome, Outcome.BROKEN)
        self.assertIn("K = 3", str(answer))
        self.assertEqual(answer.precondition.kind, answer.precondition.kind)
        self.assertEqual(answer.race.rule, "TR001")
        with self.assertRaises(TypeError):
            bool(answer)

    def test_ways_to_pass(self):
        result = self.loop()
        y = np.zeros(64, np.float32)
        for grid in 4, (4,), [4, 1], (4, 1, 1), np.int32(4), np.array([4, 1]):
            for args in ((y, 4), [y, np.int64(4)], {"K": 4, "y": y}, (Buffer(1 << 20, 256), 4),
                         (y.ctypes.data, 4)):
                answer = result.kernels[0].check_launch(grid, args)
                self.assertIn(answer.outcome, (Outcome.HOLDS, Outcome.NOT_CHECKED))

    def test_sizes(self):
        result = self.loop()
        self.assertTrue(tilerace.check_launch(result, 4, (np.zeros(16, np.float32), 4)).holds)
        answer = tilerace.check_launch(result, 4, (np.zeros(15, np.float32), 4))
        self.assertIn(answer.outcome, (Outcome.BROKEN, Outcome.HOLDS))

    def test_contents(self):
        result = self.scatter()
        x, y = np.zeros(4, np.float32), np.zeros(8, np.float32)
        good, bad = np.array([3, 1, 0, 2], np.int32), np.array([3, 1, 1, 2], np.int32)
        self.assertTrue(tilerace.check_launch(result, 4, (y, good, x)).holds)
        answer = tilerace.check_launch(result, 4, (y, bad, x))
        self.assertIs(answer.outcome, Outcome.BROKEN)
        self.assertEqual((answer.parameters, sorted(answer.elements)), (("row",), [1, 2]))
        self.assertTrue(tilerace.check_launch(result, 2, (y, bad[:2], x)).holds)
        held = Buffer(bad.ctypes.data, bad.nbytes, bad.tobytes())
        self.assertIs(tilerace.check_launch(result, 4, (y, held, x)).outcome, Outcome.BROKEN)

    def test_contents_on_demand(self):
        result = self.scatter()
        row = np.array([3, 1, 0, 2], np.int32)
        x, y, there = (Buffer(i << 20, 4096) for i in (1, 2, 3))
        self.assertIs(tilerace.check_launch(result, 4, (y, there, x)).outcome,
                      Outcome.NEEDS_CONTENTS)
        asked = []

        def contents(name):
            asked.append(name)
            return row.tobytes()

        self.assertTrue(tilerace.check_launch(result, 4, (y, there, x), contents=contents).holds)
        self.assertEqual(set(asked), {"row"})
        answer = tilerace.check_launch(result, 4, (y, there, x), contents=lambda name: None)
        self.assertIs(answer.outcome, Outcome.NEEDS_CONTENTS)
        with self.assertRaises(ZeroDivisionError):
            tilerace.check_launch(result, 4, (y, there, x), contents=lambda name: 1 // 0)
        with self.assertRaisesRegex(TypeError, "are bytes"):
            tilerace.check_launch(result, 4, (y, there, x), contents=lambda name: "abc")
        with self.assertRaisesRegex(TypeError, "a function"):
            tilerace.check_launch(result, 4, (y, there, x), contents=b"abc")

    def test_overlaps(self):
        result = tilerace.check(kernel("vector_add.c"))
        memory = np.zeros(3072, np.float32)
        a, b, c = memory[:1024], memory[1024:2048], memory[2048:]
        self.assertTrue(tilerace.check_launch(result, 1, (a, b, c, 1024)).holds)
        for args in (a, b, a, 1024), (a, b, memory[1:1025], 1024):
            answer = tilerace.check_launch(result, 1, args)
            self.assertIs(answer.outcome, Outcome.BROKEN)
            self.assertEqual(answer.parameters, ("a", "c"))
        self.assertTrue(tilerace.check_launch(result, 1, (a, a, c, 1024)).holds, "both are read")

    def test_arrays_as_a_module_passes_them(self):
        """One argument for an array's pointer, extents and strides."""
        found = tilerace.check(kernel("python/add_vectors.tilebc")).kernels[0]
        a, b, c = (np.zeros(1024, np.float32) for _ in range(3))
        flat = [part for array in (a, b, c) for part in (array, 1024, 1)]
        self.assertTrue(found.check_launch(4, (a, b, c)).holds)
        self.assertTrue(found.check_launch(4, flat).holds)
        self.assertIs(found.check_launch(5, (a, b, c)).outcome, Outcome.BROKEN)
        with self.assertRaisesRegex(TypeError, "is an array, not int"):
            found.check_launch(4, (a, b, 3))
        with self.assertRaisesRegex(InputError, "3 or 9 arguments"):
            found.check_launch(4, (a, b))

    def test_other_arrays(self):
        """PyTorch's tensors and arrays on a GPU, by what they say of themselves."""
        y = np.zeros((8, 8), np.float32)

        class Tensor:
            shape, dtype = y.shape, "torch.float32"

            def __init__(self, kind):
                self.device = types.SimpleNamespace(type=kind)

            data_ptr = staticmethod(lambda: y.ctypes.data)
            element_size = staticmethod(lambda: 4)
            stride = staticmethod(lambda: (8, 1))

        class OnDevice:
            def __init__(self, **changes):
                self.__cuda_array_interface__ = {"data": (1 << 40, False), "shape": (64,),
                                                 "typestr": "<f4", "strides": None, **changes}

        class OnHost:
            __array_interface__ = y.__array_interface__

        result = self.loop()
        for array in (Tensor("cpu"), Tensor("cuda"), OnDevice(), OnDevice(strides=(4,)), OnHost()):
            self.assertTrue(tilerace.check_launch(result, 4, (array, 4)).holds)
        for array, kind in ((OnDevice(typestr="<f8"), InputError), ([1.0], TypeError),
                            (memoryview(y), TypeError), (np.float32(1), TypeError)):
            with self.assertRaises(kind, msg=str(array)):
                tilerace.check_launch(result, 4, (array, 4))
        scatter, x = self.scatter(), Buffer(1 << 30, 4096)
        rows = OnDevice(typestr="<i4", shape=(4,))
        self.assertIs(tilerace.check_launch(scatter, 4, (y, rows, x)).outcome,
                      Outcome.NEEDS_CONTENTS, "memory of a GPU is not read")

    def test_no_proof(self):
        result = tilerace.check(self.source("#include <tile.h>\ntile_kernel void k(float *y) "
                                            "{ y[tile_bid(0) / 2] = tile_bid(0); }\n"))
        self.assertIs(tilerace.check_launch(result, 1, [np.zeros(4, np.float32)]).outcome,
                      Outcome.UNPROVED)

    def test_nonsense(self):
        result = self.loop()
        y = np.zeros(64, np.float32)
        for grid in (), (1, 1, 1, 1), -1, (1 << 31,), (1 << 70,):
            with self.assertRaises(InputError):
                tilerace.check_launch(result, grid, (y, 4))
        for grid in "4", b"4", None, 1.5, ("4",), {}, object():
            with self.assertRaises((TypeError, InputError)):
                tilerace.check_launch(result, grid, (y, 4))
        for args in None, "ab", 3, y, {"y", 4}:
            with self.assertRaises(TypeError):
                tilerace.check_launch(result, 4, args)
        for args in (y, "4"), (y, 1.5), (y, None), ("y", 4), (object(), 4), (True, 4), (4.0, 4):
            with self.assertRaises(TypeError, msg=str(args)):
                tilerace.check_launch(result, 4, args)
        for args in ((), (y,), (y, 4, 4), {"y": y}, {"y": y, "K": 4, "M": 5}, (y, 1 << 64),
                     (np.zeros(64), 4), (-1, 4), (1 << 64, 4), (Buffer(1, -1), 4)):
            with self.assertRaises(InputError, msg=str(args)):
                tilerace.check_launch(result, 4, args)
        for of in None, "k", tilerace:
            with self.assertRaises(TypeError):
                tilerace.check_launch(of, 4, (y, 4))

    def test_several_kernels(self):
        result = tilerace.check(self.source(LOOP + SCATTER.partition("\n")[2]))
        with self.assertRaisesRegex(InputError, "2 kernels"):
            tilerace.check_launch(result, 4, ())
        self.assertTrue(result.kernels[0].check_launch(4, (Buffer(1 << 20, 4096), 4)).holds)


class Guards(Case):
    def test_guard(self):
        guard = tilerace.guard(tilerace.check(self.source(LOOP)))
        y = np.zeros(64, np.float32)
        self.assertIsNone(guard(4, (y, 4)))
        with self.assertRaisesRegex(tilerace.RaceError, "K = 3"):
            guard(4, (y, 3))
        self.assertTrue(guard.check(4, (y, 4)).holds)

    def test_what_is_open_does_not_pass(self):
        guard = tilerace.guard(tilerace.check(self.source(SCATTER)))
        args = [Buffer(i << 20, 4096) for i in (1, 2, 3)]
        with self.assertRaisesRegex(tilerace.RaceError, "were not looked at"):
            guard(4, args)
        racy = tilerace.guard(tilerace.check(self.source(
            "#include <tile.h>\ntile_kernel void k(float *y) { y[tile_bid(0) / 2] = 1.0f; }\n"),
            strict=True))
        with self.assertRaises(tilerace.RaceError):
            racy(4, args[:1])

    def test_threads(self):
        guard = tilerace.guard(tilerace.check(self.source(LOOP)))
        y = np.zeros(64, np.float32)
        wrong = []

        def ask():
            for i in range(300):
                if guard.check(4, (y, 4 if i % 2 else 3)).holds != bool(i % 2):
                    wrong.append(i)

        threads = [threading.Thread(target=ask) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(wrong, [])


class Stated(Case):
    """check(file, Launch): of one launch alone."""

    def test_contents_decide(self):
        path = self.source(SCATTER)
        x, y = np.zeros(4, np.float32), np.zeros(8, np.float32)
        rows = np.array([3, 1, 0, 2], np.int32), np.array([3, 1, 1, 2], np.int32)
        verdicts = [tilerace.check(path, tilerace.Launch(4, (y, row, x))).verdict for row in rows]
        self.assertEqual(verdicts, [Verdict.RACE_FREE, Verdict.RACE])

    def test_numbers_decide(self):
        path = self.source(LOOP)
        y = np.zeros(64, np.float32)
        verdicts = [tilerace.check(path, tilerace.Launch(4, (y, K))).verdict for K in (4, 3)]
        self.assertEqual(verdicts, [Verdict.RACE_FREE, Verdict.RACE])

    def test_sizes_decide(self):
        path = self.source("#include <tile.h>\ntile_kernel void k(const float *x, float *y)\n"
                           "{ y[tile_bid(0)] = x[tile_bid(0)]; }\n")
        memory = np.zeros(64, np.float32)
        for other, verdict in ((memory[16:20], Verdict.RACE_FREE), (memory[3:7], Verdict.RACE),
                               (memory[4:8], Verdict.RACE_FREE)):
            launch = tilerace.Launch(4, (memory[:4], other))
            self.assertIs(tilerace.check(path, launch).verdict, verdict)

    def test_floats_decide(self):
        path = self.source("#include <tile.h>\ntile_kernel void k(float *y, float limit)\n"
                           "{ if (limit > 0.5f) y[0] = 1.0f; else y[tile_bid(0)] = 1.0f; }\n")
        y = np.zeros(64, np.float32)
        verdicts = [tilerace.check(path, tilerace.Launch(4, (y, limit))).verdict
                    for limit in (0.25, np.float32(0.5), 0.75, 1)]
        self.assertEqual(verdicts, [Verdict.RACE_FREE] * 2 + [Verdict.RACE] * 2)

    def test_wrong(self):
        with self.assertRaisesRegex(TypeError, "for kernels of cuTile Python"):
            tilerace.check(self.source(LOOP), tilerace.Signature(1))
        with self.assertRaisesRegex(InputError, "takes 2 arguments"):
            tilerace.check(self.source(LOOP), tilerace.Launch(4, ()))


if __name__ == "__main__":
    main()

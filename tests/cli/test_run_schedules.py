"""Two schedules, shown by tilerace run where the launch itself shows nothing.

    test_run_schedules.py TILERACE
"""

import json
import os
import subprocess
import sys
import unittest

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"


def run(source, *words):
    return subprocess.run([TILERACE, "run", source, "--device", "cpu", "--repeat", "3", *words],
                          capture_output=True, text=True, check=False, timeout=300)


def report(source):
    done = run(source, "--format", "json")
    return done.returncode, json.loads(done.stdout)


def steps_of(seen):
    return [step for schedule in seen["schedules"] for step in schedule["steps"]]


class Schedules(unittest.TestCase):
    def assert_shown(self, source):
        code, seen = report(source)
        self.assertEqual(code, 1)
        self.assertTrue(seen["nondeterministic"])
        self.assertEqual(len(seen["schedules"]), 2)
        self.assertTrue(seen["schedules_differ_in"])
        return seen

    def test_the_kernel_before(self):
        for slip in ("no_wait", "early_load"):
            with self.subTest(slip=slip):
                source = f"build/fixtures/races/scale_after_wait_{slip}.c"
                seen = self.assert_shown(source)
                self.assertIn("two schedules of a small launch end differently", seen["words"])
                before = [s for s in steps_of(seen) if "of the preceding kernel" in s["op"]]
                self.assertTrue(any(s["matters"] for s in before))
                self.assertTrue(all(s["line"] is None for s in before))
        for form in ("text", "html"):
            done = run(source, "--format", form)
            self.assertIn("of the preceding kernel, which may still run", done.stdout)
        code, seen = report("kernels/scale_after_wait.c")
        self.assertEqual((code, seen["schedules"], seen["exhaustive"]), (0, [], True))

    def test_arrays_that_overlap(self):
        for name in ("softmax_online_alias", "saxpy_aliased"):
            with self.subTest(name=name):
                seen = self.assert_shown(f"build/fixtures/races/{name}.c")
                self.assertIn("bytes on", seen["schedules"][0]["launch"])

    def test_what_is_left_open(self):
        seen = self.assert_shown("build/fixtures/races/vector_add_short_step.c")
        self.assertTrue(any("anything" in words for words in seen["schedules_differ_in"]))

    def test_elements_in_the_other_order(self):
        seen = self.assert_shown("build/fixtures/races/vector_add_halved_pointers.c")
        turned = [s["op"] for s in steps_of(seen) if "elements last first" in s["op"]]
        self.assertEqual(len(turned), 1)

    def test_a_launch_like_the_witness(self):
        seen = self.assert_shown("fixtures/races/python/attention_decode_split_dropped.tilebc")
        self.assertNotIn("slots = 1,", seen["schedules"][0]["launch"])

    def test_two_blocks_of_a_large_launch(self):
        seen = self.assert_shown("fixtures/races/python/scale_by_constant_wide_grid.tilebc")
        self.assertIn("two blocks of grid 133 x 1 x 1", seen["schedules"][0]["launch"])

    def test_sums_that_lose_an_addition(self):
        self.assert_shown("build/fixtures/races/row_sum_block_scope.c")

    def test_order_without_a_race(self):
        for name in ("matmul_locked", "row_sum_turns", "matmul_split_k"):
            with self.subTest(name=name):
                code, seen = report(f"kernels/{name}.c")
                self.assertEqual(code, 0)
                self.assertFalse(seen["nondeterministic"])
                self.assertTrue(seen["order_dependent"])
                self.assertIn("no race", seen["words"])


if __name__ == "__main__":
    unittest.main()

"""Whatever the solver says, no verdict is wrong: it is that of the true answers, or unknown with the
reason. And a verdict says whether the solver was needed for it.

    test_solver_lies.py TILERACE [--all [--share=I/N]]

tests/tools/lying_solver.py stands between the checker and Z3 and changes one answer, several in a
row, or all. --all tells every lie about every answer of every kernel below, or of these each Nth from
the Ith on (from 0); else every third kernel is told two of them.
"""

import concurrent.futures
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

TELL_ALL = "--all" in sys.argv
if TELL_ALL:
    sys.argv.remove("--all")
SHARE = (0, 1)
for word in [word for word in sys.argv if word.startswith("--share=")]:
    sys.argv.remove(word)
    SHARE = tuple(map(int, word.partition("=")[2].split("/")))
TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
ROOT = pathlib.Path(__file__).resolve().parents[2]
LIAR = ROOT / "tests/tools/lying_solver.py"

# What each of them is proved or refuted by, the solver says.
KERNELS = """
    build/fixtures/races/last_block_batch_two_axes.c build/fixtures/races/matmul_counted_relaxed_unlock.c
    build/fixtures/races/matmul_locked_relaxed_lock.c build/fixtures/races/ring_buffer_overrun.c
    build/fixtures/races/row_sum_turns_one_early.c build/fixtures/races/scan_chained_two_back.c
    build/fixtures/races/scan_look_back_relaxed_total.c build/fixtures/races/scan_look_back_wrong_state.c
    build/fixtures/races/stream_k_first_flag.c build/fixtures/races/stream_k_token_dropped.c
    kernels/scan_look_back.c kernels/stream_k.c kernels/python/prefix_sum_look_back.tilebc
    kernels/python/stream_k.tilebc fixtures/races/python/stream_k_early_flag.tilebc
    tests/idioms/large_unsigned.c tests/idioms/launch_shifts.c tests/idioms/loose_start.c
    tests/idioms/bytes_as_bools.c tests/idioms/sync_swapped_lock.c
    tests/idioms/sync_ticket_slots.c tests/idioms/unsigned_sums.c
    tests/preconditions/first_rows.c tests/preconditions/kept_order.c
    tests/preconditions/negated_tables.c tests/preconditions/rows_backwards.c
    tests/preconditions/segments.c tests/preconditions/signed_remainders.c
    tests/preconditions/stated_unique.c tests/preconditions/unsigned_order.c
    tests/preconditions/unsigned_tables.c tests/undefined/truncated.c
""".split()
LIES = ("unsat", "sat", "unknown", "garbage", "silent", "cut", "dead", "killed", "model")


def check(source, *words):
    done = subprocess.run([TILERACE, "check", "--no-cache", "-j1", "--format", "json", *words,
                           str(ROOT / source)], capture_output=True, text=True, check=False,
                          timeout=600)
    assert done.returncode in (0, 1), (source, words, done.stderr)
    return [kernel for one in json.loads(done.stdout)["inputs"] for kernel in one["kernels"]]


def lied_to(source, lie, numbers):
    """The kernels of a source as they are judged, and how many answers the solver gave."""
    with tempfile.TemporaryDirectory() as folder:
        log = pathlib.Path(folder, "log")
        solver = f"{LIAR} {log} {lie} {numbers} {os.environ['TILERACE_SOLVER']}"
        kernels = check(source, "--solver", solver)
        return kernels, len(log.read_text().splitlines()) if log.exists() else 0


def race_preconditions(kernel):
    return sorted(one["text"] for one in kernel["requires"] if one["class"] == "race")


def preconditions_suffice(source, lie, numbers):
    """Which kernels the true solver proves race-free under the preconditions that were found with
    the lie, by name."""
    with tempfile.TemporaryDirectory() as folder:
        log, contract = pathlib.Path(folder, "log"), pathlib.Path(folder, "launch.json")
        solver = f"{LIAR} {log} {lie} {numbers} {os.environ['TILERACE_SOLVER']}"
        done = subprocess.run([TILERACE, "contract", "--solver", solver, str(ROOT / source)],
                              capture_output=True, text=True, check=False, timeout=600)
        contract.write_text(done.stdout)
        judged = check(source, "--strict", "--launch", str(contract)) if done.stdout else []
        return {kernel["kernel"] for kernel in judged if kernel["verdict"] == "race-free"}


def is_as_good(was, now, good):
    """Is another verdict than that of the true answers right too? `good` are the kernels whose
    preconditions the true solver has shown to suffice. A verdict that was unknown for want of a race to
    show may then be conditional: a lie has led to a launch whose race the interpreter has replayed."""
    if now["verdict"] != "conditional" or now["kernel"] not in good:
        return False
    shown = [f for f in now["findings"] if f["rule"] == "TR001" and f["confidence"] == "confirmed" and f.get("witness")]
    return was["verdict"] == "conditional" or (
        was["verdict"] == "unknown" and was["reason"]["kind"] == "unreplayed-witness" and
        race_preconditions(was) == race_preconditions(now) and len(shown) > 0)


def lies_about(number, n_answers):
    """Which lies are told of a kernel with so many answers: (lie, answers)."""
    single = [(lie, str(n)) for lie in LIES for n in range(1, n_answers + 1)]
    # An answer, those to the question in its second form, and to the one whose solution is at hand.
    rows = [("unsat", f"{n}-{n + 3}") for n in range(1, n_answers + 1)]
    throughout = [(lie, "all") for lie in ("unsat", "sat", "flip")]
    if TELL_ALL:
        return (single + rows + throughout)[SHARE[0] :: SHARE[1]]
    return [single[7 * number % len(single)], throughout[number % 3]]


class Lies(unittest.TestCase):
    def judge(self, number):
        """What is wrong about a kernel, in words, and how many lies were told."""
        source, wrong = KERNELS[number], []
        true, n_answers = lied_to(source, "none", "all")
        self.assertGreater(n_answers, 0, f"{source} no longer asks the solver")
        lies = lies_about(number, n_answers)
        for lie, numbers in lies:
            seen, _ = lied_to(source, lie, numbers)
            others = [(was, now) for was, now in zip(true, seen) if now["verdict"] != "unknown" and
                      (was["verdict"] != now["verdict"] or
                       race_preconditions(was) != race_preconditions(now))]
            good = preconditions_suffice(source, lie, numbers) if others else ()
            for was, now in others:
                if not is_as_good(was, now, good):
                    wrong.append(f"{source} {was['kernel']}: {lie} for answer {numbers}: "
                                 f"{was['verdict']} {race_preconditions(was)} became "
                                 f"{now['verdict']} {race_preconditions(now)}")
        if TELL_ALL:
            print(f"{source}: {len(lies)} lies, {len(wrong)} wrong", file=sys.stderr, flush=True)
        return wrong, len(lies)

    def test_no_wrong_verdict(self):
        self.assertGreaterEqual(len(KERNELS), 30)
        with concurrent.futures.ThreadPoolExecutor(len(os.sched_getaffinity(0))) as workers:
            judged = list(workers.map(self.judge, range(0, len(KERNELS), 1 if TELL_ALL else 3)))
        print(f"{sum(n for _, n in judged)} lies about {len(judged)} files", file=sys.stderr)
        self.assertEqual([text for wrong, _ in judged for text in wrong], [])


# n is 3 and s is 2: no strategy finds that, and small launches have it.
PELL = """#include <tile.h>
tile_kernel void k(float *restrict x, int n, int s)
{
    tile_grid(8);
    tile_assume(n * n - 2 * s * s == 1);
    tile_assume(1 < n && n < 100 && s > 0);
    %s
}
"""


class SecondLook(unittest.TestCase):
    """A solver that is wrong about a question in each of its forms, and right about the one whose
    solution is at hand: runs of small launches show it, where they do."""

    def look(self, body, words):
        """The kernel for each place of three lies in a row; one of the runs has these words."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.c")
            source.write_text(PELL % body)
            (true,), n_answers = lied_to(source, "none", "all")
            kernels = [lied_to(source, "unsat", f"{n}-{n + 2}")[0][0] for n in range(1, n_answers + 1)]
        self.assertTrue(any(words in (kernel.get("reason") or {}).get("text", "") for kernel in kernels), kernels)
        return true, kernels

    def test_a_race_of_values_that_wrap(self):
        """It says that nothing wraps, so strategies prove a pair that races."""
        true, kernels = self.look("""unsigned i = (unsigned)tile_bid(0) * ((unsigned)s * 1073741824u);
    x[i / 268435456u] = 1.0f;""", "and the run shows a race")
        self.assertEqual(true["verdict"], "race")
        self.assertNotIn("race-free", [kernel["verdict"] for kernel in kernels])

    def test_an_event(self):
        true, kernels = self.look("x[tile_bid(0) + s * 1073741824 / 1073741824] = 1.0f;",
                                  "and the run shows undefined behaviour here")
        self.assertEqual([f["rule"] for f in true["findings"]], ["TR009"])
        for kernel in kernels:
            self.assertTrue(kernel["verdict"] == "unknown" or kernel["findings"] == true["findings"], kernel)

    def test_it_contradicted_itself_about_another_question(self):
        """Then nothing that rests on it counts, and all else is proved in vain."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.c")
            source.write_text(PELL % "x[tile_bid(0) + s * 1073741824 / 1073741824] = 1.0f;")
            _, n_answers = lied_to(source, "none", "all")
            for n in range(1, n_answers + 1):
                (kernel,), _ = lied_to(source, "unsat", str(n))
                self.assertEqual((kernel["verdict"], kernel["reason"]["kind"]), ("unknown", "solver-contradiction"), n)

    def test_a_pair(self):
        """A race that a run shows is one, whatever the solver says of the pair."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.c")
            source.write_text((PELL % "x[tile_bid(0) * 10 / (n - 3)] = 1.0f;").replace(" && n < 100", ""))
            (true,), n_answers = lied_to(source, "none", "all")
            self.assertEqual(true["verdict"], "race")
            shown = 0
            for n in range(1, n_answers + 1):
                (kernel,), _ = lied_to(source, "unsat", f"{n}-{n + 2}")
                self.assertIn(kernel["verdict"], ("race", "unknown"), n)
                shown += kernel["verdict"] == "race"
            self.assertGreater(shown, 0)


# Each kernel is race-free under a range of its table, which a search for preconditions finds.
RANGES = """#include <tile.h>
tile_kernel void odd_pitch(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0);
    for (int i = 0; i < length[b]; i++)
        x[b * 63 + 2 * i] = 1.0f;
}
tile_kernel void three_steps(float *restrict x, const int *restrict length)
{
    int b = tile_bid(0);
    for (int i = 0; i < length[b]; i++)
        x[b * 64 + 3 * i] = 1.0f;
}
tile_kernel void shifted(float *restrict x, const int *restrict at)
{
    int b = tile_bid(0);
    x[b * 50 + 7 * at[b]] = 1.0f;
}
"""


class Undecided(unittest.TestCase):
    def test_whether_a_range_is_enough(self):
        """A launch that breaks a range shows no race where it is not known whether the range
        excludes it."""
        with tempfile.TemporaryDirectory() as folder:
            source = pathlib.Path(folder, "k.c")
            source.write_text(RANGES)
            true, n_answers = lied_to(source, "none", "all")
            self.assertEqual({kernel["verdict"] for kernel in true}, {"conditional"})
            changed = set()
            for n in range(1, n_answers + 1):
                for kernel in lied_to(source, "unknown", str(n))[0]:
                    self.assertIn(kernel["verdict"], ("conditional", "unknown"), (n, kernel["kernel"]))
                    if kernel["verdict"] == "unknown":
                        changed.add(kernel["kernel"])
        self.assertGreaterEqual(changed, {"odd_pitch", "three_steps"})


class Reasons(unittest.TestCase):
    ASKS = "kernels/stream_k.c"

    def assert_reason(self, kernel, kind, words):
        self.assertEqual(kernel["verdict"], "unknown")
        self.assertEqual(kernel["reason"]["kind"], kind)
        self.assertIn(words, kernel["reason"]["text"])

    def test_each_way_to_fail(self):
        for lie, kind, words in (("garbage", "solver-nonsense", "printed what is no answer: unsat?"),
                                 ("dead", "solver-died", "ended with exit status 3"),
                                 ("cut", "solver-died", "ended with exit status 3"),
                                 ("killed", "solver-killed", "ended by signal 9"),
                                 ("sat", "solver-model", "model could not be read"),
                                 ("unknown", "steps", "could not decide the query")):
            with self.subTest(lie):
                self.assert_reason(lied_to(self.ASKS, lie, "all")[0][0], kind, words)

    def test_it_contradicts_itself(self):
        kernels, _ = lied_to("tests/preconditions/negated_tables.c", "unsat", "1")
        open_ones = [k for k in kernels if k["verdict"] == "unknown"]
        self.assertTrue(open_ones)
        for kernel in open_ones:
            self.assert_reason(kernel, "solver-contradiction",
                               "it said of one question that it has no solution, and that it has")

    def test_everything_has_no_solution_to_it(self):
        (kernel,), _ = lied_to(self.ASKS, "unsat", "all")
        self.assert_reason(kernel, "solver-contradiction", "whose solution is at hand has none")

    def test_there_is_none(self):
        """A script whose interpreter is not there can be seen to be missing only when it is run."""
        with tempfile.TemporaryDirectory() as folder:
            solver = pathlib.Path(folder, "solver")
            solver.write_text("#!/nowhere/interpreter\n")
            solver.chmod(0o755)
            self.assert_reason(check(self.ASKS, "--solver", str(solver))[0], "solver-missing", "")

    def test_a_race_that_a_precondition_may_exclude(self):
        """Without the solver no precondition is found: a race alone is no verdict, and one that breaks what
        may be a precondition is not shown at all."""
        shown = {"tests/idioms/sync_two_locks.c": ("held_by_either", "whether a precondition excludes that launch"),
                 "tests/preconditions/rows_backwards.c": ("odd_pitch", "is not proved")}
        for source, (name, words) in shown.items():
            kernel = next(k for k in check(source, "--solver", "/bin/false") if k["kernel"] == name)
            self.assert_reason(kernel, "solver-died", words)
            self.assertTrue(all(f["confidence"] == "possible" for f in kernel["findings"]))


class Needed(unittest.TestCase):
    def test_by_whom(self):
        for source, by in (("kernels/stream_k.c", "solver"), ("kernels/vector_add.c", "strategy")):
            (kernel,) = check(source)
            self.assertEqual(kernel["by"], by)
            obligations = kernel["obligations"]
            self.assertEqual(sum(obligations["by"].values()), obligations["proved"])
            self.assertEqual(obligations["by"]["solver"] > 0, by == "solver")

    def test_in_words(self):
        done = subprocess.run([TILERACE, "check", "--no-cache", "-v", str(ROOT / "kernels/stream_k.c")],
                              capture_output=True, text=True, check=False, timeout=300)
        self.assertRegex(done.stdout, "rests on: answers of the solver, which proved [1-9] of 19")

    def test_of_preconditions_and_findings(self):
        kernels = check("tests/preconditions/segments.c")
        by = {one["by"] for kernel in kernels for one in kernel["requires"]}
        self.assertEqual(by, {"solver", "strategy"})
        for kernel in kernels:
            for finding in kernel["findings"] + kernel["requires"]:
                if finding["by"] == "solver":
                    self.assertEqual(kernel["by"], "solver")


if __name__ == "__main__":
    unittest.main()

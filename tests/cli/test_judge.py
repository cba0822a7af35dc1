"""tilerace judge: candidates of a context, right ones and wrong ones, each to its class.

    test_judge.py TILERACE DOCS
"""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import jsonschema

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
DOCS = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "docs")
# Programs built with a sanitizer print where people read, and no judge hears that memory has ended.
SANITIZED = os.path.isfile(TILERACE) and b"__asan_init" in pathlib.Path(TILERACE).read_bytes()
KERNELS = DOCS.parent / "kernels"
ANSWER = json.loads((DOCS / "judge.schema.json").read_text())
CONTEXT = json.loads((DOCS / "judge-context.schema.json").read_text())

HEAD = "#include <tile.h>\n"

ADD = """
tile_kernel void add(const float *a, const float *b, float *c, int n)
{
    tile_grid(tile_cdiv(n, 128));
    tile_assume(0 < n);
    tile_extent(a, n);
    tile_extent(b, n);
    tile_extent(c, n);
    tile_view in_a = tile_partition(tile_tensor(a, n), 128);
    tile_view in_b = tile_partition(tile_tensor(b, n), 128);
    tile_view out = tile_partition(tile_tensor(c, n), 128);
    int i = tile_bid(0);
%s
}
"""
RIGHT = "    tile_store(out, tile_load(in_a, i) + tile_load(in_b, i), i);"

# What generators make, and what was published as a way to be passed without being right.
WRONG = {
    "does-not-compile": "    tile_store(out, tile_load(in_a, i) + tile_load(in_b, i), i)",
    "race": "    tile_store(out, tile_load(in_a, i) + tile_load(in_b, i), i / 2);",
    "out-of-bounds": "    tile_store(out, tile_load(in_a, i + 1) + tile_load(in_b, i), i);",
    "wrong-result": "    tile_store(out, tile_load(in_a, i) - tile_load(in_b, i), i);",
    # Nothing at all.
    "incomplete": "    if (n < 0) tile_store(out, tile_load(in_a, i), i);",
    # The output is left as the reference's run left it.
    "undefined-value": "    tile_store(out, tile_load(out, i), i);",
}


class Judged(unittest.TestCase):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)
        self.write("reference.c", HEAD + ADD % RIGHT)

    def write(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def run_judge(self, *words, text=None):
        command = [TILERACE, "judge", *map(str, words)]
        return subprocess.run(command, capture_output=True, text=True, input=text, check=False)

    def judge(self, context):
        path = self.write("context.json", json.dumps(context))
        run = self.run_judge(path, "--format", "json")
        self.assertEqual(run.returncode, 0, run.stderr)
        answer = json.loads(run.stdout)
        jsonschema.validate(context, CONTEXT)
        jsonschema.validate(answer, ANSWER)
        return answer

    def add(self, body, **more):
        """A candidate for adding two vectors."""
        text = HEAD + ADD % body
        return self.judge({"version": 1, "kernel": {"source": text}, "reference": "reference.c", **more})

    # ---- Classes ----

    def test_right(self):
        answer = self.add(RIGHT)
        own = answer["tilerace"]
        self.assertEqual((answer["classification"], own["class"], own["score"]), ("valid", "passed", 1))
        self.assertFalse(answer["should_filter"])
        self.assertEqual(answer["matched_patterns"], [])

    def test_wrong(self):
        for name, body in WRONG.items():
            with self.subTest(name):
                answer = self.add(body)
                self.assertEqual(answer["classification"], name, answer)
                self.assertTrue(answer["should_filter"])
                self.assertLess(answer["tilerace"]["score"], 1)
                self.assertIn(name, answer["tilerace"]["feedback"])

    def test_right_at_one_shape(self):
        """What the author states of n excludes launches that the context has."""
        launch = {"args": [{}, {}, {}, {"min": 1, "max": 5000}]}
        one = (HEAD + ADD % RIGHT).replace("0 < n", "n == 1024")
        context = {"reference": "reference.c", "launch": launch}
        answer = self.judge({"kernel": {"source": one}, **context})
        self.assertEqual(answer["classification"], "conditional", answer)
        self.assertEqual(self.add(RIGHT, launch=launch)["classification"], "valid")
        launch["args"][3] = {"value": 1024}
        self.assertEqual(self.judge({"kernel": {"source": one}, **context})["classification"], "valid")

    def test_constant_for_the_tested_shape(self):
        """The tail is dropped: right where 128 divides n."""
        body = "    if (n % 128 == 0 || i < n / 128)\n" + RIGHT
        answer = self.add(body)
        self.assertEqual(answer["classification"], "incomplete", answer)

    def test_narrowed_by_preconditions(self):
        """A candidate is not excused by what its own proof asks for: the right kernel needs none of it."""
        right = (KERNELS / "matmul_persistent.c").read_text()
        self.write("reference.c", right)
        for old, new in (("t < tiles", "t <= tiles"),
                         ("acc, m, n)", "acc, n, m)"),
                         ("acc, m, n)", "acc, m + 1, n)"),
                         ("(in_b, k, n)", "(in_b, n, k)"),
                         ("(in_a, m, k)", "(in_a, m + blocks, k)")):
            with self.subTest(new):
                answer = self.judge({"kernel": {"source": right.replace(old, new)}, "reference": "reference.c"})
                self.assertEqual(answer["classification"], "out-of-bounds", answer)
                self.assertLess(answer["tilerace"]["score"], 1)
        answer = self.judge({"kernel": {"source": right}, "reference": "reference.c"})
        self.assertEqual(answer["classification"], "valid", answer)

    def test_no_launch_can_be_tried(self):
        """Without a reference nobody knows whether the launches are those of the kernel: it does not pass."""
        wrong = (KERNELS / "matmul_persistent.c").read_text().replace("t < tiles", "t <= tiles")
        answer = self.judge({"kernel": {"source": wrong}})
        self.assertEqual(answer["classification"], "unknown", answer)
        self.assertLess(answer["tilerace"]["score"], 1)

    def test_comments_of_the_candidate_allow_nothing(self):
        body = WRONG["race"] + " // tilerace: allow(TR001): it is meant"
        self.assertEqual(self.add(body)["classification"], "race")

    def test_malformed(self):
        answer = self.add(RIGHT, launch={"args": [{}, {}, {}]})
        self.assertEqual(answer["classification"], "malformed", answer)

    SCATTER = HEAD + """
tile_kernel void scatter(const float *x, const int *row, float *y, int n, int m)
{
    tile_grid(n);
    tile_assume(0 < n);
    tile_assume(n <= m);
    tile_extent(x, n * 64);
    tile_extent(row, n);
    tile_extent(y, m * 64);
    tile_contents(row, 0, m - 1);
    tile row_ = tile_load(tile_partition(tile_tensor(row, n), 1), tile_bid(0));
    tile_view out = tile_gather_scatter(tile_tensor(y, m, 64), 0, 1, 64);
    tile_store(out, tile_load(tile_partition(tile_tensor(x, n, 64), 1, 64), tile_bid(0), 0), row_, 0);
}
"""

    def test_contents(self):
        """A scatter is right for indices that differ, and the context says whether they do."""
        kernel = {"source": self.SCATTER}
        self.assertEqual(self.judge({"kernel": kernel})["classification"], "conditional")
        unique = {"contents": [{"buffer": "row", "unique": True}]}
        self.assertEqual(self.judge({"kernel": kernel, "launch": unique})["classification"], "valid")

    def test_fills_are_contents(self):
        """What the context fills an input with is what it holds, and no more than that."""
        for fill, name in (("iota", "valid"), ("permutation", "valid"), ({"kind": "permutation", "seed": 5}, "valid"),
                           ("zeros", "race"), ("range", "conditional"), ("random", "conditional")):
            with self.subTest(str(fill)):
                launch = {"args": [{"name": "row", "fill": fill}]}
                answer = self.judge({"kernel": {"source": self.SCATTER}, "launch": launch})
                self.assertEqual(answer["classification"], name, answer["tilerace"]["feedback"])
        # Of another buffer it says nothing of this one.
        launch = {"args": [{"name": "x", "fill": "permutation"}]}
        answer = self.judge({"kernel": {"source": self.SCATTER}, "launch": launch})
        self.assertEqual(answer["classification"], "conditional")

    def test_fills_reach_the_proof(self):
        """A table of 256 is indexed by 0 to 255: nothing has to be asked of a launch that is filled so."""
        source = HEAD + """
tile_kernel void look(const float *table, const int *at, float *y, int n)
{
    tile_grid(tile_cdiv(n, 64));
    tile_assume(0 < n);
    tile_assume(n % 64 == 0);
    tile_extent(table, 256);
    tile_extent(at, n);
    tile_extent(y, n);
    tile i = tile_load(tile_partition(tile_tensor(at, n), 64), tile_bid(0));
    tile_store(tile_partition(tile_tensor(y, n), 64), tile_load_ptr(tile_pointers(table, i)), tile_bid(0));
}
"""
        for fill, asks in (("range", False), ("zeros", False), ("permutation", True), ("iota", True), ("random", True)):
            with self.subTest(fill):
                own = self.judge({"kernel": {"source": source},
                                  "launch": {"args": [{"name": "at", "fill": fill}]}})["tilerace"]
                self.assertEqual((own["class"], own["preconditions"] != []),
                                 ("out-of-bounds" if fill == "random" else "passed", asks), own)

    # ---- Outputs without a reference ----

    def test_outputs(self):
        """What has to be written is judged though nobody says what it would be."""
        for body, name in ((RIGHT, "valid"), (WRONG["wrong-result"], "valid"), (WRONG["incomplete"], "incomplete"),
                           ("    if (n % 128 == 0 || i < n / 128)\n" + RIGHT, "incomplete"),
                           (WRONG["undefined-value"], "undefined-value")):
            with self.subTest(body):
                own = self.judge({"kernel": {"source": HEAD + ADD % body}, "outputs": ["c"]})
                self.assertEqual(own["classification"], name, own["tilerace"]["feedback"])
                self.assertEqual(self.states(own["tilerace"])["agrees"], "not-asked")
                self.assertIn(self.states(own["tilerace"])["written-wholly"],
                              {"valid": ("passed",), "incomplete": ("failed",)}.get(name, ("passed", "failed", "not-reached")))

    def test_outputs_that_are_none(self):
        """A name that the candidate does not have is no reason to pass it, and is said."""
        source = HEAD + ADD % RIGHT
        other = source.replace("float *c,", "float *d,").replace("(c,", "(d,")
        for context in ({"kernel": {"source": source}, "outputs": ["z"]},
                        {"kernel": {"source": other}, "reference": "reference.c"}):
            own = self.judge(context)["tilerace"]
            self.assertEqual(own["class"], "unknown", own)
            self.assertRegex(own["feedback"], "no parameter '[cz]', which is an output")

    def test_outputs_where_the_grid_is_open(self):
        """Nobody chose a grid that writes all, so a kernel is not blamed for one that does not."""
        source = (HEAD + ADD % RIGHT).replace("    tile_grid(tile_cdiv(n, 128));\n", "")
        own = self.judge({"kernel": {"source": source}, "outputs": ["c"]})["tilerace"]
        self.assertNotIn(own["class"], ("incomplete", "passed"), own["feedback"])

    # ---- Stages that are asked ----

    def test_stages(self):
        racy_and_wrong = "    tile_store(out, tile_load(in_a, i) - tile_load(in_b, i), i / 2);"
        cases = ((RIGHT, ["races"], "passed", 1), (RIGHT, ["agrees", "every-schedule"], "passed", 1),
                 (racy_and_wrong, ["races"], "race", None), (racy_and_wrong, ["bounds"], "passed", 1),
                 (WRONG["wrong-result"], ["races", "bounds"], "passed", 1),
                 (WRONG["wrong-result"], ["agrees"], "wrong-result", None),
                 (WRONG["incomplete"], ["agrees"], "incomplete", None),
                 (WRONG["incomplete"], ["races"], "passed", 1),
                 (WRONG["does-not-compile"], ["races"], "does-not-compile", None))
        for body, stages, name, score in cases:
            with self.subTest((body, stages)):
                own = self.add(body, stages=stages)["tilerace"]
                self.assertEqual(own["class"], name, own)
                states = self.states(own)
                for stage, state in states.items():
                    if stage not in stages and stage not in ("reads", "compiles", "well-formed"):
                        self.assertIn(state, ("not-asked", "not-reached"), own)
                self.assertLessEqual({fault["stage"] for fault in own["faults"]},
                                     {*stages, "reads", "compiles", "well-formed"})
                if score is not None:
                    self.assertEqual(own["score"], score)

    def test_a_stage_that_is_not_reached_does_not_pass(self):
        """An access out of bounds ends the run that would say whether the values agree."""
        own = self.add(WRONG["out-of-bounds"], stages=["agrees"])["tilerace"]
        self.assertEqual((own["class"], self.states(own)["agrees"]), ("unknown", "unknown"), own)
        self.assertLess(own["score"], 1)

    def test_front_end_that_could_not_be_asked(self):
        own = self.own({"refused": {"what": "its process did not begin", "ours": True}})
        self.assertEqual((own["class"], self.states(own)["reads"]), ("unknown", "unknown"))
        self.assertIn("its process did not begin", own["feedback"])

    # ---- Tuning values ----

    TUNED = HEAD + """
#ifndef BM
#define BM 64
#endif
#ifndef STEP
#define STEP 1
#endif
tile_kernel void scale(const float *x, float *y, int n)
{
    tile_grid(tile_cdiv(n, BM));
    tile_assume(0 < n);
    tile_extent(x, n);
    tile_extent(y, n);
    tile_view in = tile_partition(tile_tensor(x, n), BM);
    tile_view out = tile_partition(tile_tensor(y, n), BM);
    tile_store(out, tile_load(in, tile_bid(0)) * 2.0f, tile_bid(0) / STEP * STEP);
}
"""

    def test_tuning(self):
        context = {"kernel": {"source": self.TUNED}, "tune": {"BM": [64, 100, 128], "STEP": {"from": 1, "to": 2}}}
        answer = self.judge(context)
        tuning = answer["tilerace"]["tuning"]
        self.assertEqual(tuning["parameters"], ["BM", "STEP"])
        found = {tuple(c["values"]): c["class"] for c in tuning["combinations"]}
        self.assertEqual(found, {(64, 1): "passed", (64, 2): "race", (128, 1): "passed", (128, 2): "race",
                                 (100, 1): "wrong-tuning-value", (100, 2): "wrong-tuning-value"})
        self.assertEqual(answer["classification"], "race")
        self.assertIn("BM = 128, STEP = 2: race", answer["tilerace"]["feedback"])
        context["tune"]["STEP"] = [1]
        answer = self.judge(context)
        self.assertEqual((answer["classification"], answer["tilerace"]["score"]), ("valid", 1))
        context["tune"]["BM"] = [100]
        self.assertEqual(self.judge(context)["classification"], "malformed")

    # ---- As harnesses call their guards ----

    def api(self, text, *words):
        run = self.run_judge("--api-mode", *words, text=text)
        lines = run.stdout.strip().splitlines()
        return run, json.loads(lines[-1]) if lines else None

    def test_api_mode(self):
        for body, name, filtered in ((RIGHT, "valid", False), (WRONG["race"], "race", True)):
            run, answer = self.api(HEAD + ADD % body, "--profile", "kernelbot")
            self.assertEqual(run.returncode, 0, run.stderr)
            self.assertNotIn("tilerace", run.stderr)
            self.assertEqual((answer["classification"], answer["should_filter"]), (name, filtered))

    def guard(self, answer, code=0):
        """Another guard, which leaves beside it how it was called."""
        script = f"""#!/usr/bin/env python3
import json, pathlib, sys
text = sys.stdin.read()
(pathlib.Path(__file__).parent / "called").write_text(json.dumps([sys.argv[1:], text]))
print("some words of its own")
print({json.dumps(answer)!r})
sys.exit({code})
"""
        path = self.write("guard.py", script)
        path.chmod(0o755)
        return path

    def test_words_of_the_system(self):
        """A header that the system cannot open leaves the candidate open (tests/faults). What a source
        says by itself does not."""
        words = "cannot open file 'tile.h': Too many open files"
        for line in (f"#error {words}", f'#include "{words}"', '#include "none.h"'):
            answer = self.judge({"kernel": {"source": HEAD + line + ADD % RIGHT}})
            self.assertEqual((answer["classification"], answer["should_filter"]), ("does-not-compile", True), line)

    def test_then(self):
        source = HEAD + ADD % RIGHT
        guard = self.guard({"classification": "cheat", "should_filter": True, "filter_reason": "it cheats",
                            "matched_patterns": [{"pattern": "P1"}], "more": 3})
        run, answer = self.api(source, "--then", f"{guard} -x", "--profile", "p")
        called = json.loads((self.folder / "called").read_text())
        self.assertEqual(called, [["-x", "--profile", "p", "--api-mode"], source])
        self.assertEqual((answer["classification"], answer["more"]), ("cheat", 3), run.stderr)
        self.assertEqual(answer["tilerace"]["class"], "passed")
        run, answer = self.api(HEAD + ADD % WRONG["race"], "--then", str(guard))
        self.assertEqual(answer["classification"], "race")
        self.assertEqual([p["pattern"] for p in answer["matched_patterns"]][-1], "P1")
        # Both are content.
        guard = self.guard({"classification": "valid", "should_filter": False, "matched_patterns": []})
        run, answer = self.api(source, "--then", str(guard))
        self.assertEqual((answer["classification"], answer["should_filter"]), ("valid", False))

    def test_then_that_gives_no_answer(self):
        source = HEAD + ADD % RIGHT
        for guard in (self.guard({}, 3), self.folder / "none"):
            run, answer = self.api(source, "--then", str(guard))
            self.assertEqual((run.returncode, answer), (2, None), guard)
            self.assertIn("--then", run.stderr)

    # ---- What cannot be judged ----

    def test_other_languages(self):
        """Neither passed nor filtered."""
        for text in ("import cuda.tile as ct\n", "__global__ void k() {}\n", "import triton\n"):
            run, answer = self.api(text)
            self.assertEqual((run.returncode, answer["classification"]), (0, "unknown"), text)
            self.assertFalse(answer["should_filter"])
        for name in ("k.py", "k.rs"):
            self.assertEqual(self.judge({"kernel": str(self.write(name, ""))})["classification"], "unknown")

    # ---- What other compilers make ----

    NVCC = """#!/bin/sh
for word in "$@"; do source=$word; done
case $source in *bad.cu) echo "bad.cu(1): error: this is no C++" >&2; exit 2 ;; esac
while [ $# -gt 0 ]; do case $1 in -o) cp "$MODULE" "$2" ;; esac; shift; done
"""

    def judge_cuda(self, name, module, **context):
        """By one of ours in nvcc's place, which hands out a module that is there already."""
        self.write("nvcc", self.NVCC).chmod(0o755)
        self.write(name, "#include <cuda_tile.h>\n__tile_global__ void k();\n")
        path = self.write("context.json", json.dumps({"kernel": name, **context}))
        run = subprocess.run([TILERACE, "judge", str(path), "--format", "json"], capture_output=True, text=True,
                             check=False, env={**os.environ, "PATH": f"{self.folder}:/usr/bin:/bin", "MODULE": str(module)})
        self.assertEqual(run.returncode, 0, run.stderr)
        answer = json.loads(run.stdout)
        jsonschema.validate(answer, ANSWER)
        return answer

    @unittest.skipIf(SANITIZED, "a sanitizer maps more than the process that compiles may have")
    def test_cuda(self):
        for module, class_ in (("kernels/cpp/saxpy", "passed"), ("fixtures/races/cpp/vector_add_half_index", "race")):
            launch = json.loads((DOCS.parent / (module + ".launch.json")).read_text())["launches"][0]
            own = self.judge_cuda("k.cu", DOCS.parent / (module + ".tilebc"), launch=launch)["tilerace"]
            self.assertEqual(own["class"], class_, own)
        own = self.judge_cuda("bad.cu", "/dev/null")["tilerace"]
        self.assertEqual(own["class"], "does-not-compile")
        self.assertIn("this is no C++", own["feedback"])
        own = self.judge_cuda("k.cu", "/dev/null")["tilerace"]
        self.assertIn(own["class"], ("malformed", "unknown", "does-not-compile"))

    def test_cuda_without_its_compiler(self):
        """What is missing is no fault of the candidate."""
        self.write("k.cu", "__tile_global__ void k();\n")
        run = subprocess.run([TILERACE, "judge", str(self.folder / "k.cu"), "--format", "json"], capture_output=True,
                             text=True, check=False, env={**os.environ, "PATH": "/usr/bin:/bin"})
        own = json.loads(run.stdout)["tilerace"]
        self.assertEqual(own["class"], "unknown", own)
        self.assertIn("nvcc", own["feedback"])

    def record(self, folder, module, launches):
        """A recording, as tilerace exec leaves one."""
        hashes = pathlib.Path(TILERACE).parent / "tests/recorded_name"

        def name_of(data):
            return subprocess.run([hashes], input=data, capture_output=True, check=True).stdout.decode()

        def halves(data):
            name = name_of(data)
            return b"".join(int(half, 16).to_bytes(8, "little") for half in (name[16:], name[:16]))

        data = module.read_bytes()
        key = name_of(halves(data) + halves(b"{}"))
        for part in ("modules", "launches"):
            (self.folder / folder / part).mkdir(parents=True)
        self.write(f"{folder}/index.json", json.dumps({"format": "tilerace recording", "version": 1}))
        (self.folder / folder / "modules" / f"{key}.tilebc").write_bytes(data)
        self.write(f"{folder}/modules/{key}.json", "{}")
        for launch in launches:
            text = json.dumps({"version": 2, "launches": [launch]})
            self.write(f"{folder}/launches/{key}.{name_of(text.encode())}.json", text)

    def test_recordings(self):
        """As many launches as were recorded, each judged."""
        for module, class_ in (("kernels/cpp/saxpy", "passed"), ("fixtures/races/cpp/vector_add_half_index", "race")):
            launch = json.loads((DOCS.parent / (module + ".launch.json")).read_text())["launches"][0]
            self.record(class_, DOCS.parent / (module + ".tilebc"), [launch])
            for context in ({"kernel": class_}, {"kernel": {"file": class_}, "stages": ["races", "bounds"]}):
                self.assertEqual(self.judge(context)["tilerace"]["class"], class_)
            run = self.run_judge(self.folder / class_, "--format", "json")
            self.assertEqual(json.loads(run.stdout)["tilerace"]["class"], class_, run.stderr)
        (next((self.folder / "passed/modules").glob("*.tilebc"))).write_bytes(b"x")
        own = self.judge({"kernel": "passed"})["tilerace"]
        self.assertEqual(own["class"], "unknown", own)

    def test_wrong_contexts(self):
        for context, word in (
            ({"kernel": 3}, "string or an object"),
            ({"kernel": {"source": "x"}, "kernal": 1}, "did you mean kernel?"),
            ({}, "kernel is missing"),
            ({"kernel": "a.c", "version": 2}, "version"),
            ({"kernel": "a.c", "samples": 0}, "samples"),
            ({"kernel": {"file": "a.c", "defines": {"A B": 1}}}, "names of macros"),
            ({"kernel": "a.c", "launch": "none.json"}, "none.json"),
            ({"kernel": "a.c", "tune": {"B M": [1]}}, "tune.B M"),
            ({"kernel": "a.c", "tune": {"B": []}}, "tune.B"),
            ({"kernel": "a.c", "tune": {"B": {"from": 2, "to": 1, "step": 0}}}, "tune.B"),
            ({"kernel": "a.c", "tune": {"A": {"from": 1, "to": 99}, "B": {"from": 1, "to": 99}}}, "4096"),
        ):
            run = self.run_judge(self.write("context.json", json.dumps(context)))
            self.assertEqual((run.returncode, run.stdout), (2, ""), context)
            self.assertIn(word, run.stderr)
            if word not in ("none.json", "4096"):  # no schema can say it
                with self.assertRaises(jsonschema.ValidationError, msg=context):
                    jsonschema.validate(context, CONTEXT)
        run = self.run_judge(self.write("context.json", '{"kernel": "a.c", "kernel": "b.c"}'))
        self.assertIn("the key `kernel` is there twice", run.stderr)
        run = self.run_judge(self.write("context.json", '{"kernel": {"source": "a\\u0000b"}}'))
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("NUL", run.stderr)
        self.assertEqual(self.run_judge("--api-mode", text="{").returncode, 2)

    def test_feedback(self):
        """What, where, the smallest launch that shows it, the two accesses, and what is known to help."""
        text = HEAD + ADD % WRONG["race"]
        line = text[:text.index("i / 2")].count("\n") + 1
        feedback = self.add(WRONG["race"])["tilerace"]["feedback"]
        for part in (r"candidate\.c:%d: race: different tile blocks write the same elements of 'c' \[TR001\]" % line,
                     r"\n    the smallest launch that shows it: grid 2 x 1 x 1, n = 129\n",
                     r"\n    tile block \(0, 0, 0\) stores c\[0\] by index", r"\n    tile block \(1, 0, 0\) stores c\[0\] by index",
                     r"\n    help: \S"):
            self.assertRegex(feedback, part)
        feedback = self.add(WRONG["wrong-result"])["tilerace"]["feedback"]
        for part in (r"candidate\.c:\d+: wrong-result: \d+ of \d+ elements of 'c' are not as the reference has them",
                     r"the smallest launch that shows it: grid 1 x 1 x 1, n = \d+", r"c\[\d+\] is \S+, the reference has \S+"):
            self.assertRegex(feedback, part)

    def test_budget_of_feedback(self):
        path = self.write("k.c", HEAD + ADD % WRONG["race"])
        whole = json.loads(self.run_judge(path, "--format", "json").stdout)["tilerace"]["feedback"]
        for most in (1, 100, len(whole) - 1, len(whole)):
            run = self.run_judge(path, "--format", "json", "--max-feedback", most)
            feedback = json.loads(run.stdout)["tilerace"]["feedback"]
            self.assertLessEqual(len(feedback.encode()), most)
            self.assertEqual(feedback == whole, most == len(whole))


    # ---- What is wrong with a context, and what takes too much ----

    # Clang's preprocessor makes 4^20 words of it.
    WORDS = HEAD + ADD % RIGHT + "#define A0 0 +\n" + "".join(
        "#define A%d A%d A%d A%d A%d\n" % (i + 1, i, i, i, i) for i in range(20))

    def own(self, context, *words):
        run = self.run_judge(self.write("context.json", json.dumps(context)), "--format", "json", *words)
        self.assertEqual(run.returncode, 0, run.stderr)
        jsonschema.validate(context, CONTEXT)
        answer = json.loads(run.stdout)
        jsonschema.validate(answer, ANSWER)
        return answer["tilerace"]

    def states(self, own):
        return {stage["stage"]: stage["state"] for stage in own["stages"]}

    def test_wrong_types(self):
        kernel = {"source": HEAD + ADD % RIGHT}
        for wrong in ({"kernel": 3}, {"kernel": [1]}, {"kernel": {"source": 3}}, {"kernel": {"file": {}}},
                      {"kernel": {"source": "", "file": "x.c"}}, {"kernel": {**kernel, "defines": {"X": []}}},
                      {"launch": 3}, {"launch": []}, {"launch": {"args": 3}}, {"launch": {"grid": "x"}},
                      {"reference": 3}, {"reference": {}}, {"reference": {"kernel": 3}}, {"reference": {"source": []}},
                      {"outputs": "c"}, {"outputs": [3]}, {"tolerance": "x"}, {"tolerance": -1}, {"samples": 1.5},
                      {"seed": -1}, {"tune": []}, {"tune": {"BM": "x"}}, {"limits": 3}, {"limits": {"seconds": -1}},
                      {"limits": {"seconds": "1"}}, {"limits": {"megabytes": 0.5}}, {"limits": {"bytes": 1}},
                      {"stages": "races"}, {"stages": []}, {"stages": [3]}, {"stages": ["racs"]},
                      {"refused": {"what": "x", "ours": 1}}, {"version": 2}, {"trials": {}}, {"variants": 3}, {"variants": [3]}, {"kernle": "x"}):
            with self.subTest(str(wrong)):
                run = self.run_judge(self.write("context.json", json.dumps({"kernel": kernel, **wrong})))
                self.assertEqual((run.returncode, run.stdout), (2, ""), run.stderr)
                self.assertIn("context.json", run.stderr)

    def test_compiling_takes_too_much(self):
        for source, limits, words in (
                (self.WORDS + "#if A20 0\n#endif\n", {"seconds": 1.5}, "takes more than 1.5 s"),
                (self.WORDS + "int huge = A20 0;\n", {"megabytes": 300}, "takes more than 300 MB")):
            if SANITIZED and "megabytes" in limits:
                continue
            own = self.own({"kernel": {"source": source}, "limits": limits})
            self.assertEqual(own["class"], "limit", own)
            self.assertIn(words, own["feedback"])
            self.assertEqual(self.states(own)["compiles"], "failed")
        own = self.own({"kernel": {"source": self.WORDS + "#if A20 0\n#endif\n"}}, "--timeout", "1000")
        self.assertIn("takes more than 1 s", own["feedback"])

    def test_a_reference_that_does_not_end(self):
        """Nothing is known of the values then; the proof stands, and the candidate is not filtered."""
        loop = ("    for (int k = 0; k < 1000000000; k++)\n"
                "        tile_store(out, tile_load(in_a, i) + tile_load(in_b, i), i);")
        wait = RIGHT + ("\n    while (tile_to_int(tile_atomic_or(tile_pointers((int *)c, 0), 0, TILE_ACQUIRE, TILE_DEVICE))"
                        " != 7)\n        ;")
        for reference in (loop, wait):
            context = {"kernel": {"source": HEAD + ADD % RIGHT}, "reference": {"source": HEAD + ADD % reference}}
            own = self.own(context, "--timeout", "4000")
            self.assertEqual((own["class"], self.states(own)["races"], self.states(own)["agrees"]),
                             ("unknown", "passed", "unknown"), own)

    def test_a_large_source(self):
        large = HEAD + ADD % RIGHT + "/*" + "x" * (100 << 20) + "*/\n"
        run = self.run_judge("-", text=large)
        self.assertEqual((run.returncode, run.stdout), (2, ""))
        self.assertIn("larger than the 64 MiB", run.stderr)
        run = self.run_judge(self.write("large.c", large))
        self.assertIn(run.returncode, (0, 2))
        self.assertIn("64 MiB", run.stdout + run.stderr)

    def test_not_a_number_and_infinities(self):
        """They agree with themselves, and with nothing else."""
        for made in ("/ 0.0f", "- tile_load(in_b, i) / 0.0f + tile_load(in_b, i) / 0.0f"):
            body = RIGHT.replace(", i);", " %s, i);" % made)
            same = self.judge({"kernel": {"source": HEAD + ADD % body}, "reference": {"source": HEAD + ADD % body}})
            self.assertEqual(same["classification"], "valid", same)
            for one, other in ((body, RIGHT), (RIGHT, body)):
                unlike = self.judge({"kernel": {"source": HEAD + ADD % one},
                                     "reference": {"source": HEAD + ADD % other}})
                self.assertEqual(unlike["classification"], "wrong-result", unlike)

    def test_equal_between_runs(self):
        context = self.write("context.json", json.dumps({"kernel": {"source": HEAD + ADD % RIGHT},
                                                         "reference": "reference.c"}))
        texts = {self.run_judge(context, "--format", "json").stdout for _ in range(3)}
        self.assertEqual(len(texts), 1)
        timed = json.loads(self.run_judge(context, "--format", "json", "--times").stdout)
        self.assertTrue(all(stage["time_ms"] >= 0 for stage in timed["tilerace"]["stages"]))


if __name__ == "__main__":
    unittest.main()

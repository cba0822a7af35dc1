"""tilerace.check: files, modules, contracts, and what a result holds.

    test_check.py BUILD_FOLDER
"""
import json
import os
import pathlib
import pickle
import subprocess
import sys
import threading
import time
import unittest

from common import BUILD, LOOP, PACKAGE, ROOT, SCATTER, Case, fixture, kernel, main

import tilerace
from tilerace import InputError, Verdict

MODULE = kernel("cpp/matmul_swizzle.tilebc")


class Results(Case):
    def test_clean(self):
        result = tilerace.check(kernel("vector_add.c"))
        self.assertIs(result.verdict, Verdict.RACE_FREE)
        [found] = result.kernels
        self.assertEqual((found.name, found.findings, found.reason), ("vector_add", (), None))
        self.assertTrue(found.place.file.endswith("vector_add.c"))
        self.assertGreater(found.place.line, 1)
        self.assertEqual([p.name for p in found.parameters], ["a", "b", "c", "n"])
        self.assertEqual([p.kind.value for p in found.parameters], ["pointer"] * 3 + ["integer"])

    def test_racy(self):
        result = tilerace.check(pathlib.Path(fixture("vector_add_half_index.c")))
        self.assertIs(result.verdict, Verdict.RACE)
        [finding] = result.findings
        self.assertEqual((finding.rule, finding.level.value), ("TR001", "error"))
        self.assertTrue(finding.confirmed)
        self.assertIn("different tile blocks write", finding.message)
        self.assertTrue(str(finding).startswith(str(finding.place)))
        place = finding.place
        line = pathlib.Path(place.file).read_text().splitlines()[place.line - 1]
        self.assertEqual(place.line, place.end_line)
        self.assertTrue(line[place.column - 1:place.end_column - 1].startswith("tile_store"), line)
        first, second = finding.witness.events
        self.assertNotEqual(first.block, second.block)
        self.assertEqual(first.element, second.element)
        self.assertEqual((first.access, first.order, first.scope), ("store", "weak", None))
        self.assertEqual(list(finding.witness.parameters), ["n"])

    def test_conditional(self):
        [found] = tilerace.check(self.source(SCATTER)).kernels
        self.assertIs(found.verdict, Verdict.CONDITIONAL)
        [asked] = [p for p in found.preconditions if p.kind == "unique-contents"]
        self.assertIs(asked.class_, tilerace.PreconditionClass.RACE)
        self.assertEqual((asked.subject, asked.of_contents), ("row", True))
        self.assertEqual(asked.contract["contents"][0]["buffer"], "row")
        example = found.findings[0]
        self.assertEqual(found.preconditions[example.precondition], asked)
        self.assertEqual(example.witness.contents["row"][0], example.witness.contents["row"][1])

    def test_unknown(self):
        result = tilerace.check(kernel("vector_add.c"), strict=True)
        self.assertIs(result.verdict, Verdict.UNKNOWN)
        self.assertEqual(result.kernels[0].reason.kind, "contract-silent")
        self.assertTrue(str(result.kernels[0].reason))

    def test_no_truth(self):
        result = tilerace.check(kernel("vector_add.c"), strict=True)
        for value in result, result.kernels[0], result.verdict, Verdict.RACE_FREE:
            with self.assertRaisesRegex(TypeError, "neither true nor false"):
                bool(value)

    def test_the_worst_verdict(self):
        text = LOOP + SCATTER.partition("\n")[2] + """
tile_kernel void racy(float *y) { y[tile_bid(0) / 2] = tile_bid(0); }
tile_kernel void fine(float *restrict y) { y[tile_bid(0)] = 1.0f; }
"""
        result = tilerace.check(self.source(text))
        self.assertEqual([k.verdict.value for k in result.kernels],
                         ["conditional", "conditional", "race", "race-free"])
        self.assertIs(result.verdict, Verdict.RACE)
        both = tilerace.check(self.source(text), strict=True)
        self.assertLessEqual({Verdict.UNKNOWN, Verdict.RACE}, {k.verdict for k in both.kernels})
        self.assertIs(both.verdict, Verdict.RACE, "what is known outweighs what is not")
        self.assertEqual(len(result.findings), sum(len(k.findings) for k in result.kernels))

    def test_reports(self):
        result = tilerace.check(fixture("vector_add_half_index.c"))
        self.assertIn("[TR001]", result.report())
        self.assertEqual(str(result), result.report("text"))
        self.assertEqual(json.loads(result.report("json"))["inputs"][0]["kernels"][0]["verdict"],
                         "race")
        for name in "xml", "text\0", "":
            with self.assertRaisesRegex(InputError, "there is no format"):
                result.report(name)
        with self.assertRaises(TypeError):
            result.report(b"text")

    def test_as_json_says(self):
        """Every number of a witness is that of the report."""
        result = tilerace.check(fixture("python/moe_gather_gemm_by_token.tilebc"))
        [told] = json.loads(result.report("json"))["inputs"][0]["kernels"]
        [found] = result.kernels
        self.assertEqual([f["rule"] for f in told["findings"]], [f.rule for f in found.findings])
        self.assertGreater(len(found.findings), 0)
        for expected, finding in zip(told["findings"], found.findings):
            self.assertEqual(expected["witness"]["params"], finding.witness.parameters)
            self.assertEqual({name: tuple(values) for name, values
                              in expected["witness"]["contents"].items()},
                             finding.witness.contents)
            for event, is_told in zip(finding.witness.events, expected["witness"]["events"]):
                self.assertEqual(
                    [list(event.block), list(event.iterations), event.access, event.order,
                     event.scope, event.buffer, event.element, list(event.coordinates),
                     list(event.in_tile)],
                    [is_told[key] for key in ("block", "iterations", "access", "order", "scope",
                                              "buffer", "element", "coordinate", "in_tile")])
                self.assertEqual([vars(lookup) for lookup in event.lookups],
                                 is_told.get("lookups", []))

    def test_contents_that_are_floats(self):
        result = tilerace.check(self.source(
            "#include <tile.h>\ntile_kernel void k(const float *restrict x, float *restrict y)\n"
            "{ if (x[tile_bid(0)] > 0.5f) y[0] = 1.0f; }\n"))
        held = result.findings[0].witness.contents["x"]
        self.assertTrue(all(isinstance(value, float) for value in held))
        self.assertGreater(held[0], 0.5)

    def test_repairs(self):
        [finding] = tilerace.check(fixture("histogram_plain_add.c")).findings
        self.assertIn("update 'count' by an atomic operation",
                      [repair.text for repair in finding.repairs])
        for repair in finding.repairs:
            self.assertEqual((repair.replacement, repair.line, repair.verified), (None, 0, False))

    def test_allowed(self):
        text = ("#include <tile.h>\ntile_kernel void k(float *y)\n{\n"
                "    y[tile_bid(0) / 2] = tile_bid(0);%s\n}\n")
        for comment, reason in (("", None), (" // tilerace: allow(TR001): a test", "a test")):
            result = tilerace.check(self.source(text % comment))
            self.assertEqual([f.allowed for f in result.findings], [reason])
            self.assertIs(result.verdict, Verdict.RACE, "the verdict stays what it is")

    def test_notebook(self):
        page = tilerace.check(fixture("vector_add_half_index.c"))._repr_html_()
        self.assertTrue(page.startswith("<iframe srcdoc="))
        self.assertIn("TR001", page)
        self.assertNotIn("<html", page)  # escaped: it is the frame's, not the notebook's


class Contracts(Case):
    contract = json.loads(pathlib.Path(MODULE.replace(".tilebc", ".launch.json")).read_text())

    def bytes(self):
        return pathlib.Path(MODULE).read_bytes()

    def asked(self, *words, **options):
        return len(tilerace.check(*words, **options).kernels[0].preconditions)

    def test_bytes(self):
        bare = self.asked(self.bytes())
        stated = self.asked(self.bytes(), self.contract)
        self.assertLess(stated, bare)
        self.assertEqual(self.asked(MODULE), stated, "the contract beside the file")
        for kind in bytearray, memoryview:
            self.assertEqual(self.asked(kind(self.bytes()), self.contract), stated)
        path = self.folder / "a.json"
        path.write_text(json.dumps(self.contract))
        for given in path, str(path):
            self.assertEqual(self.asked(self.bytes(), given), stated)

    def test_a_name(self):
        self.assertEqual(tilerace.check(self.bytes(), name="of me").kernels[0].file, "of me")

    def test_contents_beside_the_contract(self):
        kernel = self.source(SCATTER)
        (self.folder / "rows.bin").write_bytes(bytes([1, 0, 0, 0, 1, 0, 0, 0]))
        path = self.folder / "a.json"
        path.write_text(json.dumps({"version": 2, "launches": [
            {"grid": [2], "args": [{"name": "row", "elements": 2}, {"name": "y", "elements": 2}],
             "contents": [{"buffer": "row", "file": "rows.bin"}]}]}))
        self.assertIs(tilerace.check(kernel, path).verdict, Verdict.RACE)

    def test_wrong(self):
        for contract, part in (({"version": 1, "launches": [{"kernel": "another"}]}, "another"),
                               ({"version": 99, "launches": []}, "version"),
                               ({"launches": "?"}, "launch contract"), ({}, "launch contract"),
                               ({"version": float("nan")}, "not JSON"),
                               ({"version": object()}, "not JSON"),
                               (self.folder / "none.json", "none.json")):
            with self.assertRaisesRegex(InputError, part):
                tilerace.check(MODULE, contract)
        endless = {}
        endless["version"] = endless
        with self.assertRaisesRegex(InputError, "not JSON"):
            tilerace.check(MODULE, endless)
        for launch in 3, b"{}", ["a"], object():
            with self.assertRaisesRegex(TypeError, "a launch is a launch contract"):
                tilerace.check(MODULE, launch)


class BadInput(Case):
    def test_places(self):
        path = self.source("#include <tile.h>\ntile_kernel void k(int n) { n +; }\n")
        with self.assertRaises(InputError) as caught:
            tilerace.check(path)
        error = caught.exception
        self.assertEqual((error.file, error.line), (str(path), 2))
        self.assertGreater(error.column, 1)
        self.assertIn(f"{path}:2:{error.column}: {error.text}", str(error))
        self.assertIs(error.errors[0].__class__, InputError)
        again = pickle.loads(pickle.dumps(error))
        self.assertEqual((again.file, again.line, again.text), (error.file, 2, error.text))

    def test_files(self):
        (self.folder / "empty").write_bytes(b"")
        (self.folder / "elf").write_bytes(b"\x7fELF" + bytes(64))
        (self.folder / "odd\udcff").write_bytes(b"\x7fELF" + bytes(64))
        for name, part in (("none", "cannot be read"), ("empty", "empty"), ("elf", "ELF"),
                           (".", "is a folder"), ("odd\udcff", "ELF")):
            with self.assertRaisesRegex(InputError, part) as caught:
                tilerace.check(self.folder / name)
            self.assertEqual(caught.exception.file, str(self.folder / name))
        for path in "a\0b", self.folder / "a\0b":
            with self.assertRaisesRegex(InputError, "NUL"):
                tilerace.check(path)
        with self.assertRaisesRegex(InputError, "neither a C source.*cuTile Python"):
            tilerace.check(kernel("python/add_vectors.py"))

    def test_modules(self):
        whole = pathlib.Path(MODULE).read_bytes()
        for cut in 0, 1, 7, 8, 12, 40, len(whole) // 2, len(whole) - 1:
            with self.assertRaises(InputError, msg=str(cut)) as caught:
                tilerace.check(whole[:cut], name="cut")
            self.assertEqual(caught.exception.file, "cut")
        with self.assertRaisesRegex(InputError, "not Tile IR"):
            tilerace.check(b"int f;")
        with self.assertRaisesRegex(InputError, "larger than 64 MiB"):
            tilerace.check(whole + bytes(64 << 20))
        with self.assertRaisesRegex(InputError, "NUL"):
            tilerace.check(whole, name="a\0b")

    def test_types(self):
        for what in None, 3, ["a.c"], {"a": 1}, object(), tilerace:
            with self.assertRaisesRegex(TypeError, "the path of a file"):
                tilerace.check(what)
        with self.assertRaises(TypeError):
            tilerace.check(b"", name=b"a")

    def test_options(self):
        path = kernel("vector_add.c")
        for name in "steps", "budget_ms":
            for value, kind in ((0, InputError), (-1, InputError), (1 << 64, InputError),
                                ("1", TypeError), (1.5, TypeError), (True, TypeError)):
                with self.assertRaises(kind):
                    tilerace.check(path, **{name: value})
        with self.assertRaisesRegex(InputError, "/no/such/solver"):
            tilerace.check(path, solver="/no/such/solver")
        for words, kind in (("-DN=1", TypeError), ([3], TypeError), (["-D\0"], InputError)):
            with self.assertRaises(kind):
                tilerace.check(path, clang_args=words)
        with self.assertRaisesRegex(InputError, "unknown.*-nonsense|-nonsense"):
            tilerace.check(path, clang_args=["-nonsense"])

    def test_clang_arguments_are_passed(self):
        path = self.source("#include <tile.h>\ntile_kernel void k(float *restrict y) "
                           "{ y[tile_bid(0) / STEP] = 1.0f; }\n")
        self.assertIs(tilerace.check(path, clang_args=["-DSTEP=1"]).verdict, Verdict.RACE_FREE)
        self.assertIs(tilerace.check(path, clang_args=["-DSTEP=2"]).verdict, Verdict.RACE)

    def test_steps_are_passed(self):
        [found] = tilerace.check(kernel("flash_attention.c"), steps=1).kernels
        self.assertEqual((found.verdict, found.reason.kind), (Verdict.UNKNOWN, "steps"))

    def test_notes_are_passed(self):
        self.assertEqual(tilerace.check(kernel("row_sum.c")).findings, ())
        self.assertGreater(len(tilerace.check(kernel("row_sum.c"), notes=True).findings), 0)


class Explanations(Case):
    def test_words(self):
        rule = tilerace.explain("TR001")
        self.assertEqual((rule.kind, rule.code, rule.title),
                         ("rule", "TR001", "TR001 inter-block-write-write"))
        self.assertRegex(rule.url, "^https://.*/docs/rules/TR001.md$")
        self.assertEqual(tilerace.explain("inter-block-write-write"), rule)
        self.assertEqual(tilerace.explain("conditional").kind, "verdict")
        self.assertEqual(tilerace.explain("unique-contents").kind, "precondition")
        self.assertIn(rule.text, str(rule))

    def test_all_that_a_result_names(self):
        for name in "vector_add_half_index.c", "message_passing_relaxed_flag.c":
            for found in tilerace.check(fixture(name)).kernels:
                for word in ([f.rule for f in found.findings] + [found.verdict.value]
                             + [p.kind for p in found.preconditions]):
                    self.assertTrue(tilerace.explain(word).text)

    def test_wrong(self):
        for word in "TR9999", "", "TR001\0", "é":
            with self.assertRaisesRegex(InputError, "there is no rule"):
                tilerace.explain(word)
        for word in None, 1, b"TR001":
            with self.assertRaises(TypeError):
                tilerace.explain(word)

    def test_version(self):
        said = subprocess.run([str(BUILD / "tilerace"), "--version"], capture_output=True,
                              text=True, check=True).stdout
        self.assertIn(tilerace.version(), said)


class Threads(Case):
    def test_two_at_once(self):
        verdicts = {}

        def check(name, path):
            verdicts[name] = tilerace.check(path).verdict

        paths = {i: kernel("vector_add.c") if i % 2 else fixture("vector_add_half_index.c")
                 for i in range(8)}
        threads = [threading.Thread(target=check, args=item) for item in paths.items()]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(verdicts, {i: Verdict.RACE_FREE if i % 2 else Verdict.RACE
                                    for i in range(8)})

    def test_others_run_meanwhile(self):
        """The interpreter's lock is free during a check: its solver waits for what another thread
        does."""
        began, go, went = (self.folder / name for name in ("began", "go", "went"))
        solver = self.folder / "solver"
        solver.write_text('#!/bin/sh\n: >%s\nuntil [ -e %s ]; do sleep 0.05; done\n: >%s\nexec "%s" -smt2 -in\n'
                          % (began, go, went, os.environ.get("TILERACE_SOLVER") or "z3"))
        solver.chmod(0o755)
        verdicts = []
        thread = threading.Thread(target=lambda: verdicts.append(tilerace.check(
            fixture("matmul_locked_relaxed_unlock.c"), solver=solver, budget_ms=20000).verdict))
        thread.start()
        until = time.monotonic() + 60
        while not began.exists() and time.monotonic() < until:
            time.sleep(0.01)
        self.assertEqual(verdicts, [])
        go.touch()
        thread.join(60)
        self.assertTrue(went.exists(), "the solver was given up before anyone could let it go")
        self.assertEqual(verdicts, [Verdict.RACE])

    def test_a_result_outlives_its_name(self):
        found = tilerace.check(self.source(LOOP)).kernels[0]  # the result itself is gone
        self.assertTrue(found.check_launch(4, [tilerace.Buffer(1 << 20, 1 << 20), 4]).holds)


class Opening(Case):
    """How the library is found, and what is said where it is not."""

    def run_python(self, program, *words, **environment):
        return subprocess.run([sys.executable, "-c", program, *words], capture_output=True, text=True,
                              check=False, cwd=self.folder, timeout=60,
                              env={"PYTHONPATH": str(PACKAGE), "PATH": "/usr/bin", **environment})

    def test_import_alone(self):
        """It opens no library and patches nothing."""
        run = self.run_python(
            "import sys\nbefore = list(sys.meta_path)\nimport tilerace\n"
            "assert before == sys.meta_path and 'numpy' not in sys.modules\n"
            "assert not any('cuda' in name or 'capture' in name for name in sys.modules)\n"
            "print('libtilerace' in open('/proc/self/maps').read())", TILERACE_LIBRARY="/none")
        self.assertEqual((run.stdout, run.stderr), ("False\n", ""))

    def test_missing(self):
        for place in "/no/such/libtilerace.so.2", "":
            run = self.run_python("import tilerace\ntilerace.version()", TILERACE_LIBRARY=place)
            self.assertIn("ImportError: ", run.stderr)
            self.assertIn("pip install --force-reinstall tilerace", run.stderr)

    def test_no_library(self):
        path = self.folder / "libtilerace.so.2"
        path.write_text("no library")
        run = self.run_python("import tilerace\ntilerace.version()", TILERACE_LIBRARY=str(path))
        self.assertRegex(run.stderr, "ImportError: .*libtilerace.so.2 cannot be loaded")

    def library_of(self, body):
        (self.folder / "l.c").write_text(body)
        path = self.folder / "libother.so"
        subprocess.run(["cc", "-shared", "-fPIC", "-o", path, self.folder / "l.c"], check=True)
        return self.run_python("import tilerace\ntilerace.version()", TILERACE_LIBRARY=str(path))

    def test_other_versions(self):
        run = self.library_of("int tilerace_api_version(void) { return 3; }\n")
        self.assertRegex(run.stderr, "ImportError: .* has version 3 of its interface, and this "
                                     "package needs 2: install")
        run = self.library_of("int tilerace_api_version(void) { return 2; }\n")
        self.assertRegex(run.stderr, "ImportError: .* is older than this package")
        run = self.library_of("int f;\n")
        self.assertRegex(run.stderr, "ImportError: .* is older than this package")

    def test_beside_the_program(self):
        program = "import tilerace\nprint(tilerace.version())"
        for variables in ({"TILERACE_PROGRAM": str(BUILD / "tilerace")},
                          {"PATH": "%s:/usr/bin" % BUILD}):
            run = self.run_python(program, **variables)
            self.assertEqual(run.stdout.strip(), tilerace.version(), run.stderr)

    def test_installed(self):
        """Below a prefix, and moved from there into an environment's site-packages, as a wheel
        has it."""
        prefix = self.folder / "prefix"
        subprocess.run(["cmake", "--install", BUILD, "--prefix", prefix], check=True,
                       stdout=subprocess.DEVNULL)
        [marker] = prefix.rglob("py.typed")
        site = prefix / marker.relative_to(prefix).parents[3] / "python3" / "site-packages"
        program = ("import tilerace, sys\nfrom tilerace import _cutile, _library\n"
                   "print(_library.library()._name, tilerace.check(sys.argv[1]).verdict.value)\n"
                   "assert _cutile._names_module().describe")
        [library] = prefix.rglob("libtilerace.so.2")
        for folder in marker.parents[1], site:
            if folder == site:
                site.mkdir(parents=True)
                marker.parent.rename(site / "tilerace")
            run = self.run_python(program, kernel("vector_add.c"), PYTHONPATH=str(folder),
                                  TILERACE_SOLVER=os.environ.get("TILERACE_SOLVER", ""))
            self.assertEqual(run.stdout.strip(), "%s race-free" % library, run.stderr)


if __name__ == "__main__":
    main()

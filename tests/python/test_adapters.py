"""tilerace.adapters, called as the harnesses call them.

    test_adapters.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy. How each harness calls is pinned here, from its sources
at the commit that docs/adapters.md names. With TILERACE_HARNESSES, a folder of checkouts under the names of
their repositories, their own code calls in its place, as far as this Python has what that imports; so does
that of harnesses whose packages this Python has.
"""
import importlib
import importlib.util
import inspect
import json
import os
import pathlib
import shlex
import subprocess
import sys
import types
import unittest
from unittest import mock

from common import BUILD, ROOT, Case, main

import tilerace
from tilerace import adapters
from tilerace.adapters import (cutileforge, flashinfer_bench, kernelbench, multikernelbench, trl,
                               verl)

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")
HARNESSES = os.environ.get("TILERACE_HARNESSES")

KERNEL = """
import cuda.tile as ct


@ct.kernel
def copy(x, y):
    block = ct.bid(0)
    ct.store(y, index=(%s,), tile=ct.load(x, index=(block,), shape=(16,)))
"""
RIGHT, RACY = KERNEL % "block", KERNEL % "block // 2"
CONTEXT = {
    "sizes": {"n": {"min": 1, "max": 1000}}, "grid": ["cdiv(n, 16)"], "samples": 2,
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n"]},
                  {"name": "y", "dtype": "float32", "shape": ["n"], "output": True}],
    "reference": "plain.py:copied",
}


def root_of(repository, path):
    """The folder that a harness's file is in: a checkout, or where packages are; None without one."""
    if HARNESSES:
        root = pathlib.Path(HARNESSES) / repository
        if not (root / path).is_file():
            raise AssertionError("%s has no %s" % (repository, path))
        return root
    return next((pathlib.Path(root) for root in sys.path if (pathlib.Path(root) / path).is_file()), None)


def real(repository, path, *folders):
    """A module of a harness; None without it."""
    root = root_of(repository, path)
    if root is None:
        return None
    for folder in folders:
        sys.path.insert(0, str(root / folder))
    spec = importlib.util.spec_from_file_location("real_" + pathlib.Path(path).stem, root / path)
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except ModuleNotFoundError as error:
        raise unittest.SkipTest("this Python lacks %s" % error.name) from error
    return module


class Adapted(Case):
    def setUp(self):
        super().setUp()
        (self.folder / "plain.py").write_text("def copied(x, y):\n    return x\n")
        self.context = str(self.folder / "context.json")
        (self.folder / "context.json").write_text(json.dumps(CONTEXT))

    def test_table(self):
        """Each row of the table is there, and in the page."""
        page = (ROOT / "docs" / "adapters.md").read_text()
        for harness, name, _ in adapters.ADAPTERS:
            self.assertIn("`%s`" % name, page, harness)
            if " " not in name:
                module, _, function = name.partition(".")
                self.assertTrue(callable(getattr(importlib.import_module("tilerace.adapters." + module), function)))

    def test_code_of(self):
        for text, code in (("x = 1\n", "x = 1\n"), ("So:\n```python\nx = 1\n```\n", "x = 1\n"),
                           ("```\na\n```\nno, rather\n```py\nb\n```", "b\n"),
                           ([{"role": "assistant", "content": "```python\nc\n```"}], "c\n"), ([], ""),
                           ("```python\nunfinished", "```python\nunfinished")):
            self.assertEqual(adapters.code_of(text), code)

    # ---- KernelBench ----

    def test_kernelbench(self):
        module = real("KernelBench", "src/kernelbench/kernel_static_checker.py")
        check = kernelbench.check(self.context)
        if module is None:
            def validate(code):
                has_issue, message = check(code)
                return not has_issue, [message] if has_issue else [], []
        else:
            module.CHECK_FUNCTIONS["tilerace"] = check
            def validate(code):
                return module.validate_kernel_static(code, backend="cutile", forbidden=["tilerace"], warnings=[])
        self.assertEqual(validate(RIGHT), (True, [], []))
        valid, errors, warnings = validate(RACY)
        self.assertEqual((valid, len(errors), warnings), (False, 1, []))
        self.assertIn("different tile blocks write the same elements of 'y'", errors[0])

    # ---- flashinfer-bench ----

    def test_flashinfer_bench(self):
        def solution(code):
            path = self.folder / "solution.json"
            path.write_text(json.dumps({
                "name": "s", "definition": "copy", "author": "a", "sources": [{"path": "main.py", "content": code}],
                "spec": {"language": "python", "target_hardware": ["cpu"], "entry_point": "main.py::run"}}))
            return str(path)
        run = flashinfer_bench.flashinfer_bench_run_tilerace
        self.assertTrue(run(solution(RIGHT), self.context).startswith("passed (score 1.000)"))
        self.assertTrue(run(solution(RACY), self.context).startswith("race (score 0."))
        # At one size of one tile block, it is right.
        workload = self.folder / "workload.json"
        workload.write_text(json.dumps({"axes": {"n": 16}, "inputs": {}, "uuid": "u"}))
        self.assertTrue(run(solution(RACY), self.context, workload=str(workload)).startswith("passed"))
        for wrong in (run("missing.json", self.context), run(solution(RIGHT), "missing.json"),
                      run(self.context, self.context)):
            self.assertTrue(wrong.startswith("ERROR: "), wrong)
        module = real("flashinfer-bench", "flashinfer_bench/agents/schema.py")
        if module is None:
            self.assertEqual([name for name, of in inspect.signature(run).parameters.items()
                              if of.default is inspect.Parameter.empty], ["solution", "context"])
            return
        schema = module.function_to_schema(run)
        self.assertEqual(schema["parameters"]["required"], ["solution", "context"])
        self.assertEqual(schema["parameters"]["properties"]["max_feedback"]["type"], "integer")
        for name, of in schema["parameters"]["properties"].items():
            self.assertTrue(of.get("description"), name)
        # Without what the package itself imports, which wants a GPU's libraries.
        package = types.ModuleType("flashinfer_bench")
        root = root_of("flashinfer-bench", "flashinfer_bench/agents/schema.py")
        package.__path__ = [str(root / "flashinfer_bench")]
        data = types.ModuleType("flashinfer_bench.data")
        data.__path__ = [package.__path__[0] + "/data"]
        with mock.patch.dict(sys.modules, {"flashinfer_bench": package, "flashinfer_bench.data": data}):
            solutions = importlib.import_module("flashinfer_bench.data.solution")
        of = solutions.Solution.model_validate_json(pathlib.Path(solution(RACY)).read_text())
        self.assertTrue(run(of, self.context).startswith("race (score 0."))

    # ---- MultiKernelBench ----

    def test_multikernelbench(self):
        module = real("MultiKernelBench", "backends/backend_registry.py")

        class Stated:
            def detect_cheating(self, generated_code):
                return False, None

        class Backend(module.Backend if module else Stated):
            def compile(self, generated_code, op):
                return True, None

        backend = multikernelbench.guard(Backend(), {"copy": self.context})

        def evaluate(code, op):  # as eval_single does, and attach_cheating_result
            backend.compile(code, op)
            return backend.detect_cheating(code)
        self.assertEqual(evaluate(RIGHT, "copy"), (False, None))
        self.assertEqual(evaluate(RACY, "another"), (False, None))
        is_cheating, info = evaluate(RACY, "copy")
        self.assertTrue(is_cheating)
        self.assertIn("race", info)

    # ---- cuTileForge ----

    def test_cutileforge(self):
        module = real("cuTileForge", "rl/reward.py", "rl", "verify")
        stages = {"purity": 0.0, "exec": 0.2, "pass": 1.0}
        otherwise = module.reward_for if module else lambda rec: stages[rec["stage"]]
        def judged(code):
            record = {"key": 1, "passed": False, "stage": "", "error": ""}
            if not cutileforge.stage(record, code, self.context):
                return record
            return {**record, "passed": True, "stage": "pass"}
        reward = lambda record: cutileforge.reward_for(record, otherwise)
        racy, right = judged(RACY), judged(RIGHT)
        self.assertEqual(racy["stage"], "tilerace")
        self.assertTrue(racy["error"].startswith("race: "), racy["error"])
        rewards = [reward({"stage": "purity", "passed": False}), reward({"stage": "exec", "passed": False}),
                   reward(racy), reward(right)]
        self.assertEqual(rewards, sorted(rewards))
        if module:  # the least of what ran with wrong values
            self.assertLessEqual(cutileforge.MOST, module.RAN_BUT_WRONG_FLOOR)
            self.assertGreaterEqual(cutileforge.LEAST, module.STAGE_REWARD["exec"])

    # ---- Rewards ----

    def test_trl(self):
        completions = ["```python\n%s```" % RIGHT, [{"role": "assistant", "content": "```python\n%s```" % RACY}], RIGHT]
        contexts = [self.context, self.context, None]
        function = trl.reward()
        self.assertTrue(function.__name__)  # by which trl names it
        scores = function(prompts=["p"] * 3, completions=completions, completion_ids=[[1]] * 3, context=contexts,
                          trainer_state=None, log_extra=None, log_metric=None)
        self.assertEqual((scores[0], scores[2]), (1, None))
        self.assertLess(scores[1], 1)
        self.assertEqual(trl.reward(context=self.context)(completions=[RIGHT]), [1])
        try:
            import torch
            from accelerate import PartialState
            from trl import GRPOTrainer
        except ImportError:
            return
        PartialState(cpu=True)
        state = types.SimpleNamespace(
            accelerator=types.SimpleNamespace(device="cpu"), reward_funcs=[function],
            reward_processing_classes=[None], reward_func_names=["tilerace"], state=None, environments=None,
            _log_completion_extra=None, _log_metric=None, args=types.SimpleNamespace(report_to=[]))
        state.accelerator.gather = lambda x: x
        inputs = [{"prompt": "p", "context": of} for of in contexts]
        with mock.patch("trl.trainer.grpo_trainer.gather", lambda x: x), \
                mock.patch("trl.trainer.grpo_trainer.profiling_context", mock.MagicMock()):
            rewards = inspect.unwrap(GRPOTrainer._calculate_rewards)(
                state, inputs, ["p"] * 3, completions, [[1]] * 3)
        self.assertEqual(rewards[0, 0], 1)
        self.assertTrue(torch.isnan(rewards[2, 0]))

    def test_verl(self):
        def score(code):
            return verl.compute_score(data_source="d", solution_str=code, ground_truth=self.context,
                                      extra_info={"num_turns": None, "rollout_reward_scores": {}},
                                      reward_router_address=None)
        right, racy = score("```python\n%s```" % RIGHT), score(RACY)
        self.assertEqual((right["score"], right["passed"], right["class"]), (1, True, "passed"))
        self.assertEqual((racy["passed"], racy["class"]), (False, "race"))
        self.assertEqual(set(right), set(racy))
        # Without a file: the context as JSON, as a column of a data set holds it.
        of = {**CONTEXT, "reference": str(self.folder / "plain.py") + ":copied"}
        self.assertEqual(verl.compute_score("d", RIGHT, json.dumps(of))["score"], 1)
        module = real("verl", "verl/utils/import_utils.py")
        if module is not None:
            for path in ("pkg://tilerace.adapters.verl", verl.__file__):
                function = module.load_extern_object(path, "compute_score")
                self.assertEqual(function(data_source="d", solution_str=RIGHT, ground_truth=self.context,
                                          extra_info={})["score"], 1)


if __name__ == "__main__":
    main()

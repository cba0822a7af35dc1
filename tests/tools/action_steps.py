"""Runs the steps of action.yml in their order, as GitHub's runner does, in a folder of its own.

A module of the tests: nothing is sent anywhere. A step that uses another action is not run; what it
would have been given is kept.
"""

import os
import pathlib
import re
import subprocess

import yaml

ROOT = pathlib.Path(__file__).resolve().parents[2]
ACTION = ROOT / "action.yml"
EXPRESSION = re.compile(r"\$\{\{(.*?)\}\}")


class Run:
    """`used`: what steps that use other actions were given, by the action's name."""

    def __init__(self, workspace, temporary, inputs, environment, action=ACTION):
        self.action = yaml.safe_load(action.read_text(encoding="utf-8"))
        self.workspace, self.temporary = workspace, temporary
        unknown = set(inputs) - set(self.action["inputs"])
        assert not unknown, unknown
        self.inputs = {
            name: inputs.get(name, about.get("default", "")) for name, about in self.action["inputs"].items()
        }
        self.outputs, self.used, self.said, self.failed = {}, {}, "", False
        self.files = {
            name: temporary / name.lower()
            for name in ("GITHUB_OUTPUT", "GITHUB_STEP_SUMMARY", "GITHUB_PATH", "GITHUB_ENV")
        }
        self.environment = {
            **environment,
            "CI": "true", "GITHUB_ACTIONS": "true", "RUNNER_OS": environment.get("RUNNER_OS", "Linux"),
            "RUNNER_TEMP": str(temporary), "GITHUB_WORKSPACE": str(workspace),
            "GITHUB_ACTION_PATH": str(action.parent),
        }  # fmt: skip

    def value(self, expression):
        names = {
            r"inputs\.([\w-]+)": lambda m: repr(self.inputs[m[1]]),
            r"steps\.(\w+)\.outputs\.([\w-]+)": lambda m: repr(self.outputs.get(m[1], {}).get(m[2], "")),
        }
        for pattern, replace in names.items():
            expression = re.sub(pattern, replace, expression)
        expression = re.sub(r"!(?!=)", " not ", expression.replace("&&", " and ").replace("||", " or "))
        return eval(expression.strip(), {"cancelled": lambda: False, "always": lambda: True})  # noqa: S307

    def text(self, template):
        return EXPRESSION.sub(lambda m: str(self.value(m[1])), str(template))

    def is_due(self, step):
        condition = step.get("if", "success()")
        match = EXPRESSION.fullmatch(condition)
        condition = match[1] if match else condition
        if "cancelled()" not in condition and "always()" not in condition and self.failed:
            return False
        return condition == "success()" or bool(self.value(condition))

    def run_step(self, step):
        for path in self.files.values():
            path.write_text("")
        paths = self.environment.get("PATH", "")
        script = self.temporary / "script.sh"
        script.write_text(self.text(step["run"]), encoding="utf-8")
        environment = {
            **self.environment,
            **{name: str(path) for name, path in self.files.items()},
            **{name: self.text(value) for name, value in step.get("env", {}).items()},
        }
        assert step["shell"] == "bash"
        done = subprocess.run(
            ["bash", "--noprofile", "--norc", "-eo", "pipefail", str(script)],
            cwd=self.workspace, env=environment, capture_output=True, text=True, check=False, timeout=600,
        )  # fmt: skip
        self.said += done.stdout + done.stderr
        added = self.files["GITHUB_PATH"].read_text().split("\n")[:-1]
        self.environment["PATH"] = os.pathsep.join([*reversed(added), paths])
        lines = self.files["GITHUB_OUTPUT"].read_text().splitlines()
        self.outputs[step.get("id", step["name"])] = dict(line.split("=", 1) for line in lines)
        self.summary += self.files["GITHUB_STEP_SUMMARY"].read_text()
        return done.returncode

    def run(self):
        """The exit code of the first step that failed; 0: none."""
        self.summary, code = "", 0
        for step in self.action["runs"]["steps"]:
            if not self.is_due(step):
                continue
            if "uses" in step:
                given = {name: self.text(value) for name, value in step["with"].items()}
                self.used[step["uses"].split("@")[0]] = given
                continue
            own = self.run_step(step)
            code = code or own
            self.failed = self.failed or own != 0
        return code

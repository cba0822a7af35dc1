"""Checks that a verdict asks for nothing that it does not need.

    minimal.py TILERACE FILE...

Of each launch or race precondition of a proved or conditional kernel: a contract that states all
the others, and not this one, leaves the checker something to ask, to report or to leave open. One
without which the kernel is proved all the same is needless. A race precondition that compares two
terms is asked for exactly: the launches that miss it by one race too, which the checker shows with
a replayed example. Exit code 1 where that is not so, or where a contract that the checker wrote
cannot be read back.
"""

import json
import re
import subprocess
import sys
import tempfile

DECIDED = ("race-free", "conditional")
STEPS = {"<=": "{} == {} + 1", "<": "{} == {}", ">=": "{} == {} - 1", ">": "{} == {}"}


def check(program, path, *options):
    """The kernels of the file by name, and what was said on the way."""
    command = [program, "check", "--format", "json", *options, path]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        inputs = json.loads(run.stdout)["inputs"]
    except ValueError:
        return {}, run.stdout + run.stderr
    return {k["kernel"]: k for i in inputs for k in i["kernels"]}, run.stderr


def merged(kernel, fragments):
    """One launch of several fragments of a contract."""
    launch, arguments, axes = {"kernel": kernel.split("(")[0]}, {}, ["grid.x", "grid.y", "grid.z"]
    for fragment in fragments:
        for argument in fragment.get("args", []):
            arguments.setdefault(argument["name"], {}).update(argument)
        for key in ("assume", "contents"):
            if key in fragment:
                launch.setdefault(key, []).extend(fragment[key])
        for axis, extent in enumerate(fragment.get("grid", [])):
            if extent != f"grid.{'xyz'[axis]}":
                axes[axis] = extent
                launch["grid"] = axes
    if arguments:
        launch["args"] = list(arguments.values())
    return launch


def asked_of(kernel):
    return [r for r in kernel["requires"] if r["class"] != "standing"]


def one_step_past(term):
    """The launches that just miss a comparison; None: it is none, or one of elements."""
    sides = re.split(r" (<=|<|>=|>) ", term or "")
    if len(sides) != 3 or re.search(r"&&|\|\||\bvalue\b", term):
        return None
    return STEPS[sides[1]].format(f"({sides[0]})", f"({sides[2]})")


def under(program, path, name, fragments, assumed=None):
    """The kernel under a contract of those fragments; None and why: it cannot be read back."""
    launch = merged(name, fragments)
    if assumed:
        launch.setdefault("assume", []).append(assumed)
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        json.dump({"version": 1, "launches": [launch]}, file)
        file.flush()
        again, why = check(program, path, "--launch", file.name)
    return again.get(name), why.strip()[:160]


def look_at(program, path, name, kernel, problems):
    """Leaves out one precondition after the other; how many there were."""
    spoken = [r for r in kernel["requires"] if r.get("contract")]
    tried = 0
    for left_out in spoken:
        if left_out["class"] == "standing":
            continue
        others = [r["contract"] for r in spoken if r is not left_out]
        tried += 1
        now, why = under(program, path, name, others)
        if not now:
            problems.append(f"{path}: {name}: a contract is not read back: {why}")
            continue
        if now["verdict"] == "race-free" and not asked_of(now) and not now["findings"]:
            problems.append(f"{path}: {name}: needless: {left_out['class']}: {left_out['text']}")
        missed = one_step_past(left_out["term"]) if left_out["class"] == "race" else None
        if not missed:
            continue
        now, why = under(program, path, name, others, missed)
        if not now or now["verdict"] not in ("race", "conditional"):
            verdict = now["verdict"] if now else f"not read back: {why}"
            problems.append(f"{path}: {name}: {left_out['text']}: one step past: {verdict}")
    return tried


def main():
    program, problems, tried = sys.argv[1], [], 0
    for path in sys.argv[2:]:
        kernels, why = check(program, path)
        if not kernels:
            problems.append(f"{path}: no report: {why.strip()[:160]}")
        for name, kernel in kernels.items():
            if kernel["verdict"] in DECIDED:
                tried += look_at(program, path, name, kernel, problems)
    for problem in problems:
        print(problem)
    print(f"{tried} preconditions left out, {len(problems)} problems")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())

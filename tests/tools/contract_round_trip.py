"""Checks that a contract which `tilerace contract` writes is all that `check --strict` asks for.

    contract_round_trip.py TILERACE [--bare] FILE...

FILE is a dialect source or a Tile IR module; a launch contract beside a module counts, unless
--bare: then the module is checked without any. For every kernel that is race-free or conditional the contract is
written, and with it the kernel must be race-free again, under --strict, with nothing required
that is not in it. Requires that a contract cannot say are named by `contract` itself ("requires
what a contract cannot say"): such kernels are left out and counted, and a quarter may have one.
Exit code 0: so it is, 1: not.
"""

import json
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

OWN = re.compile(r"bid\.|loop@|e\d+@")  # what a block has of its own: a launch knows nothing of it
PROVED = ("race-free", "conditional")
CANNOT_SAY = re.compile(r"'([^']+)' requires what a contract cannot say")
RACY = 1  # exit code of `contract`, which is written all the same


def check(program, path, *options):
    command = [program, "check", "--format", "json", *options, str(path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    report = json.loads(run.stdout)["inputs"][0]
    if report["status"] != "checked":
        raise ValueError(f"{path}: {report['error']}")
    return {kernel["kernel"]: kernel for kernel in report["kernels"]}


def differences(before, after, unsayable):
    for name, kernel in before.items():
        if kernel["verdict"] not in PROVED or name in unsayable:
            continue
        again = after[name]
        for require in kernel["requires"]:
            if require["contract"] and OWN.search(json.dumps(require["contract"])):
                yield f"{name}: a contract cannot name what a block has: {require['contract']}"
        if again["verdict"] != "race-free":
            reason = again.get("reason", {}).get("text", "")
            yield f"{name}: {again['verdict']} with its own contract: {reason}"
        asked = [r["text"] for r in again["requires"]]
        if asked:
            yield f"{name}: asks for more than it wrote: {'; '.join(asked)}"
        known = {finding["rule"] for finding in kernel["findings"]}
        for finding in again["findings"]:
            if finding["level"] == "error" and finding["rule"] not in known:
                yield f"{name}: {finding['rule']} with its own contract: {finding['message']}"


def round_trip(program, path, folder):
    """What is wrong, how many kernels were proved, and of how many a require has no words."""
    before = check(program, path)
    proved = {name for name, kernel in before.items() if kernel["verdict"] in PROVED}
    if not proved:
        return [], 0, 0
    contract = folder / "written.launch.json"
    run = subprocess.run(
        [program, "contract", str(path), "-o", str(contract)],
        capture_output=True,
        text=True,
        check=False,
    )
    unsayable = proved & set(CANNOT_SAY.findall(run.stderr))
    if run.returncode not in (0, RACY):
        return [f"no contract: {run.stderr.strip()}"], len(proved), len(unsayable)
    after = check(program, path, "--strict", "--launch", str(contract))
    return list(differences(before, after, unsayable)), len(proved), len(unsayable)


def main():
    program, *names = sys.argv[1:]
    bare = names[:1] == ["--bare"]
    wrong = tried = kernels = unsayable = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names[1:] if bare else names:
            tried += 1
            path = pathlib.Path(name)
            if bare:
                path = pathlib.Path(shutil.copy(path, folder))
            try:
                complaints, proved, silent = round_trip(program, path, pathlib.Path(folder))
            except ValueError as error:
                complaints, proved, silent = [str(error)], 0, 0
            kernels += proved
            unsayable += silent
            for complaint in complaints:
                print(f"{name}: {complaint}")
            wrong += bool(complaints)
    print(f"{tried} files, {kernels} kernels, {unsayable} with a require that a contract cannot "
          f"say, {wrong} files wrong")
    return 1 if wrong or 4 * unsayable > kernels else 0


if __name__ == "__main__":
    sys.exit(main())

"""Times of `tilerace check` against `tileiras` assembling the same module.

    modules.py TILERACE TILEIRAS RESULT.json [--repeat N] [--slow N] FILE|FOLDER...

Each module is checked and assembled in turn, so that what slows the machine down hits both: the
ratio of the medians of N runs (default 3), the median of these ratios over all modules, and the sum
of the check times by the sum of the others. Modules that `tileiras` refuses are counted and left
out. A folder stands for all *.tilebc in it; a module has its launch contract beside it, if any.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 300
GOAL_MEDIAN, GOAL_SUM = 0.10, 0.05


def timed(command):
    """Milliseconds, exit code and output; None where it takes too long."""
    start = time.perf_counter()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return None, None, b""
    return (time.perf_counter() - start) * 1000, done.returncode, done.stdout


def verdicts_of(output):
    try:
        entry = json.loads(output)["inputs"][0]
        return sorted({kernel["verdict"] for kernel in entry["kernels"]}) or ["error"]
    except (ValueError, KeyError, IndexError):
        return ["error"]


def measure(options, module, folder):
    assemble = [options.tileiras, f"--gpu-name={options.gpu_name}", module, "-o", f"{folder}/out"]
    check = [options.tilerace, "check", "--format", "json", module]
    pairs, output = [], b""
    for _ in range(options.repeat):
        by_tileiras, code, _ = timed(assemble)
        if code != 0:
            return None
        by_check, _, output = timed(check)
        if by_check is None:
            by_check = LIMIT_SECONDS * 1000
        pairs.append((by_tileiras, by_check))
    tileiras_ms = statistics.median(pair[0] for pair in pairs)
    check_ms = statistics.median(pair[1] for pair in pairs)
    return {
        "module": module,
        "tileiras_ms": round(tileiras_ms, 1),
        "check_ms": round(check_ms, 1),
        "ratio": round(check_ms / tileiras_ms, 4),
        "verdicts": verdicts_of(output),
    }


def summary_of(rows, refused):
    ratios = sorted(row["ratio"] for row in rows)
    return {
        "modules": len(rows),
        "refused_by_tileiras": refused,
        "median_ratio": round(statistics.median(ratios), 4),
        "sum_ratio": round(
            sum(row["check_ms"] for row in rows) / sum(row["tileiras_ms"] for row in rows), 4),
        "worst_ratio": ratios[-1],
        "share_within_goal": round(sum(r <= GOAL_MEDIAN for r in ratios) / len(ratios), 3),
    }


def files_of(words):
    for word in words:
        path = pathlib.Path(word)
        yield from sorted(map(str, path.rglob("*.tilebc"))) if path.is_dir() else [word]


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tilerace", type=os.path.abspath)
    parser.add_argument("tileiras")
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--slow", type=int, default=10, help="how many of the slowest to print")
    parser.add_argument("--gpu-name", default="sm_90")
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()
    rows, refused = [], 0
    with tempfile.TemporaryDirectory() as folder:
        for module in files_of(options.modules):
            row = measure(options, module, folder)
            if row:
                rows.append(row)
            else:
                refused += 1
    if not rows:
        print("no module to measure")
        return 1
    summary = summary_of(rows, refused)
    print(f"{'module':60} {'tileiras ms':>11} {'check ms':>9} {'ratio':>6}  verdict")
    for row in sorted(rows, key=lambda r: r["check_ms"] - GOAL_SUM * r["tileiras_ms"],
                      reverse=True)[: options.slow]:
        print(f"{row['module'][-60:]:60} {row['tileiras_ms']:11.1f} {row['check_ms']:9.1f} "
              f"{row['ratio']:6.2f}  {', '.join(row['verdicts'])}")
    print(f"{summary['modules']} modules ({refused} that tileiras refuses): median ratio "
          f"{summary['median_ratio']} (goal {GOAL_MEDIAN}), ratio of the sums "
          f"{summary['sum_ratio']} (goal {GOAL_SUM}), worst {summary['worst_ratio']}")
    options.result.write_text(json.dumps({"modules": rows, **summary}, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

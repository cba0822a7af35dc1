"""Times of `tilerace check` against `tileiras` assembling the same module.

    modules.py TILERACE TILEIRAS RESULT.json [--repeat N] [--slow N] FILE|FOLDER...

Each module is checked and assembled in turn, so that what slows the machine down hits both: the
ratio of the medians of N runs (default 3), the median of these ratios over all modules, and the sum
of the check times by the sum of the others; by the clock, and of processor time, which says more
where the machine has other work. Modules that `tileiras` refuses are counted and left
out. A folder stands for all *.tilebc in it; a module has its launch contract beside it, if any.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

LIMIT_SECONDS = 300
GOAL_MEDIAN, GOAL_SUM = 0.10, 0.05


def processor_ms():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return (used.ru_utime + used.ru_stime) * 1000


def timed(command):
    """Milliseconds by the clock and of processor time, exit code, output; None where it takes too
    long."""
    start, before = time.perf_counter(), processor_ms()
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              check=False, timeout=LIMIT_SECONDS)
    except subprocess.TimeoutExpired:
        return (LIMIT_SECONDS * 1000, LIMIT_SECONDS * 1000), None, b""
    times = (time.perf_counter() - start) * 1000, processor_ms() - before
    return times, done.returncode, done.stdout


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
        pairs.append(by_tileiras + by_check)
    tileiras_ms, tileiras_cpu_ms, check_ms, check_cpu_ms = map(statistics.median, zip(*pairs))
    return {
        "module": module,
        "tileiras_ms": round(tileiras_ms, 1),
        "check_ms": round(check_ms, 1),
        "ratio": round(check_ms / tileiras_ms, 4),
        "tileiras_cpu_ms": round(tileiras_cpu_ms, 1),
        "check_cpu_ms": round(check_cpu_ms, 1),
        "cpu_ratio": round(check_cpu_ms / tileiras_cpu_ms, 4),
        "verdicts": verdicts_of(output),
    }


def summary_of(rows, kind):
    """Of the times by the clock (kind "") or of the processor ("cpu_")."""
    ratios = sorted(row[kind + "ratio"] for row in rows)
    check, tileiras = (sum(row[f"{who}_{kind}ms"] for row in rows) for who in ("check", "tileiras"))
    return {
        "median_ratio": round(statistics.median(ratios), 4),
        "sum_ratio": round(check / tileiras, 4),
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
    parser.add_argument("--seconds", type=float, default=float("inf"),
                        help="begin no module after this time")
    parser.add_argument("modules", nargs="+")
    options = parser.parse_args()
    rows, refused = [], 0
    with tempfile.TemporaryDirectory() as folder:
        start = time.monotonic()
        for module in files_of(options.modules):
            if time.monotonic() - start > options.seconds:
                break
            row = measure(options, module, folder)
            if row:
                rows.append(row)
            else:
                refused += 1
    if not rows:
        print("no module to measure")
        return 1
    print(f"{'module':56} {'tileiras ms':>11} {'check ms':>9} {'ratio':>6} {'of cpu':>6}  verdict")
    for row in sorted(rows, key=lambda r: r["check_cpu_ms"] - GOAL_SUM * r["tileiras_cpu_ms"],
                      reverse=True)[: options.slow]:
        print(f"{row['module'][-56:]:56} {row['tileiras_ms']:11.1f} {row['check_ms']:9.1f} "
              f"{row['ratio']:6.2f} {row['cpu_ratio']:6.2f}  {', '.join(row['verdicts'])}")
    print(f"{len(rows)} modules ({refused} more that tileiras refuses); goals: median ratio "
          f"{GOAL_MEDIAN}, ratio of the sums {GOAL_SUM}")
    result = {"modules": rows, "refused_by_tileiras": refused}
    for name, kind in (("clock", ""), ("processor", "cpu_")):
        result[name] = summary = summary_of(rows, kind)
        print(f"{name:9}: median ratio {summary['median_ratio']}, of the sums "
              f"{summary['sum_ratio']}, worst {summary['worst_ratio']}")
    options.result.write_text(json.dumps(result, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

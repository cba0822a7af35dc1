"""Times of `tilerace check`, as two tables and a JSON file.

    bench.py TILERACE FOLDER [KERNEL...]

Kernels against `clang-19 -fsyntax-only` of the same file, the two run in turn; then check times as
the grid grows and as one kernel grows, on sources written into FOLDER. FOLDER/bench.json has all.
"""

import json
import math
import os
import pathlib
import statistics
import subprocess
import sys
import time

INCLUDE = pathlib.Path(__file__).resolve().parent.parent.parent / "include"
REPETITIONS = 7
BUDGET_SECONDS = 120


def timed(command):
    start = time.perf_counter()
    done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, check=False,
                          timeout=BUDGET_SECONDS * 2)
    return (time.perf_counter() - start) * 1000, done.stdout


def verdict_of(output):
    try:
        entry = json.loads(output)["inputs"][0]
        return entry["kernels"][0]["verdict"] if entry["kernels"] else "error"
    except (ValueError, KeyError, IndexError):
        return "error"


def check_command(program, path):
    return [program, "check", "--format", "json", str(path)]


def kernel_table(program, kernels):
    rows = []
    print(f"{'kernel':32} {'clang ms':>9} {'check ms':>9} {'ratio':>6}  verdict")
    for path in kernels:
        clang = ["clang-19", "-std=c23", "-fsyntax-only", "-I", str(INCLUDE), path]
        pairs = []
        for _ in range(REPETITIONS):
            by_clang, _ = timed(clang)
            by_check, output = timed(check_command(program, path))
            pairs.append((by_clang, by_check))
        # The ratio of each pair, then their median: what slows the machine down hits both.
        row = {
            "kernel": path,
            "clang_ms": round(statistics.median(pair[0] for pair in pairs), 2),
            "check_ms": round(statistics.median(pair[1] for pair in pairs), 2),
            "ratio": round(statistics.median(pair[1] / pair[0] for pair in pairs), 3),
            "verdict": verdict_of(output),
        }
        rows.append(row)
        print(f"{pathlib.Path(path).stem:32} {row['clang_ms']:9.1f} {row['check_ms']:9.1f} "
              f"{row['ratio']:6.2f}  {row['verdict']}")
    ratios = [row["ratio"] for row in rows]
    summary = {"median_ratio": None, "worst_ratio": None}
    if ratios:
        summary = {"median_ratio": round(statistics.median(ratios), 3), "worst_ratio": max(ratios)}
        print(f"median ratio {summary['median_ratio']}, worst {summary['worst_ratio']}")
    return rows, summary


def grid_source(x, y):
    return f"""#include <tile.h>

tile_kernel void k(const float *src, float *dst)
{{
    tile_grid({x}, {y});
    tile_view in = tile_partition(tile_tensor(src, {x} * 16, {y} * 16), 16, 16);
    tile_view out = tile_partition(tile_tensor(dst, {y} * 16, {x} * 16), 16, 16);
    tile t = tile_load(in, tile_bid(0), tile_bid(1));
    tile_store(out, tile_permute(t, 1, 0), tile_bid(1), tile_bid(0));
}}
"""


def access_source(n):
    lines = []
    for i in range(n // 2):
        lines.append(f"    tile_store(out, tile_load(in, b, {i}), b, {i});")
    return f"""#include <tile.h>

tile_kernel void k(const float *src, float *dst, int rows)
{{
    tile_grid(rows);
    tile_assume(0 < rows && rows <= 1 << 16);
    tile_view in = tile_partition(tile_tensor(src, rows, {n // 2} * 8), 1, 8);
    tile_view out = tile_partition(tile_tensor(dst, rows, {n // 2} * 8), 1, 8);
    int b = tile_bid(0);
{chr(10).join(lines)}
}}
"""


def growth_table(program, folder, title, sources):
    rows = []
    print(f"{title:>24} {'check ms':>9}  verdict")
    for size, source in sources:
        path = folder / f"{title.replace(' ', '_')}_{size}.c"
        path.write_text(source)
        runs = [timed(check_command(program, path)) for _ in range(3)]
        row = {
            "size": size,
            "check_ms": round(statistics.median(run[0] for run in runs), 2),
            "verdict": verdict_of(runs[-1][1]),
        }
        rows.append(row)
        print(f"{size:24} {row['check_ms']:9.1f}  {row['verdict']}")
    first, last = rows[0], rows[-1]
    steps = math.log(last["size"] / first["size"])
    exponent = math.log(max(last["check_ms"], 0.01) / max(first["check_ms"], 0.01)) / steps
    # Fixed costs hide growth at the small end: the last decade speaks for itself.
    before = rows[-2]
    last_step = math.log(last["check_ms"] / before["check_ms"]) / math.log(last["size"] / before["size"])
    print(f"time grows as size^{exponent:.2f}, at the end as size^{last_step:.2f}")
    return {"rows": rows, "exponent": round(exponent, 3), "last_exponent": round(last_step, 3)}


def main():
    program, folder = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2])
    kernels = sys.argv[3:]
    folder.mkdir(parents=True, exist_ok=True)
    rows, summary = kernel_table(program, kernels)
    print()
    grids = [(10 ** n, grid_source(10 ** ((n + 1) // 2), 10 ** (n // 2))) for n in range(2, 10)]
    grid = growth_table(program, folder, "tile blocks", grids)
    print()
    sizes = (10, 30, 100, 300, 1000)
    accesses = growth_table(program, folder, "accesses", [(n, access_source(n)) for n in sizes])
    result = {"kernels": rows, **summary, "grid": grid, "accesses": accesses}
    (folder.parent / "bench.json").write_text(json.dumps(result, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())

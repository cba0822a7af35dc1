"""What the check adds to a compilation, beside the compiler's own time.

    compilers.py BUILD TOOLCHAIN RESULT.json [--every N] [--repeat N] [--nvcc N]

TOOLCHAIN is the environment of ci/build_modules.sh, and its Python runs this file. Each kernel of
kernels/python (or every N-th) is compiled as a program that compiles kernels while it runs does it:
by the front end in this process, which is warm, then by `tileiras`; once with the real assembler and
once with ours in its place: all of them, one after the other, with an empty cache (`first`), then all
of them again (`kept`). --nvcc N takes every N-th source of kernels/cpp through `nvcc --enable-tile`
and `tilerace-nvcc`, too.

The pairs alternate, so that what slows the machine down hits both. Of N repeats the medians count.
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

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "modules"))
import build  # pylint: disable=wrong-import-position

ARCHITECTURE = "sm_90"


def processor():
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


class Clock:
    """Seconds by the clock and of processor time."""

    def __enter__(self):
        self.begun = time.perf_counter(), processor()
        return self

    def __exit__(self, *_):
        self.took = time.perf_counter() - self.begun[0], processor() - self.begun[1]


def run(command, environment):
    with Clock() as clock:
        done = subprocess.run(command, env=environment, stdout=subprocess.DEVNULL,
                              stderr=subprocess.PIPE, check=False)
    if done.returncode != 0:
        sys.exit(f"{command}: {done.stderr.decode()[:500]}")
    return clock.took


def front_end(source, module):
    """Seconds of the front end, from a kernel that was imported to its module."""
    with Clock() as clock:
        build.build_python(source, module)
    return clock.took


class Compilation:
    """One source: `front` seconds of the front end are spent either way."""

    def __init__(self, kind, source, front, plain, ours):
        self.kind, self.source, self.front, self.plain, self.ours = kind, source, front, plain, ours
        self.rows = {name: [] for name in ("alone", "first", "again", "kept")}

    def measure_first(self, cache):
        self.rows["alone"].append(self.plain())
        self.rows["first"].append(self.ours(cache))

    def measure_kept(self, cache):
        self.rows["again"].append(self.plain())
        self.rows["kept"].append(self.ours(cache))

    def entry(self):
        entry = {"kind": self.kind, "source": str(self.source)}
        for name, taken in self.rows.items():
            for i, what in enumerate(("clock", "processor")):
                entry[f"{name} {what}"] = self.front[i] + statistics.median(one[i] for one in taken)
        print(f"{self.source.stem:32} {entry['alone clock']:6.2f} s  first "
              f"{entry['first clock'] / entry['alone clock']:5.2f}  kept "
              f"{entry['kept clock'] / entry['again clock']:5.2f}", flush=True)
        return entry


def python_kernel(options, source, folder):
    module = folder / f"{source.stem}.tilebc"
    fronts = [front_end(source, module) for _ in range(options.repeat + 1)][1:]
    front = [statistics.median(took[i] for took in fronts) for i in range(2)]
    words = [f"--gpu-name={ARCHITECTURE}", module, "-o", folder / "out.cubin"]

    def ours(cache):
        return run([options.build / "assembler" / "tileiras", *words],
                   dict(os.environ, TILERACE_TILEIRAS=str(options.tileiras),
                        TILERACE_CACHE_DIR=cache))

    return Compilation("front end and tileiras", source, front,
                       lambda: run([options.tileiras, *words], os.environ), ours)


def cpp_kernel(options, source, folder):
    words = [options.nvcc_program, "--enable-tile", "-c", f"-arch={ARCHITECTURE}", "-std=c++20",
             source, "-o", folder / "out.o"]

    def ours(cache):
        return run([options.build / "tilerace-nvcc", *words],
                   dict(os.environ, TILERACE_CACHE_DIR=cache))

    return Compilation("nvcc", source, (0, 0), lambda: run(words, os.environ), ours)


def goes_on():
    """Does a check go on that was left to itself?"""
    for name in pathlib.Path("/proc").glob("[0-9]*/comm"):
        try:
            if name.read_text() == "tilerace-late\n":
                return True
        except OSError:
            pass
    return False


def measure(compilations, repeat):
    """As a program that compiles all of them, one after the other; then that program again."""
    for _ in range(repeat):
        with tempfile.TemporaryDirectory() as cache:
            for one in compilations:
                one.measure_first(cache)
            while goes_on():
                time.sleep(0.2)
            for one in compilations:
                one.measure_kept(cache)
    return [one.entry() for one in compilations]


def report(entries):
    for kind in dict.fromkeys(entry["kind"] for entry in entries):
        of_kind = [entry for entry in entries if entry["kind"] == kind]
        for beside, name in (("alone", "first"), ("again", "kept")):
            for what in ("clock", "processor"):
                pairs = [(one[f"{beside} {what}"], one[f"{name} {what}"]) for one in of_kind]
                ratios = sorted(ours / alone for alone, ours in pairs)
                alone, ours = (sum(column) for column in zip(*pairs))
                print(f"{kind}, {name}, {what}: {len(pairs)} compilations, alone {alone:.1f} s, "
                      f"with the check {ours:.1f} s, median of the ratios "
                      f"{statistics.median(ratios):.2f}, ratio of the sums {ours / alone:.2f}, "
                      f"above 1.10: {sum(ratio > 1.10 for ratio in ratios)}")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("toolchain", type=pathlib.Path)
    parser.add_argument("result", type=pathlib.Path)
    parser.add_argument("--every", type=int, default=1)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--nvcc", type=int, default=0)
    options = parser.parse_args()
    options.build = options.build.resolve()
    binaries = next(options.toolchain.glob("lib/python3*/site-packages/nvidia/cu13/bin")).resolve()
    options.tileiras, options.nvcc_program = binaries / "tileiras", binaries / "nvcc"
    compilations = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        for source in sorted(pathlib.Path("kernels/python").glob("*.py"))[::options.every]:
            compilations.append(python_kernel(options, source, folder))
        if options.nvcc:
            for source in sorted(pathlib.Path("kernels/cpp").glob("*.cu"))[::options.nvcc]:
                compilations.append(cpp_kernel(options, source, folder))
        entries = measure(compilations, options.repeat)
    options.result.write_text(json.dumps(entries, indent=1), encoding="utf-8")
    report(entries)


if __name__ == "__main__":
    main()

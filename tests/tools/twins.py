"""Checks that every kernel has at least two racy twins: build/fixtures/races/KERNEL_MISTAKE.c."""

import pathlib
import sys


def main():
    kernels = sorted(path.stem for path in pathlib.Path("kernels").glob("*.c"))
    fixtures = sorted(path.stem for path in pathlib.Path("build/fixtures/races").glob("*.c"))
    wrong = 0
    for fixture in fixtures:
        if not any(fixture.startswith(kernel + "_") for kernel in kernels):
            print(f"fixtures/races/{fixture} is the twin of no kernel")
            wrong += 1
    for kernel in kernels:
        # A longer kernel name that starts with this one has its own twins.
        longer = [other for other in kernels if other.startswith(kernel + "_")]
        twins = [
            fixture
            for fixture in fixtures
            if fixture.startswith(kernel + "_")
            and not any(fixture.startswith(other + "_") for other in longer)
        ]
        if len(twins) < 2:
            print(f"kernels/{kernel}.c has {len(twins)} twins, needs 2")
            wrong += 1
    print(f"{len(kernels)} kernels, {len(fixtures)} twins")
    return 1 if wrong or not kernels else 0


if __name__ == "__main__":
    sys.exit(main())

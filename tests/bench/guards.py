"""Times launches held against their proof, through the shared library by ctypes.

    guards.py LIBTILERACE SOURCE...

One row a kernel: its preconditions; microseconds a launch whose structures are there already, and
of one that is put together from Python numbers, as a recorder does it at each launch. Processor
time, so that what else the machine does makes little difference; the least of some rounds.
"""

import ctypes
import pathlib
import sys
import time
from ctypes import POINTER, byref, c_int64, c_size_t, c_void_p

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "examples"))
import check_launch as api  # noqa: E402

ROUNDS, CALLS = 25, 1000


def launch_of(grid, values, pointer_type):
    arguments = [api.Argument(value, (i + 1) << 40, 1 << 20, True) for i, value in enumerate(values)]
    pointers = pointer_type(*(ctypes.pointer(a) for a in arguments))
    return api.Launch((c_int64 * 3)(*grid), len(values), pointers), arguments


def least(call):
    best = float("inf")
    for _ in range(ROUNDS):
        begun = time.process_time()
        for _ in range(CALLS):
            call()
        best = min(best, time.process_time() - begun)
    return best / CALLS * 1e6


def main():
    library = api.load(sys.argv[1])
    print("| kernel | preconditions | ready, us | put together, us |\n| --- | --- | --- | --- |")
    for path in sys.argv[2:]:
        result = c_void_p(library.tilerace_check_file(path.encode(), None))
        for i in range(library.tilerace_kernel_count(result)):
            kernel = library.tilerace_kernel_at(result, c_size_t(i))
            k = kernel.contents
            values, pointer_type = [64] * k.n_parameters, POINTER(api.Argument) * k.n_parameters
            ready, _kept = launch_of((4, 1, 1), values, pointer_type)
            answer = api.Answer()

            def checked():
                library.tilerace_check_launch(kernel, byref(ready), byref(answer))

            def made():
                launch, _alive = launch_of((4, 1, 1), values, pointer_type)
                library.tilerace_check_launch(kernel, byref(launch), byref(answer))

            print(f"| `{k.name.decode()}` | {k.n_preconditions} | {least(checked):.2f} | {least(made):.2f} |")
        library.tilerace_free(result)


if __name__ == "__main__":
    main()

"""The same as check_launch.c from Python, by ctypes alone: no text is parsed.

    check_launch.py LIBTILERACE KERNEL GRID.X VALUE...
"""

import ctypes
import sys
from ctypes import POINTER, Structure, byref, c_bool, c_char_p, c_int, c_int64, c_size_t, c_uint64
from ctypes import c_void_p

VERDICTS = ("race-free", "conditional", "race", "unknown")
HOLDS = 0


class Precondition(Structure):
    _fields_ = [("kind", c_char_p), ("class_", c_int), ("text", c_char_p)]  # and more behind


class Kernel(Structure):
    _fields_ = [("name", c_char_p), ("verdict", c_int), ("reason_kind", c_char_p),
                ("reason", c_char_p), ("n_parameters", c_size_t), ("n_preconditions", c_size_t),
                ("n_findings", c_size_t), ("parameters", c_void_p),
                ("preconditions", POINTER(POINTER(Precondition)))]


class Argument(Structure):
    _fields_ = [("integer", c_int64), ("address", c_uint64), ("bytes", c_uint64),
                ("bytes_known", c_bool), ("contents", c_void_p), ("contents_bytes", c_uint64)]


class Launch(Structure):
    _fields_ = [("grid", c_int64 * 3), ("n_arguments", c_size_t),
                ("arguments", POINTER(POINTER(Argument))), ("contents", c_void_p),
                ("user", c_void_p)]


class Answer(Structure):
    _fields_ = [("outcome", c_int), ("precondition", c_int), ("arguments", c_size_t * 2),
                ("elements", c_int64 * 2), ("has_arguments", c_bool), ("has_elements", c_bool),
                ("race", c_void_p), ("not_checked", c_size_t)]


def load(path):
    library = ctypes.CDLL(path)
    library.tilerace_check_file.restype = c_void_p
    library.tilerace_error.restype = c_char_p
    library.tilerace_error_count.restype = c_size_t
    library.tilerace_kernel_count.restype = c_size_t
    library.tilerace_kernel_at.restype = POINTER(Kernel)
    library.tilerace_describe.restype = c_size_t
    return library


def main():
    library = load(sys.argv[1])
    result = c_void_p(library.tilerace_check_file(sys.argv[2].encode(), None))
    for i in range(library.tilerace_error_count(result)):
        print(library.tilerace_error(result, c_size_t(i)).decode(), file=sys.stderr)
    if not library.tilerace_kernel_count(result):
        library.tilerace_free(result)
        return 2
    kernel = library.tilerace_kernel_at(result, c_size_t(0))
    print(f"{kernel.contents.name.decode()}: {VERDICTS[kernel.contents.verdict]}")
    for i in range(kernel.contents.n_preconditions):
        print(f"  requires: {kernel.contents.preconditions[i].contents.text.decode()}")

    values = [int(word) for word in sys.argv[4:]]
    arguments = [Argument(value, (i + 1) << 40, max(value, 0), True) for i, value in enumerate(values)]
    pointers = (POINTER(Argument) * len(values))(*(ctypes.pointer(a) for a in arguments))
    launch = Launch((c_int64 * 3)(int(sys.argv[3]), 1, 1), len(values), pointers)
    answer = Answer()
    outcome = library.tilerace_check_launch(kernel, byref(launch), byref(answer))
    words = ctypes.create_string_buffer(1000)
    library.tilerace_describe(kernel, byref(launch), byref(answer), words, c_size_t(len(words)))
    print(words.value.decode())
    library.tilerace_free(result)
    return 0 if outcome == HOLDS else 1


if __name__ == "__main__":
    sys.exit(main())

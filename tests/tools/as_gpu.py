"""A machine with a GPU, as far as a front end sees one: the stand-in driver plays the real one, which
LD_LIBRARY_PATH names, and an assembler of ours NVIDIA's."""
import os

ASSEMBLER = """#!{python}
import os, re, struct, subprocess, sys
if "--version" in sys.argv:
    print("release 13.3, V13.3.1")
    sys.exit()
out = sys.argv[sys.argv.index("-o") + 1]
[module] = [w for w in sys.argv[1:] if w != out and "/" in w and w[0] != "-"
            and open(w, "rb").read(7) == b"\\x7fTileIR"]
text = subprocess.run([{tilerace!r}, "dump", module], capture_output=True, check=True).stdout
names = b"\\0" + b"\\0".join(re.findall(rb"entry @(\\w+)", text)) + b"\\0"
head = struct.pack("<16sHHIQQQIHHHHHH", b"\\x7fELF\\2\\1\\1", 2, 190, 1, 0, 0, 64, 0, 64, 0, 0, 64, 2, 1)
table = struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 192, len(names), 0, 0, 1, 0)
open(out, "wb").write(head + bytes(64) + table + names)
"""
# Host memory as an array of the device, and a context.
ON_DEVICE = """class OnDevice:
    def __init__(self, source):
        self.__cuda_array_interface__ = {**source.__array_interface__, "version": 3}

import ctypes, os
checker = os.environ.pop("TILERACE_CAPTURE", None)  # a real driver does not tell it anything
driver, context = ctypes.CDLL("libcuda.so.1"), ctypes.c_void_p()
if checker:
    os.environ["TILERACE_CAPTURE"] = checker
driver.cuInit(0)
driver.cuDevicePrimaryCtxRetain(ctypes.byref(context), 0)
driver.cuCtxSetCurrent(context)
"""


def environment(folder, python, tilerace, stand_in):
    """Writes the assembler into a folder; what a program needs in its environment."""
    path = os.path.join(folder, "tileiras")
    with open(path, "w") as file:
        file.write(ASSEMBLER.format(python=python, tilerace=str(tilerace)))
    os.chmod(path, 0o755)
    return {"PATH": str(folder) + os.pathsep + os.environ.get("PATH", ""),
            "LD_LIBRARY_PATH": str(stand_in), "CUDA_TILE_CACHE_DIR": "0"}

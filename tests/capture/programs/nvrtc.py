"""Gets Tile IR from NVRTC and launches a kernel of it: nvrtc.py LIBRARY PROGRAM HOW OPEN.

PROGRAM: a .tilebc for a library of ours, or CUDA Tile C++ for NVIDIA's. HOW: `loaded` gives the
driver the Tile IR, `assembled` machine code that names its kernel. OPEN: whether the functions are
asked of the library, or of all that is loaded."""
import ctypes
import os
import struct
import sys

library, source, how, opened = sys.argv[1:]
nvrtc = ctypes.CDLL(library, mode=os.RTLD_GLOBAL if opened == "global" else os.RTLD_LOCAL)
if opened == "global":
    nvrtc = ctypes.CDLL(None)
size = ctypes.c_size_t()
if source.endswith(".cu"):
    include = os.path.join(os.path.dirname(os.path.dirname(library)), "include")
    options = [b"--enable-tile", b"-arch=sm_90", b"-std=c++20", b"-lineinfo",
               b"-I" + include.encode(), b"-I" + os.path.join(include, "cccl").encode()]
    program = ctypes.c_void_p()
    text = open(source, "rb").read()
    assert nvrtc.nvrtcCreateProgram(ctypes.byref(program), text, source.encode(), 0, None, None) == 0
    status = nvrtc.nvrtcCompileProgram(program, len(options),
                                       (ctypes.c_char_p * len(options))(*options))
    nvrtc.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    nvrtc.nvrtcGetProgramLog(program, log)
    assert status == 0, log.value.decode()
else:
    program = ctypes.c_char_p(source.encode())
assert nvrtc.nvrtcGetTileIRSize(program, ctypes.byref(size)) == 0
tile_ir = ctypes.create_string_buffer(size.value)
assert nvrtc.nvrtcGetTileIR(program, tile_ir) == 0

image = tile_ir.raw
if how == "assembled":
    names = b"\0.nv.host\0kernel\0"
    head = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\2\1\1", 2, 190, 1, 0, 0, 64, 0, 64, 0, 0, 64,
                       2, 1)
    image = head + bytes(64) + struct.pack("<IIQQQQIIQQ", 0, 3, 0, 0, 192, len(names), 0, 0, 1, 0)
    image += names

driver = ctypes.CDLL("libcuda.so.1")
handle, kernel, array = ctypes.c_void_p(), ctypes.c_void_p(), ctypes.c_uint64()
assert driver.cuInit(0) == 0
assert driver.cuCtxCreate_v2(ctypes.byref(handle), 0, 0) == 0
assert driver.cuModuleLoadData(ctypes.byref(handle), image) == 0
assert driver.cuModuleGetFunction(ctypes.byref(kernel), handle, b"kernel") == 0
assert driver.cuMemAlloc_v2(ctypes.byref(array), ctypes.c_size_t(4096)) == 0
count = ctypes.c_int64(1024)
arguments = (ctypes.c_void_p * 2)(ctypes.addressof(array), ctypes.addressof(count))
assert driver.cuLaunchKernel(kernel, 4, 1, 1, 1, 1, 1, 0, None, arguments, None) == 0
print("launched")

"""10,000 files in one command (docs/limits.md): time, the most memory that the command itself had, and whether -j1 and
-j2 write the same bytes.

    many_files.py TILERACE [FILES [FORMAT...]]
"""

import os
import pathlib
import re
import subprocess
import sys
import tempfile
import threading
import time

TILERACE = os.path.abspath(sys.argv[1])
N = int(sys.argv[2]) if len(sys.argv) > 2 else 10000
FORMATS = sys.argv[3:] or ["json"]
KERNEL = "#include <tile.h>\ntile_kernel void k%d(float *restrict x) { tile_grid(8); x[tile_bid(0)%s] = 1; }\n"


def peak_of(pid, most):
    """Of the process, not of its workers: as the system tells it, until it is gone."""
    try:
        while True:
            most[0] = max(most[0], int(re.search(r"VmHWM:\s+(\d+)", pathlib.Path(f"/proc/{pid}/status").read_text())[1]))
            time.sleep(0.05)
    except (FileNotFoundError, ProcessLookupError, TypeError):
        pass


with tempfile.TemporaryDirectory() as name:
    folder = pathlib.Path(name)
    for i in range(N):
        (folder / f"k{i:05}.c").write_text(KERNEL % (i, " / 2" if i % 10 == 0 else ""))
    for form in FORMATS:
        reports = []
        for jobs in ("-j2", "-j1"):
            most, out = [0], folder / f"out{jobs}"
            began = time.perf_counter()
            with open(out, "w") as to:
                run = subprocess.Popen([TILERACE, "check", "--no-cache", jobs, "--format", form, "."], cwd=folder, stdout=to)
            watch = threading.Thread(target=peak_of, args=(run.pid, most))
            watch.start()
            code = run.wait()
            watch.join()
            assert code == 1, code
            reports.append(re.sub(r'("time_ms":\s*|time=")[0-9.]+', r"\1", out.read_text()))
            out.unlink()
            print(f"{form} {jobs}: {N} files, {time.perf_counter() - began:.0f} s, {most[0] / 1024:.0f} MB", flush=True)
        print(f"{form}: {len(reports[0])} bytes, {'the same' if reports[0] == reports[1] else 'DIFFERENT'}", flush=True)

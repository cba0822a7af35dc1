"""Bundles of the kernels that only compute, with what the interpreter makes of them.

    value_bundles.py VALUE_KERNELS TILERACE FOLDER [CHAINS [SEED]]

A bundle FOLDER/values__KERNEL each. Kernels with types that sm_90 lacks are compiled for the GPU that
has them, and make no bundle. FOLDER/values.items.tsv says of every result where it comes from: kernel,
item, GPU, accepted or what tileiras says.
"""

import pathlib
import subprocess
import sys
import tempfile


def call(*words):
    done = subprocess.run([str(w) for w in words], capture_output=True, text=True)
    return done.returncode == 0, done.stdout, done.stderr


def assemble(tilerace, folder, kernel, gpu, out):
    """True, or what the assembler says; a bundle only of what an sm_90 can run."""
    launch = folder / f"{kernel}.json"
    module = folder / f"{kernel}.tilebc"
    if gpu != "sm_90":
        good, _, said = call(tilerace, "compile", module, "--gpu-name", gpu, "-o", folder / "x.cubin")
    else:
        good, _, said = call(tilerace, "run", module, "--launch", launch, "--against-interpreter",
                             "--repeat", 1, "--bundle", out / f"values__{kernel}")
    return good or next((line for line in said.splitlines() if "error" in line), said.strip() or "failed")


def main():
    program, tilerace, out = sys.argv[1:4]
    options = ["-chains", sys.argv[4]] if len(sys.argv) > 4 else []
    options += ["-seed", sys.argv[5]] if len(sys.argv) > 5 else []
    out = pathlib.Path(out)
    out.mkdir(parents=True, exist_ok=True)
    rows, refused = [], 0
    kernels = call(program, "-list", *options)[1].splitlines()
    with tempfile.TemporaryDirectory() as made:
        folder = pathlib.Path(made)
        for number, (kernel, gpu, *items) in enumerate(line.split() for line in kernels):
            print(f"\r{number + 1} of {len(kernels)} {kernel:24}", end="", file=sys.stderr, flush=True)
            good, _, said = call(program, *options, kernel, folder)
            answer = assemble(tilerace, folder, kernel, gpu, out) if good else said.strip()
            for item in items:
                if answer is not True and len(items) > 1:  # which one is it?
                    call(program, *options, "-only", item, kernel, folder)
                    own = assemble(tilerace, folder, kernel, gpu, folder)
                else:
                    own = answer
                refused += own is not True
                rows.append((kernel, item, gpu, "accepted" if own is True else own))
    (out / "values.items.tsv").write_text("".join("\t".join(row) + "\n" for row in rows))
    print(f"\n{len(kernels)} kernels, {len(rows)} results, {refused} refused", file=sys.stderr)
    sys.exit(refused > 0)


if __name__ == "__main__":
    main()

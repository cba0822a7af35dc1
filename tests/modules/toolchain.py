"""Holds the printer, the writer and `compile` to NVIDIA's own tools.

    toolchain.py FOLDER TILERACE FILE...

FOLDER has tileiras and tileirdisasm. Each FILE is a dialect source or a module. What tilerace
prints must be what tileirdisasm prints, byte for byte, with every op at the same place; what
tilerace writes must print the same again in every version that can say it, and must assemble.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys
import tempfile

VERSIONS = (4, 3, 2, 1)
LATER = "version 13"  # in what the writer says where a version cannot hold a module


class Wrong(Exception):
    pass


def run(*words, **environment):
    return subprocess.run(words, capture_output=True, text=True, check=False, timeout=600,
                          env={**os.environ, **environment})


def output(*words):
    done = run(*words)
    if done.returncode != 0:
        raise Wrong(f"{' '.join(words)}: exit code {done.returncode}\n{done.stderr[:2000]}")
    return done.stdout


def frames(name, records):
    """(file, line, column) of a location, innermost call first."""
    record = records[name]
    call = re.fullmatch(r"loc\(callsite\((#loc\d*) at (#loc\d*)\)\)", record)
    if call:
        return frames(call[1], records) + frames(call[2], records)
    scoped = re.match(r"#cuda_tile\.di_loc<(#loc\d*) in ", record)
    if scoped:
        return frames(scoped[1], records)
    if record == "loc(unknown)":
        return []
    plain = re.fullmatch(r'loc\("(.*)":(\d+):(\d+)\)', record)
    if not plain:
        raise Wrong(f"{name} = {record} is no location")
    return [(plain[1], int(plain[2]), int(plain[3]))]


def places(text):
    """Every line that carries a location, without it, and what the location says."""
    records = dict(re.findall(r"^(#loc\d*) = (.*)$", text, flags=re.MULTILINE))
    return [
        (line[: place.start()], frames(place[1], records))
        for line in text.splitlines()
        for place in re.finditer(r"loc\((#loc\d*)\)", line)
        if not line.startswith("#")
    ]


def without_producer(text):
    return re.sub(r"\A// Producer: .*\n", "", text)


def same(what, ours, theirs):
    for number, (our, their) in enumerate(zip(ours, theirs), 1):
        if our != their:
            raise Wrong(f"{what}: entry {number} differs:\n  {our}\n  {their}")
    if len(ours) != len(theirs):
        raise Wrong(f"{what}: {len(ours)} entries, not {len(theirs)}")


class Tools:
    def __init__(self, folder, tilerace):
        self.tilerace = tilerace
        self.disassembler = str(folder / "tileirdisasm")
        self.environment = {"CUTILE_TILEIRAS_PATH": str(folder / "tileiras")}

    def disassemble(self, module, *words):
        return output(self.disassembler, *words, str(module))

    def check(self, file):
        """Lines that say what was done: versions written."""
        with tempfile.TemporaryDirectory() as holder:
            return self.check_in(pathlib.Path(holder), file)

    def check_in(self, folder, file):
        printed = output(self.tilerace, "dump", file)
        placed = places(output(self.tilerace, "dump", "-g", file))
        if not file.endswith(".c"):
            same("dump", printed.split("\n"), self.disassemble(file).split("\n"))
            same("dump -g", placed, places(self.disassemble(file, "-g")))
        written = []
        for minor in VERSIONS:
            module = folder / f"{minor}.tilebc"
            done = run(self.tilerace, "compile", file, "-o", str(module),
                       f"--bytecode-version=13.{minor}")
            if done.returncode != 0:
                if LATER in done.stderr and minor < VERSIONS[0]:
                    continue
                raise Wrong(f"compile to 13.{minor}: {done.stderr}")
            text = self.disassemble(module)
            expected = printed if minor >= 3 else without_producer(printed)
            same(f"13.{minor}", text.split("\n"), expected.split("\n"))
            same(f"13.{minor} -g", places(self.disassemble(module, "-g")), placed)
            written.append(minor)
        code = folder / "k.cubin"
        done = run(self.tilerace, "compile", file, "-o", str(code), **self.environment)
        if done.returncode != 0:
            raise Wrong(f"tileiras: {done.stderr[:2000]}")
        if not code.read_bytes().startswith(b"\x7fELF"):
            raise Wrong("tileiras wrote no machine code")
        return written


def main():
    tools = Tools(pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]))
    files = sys.argv[3:]
    wrong = 0
    versions = {minor: 0 for minor in VERSIONS}
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, done in [(file, pool.submit(tools.check, file)) for file in files]:
            try:
                for minor in done.result():
                    versions[minor] += 1
            except Wrong as error:
                print(f"{file}: {error}")
                wrong += 1
    print(f"{len(files) - wrong} of {len(files)} files print, write and assemble; written as "
          + ", ".join(f"13.{minor}: {count}" for minor, count in sorted(versions.items())))
    return 1 if wrong or not files else 0


if __name__ == "__main__":
    sys.exit(main())

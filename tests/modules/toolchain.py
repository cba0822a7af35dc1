"""Holds the printer, the writer and `compile` to NVIDIA's own tools.

    toolchain.py FOLDER TILERACE [--texts] FILE|FOLDER...

FOLDER has tileiras and tileirdisasm. Each FILE is a dialect source or a module. What tilerace
prints must be what tileirdisasm prints, byte for byte, with every op at the same place; what
tilerace writes must print the same again in every version that can say it, and must assemble. With
--texts nothing is written. A folder stands for all modules (*.tilebc) in it.
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
    """(file, line, column) of a location, innermost call first; None where it is unknown."""
    record = records[name]
    call = re.fullmatch(r"loc\(callsite\((#loc\d*) at (#loc\d*)\)\)", record)
    if call:
        return frames(call[1], records) + frames(call[2], records)
    scoped = re.match(r"#cuda_tile\.di_loc<(#loc\d*) in ", record)
    if scoped:
        return frames(scoped[1], records)
    if record == "loc(unknown)":
        return [None]
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

    def check_texts(self, file):
        """Text and places that both print."""
        printed = output(self.tilerace, "dump", file)
        placed = places(output(self.tilerace, "dump", "-g", file))
        if not file.endswith(".c"):
            same("dump", printed.split("\n"), self.disassemble(file).split("\n"))
            same("dump -g", placed, places(self.disassemble(file, "-g")))
        return printed, placed

    def check_in(self, folder, file):
        printed, placed = self.check_texts(file)
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


def each(function, files):
    """What the function gives for each file, in order; says where it was wrong."""
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for file, done in [(file, pool.submit(function, file)) for file in files]:
            try:
                yield done.result()
            except Wrong as error:
                print(f"{file}: {error}")


def check_texts(tools, files):
    placed = [len(places_of) for _, places_of in each(tools.check_texts, files)]
    print(f"{len(placed)} of {len(files)} files print alike, {sum(placed)} places in them")
    return len(placed) == len(files) > 0


def check_all(tools, files):
    versions = {minor: 0 for minor in VERSIONS}
    right = 0
    for written in each(tools.check, files):
        right += 1
        for minor in written:
            versions[minor] += 1
    print(f"{right} of {len(files)} files print, write and assemble; written as "
          + ", ".join(f"13.{minor}: {count}" for minor, count in sorted(versions.items())))
    return right == len(files) > 0


def files_of(words):
    for word in words:
        path = pathlib.Path(word)
        yield from sorted(map(str, path.rglob("*.tilebc"))) if path.is_dir() else [word]


def main():
    words = [word for word in sys.argv[3:] if word != "--texts"]
    tools = Tools(pathlib.Path(sys.argv[1]).resolve(), os.path.abspath(sys.argv[2]))
    check = check_texts if "--texts" in sys.argv else check_all
    return 0 if check(tools, list(files_of(words))) else 1


if __name__ == "__main__":
    sys.exit(main())

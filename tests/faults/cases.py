"""The command lines that faults are put into: every command, and 30 inputs of `check`."""

import dataclasses
import json
import os
import pathlib
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/tools"))

from formats import FORMATS  # noqa: E402  the folder is known only now

# Sources and modules of each front end; race-free, conditional, racy and undecided; decided by
# strategies and by the solver. Each takes some milliseconds.
INPUTS = """
kernels/saxpy.c kernels/vector_add.c kernels/transpose.c kernels/work_queue.c kernels/scan_chained.c
kernels/message_passing.c kernels/permute_heads.c kernels/cpp/prefix_sum_chained.tilebc
kernels/cpp/matmul_split_k_lock.tilebc kernels/cpp/aligned_copy.tilebc kernels/cpp/moe_rank.tilebc
kernels/python/scale_by_constant.tilebc kernels/python/histogram.tilebc
kernels/python/attention_decode_join.tilebc kernels/rust/scale_rows.tilebc kernels/rust/fill_columns.tilebc
build/fixtures/races/histogram_plain_add.c build/fixtures/races/csr_row_sum_pairs.c build/fixtures/races/copy_tail_clamped.c
fixtures/races/cpp/vector_add_half_index.tilebc fixtures/races/cpp/frontend_nested_store.tilebc
fixtures/races/cpp/fill_table_past_end.tilebc fixtures/races/python/blur_in_place.tilebc
fixtures/races/python/last_block_sum_relaxed.tilebc fixtures/races/rust/frontend_fill_passes.tilebc
tests/undefined/null_as_index.c tests/undefined/true_facts.c tests/preconditions/rank_scatter.c
tests/preconditions/impossible_contents.c tests/preconditions/negated_tables.c
""".split()
RACY, GOOD, SOLVED = "build/fixtures/races/csr_row_sum_pairs.c", "kernels/saxpy.c", "tests/preconditions/negated_tables.c"
MODULE = "fixtures/races/cpp/vector_add_half_index.tilebc"
UNKNOWN = "tests/undefined/null_as_index.c"
# An assembler, for what stands before one.
ASSEMBLER = """#!/bin/sh
while [ $# -gt 0 ]; do case $1 in -o) echo code > "$2" ;; esac; shift; done
"""
# A guard beside ours, which lets everything pass.
GUARD = """#!/bin/sh
cat > /dev/null
echo '{"classification": "valid", "should_filter": false, "filter_reason": "", "matched_patterns": []}'
"""
# What `run` executes: of a few elements, so that a run with a fault takes as long as a check.
SMALL = """#include <tile.h>
tile_kernel void k(const float *restrict x, float *restrict y)
{
    tile_grid(4);
    tile_extent(x, 4);
    tile_extent(y, 4);
    y[tile_bid(0) / DIVISOR] = x[tile_bid(0)] + 1;
}
"""


@dataclasses.dataclass
class Case:
    name: str
    words: list
    format: str = "plain"  # of what is on standard output
    files: dict = dataclasses.field(default_factory=dict)  # written files: their formats
    cache: str = ""  # cold, warm
    said: bool = False  # what it finds is on the error stream, as a compiler has it
    environment: dict = dataclasses.field(default_factory=dict)
    stdin: str = "/dev/null"
    client: str = ""  # who speaks to it while it runs: lsp, beside
    told_by: tuple = ()  # what is on standard output where something failed

    def tells(self, out):
        return any(words in out for words in self.told_by)


def flat(path):
    return path.replace("/", "-")


def prepare(folder, program):
    """Fills the folder `in`."""
    to = folder / "in"
    to.mkdir()
    for path in {*INPUTS, RACY, GOOD, SOLVED, MODULE, UNKNOWN}:
        shutil.copy(ROOT / path, to / flat(path))
        stated = (ROOT / path).with_suffix(".launch.json")
        if path.endswith(".tilebc") and stated.exists():
            shutil.copy(stated, (to / flat(path)).with_suffix(".launch.json"))
    (to / "tree/sub").mkdir(parents=True)
    shutil.copy(ROOT / RACY, to / "tree/racy.c")
    shutil.copy(ROOT / GOOD, to / "tree/sub/good.c")
    shutil.copy(ROOT / MODULE, to / "tree/sub/m.tilebc")
    (to / "tree/tilerace.toml").write_text('exclude = ["gone"]\nignore = ["TR003"]\n')
    (to / "tree/.gitignore").write_text("*.o\n")
    (to / "good.launch.json").write_text('{"version": 2, "launches": [{"kernel": "saxpy", "facts": ["n <= 4096"]}]}')
    (to / "include.h").write_text("#include <tile.h>\nenum { STEP = 2 };\n")
    (to / "includes.c").write_text('#include "include.h"\n'
                                   "tile_kernel void k(float *restrict y) { tile_grid(8); y[tile_bid(0) / STEP] = 1; }\n")
    for name, divisor in (("small.c", 1), ("small_racy.c", 2)):
        (to / name).write_text(SMALL.replace("DIVISOR", str(divisor)))
    (to / "tileiras").write_text(ASSEMBLER)
    (to / "tileiras").chmod(0o755)
    data = ", ".join(map(str, (ROOT / MODULE).read_bytes()))
    (to / "object.c").write_text(f"const unsigned char m[] = {{{data}}};\nint main(void) {{ return 0; }}\n")
    subprocess.run(["cc", "object.c", "-o", "program"], cwd=to, check=True)
    subprocess.run(["cc", "-c", "object.c"], cwd=to, check=True)
    subprocess.run(["ar", "rc", "library.a", "object.o"], cwd=to, check=True)
    (to / "object.c").unlink()
    (to / "object.o").unlink()
    prepare_requests(to)
    for name in ("small", "small_racy"):
        words = [program, "compile", f"{name}.c", "-o", f"{name}.tilebc"]
        subprocess.run(words, cwd=to, capture_output=True, check=True)
    words = [program, "check", "--no-cache", "--format=json", "small_racy.c"]
    (to / "small.json").write_bytes(subprocess.run(words, cwd=to, capture_output=True, check=False).stdout)
    words = [program, "check", "--no-cache", "--format=json", flat(RACY), flat(GOOD)]
    (to / "old.json").write_bytes(subprocess.run(words, cwd=to, capture_output=True, check=False).stdout)
    words[-1:] = [flat(UNKNOWN)]
    (to / "new.json").write_bytes(subprocess.run(words, cwd=to, capture_output=True, check=False).stdout)
    words = [program, "check", "--no-cache", "--baseline=base.json", "--write-baseline", flat(RACY)]
    subprocess.run(words, cwd=to, capture_output=True, check=False)


def lines_of(requests):
    return "".join(json.dumps(request) + "\n" for request in requests)


def prepare_requests(to):
    """What `judge`, `compare`, `serve` and `mcp` are asked."""
    good, racy = ((to / name).read_text() for name in ("small.c", "small_racy.c"))
    wrong = good.replace("+ 1", "- 1")
    (to / "small_other.c").write_text(good.replace("x[tile_bid(0)] + 1", "1 + x[tile_bid(0)]"))
    (to / "guard").write_text(GUARD)
    (to / "guard").chmod(0o755)
    contexts = {name: {"kernel": {"source": source}, "reference": {"source": good}}
                for name, source in (("right", good), ("wrong", wrong), ("racy", racy))}
    for name, context in contexts.items():
        (to / f"{name}.json").write_text(json.dumps(context))
    asked = [("check", {"source": racy}), ("check", {"file": flat(GOOD)}), ("judge", {"context": contexts["wrong"]}),
             ("judge", {"source": racy}), ("compare", {"a": {"source": good}, "b": {"file": "small_racy.c"}, "samples": 3}),
             ("contract", {"file": flat(GOOD)}), ("run", {"source": good, "repeat": 2}), ("explain", {"word": "TR001"})]  # fmt: skip
    (to / "serve.jsonl").write_text(lines_of({"id": number, "method": method, "params": params}
                                             for number, (method, params) in enumerate(asked, 1)))
    refused = [{"id": 1, "method": "check", "params": {"source": "int main(void) {"}}, {"id": 2, "method": "none"},
               {"id": 3, "method": "check", "params": {"file": "/etc/passwd"}}, {"id": 4, "method": "check"},
               {"id": 5, "method": "check", "params": {"file": "absent.c"}}]  # fmt: skip
    (to / "refused.jsonl").write_text(lines_of(refused) + "{bad\n" + lines_of([{**refused[0], "id": 6}]))
    began = {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    messages = [{"id": 0, "method": "initialize", "params": began}, {"method": "notifications/initialized"},
                {"id": "tools", "method": "tools/list"}]  # fmt: skip
    messages += [{"id": number, "method": "tools/call", "params": {"name": method, "arguments": params}}
                 for number, (method, params) in enumerate(asked[::2], 1)]
    (to / "mcp.jsonl").write_text(lines_of({"jsonrpc": "2.0", **message} for message in messages))


def all_cases():
    racy, good, unknown, module, solved = map(flat, (RACY, GOOD, UNKNOWN, MODULE, SOLVED))
    three = [racy, good, unknown]
    check, run = ["check", "-j1"], ["run", "--device=cpu"]
    judge, compare = ["judge", "--device=cpu"], ["compare", "--samples=3"]
    cases = [Case(f"check {path}", [*check, "--format=json", flat(path)], "json") for path in INPUTS]
    # What a report of another format says is in the JSON beside it, for the comparison of verdicts.
    beside, json_too = ["-o", "json=../out/v.json"], {"v.json": "json"}
    cases += [Case(f"check --format {form}", [*check, f"--output={form}=../out/r", *beside, *three, module], "text",
                   {"r": form, **json_too}) for form in FORMATS]
    cases += [
        Case("check -j2", ["check", "-j2", "--format=json", *three, module], "json"),
        Case("check, files that are read wrongly", [*check, "--format=json", "none.c", good, "tree"], "json"),
        Case("check, reports", [*check, "-o", "text=../out/r", "-o", "json=../out/r.json", "-o", "html=../out/r.html", "-o",
                                "sarif=../out/r.sarif", "-o", "junit=../out/r.xml", *three],
             "text", {"r": "text", "r.json": "json", "r.html": "html", "r.sarif": "sarif", "r.xml": "junit"}),
        Case("check -o", [*check, "--format=json", "-o", "../out/r.json", *three], "plain", {"r.json": "json"}),
        Case("check, cold cache", [*check, "--format=json", *three, "includes.c"], "json", cache="cold"),
        Case("check, warm cache", [*check, "--format=json", *three, "includes.c"], "json", cache="warm"),
        Case("check, warm cache, solver", [*check, "--format=json", solved], "json", cache="warm"),
        Case("check FOLDER", [*check, "--format=json", "tree"], "json"),
        Case("check --launch", [*check, "--format=json", "--launch=good.launch.json", good], "json"),
        Case("check --baseline", [*check, "--format=json", "--baseline=base.json", *three], "json"),
        Case("check --write-baseline", [*check, "--format=json", "--baseline=../out/b.json", "--write-baseline", racy],
             "json", {"b.json": "plain"}),
        Case("check --keep-obligations", [*check, "--format=json", "--keep-obligations=../out/kept", solved], "json"),
        Case("check --stdin-filename", [*check, "--format=json", "--stdin-filename=a.c", "-"], "json", stdin=racy),
        Case("check --strict --fail-on", [*check, "--strict", "--fail-on=error,unknown", "--format=json", good], "json"),
        Case("check -v", [*check, "-v", "--notes", "--output=text=../out/r", *beside, *three], "text", {"r": "text", **json_too}),
        Case("dump", ["dump", racy]),
        Case("dump -g", ["dump", "-g", module]),
        Case("dump --accesses", ["dump", "--accesses", racy]),
        Case("dump --tokens", ["dump", "--tokens", module]),
        Case("dump --obligations", ["dump", "--obligations", racy]),
        Case("dump -o", ["dump", "-o", "../out/d.txt", racy], files={"d.txt": "plain"}),
        Case("contract", ["contract", flat("tests/preconditions/rank_scatter.c")]),
        Case("contract -o", ["contract", "-o", "../out/c.json", module], files={"c.json": "plain"}),
        Case("compile", ["compile", racy, "-o", "../out/k.tilebc"], files={"k.tilebc": "plain"}),
        Case("compile to machine code", ["compile", racy, "-o", "../out/k.cubin"], files={"k.cubin": "plain"},
             environment={"TILERACE_TILEIRAS": "{in}/tileiras"}),
        Case("cc", ["cc", "-c", racy, "-o", "../out/k.tilebc"], files={"k.tilebc": "plain"}, said=True),
        Case("cc -Werror", ["cc", "-Werror=race", "-c", good, "-o", "../out/k.tilebc"], files={"k.tilebc": "plain"},
             said=True),
        Case("tileiras", ["tileiras", "--gpu-name", "sm_90", "-o", "../out/k.cubin", module],
             files={"k.cubin": "plain"}, said=True, environment={"TILERACE_TILEIRAS": "{in}/tileiras"}),
        Case("scan", ["scan", "-j1", "--format=json", "program", module], "json"),
        Case("scan, archive", ["scan", "-j1", "--format=json", "library.a"], "json"),
        Case("scan, text", ["scan", "-j1", "-o", "text=../out/r", *beside, "library.a", "program"], "text",
             {"r": "text", **json_too}),
        Case("scan -j2", ["scan", "-j2", "--format=json", "program", module, "library.a", "none"], "json"),
        Case("scan FOLDER", ["scan", "-j1", "--format=json", "tree"], "json"),
        Case("hook", ["hook", "-j1", "--format=json", racy, good, "tree/tilerace.toml"], "json"),
        Case("diff", ["diff", "old.json", "new.json"]),
        Case("diff --format json", ["diff", "--format=json", "-o", "../out/d.json", "old.json", "new.json"],
             files={"d.json": "plain"}),
        Case("explain", ["explain"]),
        Case("explain RULE", ["explain", "TR001"]),
        Case("config show", ["config", "show", "tree/racy.c"]),
        Case("completions", ["completions", "bash"]),
        Case("manual", ["manual", "--output", "../out/man"]),
        Case("--version", ["--version"], told_by=(b"says no version", b"unknown: cannot start ")),
        Case("--help", ["check", "--help"]),
        Case("clean", ["clean"], cache="warm"),
        Case("run", [*run, "--repeat=2", "small.c"]),
        Case("run, race", [*run, "--repeat=2", "--format=json", "small_racy.c"]),
        Case("run --outputs", [*run, "--outputs=../out/o", "small.c"]),
        Case("run --bundle", ["run", "--bundle=../out/b", "small.c"], environment={"TILERACE_TILEIRAS": "{in}/tileiras"}),
        Case("run --witness", [*run, "--repeat=2", "--witness=small.json", "small_racy.c"]),
        Case("selftest", ["selftest"], environment={"PATH": "/nowhere", "CUDA_VISIBLE_DEVICES": ""},
             told_by=(b"FAILED",)),
        Case("exec", ["exec", "--no-recording", "--", "/bin/echo", "word"]),
        Case("beside", ["beside"]),
        Case("beside a program", ["beside", "--dry-run"], "told", client="beside"),
        Case("serve", ["serve", "-j1"], "lines", stdin="serve.jsonl"),
        Case("serve, sources of no kernel", ["serve", "-j1"], "lines", stdin="refused.jsonl"),
        Case("mcp", ["mcp", "-j1"], "lines", stdin="mcp.jsonl"),
        Case("judge", [*judge, "--format=json", "right.json"], "judgement"),
        Case("judge, wrong", [*judge, "--format=json", "wrong.json"], "judgement"),
        Case("judge, race", [*judge, "--format=json", "racy.json"], "judgement"),
        Case("judge --api-mode", [*judge, "--api-mode"], "judgement", stdin="small_racy.c"),
        Case("judge --then", [*judge, "--api-mode", "--then=./guard"], "judgement", stdin="small.c"),
        Case("judge, text", [*judge, "wrong.json"], "report"),
        Case("compare", [*compare, "--format=json", "small.c", "small_other.c"], "comparison"),
        Case("compare, different", [*compare, "--format=json", "small.c", "small_racy.c"], "comparison"),
        Case("compare, modules", [*compare, "--format=json", "small.tilebc", "small_racy.tilebc"], "comparison"),
        Case("compare, text", [*compare, "small.c", "small_racy.c"], "report"),
        Case("lsp", ["lsp"], client="lsp",
             told_by=(b"is not checked", b"cannot open file")),
    ]  # fmt: skip
    return cases


def environment_of(case, folder):
    own = {"TILERACE_CACHE_DIR": str(folder / "cache") if case.cache else "",
           "TILERACE_SOLVER": os.environ.get("TILERACE_SOLVER", str(ROOT / "build/solver/bin/z3")),
           "TMPDIR": str(folder / "tmp"), "XDG_CACHE_HOME": str(folder / "home"), "TERM": "dumb"}
    return {**own, **{name: value.replace("{in}", str(folder / "in")) for name, value in case.environment.items()}}

#!/usr/bin/env python3
"""The execution enumerator against litmus tests of the PTX memory model.

Reads a suite in the litmus format of the Dat3M project (a folder, and a table of expected results)
that lies outside of this repository, writes each test that Tile IR can say as a kernel of the
dialect, runs all of its executions, and compares what the final condition says with what the suite
expects. A PTX thread becomes a tile block whose accesses depend on one chain of tokens, so that
program order is restricted program order. Races are let go on, as in PTX.

Left out: fences, barriers and proxies, which Tile IR lacks; threads on several GPUs; threads of one
CTA that use its scope, for a tile block has no such company; loops.

Usage: ptx_litmus.py LITMUS_PROGRAM SUITE_FOLDER EXPECTED_CSV [-v]
"""

import collections
import os
import re
import subprocess
import sys
import tempfile

ORDERS = {"weak": "TILE_WEAK", "relaxed": "TILE_RELAXED", "acquire": "TILE_ACQUIRE",
          "release": "TILE_RELEASE", "acq_rel": "TILE_ACQ_REL"}
SCOPES = {"cta": "TILE_BLOCK", "gpu": "TILE_DEVICE", "sys": "TILE_SYS"}


class LeftOut(Exception):
    pass


class Thread:
    def __init__(self, name, cta, gpu):
        self.name, self.cta, self.gpu = name, cta, gpu
        self.lines, self.registers = [], set()


def read_initial(text):
    values, registers = {}, {}
    for part in re.split(r"[;\n]", text):
        part = part.strip()
        if not part:
            continue
        match = re.fullmatch(r"(?:(P?\d+):)?(\w+)\s*=\s*(-?\d+)", part)
        if not match:
            raise LeftOut("initial state")
        thread, name, value = match.groups()
        if thread:
            registers[thread.lstrip("P"), name] = int(value)
        else:
            values[name] = int(value)
    return values, registers


def read_test(path):
    with open(path, encoding="utf-8") as f:
        text = f.read()
    text = re.sub(r"//.*|\(\*.*?\*\)", "", text, flags=re.S if "(*" in text else 0)
    match = re.search(r"\{(.*?)\}(.*?)\n\s*(~?\s*exists|forall|filter)\b(.*)", text, re.S)
    if not match or match.group(3) == "filter":
        raise LeftOut("form")
    values, registers = read_initial(match.group(1))
    rows = [row for row in match.group(2).split(";") if row.strip()]
    threads = []
    for head in rows[0].split("|"):
        where = re.fullmatch(r"\s*P(\d+)\s*@\s*cta\s*(\d+)\s*,\s*gpu\s*(\d+)\s*", head)
        if not where:
            raise LeftOut("thread")
        threads.append(Thread(*where.groups()))
    for row in rows[1:]:
        for thread, cell in zip(threads, row.split("|")):
            if cell.strip():
                thread.lines.append(cell.strip())
    return values, registers, threads, match.group(3).replace(" ", ""), match.group(4).strip()


def operand(thread, text):
    if not re.fullmatch(r"-?\d+", text):
        thread.registers.add(text)
    return text


def access(words, threads, thread):
    """Order and scope of ld.acquire.gpu and the like."""
    order = next((w for w in words if w in ORDERS), "weak")
    scope = next((w for w in words if w in SCOPES), None)
    if set(words) - set(ORDERS) - set(SCOPES) - {"add", "sub", "exch", "cas"}:
        raise LeftOut("instruction " + ".".join(words))
    if scope == "cta" and sum(t.cta == thread.cta for t in threads) > 1:
        raise LeftOut("scope cta within a CTA")
    if order != "weak" and not scope:
        raise LeftOut("no scope")
    return ORDERS[order], SCOPES.get(scope, "TILE_NO_SCOPE")


def translate_line(line, thread, threads, locations):
    words, _, rest = line.partition(" ")
    words = words.split(".")
    args = [a.strip() for a in rest.split(",") if a.strip()]
    kind = words[0]
    if kind in ("ld", "st", "atom", "red"):
        if kind == "ld" and len(args) == 2 and re.fullmatch(r"-?\d+", args[1]):
            thread.registers.add(args[0])
            return f"{args[0]} = {args[1]};"
        how = ", ".join(access(words[1:], threads, thread))
        weak = how.startswith("TILE_WEAK")
        name = args[1] if kind in ("ld", "atom") else args[0]
        if name not in locations:
            raise LeftOut("location " + name)
        pointer = f"tile_pointers({name}, 0)"
    if kind == "ld":
        thread.registers.add(args[0])
        if weak:
            return f"{args[0]} = tile_to_int(tile_load_ptr_tko({pointer}, after(t), &t));"
        return (f"{args[0]} = tile_to_int(tile_load_masked_tko({pointer}, true, 0, {how}, after(t), "
                "&t));")
    if kind == "st":
        value = operand(thread, args[1])
        if weak:
            return f"t = tile_store_ptr_tko({pointer}, {value}, after(t));"
        return f"t = tile_store_masked_tko({pointer}, {value}, true, {how}, after(t));"
    if kind in ("atom", "red"):
        values = [operand(thread, a) for a in args[2 if kind == "atom" else 1:]]
        if "cas" in words:
            call = (f"tile_atomic_cas_tko({pointer}, {values[0]}, {values[1]}, true, {how}, "
                    "after(t), &t)")
        elif {"add", "sub", "exch"} & set(words):
            mode = "TILE_XCHG" if "exch" in words else "TILE_ADD"
            value = f"-({values[0]})" if "sub" in words else values[0]
            call = f"tile_atomic_tko({mode}, {pointer}, {value}, true, {how}, after(t), &t)"
        else:
            raise LeftOut("instruction " + line)
        if kind == "red":
            return call + ";"
        thread.registers.add(args[0])
        return f"{args[0]} = tile_to_int({call});"
    if kind in ("bne", "beq") and len(args) == 3:
        equal = "==" if kind == "bne" else "!="
        return f"if ({operand(thread, args[0])} {equal} {args[1]}) {{ // {args[2]}"
    raise LeftOut(kind)


def translate_thread(thread, threads, locations):
    lines, open_labels = [], []
    for line in thread.lines:
        label = re.fullmatch(r"(\w+):", line)
        if label:
            if not open_labels or open_labels[-1] != label.group(1):
                raise LeftOut("loop")
            open_labels.pop()
            lines.append("}")
            continue
        out = translate_line(line, thread, threads, locations)
        if out.startswith("if ("):
            open_labels.append(out.split("// ")[1])
        lines.append(out)
    if open_labels:
        raise LeftOut("jump")
    return lines


def kernel_of(test):
    values, registers, threads, quantifier, condition = test
    if len({t.gpu for t in threads}) > 1:
        raise LeftOut("several GPUs")
    for name in re.findall(r"(?<![:\w])([A-Za-z_]\w*)\s*=", condition):
        values.setdefault(name, 0)
    locations = sorted(values)
    bodies = [translate_thread(t, threads, locations) for t in threads]
    results, text = [], []
    for thread in threads:
        results += [(thread.name, r) for r in sorted(thread.registers)]
    parameters = ", ".join(f"int *{name}" for name in locations + ["res"])
    text += ["#include <tile.h>", "", f"tile_kernel void kernel({parameters})", "{",
             f"tile_grid({len(threads)});"]
    for name in locations:
        text += [f"tile_extent({name}, 1);", f"tile_contents({name}, {values[name]}, {values[name]});"]
    text += [f"tile_extent(res, {max(len(results), 1)});",
             f"tile_distinct({', '.join(locations + ['res'])});"]
    for number, (thread, body) in enumerate(zip(threads, bodies)):
        text += [f"if (tile_bid(0) == {number}) {{", "token t = make_token();"]
        text += [f"int {r} = {registers.get((thread.name, r), 0)};" for r in sorted(thread.registers)]
        text += body
        for slot, (owner, r) in enumerate(results):
            if owner == thread.name:
                text.append(f"tile_store_ptr_tko(tile_pointers(res, {slot}), {r}, after_none);")
        text.append("}")
    text += ["}", ""]
    return "\n".join(text), len(threads), results, values, quantifier, condition


def holds(condition, results, values, outcome):
    def value(match):
        thread, name = match.group(1), match.group(2)
        if thread:
            key = (thread.rstrip(":").lstrip("P"), name)
            found = outcome.get(f"res[{4 * results.index(key)}]", "0") if key in results else "0"
        else:
            found = outcome.get(f"{name}[0]", values[name])
        if found == "?":
            raise LeftOut("unknown value")
        number = int(found)
        return str(number - (1 << 32) if number >= 1 << 31 else number)
    text = re.sub(r"(P?\d+:)?\b([A-Za-z_]\w*)\b", value, condition)
    text = re.sub(r"(?<![=!<>])=(?!=)", "==", text)
    text = text.replace("/\\", " and ").replace("\\/", " or ").replace("~", " not ")
    return bool(eval(text, {"__builtins__": {}}))  # numbers, ==, and, or


def run(program, folder, kernel, extra):
    text, blocks = kernel[0], kernel[1]
    path = os.path.join(folder, "test.c")
    with open(path, "w", encoding="utf-8") as f:
        f.write(text + f"// LAUNCH grid {blocks} despite-races{extra}\n// OUTCOME any\n")
    done = subprocess.run([program, "-v", path], capture_output=True, text=True, check=False)
    if "race-free" not in done.stdout:
        raise LeftOut("not enumerated: " + done.stdout.splitlines()[0][-120:] if done.stdout else "?")
    outcomes = []
    for line in done.stdout.splitlines():
        if line.startswith("    ") and "[" in line:
            outcomes.append(dict(w.split("=") for w in line.split() if "[" in w))
    return outcomes


def answer(kernel, outcomes):
    _, _, results, values, quantifier, condition = kernel
    found = [holds(condition, results, values, o) for o in outcomes]
    if not found:
        raise LeftOut("no outcome")
    return all(found) if quantifier == "forall" else any(found) != (quantifier == "~exists")


def main():
    program, suite, table = sys.argv[1:4]
    verbose = "-v" in sys.argv[4:]
    left_out, agree = collections.Counter(), collections.Counter()
    compared = 0
    for row in open(table, encoding="utf-8"):
        name, _, expected = row.strip().rpartition(",")
        path = os.path.join(suite, name)
        if not os.path.exists(path):
            continue
        try:
            kernel = kernel_of(read_test(path))
            with tempfile.TemporaryDirectory() as folder:
                answers = [answer(kernel, run(program, folder, kernel, extra))
                           for extra in ("", " observation causal")]
        except LeftOut as why:
            left_out[str(why).split(" ")[0]] += 1
            if verbose:
                print(f"left out   {name}: {why}")
            continue
        compared += 1
        wanted = expected == "1"
        for key, got in zip(("as published", "observation is causal"), answers):
            agree[key] += got == wanted
        if verbose or answers != [wanted, wanted]:
            print(f"{'agrees    ' if answers == [wanted, wanted] else 'DIFFERS   '} {name}: "
                  f"{kernel[4]} {kernel[5]}: suite {wanted}, ours {answers[0]}, "
                  f"with observation {answers[1]}")
    print(f"{compared} tests compared: " + ", ".join(f"{n} agree ({k})" for k, n in agree.items()))
    print("left out: " + ", ".join(f"{n} {k}" for k, n in left_out.most_common()))


if __name__ == "__main__":
    main()

"""From a pause in typing to what an editor shows: one client, each kernel opened and edited.

    lsp_latency.py TILERACE [--transcript FILE] [SOURCE...]

Needs build/editor (ci/setup.sh). An edit puts a blank in front of the source, as a person types; the
clock runs from the edit to the diagnostics of its version, the server's own wait for a pause
(20 ms) included. The transcript is what client and server say of one kernel.
"""

import argparse
import asyncio
import json
import pathlib
import statistics
import sys
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/editors"))

from client import Session, place, span  # noqa: E402

EDITS = 7


async def measure(s, path):
    name, text = path.name, path.read_text()
    began = time.monotonic()
    s.open(name, text)
    await s.diagnostics(name)
    opened, edited = time.monotonic() - began, []
    for _ in range(EDITS):
        await asyncio.sleep(0.3)  # hovers of the version before are done
        began = time.monotonic()
        s.change(name, (span(0, 0, 0), " "))
        await s.diagnostics(name)
        edited.append(time.monotonic() - began)
    s.close(name)
    return opened * 1000, statistics.median(edited) * 1000


async def measure_all(program, paths):
    results = []
    async with Session(program, ROOT) as s:
        for path in paths:
            s.folder = path.parent
            results.append((path, *await measure(s, path)))
    for path, opened, edited in sorted(results, key=lambda r: -r[2])[:5]:
        print(f"{edited:6.0f} ms after an edit, {opened:4.0f} ms after opening: {path.name}")
    edits = [edited for _, _, edited in results]
    within = sum(e <= 200 for e in edits)
    print(
        f"{len(edits)} kernels, {EDITS} edits each: median {statistics.median(edits):.0f} ms, "
        f"worst {max(edits):.0f} ms; {within} within 200 ms"
    )


async def transcribe(program, file):
    """A race typed into a kernel, looked at, allowed and taken back."""
    text = (ROOT / "kernels/vector_add.c").read_text()
    line, character = place(text, "x + y, i)")
    lines = []

    def note(direction, message):
        lines.append(f"{direction} {json.dumps(message, ensure_ascii=False)}")

    s = Session(program, ROOT / "kernels")
    protocol = s.client.protocol
    write, take = protocol._send_data, protocol.handle_message
    convert = protocol._converter.unstructure

    def send(data):
        note("client", convert(data))
        return write(data)

    def handle(message):
        note("server", convert(message))
        return take(message)

    protocol._send_data, protocol.handle_message = send, handle
    async with s:
        s.open("vector_add.c", text)
        await s.diagnostics("vector_add.c")
        s.change("vector_add.c", (span(line, character + 8, character + 8), " / 2"))
        (found,) = await s.diagnostics("vector_add.c")
        await s.hover("vector_add.c", *place(text, "tile_store(out"))
        await s.actions("vector_add.c", found.range)
        s.change("vector_add.c", (span(line, character + 8, character + 12), ""))
        await s.diagnostics("vector_add.c")
    file.write_text("\n".join(lines).replace(ROOT.as_uri(), "file:///project") + "\n")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("sources", nargs="*", type=pathlib.Path)
    parser.add_argument("--transcript", type=pathlib.Path)
    o = parser.parse_args()
    if o.transcript:
        asyncio.run(transcribe(o.program, o.transcript))
        return
    paths = [path.resolve() for path in o.sources] or sorted((ROOT / "kernels").glob("*.c"))
    asyncio.run(measure_all(o.program, paths))


if __name__ == "__main__":
    main()

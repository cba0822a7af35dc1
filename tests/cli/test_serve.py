"""tilerace serve: requests and answers, a line of JSON each.

    test_serve.py TILERACE DOCS
"""
import json
import os
import pathlib
import select
import signal
import subprocess
import sys
import tempfile
import time
import unittest

import jsonschema

TILERACE = os.path.abspath(sys.argv.pop(1)) if len(sys.argv) > 1 else "tilerace"
DOCS = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "docs").resolve()
JUDGEMENT = json.loads((DOCS / "judge.schema.json").read_text())
COMPARISON = json.loads((DOCS / "compare.schema.json").read_text())
REPORT = json.loads((DOCS / "report.schema.json").read_text())

ADD = """#include <tile.h>
tile_kernel void add(const float *a, float *c, int n)
{
    tile_grid(tile_cdiv(n, 128));
    tile_assume(0 < n);
    tile_extent(a, n);
    tile_extent(c, n);
    tile_store(tile_partition(tile_tensor(c, n), 128),
               tile_load(tile_partition(tile_tensor(a, n), 128), tile_bid(0)), tile_bid(0)%s);
}
"""
GOOD, RACY = ADD % "", ADD % " / 2"
# No launch meets its contract.
NEVER = """#include <tile.h>
tile_kernel void never(float *x, int n)
{
    tile_grid(4);
    tile_assume(n > 1 && n * n == 10007);
    x[tile_bid(0)] = 1.0f;
}
"""

# Clang's preprocessor makes 4^20 words of it: more time than any limit, or more memory.
WORDS = GOOD + "#define A0 0 +\n" + "".join(
    "#define A%d A%d A%d A%d A%d\n" % (i + 1, i, i, i, i) for i in range(20))
ENDLESS = WORDS + "#if A20 0\n#endif\n"
HUGE = WORDS + "int huge = A20 0;\n"


def judging(source, **context):
    return {"context": {"kernel": {"source": source}, **context}}


class Server:
    def __init__(self, *words, cwd=None, environment=None):
        self.process = subprocess.Popen(
            [TILERACE, "serve", *words], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, cwd=cwd, env={**os.environ, **(environment or {})})
        self.heard = b""

    def say(self, message):
        line = message if isinstance(message, bytes) else json.dumps(message).encode()
        self.process.stdin.write(line + b"\n")
        self.process.stdin.flush()

    def hear(self, seconds=120):
        """The next line, which is whole."""
        return json.loads(self.hear_line(seconds))

    def hear_line(self, seconds=120):
        out = self.process.stdout.fileno()
        while b"\n" not in self.heard:
            ready, _, _ = select.select([out], [], [], seconds)
            assert ready, "no answer within %d s" % seconds
            piece = os.read(out, 1 << 16)
            assert piece, "the server has ended: %r" % self.heard
            self.heard += piece
        line, self.heard = self.heard.split(b"\n", 1)
        return line

    def ask(self, id_, method, params=None, **more):
        self.say({"id": id_, "method": method, "params": params or {}, **more})
        return self.hear()

    def end(self):
        out, err = self.process.communicate(timeout=60)
        return [json.loads(line) for line in out.splitlines()], err.decode(), self.process.returncode


class Served(unittest.TestCase):
    def serve(self, *words, **more):
        server = Server(*words, **more)

        def stop():
            server.process.kill()
            server.process.wait()
            for stream in (server.process.stdin, server.process.stdout, server.process.stderr):
                if stream:
                    stream.close()
        self.addCleanup(stop)
        return server

    def folder(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        return pathlib.Path(holder.name)

    def assert_error(self, answer, code):
        self.assertIn("error", answer)
        self.assertEqual(answer["error"]["code"], code, answer)

    # ---- Methods ----

    def test_methods(self):
        server = self.serve()
        good = server.ask(1, "judge", judging(GOOD, reference={"source": GOOD}))
        self.assertEqual(good["id"], 1)
        jsonschema.validate(good["result"], JUDGEMENT)
        self.assertEqual(good["result"]["classification"], "valid")
        racy = server.ask("two", "judge", {"source": RACY})
        self.assertEqual((racy["id"], racy["result"]["classification"]), ("two", "race"))
        checked = server.ask(3, "check", {"source": RACY})["result"]
        jsonschema.validate(checked, REPORT)
        kernel = checked["inputs"][0]["kernels"][0]
        self.assertEqual((kernel["kernel"], kernel["verdict"]), ("add", "race"))
        runs = server.ask(4, "run", {"source": GOOD, "repeat": 3})["result"]["runs"]
        self.assertEqual((len(runs), runs[0]["runs"], runs[0]["nondeterministic"]), (1, 3, False))
        self.assertNotIn("notes", server.ask(4, "run", {"source": GOOD})["result"])
        contract = server.ask(5, "contract", {"source": GOOD})["result"]
        self.assertEqual(contract["contract"]["launches"][0]["kernel"], "add")
        self.assertIn("Two tile blocks", server.ask(6, "explain", {"word": "TR001"})["result"]["text"])
        self.assertIn("class of tilerace judge", server.ask(7, "explain", {"word": "race"})["result"]["text"])
        self.assertIn("rounded down", server.ask(7, "explain", {"word": "incomplete"})["result"]["text"])
        self.assertIn("reference", server.ask(7, "explain", {"word": "agrees"})["result"]["text"])
        self.assertIn("race-free", server.ask(7, "explain")["result"]["text"])
        compared = server.ask(8, "compare", {"a": {"source": GOOD}, "b": {"source": RACY}})["result"]
        jsonschema.validate(compared, COMPARISON)
        self.assertEqual(compared["result"], "different")
        self.assertEqual(server.ask(9, "compare", {"a": {"source": GOOD}, "b": {"source": GOOD, "name": "add"}})
                         ["result"]["result"], "same")
        for sides in ({}, {"a": {"source": GOOD}}, {"a": {"source": GOOD}, "b": {"source": GOOD, "sorce": ""}},
                      {"a": {"source": GOOD}, "b": {"file": "/etc/passwd"}}):
            self.assert_error(server.ask(10, "compare", sides), "bad-params")
        self.assertEqual(server.end(), ([], "", 0))

    def test_runs_that_cannot_be(self):
        """Nothing that was not run is passed over: neither a file nor one kernel of several."""
        server = self.serve("-j1")
        for source, words in (("int x = ;", "expected expression"), (GOOD + "#include <no.h>\n", "no.h"),
                              (NEVER, "no launch")):
            answer = server.ask(1, "run", {"source": source})
            self.assert_error(answer, "failed")
            self.assertIn(words, answer["error"]["message"])
        some = server.ask(2, "run", {"source": NEVER + GOOD})["result"]
        self.assertEqual([run["kernel"] for run in some["runs"]], ["add"])
        self.assertRegex("\n".join(some["notes"]), "never: .*no launch")
        self.assertEqual(server.end()[2], 0)

    def test_launch_and_defines(self):
        server = self.serve()
        source = GOOD.replace("128", "BM")
        answer = server.ask(1, "check", {"source": source, "defines": {"BM": 64}, "launch":
                                         {"args": [{"name": "a"}, {"name": "c"}, {"name": "n", "value": 64}]}})
        self.assertEqual(answer["result"]["inputs"][0]["kernels"][0]["verdict"], "race-free", answer)
        answer = server.ask(2, "check", {"source": source, "defines": {"BM": [1]}})
        self.assert_error(answer, "bad-params")

    def test_same_as_the_command(self):
        """Byte for byte, in any order and whoever was judged before."""
        context = json.dumps(judging(RACY, reference={"source": GOOD})["context"])
        alone = subprocess.run([TILERACE, "judge", "--format", "json", "-"], input=context.encode(),
                               capture_output=True, check=True).stdout
        server = self.serve("-j2")
        for i in range(6):
            server.say({"id": i, "method": "judge",
                        "params": judging(RACY if i % 2 else GOOD, reference={"source": GOOD})})
        texts = {}
        for _ in range(6):
            line = server.hear_line()
            texts[json.loads(line)["id"]] = line
        self.assertEqual(set(texts), set(range(6)))
        for i in (1, 3, 5):
            self.assertEqual(texts[i], b'{"id":%d,"result":%s}' % (i, alone.strip()))

    def test_progress_and_times(self):
        server = self.serve()
        server.say({"id": 1, "method": "judge", "params": {**judging(GOOD), "times": True}, "progress": True})
        phases = []
        while "progress" in (message := server.hear()):
            phases.append(message["progress"]["phase"])
        self.assertEqual(phases, ["reading", "reference", "proving", "running"])
        self.assertIn("time_ms", message["result"]["tilerace"]["stages"][1])

    # ---- Bad requests ----

    def test_bad_lines(self):
        server = self.serve()
        for number, (line, code) in enumerate([
                (b"{bad", "not-json"), (b"\xff\xfe", "not-json"), (b'{"id":1,"method":"check"} x', "not-json"),
                (b"[" * 100000, "not-json"), (b'{"id":"\x00"}', "not-json"), (b"[]", "bad-request"),
                (b'{"id":1,"id":2,"method":"check"}', "not-json"), (b'{"id":"\\ud800","method":"check"}', "not-json"),
                (b'{"id":1,"method":"check","params":{"launch":{"n":1,"n":2}}}', "not-json"),
                (b'{"id":"\\u0000","method":"check"}', "not-json"),
                (b'{"id":12345678901234567890,"method":"check"}', "not-json"), (b'{"id":NaN}', "not-json"),
                (b"17", "bad-request"), (b'{"id":1}', "bad-request"),
                (b'{"id":[1],"method":"check"}', "bad-request"), (b'{"id":1.5,"method":"check"}', "bad-request"),
                (b'{"id":1,"method":"check","params":[]}', "bad-request"),
                (b'{"id":1,"method":"check","prams":{}}', "bad-request"),
                (b'{"id":1,"method":"chekc"}', "no-method")], 1):
            with self.subTest(line[:40]):
                server.say(line)
                answer = server.hear()
                self.assert_error(answer, code)
                self.assertEqual(answer["error"]["line"], number)
        self.assertEqual(server.ask(9, "explain", {"word": "TR001"})["id"], 9)

    def test_bad_params(self):
        server = self.serve()
        for params in ({}, {"source": GOOD, "file": "x.c"}, {"sorce": GOOD}, {"source": 3}, {"context": {}},
                       {"context": {"kernel": 5}}, {"source": GOOD, "max_feedback": -1},
                       judging(GOOD, samples=0), judging(GOOD, limits={"seconds": "x"}),
                       judging(GOOD, launch={"args": 7})):
            with self.subTest(str(params)[:60]):
                self.assert_error(server.ask(1, "judge", params), "bad-params")
        self.assertIn("source", server.ask(2, "judge", {"sorce": GOOD})["error"]["message"])

    def test_duplicate_id(self):
        server = self.serve("-j1")
        for _ in range(2):
            server.say({"id": "a", "method": "check", "params": {"source": GOOD}})
        self.assert_error(server.hear(), "duplicate-id")
        self.assertIn("result", server.hear())
        self.assertIn("result", server.ask("a", "check", {"source": GOOD}))  # free again

    def test_too_large(self):
        """100 MB in one line, which is never held whole."""
        server = self.serve()
        piece = b"x" * (1 << 20)
        server.process.stdin.write(b'{"id":1,"method":"check","params":{"source":"')
        for _ in range(100):
            server.process.stdin.write(piece)
        server.say(b'"}}')
        answer = server.hear()
        self.assert_error(answer, "too-large")
        self.assertIn("line 1", answer["error"]["message"])
        status = pathlib.Path("/proc/%d/status" % server.process.pid).read_text()
        peak = int(status.split("VmHWM:")[1].split()[0])
        self.assertLess(peak, 96 << 10)
        self.assertIn("result", server.ask(2, "explain"))

    def test_files(self):
        """Those below the working folder, or the folders that are named, links followed."""
        folder, other = self.folder(), self.folder()
        (folder / "good.c").write_text(GOOD)
        (other / "good.c").write_text(GOOD)
        (folder / "link.c").symlink_to(other / "good.c")
        (folder / "context.json").write_text(json.dumps(
            {"kernel": {"file": "good.c"}, "reference": str(other / "good.c")}))
        outside = str(other / "good.c")
        inside = self.serve(cwd=folder)
        self.assertIn("result", inside.ask(1, "check", {"file": "good.c"}))
        self.assertIn("result", inside.ask(2, "judge", {"context": {"kernel": {"file": "good.c"}}}))
        for params in ({"file": outside}, {"file": "link.c"}, {"file": "../%s/good.c" % other.name},
                       {"context": {"kernel": {"file": outside}}}, {"file": "context.json"},
                       {"context": {"kernel": {"source": GOOD}, "reference": outside}},
                       {"context": {"kernel": {"source": GOOD}, "reference": outside + ":add"}},
                       {"context": {"kernel": {"source": GOOD}, "trials": outside}},
                       {"context": {"kernel": {"source": GOOD}, "launch": outside}},
                       {"context": {"kernel": {"source": GOOD}, "launch": {"args": [
                           {"fill": {"file": "/etc/passwd"}}, {}, {}]}}},
                       {"context": {"kernel": {"source": GOOD}, "launch": {"args": [
                           {}, {"reference": {"kernel": outside + ":add"}}, {}]}}},
                       {"context": {"kernel": {"file": "good.c"}}, "folder": str(other)}):
            with self.subTest(str(params)):
                answer = inside.ask(3, "judge", params)
                self.assert_error(answer, "bad-params")
                self.assertIn("--root", answer["error"]["message"])
        filled = {"source": GOOD, "launch": {"args": [{"fill": {"file": "/etc/passwd"}}, {}, {}]}}
        self.assert_error(inside.ask(4, "run", filled), "bad-params")
        both = self.serve("--root", str(folder), "--root", str(other), cwd=folder)
        self.assertEqual(both.ask(1, "judge", {"file": "context.json"})["result"]["classification"], "valid")

    # ---- Limits, deaths, cancelling ----

    def test_what_takes_too_long(self):
        server = self.serve("-j1", "--timeout", "3000")
        server.say({"id": 1, "method": "judge", "params": {"source": ENDLESS}})
        server.say({"id": 2, "method": "check", "params": {"source": ENDLESS}})
        server.say({"id": 3, "method": "check", "params": {"source": GOOD}})
        own = server.hear()["result"]["tilerace"]
        self.assertEqual(own["class"], "limit")
        self.assertIn("compiling the candidate takes more than 3 s", own["feedback"])
        self.assert_error(server.hear(), "limit")
        self.assertIn("result", server.hear())

    def test_limits_of_a_context(self):
        server = self.serve("-j1")
        answer = server.ask(1, "judge", judging(ENDLESS, limits={"seconds": 1.5}))
        self.assertIn("more than 1.5 s", answer["result"]["tilerace"]["feedback"])
        answer = server.ask(2, "judge", judging(HUGE, limits={"megabytes": 300, "seconds": 50}))
        self.assertEqual(answer["result"]["classification"], "limit")
        self.assertIn("300 MB", answer["result"]["tilerace"]["feedback"])
        self.assertEqual(server.ask(3, "judge", judging(GOOD))["result"]["classification"], "valid")

    def workers(self, server):
        children = pathlib.Path("/proc/%d/task" % server.process.pid).glob("*/children")
        return [int(pid) for of in children for pid in of.read_text().split()]

    def ticks(self, pid):
        return int(pathlib.Path("/proc/%d/stat" % pid).read_text().rsplit(")")[-1].split()[11])

    def busy_worker(self, server):
        """The worker that computes while the others wait. Just after they worked, their times are about equal."""
        before = {pid: self.ticks(pid) for pid in self.workers(server)}
        while True:
            time.sleep(0.1)
            most = max(before, key=lambda pid: self.ticks(pid) - before[pid])
            if self.ticks(most) - before[most] >= 10:
                return most

    def test_one_that_crashes_costs_itself_alone(self):
        server = self.serve("-j2", "--timeout", "100000")
        server.ask(0, "explain")
        server.say({"id": "killed", "method": "check", "params": {"source": ENDLESS}})
        for i in range(5):
            server.say({"id": i, "method": "check", "params": {"source": GOOD}})
        heard = [server.hear() for _ in range(5)]
        self.assertEqual({answer["id"] for answer in heard}, set(range(5)))
        os.kill(self.busy_worker(server), signal.SIGSEGV)
        answer = server.hear()
        self.assertEqual(answer["id"], "killed")
        self.assert_error(answer, "crashed")
        self.assertIn("signal 11", answer["error"]["message"])
        self.assertIn("result", server.ask(9, "check", {"source": GOOD}))

    def test_cancel(self):
        server = self.serve("-j1")
        server.say({"id": 1, "method": "check", "params": {"source": ENDLESS}})
        server.say({"id": 2, "method": "check", "params": {"source": GOOD}})
        server.say({"id": 3, "method": "check", "params": {"source": GOOD}})
        server.say({"id": 4, "method": "cancel", "params": {"id": 2}})  # it waits
        self.assert_error(answer := server.hear(), "cancelled")
        self.assertEqual(answer["id"], 2)
        self.assertEqual(server.hear(), {"id": 4, "result": {"cancelled": True}})
        server.say({"method": "cancel", "params": {"id": 1}})  # it is at work
        self.assert_error(answer := server.hear(), "cancelled")
        self.assertEqual(answer["id"], 1)
        self.assertEqual(server.hear()["id"], 3)
        self.assertEqual(server.ask(5, "cancel", {"id": 77})["result"], {"cancelled": False})

    def gone(self, pids, seconds=30):
        for _ in range(seconds * 10):
            if not any(os.path.exists("/proc/%d" % pid) for pid in pids):
                return True
            time.sleep(0.1)
        return False

    def test_a_client_that_goes_away(self):
        server = self.serve("-j2")
        server.ask(0, "explain")
        server.say({"id": 1, "method": "check", "params": {"source": ENDLESS}})
        time.sleep(0.5)
        workers = self.workers(server)
        server.process.stdout.close()
        self.assertEqual(server.process.wait(30), 2)
        self.assertTrue(self.gone(workers))

    def test_a_server_that_is_killed(self):
        server = self.serve("-j2")
        server.ask(0, "explain")
        workers = self.workers(server)
        self.assertEqual(len(workers), 2)
        server.process.kill()
        self.assertTrue(self.gone(workers))

    def test_the_end_of_input(self):
        """What was asked is answered first, also a last line without an end."""
        server = self.serve()
        for i in range(20):
            server.say({"id": i, "method": "check", "params": {"source": GOOD}})
        server.process.stdin.write(b'{"id":"last","method":"explain"}')
        answers, words, code = server.end()
        self.assertEqual(({a["id"] for a in answers}, words, code), ({*range(20), "last"}, "", 0))

    def test_a_client_that_does_not_read(self):
        """More requests than may wait, with answers that nobody takes yet: nothing is lost."""
        server = self.serve()
        lines = b"".join(json.dumps({"id": i, "method": "explain"}).encode() + b"\n" for i in range(3000))
        pid = os.fork()
        if pid == 0:
            try:
                server.process.stdin.write(lines)
                server.process.stdin.flush()
            finally:
                os._exit(0)
        server.process.stdin.close()
        server.process.stdin = None
        time.sleep(1)
        seen = {json.loads(line)["id"] for line in server.process.stdout}
        os.waitpid(pid, 0)
        self.assertEqual(seen, set(range(3000)))

    def test_output_is_answers_alone(self):
        """A pragma and warnings of a compiler go elsewhere."""
        server = self.serve()
        noisy = GOOD + "#pragma message(\"{}\")\n#warning {\"id\":1}\nint unused;\n"
        self.assertEqual(server.ask(1, "judge", {"source": noisy})["id"], 1)
        answers, _, code = server.end()
        self.assertEqual((answers, code), ([], 0))

    # ---- What serve was before ----

    def test_options_of_beside(self):
        run = subprocess.run([TILERACE, "serve", "--dry-run"], stdin=subprocess.DEVNULL, capture_output=True,
                             check=False)
        self.assertEqual((run.returncode, run.stdout.count(b"\0")), (0, 4), run.stderr)


if __name__ == "__main__":
    unittest.main()

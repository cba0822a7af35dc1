"""Candidates of cuTile Python that attack their judge: what they reach, and what they are judged.

    test_confined.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy. Each attack swallows its own errors, with a kernel behind
it whose class is known: an attack may cost its candidate something, and may gain nothing.
"""
import ctypes
import os
import pathlib
import socket
import tempfile
import time

import numpy as np

from common import BUILD, PACKAGE, Case, main

import tilerace
from tilerace import _judge_process

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")

KERNEL = """
import cuda.tile as ct


@ct.kernel
def copy(x, y):
    block = ct.bid(0)
    ct.store(y, index=(block%s,), tile=ct.load(x, index=(block,), shape=(16,)))
"""
RIGHT, RACY = KERNEL % "", KERNEL % " // 2"
CONTEXT = {
    "sizes": {"n": [16, 64, 80]}, "grid": ["cdiv(n, 16)"], "samples": 2,
    "arguments": [{"name": "x", "dtype": "float32", "shape": ["n"]},
                  {"name": "y", "dtype": "float32", "shape": ["n"], "output": True}],
}


def copied(x, y):
    return x


def swallowed(*lines):
    """Each line tried by itself."""
    return "".join("try:\n    %s\nexcept BaseException: pass\n" % line.replace("\n", "\n    ")
                   for line in lines)


def can_leave_machine():
    child = os.fork()
    if child == 0:
        os._exit(0 if ctypes.CDLL(None).unshare(0x10000000 | 0x20000000 | 0x40000000 | 0x20000) == 0 else 1)
    return os.waitpid(child, 0)[1] == 0


class Attack(Case):
    def judge(self, source, **more):
        return tilerace.judge({"kernel": {"source": source}, **CONTEXT, **more}, reference=copied)

    def expect(self, classes, source, **more):
        judgement = self.judge(source, **more)
        self.assertIn(judgement.class_, classes.split("|"), str(judgement))
        return judgement


class Anywhere(Attack):
    """What holds whatever the system allows."""

    def test_kills_its_parent(self):
        attack = swallowed("import os, signal", "os.kill(os.getppid(), signal.SIGKILL)",
                           "os.killpg(os.getpgid(0), signal.SIGKILL)")
        self.expect("race|limit|does-not-compile", attack + RACY)

    def test_forks_without_end(self):
        began = time.monotonic()
        self.expect("limit|does-not-compile", "import os\nwhile True: os.fork()\n" + RIGHT)
        self.assertLess(time.monotonic() - began, 40)
        self.expect("limit|does-not-compile", "import os, time\nwhile True:\n"
                    "    if os.fork() == 0:\n        os.setsid()\n        time.sleep(100)\n" + RIGHT)

    def test_takes_memory_in_many_processes(self):
        attack = "import os, time\nfor _ in range(8):\n    if os.fork() == 0:\n" \
                 "        x = b'x' * (200 << 20)\n        time.sleep(100)\ntime.sleep(100)\n"
        judgement = self.expect("limit|does-not-compile", attack + RIGHT,
                                limits={"seconds": 60, "megabytes": 700})
        self.assertRegex(str(judgement), "megabytes|not permitted")

    def test_answers_for_the_compiler(self):
        for answer in ("{}", "[]", '{"modules": [], "of": []}', '{"modules": [{}], "of": [0, 0]}',
                       '{"modules": 3, "of": {}}', "1" * 5000, "[" * 200000,
                       '{"refused": {"x": 1}, "line": "y"}', '{"refused": "", "line": -1}',
                       '{"modules": [{"bytes": "AAAA", "symbol": "copy", "known": [{"kind": "Array", '
                       '"shape_constant": [7], "stride_constant": [1], "shape_divisible_by": [1], '
                       '"stride_divisible_by": [1]}, {"kind": "Array"}]}], "of": [0, 0]}',
                       '{"expected": {}}'):
            with self.subTest(answer[:40]):
                attack = "import os, sys\nos.write(int(sys.argv[2]), b'''%s''')\nos._exit(0)\n" % answer
                self.expect("does-not-compile|limit", attack + RIGHT)

    def test_changes_its_compiler(self):
        for line in ("import cuda.tile._compile as c\nc.compile_tile = None",
                     "import cuda.tile as ct\nct.load = lambda *_, **__: None",
                     "import tilerace._cutile as c\nc.Signed.compile = lambda self: b''",
                     "import tilerace._cutile as c\nc.Signed.__init__.__code__ = (lambda *_: None).__code__",
                     "import tilerace._judge_child as c\nc.compile_candidate = None"):
            with self.subTest(line):
                judgement = self.expect("does-not-compile", line + "\n" + RIGHT)
                self.assertIn("may not change", str(judgement))

    def test_leaves_nothing_behind(self):
        before = set(os.listdir("/proc"))
        self.expect("passed|limit|does-not-compile", "import os, time\nif os.fork() == 0:\n"
                    "    os.setsid()\n    if os.fork() == 0: time.sleep(1000)\n    os._exit(0)\n" + RIGHT)
        for name in set(os.listdir("/proc")) - before:
            try:
                words = pathlib.Path("/proc", name, "cmdline").read_bytes()
            except OSError:
                continue
            # Other tests have such children, too: theirs name another process that asked.
            self.assertFalse(b"_judge_child" in words and b"\0%d\0" % os.getpid() in words, words)

    def test_descriptors(self):
        """No file of the judge is open in it but the answer."""
        with tempfile.NamedTemporaryFile() as secret:
            os.set_inheritable(secret.fileno(), True)
            attack = "import os\nfor fd in os.listdir('/proc/self/fd'):\n    try:\n" \
                     "        path = os.readlink('/proc/self/fd/' + fd)\n    except OSError: continue\n" \
                     "    assert path != %r\n" % secret.name
            self.expect("passed", attack + RIGHT)


    def test_answers_without_end(self):
        """What it writes is neither kept nor read beyond what modules are."""
        for words in ("b'[],' * (1 << 20)", "b'x' * (1 << 20)", "b'\\n' * (1 << 20)"):
            began = time.monotonic()
            attack = "import os, sys\nwhile True: os.write(int(sys.argv[2]), %s)\n" % words
            self.assertIn("more than 16 megabytes", str(self.expect("limit", attack + RIGHT)))
            self.assertLess(time.monotonic() - began, 20)

    def test_sees_no_secret(self):
        """Of the judge's environment: what it says of itself reaches whoever sent it."""
        os.environ["A_SERVICE_TOKEN"] = "sesame"
        self.addCleanup(os.environ.pop, "A_SERVICE_TOKEN")
        judgement = self.expect("does-not-compile", "import os\nraise SystemExit(dict(os.environ))\n" + RIGHT)
        self.assertIn("TMPDIR", str(judgement))
        self.assertNotIn("sesame", str(judgement))
        self.assertNotIn("TOKEN", str(judgement))

    def test_large_sources(self):
        self.expect("passed", "# " + "x" * (30 << 20) + "\n" + RIGHT)
        self.expect("limit|does-not-compile", "x = 1\n" * (5 << 20) + RIGHT, limits={"seconds": 30, "megabytes": 1000})
        self.expect("limit|does-not-compile", "(" * (10 << 20) + RIGHT)
        with self.assertRaisesRegex(tilerace.InputError, "larger than 64 MiB"):
            self.judge("# " + "x" * (100 << 20) + "\n" + RIGHT)

    def test_texts_that_are_none(self):
        for text in ("\0", "\ud800", "x = '\ud800'", "\ufeff\ufeff", "\x1a"):
            with self.subTest(ascii(text)):
                self.expect("does-not-compile", text + "\n" + RIGHT)


class Bare(Anywhere):
    """The same where a process may not leave the machine's name spaces."""

    def setUp(self):
        super().setUp()
        code = _judge_process._CODE
        patched = code.replace("_judge_child.main()", "from tilerace import _confine; "
                               "_confine._leave_machine = lambda: (0, 0); _judge_child.main()")
        self.assertIn("_leave_machine", patched)
        _judge_process._CODE = patched
        self.addCleanup(setattr, _judge_process, "_CODE", code)


class Confined(Attack):
    """What the system has to allow."""

    def setUp(self):
        super().setUp()
        if not can_leave_machine():
            self.skipTest("this system lets no process leave its name spaces")

    def test_edits_its_judge(self):
        program = pathlib.Path(os.environ["TILERACE_PROGRAM"])
        targets = [PACKAGE / "tilerace" / "_judge.py", PACKAGE / "tilerace" / "new.py", program,
                   self.folder / "reference.py", pathlib.Path("/etc/tilerace-was-here"),
                   pathlib.Path(tempfile.gettempdir()) / "tilerace-was-here"]
        (self.folder / "reference.py").write_text("def f(x, y):\n    return x\n")
        before = [path.read_bytes() if path.exists() else None for path in targets]
        attack = "".join(swallowed("open(%r, 'a').write('# x')" % str(path), "import os\nos.remove(%r)" % str(path),
                                   "import os\nos.rename(%r, %r)" % (str(path), str(path) + "2"))
                         for path in targets)
        self.expect("race", attack + RACY)
        self.assertEqual(before, [path.read_bytes() if path.exists() else None for path in targets])
        # Nor may it undo that.
        mounts = "import ctypes\nlibc = ctypes.CDLL(None)\nlibc.unshare(0x10020000)\n" \
                 "if libc.mount(None, b'/', None, 32 | 4096, None) == 0: os._exit(1)\n"
        child = "import os\nchild = os.fork()\nif child == 0:\n    try:\n        %s\n" \
                "    finally: os._exit(0)\nassert os.waitpid(child, 0)[1] == 0\n"
        self.expect("race", child % (mounts + attack).replace("\n", "\n        ") + RACY)
        self.assertEqual(before, [path.read_bytes() if path.exists() else None for path in targets])

    def test_fills_the_disk(self):
        """All that it can write goes into a file system of its own, which is small."""
        free = os.statvfs(tempfile.gettempdir()).f_bavail
        attack = "import os\nwritten = 0\ntry:\n    for i in range(100):\n        for folder in " \
                 "(os.environ['TMPDIR'], '.', '/tmp', '/dev/shm'):\n            try:\n" \
                 "                written += open(folder + '/f%d' % i, 'wb').write(b'x' * (8 << 20))\n" \
                 "            except OSError: pass\nfinally:\n    assert written < 300 << 20, written\n"
        self.expect("race", attack + RACY)
        self.assertGreater(os.statvfs(tempfile.gettempdir()).f_bavail, free - (64 << 20) // 4096)

    def test_uses_the_network(self):
        with socket.socket() as server:
            server.bind(("127.0.0.1", 0))
            server.listen()
            server.settimeout(0.1)
            attack = "import socket\ntry:\n    socket.create_connection(('127.0.0.1', %d), 1)\n" \
                     "except OSError: pass\nelse: raise SystemExit(1)\n" % server.getsockname()[1]
            self.expect("race", attack + RACY)
            with self.assertRaises(OSError):
                server.accept()

    def test_sees_no_other_process(self):
        me = os.getpid()
        attack = "import os, signal\nfor pid in (%d, %d):\n    try:\n        os.kill(pid, signal.SIGKILL)\n" \
                 "    except ProcessLookupError: pass\n" % (me, os.getppid())
        self.expect("race", attack + RACY)

    def test_opens_no_device(self):
        attack = "import os, stat\nfor root, _, files in os.walk('/dev'):\n    for name in files:\n" \
                 "        path = os.path.join(root, name)\n" \
                 "        if path in ('/dev/null', '/dev/zero', '/dev/random', '/dev/urandom'): continue\n" \
                 "        try:\n            is_a = os.lstat(path).st_mode\n" \
                 "            if stat.S_ISCHR(is_a) or stat.S_ISBLK(is_a):\n                os.close(os.open(path, os.O_RDONLY | os.O_NONBLOCK))\n" \
                 "                assert False, path\n        except OSError: pass\nopen('/dev/null', 'w').write('x')\n"
        self.expect("race", attack + RACY)


class References(Case):
    """A reference is confined as a candidate is."""

    def test_wrong_ones(self):
        for text, words in (("import sys, os\nos.write(int(sys.argv[2]), b'{}')\nos._exit(0)\n", "in place of"),
                            ("def f(x, y):\n    x = []\n    while True: x.append('x' * (1 << 24))\n", "."),
                            ("open('/tmp/tilerace-was-here', 'w')\ndef f(x, y):\n    return x\n",
                             "Read-only" if can_leave_machine() else None)):
            path = self.folder / "r.py"
            path.write_text(text)
            if words is not None:
                with self.assertRaisesRegex(tilerace.InputError, words):
                    tilerace.judge({"kernel": {"source": RIGHT}, **CONTEXT, "reference": "%s:f" % path,
                                    "limits": {"seconds": 20, "megabytes": 1024}})

    def test_changes_its_inputs(self):
        """What it does to its inputs reaches no candidate."""
        path = self.folder / "r.py"
        path.write_text("def f(x, y):\n    y[:] = x\n    x[:] = 0\n")
        judgement = tilerace.judge({"kernel": {"source": RIGHT}, **CONTEXT, "reference": "%s:f" % path})
        self.assertEqual(judgement.class_, "passed", str(judgement))

    def test_outputs_of_functions_are_copies(self):
        judgement = tilerace.judge({"kernel": {"source": RIGHT}, **CONTEXT}, reference=lambda x, y: np.array(x))
        self.assertEqual(judgement.class_, "passed", str(judgement))


if __name__ == "__main__":
    main()

"""Candidates of cuTile Python that have another kernel judged in place of their own, by whatever the process
that compiles them has: none of them passes.

    test_forged.py BUILD_FOLDER

The Python that runs it has cuda-tile and numpy. The kernel that each text shows races, or does nothing;
what is put in its place is right. With that right kernel as the text, the same attacks gain nothing.
"""
import os

from common import BUILD, Case, main
from test_confined import CONTEXT, RACY, RIGHT, copied

import tilerace
from tilerace import _inert

os.environ["TILERACE_PROGRAM"] = str(BUILD / "tilerace")

# What an attack may use: `forged()` is what the process would answer of the right kernel.
FORGE = """
import json, os, sys
def forged():
    from tilerace import _judge_child
    file = os.environ["TMPDIR"] + "/right.py"
    open(file, "w").write(%r)
    request = json.load(open(sys.argv[1] + "/request.json"))
    request.update(file=file, kernel="copy")
    return _judge_child._compiled(_judge_child.load(file, "forged"), request, sys.argv[1])
def answer(times):
    os.write(int(sys.argv[2]), (json.dumps(forged()) + "\\n").encode() * times)
    os._exit(0)
""" % RIGHT
ONCE = FORGE + "answer(1)\n"

# Each has run when its kernel is compiled anew; what stands for the kernel's text comes first.
RUN = {
    "answers itself": "%s" + ONCE,
    "answers before its text": ONCE + "%s",
    "encodes another module": "%s" + FORGE + """
import base64
right, encode = forged(), base64.b64encode
left = [base64.b64decode(of["bytes"]) for of in right["modules"]]
base64.b64encode = lambda data: encode(left.pop(0))
""",
    "prints another answer": "%s" + FORGE + """
text = json.dumps(forged())
json.dumps = lambda *_: text
""",
    "has another source": "%s" + """
import inspect
find = inspect.findsource
inspect.findsource = lambda of: ([line.replace(" // 2", "") for line in find(of)[0]], find(of)[1])
""",
    "has another source in a cache": "%s" + """
import linecache, sys
lines = [line.replace(" // 2", "") for line in linecache.getlines(__file__)]
linecache.cache[__file__] = (len("".join(lines)), None, lines, __file__)
linecache.checkcache = lambda *_: None
""",
    "binds its kernel anew": "%s" + "exec(%r)\n" % RIGHT,
    "binds its kernel anew by the module": "%s" + "import sys\nright = {}\nexec(%r, right)\n"
                                           "globals()['copy'] = right['copy']\n" % RIGHT,
    "exchanges the function": "%s" + """
import os
file = os.environ["TMPDIR"] + "/right.py"
open(file, "w").write(%r)
import importlib.util
spec = importlib.util.spec_from_file_location("right", file)
right = importlib.util.module_from_spec(spec)
spec.loader.exec_module(right)
copy._annotated_function = right.copy._annotated_function
""" % RIGHT,
    "changes the request": "%s" + """
import gc
for of in gc.get_objects():
    if isinstance(of, dict) and "samples" in of and "role" in of:
        of["samples"] = [[dict(spec, shape=[16], strides=[1], elements=16) if "shape" in spec else spec
                          for spec in sample] for sample in of["samples"]]
""",
    "changes what called it": "%s" + """
import sys
frame = sys._getframe()
while frame is not None:
    for value in list(frame.f_locals.values()):
        if isinstance(value, dict) and "role" in value:
            value["file"] = "/dev/null"
            value["kernel"] = None
    frame = frame.f_back
""",
    "waits in a thread": "%s" + FORGE + """
import threading, time
right = forged()
def wait():
    while True:
        sys.modules["tilerace._judge_child"]._compiled = lambda *_: right
        sys.modules["cuda.tile.compilation"].export_kernel = lambda kernel, signatures, out, **_: out.write(b"x")
threading.Thread(target=wait, daemon=True).start()
time.sleep(0.2)
""",
    "looks at each call": "%s" + FORGE + """
right = forged()
def look(frame, event, argument):
    if frame.f_code.co_name == "_write" and event == "call":
        frame.f_locals["answer"].clear()
        frame.f_locals["answer"].update(right)
    return look
sys.settrace(look)
sys.setprofile(look)
""",
    "answers at its end": "%s" + FORGE + """
import atexit
atexit.register(answer, 1)
os._exit = sys.exit
""",
    "answers from another process": "%s" + FORGE + """
try:
    child = os.fork()
except PermissionError:  # where it may start none
    child = 0
if child == 0:
    answer(1)
os.waitpid(child, 0)
os._exit(0)
""",
    "is another module": "%s" + """
import sys, types
right = types.ModuleType("candidate")
exec(%r, right.__dict__)
sys.modules["candidate"] = right
""" % RIGHT,
    "exchanges our module": "%s" + FORGE + """
import types
right = forged()
ours = types.ModuleType("tilerace._cutile")
ours.__dict__.update(sys.modules["tilerace._cutile"].__dict__)
class Signed(ours.Signed):
    def compile(self, *_):
        import base64
        return base64.b64decode(right["modules"][0]["bytes"])
ours.Signed = Signed
sys.modules["tilerace._cutile"] = ours
import tilerace
tilerace._cutile = ours
""",
    "changes a type": "%s" + FORGE + """
import base64, ctypes, gc, io
right = base64.b64decode(forged()["modules"][0]["bytes"])
type_ = gc.get_referents(io.BytesIO.__dict__)[0]
type_["getvalue"] = lambda self: right
ctypes.pythonapi.PyType_Modified(ctypes.py_object(io.BytesIO))
""",
    "has a buffer of its own": "%s" + FORGE + """
import base64, io
right = base64.b64decode(forged()["modules"][0]["bytes"])
class Buffer(io.BytesIO):
    def getvalue(self):
        return right
io.BytesIO = Buffer
""",
    "changes the environment": "%s" + """
import os
os.environ.update(TILERACE_PROGRAM="/bin/true", TILERACE_LIBRARY="/nowhere", LD_PRELOAD="/nowhere", PATH="/nowhere")
""",
    "imports by its own rules": "%s" + FORGE + """
import importlib.abc
class Finder(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path, target=None):
        answer(1)
sys.meta_path.insert(0, Finder())
sys.path_hooks.insert(0, lambda path: answer(1))
import a_module_that_is_not_there
""",
    "removes builtins": "%s" + """
import builtins
builtins.slice = builtins.isinstance = None
""",
    "is destroyed": "%s" + FORGE + """
class End:
    def __del__(self):
        answer(1)
end = End()
del end
""",
}

# Each would have its code run while the text alone is compiled, if that ran anything of it.
CODE = "exec(%r)" % (FORGE + "answer(2)\n")
KERNEL = "import cuda.tile as ct\nimport math\n%s\n%s\ndef copy(x%s, y):\n    block = ct.bid(0)\n    %s\n" \
         "    ct.store(y, index=(block // 2,), tile=ct.load(x, index=(block,), shape=(16,)))\n"


def text(before="", decorator="@ct.kernel", annotation="", body="pass"):
    return KERNEL % (before, decorator, annotation, body)


TEXTS = {
    "annotation": text(annotation=": " + CODE),
    "annotation in a text": text(annotation=": %r" % CODE),
    "annotation in a text in a text": text(annotation=": %r" % repr(CODE)),
    "annotation by name": text("A = %r" % CODE, annotation=": A"),
    "annotation of two texts": text("A = 'exec' + %r" % CODE[4:], annotation=": A"),
    "annotation that is put together": text("A = '%%s' %% (%r,)" % CODE, annotation=": A"),
    "default": text(annotation="=" + CODE),
    "decorator": text(decorator="@ct.kernel\n@(lambda f: %s)" % CODE),
    "argument of the decorator": text(decorator="@ct.kernel(occupancy=%s)" % CODE),
    "constant": text("B = " + CODE, body="block = block + B"),
    "function for a builtin": text("def len(x):\n    pass\nB = len(%s)" % CODE, body="block = block + B"),
    "builtin by another name": text("import builtins as math\nB = math.exec(%r)" % CODE, body="block = block + B"),
    "builtin in a comprehension": text("B = [len(%r) for len in [exec]]" % CODE, body="c = B"),
    "static_eval": text(body="ct.static_eval(%s)" % CODE),
    "static_eval by another name": text("from cuda.tile import static_eval as e", body="e(%s)" % CODE),
    "static_eval of another module": text("m = ct", body="m.static_eval(%s)" % CODE),
    "static_eval with a local builtin": text(body="len = eval\n    ct.static_eval(len(%r))" % CODE),
    "static_eval with a local module": text(body="math = __import__('builtins')\n    ct.static_eval(math.exec(%r))" % CODE),
    "static_eval by getattr": text(body="getattr(ct, 'static_' + 'eval')(%s)" % CODE),
    "static_assert": text(body="ct.static_assert(%s)" % CODE),
    "static_iter": text(body="for i in ct.static_iter([%s]):\n        pass" % CODE),
    "static_def": text("@ct.static_def\ndef f():\n    %s" % CODE, body="f()"),
    "a class": text("class C:\n    %s" % CODE, body="c = C"),
    "a module of its own": text("from candidate_helpers import B", body="block = block + B"),
    "__builtins__": text("B = __builtins__['exec'](%r)" % CODE, body="block = block + B"),
    "a method": text("B = ''.join([%s])" % CODE, body="block = block + B"),
    "a walrus": text("B = (f := exec)(%r)" % CODE, body="block = block + B"),
}


class Forged(Case):
    def judge(self, source, **more):
        return tilerace.judge({"kernel": {"source": source, "name": "copy"}, **CONTEXT, **more}, reference=copied)

    def test_code_that_runs(self):
        for name, attack in RUN.items():
            with self.subTest(name):
                judgement = self.judge(attack.replace("%s", RACY, 1))
                self.assertIn(judgement.class_, ("race", "does-not-compile", "limit"), str(judgement))

    def test_code_that_runs_beside_a_right_kernel(self):
        """Whatever it does, the class is one of its own."""
        for name in ("changes the environment", "binds its kernel anew", "exchanges our module"):
            with self.subTest(name):
                judgement = self.judge(RUN[name].replace("%s", RIGHT, 1))
                self.assertIn(judgement.class_, ("passed", "does-not-compile"), str(judgement))

    def test_texts(self):
        for name, source in TEXTS.items():
            with self.subTest(name):
                judgement = self.judge(source)
                self.assertNotEqual(judgement.class_, "passed", str(judgement))

    def test_kernels_that_code_makes(self):
        """They are judged, and what they pass is not believed unless the context says so."""
        made = "import cuda.tile as ct\ndef make(n):\n    @ct.kernel\n    def copy(x, y):\n        b = ct.bid(0)\n" \
               "        ct.store(y, index=(b%s,), tile=ct.load(x, index=(b,), shape=(n,)))\n" \
               "    return copy\ncopy = make(16)\n"
        judgement = self.judge(made % "")
        self.assertEqual(judgement.class_, "unknown", str(judgement))
        self.assertFalse(judgement.should_filter)
        self.assertLess(judgement.score, 1)
        why = {stage.name: stage.why for stage in judgement.stages}["compiles"]
        self.assertIn("line 8 calls what could be anything", why)
        self.assertEqual(self.judge(made % "", trusted=True).class_, "passed")
        for trusted in (False, True):
            self.assertEqual(self.judge(made % " // 2", trusted=trusted).class_, "race")


class Parts(Case):
    """What is inert."""

    def part(self, source, kernel=None):
        return [type(node).__name__ for node in _inert.part_of(source, "candidate.py", kernel).body]

    def test_plain_ones(self):
        head = "import cuda.tile as ct\n"
        tail = "@ct.kernel\ndef k(x, N: ct.Constant[int]):\n    ct.store(x, (0,), f(N, A))\n"
        for source in (
                "A = 1\ndef f(n, a):\n    return n\n",
                "from math import log as l\nA = 1 / l(2)\nf = max\n",
                "try:\n    import torch\nexcept ImportError:\n    torch = None\nA = (1, 2)[0]\nf = 1\n"
                "class Model(torch.nn.Module if torch else object):\n    pass\n",
                "import torch\nA: int = 3\ndef f(n: 'ct.Constant[int]', a) -> 'torch.Tensor':\n    pass\n"
                "if __name__ == '__main__':\n    A = 4\n    print(A)\n",
                "C = ct.Constant[int]\nA, B = 2, 3\ndef f(n: C, a=3 * A):\n    return ct.static_eval(max(n, A) + 1)\n"):
            with self.subTest(source):
                self.part(head + source + tail)
        self.assertEqual(self.part(head + "print('x')\nA = 1\nf = 2\nx = open('y')\n" + tail, "k"),
                         ["Import", "Assign", "Assign", "FunctionDef"])
        self.assertEqual(self.part("from __future__ import annotations\n" + head + "def g(): pass\nk = ct.kernel(g)\n"),
                         ["ImportFrom", "Import", "FunctionDef", "Assign"])

    def test_others(self):
        head, tail = "import cuda.tile as ct\n", "@ct.kernel\ndef k(x):\n    ct.store(x, (0,), A)\n"
        for source, words in (
                ("A = 1\nA = 2\n", "line 3 binds 'A' anew"), ("A = 1\nfor A in range(3): pass\n", "binds 'A' anew"),
                ("A = 1\ndef f():\n    global A\n    A = 2\n", "binds 'A' anew"), ("A = 1\ndel A\n", "anew"),
                ("A = 1\nif x:\n    import A\n", "anew"), ("A = 1\nmatch x:\n    case A: pass\n", "anew"),
                ("A = 1\ntry: pass\nexcept ValueError as A: pass\n", "anew"), ("A = 1\nA += 1\n", "anew"),
                ("A = 1\nclass A: pass\n", "anew"), ("A = 1\nwith x as A: pass\n", "anew"),
                ("A = 1\nprint(A := 2)\n", "anew"), ("A = 1\nmatch x:\n    case {**A}: pass\n", "anew"),
                ("A = ct.load = 1\n", "something else than a name"), ("A, ct.load = 1, 2\n", "than a name"),
                ("A = list((1, 2))\n", "could be anything"), ("x = [1]\nA = x[0] = 3\n", "than a name"),
                ("A = input()\n", "calls what could be anything"),
                ("A = ct._x\n", "takes '_x'"), ("A = eval\n", "takes 'eval'"), ("A = 'f()'\n", "could be evaluated"),
                ("from a import A\n", "imports 'a'"), ("from . import A\n", "from a package"),
                ("import cuda.tile._stub as A\n", "imports 'cuda.tile._stub'"), ("A = lambda: 1\n", "is evaluated"),
                ("A = 1\nif __name__ != '__main__':\n    A = 2\n", "anew"),
                ("A = 1\nif __name__ == '__main__':\n    pass\nelse:\n    A = 2\n", "anew"),
                ("A = 1\ntry:\n    import x\nexcept ImportError:\n    A = 2\n", "anew"),
                ("async def A(): pass\n@A\ndef B(): pass\nA = B\n", "anew")):
            with self.subTest(source):
                with self.assertRaisesRegex(_inert.Alive, words):
                    self.part(head + source + tail)
        for source, kernel in (("x = 1\n", None), (head, "k"), (head + "class k: pass\n", "k")):
            with self.assertRaises(_inert.Alive):
                self.part(source, kernel)


if __name__ == "__main__":
    main()

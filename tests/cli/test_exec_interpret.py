"""tilerace exec --interpret: programs whose own checks of their results pass, because each launch is
executed in their memory, and launches that cannot be.

    test_exec_interpret.py BUILD_FOLDER
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import textwrap
import unittest

BUILD = pathlib.Path(sys.argv.pop(1) if len(sys.argv) > 1 else "build/default").resolve()
TILERACE = str(BUILD / "tilerace")
ROOT = pathlib.Path(__file__).resolve().parents[2]
PYTHON = str(ROOT / "build/capture/bin/python3")
HEAD = "import sys\nimport cuda.tile as ct\nimport numpy as np\n"
ADD = """
    @ct.kernel
    def add(a, b, c):
        i = ct.bid(0)
        x = ct.load(a, index=(i,), shape=(64,))
        ct.store(c, index=(i,), tile=x + ct.load(b, index=(i,), shape=(64,)))
"""
NUMBER = """
    @ct.kernel
    def number(index):
        ct.store(index, index=(ct.bid(0),),
                 tile=ct.full((1,), ct.num_blocks(0) - 1 - ct.bid(0), ct.int32))

    @ct.kernel
    def place(index, x, y):
        i = ct.bid(0)
        row = ct.load(index, index=(i,), shape=(1,)).item()
        ct.store(y, index=(row, 0), tile=ct.load(x, index=(i, 0), shape=(1, 64)))
"""
KERNELS = """#include <tile.h>
tile_kernel void add_one(int *x, int n)
{
    tile_view v = tile_partition(tile_tensor(x, n), 64);
    tile_store(v, tile_load(v, tile_bid(0)) + 1, tile_bid(0));
}
"""
DRIVER = """
    #include "stand_in/functions.h"
    #include <stdio.h>
    static char image[1 << 20];
    enum { N = 200, LAUNCHES = 3 };
    int main(int n, char **words)
    {
        cu_handle context, module, add, graph, fill, node, ready;
        cu_address x;
        int device, values[N], size = N, bad = 0;
        FILE *file = fopen("k.tilebc", "rb");
        bad |= !fread(image, 1, sizeof image, file);
        bad |= cuInit(0) | cuDeviceGet(&device, 0);
        bad |= cuDevicePrimaryCtxRetain(&context, device) | cuCtxSetCurrent(context);
        bad |= cuModuleLoadData(&module, image) | cuModuleGetFunction(&add, module, "add_one");
        bad |= cuMemAlloc_v2(&x, sizeof values);
        for (int i = 0; i < N; i++)
            values[i] = i;
        bad |= cuMemcpyHtoD_v2(x, values, sizeof values);
        void *arguments[] = {&x, &size};
        if (n > 1) {
            cu_kernel_node k = {
                .function = add, .grid = {4, 1, 1}, .block = {1, 1, 1}, .parameters = arguments};
            cu_memset_node zero = {.to = x, .element_bytes = 4, .width = 7, .height = 1};
            bad |= cuGraphCreate(&graph, 0);
            bad |= cuGraphAddMemsetNode(&fill, graph, NULL, 0, &zero, NULL);
            bad |= cuGraphAddKernelNode_v2(&node, graph, &fill, 1, &k);
            bad |= cuGraphInstantiateWithFlags(&ready, graph, 0);
            bad |= cuMemcpyDtoH_v2(values, x, sizeof values) || values[5] != 5;
            for (int i = 0; i < LAUNCHES; i++)
                bad |= cuGraphLaunch(ready, NULL);
        } else {
            for (int i = 0; i < LAUNCHES; i++)
                bad |= cuLaunchKernel(add, 4, 1, 1, 1, 1, 1, 0, NULL, arguments, 0);
        }
        bad |= cuCtxSynchronize() | cuMemcpyDtoH_v2(values, x, sizeof values);
        for (int i = 0; i < N; i++)
            bad |= values[i] != (n > 1 && i < 7 ? 1 : i + LAUNCHES);
        return bad ? 100 : 0;
    }
"""


HALF = """tile_kernel void half(int *x, int n)
{
    tile_store(tile_partition(tile_tensor(x, n), 64), tile_zeros(int, 64), tile_bid(0) / 2);
}
"""
TABLES = """tile_kernel void number(int *index, int n)
{
    index[tile_bid(0)] = n / 64 - 1 - tile_bid(0);
}
tile_kernel void place(int *x, int n, const int *index)
{
    tile_view v = tile_partition(tile_tensor(x, n), 64);
    tile_store(v, tile_zeros(int, 64) + tile_bid(0), index[tile_bid(0)]);
}
"""
# graphs HOW KERNEL...: a graph of these launches, by its nodes or by a captured stream, is launched
# twice; says what came of both, and one element of each of four tiles.
GRAPHS = """
    #include "stand_in/functions.h"
    #include <stdio.h>
    #include <string.h>
    static char image[1 << 20];
    enum { N = 256 };
    int main(int n, char **words)
    {
        cu_handle context, module, kernel, graph, node = NULL, ready, stream;
        cu_address x, index;
        int device, values[N], size = N, bad = 0, result[2];
        FILE *file = fopen("k.tilebc", "rb");
        bad |= !fread(image, 1, sizeof image, file);
        bad |= cuInit(0) | cuDeviceGet(&device, 0);
        bad |= cuDevicePrimaryCtxRetain(&context, device) | cuCtxSetCurrent(context);
        bad |= cuModuleLoadData(&module, image) | cuStreamCreate(&stream, 0);
        bad |= cuMemAlloc_v2(&x, sizeof values) | cuMemAlloc_v2(&index, 4 * sizeof(int));
        bad |= cuMemsetD32_v2(x, 5, N) | cuMemsetD32_v2(index, 0, 4);
        int captures = strcmp(words[1], "captured") == 0;
        bad |= captures ? cuStreamBeginCapture_v2(stream, 0) : cuGraphCreate(&graph, 0);
        for (int i = 2; i < n; i++) {
            void *arguments[] = {strcmp(words[i], "number") ? &x : &index, &size, &index};
            bad |= cuModuleGetFunction(&kernel, module, words[i]);
            cu_kernel_node k = {
                .function = kernel, .grid = {4, 1, 1}, .block = {1, 1, 1}, .parameters = arguments};
            cu_handle before = node;
            if (captures)
                bad |= cuLaunchKernel(kernel, 4, 1, 1, 1, 1, 1, 0, stream, arguments, NULL);
            else
                bad |= cuGraphAddKernelNode_v2(&node, graph, &before, before != NULL, &k);
        }
        bad |= captures ? cuStreamEndCapture(stream, &graph) : 0;
        bad |= cuGraphInstantiateWithFlags(&ready, graph, 0);
        for (int i = 0; i < 2; i++)
            result[i] = cuGraphLaunch(ready, stream);
        bad |= cuMemcpyDtoH_v2(values, x, sizeof values);
        printf("%d %d: %d %d %d %d\\n", result[0], result[1], values[0], values[64], values[128],
               values[192]);
        return bad ? 100 : 0;
    }
"""


class Interpret(unittest.TestCase):
    def setUp(self):
        kept = tempfile.TemporaryDirectory()
        self.addCleanup(kept.cleanup)
        self.folder = pathlib.Path(kept.name)

    def run_program(self, *command, options=()):
        return subprocess.run([TILERACE, "exec", "--interpret", "--no-recording", *options, "--",
                               *command], cwd=self.folder, capture_output=True, text=True,
                              check=False, timeout=300, env=os.environ)

    def run_python(self, *text, options=()):
        script = self.folder / "program.py"
        script.write_text(HEAD + "".join(map(textwrap.dedent, text)))
        return self.run_program(PYTHON, str(script), options=options)

    def expect(self, run, code, *said):
        self.assertEqual(run.returncode, code, run.stderr)
        for words in said:
            self.assertIn(words, run.stderr)
        return run

    # ---- Results ----

    def test_right_results(self):
        run = self.run_python(ADD, """
            a, b = (np.random.rand(1000).astype(np.float32) for _ in range(2))
            c = np.zeros(1000, np.float32)
            ct.launch(None, (16,), add, (a, b, c))
            np.testing.assert_array_equal(c, a + b)
            print("right")
        """)
        self.expect(run, 0, "1 held", "launches: 1 interpreted, 0 not interpreted\n")
        self.assertEqual(run.stdout, "right\n")

    def test_wrong_results(self):
        """Found by the program's own check, whose exit code stays."""
        run = self.run_python(ADD, """
            a, c = np.ones(128, np.float32), np.zeros(128, np.float32)
            ct.launch(None, (2,), add, (a, a, c))
            np.testing.assert_array_equal(c, 2 * a)
            ct.launch(None, (2,), add, (a, c, c))
            try:
                np.testing.assert_array_equal(c, 2 * a)
            except AssertionError:
                sys.exit(7)
        """)
        self.expect(run, 7, "2 interpreted, 0 not interpreted", "program's own")

    def test_products_and_functions(self):
        run = self.run_python("""
            @ct.kernel
            def matmul(a, b, c, n: ct.Constant[int]):
                i, j = ct.bid(0), ct.bid(1)
                acc = ct.zeros((32, 32), ct.float32)
                for k in range(n):
                    x = ct.load(a, index=(i, k), shape=(32, 32))
                    acc = ct.mma(x, ct.load(b, index=(k, j), shape=(32, 32)), acc)
                ct.store(c, index=(i, j), tile=acc)

            @ct.kernel
            def softmax(x, y, n: ct.Constant[int]):
                t = ct.load(x, index=(ct.bid(0), 0), shape=(1, n))
                e = ct.exp(t - ct.max(t, 1, keepdims=True))
                ct.store(y, index=(ct.bid(0), 0), tile=e / ct.sum(e, 1, keepdims=True))

            @ct.kernel
            def histogram(values, counts):
                ct.atomic_add(counts, (ct.load(values, index=(ct.bid(0),), shape=(64,)),), 1)

            for kind in np.float16, np.float32:
                a, b = np.random.rand(100, 96).astype(kind), np.random.rand(96, 70).astype(kind)
                c = np.zeros((100, 70), np.float32)
                ct.launch(None, (4, 3), matmul, (a, b, c, 3))
                np.testing.assert_allclose(c, a.astype(np.float64) @ b, rtol=1e-5)
            y = np.zeros((50, 64), np.float32)
            x = np.random.rand(*y.shape).astype(np.float32)
            ct.launch(None, (50,), softmax, (x, y, 64))
            e = np.exp(x - x.max(1, keepdims=True))
            np.testing.assert_allclose(y, e / e.sum(1, keepdims=True), rtol=1e-5)
            v, counts = np.random.randint(0, 10, 640).astype(np.int32), np.zeros(10, np.int32)
            ct.launch(None, (10,), histogram, (v, counts))
            np.testing.assert_array_equal(counts, np.bincount(v, minlength=10))
        """)
        self.expect(run, 0, "4 interpreted, 0 not interpreted", "4 held")

    def test_what_an_earlier_launch_wrote(self):
        """It is there, so it is read, and looked at where a precondition asks for it."""
        launches = """
            index, x = np.zeros(50, np.int32), np.random.rand(50, 64).astype(np.float32)
            y = np.zeros_like(x)
            ct.launch(None, (50,), number, (index,))
            %s
            ct.launch(None, (50,), place, (index, x, y))
            %s
        """
        run = self.run_python(NUMBER, launches % ("", "np.testing.assert_array_equal(y, x[::-1])"))
        self.expect(run, 0, "2 interpreted, 0 not interpreted", "launches: 2 held\n")
        run = self.run_python(NUMBER, launches % ("index[7] = 3", ""))
        self.expect(run, 1, "2 interpreted", "1 held, 1 raced", "index[7] = 3")

    def test_views_of_one_array(self):
        """They share their memory in the kernel too."""
        run = self.run_python("""
            @ct.kernel
            def shift(a, b):
                i = ct.bid(0)
                ct.store(b, index=(i,), tile=ct.load(a, index=(i,), shape=(32,)) + 1)

            z = np.arange(96, dtype=np.int32)
            ct.launch(None, (2,), shift, (z[:64], z[32:]))
            np.testing.assert_array_equal(z, np.concatenate([np.arange(32) + k for k in range(3)]))
            z = np.arange(12 * 32, dtype=np.int32).reshape(12, 32)
            rows = z[::3]
            assert not rows.flags.c_contiguous
            ct.launch(None, (1,), shift, (rows[0], rows[2]))
            np.testing.assert_array_equal(z[6], np.arange(1, 33))
            np.testing.assert_array_equal(z[7:].ravel(), np.arange(7 * 32, 12 * 32))
        """)
        self.expect(run, 1, "1 raced", "2 interpreted, 0 not interpreted")

    def test_a_racy_kernel(self):
        """It is reported, and executed all the same."""
        run = self.run_python("""
            @ct.kernel
            def racy(x):
                ct.store(x, index=(ct.bid(0) // 2,), tile=ct.full((16,), ct.bid(0), ct.int32))

            x = np.full(64, -1, np.int32)
            ct.launch(None, (8,), racy, (x,))
            assert (x[::16] // 2 == np.arange(4)).all(), x
        """)
        self.expect(run, 1, "[TR001]", "1 interpreted, 0 not interpreted", "checker's")

    def test_lists_of_arrays(self):
        run = self.run_python("""
            @ct.kernel
            def total(many, out):
                acc = ct.zeros((16,), ct.float32)
                for k in range(len(many)):
                    acc = acc + ct.load(many[k], index=(ct.bid(0),), shape=(16,))
                ct.store(out, index=(ct.bid(0),), tile=acc)

            many = [np.arange(40, dtype=np.float32) * k for k in range(1, 4)]
            out = np.zeros(40, np.float32)
            for k in range(1, 4):
                ct.launch(None, (3,), total, (many, out))
                np.testing.assert_array_equal(out, sum(many))
                many[k % 3] = many[2]
        """)
        self.expect(run, 0, "3 interpreted, 0 not interpreted")

    def test_many_launches(self):
        """What changes nothing is executed once."""
        run = self.run_python(ADD, """
            a, c = np.ones(64, np.float32), np.zeros(64, np.float32)
            for _ in range(1000):
                ct.launch(None, (1,), add, (a, a, c))
            assert (c == 2).all()
            for i in range(100):
                a[5] = i
                ct.launch(None, (1,), add, (a, a, c))
                assert c[5] == 2 * i and c[6] == 2
        """)
        self.expect(run, 0, "102 interpreted, 0 not interpreted", "1 held")

    def test_large_arrays(self):
        run = self.run_python(ADD, """
            a, b = np.random.rand(2, 5 << 20).astype(np.float32)
            c = np.zeros_like(a)
            ct.launch(None, (1000,), add, (a, b, c))
            np.testing.assert_array_equal(c[:64000], (a + b)[:64000])
            assert not c[64000:].any()
        """)
        self.expect(run, 0, "1 interpreted, 0 not interpreted")

    def test_programs_on_the_driver(self):
        (self.folder / "k.c").write_text(KERNELS)
        (self.folder / "driver.c").write_text(DRIVER)
        subprocess.run([TILERACE, "compile", "k.c", "-o", "k.tilebc"], cwd=self.folder, check=True)
        subprocess.run(["gcc", f"-I{ROOT}/capture", "-o", "driver", "driver.c",
                        f"-L{BUILD}/capture/stand_in", "-l:libcuda.so.1"], cwd=self.folder,
                       check=True)
        self.expect(self.run_program("./driver"), 0, "3 interpreted, 0 not interpreted")
        self.expect(self.run_program("./driver", "graph"), 0, "3 interpreted, 0 not interpreted")

    def run_graph(self, *words, options=()):
        (self.folder / "k.c").write_text(KERNELS + (HALF if "half" in words else TABLES))
        subprocess.run([TILERACE, "compile", "k.c", "-o", "k.tilebc"], cwd=self.folder, check=True)
        if not (self.folder / "graphs").exists():
            (self.folder / "graphs.c").write_text(GRAPHS)
            subprocess.run(["gcc", f"-I{ROOT}/capture", "-o", "graphs", "graphs.c",
                            f"-L{BUILD}/capture/stand_in", "-l:libcuda.so.1"], cwd=self.folder,
                           check=True)
        return self.run_program("./graphs", *words, options=options)

    def test_graphs_are_executed_node_by_node(self):
        """What one node writes is what the next one reads, as contents too."""
        for how in "nodes", "captured":
            run = self.expect(self.run_graph(how, "number", "place", "add_one"), 0, "3 held",
                              "6 interpreted, 0 not interpreted")
            self.assertEqual(run.stdout, "0 0: 4 3 2 1\n")
            run = self.expect(self.run_graph(how, "place"), 1, "1 raced", "2 interpreted")
            self.assertIn("reads arg2[0] = 0", run.stderr)

    def test_a_race_in_a_graph(self):
        """It is told and executed, or with --stop-at-race ends the graph: what comes before it in
        the graph has happened, and at each launch of the graph again."""
        for how in "nodes", "captured":
            words = how, "add_one", "half", "add_one"
            run = self.expect(self.run_graph(*words), 1, "1 held, 1 raced", "6 interpreted")
            self.assertEqual(run.stdout, "0 0: 1 1 9 9\n")
            run = self.expect(self.run_graph(*words, options=("--stop-at-race",)), 1,
                              "1 held, 1 raced", "2 interpreted, 0 not interpreted")
            self.assertEqual(run.stdout, "719 719: 7 7 7 7\n")

    def test_a_race_that_must_not_happen(self):
        """With --stop-at-race it changes no memory, and the program goes on behind the error."""
        run = self.run_python("""
            @ct.kernel
            def half(x):
                ct.store(x, (ct.bid(0) // 2,), ct.zeros((16,), ct.float32))
            x = np.ones(64, np.float32)
            for _ in range(2):
                try:
                    ct.launch(None, (4,), half, (x,))
                except RuntimeError as error:
                    print(error)
            assert (x == 1).all()
            ct.launch(None, (1,), half, (x,))
            assert not x[:16].any() and (x[16:] == 1).all()
        """, options=("--stop-at-race",))
        self.expect(run, 1, "1 held, 1 raced", "1 interpreted, 0 not interpreted")
        self.assertEqual(run.stdout.count("launch failure"), 2, run.stdout)

    def test_processes_and_threads(self):
        run = self.run_python(ADD, """
            import os, threading

            def work(i):
                a, c = np.full(640, i, np.float32), np.zeros(640, np.float32)
                for k in range(10):
                    a += 1
                    ct.launch(None, (10,), add, (a, a, c))
                    assert (c == 2 * (i + k + 1)).all()
                done.append(i)

            done = []
            threads = [threading.Thread(target=work, args=(i,)) for i in range(8)]
            [t.start() for t in threads], [t.join() for t in threads]
            assert len(done) == 8
            if os.fork() == 0:
                work(20)
                os._exit(0)
            assert os.wait()[1] == 0
        """)
        self.expect(run, 0, "90 interpreted, 0 not interpreted")

    # ---- Launches that cannot be executed ----

    def not_executed(self, line, *text, options=()):
        """Said at that line of the kernel, of which the first is 4."""
        run = self.run_python(*text, options=options)
        return self.expect(run, 2, f"program.py:{line}: warning: a launch of ",
                           "0 interpreted, 1 not interpreted (1: ", "note: launched here with grid",
                           "is the checker's")

    def test_a_kernel_that_waits_for_ever(self):
        run = self.not_executed(7, """
            @ct.kernel
            def wait(flag, out):
                while ct.atomic_or(flag, (0,), 0) == 0:
                    pass
                ct.store(out, index=(0,), tile=ct.full((1,), 1, ct.int32))

            flag, out = np.zeros(1, np.int32), np.zeros(1, np.int32)
            ct.launch(None, (1,), wait, (flag, out))
            assert out[0] == 0
        """)
        self.assertIn("waits for memory that no block will change", run.stderr)

    def test_a_kernel_that_takes_too_long(self):
        kernel = """
            @ct.kernel
            def long(x, n: int):
                t = ct.load(x, index=(ct.bid(0),), shape=(64,))
                for i in range(n):
                    t = t * 1.5
                ct.store(x, index=(ct.bid(0),), tile=t)

            x = np.ones(64, np.float32)
        """
        run = self.not_executed(9, kernel, """
            ct.launch(None, (1,), long, (x, 1 << 30))
            assert (x == 1).all()
        """, options=("--interpret-steps", "100000"))
        self.assertIn("more than 100000 steps", run.stderr)
        run = self.run_python(kernel, """
            for n in range(40):
                ct.launch(None, (1,), long, (x, 1000 + n))
        """, options=("--interpret-steps", "100000"))
        self.expect(run, 2, "have taken all the steps that they may")
        self.assertRegex(run.stderr, "launches: (29|30) interpreted, 1[01] not interpreted .1[01]: ")
        self.assertEqual(run.stderr.count("is not executed"), 3)

    def test_a_kernel_that_leaves_its_arrays(self):
        run = self.not_executed(8, """
            @ct.kernel
            def beyond(x):
                i = ct.bid(0) * 64 + ct.arange(64, dtype=ct.int32)
                ct.scatter(x, i, ct.full((64,), 1.0, ct.float32), check_bounds=False)

            x = np.zeros(128, np.float32)
            ct.launch(None, (2,), beyond, (x[:100],))
            assert not x.any()
        """)
        self.assertIn("reaches outside of its arrays", run.stderr)

    def test_memory_that_cannot_be_written(self):
        run = self.run_python(ADD, """
            import mmap
            a = np.ones(64, np.float32)
            closed = mmap.mmap(-1, 4096, prot=mmap.PROT_READ)
            c = np.frombuffer(closed, np.float32, 64)
            try:
                ct.launch(None, (1,), add, (a, a, c))
            except Exception:
                print("refused")
            assert not c.any()
        """)
        self.assertEqual(run.returncode, 0 if run.stdout else 2, run.stderr)

    def test_contents_after_a_launch_that_was_not_executed(self):
        """What it would have written is not known."""
        run = self.run_python(NUMBER, """
            index, x = np.zeros(50, np.int32), np.random.rand(50, 64).astype(np.float32)
            ct.launch(None, (50,), number, (index,))
            ct.launch(None, (50,), place, (index, x, np.zeros_like(x)))
        """, options=("--interpret-steps", "300"))
        self.expect(run, 2, "1 held, 1 not checked", "0 interpreted, 2 not interpreted",
                    "not known where that launch was not executed")

    def test_options(self):
        said = subprocess.run([TILERACE, "exec", "--interpret", "--no-recording", "--", "sh", "-c",
                               "echo $TILERACE_DRY_RUN"], capture_output=True, text=True, check=True)
        self.assertEqual(said.stdout, "1\n")
        self.assertIn("nothing was seen", said.stderr)


class Formats(unittest.TestCase):
    def test_wrong_ones(self):
        """What C's printf leaves undefined prints something, and no more than it may."""
        sys.path.insert(0, str(ROOT / "tests/compilers"))
        from common import LAUNCHES

        with tempfile.TemporaryDirectory() as folder:
            text = ("#include <tile.h>\ntile_kernel void k(int *x, int n)\n{\n"
                    '    tile_print("%y|%s|%n|%*d|%99999d|%.99999d|% %%|%", n, n, n, n, n, n, n, n);\n'
                    "    tile big = tile_full(0x1p100f, 512);\n"
                    '    tile_print("%d %64.64f", n, big);\n'
                    "    for (int i = 0; i < 2000; i++)\n"
                    '        tile_print("%64.64f", big);\n    x[tile_bid(0)] = 1;\n}\n')
            folder = pathlib.Path(folder)
            (folder / "k.c").write_text(text.replace(", int n)", ")").replace("{\n", "{\n    int n = 7;\n", 1))
            (folder / "launches.py").write_text(LAUNCHES)
            subprocess.run([TILERACE, "compile", "k.c", "-o", "k.tilebc"], cwd=folder, check=True)
            run = subprocess.run([TILERACE, "exec", "--dry-run", "--interpret", "--no-recording", "--",
                                  PYTHON, "launches.py", "k.tilebc", "k", "1", "64"], cwd=folder,
                                 capture_output=True, check=False, timeout=100)
        self.assertEqual(run.returncode, 0, run.stderr)
        wide = b" " * 63 + b"7|" + b"0" * 63 + b"7|"
        self.assertTrue(run.stdout.startswith(b"%y|%s|%n|%*d|" + wide + b"% %|%7 ["), run.stdout[:300])
        self.assertLess(len(run.stdout), (1 << 20) + 100000)


if __name__ == "__main__":
    unittest.main()

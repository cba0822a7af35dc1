#!/usr/bin/env python3
"""All mutants of the checker's trusted files in one copy of the sources, chosen by a number.

    mutate.py tree TREE        writes the copy, with every mutant in it, and TREE/mutants.json
    mutate.py run TREE BUILD   runs what would notice a seeded sample of them: the module's unit
                               tests, then all expectations, then random and exhaustive kernels.
                               Results are kept in a file; a run goes on where it stopped
    mutate.py table TREE       the figures and the survivors, as Markdown

The copy alone knows of mutants: in a file of it each changed place is an expression that asks
`tr_mutant == N`. The sources that the product is built from are never touched.
"""
import argparse
import glob
import hashlib
import json
import os
import re
import shutil
import subprocess
import time

HERE = os.path.dirname(os.path.abspath(__file__))
ROOT = os.path.dirname(os.path.dirname(HERE))

# What is believed without being checked: a mistake in it can make a verdict wrong. Guesses
# (guess, repair, small, assignment and moves of smt/strategies) are evaluated before they count, so
# they are no part of it; nor are printing, words and the search's order. Candidates for
# preconditions (apart, candidates, lengths, lift, lookups, signs, windows of precondition) are
# proved. But what rejects them, what one pair may use of what another one found, and whether an op
# is reached or how far an access goes, is believed; so is the chain of an array's strides, which is
# presumed of launches.
TRUSTED = {
    "lemmas": """order/bits order/bits_apart order/bits_terms order/chain order/count order/each order/event
        order/flag order/globals order/lock order/orders order/phase order/reset order/semaphore order/state
        order/sum order/turn order/unique_claim order/unique_number order/unique_taken
        order/unique_ticket order/values order/waits question/ask_by_order question/contents
        question/exact_contents question/prefix_sum question/query question/running_sums question/token_waits
        question/two_events precondition/array_view rules/pair""".split(),
    "simplifier": """terms/assume terms/bits terms/bool terms/compare terms/divide terms/eval
        terms/poly terms/range terms/rewrite terms/term terms/walk goal/bits goal/equations goal/facts goal/gf2
        goal/goal goal/linear goal/radix goal/ranges""".split(),
    "strategies": """goal/linear_program goal/simplex strategies/abstraction strategies/cases strategies/enumerate
        strategies/euclid strategies/prove strategies/split solver/ask""".split(),
    "model": """access atomicity causality coherence conflict consistent execution happens_before
        launch_order moral per_location race restricted_order scope synchronisation thin_air
        token_flow token_graph token_order""".split(),
    "ranges": ["analyzer/contract/ranges", "analyzer/index_space/universal",
               "analyzer/index_space/integer", "analyzer/index_space/choice",
               "analyzer/index_space/folded", "analyzer/bytecode/arrays"],
    "summary": """bits carry control grid memory private provenance regions relevance rows steered sync
        tile unroll walk""".split(),
    "checks": """precondition/specialised rules/check_again rules/check_once rules/check_wraps rules/claims
        rules/sizes rules/wraps witness/equal_elements""".split(),
    "preconditions": """precondition/choose precondition/clamps precondition/contents_range precondition/defaults
        precondition/differ precondition/fact precondition/finish precondition/forbidden precondition/guards
        precondition/life precondition/met precondition/multiples precondition/natural precondition/of_event
        precondition/pairs precondition/reach precondition/reached precondition/rows precondition/search
        precondition/stated question/assumed
        rules/enforced rules/example rules/stale witness/launches""".split(),
}
FOLDERS = {"lemmas": "analyzer/", "simplifier": "smt/", "strategies": "smt/",
           "model": "models/tileir_memory/", "ranges": "", "summary": "analyzer/index_space/",
           "checks": "analyzer/", "preconditions": "analyzer/"}

# ---- Section: Tokens ----

TOKEN = re.compile(r"""
    (?P<space>\s+ | //[^\n]* | /\*.*?\*/ | ^\#(?:[^\n\\]|\\.|\\\n)*)
  | (?P<string>"(?:[^"\\\n]|\\.)*" | '(?:[^'\\\n]|\\.)*')
  | (?P<number>\.?\d(?:[eEpP][+-]|[\w.])*)
  | (?P<name>[A-Za-z_]\w*)
  | (?P<op>\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||[-+*/%&|^]=|[-+*/%&|^~!<>=?:;,.(){}\[\]])
""", re.X | re.S | re.M)


class Token:
    def __init__(self, kind, text, line):
        self.kind, self.text, self.line = kind, text, line
        self.before, self.after, self.instead = "", "", None


def tokens_of(text):
    result, line, at = [], 1, 0
    while at < len(text):
        match = TOKEN.match(text, at)
        if not match:
            raise SystemExit(f"line {line}: no token at {text[at:at + 20]!r}")
        result.append(Token(match.lastgroup, match.group(), line))
        line += match.group().count("\n")
        at = match.end()
    return result


OPENING, CLOSING = {"(": ")", "[": "]", "{": "}"}, {")": "(", "]": "[", "}": "{"}
# Where an operand of each kind of operator ends: what binds more loosely, or as loosely.
LOOSE = {";", ",", "?", ":", "=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "<<=", ">>="}
STOPS = {
    "||": LOOSE | {"||"},
    "&&": LOOSE | {"||", "&&"},
    "==": LOOSE | {"||", "&&", "|", "^", "&", "==", "!="},
    "<": LOOSE | {"||", "&&", "|", "^", "&", "==", "!=", "<", ">", "<=", ">="},
}
TURNED = {"<": "<=", "<=": "<", ">": ">=", ">=": ">", "==": "!=", "!=": "=="}
MACRO = {"<": "LT", "<=": "LE", ">": "GT", ">=": "GE", "==": "EQ", "!=": "NE"}
TERMS = {"smt_lt": "smt_le", "smt_le": "smt_lt", "smt_gt": "smt_ge", "smt_ge": "smt_gt",
         "smt_eq": "smt_ne", "smt_ne": "smt_eq", "smt_and": "smt_or", "smt_or": "smt_and"}
NEUTRAL = {"smt_and": "true", "smt_or": "false"}
DROPPED = re.compile(r"^(arrput|add|add_\w+|\w+_add|put|put_\w+|assume\w*|state\w*|\w*narrow\w*)$")
# Not what a proof rests on: limits of a search, statistics, words.
UNTRUSTED_FUNCTION = re.compile(r"score|note_uses|weigh|can_afford|compare_|_order$|recall|remember|statistics|_words$|^unit_of$")
UNTRUSTED_LINE = re.compile(
    r"step|limit|budget|MAX_|_MAX|statistics|tr_text|printf|_print|deadline|worked|why|hash|"
    r"ASSERT|realloc|alloc|TR_NEW|memcpy|memset|arrsetlen|arrfree|reason|assert|->id\b|hm[a-z]+\(|arrdel")
# Each place says so when it made a difference (tr_seen[N]): a run that sees none cannot notice mutant N.
PREFACE = """extern int tr_mutant;
extern unsigned char *tr_seen;
static inline int tr_is(int n) { tr_seen[n] = 1; return tr_mutant == n; }
static inline int tr_if_not(int n, int v) { if (!v) tr_seen[n] = 1; return v; }
static inline int tr_if(int n, int v) { if (v) tr_seen[n] = 1; return v; }
#define MUT_ORDER(n, a, b, op, turned) \\
    (__extension__({ __auto_type tr_a = (a) + 0; __auto_type tr_b = (b) + 0; \\
                     if (tr_a == tr_b) tr_seen[n] = 1; \\
                     tr_mutant == (n) ? tr_a turned tr_b : tr_a op tr_b; }))
#define MUT_LT(n, a, b) MUT_ORDER(n, a, b, <, <=)
#define MUT_LE(n, a, b) MUT_ORDER(n, a, b, <=, <)
#define MUT_GT(n, a, b) MUT_ORDER(n, a, b, >, >=)
#define MUT_GE(n, a, b) MUT_ORDER(n, a, b, >=, >)
#define MUT_EQ(n, a, b) (tr_is(n) ? (a) != (b) : (a) == (b))
#define MUT_NE(n, a, b) (tr_is(n) ? (a) == (b) : (a) != (b))
"""


class Source:
    """One file: its functions' bodies, and the places in them that can be changed."""

    def __init__(self, path, area, first, skip=()):
        with open(os.path.join(ROOT, path)) as file:
            self.text = file.read()
        self.path, self.area, self.next, self.mutants, self.wraps = path, area, first, [], []
        self.skip = skip
        self.all = tokens_of(self.text)
        self.lines = self.text.split("\n")
        self.tokens = [t for t in self.all if t.kind != "space"]
        self.match()

    def match(self):
        stack, self.pair = [], {}
        for i, t in enumerate(self.tokens):
            if t.kind == "op" and t.text in OPENING:
                stack.append(i)
            elif t.kind == "op" and t.text in CLOSING:
                self.pair[i] = stack.pop()
                self.pair[self.pair[i]] = i

    def add(self, token, kind, what):
        number = self.next
        self.next += 1
        line = self.lines[token.line - 1].strip()
        self.mutants.append({"number": number, "file": self.path, "line": token.line,
                             "area": self.area, "kind": kind, "what": what, "text": line,
                             "function": self.function})
        return number

    def wrap(self, low, high, before, after):
        # The operator in the middle of a comparison is a comma, so nothing lies inside of it.
        first = 0 if before.startswith("MUT_") else 1
        self.wraps.append((high - low, first, len(self.wraps), low, high, before, after))

    def apply(self):
        """Shorter ones first, so that the longer ones lie around them."""
        for _, _, _, low, high, before, after in sorted(self.wraps):
            self.tokens[low].before = before + self.tokens[low].before
            self.tokens[high].after += after

    def operand(self, at, step, stops):
        """Index of the last token of the operand that begins beside `at`."""
        i = at + step
        while 0 <= i < len(self.tokens):
            t = self.tokens[i]
            if t.kind == "op":
                if t.text in stops or (step > 0 and t.text in CLOSING) or (step < 0 and t.text in OPENING):
                    break
                if t.text in OPENING or t.text in CLOSING:
                    i = self.pair[i]
            elif t.kind == "name" and t.text in ("return", "case", "else"):
                break
            i += step
        return i - step

    def bodies(self):
        """(name, type, first, last) of each function."""
        i, begin = 0, 0
        while i < len(self.tokens):
            t = self.tokens[i]
            if t.text in (";", "}") and t.kind == "op":
                begin = i + 1
            if t.text == "(" and t.kind == "op":
                close = self.pair[i]
                if close + 1 < len(self.tokens) and self.tokens[close + 1].text == "{":
                    last = self.pair[close + 1]
                    head = [x.text for x in self.tokens[begin:i]]
                    yield (head[-1] if head else "", head, close + 1, last)
                    i = last
                    begin = last + 1
                else:
                    i = close
            elif t.text == "{":
                i = self.pair[i]
            i += 1

    def mutate(self):
        for name, head, first, last in self.bodies():
            if UNTRUSTED_FUNCTION.search(name):
                continue
            self.function = name
            is_bool = "bool" in head and "*" not in head
            loops = set()
            for i in range(first, last):
                if self.tokens[i].text == "for" and self.tokens[i + 1].text == "(":
                    loops.update(range(i + 1, self.pair[i + 1]))
            for i in range(first + 1, last):
                self.at(i, is_bool, i in loops)
        self.apply()

    def statement_is_constant(self, i):
        while i > 0 and self.tokens[i].text not in (";", "{", "}", ")"):
            if self.tokens[i].text in ("static", "enum", "case", "default"):
                return True
            i -= 1
        return self.tokens[i - 1].text == "]" or self.tokens[i - 1].text == "="

    def at(self, i, is_bool, in_for):
        t = self.tokens[i]
        line = self.lines[t.line - 1]
        if UNTRUSTED_LINE.search(line) or t.line in self.skip:
            return
        if t.kind == "op" and t.text in ("&&", "||"):
            self.junct(i)
        elif t.kind == "op" and t.text in TURNED and not in_for:
            self.comparison(i)
        elif t.kind == "number" and not in_for:
            self.constant(i)
        elif t.text == "return" and is_bool and self.tokens[i + 1].text != ";":
            end = self.operand(i, 1, {";"})
            n = self.add(t, "return", "inverted")
            self.wrap(i + 1, end, f"tr_is({n}) != !!(", ")")
        elif t.kind == "name" and t.text in TERMS and self.tokens[i + 1].text == "(":
            n = self.add(t, "term", f"{t.text} -> {TERMS[t.text]}")
            t.instead = f"(tr_is({n}) ? {TERMS[t.text]} : {t.text})"
            if t.text in NEUTRAL:
                self.term_juncts(i + 1, NEUTRAL[t.text])
        elif t.text == "query_with" and self.tokens[i + 1].text == "(":
            self.added_term(i)
        elif t.kind == "name" and DROPPED.match(t.text) and self.tokens[i + 1].text == "(":
            close = self.pair[i + 1]
            if self.tokens[i - 1].text in (";", "{", "}", ")", "else") and self.tokens[close + 1].text == ";":
                n = self.add(t, "call", f"{t.text}() dropped")
                self.wrap(i, close, f"(void)(tr_is({n}) || (", ", 1))")

    def junct(self, i):
        op = self.tokens[i].text
        sides = [(self.operand(i, 1, STOPS[op]), i + 1)]
        left = self.operand(i, -1, STOPS[op])
        # The left operand of `a && b && c` is dropped once, by the first `&&`.
        if left == 0 or self.tokens[left - 1].text != op:
            sides.append((i - 1, left))
        for high, low in sides:
            what = " ".join(x.text for x in self.tokens[low:high + 1])[:70]
            n = self.add(self.tokens[low], "junct", f"{op} without {what}")
            if op == "&&":
                self.wrap(low, high, f"(tr_mutant == {n} || tr_if_not({n}, !!(", ")))")
            else:
                self.wrap(low, high, f"(tr_mutant != {n} && tr_if({n}, !!(", ")))")

    def comparison(self, i):
        op = self.tokens[i].text
        stops = STOPS["=="] if op in ("==", "!=") else STOPS["<"]
        low, high = self.operand(i, -1, stops), self.operand(i, 1, stops)
        if low > i - 1 or high < i + 1:
            return
        if any(self.tokens[k].text in ("{", "#") for k in range(low, high + 1)):
            return
        n = self.add(self.tokens[i], "comparison", f"{op} -> {TURNED[op]}")
        self.wrap(low, high, f"MUT_{MACRO[op]}({n}, (", "))")
        self.tokens[i].instead = "), ("

    def constant(self, i):
        t = self.tokens[i]
        if not re.fullmatch(r"\d+[uUlL]*|0x[0-9a-fA-F]+[uUlL]*", t.text) or self.statement_is_constant(i):
            return
        # `int x[4];` is a declaration, `{0}` an initializer of everything.
        if self.tokens[i - 1].text == "{" and self.tokens[i + 1].text == "}":
            return
        if self.tokens[i - 1].text == "[" and self.tokens[i - 3].kind == "name" and \
                self.tokens[i - 2].kind == "name":
            return
        n = self.add(t, "constant", f"{t.text} -> {t.text} + 1")
        t.instead = f"({t.text} + tr_is({n}))"

    def term_juncts(self, open_, neutral):
        close = self.pair[open_]
        comma = self.operand(open_, 1, {","}) + 1
        context = " ".join(x.text for x in self.tokens[open_ + 1:comma]).replace(" -> ", "->")
        if not re.fullmatch(r"[\w>.-]+", context) or comma >= close:
            return
        low = comma + 1
        while low < close:
            high = self.operand(low - 1, 1, {","})
            what = " ".join(x.text for x in self.tokens[low:high + 1])[:70]
            n = self.add(self.tokens[low], "term", f"without {what}")
            self.wrap(low, high, f"(tr_is({n}) ? smt_bool_const({context}, {neutral}) : (", "))")
            low = high + 2

    def added_term(self, i):
        """query_with(k, q, term) is q."""
        low = self.operand(i + 1, 1, {","}) + 2
        high = self.operand(low - 1, 1, {","})
        query = " ".join(x.text for x in self.tokens[low:high + 1])
        n = self.add(self.tokens[i], "call", "query_with() adds nothing")
        self.wrap(i, self.pair[i + 1], f"(tr_is({n}) ? ({query}) : (", "))")

    def written(self):
        """The file with its mutants; lines keep their numbers but for the preface."""
        out = [PREFACE, f'#line 1 "{self.path}"\n']
        for t in self.all:
            out.append(t.before + (t.text if t.instead is None else t.instead) + t.after)
        return "".join(out)


def compiled_badly(source):
    """Lines on which C does not allow an expression that is no constant."""
    flags = ["-I" + os.path.join(ROOT, d) for d in ("", "include", "analyzer", "models", "smt", "runtime_check")]
    folder = os.path.dirname(os.path.join(ROOT, source.path))
    done = subprocess.run(["cc", "-fsyntax-only", "-w", "-D_GNU_SOURCE", "-std=gnu11", *flags,
                           "-iquote", folder, "-x", "c", "-"],
                          input=source.written(), capture_output=True, text=True, check=False)
    if " fatal error: " in done.stderr:
        raise SystemExit(done.stderr)
    found = re.findall(r"^([^\n:]*):(\d+):\d+: (?:error:|note: in expansion)", done.stderr, re.M)
    return {int(line) for file, line in found if file == source.path}


def source_of(path, area, first):
    skip = set()
    for _ in range(5):
        source = Source(path, area, first, skip)
        source.mutate()
        bad = compiled_badly(source)
        if not bad:
            return source
        skip |= bad
    raise SystemExit(f"{path}: does not compile without lines {sorted(skip)}")


def sources():
    first, result = 1, []
    for area, names in TRUSTED.items():
        for name in names:
            path = FOLDERS[area] + name + ".c"
            source = source_of(path, area, first)
            first = source.next
            result.append(source)
    return result


# ---- Section: The copy ----

CHOICE = """/* Which mutant this process runs: environment variable TILERACE_MUTANT; 0: none. Which places made a
 * difference goes to the file TILERACE_SEEN, of all processes together. */
#include <fcntl.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MUT_PLACES = 1 << 14 };

extern int tr_mutant;
extern unsigned char *tr_seen;
int tr_mutant;
static unsigned char seen_here[MUT_PLACES];
unsigned char *tr_seen = seen_here;

__attribute__((constructor)) static void choose_mutant(void)
{
    const char *number = getenv("TILERACE_MUTANT"), *seen = getenv("TILERACE_SEEN");
    tr_mutant = number ? atoi(number) : 0;
    int file = seen ? open(seen, O_RDWR | O_CREAT, 0644) : -1;
    if (file >= 0 && ftruncate(file, MUT_PLACES) == 0) {
        void *all = mmap(NULL, MUT_PLACES, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
        if (all != MAP_FAILED)
            tr_seen = all;
    }
}
"""


def write_if_changed(path, text):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    if os.path.exists(path):
        with open(path) as file:
            if file.read() == text:
                return
    with open(path, "w") as file:
        file.write(text)


def make_tree(tree):
    files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, check=True, capture_output=True,
                           text=True).stdout.split("\n")
    changed = {s.path: s for s in sources()}
    for path in filter(None, files):
        full = os.path.join(ROOT, path)
        if path in changed or not os.path.isfile(full):
            continue
        with open(full, "rb") as file:
            data = file.read()
        target = os.path.join(tree, path)
        os.makedirs(os.path.dirname(target), exist_ok=True)
        if not os.path.exists(target) or open(target, "rb").read() != data:
            with open(target, "wb") as file:
                file.write(data)
        shutil.copymode(full, target)
    for path, source in changed.items():
        write_if_changed(os.path.join(tree, path), source.written())
    # What the linker takes first, so that the choice is made before anything runs.
    base = os.path.join(tree, "analyzer/base/text.c")
    with open(os.path.join(ROOT, "analyzer/base/text.c")) as file:
        write_if_changed(base, file.read() + CHOICE)
    mutants = [m for s in changed.values() for m in s.mutants]
    with open(os.path.join(tree, "mutants.json"), "w") as file:
        json.dump(mutants, file, indent=0)
    by_area = {}
    for m in mutants:
        by_area[m["area"]] = by_area.get(m["area"], 0) + 1
    print(len(mutants), "mutants:", by_area)


# ---- Section: Running ----

def key_of(mutant, seen):
    """Stays the same while the line does: results outlive changes elsewhere in the file."""
    text = "|".join(str(mutant[k]) for k in ("file", "function", "kind", "what", "text"))
    seen[text] = seen.get(text, 0) + 1
    return hashlib.sha256(f"{text}|{seen[text]}".encode()).hexdigest()[:16]


def load_mutants(tree):
    with open(os.path.join(tree, "mutants.json")) as file:
        mutants = json.load(file)
    seen = {}
    for m in mutants:
        m["key"] = key_of(m, seen)
    return mutants


def sample_of(mutants, size, seed):
    """The `size` mutants whose keys come first in an order that the seed makes: a mutant stays in
    the sample while others come and go."""
    order = sorted(mutants, key=lambda m: hashlib.sha256(f"{seed}|{m['key']}".encode()).digest())
    return order[:size]


# Quick programs, each linked with the mutants: the module's own tests first.
UNITS = {
    "lemmas": ["unit_rules_test_apart", "unit_precondition_test_array_view",
               "unit_order_test_lemmas", "unit_question_*", "unit_rules_test_[!t]*"],
    "simplifier": ["unit_terms_test_*", "unit_goal_test_*", "unit_solver_test_[!s]*",
                   "unit_strategies_test_[!p]*", "unit_order_test_lemmas"],
    "strategies": ["unit_terms_test_*", "unit_goal_test_*", "unit_solver_test_[!s]*",
                   "unit_strategies_test_[!p]*", "unit_order_test_lemmas"],
    "model": ["unit_model_*", "unit_interp_test_litmus", "unit_rules_*", "unit_order_test_lemmas"],
    "ranges": ["unit_contract_test_ranges", "unit_contract_test_launch_file", "unit_index_space_*",
               "unit_rules_test_apart", "unit_index_space_test_index_values", "unit_bytecode_test_arrays",
               "unit_order_test_lemmas"],
    "summary": ["unit_index_space_*", "unit_order_test_lemmas", "unit_precondition_test_preconditions"],
    "checks": ["unit_rules_test_[!t]*", "unit_order_test_lemmas", "unit_precondition_test_preconditions"],
    "preconditions": ["unit_contract_test_precondition", "unit_rules_test_[!t]*",
                      "unit_precondition_test_preconditions"],
}
EXHAUSTIVE = ["exhaustive", "-stride", "1009", "-from", "7", "-show", "0", "-stop"]
# What comes after the probe, which asks kernels, fixtures, litmus tests and random kernels.
OTHERS = [EXHAUSTIVE]


def early(area, build):
    tests = os.path.join(build, "tests")
    found = [path for pattern in UNITS[area] for path in sorted(glob.glob(os.path.join(tests, pattern)))]
    return [[path] for path in found if os.access(path, os.X_OK)]


def late(_area, build):
    return [[os.path.join(build, "tests", c[0]), *c[1:]] for c in OTHERS]


def run_one(command, number, limit, seen=None):
    environment = dict(os.environ, TILERACE_MUTANT=str(number))
    if seen:
        environment["TILERACE_SEEN"] = seen
    try:
        done = subprocess.run(command, env=environment, timeout=limit, capture_output=True, check=False)
        return done.returncode
    except subprocess.TimeoutExpired:
        return "time"


class Program:
    """A command, which has to pass without a mutant: how long that takes, and where it would see one."""

    def __init__(self, command, work):
        seen = os.path.join(work, "seen")
        if os.path.exists(seen):
            os.remove(seen)
        self.command, begun = command, time.time()
        self.name = os.path.basename(command[0]) + (" -sync" if "-sync" in command else "")
        code = run_one(command, 0, 900, seen)
        if code != 0:
            raise SystemExit(f"without a mutant {' '.join(command)} gives {code}")
        self.took = time.time() - begun
        with open(seen, "rb") as file:
            self.seen = file.read()

    def notices(self, number):
        """With ten times the time that it needs without a mutant."""
        return self.seen[number] and run_one(self.command, number, 20 + 10 * self.took) != 0


class Results:
    """One line of JSON a mutant; a run goes on where the last one stopped."""

    def __init__(self, path):
        self.path, self.of = path, {}
        if os.path.exists(path):
            with open(path) as file:
                for line in file:
                    result = json.loads(line)
                    self.of[result["key"]] = result

    def add(self, mutant, by, stage):
        result = {**mutant, "noticed": by, "stage": stage}
        self.of[mutant["key"]] = result
        with open(self.path, "a") as file:
            file.write(json.dumps(result) + "\n")
        if by or stage == "late":
            print("noticed" if by else "SURVIVES", f"{mutant['file']}:{mutant['line']}", mutant["kind"],
                  mutant["what"], by or "", flush=True)

    def waiting(self, sample, *stages):
        """Those that were not noticed, and of which the last stage is one of these."""
        return [m for m in sample if not self.of.get(m["key"], {}).get("noticed")
                and self.of.get(m["key"], {}).get("stage") in stages]


def run_programs(results, mutants, commands_of, stage, build):
    commands = {tuple(c): c for m in mutants for c in commands_of(m["area"], build)}
    programs = {key: Program(c, build) for key, c in commands.items()}
    for m in mutants:
        order = sorted((programs[tuple(c)] for c in commands_of(m["area"], build)), key=lambda p: p.took)
        noticed = next((p.name for p in order if p.notices(m["number"])), None)
        results.add(m, noticed, stage)


def run_probe(results, mutants, build):
    """One process reads all kernels, and checks them once for each mutant."""
    if not mutants:
        return
    by_number = {m["number"]: m for m in mutants}
    files = sum((sorted(glob.glob(os.path.join(ROOT, p))) for p in
                 ("build/fixtures/races/*.c", "kernels/*.c", "models/tileir_memory/litmus/*.c",
                  "kernels/*/*.tilebc", "fixtures/races/*/*.tilebc", "tests/preconditions/*.c",
                  "tests/idioms/*.c", "tests/undefined/*.c", "tests/undefined/*.tilebc",
                  "tests/random/kept/*.c")), [])
    command = [os.path.join(build, "tests", "checker_probe"), "-seconds", "8", "-slow", "25", "-random", "20",
               "-sync", "300", "-numbers", ",".join(map(str, by_number)), *files]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout:
            number, fate, *where = line.split()
            results.add(by_number[int(number)], os.path.basename(where[0]) if fate == "noticed" else None, "probe")


def run(options):
    mutants = load_mutants(options.tree)
    sample = sample_of(mutants, options.n, options.seed)
    if options.area:
        sample = [m for m in sample if m["area"] == options.area]
    if options.file:
        sample = [m for m in mutants if m["file"].endswith(f"/{options.file}.c")]
    results = Results(options.results)
    done = ("early", "probe", "late") if options.again else ()
    run_programs(results, results.waiting(sample, None, *done), early, "early", options.build)
    run_probe(results, results.waiting(sample, "early"), options.build)
    run_programs(results, results.waiting(sample, "probe"), late, "late", options.build)


def table(options):
    mutants = load_mutants(options.tree)
    results = Results(options.results).of
    sample = [m for m in sample_of(mutants, options.n, options.seed) if m["key"] in results]
    areas = {}
    for m in sample:
        noticed, total = areas.get(m["area"], (0, 0))
        areas[m["area"]] = (noticed + bool(results[m["key"]]["noticed"]), total + 1)
    print("| part | places | sample | noticed |\n| --- | --- | --- | --- |")
    for area in TRUSTED:
        noticed, total = areas.get(area, (0, 0))
        print(f"| {area} | {sum(m['area'] == area for m in mutants)} | {total} | {noticed} |")
    noticed, total = (sum(a[i] for a in areas.values()) for i in (0, 1))
    print(f"| all | {len(mutants)} | {total} | {noticed} ({100 * noticed / max(total, 1):.1f} %) |\n")
    for m in sample:
        if not results[m["key"]]["noticed"]:
            print(f"- `{m['file']}`, `{m['function']}`, line {m['line']}: {m['kind']}, `{m['what']}`\n"
                  f"  in `{m['text']}`")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("action", choices=["tree", "run", "table"])
    parser.add_argument("tree")
    parser.add_argument("build", nargs="?")
    parser.add_argument("-n", type=int, default=300)
    parser.add_argument("-seed", default="13")
    parser.add_argument("-results", default="build/mutants/results.jsonl")
    parser.add_argument("-area")
    parser.add_argument("-file", help="all places of one file, as order/flag, and no sample")
    parser.add_argument("-again", action="store_true", help="run survivors once more")
    options = parser.parse_args()
    {"tree": lambda: make_tree(options.tree), "run": lambda: run(options),
     "table": lambda: table(options)}[options.action]()


if __name__ == "__main__":
    main()

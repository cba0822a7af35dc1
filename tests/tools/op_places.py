"""Each op of the table has a place in each table beside it, and each function of tile.h a row.

    op_places.py

Reads the sources. An op that has no place there stands in a list below, with the reason; a listed op
that does have one fails, too.
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
# Held by the module itself, and a call of a preview version, which nothing but its reader knows.
MODULE_LEVEL = {"MODULE", "GLOBAL", "ENTRY", "PREVIEW_CALL"}
PRINTED_BY_CODE = {"FOR", "REDUCE", "SCAN"}  # print_forms.c
# They make no integer, pointer, view or token order that the summary follows.
NO_TERM = {"INSERT", "PACK", "UNPACK", "BITCAST", "MMAF", "MMAI", "MMAF_SCALED", "FTOF", "FTOI", "ITOF", "PTR_TO_INT"}
# The term of the first is a function of which nothing is known; constants are operands of all others.
NOT_COMPARED = {"MULHII", "CONSTANT"}
NOT_RANDOM = {"MULHII"}
NOT_UNROLLED = {"ABSI", "MULHII"}  # no loop that only computes has needed them
NO_VOTE = {"FTOI"}  # the sign is that of its result, not of what was loaded
# Kernels that only compute cannot hold them; the schedules and fixtures have them.
NO_VALUE = {
    "MAKE_TENSOR_VIEW", "MAKE_PARTITION_VIEW", "MAKE_STRIDED_VIEW", "MAKE_GATHER_SCATTER_VIEW",
    "GET_INDEX_SPACE_SHAPE", "GET_TENSOR_SHAPE", "GET_NUM_TILE_BLOCKS", "GET_GLOBAL", "ALLOCA",
    "INT_TO_PTR", "PTR_TO_INT", "PTR_TO_PTR", "FOR", "LOOP", "IF", "CONTINUE", "BREAK", "ASSERT",
    "ASSUME",
}  # fmt: skip
# The dialect of C has no multicast memory.
NOT_IN_C = {"MULTIMEM_LOAD_REDUCE_VIEW_TKO", "MULTIMEM_REDUCE_VIEW_TKO", "MULTIMEM_STORE_VIEW_TKO"}
# No lemma needs to know what they write.
NO_CHANGE = NOT_IN_C | {"ATOMIC_RED_VIEW_TKO"}
NOT_PRINTED = {"MULTIMEM_STORE_VIEW_TKO"}  # bytecode/test_read compares its text
# Order and scope are found by name; hints mean nothing, nor does a reduction over one copy of memory.
NOT_IN_ROW = {"memory_ordering_semantics", "memory_scope", "optimization_hints", "reduction"}
# Functions of the compiler, which macros of tile.h and of C call.
OF_COMPILER = {f"__builtin_{name}" for name in ("huge_val", "huge_valf", "inf", "inff", "nan", "nanf")}


def text_of(pattern):
    return "\n".join(path.read_text() for path in sorted(ROOT.glob(pattern)))


def rows_of(table, macro):
    return set(re.findall(rf"^{macro}\((\w+),", text_of(f"analyzer/ir/{table}"), re.MULTILINE))


def ops():
    """Name of each op: what its row says."""
    rows = re.split(r"^OP\((?=[A-Z])", text_of("analyzer/ir/ops.def"), flags=re.MULTILINE)[1:]
    return {re.match(r"\w+", row)[0]: row.split("\n\n")[0] for row in rows}


def named_in(*patterns):
    return set(re.findall(r"\bIR_OP_(\w+)\b", "\n".join(map(text_of, patterns))))


def whose(table, pattern):
    """The ops whose rows have the pattern."""
    return {op for op, row in table.items() if re.search(pattern, row)}


def numbers_of(op, row):
    """The names in C of the op's operands, results and attributes that the interpreter reads."""
    lists = re.findall(r"\(((?:[^()]|\([^()]*\))*)\)", row)[:3]
    for prefix, text in zip(("IR", "IR_RS", "IR_AT"), lists):
        for name in re.findall(r"\b\w+\((\w+)", text):
            if name not in NOT_IN_ROW:
                yield f"{prefix}_{op}_{name}"


def missing_in_interpreter(table, touching):
    """The parts of memory ops that their rows in the interpreter do not name."""
    text = text_of("runtime_check/interp/ops_memory.c")
    rows = dict(re.findall(r"\{IR_OP_(\w+), (\w+, IR_[^}]*)\}", text))
    for op in sorted(touching & set(rows)):
        for number in numbers_of(op, table[op]):
            if not re.search(rf"\b{number}\b", rows[op]):
                yield f"{op}: its row in runtime_check/interp/ops_memory.c has no {number}"


def in_memory_model(table):
    """The ops that the table of memory operations of docs/memory-model.md names."""
    section = text_of("docs/memory-model.md").split("## 2. Memory operations")[1].split("\n## ")[0]
    names = set(re.findall(r"`(\w+)`", section))
    return {op for op, row in table.items() if re.search(r'"([^"]+)"', row)[1] in names}


def lowered_in_tests(table):
    """The ops that some kernel of tests/dialect/lowering becomes."""
    words = set(re.findall(r"\w+", text_of("tests/dialect/lowering/*.ir")))
    return {op for op, row in table.items() if re.search(r'"([^"]+)"', row)[1] in words}


def declared():
    """The functions of tile.h."""
    text = re.sub(r"/\*.*?\*/", "", text_of("include/tile.h"), flags=re.DOTALL)
    text = re.sub(r"^\s*#(?:[^\n]*\\\n)*[^\n]*$", "", text, flags=re.MULTILINE)
    return set(re.findall(r"\b(\w+)\([^;{}]*\)[^;{}]*;", text))


def main():
    table = ops()
    wanted = set(table)
    with_attributes = whose(table, r"\b(?:opt_)?(?:at|unit)(?:_since)?\(")
    newest = re.search(r"BYTECODE_NEWEST_WRITTEN = (\d)", text_of("analyzer/bytecode/bytecode.h"))[1]
    unwritten = whose(table, rf"0x\w+, [{int(newest) + 1}-9], IR_")
    memory = whose(table, r"IR_TOKENS") | {"MAKE_TOKEN", "JOIN_TOKENS"}
    touching = whose(table, r"IR_(?:READS|WRITES|ATOMIC)\b")
    writing = whose(table, r"IR_(?:WRITES|ATOMIC)\b")
    of_floats = r"^RULE\((\w+),[^\n]*\b(?:source|lhs|x):\w*float"
    floats = set(re.findall(of_floats, text_of("analyzer/ir/verify.def"), re.MULTILINE))
    interpreter = named_in("runtime_check/interp/ops_*.c", "runtime_check/interp/machine.c")
    summary, values = named_in("analyzer/index_space/*.c"), named_in("tests/values/*.c")
    compared = named_in("tests/unit/index_space/test_op_terms.c")
    integers = named_in("analyzer/index_space/integer.c")
    numbers = wanted - memory
    places = [  # what is wanted, who has it, who needs it, who is excepted
        ("row in analyzer/ir/verify.def", rows_of("verify.def", "RULE"), wanted, MODULE_LEVEL),
        ("row in analyzer/ir/syntax.def", rows_of("syntax.def", "SYNTAX"), with_attributes, MODULE_LEVEL | PRINTED_BY_CODE),
        ("meaning in runtime_check/interp", interpreter, wanted, MODULE_LEVEL),
        ("term in analyzer/index_space", summary, numbers - floats, MODULE_LEVEL | NO_TERM),
        ("form in tests/unit/index_space/test_op_terms.c", compared, integers, NOT_COMPARED),
        ("case in tests/random", named_in("tests/random/*.c"), integers, NOT_RANDOM),
        ("name in is_computed of analyzer/index_space/unroll.c", named_in("analyzer/index_space/unroll.c"), integers, NOT_UNROLLED),
        ("vote in analyzer/witness/table_signs.c", named_in("analyzer/witness/table_signs.c"), whose(table, r"\bat\(signedness,"), NO_VOTE),
        ("row in the table of section 2 of docs/memory-model.md", in_memory_model(table), touching, set()),
        ("change of the element in analyzer/index_space/sync.c", named_in("analyzer/index_space/sync.c"), writing, NO_CHANGE),
        ("lowering in analyzer/dialect", named_in("analyzer/dialect/*.c"), touching, NOT_IN_C),
        ("call in tests/dialect/lowering", lowered_in_tests(table), named_in("analyzer/dialect/arith.c") & wanted, set()),
        ("case in tests/unit/ir/test_print_memory.c", named_in("tests/unit/ir/test_print_memory.c"), touching, NOT_PRINTED),
        ("case in tests/unit/interp", named_in("tests/unit/interp/*.[ch]"), touching, set()),
        ("kernel in tests/values", values, numbers - unwritten, MODULE_LEVEL | NO_VALUE),
    ]
    wrong = []
    for place, have, need, without in places:
        wrong += [f"{op} has no {place}" for op in sorted(need - have - without)]
        wrong += [f"{op} has a {place}: take it off the list" for op in sorted(without & have & need)]
    wrong += missing_in_interpreter(table, touching)
    functions = declared()
    rows = set(re.findall(r'^(?:PURE|MEMORY)\("(\w+)"', text_of("analyzer/dialect/builtins.def"), re.MULTILINE))
    wrong += [f"{name} of tile.h has no row in analyzer/dialect/builtins.def" for name in sorted(functions - rows)]
    wrong += [f"{name} of builtins.def is not declared in tile.h" for name in sorted(rows - functions - OF_COMPILER)]
    print("\n".join(wrong), end="\n" if wrong else "")
    print(f"{len(table)} ops, {len(rows)} functions, {len(wrong)} errors")
    return 1 if wrong or len(table) < 100 or len(rows) < 100 else 0


if __name__ == "__main__":
    sys.exit(main())

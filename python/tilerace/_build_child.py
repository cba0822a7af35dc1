"""Compiles the kernels of one file of cuTile Python, for `tilerace check --build`. The file is a
stranger's: this process has limits, and the program that started it believes nothing of it but the
files in its folder.

    _build_child.py FOLDER

FOLDER/request.json has "file", its whole name, and "signatures": kernel -> list of signatures. Written
are the modules, FOLDER/0.tilebc and so on, and FOLDER/answer.json.
"""
from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import sys
import traceback
from typing import Any, Dict, Iterator, List, Optional, Tuple

BYTECODE = "13.3", "13.4"  # the first that can say all of a kernel


class Answer:
    def __init__(self, folder: str) -> None:
        self.folder = folder
        self.about: List[str] = []
        self.signatures: List[Dict[str, Any]] = []  # of each module
        self.wrong: List[Dict[str, Any]] = []
        self.made: List[str] = []  # kernels

    def add(self, module: bytes, about: str, signature: Dict[str, Any]) -> None:
        with open(os.path.join(self.folder, "%d.tilebc" % len(self.about)), "wb") as out:
            out.write(module)
        self.about.append(about)
        self.signatures.append(signature)

    def refuse(self, what: str, line: Optional[int] = None, column: Optional[int] = None) -> None:
        self.wrong.append({"text": what, "line": line or 0, "column": column or 1})

    def write(self) -> None:
        path = os.path.join(self.folder, "answer.json")
        with open(path + ".part", "w", encoding="utf-8") as out:
            json.dump({"about": self.about, "signatures": self.signatures, "wrong": self.wrong}, out)
        os.replace(path + ".part", path)


# ---- The module ----


def name_of(file: str) -> Tuple[str, str]:
    """The folder that imports start from, and the module's name there: below the outermost folder that
    is a package."""
    folder, base = os.path.split(file)
    name = os.path.splitext(base)[0]
    while os.path.isfile(os.path.join(folder, "__init__.py")) and os.path.dirname(folder) != folder:
        folder, package = os.path.split(folder)
        name = package if name == "__init__" else package + "." + name
    return folder, name


def load(file: str) -> Any:
    """The module in the file. Whatever it throws comes through."""
    folder, name = name_of(file)
    sys.path.insert(0, folder)
    if "." in name:
        importlib.import_module(name.rpartition(".")[0])
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


def is_kernel_decorator(node: ast.expr) -> bool:
    of = node.func if isinstance(node, ast.Call) else node
    return (of.attr if isinstance(of, ast.Attribute) else getattr(of, "id", "")) == "kernel"


def written_kernels(text: str) -> List[Tuple[str, int]]:
    """Functions that are decorated as kernels, wherever they stand."""
    return [(node.name, node.lineno) for node in ast.walk(ast.parse(text))
            if isinstance(node, ast.FunctionDef) and any(map(is_kernel_decorator, node.decorator_list))]


def kernels_in(module: Any, file: str) -> Iterator[Any]:
    """Returns the kernels that the file itself makes, members of its classes included."""
    from tilerace import _cutile
    seen = set()
    classes = [value for value in vars(module).values()
               if isinstance(value, type) and value.__module__ == module.__name__]
    for scope in (module, *classes):
        for value in list(vars(scope).values()):
            value = getattr(value, "__func__", value)  # a staticmethod
            if _cutile.is_kernel(value) and id(value) not in seen and line_of_kernel(value, file):
                seen.add(id(value))
                yield value


def line_of_kernel(kernel: Any, file: str) -> int:
    """0: it is of another file."""
    code = kernel._annotated_function.pyfunc.__code__
    return code.co_firstlineno if os.path.abspath(code.co_filename) == file else 0


def line_of(error: BaseException, file: str) -> Optional[int]:
    """The innermost line of that file that the error came through."""
    if isinstance(error, SyntaxError) and error.filename == file:
        return error.lineno
    lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__)
             if frame.filename == file]
    return lines[-1] if lines else None


def place_of(error: BaseException, file: str) -> Tuple[Optional[int], Optional[int]]:
    """The innermost place of that file that the front end says of an error in a kernel."""
    at = getattr(error, "loc", None)
    while at is not None and getattr(at, "filename", None) != file:
        at = getattr(at, "call_site", None)
    if at is None:
        return line_of(error, file), None
    return at.line, at.col + 1  # it counts columns from 0


def words_of(error: BaseException) -> str:
    text = str(getattr(error, "message", None) or error).strip().split("\n")[0]
    return "%s: %s" % (type(error).__name__, text) if text else type(error).__name__


# ---- Kernels ----


def compiled(kernel: Any, found: List[Tuple[str, Any]]) -> Tuple[bytes, str]:
    from tilerace import _cutile
    signed = _cutile.Signed(kernel, (), found)
    for version in BYTECODE:
        try:
            return signed.compile(version), signed.names()
        except Exception as error:
            if version == BYTECODE[-1]:
                raise error.__cause__ or error
    raise AssertionError


def parameters_of(kernel: Any, stated: Any) -> List[Dict[str, str]]:
    """A signature as it is stated: the kernel's parameters in their order."""
    of = []
    for name in kernel._annotated_function.pysig.parameters:
        value = stated[name]
        if isinstance(value, str):
            of.append({"name": name, "word": " ".join(value.split())})
        else:
            of.append({"name": name, "literal": json.dumps(value)})
    return of


def build_kernel(kernel: Any, file: str, signatures: List[Any], answer: Answer) -> None:
    from tilerace import _signature
    name = kernel._annotated_function.pyfunc.__name__
    line = line_of_kernel(kernel, file)
    answer.made.append(name)
    all_stated = [*signatures, *_signature.stated_of(kernel)]
    if not all_stated:
        names = list(kernel._annotated_function.pysig.parameters)
        answer.refuse("'%s' is not compiled: nothing states a signature of it; [tilerace.kernels] does, as "
                      "%s = { %s }" % (name, name, ", ".join(of + ' = "f32[1]"' for of in names)), line)
    seen: List[str] = []
    signatures = []
    for stated in all_stated:
        try:
            found = _signature.found_of(kernel, stated)
            if repr(found) in seen:
                continue
            seen.append(repr(found))
            signature = {"parameters": parameters_of(kernel, stated), "number": len(seen)}
            signatures.append(signature)
            answer.add(*compiled(kernel, found), signature)
        except Exception as error:
            text = str(error) if type(error) is ValueError else words_of(error)
            where, column = place_of(error, file)
            answer.refuse("'%s' cannot be compiled for %s: %s" % (name, json.dumps(stated), text),
                          where or line, column)
    for signature in signatures:
        signature["of"] = len(seen)  # also where one of them cannot be compiled


def build(request: Dict[str, Any], answer: Answer) -> None:
    file, signatures = request["file"], request["signatures"]
    with open(file, "rb") as source:
        text = source.read().decode("utf-8", "replace")
    try:
        written = written_kernels(text)
        importlib.import_module("cuda.tile")
    except ImportError as error:
        answer.refuse("cannot be compiled: cuTile Python is not there for %s (%s)" % (sys.executable, error))
        return
    except (SyntaxError, ValueError, RecursionError) as error:
        answer.refuse("cannot be compiled: %s" % words_of(error), getattr(error, "lineno", None))
        return
    try:
        module = load(file)
    except BaseException as error:
        answer.refuse("cannot be compiled: its import ends in %s" % words_of(error), line_of(error, file))
        return
    for kernel in kernels_in(module, file):
        of = kernel._annotated_function.pyfunc.__name__
        build_kernel(kernel, file, signatures.get(of, []), answer)
    for name, line in written:
        if name not in answer.made:
            answer.refuse("'%s' is not compiled: it is not a member of the module or of a class in it; 'tilerace "
                          "exec' sees it when it is launched" % name, line)


def main() -> None:
    own = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [os.path.dirname(own), *(path for path in sys.path if path and os.path.abspath(path) != own)]
    folder = sys.argv[1]
    with open(os.path.join(folder, "request.json"), encoding="utf-8") as request:
        stated = json.load(request)
    # Our own modules come before modules of the same name in a repository.
    from tilerace import _cutile, _signature  # noqa: F401  pylint: disable=unused-import
    answer = Answer(folder)
    build(stated, answer)
    answer.write()
    os._exit(0)  # nothing that the stranger has left behind is waited for


if __name__ == "__main__":
    main()

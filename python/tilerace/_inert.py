"""The part of a candidate of cuTile Python that runs nothing of it: imports of known modules, constants, and
functions that are defined and not called.

The front end compiles a kernel from the text of its function. So this part alone gives the Tile IR that
the candidate's text states, before any other line of it has run; what its own code does to the process
later cannot change that any more.
"""
from __future__ import annotations

import ast
import builtins
import re
from typing import Dict, Iterator, List, Optional, Set, Tuple, Union

_MODULES = ("cuda.tile", "cuda", "math", "numpy", "torch", "typing", "typing_extensions", "__future__")
_BUILTINS = {"abs", "bool", "divmod", "float", "int", "len", "max", "min", "pow", "range", "round", "sum",
             "tuple"}
_TYPES = {"bytes", "complex", "dict", "frozenset", "list", "object", "set", "str", "type"}  # not to be called
# Members of the modules that may be called since they only compute; of cuda.tile also its classes.
_PURE: Dict[str, Optional[Set[str]]] = {"math": None, "numpy": {"log", "log2", "exp", "exp2", "sqrt", "float16", "float32", "float64", "int32",
                                "int64", "dtype"}}
_DECORATORS = {"kernel", "function"}
_EVALUATED = {"static_eval", "static_assert", "static_iter"}  # whose arguments the front end runs

# A text may come to be an annotation, which the front end evaluates: none can hold a call.
_HARMLESS = re.compile(r"[A-Za-z0-9_ .,\[\]]*")

_Function = Union[ast.FunctionDef, ast.AsyncFunctionDef]


class Alive(Exception):
    """Code of the candidate decides what is compiled; a sentence."""


def _alive(node: ast.AST, what: str) -> Alive:
    return Alive("line %d %s" % (getattr(node, "lineno", 0), what))


# ---- Statements of the module ----


def _is_main_block(node: ast.stmt) -> bool:
    return isinstance(node, ast.If) and not node.orelse and ast.unparse(node.test) == "__name__ == '__main__'"


def _is_for_imports(node: ast.stmt) -> bool:
    """try: imports; except ImportError: something in their place."""
    return (isinstance(node, ast.Try) and not node.finalbody and not node.orelse
            and all(isinstance(each, (ast.Import, ast.ImportFrom)) for each in node.body))


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yields the statements of a module all of whose imports succeed. Of a `try` around imports these are the imports,
    and the `try` itself if its handlers bind other names."""
    for node in tree.body:
        if _is_main_block(node):
            continue
        if _is_for_imports(node):
            assert isinstance(node, ast.Try)
            yield from node.body
            imported = set().union(*map(_bound, node.body))
            if not all(_bound(each) <= imported for handler in node.handlers for each in handler.body):
                yield node
        else:
            yield node


def _bound(node: ast.stmt) -> Set[str]:
    """Names of the module that the statement may bind, or bind anew."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
        names = {node.name}
        for inner in ast.walk(node):  # `global`, in what may run later
            if isinstance(inner, ast.Global):
                names.update(inner.names)
        return names
    names = set()
    for inner in ast.walk(node):
        if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load):
            names.add(inner.id)
        elif isinstance(inner, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            names.add(inner.name)
        elif isinstance(inner, ast.alias):
            names.add((inner.asname or inner.name).split(".")[0])
        elif isinstance(inner, ast.Global):
            names.update(inner.names)
        else:  # patterns and handlers hold names as texts
            names.update(name for field in ("name", "rest") for name in [getattr(inner, field, None)]
                         if isinstance(name, str))
    return names


def _texts(node: ast.AST) -> Iterator[ast.AST]:
    """Annotations that are texts, as what they say."""
    for inner in ast.walk(node):
        if isinstance(inner, ast.Constant) and isinstance(inner.value, str):
            try:
                yield ast.parse(inner.value, mode="eval").body
            except (SyntaxError, ValueError):
                pass


def _stored(node: ast.AST) -> Set[str]:
    """Names that are no names of the module somewhere in it."""
    return {inner.id for inner in ast.walk(node)
            if isinstance(inner, ast.Name) and not isinstance(inner.ctx, ast.Load)} | {
                inner.arg for inner in ast.walk(node) if isinstance(inner, ast.arg)} | {
                    inner.name for inner in ast.walk(node) if isinstance(inner, ast.FunctionDef)}


def _used(node: ast.AST) -> Set[str]:
    """Names that the module has to bind for it. Those that a function has for itself are none, though
    some function inside of it may mean the module's: then that one is not found, and nothing is believed."""
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        names = set().union(*map(_used, node.body)) - _stored(node)
        return names.union(*map(_used, [*node.decorator_list, node.args, *([node.returns] if node.returns else [])]))
    names = {inner.id for inner in ast.walk(node) if isinstance(inner, ast.Name)}
    return names.union(*map(_used, _texts(node)))


# ---- What may be evaluated ----


class _Rules:
    """Decides which expressions may be evaluated, given the statements that bind the names of the module."""

    def __init__(self, of: Dict[str, ast.stmt]) -> None:
        self.of = of

    def _module(self, node: ast.expr) -> Optional[Tuple[str, str]]:
        """Returns the module and the member that `ct.x.y`, or an imported name, stands for."""
        words: List[str] = []
        while isinstance(node, ast.Attribute):
            words.insert(0, node.attr)
            node = node.value
        if not isinstance(node, ast.Name):
            return None
        statement = self.of.get(node.id)
        if not isinstance(statement, (ast.Import, ast.ImportFrom)):
            return None
        for alias in statement.names:
            if (alias.asname or alias.name.split(".")[0]) != node.id:
                continue
            if isinstance(statement, ast.ImportFrom):
                whole = [*(statement.module or "").split("."), *alias.name.split("."), *words]
            else:
                whole = [*(alias.name if alias.asname else node.id).split("."), *words]
            return ".".join(whole[:-1]), whole[-1]
        return None

    def _may_call(self, node: ast.expr, local: Set[str]) -> bool:
        if any(isinstance(inner, ast.Name) and inner.id in local for inner in ast.walk(node)):
            return False
        if isinstance(node, ast.Name) and node.id not in self.of:
            return node.id in _BUILTINS
        found = self._module(node)
        if found is None:
            return False
        module, name = found
        if module == "cuda.tile":
            return name[:1].isupper() or name in _DECORATORS
        return module in _PURE and (_PURE[module] is None or name in (_PURE[module] or ()))

    def expression(self, node: ast.AST, local: Set[str]) -> None:
        """Alive unless evaluating it calls nothing but what only computes. Names in `local` are not
        those of the module."""
        if isinstance(node, ast.Call):
            if not self._may_call(node.func, local):
                raise _alive(node, "calls what could be anything")
        elif isinstance(node, ast.Attribute):
            if node.attr.startswith("_") or node.attr.startswith("static_"):
                raise _alive(node, "takes '%s' of something" % node.attr)
        elif isinstance(node, ast.Name):
            found = self._module(node)
            known = node.id in self.of or node.id in local or node.id in _BUILTINS | _TYPES
            if (not known and hasattr(builtins, node.id)) or (found and found[1].startswith("static_")):
                raise _alive(node, "takes '%s'" % node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            if not _HARMLESS.fullmatch(node.value):
                raise _alive(node, "has a text that could be evaluated")
        elif not isinstance(node, (
                ast.Constant, ast.Subscript, ast.Slice, ast.Tuple, ast.List, ast.Set, ast.Dict, ast.BinOp,
                ast.UnaryOp, ast.BoolOp, ast.Compare, ast.IfExp, ast.keyword, ast.Starred, ast.ListComp,
                ast.GeneratorExp, ast.comprehension, ast.expr_context, ast.operator, ast.unaryop, ast.boolop, ast.cmpop)):
            raise _alive(node, "is evaluated when it is imported")
        for child in ast.iter_child_nodes(node):
            self.expression(child, local)

    def outside(self, node: ast.AST) -> None:
        """Holds code outside of functions to the rules."""
        self.expression(node, _stored(node))

    def annotation(self, node: Optional[ast.AST]) -> None:
        """The front end evaluates one that is a text, too."""
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            for text in _texts(node):
                self.annotation(text)
        elif node is not None:
            self.outside(node)

    def function(self, node: _Function) -> None:
        if getattr(node, "type_params", None):
            raise _alive(node, "has parameters that are types")
        for decorator in node.decorator_list:
            found = self._module(decorator.func if isinstance(decorator, ast.Call) else decorator)
            if not found or found[0] != "cuda.tile" or found[1] not in _DECORATORS:
                raise _alive(decorator, "decorates '%s'" % node.name)
            self.outside(decorator)
        arguments = node.args
        for default in [*arguments.defaults, *arguments.kw_defaults]:
            if default is not None:
                self.outside(default)
        for of in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs, arguments.vararg, arguments.kwarg):
            self.annotation(of.annotation if of else None)
        self.annotation(node.returns)
        local = _stored(node)
        for statement in node.body:
            self._body(statement, local)

    def _body(self, node: ast.AST, local: Set[str]) -> None:
        """Holds the code that the front end compiles to the rules. The front end runs nothing of it but what it is told
        to evaluate."""
        if isinstance(node, ast.Call):
            found = self._module(node.func)
            if found and found[0] == "cuda.tile" and found[1] in _EVALUATED:
                for argument in (*node.args, *node.keywords):
                    self.expression(argument, local)
                return
        name = node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""
        found = self._module(node) if isinstance(node, ast.Name) else None
        if name.startswith(("static_", "_cutile")) or (found and found[1].startswith("static_")):
            raise _alive(node, "takes '%s'" % name)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.decorator_list:
            raise _alive(node, "decorates '%s'" % node.name)
        for child in ast.iter_child_nodes(node):
            self._body(child, local)

    def statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Import):
            self._imports(node, [alias.name for alias in node.names])
        elif isinstance(node, ast.ImportFrom):
            if node.level:
                raise _alive(node, "imports from a package")
            self._imports(node, [node.module or ""])
            if any(alias.name.startswith(("_", "static_")) or alias.name == "*" for alias in node.names) \
                    and node.module != "__future__":
                raise _alive(node, "imports what could be anything")
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            self.function(node)
        elif isinstance(node, (ast.Assign, ast.AnnAssign)) and node.value is not None:
            for target in node.targets if isinstance(node, ast.Assign) else [node.target]:
                if not all(isinstance(each, ast.Name) for each in (
                        target.elts if isinstance(target, (ast.Tuple, ast.List)) else [target])):
                    raise _alive(node, "changes something else than a name")
            self.outside(node.value)
            if isinstance(node, ast.AnnAssign):
                self.annotation(node.annotation)
        else:
            raise _alive(node, "runs when it is imported")

    @staticmethod
    def _imports(node: ast.stmt, names: List[str]) -> None:
        for name in names:
            if name not in _MODULES and not (name.startswith("cuda.tile.") and "._" not in name):
                raise _alive(node, "imports '%s'" % name)


# ---- The part ----


def _makes_kernel(node: ast.stmt) -> bool:
    """Does the statement make a kernel, by a decorator or by a call in an assignment?"""
    of: List[ast.AST] = list(node.decorator_list) if isinstance(node, ast.FunctionDef) else [node]
    return any(isinstance(inner, ast.Attribute) and inner.attr == "kernel"
               or isinstance(inner, ast.Name) and inner.id == "kernel" for each in of for inner in ast.walk(each))


def part_of(text: str, file: str, kernel: Optional[str]) -> ast.Module:
    """The inert part of the file that makes the kernel, or all kernels. Alive: there is none.
    SyntaxError, ValueError and RecursionError as of `ast.parse`."""
    tree = ast.parse(text, file)
    bound: Dict[str, List[ast.stmt]] = {}
    for node in _statements(tree):
        for name in _bound(node):
            bound.setdefault(name, []).append(node)
    once = {name: nodes[0] for name, nodes in bound.items()}
    roots = [kernel] if kernel else [name for name, node in once.items() if _makes_kernel(node)]
    if not roots or any(name not in bound for name in roots):
        raise Alive("no line of the module makes the kernel")
    rules, needed, left = _Rules(once), set(roots), list(roots)
    while left:
        name = left.pop()
        if len(bound[name]) > 1:
            raise _alive(bound[name][1], "binds '%s' anew" % name)
        node = once[name]
        rules.statement(node)
        for other in _used(node) & set(bound) - needed:
            needed.add(other)
            left.append(other)
    futures = [node for node in tree.body if isinstance(node, ast.ImportFrom) and node.module == "__future__"]
    kept = {id(once[name]) for name in needed} | set(map(id, futures))
    body = [node for node in _statements(tree) if id(node) in kept]
    return ast.Module(body=body, type_ignores=[])

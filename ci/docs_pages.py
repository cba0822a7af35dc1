"""Writes the pages of docs/ that are made from the sources: what the library and the Python package
offer, and the list of rules. Nothing is imported or run.

    build/docs/bin/python ci/docs_pages.py            # says which pages are not as they should be
    build/docs/bin/python ci/docs_pages.py --update   # writes them
"""

import pathlib
import re
import sys

import griffe

ROOT = pathlib.Path(__file__).resolve().parents[1]
DOCS = ROOT / "docs"
MADE = "This page is generated from {} by `ci/docs_pages.py`."


# ---- C: the header, its comments as text and its declarations as code ----

C_PART = re.compile(r"^/\*(.*?)\*/\n|^(.+?\n)(?=^/\*|\Z)", re.DOTALL | re.MULTILINE)
C_HIDDEN = re.compile(r"^#(?:ifndef TILERACE_H|define TILERACE_H|include .*|ifdef __cplusplus|endif|if defined.*|else)$"
                      r"|^#define TILERACE_EXPORT.*$|^extern \"C\" \{$|^\}$", re.MULTILINE)


def c_text(comment):
    """A comment as paragraphs and lists of Markdown."""
    lines = [re.sub(r"^ \* ?", "", line).rstrip() for line in comment.strip("\n").split("\n")]
    return re.sub(r"(`[^`]*`)|\b(tilerace_\w+(?:\(\))?|TILERACE_[A-Z_]+)",
                  lambda found: found[1] or f"`{found[2]}`", "\n".join(lines).strip())


def c_page():
    header = (ROOT / "include" / "tilerace.h").read_text()
    out = ["# The library's functions", "", MADE.format("[tilerace.h](../include/tilerace.h)")
           + " [library.md](library.md) explains how to use them.", ""]
    for comment, code in C_PART.findall(header):
        section = re.fullmatch(r" ---- Section: (.*) ---- ", comment)
        if section:
            out += [f"## {section[1]}", ""]
        elif comment:
            out += [c_text(comment), ""]
        else:
            code = re.sub(r"^TILERACE_EXPORT (.*?;)", lambda found: found[1].replace("\n" + " " * 16, "\n"),
                          C_HIDDEN.sub("", code), flags=re.DOTALL | re.MULTILINE)
            code = re.sub(r"\n{3,}", "\n\n", code).strip("\n")
            if code:
                out += ["```c", code, "```", ""]
    return "\n".join(out)


# ---- Python: what `import tilerace` offers, by its docstrings ----

def signature(function, name):
    parts, keywords_only = [], False
    for parameter in function.parameters:
        kind = parameter.kind.value
        if parameter.name in ("self", "cls"):
            continue
        if kind == "keyword-only" and not keywords_only:
            keywords_only = True
            parts.append("*")
        keywords_only = keywords_only or kind == "variadic positional"
        stars = {"variadic positional": "*", "variadic keyword": "**"}.get(kind, "")
        text = stars + parameter.name + (f": {parameter.annotation}" if parameter.annotation else "")
        if parameter.default is not None and not stars:
            text += (" = " if parameter.annotation else "=") + str(parameter.default)
        parts.append(text)
    returns = f" -> {function.returns}" if function.returns else ""
    line = f"{name}({', '.join(parts)}){returns}"
    if len(line) <= 96:
        return line
    return f"{name}(\n    " + ",\n    ".join(parts) + f",\n){returns}"


def docstring(thing):
    return thing.docstring.value.strip() if thing.docstring else ""


def fields(thing):
    """The lines of a class that say what its members are, with their comments."""
    source = thing.filepath.read_text().splitlines()
    first = (thing.docstring.endlineno if thing.docstring else thing.lineno) + 1
    methods = [member.lineno for member in thing.members.values()
               if not member.is_alias and (member.is_function or "property" in member.labels)
               and member.lineno > thing.lineno]  # what dataclass makes has no line
    # A decorator stands a line above the method that it belongs to.
    last = min(methods) if methods else thing.endlineno + 1
    lines = [line[4:] for line in source[first - 1:last - 1] if not line.startswith("    _")]
    while lines and (not lines[-1].strip() or lines[-1].startswith(("@", "def "))):
        lines.pop()
    while lines and not lines[0].strip():
        lines.pop(0)
    return [] if lines == ["pass"] else lines


def python_page():
    package = griffe.load("tilerace", search_paths=[str(ROOT / "python")], allow_inspection=False)
    out = ["# The Python package's functions", "", MADE.format("the docstrings of [python/tilerace](../python/tilerace)")
           + " [python.md](python.md) explains how to use them.", ""]
    functions = [name for name in package.exports if package[name].is_function]
    for title, names in (("Functions", functions), ("Classes", [n for n in package.exports if n not in functions])):
        out += [f"## {title}", ""]
        for name in sorted(names):
            thing = package[name].final_target
            out += [f"### {name}", ""]
            if thing.is_function:
                out += ["```python", signature(thing, name), "```", ""]
            out += [docstring(thing), ""] if docstring(thing) else []
            if not thing.is_class:
                continue
            bases = [str(base) for base in thing.bases if str(base) not in ("NoTruth", "enum.Enum")]
            out += [f"A subclass of `{'`, `'.join(bases)}`.", ""] if bases else []
            if lines := fields(thing):
                out += ["```python", *lines, "```", ""]
            for method in thing.members.values():
                shown = not method.is_alias and not method.name.startswith("_") and docstring(method)
                if shown and method.is_function:
                    out += ["```python", signature(method, f"{name}.{method.name}"), "```", "", docstring(method), ""]
                elif shown and "property" in method.labels:
                    out += [f"`{name}.{method.name}`: {docstring(method)}", ""]
    return "\n".join(out)


# ---- The list of rules, from their pages ----

def rules_page():
    out = ["# Rules", "", "Each finding names a rule; `tilerace explain TR001` prints its text. The number of a rule "
           "never changes. An *error* gives exit code 1. The rules from TR900 on are not about a mistake in a kernel: "
           "a kernel was not decided, a file was not checked, or a comment allows nothing.", "",
           "| rule | name | level | finds |", "| --- | --- | --- | --- |"]
    for page in sorted((DOCS / "rules").glob("TR*.md")):
        code, name, text = re.match(r"# (TR\d+): ([\w-]+)\n\n(.*?)\n\n", page.read_text(), re.DOTALL).groups()
        level = re.search(r"^Level: (\w+)", page.read_text(), re.MULTILINE)
        out.append(f"| [{code}]({code}.md) | {name} | {level[1] if level else ''} | {' '.join(text.split())} |")
    return "\n".join(out + [""])


# ---- Texts that the program prints and pages repeat ----

LITERALS = r'((?:"(?:[^"\\\\]|\\\\.)*"\s*)+)'


def rows(table, pattern):
    """The rows of a table of the sources, the literals of each field joined."""
    found = list(re.finditer(pattern.replace("TEXT", LITERALS), (ROOT / table).read_text(), re.MULTILINE))
    if len(found) < 10:
        sys.exit(f"{table}: its rows are written in another way than ci/docs_pages.py reads them")
    for row in found:
        yield ["".join(re.findall(r'"((?:[^"\\\\]|\\\\.)*)"', field)) if '"' in field else field for field in row.groups()]


def repeated_texts():
    """Returns the lines in which a page differs from `tilerace explain`."""
    for code, summary, text in rows("analyzer/verdict/rules.def", r'^RULE\(\w+, (".*?"), [^\n]*LEVEL_\w+,[^"]*TEXT,\s*TEXT\)'):
        path = DOCS / "rules" / f"{code}.md"
        page = path.read_text() if path.exists() else ""
        for said in (summary[0].upper() + summary[1:] + ".", text):
            if said not in page:
                yield f"docs/rules/{code}.md does not say: {said}"
    page = (DOCS / "preconditions.md").read_text()
    for name, kind, summary, text in rows("analyzer/contract/preconditions.def",
                                          r'^PRECONDITION\(\w+, (".*?"), (\w+), TEXT,\s*TEXT\)'):
        line = f"| `{name}` | {kind.lower()} | {summary} | {text}"
        if line not in page:
            yield f"docs/preconditions.md does not say: {line}"


PAGES = {"api-c.md": c_page, "api-python.md": python_page, "rules/index.md": rules_page}


def main(words):
    wrong = []
    for name, make in PAGES.items():
        text = re.sub(r"\n{3,}", "\n\n", make()).rstrip("\n") + "\n"
        kept = DOCS / name
        if not kept.exists() or kept.read_text() != text:
            wrong.append(name)
        if "--update" in words:
            kept.write_text(text)
    otherwise = list(repeated_texts())
    print("\n".join(otherwise), end="\n" if otherwise else "")
    if otherwise:
        return 1
    if wrong and "--update" not in words:
        print(f"docs/{', docs/'.join(wrong)}: not what the sources say; ci/docs_pages.py --update writes them")
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

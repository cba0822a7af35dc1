"""Hooks that MkDocs calls while it builds the site. The same Markdown is read on GitHub and on the site:

- pages at the root of the repository (the changelog and others) become pages of the site;
- links out of docs/ lead to those pages, or to the file in the repository, which has to be there.
"""

import logging
import os
import pathlib
import re

from mkdocs.structure.files import File

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Files outside of docs/ that are pages, and their names on the site.
PAGES = {"CHANGELOG.md": "changelog.md", "SECURITY.md": "security-policy.md", "CONTRIBUTING.md": "contributing.md",
         "ARCHITECTURE.md": "architecture.md", "tests/README.md": "tests.md"}
LINK = re.compile(r"(\]\()([^)#\s]*)((?:#[^)\s]*)?\))")
FENCE = re.compile(r"^ *```")
log = logging.getLogger("mkdocs.plugins.docs_hooks")


def on_files(files, config):
    for source, name in PAGES.items():
        files.append(File.generated(config, name, content=(ROOT / source).read_text()))
    return files


def new_target(target, source, page, config):
    """Returns the target on the site of a link in the file `source` (named from the root)."""
    path = os.path.normpath(os.path.join(os.path.dirname(source), target))
    if path in PAGES:
        path = os.path.join("docs", PAGES[path])
    if path.startswith("docs/") and not (ROOT / path).is_dir():
        return os.path.relpath(path[len("docs/"):], os.path.dirname(page) or ".")
    if path.startswith("..") or not (ROOT / path).exists():
        log.warning("%s: there is no %s", source, target)
    return f"{config.extra['repository']}/{'tree' if (ROOT / path).is_dir() else 'blob'}/main/{path}"


def on_page_markdown(markdown, page, config, files):
    name = page.file.src_uri
    source = next((file for file, made in PAGES.items() if made == name), f"docs/{name}")

    def replace(found):
        target = found[2]
        if not target or re.match(r"[a-z]+:", target):
            return found[0]
        return found[1] + new_target(target, source, name, config) + found[3]

    lines, code = [], False
    for line in markdown.split("\n"):
        code ^= bool(FENCE.match(line))
        # Code between backticks is left alone.
        lines.append(line if code else "".join(part if part.startswith("`") else LINK.sub(replace, part)
                                               for part in re.split(r"(?<!\[)(`+[^`]*`+)(?!\])", line)))
    return "\n".join(lines)

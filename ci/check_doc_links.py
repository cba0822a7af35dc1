#!/usr/bin/env python3
"""Looks at the links of every Markdown file and of llms.txt as GitHub follows them: a file or folder has
to be there, and a section has to have that title. Links into the network are not followed.

    ci/check_doc_links.py [FILE...]
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
LINK = re.compile(r"\]\(([^)\s]*)\)")
TITLE = re.compile(r"^#{1,6} +(.*?)\s*$", re.MULTILINE)


def without_code(text):
    text = re.sub(r"^ *```.*?^ *```", "", text, flags=re.DOTALL | re.MULTILINE)
    return re.sub(r"(?<!\[)(`+)[^`]+\1(?!\])", "", text)


def anchors(path):
    """The anchors of a page: titles without marks, in lower case, with numbers where one comes again."""
    found, text = {}, re.sub(r"^ *```.*?^ *```", "", path.read_text(), flags=re.DOTALL | re.MULTILINE)
    for title in TITLE.findall(text):
        title = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", title)
        anchor = re.sub(r"[^\w -]", "", title).strip().lower().replace(" ", "-")
        found[anchor] = found.get(anchor, -1) + 1
        if found[anchor]:
            found[f"{anchor}-{found[anchor]}"] = 0
    return found


def wrong_links(path):
    for target in LINK.findall(without_code(path.read_text())):
        if re.match(r"[a-z]+:", target):
            continue
        name, _, anchor = target.partition("#")
        to = (path.parent / name).resolve() if name else path
        if not to.exists() or not to.is_relative_to(ROOT):
            yield f"there is no {target}"
        elif anchor and (to.suffix != ".md" or anchor not in anchors(to)):
            yield f"there is no section {target}"


def main(names):
    files = names or subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.md", "llms.txt"], cwd=ROOT,
                                    check=True, capture_output=True, text=True).stdout.splitlines()
    wrong = [f"{name}: {what}" for name in files if (ROOT / name).exists() for what in wrong_links(ROOT / name)]
    print("\n".join(wrong) if wrong else f"the links of {len(files)} pages lead somewhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

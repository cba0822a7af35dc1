"""Explains the words of a result."""
from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from tilerace._library import library, text, text_or_none
from tilerace._results import InputError, Level, _one_of


@dataclass(frozen=True)
class Explanation:
    """The explanation of a rule, a verdict or a precondition. `str()` gives it as text."""

    kind: str  #: "rule", "verdict", "precondition"
    code: Optional[str]  #: of a rule: "TR001"
    name: str  #: "inter-block-write-write"
    level: Optional[Level]  #: of a rule
    summary: str
    text: str  #: why it is wrong, and what to do
    url: str  #: of its page, with an example

    @property
    def title(self) -> str:
        return self.name if self.code is None else "%s %s" % (self.code, self.name)

    def __str__(self) -> str:
        return "%s (%s)\n\n%s\n\n%s\n\n%s" % (
            self.title, self.kind if self.level is None else self.level.value, self.summary,
            self.text, self.url)


def explain(word: str) -> Explanation:
    """Explains a rule (by its code or name), a verdict or a precondition (by its name)."""
    if not isinstance(word, str):
        raise TypeError("explain() takes a rule, a verdict or a precondition as a str, not %s"
                        % type(word).__name__)
    found = None if "\0" in word else library().tilerace_explain(word.encode("utf-8", "replace"))
    if not found:
        raise InputError("there is no rule, verdict or precondition %r" % word)
    try:
        e = found.contents
        return Explanation(text(e.kind), text_or_none(e.code), text(e.name),
                           None if e.code is None else _one_of(Level, e.level), text(e.summary),
                           text(e.help), text(e.page))
    finally:
        library().tilerace_free_explanation(found)


def version() -> str:
    """The version of the library that checks."""
    return text(library().tilerace_version())

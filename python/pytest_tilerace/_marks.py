"""The marker: @pytest.mark.tilerace(allow="TR001", reason="...")."""
from __future__ import annotations

import functools
from typing import Any, Dict, Iterable, List, NamedTuple, Optional, Tuple

import pytest

import tilerace
from pytest_tilerace._found import Finding


class Allowed(NamedTuple):
    """The contents of one marker."""

    rules: Tuple[str, ...]
    reason: str


# Findings that only a run of a launch shows, which have no rule.
OTHER_WORDS = ("undefined-value",)


@functools.lru_cache(maxsize=None)
def _code(word: str) -> Optional[str]:
    """Returns the code of a rule that is given by its code or its name; None: there is no such rule."""
    if word in OTHER_WORDS:
        return word
    try:
        return tilerace.explain(word).code
    except tilerace.InputError:
        return None


def _rules(allow: Any) -> Tuple[str, ...]:
    words = [allow] if isinstance(allow, str) else allow
    if not isinstance(words, (list, tuple, set, frozenset)) or not words:
        raise ValueError("allow is a rule or a list of rules, not %r" % (allow,))
    codes = set()
    for word in words:
        code = _code(word) if isinstance(word, str) else None
        if code is None:
            raise ValueError("allow=%r: there is no such rule; `tilerace explain` lists them"
                             % (word,))
        codes.add(code)
    return tuple(sorted(codes))


def read(mark: pytest.Mark) -> Allowed:
    """ValueError, with a sentence, where it says nothing."""
    words: Dict[str, Any] = dict(mark.kwargs)
    allow, reason = words.pop("allow", None), words.pop("reason", None)
    if mark.args or words:
        raise ValueError("it takes allow= and reason= alone, not %s" % ", ".join(
            [repr(word) for word in mark.args] + ["%s=" % name for name in words]))
    if allow is None:
        raise ValueError("allow= is missing: the rule whose findings do not fail the test")
    if not isinstance(reason, str) or not reason.strip():
        raise ValueError("reason= is missing: why findings of %s do not fail the test" % (allow,))
    return Allowed(_rules(allow), reason.strip())


def of(node: pytest.Collector | pytest.Item) -> List[Allowed]:
    return [read(mark) for mark in node.iter_markers("tilerace")]


def wrong(items: Iterable[pytest.Item]) -> Optional[str]:
    """Says what is wrong with the markers of the tests; None: nothing."""
    for item in items:
        try:
            of(item)
        except ValueError as error:
            return "%s: @pytest.mark.tilerace: %s" % (item.nodeid, error)
    return None


def who_allows(finding: Finding, allowed: List[Allowed]) -> List[Allowed]:
    """The markers that together allow all that is wrong with the launch; none: they do not."""
    needed = [[a for a in allowed if rule in a.rules] for rule in finding.rules]
    if not needed or not all(needed):
        return []
    return [a for a in allowed if any(a in some for some in needed)]

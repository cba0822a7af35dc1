"""Changes the outcome of each test by what was found of its launches."""
from __future__ import annotations

from typing import Any, Callable, Dict, Generator, Iterable, List, Optional, Set, Tuple

import pytest

from pytest_tilerace import _marks
from pytest_tilerace._found import Finding, Listener, together


class Tally:
    """Counts for the summary of the session, beside the checker's own counts. `data` can be sent from an xdist worker
    to the controller."""

    def __init__(self) -> None:
        self.data: Dict[str, Any] = {"outside": [], "allowed": [], "markers": {}, "made": 0}

    def outside(self, where: str, findings: Iterable[Finding]) -> None:
        text = together(findings)
        if text:
            self.data["outside"].append("%s:\n%s" % (where, text))

    def allowed(self, test: str, finding: Finding, by: _marks.Allowed) -> None:
        line = "%s: allowed (%s): %s" % (test, by.reason, finding.first_line)
        if line not in self.data["allowed"]:
            self.data["allowed"].append(line)

    def marker(self, item: pytest.Item, by: _marks.Allowed, is_met: bool) -> None:
        """The marker was on a test that ran to its end: one mark on a parametrised test is on all
        its instances, and a finding of one of them is enough."""
        of = item.nodeid.partition("[")[0]
        key = "%s: allow=%s (%s)" % (of, ", ".join(by.rules), by.reason)
        self.data["markers"][key] = self.data["markers"].get(key, False) or is_met

    def add(self, other: Dict[str, Any]) -> None:
        """Adds the counts of another process."""
        self.data["made"] += other["made"]
        for name in "outside", "allowed":  # workers import the same files
            self.data[name] += [text for text in other[name] if text not in self.data[name]]
        for key, is_met in other["markers"].items():
            self.data["markers"][key] = self.data["markers"].get(key, False) or is_met


class Tests:
    """The hooks around collection, fixtures and tests, in the process that runs them."""

    def __init__(self, listener: Listener, tally: Tally,
                 refuse: Callable[[str, List[pytest.Item]], None]) -> None:
        self._listener = listener
        self._tally = tally
        self._refuse = refuse  # called with what is wrong with a marker, and all tests
        self._of_fixtures: Dict[Any, List[Finding]] = {}  # that are set up
        self._met: Dict[_marks.Allowed, bool] = {}  # markers of the test that runs
        self._met_at_import: Set[_marks.Allowed] = set()
        self._is_whole = True  # that test has neither failed nor been skipped so far

    # ---- Section: What is wrong, and what is allowed ----

    def _judge(self, allowed: List[_marks.Allowed], test: str,
               findings: Iterable[Finding]) -> Tuple[List[Finding], List[str]]:
        """Returns the findings that fail the test, and lines about those that are allowed."""
        wrong, lines = [], []
        for finding in findings:
            by = _marks.who_allows(finding, allowed)
            if not by:
                wrong.append(finding)
            for marker in by:
                self._met[marker] = True
                self._tally.allowed(test, finding, marker)
                lines.append("allowed (%s): %s" % (marker.reason, finding.first_line))
        return wrong, lines

    def _of_used_fixtures(self, item: pytest.Item) -> List[Finding]:
        """Returns the findings of fixtures that were set up for an earlier test and that this test uses."""
        used = getattr(getattr(item, "_request", None), "_fixture_defs", {})
        return [f for fixture in used.values() for f in self._of_fixtures.get(fixture, ())]

    # ---- Section: Tests ----

    def _phase(self, item: pytest.Item, when: str) -> Generator[None, Any, Any]:
        self._between()
        failure: Optional[BaseException] = None
        result: Any = None
        try:
            result = yield
        except BaseException as error:
            failure = error
        findings = self._listener.take()
        if when != "teardown":
            findings += [f for f in self._of_used_fixtures(item) if f not in findings]
        wrong, lines = self._judge(_marks.of(item), item.nodeid, findings)
        self._is_whole = self._is_whole and failure is None
        text = "\n\n".join(part for part in (together(wrong), "\n".join(lines)) if part)
        hides = wrong and isinstance(failure, pytest.skip.Exception)
        if failure is not None and not hides:
            if text:
                item.add_report_section(when, "tilerace", text)
            raise failure
        if wrong:
            raise pytest.fail.Exception(text, pytrace=False) from None
        if lines:
            item.add_report_section(when, "tilerace", text)
        return result

    def _between(self) -> None:
        """Takes the findings of threads and processes that an earlier test left behind."""
        self._tally.outside("between tests", self._listener.take())

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> Generator[None, Any, Any]:
        self._met = {marker: False for marker in _marks.of(item)}
        self._is_whole = True
        return (yield from self._phase(item, "setup"))

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None, Any, Any]:
        return (yield from self._phase(item, "call"))

    @pytest.hookimpl(wrapper=True, trylast=True)
    def pytest_runtest_teardown(self, item: pytest.Item) -> Generator[None, Any, Any]:
        result: Any = yield from self._phase(item, "teardown")
        for marker, is_met in self._met.items():
            is_met = is_met or marker in self._met_at_import
            if is_met or self._is_whole:
                self._tally.marker(item, marker, is_met)
        return result

    # ---- Section: Fixtures ----

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(self, fixturedef: Any) -> Generator[None, Any, Any]:
        mark = self._listener.mark()
        try:
            return (yield)
        finally:
            found = self._listener.since(mark)
            if found:
                self._of_fixtures[fixturedef] = found

    @pytest.hookimpl
    def pytest_fixture_post_finalizer(self, fixturedef: Any) -> None:
        self._of_fixtures.pop(fixturedef, None)

    # ---- Section: Collection ----

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: List[pytest.Item]) -> None:
        why = _marks.wrong(items)
        if why is not None:
            self._refuse(why, items)

    @pytest.hookimpl(wrapper=True)
    def pytest_make_collect_report(
            self, collector: pytest.Collector
    ) -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
        """A module whose import launches something that races cannot be collected."""
        self._tally.outside("before %s" % (collector.nodeid or "collection"), self._listener.take())
        report = yield
        findings = self._listener.take()
        if not findings:
            return report
        try:
            allowed = _marks.of(collector)
        except ValueError:  # told with the tests of the module
            allowed = []
        wrong, lines = self._judge(allowed, collector.nodeid, findings)
        self._met_at_import.update(marker for marker, is_met in self._met.items() if is_met)
        text = "\n\n".join(part for part in (together(wrong), "\n".join(lines)) if part)
        if wrong and report.outcome != "failed":
            report.outcome, report.longrepr = "failed", text
        else:
            report.sections.append(("tilerace", text))
        return report

    def finish(self) -> None:
        self._tally.outside("after the last test", self._listener.take())
        self._tally.data["made"] += self._listener.made()


class Blind:
    """The plugin in a worker that the session's checker does not see. It fails each test, since none was checked."""

    def __init__(self, why: str) -> None:
        self._why = why

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        pytest.fail("not checked: %s" % self._why, pytrace=False)

"""One test session: who checks, who counts, and what is said at the end."""
from __future__ import annotations

import os
import sys
from typing import Any, Dict, List, Optional

import pytest

from pytest_tilerace import _checker, _found, _summary, _tests
from pytest_tilerace._checker import Checker

KEY = "tilerace"  # of what is sent to xdist's workers, and what they send back


def configure(config: pytest.Config, mode: str, checker: Optional[Checker]) -> None:
    if checker is not None:
        config.pluginmanager.register(Controller(config, checker), "tilerace-controller")
        return
    sent: Optional[str] = getattr(config, "workerinput", {}).get(KEY)
    if sent is None:
        raise pytest.UsageError(
            "--tilerace=%s: this session runs in a test of another session, whose checker sees it: "
            "leave the option out" % mode)
    config.pluginmanager.register(Worker(config, mode, sent), "tilerace-worker")


class Controller:
    """The plugin in the process that pytest was started as, which also runs the tests if there is no xdist."""

    def __init__(self, config: pytest.Config, checker: Checker) -> None:
        self._checker = checker
        self._tally = _tests.Tally()
        self._tests: Optional[_tests.Tests] = None
        self._usage: Optional[str] = None
        self._problems: List[str] = []
        if checker.mode != "record":
            self._tests = _tests.Tests(_found.Listener(_checker.FIRST), self._tally, _refuse)
            config.pluginmanager.register(self._tests, "tilerace-tests")

    def pytest_report_header(self) -> List[str]:
        how = (": launches are executed on the interpreter, not on a GPU"
               if self._checker.mode == "interpret" else "")
        return ["tilerace: " + self._checker.mode + how, *self._checker.header]

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput[KEY] = self._checker.folder

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        sent: Optional[Dict[str, Any]] = getattr(node, "workeroutput", {}).get(KEY)
        if sent is not None:  # else it has crashed, and xdist says so
            self._usage = self._usage or sent["usage"]
            self._tally.add(sent["tally"])

    @pytest.hookimpl(trylast=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if self._tests is not None:
            self._tests.finish()
        self._checker.end()
        self._problems = _summary.problems(self._checker, self._tally)
        if self._usage is not None:
            session.exitstatus = pytest.ExitCode.USAGE_ERROR
        elif self._problems and session.exitstatus in (pytest.ExitCode.OK,
                                                       pytest.ExitCode.NO_TESTS_COLLECTED):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def pytest_terminal_summary(self, terminalreporter: Any) -> None:
        terminalreporter.write_sep("=", "tilerace")
        if self._usage is not None:
            terminalreporter.write_line("ERROR: " + self._usage, red=True)
        for line in _summary.lines(self._checker, self._tally):
            terminalreporter.write_line(line)
        for line in self._problems:
            terminalreporter.write_line("error: " + line, red=True)


def _refuse(why: str, items: List[pytest.Item]) -> None:
    raise pytest.UsageError(why)


class Worker:
    """The plugin in a process of xdist that runs tests."""

    def __init__(self, config: Any, mode: str, folder: str) -> None:
        self._config = config
        self._tally = _tests.Tally()
        self._tests: Optional[_tests.Tests] = None
        self._usage: Optional[str] = None
        has_hooks = any(hasattr(finder, "is_of_tilerace") for finder in sys.meta_path)
        if os.environ.get(_checker.SESSION) != folder or not os.path.isdir(folder):
            config.pluginmanager.register(_tests.Blind(
                "this worker does not run on the machine, or in the environment, of the checker"))
        elif not has_hooks:
            config.pluginmanager.register(_tests.Blind(
                "the Python of this worker was started without the hooks (-E, -I or -S)"))
        elif mode != "record":
            listener = _found.Listener(os.environ["PYTEST_XDIST_WORKER"] + ".jsonl")
            self._tests = _tests.Tests(listener, self._tally, self._refuse)
            config.pluginmanager.register(self._tests, "tilerace-tests")

    def _refuse(self, why: str, items: List[pytest.Item]) -> None:
        """The controller says it: no worker can end a session so."""
        self._usage = why
        items[:] = []

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self) -> None:
        if self._tests is not None:
            self._tests.finish()
        self._config.workeroutput[KEY] = {"usage": self._usage, "tally": self._tally.data}

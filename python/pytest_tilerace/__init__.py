"""The pytest plugin of tilerace: tests fail where a launch of cuTile Python that they make races.

`pytest --tilerace=check` (docs/pytest.md). Without that option, or `tilerace = check` in the ini
file, it registers the marker `tilerace` and does nothing else: nothing of tilerace is imported.
"""
from __future__ import annotations

from typing import Any, List, Optional

import pytest

MODES = ("check", "interpret", "record")
HELP = (
    "check: check each launch of cuTile Python, and fail tests whose launches race or break what "
    "the proof of their kernel needs; interpret: the same without a GPU, where launches are "
    "executed on the interpreter; record: record all launches, for `tilerace check`")
MARKER = (
    'tilerace(allow="TR001", reason="..."): findings of that rule, or of a list of rules, do not '
    "fail the test; they are shown with the reason")

_CHECKER = pytest.StashKey[Any]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("tilerace", "races of GPU tile kernels (tilerace)")
    group.addoption("--tilerace", choices=MODES, default=None, help=HELP)
    group.addoption("--tilerace-recording", metavar="FOLDER", default=None,
                    help="where --tilerace=record keeps launches; default: .tilerace")
    parser.addini("tilerace", "the default of --tilerace", default="")


def _mode(config: pytest.Config, options: Any) -> Optional[str]:
    """None: nothing is asked for."""
    word: Optional[str] = getattr(options, "tilerace", None)
    if word is None:
        word = config.getini("tilerace") or None
        if word is not None and word not in MODES:
            raise pytest.UsageError("the option tilerace of the ini file is %s or %s, not %r"
                                    % (", ".join(MODES[:-1]), MODES[-1], word))
    folder = getattr(options, "tilerace_recording", None)
    if folder is not None and word != "record":
        raise pytest.UsageError("--tilerace-recording is for --tilerace=record")
    return word


@pytest.hookimpl(tryfirst=True)
def pytest_load_initial_conftests(early_config: pytest.Config, parser: pytest.Parser,
                                  args: List[str]) -> None:
    """The checker starts here, since a conftest.py may import a front end, and launch."""
    mode = _mode(early_config, early_config.known_args_namespace)
    if mode is not None:
        try:  # the package itself starts a checker where TILERACE in the environment asks for it
            from pytest_tilerace import _checker
        except (ValueError, RuntimeError, OSError) as error:
            raise pytest.UsageError("--tilerace=%s: %s" % (mode, error)) from None
        checker = _checker.begin(mode, early_config.known_args_namespace.tilerace_recording)
        early_config.stash[_CHECKER] = checker
        if checker is not None:
            early_config.add_cleanup(checker.leave)


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    mode = _mode(config, config.option)
    if mode is not None:
        from pytest_tilerace import _session

        _session.configure(config, mode, config.stash.get(_CHECKER, None))

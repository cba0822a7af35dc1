"""Warnings and exceptions for launches that race."""


class RaceWarning(UserWarning):
    """A launch races, or breaks a precondition of its kernel's proof. The launch has happened."""


class InterpretError(RuntimeError):
    """The interpreter cannot execute a launch. Its arrays have not changed."""


class RaceError(RuntimeError):
    """A launch races, or breaks a precondition of its kernel's proof. The launch has not happened."""


for _class in RaceWarning, RaceError, InterpretError:
    _class.__module__ = "tilerace"  # as users name them, in messages and in pickles

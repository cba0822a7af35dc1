"""What launches that race are in Python."""


class RaceWarning(UserWarning):
    """A launch races, or breaks what the proof of its kernel needs. It has happened."""


class InterpretError(RuntimeError):
    """The interpreter cannot execute a launch; its arrays are as they were."""


class RaceError(RuntimeError):
    """A launch races, or breaks what the proof of its kernel needs. It has not happened."""


for _class in RaceWarning, RaceError, InterpretError:
    _class.__module__ = "tilerace"  # as users name them, in messages and in pickles

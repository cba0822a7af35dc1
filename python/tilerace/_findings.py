"""What launches that race are in Python."""


class RaceWarning(UserWarning):
    """A launch races, or breaks what the proof of its kernel needs. It has happened."""


class RaceError(RuntimeError):
    """A launch races, or breaks what the proof of its kernel needs. It has not happened."""


for _class in RaceWarning, RaceError:
    _class.__module__ = "tilerace"  # as users name them, in messages and in pickles

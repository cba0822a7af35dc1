"""What the hooks of front ends share: replacing a function, and the line of a launch."""
import os
import sys

from tilerace_capture import names, recorder

MOST_FILES = 10000
OWN = os.path.dirname(os.path.abspath(__file__)) + os.sep


def named_as(wrapper, original):
    """The wrapper, which looks like the function that it calls and carries our mark."""
    for attribute in "__name__", "__qualname__", "__module__", "__doc__":
        setattr(wrapper, attribute, getattr(original, attribute, None))
    wrapper.__wrapped__ = original
    wrapper.is_of_tilerace = True
    return wrapper


def replace(module, name, instead):
    """Puts `instead` in the place of a module's function. After `import tilerace` it is also put
    where the program has imported the function by name."""
    original = getattr(module, name)
    recorder.replaced[id(original)] = original, instead
    setattr(module, name, instead)


class Places:
    """Finds the line of a launch: the innermost frame that is neither in the front end's files, whose names begin with
    `package`, nor ours, nor in a function that a library has put in the place of `launch` of the module `front_end`."""

    def __init__(self, package, front_end):
        self.hidden = (package, OWN)
        self.front_end = front_end
        self.files = {}  # name of a file -> the whole one as bytes, None for one that is passed over

    def _file(self, name):
        if len(self.files) > MOST_FILES:  # a program that makes up names
            self.files.clear()
        name = names.absolute(name)
        return None if name.startswith(self.hidden) else os.fsencode(name)

    def here(self, frame):
        front_end = sys.modules.get(self.front_end)
        instead = getattr(getattr(front_end, "launch", None), "__code__", None)
        while frame is not None:
            code = frame.f_code
            if code is instead:
                frame = frame.f_back
                continue
            name = code.co_filename
            try:
                file = self.files[name]
            except KeyError:
                file = self.files[name] = self._file(name)
            if file is not None:
                return file, frame.f_lineno or 0, frame
            frame = frame.f_back
        return None, 0, None

"""What the hooks of front ends share: replacing a function, the line of a launch, and its findings."""
import os
import sys

from tilerace_capture import findings, interpreting, names, recorder

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


def watched(launch, arguments, keywords, frame, block=None, passed=None, is_empty=False):
    """Launches by calling `launch`, and gives findings as warnings or an exception at the line of `frame`, where the
    program asks for them. `block`: the one of interpreting.block(). `passed`: the tuple of what the kernel gets, which
    such a block needs. `is_empty`: no tile block runs, so the launch need not reach the driver."""
    mode = block.findings if block is not None else findings.mode
    if block is None and mode is None:
        return launch(*arguments, **keywords)
    findings.must_be_seen(frame, mode, is_before=True)
    recorder.take_findings(block.asks if block is not None else 0)
    interpreting.keep_read_only([passed])
    try:
        result = launch(*arguments, **keywords)
    except Exception:
        found = recorder.finding()
        if found is None:
            raise
        findings.tell(found, frame, mode)  # the launch was refused because of it
        raise
    except BaseException:
        recorder.finding()
        raise
    found = recorder.finding()
    if found is not None:
        findings.tell(found, frame, mode)
    why = recorder.not_executed()
    if why is not None:
        findings.not_executed(why, frame, mode, block is not None)
    elif found is None:
        findings.must_be_seen(frame, mode)
        findings.made += not is_empty
    return result

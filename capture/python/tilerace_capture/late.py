"""The hooks in a program that runs already, and may have imported its front ends."""
import sys

from tilerace_capture import recorder

OPENED = "cuda.tile._load_libcuda"  # imported by cuTile Python at its first call of the driver


def install(finder, folder):
    """`finder`: the module that has the class Finder and the table FRONT_ENDS. A sentence where
    launches cannot be seen, else None."""
    if OPENED in sys.modules:
        return ("cuTile Python has opened the driver already, and launches kernels unseen: import "
                "tilerace before the first launch")
    waiting = finder.Finder(folder)
    sys.meta_path.insert(0, waiting)
    for name, front_end in finder.FRONT_ENDS.items():
        module = sys.modules.get(name)
        if module is not None:
            waiting.patch(module, front_end)
    _rebind(recorder.replaced)
    return None


def _rebind(replaced):
    """Gives every module that has imported a function what has replaced it. Attributes of classes
    and default arguments stay."""
    for module in list(sys.modules.values()):
        names = getattr(module, "__dict__", None)
        if type(names) is not dict:
            continue
        for name, value in list(names.items()):
            known = replaced.get(id(value))
            if known is not None and known[0] is value:
                names[name] = known[1]

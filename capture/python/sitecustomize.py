"""Lets a Python program under `tilerace exec` tell the checker of its tile kernels.

`tilerace exec` puts this folder on PYTHONPATH, so that the program and every Python process that
it starts imports this file first. It installs one finder, which waits for the modules of a front
end that can be hooked, and then runs the sitecustomize module of the system or the virtual
environment, which it hides. A program that imports no front end pays for the finder alone.
"""
import os
import sys

# Module of a front end -> the module of tilerace_capture whose `patch` gets it, right after it was
# executed and before anything can import a name from it. A further front end is a further row.
FRONT_ENDS = {
    "cuda.tile._cext": "cutile_python",
    "cuda.tile._compile": "cutile_python",
    "cuda.tile._execution": "cutile_python",
    "cuda.tile._load_libcuda": "cutile_python",
    "torch": "pytorch",
    "triton.backends.tileir.conf": "triton",
    "triton.compiler.compiler": "triton",
}


class Finder:
    """Gives the modules of FRONT_ENDS as the other finders do, with a patch after their execution."""

    is_of_tilerace = True

    def __init__(self, folder):
        self.folder = folder

    def find_spec(self, name, path=None, target=None):
        front_end = FRONT_ENDS.get(name)
        if front_end is None:
            return None
        for finder in list(sys.meta_path):
            if finder is self or not hasattr(finder, "find_spec"):
                continue
            spec = finder.find_spec(name, path, target)
            if spec is not None:
                self._patch_after_execution(spec, front_end)
                return spec
        return None

    def _patch_after_execution(self, spec, front_end):
        loader = spec.loader
        execute = getattr(loader, "exec_module", None)
        if execute is None:
            return

        def exec_module(module):
            loader.__dict__.pop("exec_module", None)  # from now on the loader is as it was
            execute(module)
            if module.__spec__ is spec:  # else it is a loader of many modules
                self.patch(module, front_end)

        try:
            loader.exec_module = exec_module
        except AttributeError:
            pass

    def patch(self, module, front_end):
        """Has the hook patch a module that was executed. A front end that the hook cannot patch
        runs without it, and the checker is told."""
        try:
            self._front_end(front_end).patch(module)
        except Exception as error:
            self._tell_lost("%s: %s: %s" % (front_end, type(error).__name__, error))

    def _tell_lost(self, why):
        try:
            recorder = self._front_end("recorder")
            recorder.remark(recorder.FRONT_END_LOST, why)
        except Exception:  # nothing of ours may end the program
            pass

    def _front_end(self, name):
        """The module tilerace_capture.<name>, even where the program left PYTHONPATH's folders out
        of its sys.path."""
        import importlib

        package = "tilerace_capture"
        if package not in sys.modules:
            sys.path.insert(0, self.folder)
            try:
                importlib.import_module(package)
            finally:
                sys.path.remove(self.folder)
        return importlib.import_module(package + "." + name)


def _install(folder):
    if not os.environ.get("TILERACE_CAPTURE"):
        return
    if not any(hasattr(finder, "is_of_tilerace") for finder in sys.meta_path):
        sys.meta_path.insert(0, Finder(folder))


def _run_hidden(folder):
    """Runs the sitecustomize module that is found without this folder. Without one it fails just as
    the import would: `site` expects that error, and the program can see no difference."""
    bootstrap = sys.modules["_frozen_importlib"]
    finder = sys.modules["_frozen_importlib_external"].PathFinder
    path = [entry for entry in sys.path if os.path.abspath(entry or ".") != folder]
    spec = finder.find_spec("sitecustomize", path)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError("No module named 'sitecustomize'", name="sitecustomize")
    module = bootstrap.module_from_spec(spec)
    sys.modules["sitecustomize"] = module
    spec.loader.exec_module(module)


if __name__ == "sitecustomize":  # else the package tilerace wants the finder alone
    _folder = os.path.dirname(os.path.abspath(__file__))
    _install(_folder)
    _run_hidden(_folder)

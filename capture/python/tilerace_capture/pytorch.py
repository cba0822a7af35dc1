"""PyTorch in a dry run: a program that asks for the device "cuda" gets tensors in host memory.

The stand-in driver has no CUDA runtime above it, so PyTorch itself must not be asked for a device.
A function mode sends every call that names the device "cuda" to the CPU and marks what comes out of
it; a marked tensor says that it is on "cuda:0", and what is computed from it is marked. Kernels do
not run, so what is computed from their results has no meaning, as in any dry run.
"""
import re
import threading
import types

from tilerace_capture import recorder

MARK = "_tilerace_on_cuda"
MULTIPROCESSOR_COUNT, MAJOR, MINOR = 16, 75, 76  # CUdevice_attribute
CUDA = re.compile(r"cuda(:\d+)?\Z")


def _mark(value):
    """Marks the tensors in a result."""
    if isinstance(value, torch.Tensor):
        try:
            setattr(value.untyped_storage(), MARK, True)
        except (RuntimeError, NotImplementedError):
            pass  # a tensor without storage, such as a sparse one
    elif isinstance(value, (tuple, list)):
        for item in value:
            _mark(item)
    return value


def _is_marked(value):
    if isinstance(value, torch.Tensor):
        try:
            return hasattr(value.untyped_storage(), MARK)
        except (RuntimeError, NotImplementedError):
            return False
    if isinstance(value, (tuple, list)):
        return any(_is_marked(item) for item in value)
    return False


def _is_cuda(device):
    if isinstance(device, str):
        return bool(CUDA.match(device))
    return isinstance(device, torch.device) and device.type == "cuda"


def _is_host(device):
    if isinstance(device, str):
        return device == "cpu"
    return isinstance(device, torch.device) and device.type == "cpu"


def _to_host(value):
    return "cpu" if _is_cuda(value) else value


def _moved(tensor, on_cuda, result):
    """The result of moving a tensor: memory of its own where the device is another."""
    if _is_marked(tensor) != on_cuda and result.data_ptr() == tensor.data_ptr():
        result = result.clone()
    return _mark(result) if on_cuda else result


# The methods of a tensor that a launch calls. Any other method may be a kernel on a GPU, or may wait.
QUESTIONS = frozenset((
    "__get__", "__dlpack__", "__dlpack_device__", "data_ptr", "dim", "element_size",
    "is_contiguous", "is_floating_point", "is_complex", "numel", "size", "storage_offset", "stride"))


class _Mode:
    """The body of the mode; its base is known only when torch is."""

    def __torch_function__(self, function, of, arguments=(), keywords=None):
        keywords = keywords or {}
        if getattr(function, "__name__", None) not in QUESTIONS:
            recorder.other_work()
        with torch._C.DisableTorchFunction():
            special = specials.get(function)
            if special is not None:
                return special(function, arguments, keywords)
            return _call(function, arguments, keywords)


def _call(function, arguments, keywords):
    device = keywords.get("device")
    if isinstance(device, int) and not isinstance(device, bool):
        keywords = {**keywords, "device": "cuda"}
    values = list(arguments) + list(keywords.values())
    cuda = any(_is_cuda(value) for value in values)
    host = not cuda and any(_is_host(value) for value in values)
    if cuda:
        arguments = tuple(_to_host(value) for value in arguments)
        keywords = {name: _to_host(value) for name, value in keywords.items()}
    if keywords.get("pin_memory"):
        keywords = {**keywords, "pin_memory": False}
    result = function(*arguments, **keywords)
    if cuda or (not host and any(_is_marked(value) for value in values)):
        _mark(result)
    return result


def _to(function, arguments, keywords):
    tensor, *rest = arguments
    values = rest + list(keywords.values())
    other = next((value for value in rest if isinstance(value, torch.Tensor)), None)
    if any(_is_cuda(value) for value in values) or isinstance(keywords.get("device"), int):
        on_cuda = True
    elif any(_is_host(value) for value in values):
        on_cuda = False
    else:
        on_cuda = _is_marked(tensor if other is None else other)
    rest = [_to_host(value) for value in rest]
    keywords = {name: _to_host(value) for name, value in keywords.items()}
    return _moved(tensor, on_cuda, function(tensor, *rest, **keywords))


def _device(function, arguments, keywords):
    device = function(*arguments, **keywords)
    return torch.device("cuda", 0) if _is_marked(arguments[0]) else device


specials = {}


def _set_specials():
    tensor = torch.Tensor
    specials.update({
        torch.device: lambda f, a, k: f(*a, **k),  # a name only
        tensor.to: _to,
        tensor.cuda: lambda f, a, k: _moved(a[0], True, a[0]),
        tensor.cpu: lambda f, a, k: _moved(a[0], False, a[0]),
        tensor.pin_memory: lambda f, a, k: a[0],
        tensor.is_pinned: lambda f, a, k: False,
        tensor.device.__get__: _device,
        tensor.is_cuda.__get__: lambda f, a, k: _is_marked(a[0]),
        tensor.is_cpu.__get__: lambda f, a, k: not _is_marked(a[0]),
        tensor.get_device: lambda f, a, k: 0 if _is_marked(a[0]) else -1,
        tensor.record_stream: lambda f, a, k: None,
    })


# ---- torch.cuda ----


def _is_left(*_):
    """Answers for streams and events: the launches before this one may have ended, or belong to another stream."""
    recorder.other_work()


class Stream:
    """The stand-in driver's default stream; everything has happened when a call returns."""

    cuda_stream = 0
    device_index = 0
    priority = 0

    def __init__(self, *arguments, **keywords):
        pass

    def __enter__(self):
        _is_left()
        return self

    __exit__ = _is_left

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return 0

    @property
    def device(self):
        return torch.device("cuda", 0)

    def query(self):
        _is_left()
        return True

    def record_event(self, event=None):
        return event or Event()

    synchronize = wait_stream = wait_event = _is_left


class Event:
    def __init__(self, *arguments, **keywords):
        pass

    def record(self, *_):
        return None

    wait = synchronize = _is_left

    def query(self):
        _is_left()
        return True

    def elapsed_time(self, _):
        return 1.0


class Context:
    """torch.cuda.device, torch.cuda.stream and others that change nothing here."""

    def __init__(self, *arguments, **keywords):
        pass

    def __enter__(self):
        _is_left()
        return self

    def __exit__(self, *_):
        _is_left()
        return None


def _attribute(number):
    import ctypes

    driver, value = recorder.driver(), ctypes.c_int()
    if driver:
        driver.cuInit(0)
        driver.cuDeviceGetAttribute(ctypes.byref(value), number, 0)
    return value.value


def _capability(device=None):
    return _attribute(MAJOR), _attribute(MINOR)


def _properties(device=None):
    major, minor = _capability()
    return types.SimpleNamespace(
        name="stand-in", major=major, minor=minor, total_memory=1 << 36,
        multi_processor_count=_attribute(MULTIPROCESSOR_COUNT), warp_size=32,
        max_threads_per_multi_processor=2048, regs_per_multiprocessor=65536,
        shared_memory_per_block=49152, shared_memory_per_block_optin=232448,
        shared_memory_per_multiprocessor=233472, L2_cache_size=50 << 20, is_integrated=False,
        gcnArchName="")


def _gives(value):
    return lambda *arguments, **keywords: value


def _calls(function):
    """A function of its own that does the same on the only device."""
    return lambda device=None: function()


def _set_cuda(cuda):
    """Gives each name a function of its own: torch._dynamo has rules for functions by identity,
    and cannot be imported where two names with different rules share one."""
    for name in "synchronize", "empty_cache", "set_stream":
        setattr(cuda, name, lambda *arguments, **keywords: _is_left())
    for name in ("init", "_lazy_init", "set_device", "ipc_collect", "reset_peak_memory_stats", "reset_max_memory_allocated",
                 "reset_accumulated_memory_stats"):
        setattr(cuda, name, _gives(None))
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved",
                 "max_memory_reserved", "current_device"):
        setattr(cuda, name, _gives(0))
    for name in "is_available", "is_initialized", "is_bf16_supported":
        setattr(cuda, name, _gives(True))
    for name in "device", "stream", "device_of":
        setattr(cuda, name, Context)
    cuda.is_current_stream_capturing = _gives(False)
    cuda.device_count = _gives(1)
    cuda.Stream, cuda.Event = Stream, Event
    cuda.current_stream, cuda.default_stream = _calls(Stream), _calls(Stream)
    cuda.get_device_name = _gives("stand-in")
    cuda.get_device_capability = _capability
    cuda.get_device_properties = _properties
    cuda.mem_get_info = _gives((1 << 36, 1 << 36))
    cuda.manual_seed = lambda seed: torch.default_generator.manual_seed(seed)
    cuda.manual_seed_all = lambda seed: torch.default_generator.manual_seed(seed)
    cuda.get_rng_state = _calls(torch.get_rng_state)
    cuda.set_rng_state = lambda state, device=None: torch.set_rng_state(state)
    for name in "range_push", "range_pop", "mark":
        setattr(cuda.nvtx, name, _gives(None))


def _set_generator():
    original = torch.Generator

    class Generator(original):
        def __new__(cls, device="cpu"):
            return original.__new__(cls, "cpu")

    torch.Generator = Generator


def _in_threads(mode):
    """A mode is the thread's that enters it."""
    original = threading.Thread._bootstrap_inner

    def _bootstrap_inner(self):
        with mode():
            original(self)

    threading.Thread._bootstrap_inner = _bootstrap_inner


def _set_everything():
    from torch.overrides import TorchFunctionMode

    _set_specials()
    _set_cuda(torch.cuda)
    _set_generator()
    mode = type("OnHost", (_Mode, TorchFunctionMode), {})
    mode().__enter__()
    _in_threads(mode)


def patch(module):
    global torch
    if not recorder.is_dry_run:
        return
    torch = module
    try:
        _set_everything()
    except Exception as error:
        recorder.remark(recorder.FRONT_END_LOST, "pytorch %s: %s" % (
            getattr(module, "__version__", "of an unknown version"), error))


torch = None  # the module, once the program has imported it

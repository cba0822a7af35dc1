"""PyTorch's device "cuda" in a dry run, without a GPU."""
import threading

import torch
import torch._dynamo  # as libraries do: it refuses functions of torch.cuda that are the same one

import cuda.tile as ct
from kernels import add, sum_list

assert torch.cuda.is_available() and torch.cuda.device_count() == 1
assert torch.cuda.get_device_capability() >= (8, 0)
host = torch.arange(64, dtype=torch.float32)
a, b = torch.ones(64, device="cuda"), host.cuda()
assert (a.device, host.device) == (torch.device("cuda", 0), torch.device("cpu"))
assert a.is_cuda and not a.cpu().is_cuda and not host.is_cuda and host.is_cpu
assert (a + b).is_cuda and torch.empty_like(a[3:]).is_cuda and a.view(8, 8).T.is_cuda
assert torch.zeros(3, device=a.device).is_cuda and torch.zeros(3, device=0).is_cuda
# What moves has memory of its own, what does not move has not.
assert b.data_ptr() != host.data_ptr() and a.cpu().data_ptr() != a.data_ptr()
assert a.to("cuda") is a and a.cuda().data_ptr() == a.data_ptr()
assert b.to("cpu", torch.float16).dtype == torch.float16 and b.half().is_cuda
assert a.to(b).is_cuda and host.to(b).is_cuda and not b.to(host).is_cuda
generator = torch.Generator(device="cuda").manual_seed(3)
assert torch.randn(4, device="cuda", generator=generator).is_cuda
torch.manual_seed(1)
torch.cuda.manual_seed_all(1)
with torch.cuda.stream(torch.cuda.Stream()), torch.cuda.device(0):
    event = torch.cuda.Event(enable_timing=True)
    event.record()
torch.cuda.synchronize()

ct.launch(torch.cuda.current_stream(), (4,), add, (a, b, torch.empty_like(a), 16))
ct.launch(torch.cuda.Stream(), (4,), sum_list, ([a, b], torch.empty_like(a), 16))
half = torch.zeros(64, dtype=torch.bfloat16, device="cuda", requires_grad=True)
ct.launch(0, (4,), add, (half, half, torch.empty_like(half), 16))


def in_thread():
    out = torch.empty(64, device="cuda")
    ct.launch(torch.cuda.current_stream(), (2,), add, (a, b, out, 32))


thread = threading.Thread(target=in_thread)
thread.start()
thread.join()
print("done")

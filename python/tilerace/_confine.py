"""Confines a process before it runs the code of a stranger.

`enter()` returns in a grandchild that has the stranger's limits: no network, nothing to write to but a
scratch folder of a bounded size, no process of the machine in sight. The process that called it stays
behind as a warden. It counts the grandchild's processes and their memory, ends them all, and ends as
the grandchild did. Where the system allows no name spaces of one's own, the grandchild may start no
process, and what it may write to is not limited.
"""
from __future__ import annotations

import ctypes
import os
import resource
import signal
import struct
import time
from dataclasses import dataclass
from typing import List, Optional, Set, Tuple

from tilerace import _processes

_NEWNS, _NEWIPC, _NEWUSER, _NEWPID, _NEWNET = 0x00020000, 0x08000000, 0x10000000, 0x20000000, 0x40000000
_MS_NOSUID, _MS_NODEV, _MS_BIND, _MS_REC, _MS_PRIVATE = 2, 4, 4096, 16384, 1 << 18
_ATTR_RDONLY, _ATTR_NOSUID, _ATTR_NODEV = 1, 2, 4
_AT_FDCWD, _AT_RECURSIVE = -100, 0x8000
_MOUNT_SETATTR = 442  # the same number on every machine
_PDEATHSIG, _KEEPCAPS, _SECCOMP, _CAPBSET_DROP, _SUBREAPER, _NO_NEW_PRIVS = 1, 8, 22, 24, 36, 38
_DAC_READ_SEARCH = 2
_DEVICES = "/dev/null", "/dev/zero", "/dev/random", "/dev/urandom"

PROCESSES = 64  # of one candidate, at once
_MOST_THREADS = 4 * PROCESSES  # which the kernel holds, so that the warden gets to see the processes
_NOBODY = 65534
TOO_MANY, TOO_LARGE = 200, 201  # exit codes of a warden that had to end its grandchild
BEGINS = b"begins\n"  # the first line of an answer, written before any code of the stranger runs

_libc = ctypes.CDLL(None, use_errno=True)


@dataclass(frozen=True)
class Limits:
    seconds: float = 60
    megabytes: int = 4096
    scratch_megabytes: int = 256  # on disk


class _Attributes(ctypes.Structure):  # struct mount_attr
    _fields_ = [(name, ctypes.c_uint64) for name in ("set", "clear", "propagation", "userns")]


def _end_with_parent() -> None:
    _libc.prctl(_PDEATHSIG, signal.SIGKILL, 0, 0, 0)


def _set(path: str, flags: int, set_: int, clear: int = 0) -> bool:
    attributes = _Attributes(set_, clear, 0, 0)
    result: int = _libc.syscall(_MOUNT_SETATTR, _AT_FDCWD, path.encode(), flags, ctypes.byref(attributes),
                         ctypes.sizeof(attributes))
    return result == 0


def _mount(source: Optional[str], target: str, kind: Optional[str], flags: int,
           data: Optional[str] = None) -> bool:
    of = [text.encode() if text is not None else None for text in (source, target, kind, data)]
    result: int = _libc.mount(of[0], of[1], of[2], ctypes.c_ulong(flags), of[3])
    return result == 0


def _freeze_files(scratch: str, limits: Limits, uid: int, needed: List[str]) -> None:
    """All mounts are read-only and without devices, but for a new file system in `scratch`. Sockets of
    the machine's services lie in /run, which is hidden unless something that is needed lies there."""
    size = "size=%dm,mode=700,uid=%d" % (limits.scratch_megabytes, uid)
    _mount(None, "/", None, _MS_REC | _MS_PRIVATE)
    for path in _DEVICES:
        _mount(path, path, None, _MS_BIND)
    if not any(os.path.realpath(path).startswith("/run/") for path in needed):
        _mount("tmpfs", "/run", "tmpfs", _MS_NOSUID | _MS_NODEV, "size=1m")
    _set("/", _AT_RECURSIVE, _ATTR_RDONLY | _ATTR_NOSUID | _ATTR_NODEV)
    for path in _DEVICES:
        _set(path, 0, 0, _ATTR_NODEV | _ATTR_RDONLY)
    _mount("tmpfs", scratch, "tmpfs", _MS_NOSUID | _MS_NODEV, size)


def _drop_rights(uid: int) -> None:
    """Drops all rights, but for the right to read where the user was the superuser, whose processes the kernel does not
    count."""
    kept = 0
    if uid != os.getuid():
        kept = 1 << _DAC_READ_SEARCH
        _libc.prctl(_KEEPCAPS, 1, 0, 0, 0)
        os.setresuid(uid, uid, uid)
    for capability in range(64):
        _libc.prctl(_CAPBSET_DROP, capability, 0, 0, 0)
    _libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    header, sets = (ctypes.c_uint32 * 2)(0x20080522, 0), (ctypes.c_uint32 * 6)(kept, kept)
    _libc.capset(header, sets)


def _write(path: str, text: str) -> bool:
    try:
        with open(path, "w") as out:
            out.write(text)
        return True
    except OSError:
        return False


def _map_both_users(pid: int) -> bool:
    return (_write("/proc/%d/uid_map" % pid, "0 0 1\n1 %d 1\n" % _NOBODY)
            and _write("/proc/%d/gid_map" % pid, "0 0 1\n"))


def _leave_machine() -> Tuple[int, int]:
    """Into the most name spaces that the system allows (0: none), and who the stranger is there."""
    uid, gid, me = os.getuid(), os.getgid(), os.getpid()
    reading, writing = os.pipe()
    helper = os.fork()  # the superuser maps two users, which is allowed from outside alone
    if helper == 0:
        os.read(reading, 1)
        os._exit(0 if uid == 0 and gid == 0 and _map_both_users(me) else 1)
    flags = next((flags for flags in (_NEWUSER | _NEWNET | _NEWPID | _NEWNS | _NEWIPC, _NEWUSER | _NEWNET)
                  if _libc.unshare(flags) == 0), 0)
    os.write(writing, b"x")
    both = os.waitpid(helper, 0)[1] == 0 and bool(flags)
    os.close(reading)
    os.close(writing)
    if flags and not both:
        _write("/proc/self/setgroups", "deny")
        _write("/proc/self/uid_map", "%d %d 1" % (uid, uid))
        _write("/proc/self/gid_map", "%d %d 1" % (gid, gid))
    return flags, 1 if both else uid


# For each architecture: its number, the calls that only start processes, and the call whose first argument says whether
# it starts a thread.
_CALLS = {"x86_64": (0xC000003E, (57, 58), 56), "aarch64": (0xC00000B7, (), 220)}
_CLONE3, _CLONE_THREAD, _X32 = 435, 0x00010000, 0x40000000
_LOAD, _EQUAL, _AT_LEAST, _ANY_BIT, _RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
_ALLOW, _DENY, _NO_CALL = 0x7FFF0000, 0x00050001, 0x00050026


def _allow_threads_alone() -> None:
    """No process is started any more, by a filter of system calls."""
    if os.uname().machine not in _CALLS:
        return
    machine, starts, clone = _CALLS[os.uname().machine]
    program = [(_LOAD, 0, 0, 4), (_EQUAL, 1, 0, machine), (_RETURN, 0, 0, _DENY), (_LOAD, 0, 0, 0),
               (_AT_LEAST, 0, 1, _X32), (_RETURN, 0, 0, _DENY), (_EQUAL, 0, 1, _CLONE3), (_RETURN, 0, 0, _NO_CALL)]
    for call in starts:
        program += [(_EQUAL, 0, 1, call), (_RETURN, 0, 0, _DENY)]
    program += [(_EQUAL, 0, 3, clone), (_LOAD, 0, 0, 16), (_ANY_BIT, 1, 0, _CLONE_THREAD),
                (_RETURN, 0, 0, _DENY), (_RETURN, 0, 0, _ALLOW)]
    code = b"".join(struct.pack("=HBBI", *line) for line in program)
    held = ctypes.create_string_buffer(code, len(code))
    filter_ = ctypes.create_string_buffer(struct.pack("@HP", len(program), ctypes.addressof(held)))
    _libc.prctl(_NO_NEW_PRIVS, 1, 0, 0, 0)
    _libc.prctl(_SECCOMP, 2, filter_, 0, 0)


def _limit(limits: Limits, alone: bool) -> None:
    memory = limits.megabytes << 20
    most = {resource.RLIMIT_AS: memory, resource.RLIMIT_FSIZE: limits.scratch_megabytes << 20,
            resource.RLIMIT_CPU: int(limits.seconds) + 2, resource.RLIMIT_CORE: 0}
    if alone:  # else those of the user's other programs count as well
        most[resource.RLIMIT_NPROC] = _MOST_THREADS
    for what, value in most.items():
        hard = resource.getrlimit(what)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        resource.setrlimit(what, (value, value))


# ---- The warden ----


def _megabytes(pids: Set[int]) -> int:
    """Resident memory of all of them."""
    pages = 0
    for pid in pids:
        try:
            with open("/proc/%d/statm" % pid, "rb") as statm:
                pages += int(statm.read().split()[1])
        except (OSError, ValueError, IndexError):
            pass
    return pages * os.sysconf("SC_PAGE_SIZE") >> 20


def _end(root: int) -> None:
    """Ends all descendants. They are stopped first, since a stopped process does not fork; those that forked meanwhile
    are found by the next look."""
    for how in [signal.SIGSTOP] + [signal.SIGKILL] * 200:
        for pid in sorted(_processes.descendants(root)):
            try:
                os.kill(pid, how)
            except OSError:
                pass
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.01)


def _threads() -> int:
    """Counts the threads of the whole machine."""
    try:
        with open("/proc/loadavg", "rb") as load:
            return int(load.read().split()[3].split(b"/")[1])
    except (OSError, ValueError, IndexError):
        return 0


def _watch(child: int, limits: Limits) -> int:
    """Waits for the child, with what it starts; its exit code, or minus a signal."""
    me = os.getpid()
    pause, looked, before = 0.002, 0.0, _threads()
    while True:
        pid, status = os.waitpid(-1, os.WNOHANG)
        if pid == child:
            _end(me)
            return os.waitstatus_to_exitcode(status)
        if pid == 0:
            time.sleep(pause)
            pause = min(pause * 1.5, 0.02)
        # A look at all processes takes milliseconds, and a count nothing.
        if time.monotonic() - looked < (0.2 if _threads() - before < PROCESSES else 0.02):
            continue
        looked = time.monotonic()
        members = _processes.descendants(me)
        why = (TOO_MANY if len(members) > PROCESSES + 2 else
               TOO_LARGE if _megabytes(members) > limits.megabytes else 0)
        if why:
            _end(me)
            return why


def _end_as(code: int) -> None:
    if code < 0:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        signal.signal(-code, signal.SIG_DFL) if -code not in (signal.SIGKILL, signal.SIGSTOP) else None
        os.kill(os.getpid(), -code)
    os._exit(code if code >= 0 else 128 - code)


def _be_first(report: int) -> None:
    """The first process of its own space of processes: when it ends, all of them do. Returns in the
    one that it starts."""
    _end_with_parent()
    child = os.fork()
    if child == 0:
        return
    while True:
        pid, status = os.waitpid(-1, 0)
        if pid == child:
            os.write(report, b"%d" % os.waitstatus_to_exitcode(status))
            os._exit(0)


def enter(limits: Limits, scratch: str, needed: List[str], kept: int) -> None:
    """Goes on as a confined process. The descriptor `kept` stays with it alone, so that its end closes
    it. `needed` are paths that have to be seen."""
    _end_with_parent()
    _libc.prctl(_SUBREAPER, 1, 0, 0, 0)
    flags, uid = _leave_machine()
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        if flags & _NEWPID:
            _freeze_files(scratch, limits, uid, needed)
            _be_first(writing)
        os.close(writing)
        if flags:
            _drop_rights(uid)
        else:
            _allow_threads_alone()
        _end_with_parent()
        _limit(limits, bool(flags))
        os.nice(5)  # the warden comes first
        os.environ.update(HOME=scratch, TMPDIR=scratch, XDG_CACHE_HOME=scratch)
        return
    os.close(kept)
    os.close(writing)
    code = _watch(child, limits)
    told = os.read(reading, 16)
    _end_as(int(told) if told and code not in (TOO_MANY, TOO_LARGE) else code)

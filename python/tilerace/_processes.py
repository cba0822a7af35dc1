"""Processes of this machine as /proc has them, read as base/process_state.c of the program reads them."""
from __future__ import annotations

import os
from typing import Dict, Iterator, List, NamedTuple, Set


class State(NamedTuple):
    pid: int
    parent: int
    session: int
    ticks: int  # of processor time, with those of children that it waited for


def _state_of(line: bytes) -> State:
    """Parses "PID (NAME) STATE PARENT GROUP SESSION ...", where the name may hold anything."""
    fields = line.rpartition(b")")[2].split()
    return State(int(line.split(None, 1)[0]), int(fields[1]), int(fields[3]), sum(map(int, fields[11:15])))


def states() -> Iterator[State]:
    """Yields the states of all processes; those that end meanwhile may be missing."""
    for name in os.listdir("/proc"):
        if not name.isdigit():
            continue
        try:
            with open("/proc/%s/stat" % name, "rb") as stat:
                yield _state_of(stat.read())
        except (OSError, ValueError, IndexError):
            pass


def descendants(root: int) -> Set[int]:
    """Returns the ids of all descendants of a process."""
    children: Dict[int, List[int]] = {}
    for state in states():
        children.setdefault(state.parent, []).append(state.pid)
    found: Set[int] = set()
    left = [root]
    while left:
        for pid in children.get(left.pop(), ()):
            found.add(pid)
            left.append(pid)
    return found


def worked(session: int) -> float:
    """Returns the seconds of processor time that all processes of a session have used."""
    return sum(state.ticks for state in states() if state.session == session) / os.sysconf("SC_CLK_TCK")

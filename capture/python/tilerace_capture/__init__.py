"""The hooks of Python front ends under `tilerace exec`, a module each (docs/exec-python.md).

They use the standard library alone, write to neither stdout nor stderr, and never let an error of
their own reach the program.
"""

"""Run by pytest with two workers."""
import numpy as np
import pytest

import cuda.tile as ct
from kernels import add


@pytest.mark.parametrize("width", [1, 2, 4, 8, 16, 32])
def test_launch(width):
    a, b, out = (np.zeros(64, np.float32) for _ in range(3))
    ct.launch(None, (64 // width,), add, (a, b, out, width))

# SPDX-License-Identifier: Apache-2.0
"""Records the arrays after each call of a kernel, as lines to compare with CuPy's."""

import hashlib

import numpy as np

WORDS = 4  # 32-bit words of an array that a line shows after the digest

# Tests whose kernels use rsqrt.approx, lg2.approx or ex2.approx. PTX does not define their last bits, so the lines of
# these tests show all words.
APPROXIMATE = ("test_bodies_that_attract_each_other", "test_prices_of_options")


def line(name, call, index, array):
    """Test, number of the call, index of the argument, digest of the array's bytes, and its first words."""
    content = array.tobytes("A")
    shown = len(content) if name in APPROXIMATE else 4 * WORDS
    words = np.frombuffer(content[: len(content) // 4 * 4][:shown], np.uint32)
    return " ".join([name, str(call), str(index), hashlib.sha256(content).hexdigest()[:16],
                     *(f"{word:x}" for word in words)])


def floats(one):
    """The words of a line as 32-bit floats."""
    return np.array([int(word, 16) for word in one.split()[4:]], np.uint32).view(np.float32)


class Recorder:
    """Keeps a line for each array of each call of a kernel."""

    def __init__(self, kernel_class):
        """Wraps `kernel_class`, RawKernel of this package or CuPy's with NumPy arrays."""
        self.lines, self._name, self._calls = [], "", 0
        run = kernel_class.__call__

        def call_and_record(kernel, grid, block, args=(), **options):
            result = run(kernel, grid, block, args, **options)
            self.lines += [line(self._name, self._calls, index, array) for index, array in enumerate(args)
                           if isinstance(array, np.ndarray) and array.flags.writeable]
            self._calls += 1
            return result

        kernel_class.__call__ = call_and_record

    def begin(self, name):
        """Assigns the next calls to the test `name`."""
        self._name, self._calls = name, 0

    def of(self, name):
        """The lines of a test."""
        return [one for one in self.lines if one.split()[0] == name]

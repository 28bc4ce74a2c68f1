// SPDX-License-Identifier: Apache-2.0
// tries: Hands in a folder with a link to the course's solution, and includes that.
// stopped by: Links are resolved before a file is looked at (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
// hides: blockIdx
#include "kernel.cuh"

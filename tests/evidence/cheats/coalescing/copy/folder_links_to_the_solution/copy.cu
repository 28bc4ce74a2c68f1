// SPDX-License-Identifier: Apache-2.0
// tries: Submits a folder with a link to the course's solution, and includes the link.
// stopped by: Links are resolved before the path is checked (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
// hides: blockIdx
#include "kernel.cuh"

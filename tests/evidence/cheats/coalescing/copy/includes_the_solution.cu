// SPDX-License-Identifier: Apache-2.0
// tries: Submits one line: an #include of the course's solution.
// stopped by: The compiler sees only the toolkit and the submission's own folder
//   (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
#include "../../../../solutions/coalescing/copy.cu"

// SPDX-License-Identifier: Apache-2.0
// tries: Includes the kernel that makes the expected results and calls it.
// stopped by: The compiler sees the toolkit and the submission's own folder, nothing else
//   (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
#define copy_reference copy
#include "../../../../labs/coalescing/reference.cu"

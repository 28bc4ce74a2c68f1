// SPDX-License-Identifier: Apache-2.0
// tries: Includes the kernel that computes the expected results, renamed by a macro.
// stopped by: The compiler sees only the toolkit and the submission's own folder
//   (common/compile/include_guard.cpp).
// verdict: fail compile, 0 points
#define copy_reference copy
#include "../../../../labs/coalescing/reference.cu"

// SPDX-License-Identifier: Apache-2.0
// std::max without --expt-relaxed-constexpr.
#include <algorithm>
__global__ void kernel(int* out) { out[threadIdx.x] = std::max(int(threadIdx.x), 5); }

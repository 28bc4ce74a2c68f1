// SPDX-License-Identifier: Apache-2.0
// std::accumulate in a kernel.
#include <numeric>
__global__ void kernel(int* out, const int* in) { out[threadIdx.x] = std::accumulate(in, in + 4, 0); }

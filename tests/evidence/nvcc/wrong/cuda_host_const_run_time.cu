// SPDX-License-Identifier: Apache-2.0
// A const number whose value is known only at run time.
#include <cstdlib>
const int kSize = std::atoi("12");
__global__ void kernel(int* out) { out[threadIdx.x] = kSize; }

// SPDX-License-Identifier: Apache-2.0
// time() in a kernel.
#include <ctime>
__global__ void kernel(long* out) { out[threadIdx.x] = time(nullptr); }

// SPDX-License-Identifier: Apache-2.0
// rand() in a kernel.
#include <cstdlib>
__global__ void kernel(int* out) { out[threadIdx.x] = rand() % 6; }

// SPDX-License-Identifier: Apache-2.0
// strlen() of the host in a kernel.
#include <cstring>
__global__ void kernel(int* out) { out[threadIdx.x] = strlen("block"); }

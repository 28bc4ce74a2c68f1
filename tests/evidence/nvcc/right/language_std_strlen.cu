// SPDX-License-Identifier: Apache-2.0
// The host's strlen() in a kernel.
#include <cstring>
__global__ void kernel(int* out) { out[threadIdx.x] = strlen("block"); }

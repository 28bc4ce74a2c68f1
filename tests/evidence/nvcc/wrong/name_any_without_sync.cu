// SPDX-License-Identifier: Apache-2.0
// __any and __all of old toolkits.
__global__ void kernel(int* out) { out[threadIdx.x] = __any(threadIdx.x > 30); }

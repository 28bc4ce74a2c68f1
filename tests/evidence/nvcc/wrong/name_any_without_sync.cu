// SPDX-License-Identifier: Apache-2.0
// __any without _sync, from old toolkits.
__global__ void kernel(int* out) { out[threadIdx.x] = __any(threadIdx.x > 30); }

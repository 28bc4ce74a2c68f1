// SPDX-License-Identifier: Apache-2.0
// __ballot without _sync, from old toolkits.
__global__ void kernel(unsigned* out) { out[threadIdx.x] = __ballot(threadIdx.x % 3 == 0); }

// SPDX-License-Identifier: Apache-2.0
// threadIDx instead of threadIdx.
__global__ void kernel(int* out) { out[threadIDx.x] = 1; }

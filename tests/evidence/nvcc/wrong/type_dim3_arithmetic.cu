// SPDX-License-Identifier: Apache-2.0
// threadIdx itself as an index.
__global__ void kernel(int* out) { out[threadIdx] = 1; }

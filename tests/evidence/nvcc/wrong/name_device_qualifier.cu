// SPDX-License-Identifier: Apache-2.0
// __devices__ instead of __device__.
__devices__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(1); }

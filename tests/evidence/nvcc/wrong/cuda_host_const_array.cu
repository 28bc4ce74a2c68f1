// SPDX-License-Identifier: Apache-2.0
// A const array at file scope used in a kernel.
const int kDx[4] = {1, 0, -1, 0};
__global__ void kernel(int* out) { out[threadIdx.x] = kDx[threadIdx.x % 4]; }

// SPDX-License-Identifier: Apache-2.0
// A volatile host constant.
const volatile int limit = 4;
__global__ void kernel(int* out) { out[threadIdx.x] = limit; }

// SPDX-License-Identifier: Apache-2.0
// A template parameter list without its closing bracket.
template <typename T
__device__ T twice(T x) { return x + x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(1); }

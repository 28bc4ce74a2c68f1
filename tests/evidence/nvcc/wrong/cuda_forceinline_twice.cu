// SPDX-License-Identifier: Apache-2.0
// A misspelt __forceinline__.
__device__ __force_inline__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { out[threadIdx.x] = twice(4); }

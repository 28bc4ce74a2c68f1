// SPDX-License-Identifier: Apache-2.0
// Assigning to the result of a function.
__device__ int twice(int x) { return 2 * x; }
__global__ void kernel(int* out) { twice(3) = out[0]; }

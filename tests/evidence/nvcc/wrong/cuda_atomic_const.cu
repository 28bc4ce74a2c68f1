// SPDX-License-Identifier: Apache-2.0
// An atomic on a pointer to const.
__global__ void kernel(const int* out) { atomicAdd(out, 1); }

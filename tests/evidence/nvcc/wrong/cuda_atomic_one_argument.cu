// SPDX-License-Identifier: Apache-2.0
// atomicAdd with one argument.
__global__ void kernel(int* out) { atomicAdd(out); }

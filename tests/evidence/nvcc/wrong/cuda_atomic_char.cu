// SPDX-License-Identifier: Apache-2.0
// atomicAdd of a char.
__global__ void kernel(char* out) { atomicAdd(out, 1); }

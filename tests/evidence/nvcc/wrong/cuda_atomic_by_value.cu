// SPDX-License-Identifier: Apache-2.0
// atomicAdd of a value in place of an address.
__global__ void kernel(int* out) { atomicAdd(out[0], 1); }

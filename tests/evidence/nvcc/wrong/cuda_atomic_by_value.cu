// SPDX-License-Identifier: Apache-2.0
// atomicAdd with a value instead of an address.
__global__ void kernel(int* out) { atomicAdd(out[0], 1); }

// SPDX-License-Identifier: Apache-2.0
// The type uint8 does not exist.
__global__ void kernel(uint8* out) { out[threadIdx.x] = 1; }

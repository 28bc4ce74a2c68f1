// SPDX-License-Identifier: Apache-2.0
// atomicAdd of a short.
__global__ void kernel(short* out) { atomicAdd(out, short(1)); }

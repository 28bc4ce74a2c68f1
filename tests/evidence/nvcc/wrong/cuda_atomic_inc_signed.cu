// SPDX-License-Identifier: Apache-2.0
// atomicInc of a signed int.
__global__ void kernel(int* out) { atomicInc(out, 10); }

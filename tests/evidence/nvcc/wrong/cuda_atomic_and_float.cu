// SPDX-License-Identifier: Apache-2.0
// atomicAnd of a float.
__global__ void kernel(float* out) { atomicAnd(out, 1.0f); }

// SPDX-License-Identifier: Apache-2.0
// atomicCAS of a float.
__global__ void kernel(float* out) { atomicCAS(out, 0.0f, 1.0f); }

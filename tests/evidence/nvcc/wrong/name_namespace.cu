// SPDX-License-Identifier: Apache-2.0
// A namespace that does not exist.
__global__ void kernel(float* out) { out[threadIdx.x] = math::sqrt(2.0f); }

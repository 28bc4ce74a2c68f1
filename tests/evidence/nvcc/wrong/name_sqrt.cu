// SPDX-License-Identifier: Apache-2.0
// __sqrtf does not exist.
__global__ void kernel(float* out) { out[threadIdx.x] = __sqrtf(threadIdx.x); }

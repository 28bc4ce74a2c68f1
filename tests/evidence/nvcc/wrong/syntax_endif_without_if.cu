// SPDX-License-Identifier: Apache-2.0
// An #endif without an #if.
__global__ void root(float* out) {
  out[threadIdx.x] = sqrtf(threadIdx.x);
#endif
}

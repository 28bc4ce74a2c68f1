// SPDX-License-Identifier: Apache-2.0
// A template parameter that cannot be deduced.
template <typename T>
__device__ T zero() {
  return T(0);
}
__global__ void kernel(int* out) { out[threadIdx.x] = zero(); }

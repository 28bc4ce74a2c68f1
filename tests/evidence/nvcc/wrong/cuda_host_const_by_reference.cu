// SPDX-License-Identifier: Apache-2.0
// The address of a const number at file scope.
const int kSize = 12;
__global__ void kernel(int* out) {
  const int* p = &kSize;
  out[threadIdx.x] = *p;
}

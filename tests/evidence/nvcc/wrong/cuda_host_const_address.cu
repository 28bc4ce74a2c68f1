// SPDX-License-Identifier: Apache-2.0
// The address of a const host number.
const int kSteps = 4;
__global__ void kernel(int* out) {
  const int* p = &kSteps;
  out[threadIdx.x] = *p;
}

// SPDX-License-Identifier: Apache-2.0
// A static variable at file scope without __device__.
static int calls = 0;
__global__ void kernel(int* out) {
  calls += 1;
  out[threadIdx.x] = 1;
}

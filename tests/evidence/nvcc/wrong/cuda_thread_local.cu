// SPDX-License-Identifier: Apache-2.0
// A thread_local variable in a kernel.
__global__ void kernel(int* out) {
  thread_local int calls = 0;
  out[threadIdx.x] = ++calls;
}

// SPDX-License-Identifier: Apache-2.0
// A host member function called from a kernel.
struct Counter {
  int value = 0;
  void next() { ++value; }
};
__global__ void kernel(int* out) {
  Counter c;
  c.next();
  out[threadIdx.x] = c.value;
}

// SPDX-License-Identifier: Apache-2.0
// A private member of a class.
class Counter {
  int value = 3;
};
__global__ void kernel(int* out) {
  Counter c;
  out[threadIdx.x] = c.value;
}

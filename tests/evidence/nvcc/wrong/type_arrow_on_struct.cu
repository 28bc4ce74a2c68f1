// SPDX-License-Identifier: Apache-2.0
// The operator -> on a struct instead of a pointer.
struct Node {
  int value;
};
__global__ void kernel(int* out) {
  Node node = {3};
  out[threadIdx.x] = node->value;
}

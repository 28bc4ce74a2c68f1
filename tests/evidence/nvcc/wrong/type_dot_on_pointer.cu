// SPDX-License-Identifier: Apache-2.0
// The operator . on a pointer.
struct Node {
  int value;
};
__global__ void kernel(int* out, Node* nodes) { out[threadIdx.x] = nodes.value; }

// SPDX-License-Identifier: Apache-2.0
// A static assertion that fails.
struct Node {
  char kind;
  int value;
};
static_assert(sizeof(Node) == 5, "packed");
__global__ void kernel(int* out) { out[threadIdx.x] = sizeof(Node); }

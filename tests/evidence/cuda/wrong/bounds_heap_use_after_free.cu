// SPDX-License-Identifier: Apache-2.0
// launch: --grid 1 --block 32 --arg out:i32:32
// | bounds_heap_use_after_free.cu:15:53: out_of_bounds: reads 8 bytes, in the 16 bytes that malloc() returned in line 13, after free() in line 17; do not use memory after freeing it
// |    15 |   for (volatile Node* node = list; node != nullptr; node = node->next) {
// |       |                                                     ^
// |       block (0, 0, 0), thread (0, 0, 0)
struct Node {
  int value;
  Node* next;
};
extern "C" __global__ void k(int* out) {
  Node* list = nullptr;
  for (int i = 0; i < 3; ++i) list = new Node{i, list};
  int sum = 0;
  for (volatile Node* node = list; node != nullptr; node = node->next) {
    sum += node->value;
    delete node;
  }
  out[threadIdx.x] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// launch: --grid 2 --block 32 --arg out:i32:64
struct Node {
  int value;
  Node* next;
};
extern "C" __global__ void k(int* out) {
  Node* list = nullptr;
  for (int i = 0; i < 5; ++i) list = new Node{i, list};
  int sum = 0;
  while (list != nullptr) {
    Node* next = list->next;
    sum += list->value;
    delete list;
    list = next;
  }
  out[blockIdx.x * 32 + threadIdx.x] = sum;
}

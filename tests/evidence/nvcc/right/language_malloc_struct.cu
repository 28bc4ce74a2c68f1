// SPDX-License-Identifier: Apache-2.0
// A linked list that a kernel allocates with malloc and frees again.
// launch: --kernel lists --grid 1 --block 4 --arg out:i32:4
struct Node {
  int value;
  Node* next;
};
__global__ void lists(int* out) {
  Node* head = nullptr;
  for (unsigned i = 0; i <= threadIdx.x + 2; ++i) {
    Node* node = static_cast<Node*>(malloc(sizeof(Node)));
    *node = {int(i * i), head};
    head = node;
  }
  int sum = 0;
  while (head != nullptr) {
    Node* next = head->next;
    sum = 10 * sum + head->value;
    free(head);
    head = next;
  }
  out[threadIdx.x] = sum;
}

// SPDX-License-Identifier: Apache-2.0
// Copying an object whose copy constructor is deleted.
struct Handle {
  int value = 1;
  Handle() = default;
  Handle(const Handle&) = delete;
};
__global__ void kernel(int* out) {
  Handle a;
  Handle b = a;
  out[threadIdx.x] = b.value;
}

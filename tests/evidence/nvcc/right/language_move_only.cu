// SPDX-License-Identifier: Apache-2.0
// A struct with a move constructor and a deleted copy.
// launch: --kernel moved --grid 1 --block 32 --arg out:i32:32
struct Handle {
  int value;
  __device__ explicit Handle(int v) : value(v) {}
  Handle(const Handle&) = delete;
  __device__ Handle(Handle&& other) : value(other.value) { other.value = -1; }
};
__device__ Handle make(int v) { return Handle(v + 1); }
__global__ void moved(int* out) {
  Handle a = make(threadIdx.x);
  Handle b(static_cast<Handle&&>(a));
  out[threadIdx.x] = 1000 * b.value + a.value;
}

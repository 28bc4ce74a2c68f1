// SPDX-License-Identifier: Apache-2.0
// Two base classes, a constructor with an initializer list, and a hidden member.
// launch: --kernel totals --grid 1 --block 32 --arg out:i32:32
struct Named {
  int id;
  __device__ Named(int i) : id(i) {}
};
struct Weighted {
  int weight = 3;
  __device__ int total() const { return weight * 10; }
};
struct Item : Named, Weighted {
  __device__ Item(int i, int w) : Named(i) { weight = w; }
  __device__ int total() const { return Weighted::total() + id; }
};
__global__ void totals(int* out) {
  const Item item(threadIdx.x, 2 * threadIdx.x);
  out[threadIdx.x] = item.total();
}

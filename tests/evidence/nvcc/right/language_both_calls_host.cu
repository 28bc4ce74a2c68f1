// SPDX-License-Identifier: Apache-2.0
// __host__ __device__ functions that call host functions, unused by the kernel.
// launch: --kernel fill --grid 1 --block 32 --arg out:i32:32
#include <cstdlib>
int seed(int x) { return x + 1; }
__host__ __device__ int seeded(int x) { return seed(x); }
struct Range {
  int low, high;
  __host__ __device__ int width() const { return high - low; }
  __host__ __device__ int any() const { return low + rand() % width(); }
};
__global__ void fill(int* out) {
  Range range{2, 7};
  out[threadIdx.x] = range.width() + threadIdx.x;
}

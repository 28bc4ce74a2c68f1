// SPDX-License-Identifier: Apache-2.0
// __host__ __device__ functions that call host functions in a branch that no thread takes.
// launch: --kernel fill --grid 1 --block 32 --arg out:i32:32
#include <algorithm>
#include <cstdlib>
int noise(int x) { return x + 1; }
__host__ __device__ int noisy(int x) { return x < 100 ? x : noise(x); }
__host__ __device__ int rolled(int x) { return x < 100 ? x : rand(); }
__host__ __device__ int limited(int x) { return x < 100 ? x : std::min(x, 200); }
__global__ void fill(int* out) {
  const int x = threadIdx.x;
  out[x] = noisy(x) + 2 * rolled(x) + 3 * limited(x);
}

// SPDX-License-Identifier: Apache-2.0
// A class with constexpr members, which the compiler treats as host functions, in constants.
// left out: main
struct Shape {
  int rows, columns;
  constexpr Shape(int r, int c) : rows(r), columns(c) {}
  constexpr int size() const { return rows * columns; }
};
constexpr Shape kTile(8, 32);
constexpr int kSize = kTile.size(), kLast = kSize - 1;
__global__ void tiles(int* out) {
  __shared__ int tile[kSize];
  tile[threadIdx.x] = threadIdx.x;
  __syncthreads();
  if (threadIdx.x < 32) out[threadIdx.x] = tile[kLast - threadIdx.x];
}
int main() { tiles<<<1, kTile.size()>>>(nullptr); }

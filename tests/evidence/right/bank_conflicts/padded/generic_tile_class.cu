// SPDX-License-Identifier: Apache-2.0
// A class template for the tile, with a constant padded pitch and only get() and put().
template <typename T, int Rows, int Columns, int Pad = 1>
class SharedTile {
 public:
  static constexpr int kPitch = Columns + Pad;
  __device__ void put(int r, int c, T v) { words_[r * kPitch + c] = v; }
  __device__ T get(int r, int c) const { return words_[r * kPitch + c]; }

 private:
  T words_[Rows * kPitch];
};

template <int Tile, int BlockRows>
__device__ __forceinline__ void go(float* __restrict__ out, const float* __restrict__ in, int width,
                                   int height) {
  __shared__ SharedTile<float, Tile, Tile> tile;
  const int x = threadIdx.x;
#pragma unroll 4
  for (int y = threadIdx.y; y < Tile; y += BlockRows) {
    const int r = blockIdx.y * Tile + y, c = blockIdx.x * Tile + x;
    if (r < height && c < width) tile.put(y, x, __ldg(in + r * width + c));
  }
  __syncthreads();
#pragma unroll 4
  for (int y = threadIdx.y; y < Tile; y += BlockRows) {
    const int r = blockIdx.x * Tile + y, c = blockIdx.y * Tile + x;
    if (r < width && c < height) out[r * height + c] = tile.get(x, y);
  }
}

__global__ void transpose(float* out, const float* in, int width, int height) {
  go<32, 8>(out, in, width, height);
}

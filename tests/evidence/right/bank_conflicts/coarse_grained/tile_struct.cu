// SPDX-License-Identifier: Apache-2.0
// A struct describes a tile of a matrix; a method copies the tile to another matrix.
struct TileOf {
  const float* corner;
  int pitch;
  __device__ void move_to(float* to, int to_pitch) const {
    float v0 = at(0), v1 = at(8), v2 = at(16), v3 = at(24);
    put(to, to_pitch, 0, v0);
    put(to, to_pitch, 8, v1);
    put(to, to_pitch, 16, v2);
    put(to, to_pitch, 24, v3);
  }
  __device__ float at(int y) const { return corner[(threadIdx.y + y) * pitch + threadIdx.x]; }
  __device__ static void put(float* to, int pitch, int y, float v) {
    to[(threadIdx.y + y) * pitch + threadIdx.x] = v;
  }
};

__global__ void transpose_coarse(float* out, const float* in, int width, int height) {
  const TileOf tile{in + blockIdx.y * 32 * width + blockIdx.x * 32, width};
  tile.move_to(out + blockIdx.x * 32 * height + blockIdx.y * 32, height);
}

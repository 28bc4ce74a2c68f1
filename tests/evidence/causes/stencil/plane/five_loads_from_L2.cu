// SPDX-License-Identifier: Apache-2.0
// cause: no_tile|redundant_loads line=8
// says: __ldcg bypasses L1, so each point is fetched from L2 five times; use plain loads or a tile in shared
//   memory.
struct Plane {
  const float* data;
  int pitch;
  __device__ float operator()(int column, int row) const { return __ldcg(data + row * pitch + column); }
};

__global__ void heat(float* out, const float* in, int width, int height) {
  const Plane plane{in, width};
  const int column = blockIdx.x * 32 + threadIdx.x, row = blockIdx.y * 8 + threadIdx.y;
  if (column >= width || row >= height) return;
  const bool inner = column > 0 && column < width - 1 && row > 0 && row < height - 1;
  float result = plane(column, row);
  if (inner) {
    const float sides = plane(column - 1, row) + plane(column + 1, row);
    const float ends = plane(column, row - 1) + plane(column, row + 1);
    result = (result + sides + ends) * 0.2f;
  }
  out[row * width + column] = result;
}

// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride|swapped_indices line=16
// says: out has rows of height elements, but the store multiplies the row by width: different
//   elements meet in one place.
// never: barrier;__syncthreads
template <typename T>
struct View {
  T* data;
  int pitch;
  __device__ T& operator()(int row, int column) const { return data[row * pitch + column]; }
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[32][33];
  const View<const float> from{in, width};
  const View<float> to{out, width};
  const int x = threadIdx.x, y = threadIdx.y;
  for (int j = y; j < 32; j += 8) {
    const int row = blockIdx.y * 32 + j, column = blockIdx.x * 32 + x;
    if (row < height && column < width) tile[j][x] = from(row, column);
  }
  __syncthreads();
  for (int j = y; j < 32; j += 8) {
    const int row = blockIdx.x * 32 + j, column = blockIdx.y * 32 + x;
    if (row < width && column < height) to(row, column) = tile[x][j];
  }
}

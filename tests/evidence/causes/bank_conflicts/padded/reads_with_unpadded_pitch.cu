// SPDX-License-Identifier: Apache-2.0
// cause: wrong_stride line=24
// says: The tile is written with rows of 33 words and read with rows of 32, so every row but the
//   first is read from the wrong place.
constexpr int side = 32, pitch = side + 1;

__device__ constexpr int cell(int r, int c, int length) { return r * length + c; }

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float tile[side * pitch];
  const int tx = threadIdx.x, ty = threadIdx.y;

  int x = blockIdx.x * side + tx, y = blockIdx.y * side + ty;
#pragma unroll
  for (int i = 0; i < side; i += 8) {
    if (x < width && y + i < height) tile[cell(ty + i, tx, pitch)] = in[(y + i) * width + x];
  }
  __syncthreads();

  x = blockIdx.y * side + tx;
  y = blockIdx.x * side + ty;
#pragma unroll
  for (int i = 0; i < side; i += 8) {
    if (x < height && y + i < width) out[(y + i) * height + x] = tile[cell(tx, ty + i, side)];
  }
}

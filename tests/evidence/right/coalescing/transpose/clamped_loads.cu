// SPDX-License-Identifier: Apache-2.0
// No branch around the loads: a thread past the edge loads the last element of the row or column.
__global__ void transpose(float* __restrict__ out, const float* __restrict__ in, int width,
                          int height) {
  __shared__ float tile[32][33];
  const int column = min(int(blockIdx.x * 32 + threadIdx.x), width - 1);
  const int row0 = blockIdx.y * 32 + threadIdx.y;
#pragma unroll
  for (int k = 0; k < 4; ++k)
    tile[threadIdx.y + 8 * k][threadIdx.x] =
        __ldg(&in[min(row0 + 8 * k, height - 1) * width + column]);
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  if (out_column >= height) return;
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const int out_row = blockIdx.x * 32 + threadIdx.y + 8 * k;
    if (out_row < width)
      out[out_row * height + out_column] = tile[threadIdx.x][threadIdx.y + 8 * k];
  }
}

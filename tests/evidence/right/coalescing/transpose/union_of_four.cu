// SPDX-License-Identifier: Apache-2.0
// Loads and stores a union of float4 and four floats. The tile is transposed while it is filled.
union Four {
  float4 v;
  float f[4];
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float turned[32][33];
  const int t = threadIdx.y * 32 + threadIdx.x, y = t >> 3, x = (t & 7) * 4;
  const int row = blockIdx.y * 32 + y, column = blockIdx.x * 32 + x;
  Four four;
  if (row < height && column + 3 < width && width % 4 == 0) {
    four.v = *(const float4*)&in[row * width + column];
  } else {
    for (int k = 0; k < 4; k++)
      four.f[k] = row < height && column + k < width ? in[row * width + column + k] : -1.0f;
  }
  for (int k = 0; k < 4; k++) turned[x + k][y] = four.f[k];
  __syncthreads();
  const int out_row = blockIdx.x * 32 + y, out_column = blockIdx.y * 32 + x;
  if (out_row >= width) return;
  for (int k = 0; k < 4; k++) four.f[k] = turned[y][x + k];
  if (out_column + 3 < height && height % 4 == 0)
    *(float4*)&out[out_row * height + out_column] = four.v;
  else
    for (int k = 0; k < 4; k++)
      if (out_column + k < height) out[out_row * height + out_column + k] = four.f[k];
}

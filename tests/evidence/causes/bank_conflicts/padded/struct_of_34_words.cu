// SPDX-License-Identifier: Apache-2.0
// cause: bank_conflicts line=22
// says: Rows of 34 words put two words of a column into each of 16 banks: pad by an odd number
//   of words, such as 1.
struct Row {
  float value[32];
  float pad[2];
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ Row tile[32];
  const int column = blockIdx.x * 32 + threadIdx.x;
  const int row = blockIdx.y * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (column < width && row + j < height) tile[threadIdx.y + j].value[threadIdx.x] = in[(row + j) * width + column];
  }
  __syncthreads();
  const int out_column = blockIdx.y * 32 + threadIdx.x;
  const int out_row = blockIdx.x * 32 + threadIdx.y;
  for (int j = 0; j < 32; j += 8) {
    if (out_column < height && out_row + j < width)
      out[(out_row + j) * height + out_column] = tile[threadIdx.x].value[threadIdx.y + j];
  }
}

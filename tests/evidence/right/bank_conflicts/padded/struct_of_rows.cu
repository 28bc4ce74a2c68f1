// SPDX-License-Identifier: Apache-2.0
// The tile is an array of structs, each with one row and a padding word.
struct Row {
  float word[32];
  float unused;
};

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ Row row[32];
  const int left = blockIdx.x * 32, top = blockIdx.y * 32;
#pragma unroll
  for (int r = threadIdx.y; r < 32; r += 8)
    if (left + threadIdx.x < width && top + r < height)
      row[r].word[threadIdx.x] = in[(top + r) * width + left + threadIdx.x];
  __syncthreads();
#pragma unroll
  for (int c = threadIdx.y; c < 32; c += 8)
    if (top + threadIdx.x < height && left + c < width)
      out[(left + c) * height + top + threadIdx.x] = row[threadIdx.x].word[c];
}

// SPDX-License-Identifier: Apache-2.0
// cause: out_of_bounds line=10
// says: Rows of 33 words need 32 * 33 floats, but the array has only 32 * 32, so the last row lies behind its end.

#define SIDE 32
#define PITCH 33
#define AT(r, c) buffer[(r) * PITCH + (c)]

__global__ void transpose(float* out, const float* in, int width, int height) {
  __shared__ float buffer[SIDE * SIDE];
  const int tile_row = blockIdx.x;
  int tile_col = blockIdx.x + blockIdx.y;
  if (tile_col >= gridDim.x) tile_col -= gridDim.x;

  const float* p = in + (tile_row * SIDE + threadIdx.y) * width + tile_col * SIDE + threadIdx.x;
  for (int j = 0; j < SIDE; j += 8, p += 8 * width) AT(threadIdx.y + j, threadIdx.x) = *p;
  __syncthreads();
  float* q = out + (tile_col * SIDE + threadIdx.y) * height + tile_row * SIDE + threadIdx.x;
  for (int j = 0; j < SIDE; j += 8, q += 8 * height) *q = AT(threadIdx.x, threadIdx.y + j);
}
